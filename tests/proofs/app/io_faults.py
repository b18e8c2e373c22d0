"""The file layer refuses a call, once or for ever; there is a sentence, and nothing is lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from quire.errors import WriterProblem
from tests.proofs.app.sqlite_vfs import OK, watched
from tests.proofs.app.writer_day import Acknowledged, a_day, found, lost

FAULTS: dict[str, tuple[str, int]] = {
    "disk full": ("write", sqlite3.SQLITE_FULL),
    "write error": ("write", sqlite3.SQLITE_IOERR_WRITE),
    "sync error": ("sync", sqlite3.SQLITE_IOERR_FSYNC),
    "read-only": ("write", sqlite3.SQLITE_READONLY),
    "truncate error": ("truncate", sqlite3.SQLITE_IOERR_TRUNCATE),
    "locked": ("lock", sqlite3.SQLITE_BUSY),
    "cannot be opened": ("open", sqlite3.SQLITE_CANTOPEN),
    "cannot be deleted": ("delete", sqlite3.SQLITE_IOERR_DELETE),
}


class RefusingLayer:
    """A Watcher whose calls are all answered in one place: _asked returns a result code of SQLite."""

    def write(self, path: str, offset: int, data: bytes) -> int:
        """Refuse this write perhaps."""
        return self._asked("write")

    def truncate(self, path: str, size: int) -> int:
        """Refuse this truncation perhaps."""
        return self._asked("truncate")

    def sync(self, path: str) -> int:
        """Refuse this sync perhaps."""
        return self._asked("sync")

    def delete(self, path: str) -> int:
        """Refuse this deletion perhaps."""
        return self._asked("delete")

    def open(self, path: str, *, existed: bool) -> int:
        """Refuse to open this perhaps."""
        return self._asked("open")

    def lock(self, path: str) -> int:
        """Refuse this lock perhaps."""
        return self._asked("lock")

    def _asked(self, kind: str) -> int:
        raise NotImplementedError


@dataclass(slots=True)
class Faulty(RefusingLayer):
    """A Watcher that refuses the nth call of a kind, once or from then on.

    num_calls: calls of that kind so far. struck: whether it has refused one. over: it refuses no more.
    """

    kind: str
    code: int
    nth: int
    for_ever: bool
    num_calls: int = 0
    struck: bool = False
    over: bool = False

    def _asked(self, kind: str) -> int:
        if kind != self.kind or self.over:
            return OK
        self.num_calls += 1
        if self.num_calls == self.nth or (self.for_ever and self.num_calls > self.nth):
            self.struck = True
            return self.code
        return OK


@dataclass(slots=True)
class Struck:
    """A day's work with one fault in it. wrong: what should not have happened, empty when nothing did."""

    fault: str
    nth: int
    for_ever: bool
    phase: str = ""
    sentence: str = ""
    wrong: str = ""
    kept: list[Acknowledged] = field(default_factory=list)


def strike(path: Path, fault: str, nth: int, *, for_ever: bool) -> Struck | None:
    """Do a day's work on a file layer that refuses the nth call of a kind; None when it has none."""
    kind, code = FAULTS[fault]
    faulty, struck = Faulty(kind, code, nth, for_ever), Struck(fault, nth, for_ever)

    def phase(name: str) -> None:
        struck.phase = name if not faulty.struck else struck.phase

    with watched(faulty):
        try:
            a_day(path, nth, struck.kept.append, phase, runs=1, chunks=3)
        except WriterProblem as problem:
            struck.sentence = str(problem)
        except Exception as error:  # noqa: BLE001  that is what is looked for
            struck.wrong = f"no sentence but {error!r}"
        faulty.over = True
        if not faulty.struck:
            return None
        struck.wrong = struck.wrong or _what_is_wrong(path, struck)
    return struck


def _what_is_wrong(path: Path, struck: Struck) -> str:
    if struck.sentence and not struck.sentence.endswith("."):
        return f"no whole sentence: {struck.sentence}"
    if not struck.kept:
        return "" if not path.exists() else _found_wrong(path, None)
    return _found_wrong(path, struck.kept[-1])


def _found_wrong(path: Path, promised: Acknowledged | None) -> str:
    try:
        there = found(path)
    except WriterProblem as problem:
        return f"afterwards: {problem}"
    return lost(promised, there) or (
        "" if promised is None or there.text.startswith(promised.text[:40]) else "the text is another one"
    )


def strikes(folder: Path, fault: str, *, for_ever: bool, first: int = 1) -> Iterator[Struck]:
    """Refuse the first call of a kind, then the second, and so on until a whole day has no more."""
    nth = first
    while (
        struck := strike(folder / f"proof-{fault}-{nth}-{for_ever}.quire", fault, nth, for_ever=for_ever)
    ) is not None:
        yield struck
        nth += 1
