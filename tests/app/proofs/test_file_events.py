from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import pytest

from quire.domain.manuscript.backup_rotation import Backup
from quire.errors import WriterProblem
from quire.storage import backups, connection
from quire.storage.file_watch import FileWatch
from tests.proofs.app import file_events

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be moved there")


@pytest.fixture(autouse=True)
def little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_MS", 20)
    monkeypatch.setitem(connection.WRITER_PRAGMAS, "busy_timeout", 20)


@pytest.mark.parametrize("what", file_events.EVENTS)
def test_it_is_a_sentence_and_nothing_is_lost(what: str) -> None:
    assert file_events.happen(what).wrong == ""


# ---------------------------------------------------------------- planted faults
def test_a_store_that_writes_to_a_file_nobody_finds_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FileWatch, "refuse_changed", lambda _watch: None)
    assert file_events.happen("replaced while open").wrong == "it was not refused"


def test_a_rotation_that_believes_the_clock_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def by_date(found: Sequence[Backup], _now: datetime, _good: object) -> list[Backup]:
        return sorted(found, key=lambda backup: backup.made)[:-1]

    monkeypatch.setattr(backups, "superseded", by_date)
    assert "was deleted" in file_events.happen("the clock goes back a year").wrong


def test_a_newer_file_that_is_taken_for_damaged_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def touched(path: Path) -> object:
        path.touch()
        path.write_bytes(path.read_bytes()[:-1])
        raise WriterProblem("It was made by a newer version of Quire.")

    monkeypatch.setattr(file_events, "open_project_file", touched)
    assert file_events.happen("written by a newer Quire").wrong
