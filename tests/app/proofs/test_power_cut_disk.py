from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from quire.services.transactions import project_text
from quire.storage import connection
from tests.proofs.app import io_faults, power_cut_proof, writer_day
from tests.proofs.app.sqlite_vfs import is_available

pytestmark = pytest.mark.skipif(not is_available(), reason="this Python hides its SQLite")


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for nobody who holds a lock: here nobody will let it go."""
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_MS", 20)
    monkeypatch.setitem(connection.WRITER_PRAGMAS, "busy_timeout", 20)


def test_a_power_cut_loses_nothing(tmp_path: Path) -> None:
    recording = power_cut_proof.record_a_day(tmp_path, 1)
    assert {"write", "sync", "rename", "sync folder"} <= {one.kind for one in recording.operations}
    found = list(power_cut_proof.cuts(recording, tmp_path, 1, 60))
    assert [one for one in found if one.wrong] == []
    assert {"drafting", "typing"} <= {one.phase for one in found}


def test_a_power_cut_while_a_project_is_brought_up_to_date_loses_nothing(tmp_path: Path) -> None:
    recording = power_cut_proof.record_an_upgrade(tmp_path)
    found = list(power_cut_proof.cuts(recording, tmp_path, 2, 40))
    assert [one for one in found if one.wrong] == []
    assert "bringing it to the present format" in {one.phase for one in found}


def test_without_syncs_the_same_cuts_lose_something(tmp_path: Path) -> None:
    with power_cut_proof.synchronous_normal():
        recording = power_cut_proof.record_a_day(tmp_path, 1)
    assert any(one.wrong for one in power_cut_proof.cuts(recording, tmp_path, 1, 60))


def test_a_store_that_acknowledges_too_early_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = project_text.append
    waiting: list[tuple[Any, ...]] = []

    def late(*arguments: Any) -> None:
        if waiting:
            append(*waiting.pop())
        waiting.append(arguments)

    monkeypatch.setattr(project_text, "append", late)
    recording = power_cut_proof.record_a_day(tmp_path, 1)
    assert any("tokens" in one.wrong for one in power_cut_proof.cuts(recording, tmp_path, 1, 60))


@pytest.mark.sliced
@pytest.mark.parametrize("fault", io_faults.FAULTS)
def test_a_refused_call_ends_in_a_sentence_and_loses_nothing(tmp_path: Path, fault: str) -> None:
    every, phases = 15, set[str]()
    for nth in range(1, 300, every):
        struck = io_faults.strike(tmp_path / f"{nth}.quire", fault, nth, for_ever=nth % 2 == 0)
        if struck is None:
            break
        assert not struck.wrong, struck
        phases.add(struck.phase)
    assert phases


def test_a_project_that_is_broken_afterwards_is_found(tmp_path: Path) -> None:
    path = tmp_path / "proof.quire"
    writer_day.a_day(path, 1, lambda _kept: None, lambda _phase: None, runs=1, chunks=2)
    there = writer_day.found(path)
    assert writer_day.lost(there, there) == ""
    assert "tokens" in writer_day.lost(writer_day.Acknowledged(there.text, (99,)), there)
    assert "run 9 is gone" in writer_day.lost(writer_day.Acknowledged(there.text, (0,) * 9), there)
    assert writer_day.lost(there, None) == "the project is gone"
