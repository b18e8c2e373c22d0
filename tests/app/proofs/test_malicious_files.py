from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from quire.services.transactions.closed_projects import ProjectOverview
from tests.proofs.app import malicious_files
from tests.proofs.app.outcome import CheckResult, hang


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, ProjectOverview]:
    return malicious_files.a_project(tmp_path_factory.mktemp("hostile"))


def wrong(found: list[CheckResult]) -> list[str]:
    return [f"{one.phase}: {one.wrong}" for one in found if one.wrong]


def test_what_only_looks_like_a_project_is_refused() -> None:
    found = list(malicious_files.lookalikes())
    assert wrong(found) == []
    assert len(found) == 2 * len(malicious_files.LOOKALIKES) >= 14


def test_code_in_a_project_is_noticed(project: tuple[bytes, ProjectOverview]) -> None:
    found = list(malicious_files.added_parts(*project))
    assert wrong(found) == []
    assert Counter(one.phase for one in found)["parts, noticed"] >= 6
    assert "parts, harmless" not in {one.phase for one in found}


def test_a_header_that_lies_is_noticed_or_harmless(project: tuple[bytes, ProjectOverview]) -> None:
    found = list(malicious_files.headers(*project))
    assert wrong(found) == []
    assert Counter(one.phase for one in found)["header, noticed"] > len(found) // 2


@pytest.mark.sliced
@pytest.mark.parametrize("seed", range(2))
def test_wrong_values_are_noticed_or_harmless(project: tuple[bytes, ProjectOverview], seed: int) -> None:
    found = list(malicious_files.values(*project, seed, 60))
    assert wrong(found) == []
    assert {"values, noticed", "values, harmless", "work, noticed"} <= {one.phase for one in found}


def test_noise_beside_a_project_is_no_part_of_it(project: tuple[bytes, ProjectOverview]) -> None:
    found = list(malicious_files.side_files(*project, 1, 30))
    assert wrong(found) == []
    assert {"noise as -wal, harmless", "noise as -journal, harmless"} <= {one.phase for one in found}


# ---------------------------------------------------------------- planted faults
@pytest.mark.parametrize("error", [RecursionError("deep"), KeyError("x"), UnicodeError("y")])
def test_a_bare_exception_is_found(
    project: tuple[bytes, ProjectOverview], monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails(_path: Path) -> ProjectOverview:
        raise error

    monkeypatch.setattr(malicious_files, "read_project", fails)
    content, overview = project
    assert repr(error) in malicious_files.tried(content, None, "planted", "planted", overview).wrong


def test_another_text_is_found(
    project: tuple[bytes, ProjectOverview], monkeypatch: pytest.MonkeyPatch
) -> None:
    content, overview = project
    monkeypatch.setattr(
        malicious_files, "read_project", lambda _path: replace(overview, text=overview.text[:-1])
    )
    assert "unnoticed" in malicious_files.tried(content, None, "planted", "planted", overview).wrong


def test_a_file_that_reading_changes_is_found(
    project: tuple[bytes, ProjectOverview], monkeypatch: pytest.MonkeyPatch
) -> None:
    content, overview = project

    def changes(path: Path) -> ProjectOverview:
        path.write_bytes(content[:-1])
        return overview

    monkeypatch.setattr(malicious_files, "read_project", changes)
    assert "was changed" in malicious_files.tried(content, None, "planted", "planted", overview).wrong


def test_what_hangs_is_found() -> None:
    never = threading.Event()
    assert "hung" in hang(never.wait, wall_s=0.01)
    never.set()
    assert "busy" in hang(lambda: sum(range(1000)), cpu_limit_s=0)
    assert hang(lambda: None) == ""
