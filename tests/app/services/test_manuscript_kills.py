"""Edits that are stored whole or not at all: refused calls one after another, and kills."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quire.domain.manuscript import tree_requests as wish
from quire.domain.manuscript.tree_edits import Spot
from quire.domain.manuscript.tree_requests import BookEdit
from quire.services.transactions import project_text, take_changes, tree_changes
from quire.storage.project_file import ProjectFile, open_project_file
from quire.storage.unit_of_work import UnitOfWork
from tests.app.services.books import (
    BOOK,
    FERRY,
    HARBOUR,
    HARBOUR_TEXT,
    LETTERS,
    MARA,
    STORM,
    add_run,
    dump,
    make_book,
)

SECOND = HARBOUR_TEXT.index("Nobody")
THIRD = HARBOUR_TEXT.index("Then")
EDITS: dict[str, BookEdit] = {
    "split": wish.Split(HARBOUR, THIRD),
    "merge": wish.Merge(FERRY),
    "empty": wish.EmptyTrash(),
    "move": wish.Move(LETTERS, Spot(BOOK, HARBOUR)),
}


def prepare(path: Path) -> None:
    """A book with takes and runs, and something in the trash."""
    make_book(path)
    file = open_project_file(path)
    take_changes.branch(file, HARBOUR, SECOND)
    project_text.save_text(file, HARBOUR, HARBOUR_TEXT)
    take_changes.branch(file, HARBOUR, THIRD + 5)
    project_text.save_text(file, HARBOUR, HARBOUR_TEXT)
    take_changes.branch(file, STORM, 4)
    take_changes.branch(file, FERRY, 4)
    add_run(file, 1, HARBOUR, " It rained on.")
    add_run(file, 2, MARA, " She swims.")
    take_changes.branch(file, MARA, 4)
    tree_changes.trash(file, MARA)
    file.close()


class Breaking:
    """A project file whose unit of work fails at a call; every call of a repository counts."""

    def __init__(self, file: ProjectFile, fail: Callable[[], None], at: int) -> None:
        self._file, self._fail, self._left = file, fail, at

    def unit(self) -> _BreakingUnit:
        return _BreakingUnit(self._file.unit(), self._count)

    def _count(self) -> None:
        if self._left == 0:
            self._fail()
        self._left -= 1


class _BreakingUnit:
    def __init__(self, inner: UnitOfWork, count: Callable[[], None]) -> None:
        self._inner, self._count = inner, count

    def __enter__(self) -> _BreakingUnit:
        self._inner.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self._inner.__exit__(*error)

    def commit(self) -> None:
        self._count()
        self._inner.commit()
        self._count()

    def __getattr__(self, name: str) -> Any:
        return _BreakingRepository(getattr(self._inner, name), self._count)


class _BreakingRepository:
    def __init__(self, inner: Any, count: Callable[[], None]) -> None:
        self._inner, self._count = inner, count

    def __getattr__(self, name: str) -> Any:
        self._count()
        return getattr(self._inner, name)


class Broken(Exception):
    pass


def _break() -> None:
    raise Broken


@pytest.mark.sliced
@pytest.mark.parametrize("name", EDITS)
def test_what_fails_half_way_changes_nothing(tmp_path: Path, name: str) -> None:
    path = tmp_path / "novel.quire"
    prepare(path)
    file = open_project_file(path)
    before, failures = dump(file), 0
    while True:
        breaking = Breaking(file, _break, failures)
        try:
            tree_changes.perform(breaking, EDITS[name])  # type: ignore[arg-type]
        except Broken:
            failures += 1
            if dump(file) != before:
                break  # only the call behind the commit is left to fail
            continue
        break
    assert failures > 5
    assert dump(file) != before
    file.close()


KILLED = """
import os, sys
from pathlib import Path
from quire.services.transactions import tree_changes as manuscript_edits
from quire.storage.project_file import open_project_file
from tests.app.services.test_manuscript_kills import EDITS, Breaking
file = open_project_file(Path(sys.argv[1]))
breaking = Breaking(file, lambda: os.kill(os.getpid(), 9), int(sys.argv[3]))
manuscript_edits.perform(breaking, EDITS[sys.argv[2]])
"""


@pytest.mark.sliced
@pytest.mark.skipif(sys.platform == "win32", reason="a process is killed otherwise there")
@pytest.mark.parametrize(("name", "at"), [("split", 4), ("split", 9), ("merge", 8), ("empty", 12)])
def test_a_kill_leaves_everything_or_nothing(tmp_path: Path, name: str, at: int) -> None:
    path = tmp_path / "novel.quire"
    prepare(path)
    file = open_project_file(path)
    before = dump(file)
    file.close()
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(path), name, str(at)], env=environment, capture_output=True
    )
    assert done.returncode == -9, done.stderr.decode()
    file = open_project_file(path)
    assert dump(file) == before
    tree_changes.perform(file, EDITS[name])
    assert dump(file) != before
    file.close()
