from __future__ import annotations

import asyncio
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from quire.errors import WriterProblem
from quire.services.project.project_session import ProjectSession
from quire.services.transactions import project_text
from quire.storage import connection
from tests.proofs.app import session_faults
from tests.proofs.app.sqlite_vfs import is_available

NTH = {
    "execute": 150, "commit": 17, "open": 4, "fsync": 3, "disk full": 70, "write error": 90, "read-only": 110,
    session_faults.TORN: 130, "sync error": 12, "locked": 9, "cannot be opened": 9, "forward": 9,
    "out of memory": 13, "next event": 11,
}  # fmt: skip
"""Which call fails, somewhere in the middle of the work; the first one where there are few."""


@pytest.fixture(autouse=True)
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for nobody who holds a lock: here nobody will let it go."""
    monkeypatch.setattr(connection, "BUSY_TIMEOUT_MS", 20)
    monkeypatch.setitem(connection.WRITER_PRAGMAS, "busy_timeout", 20)


@pytest.fixture(autouse=True, scope="module")
def undisturbed() -> None:
    """What the others are compared with, before anything is planted."""
    assert session_faults.undisturbed_text().startswith(session_faults.OPENING)


@pytest.mark.sliced
@pytest.mark.parametrize("kind", session_faults.KINDS)
def test_a_writer_who_tries_again_loses_nothing(kind: str) -> None:
    """Some calls of each kind fail here; every call does with `python -m tests.proofs.app`."""
    if kind in session_faults.NEED_THE_LAYER and not is_available():
        pytest.skip("this Python hides its SQLite")
    nth = NTH.get(kind, 1)
    once = islice(session_faults.troubles(kind, for_ever=False, first=nth), 1)
    for_ever = islice(session_faults.troubles(kind, for_ever=True, first=nth // 2 + 1), 1)
    found = [*once, *for_ever]
    assert [one.wrong for one in found if one.wrong] == []
    assert len(found) == 2


def generation(tmp_path: Path, kind: str, nth: int = 1) -> session_faults.FaultySession:
    return session_faults.generation(tmp_path / "proof.quire", kind, nth, for_ever=False)[0]


# ---------------------------------------------------------------- planted faults
def test_a_store_that_swallows_its_errors_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    append = project_text.append

    def swallows(*arguments: Any) -> None:
        try:
            append(*arguments)
        except WriterProblem:
            return

    monkeypatch.setattr(project_text, "append", swallows)
    found = list(session_faults.troubles("commit", for_ever=False, first=6, every=3))
    assert any(one.wrong for one in found)


def test_an_error_without_a_sentence_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_arguments: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(project_text, "save_text", fails)
    assert "no sentence but RuntimeError('planted')" in generation(tmp_path, "none").wrong


def test_half_a_sentence_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_arguments: object) -> None:
        raise WriterProblem("errno 5")

    monkeypatch.setattr(project_text, "save_text", fails)
    assert "no whole sentence: 'errno 5'" in generation(tmp_path, "none").wrong


def test_what_never_gets_well_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_arguments: object) -> None:
        raise WriterProblem("The disk is full.")

    monkeypatch.setattr(project_text, "save_text", fails)
    assert "did not go on" in generation(tmp_path, "none").wrong


def test_what_hangs_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def hangs(_session: ProjectSession, _text: str) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(ProjectSession, "save_text", hangs)
    monkeypatch.setattr(session_faults, "PATIENCE_S", 1.0)
    assert generation(tmp_path, "none").wrong == "it hung"
