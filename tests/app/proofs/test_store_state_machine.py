from __future__ import annotations

from typing import Any

import pytest

from quire.domain.manuscript.manuscript import Document
from quire.services.transactions import project_text
from tests.proofs.app import store_state_machine
from tests.proofs.app.outcome import CheckResult


def test_the_store_does_as_the_model_says() -> None:
    found = list(store_state_machine.machine_cases(1, 6, 25))
    assert found == [CheckResult("25 steps")] * 6


def test_the_same_seed_does_the_same_work(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[list[str]] = [[], []]
    save_text = project_text.save_text
    for heard in told:

        def noted(file: Any, document_id: int, text: str, heard: list[str] = heard) -> Document:
            heard.append(text)
            return save_text(file, document_id, text)

        monkeypatch.setattr(project_text, "save_text", noted)
        list(store_state_machine.machine_cases(7, 4, 15))
    assert told[0] == told[1] != []


def test_a_store_that_loses_a_word_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    save_text = project_text.save_text

    def forgetful(file: Any, document_id: int, text: str) -> Document:
        return save_text(file, document_id, text[:-1])

    monkeypatch.setattr(project_text, "save_text", forgetful)
    (found,) = store_state_machine.machine_cases(1, 50, 20, shrink=False)
    assert "AssertionError" in found.wrong
    assert "save_text" in found.wrong, "it tells the steps"


def test_a_store_that_acknowledges_before_the_commit_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def never_commits(file: Any, run: Any, chunk: Any) -> None:
        with file.unit() as unit:
            unit.runs.append(run, chunk)

    monkeypatch.setattr(project_text, "append", never_commits)
    (found,) = store_state_machine.machine_cases(1, 50, 20, shrink=False)
    assert "append(" in found.wrong or "begin_run(" in found.wrong
