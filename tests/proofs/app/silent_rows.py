"""One bit is turned over in every column of every table, of a project and of a backup: all must be found."""

from __future__ import annotations

import random
import shutil
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from quire.domain.manuscript.backup_rotation import Reason
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.project_records import WritingGoal, WritingSession
from quire.domain.manuscript.tree import Node, NodeKind
from quire.errors import WriterProblem
from quire.services.transactions.closed_projects import checked
from quire.storage.phrase_repository import PhraseTable
from quire.storage.project_file import last_good_backup, open_project_file, open_project_reader
from tests.proofs.app.outcome import CheckResult
from tests.proofs.app.writer_day import a_day

NAME = "proof.quire"
_WHEN = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Place:
    """A value in a file: of one column of one row."""

    table: str
    column: str
    rowid: int


def a_full_project(folder: Path) -> tuple[Path, Path]:
    """Make a project that has rows in every table that Quire writes, and its only backup; return both."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME
    a_day(path, 5, lambda _kept: None, lambda _phase: None)
    file = open_project_file(path)
    try:
        with file.unit() as unit:
            book = unit.manuscript.tree().node(2)
            unit.manuscript.save_node(replace(book, synopsis="A ferry.", trashed=None))
            note = Node(9, NodeKind.NOTE, "Mara", None, 1, "Who she is.", trashed=_WHEN)
            unit.manuscript.add(note, Document(9, "Mara", "She laughs."))
            unit.records.save_goal(WritingGoal(1, 80_000, 2, date(2026, 11, 30)))
            unit.records.save_writing_session(
                WritingSession(1, _WHEN, _WHEN + timedelta(minutes=50), 1234.5, -17, 2_000)
            )
            unit.records.save_setting("proof", {"names": ["Mara"]})
            unit.phrases.save([PhraseTable("a" * 64, "b" * 64, 5, 900, b"entries" * 40)])
            unit.commit()
        for found in (folder / f"{path.stem} backups").iterdir():
            found.unlink()
        backup = file.back_up(Reason.ASKED)
        assert backup is not None
    finally:
        file.close()
    return path, backup


def places(path: Path, rows_of_a_table: int) -> list[Place]:
    """Return every column of so many rows of every table."""
    found: list[Place] = []
    with closing(sqlite3.connect(path)) as connection:
        tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name != 'learned_drafter'"
        for (table,) in connection.execute(tables).fetchall():
            columns = [
                column for (column,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))
            ]
            rows = connection.execute(
                f"SELECT rowid FROM {table} ORDER BY random() LIMIT ?", (rows_of_a_table,)
            ).fetchall()
            assert rows, f"nothing is in table {table}"
            found += [Place(table, column, rowid) for (rowid,) in rows for column in columns]
    return found


def turn_over(path: Path, place: Place, rng: random.Random) -> str:
    """Turn over one bit of a value; return what it was and is, empty where there is no bit to turn over."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.text_factory = bytearray
        where = f"FROM {place.table} WHERE rowid = {place.rowid}"
        (value,) = connection.execute(f"SELECT {place.column} {where}").fetchone()
        changed, kind = _turned_over(value, rng)
        if kind is None:
            return ""
        try:
            connection.execute(
                f"UPDATE {place.table} SET {place.column} = CAST(? AS {kind}) WHERE rowid = {place.rowid}",
                (changed,),
            )
        except sqlite3.IntegrityError:  # a key that another row has
            return ""
    return f"{place.table}.{place.column}: {value!r:.60} became {changed!r:.60}"


def _turned_over(value: object, rng: random.Random) -> tuple[object, str | None]:
    if isinstance(value, bytes | bytearray) and value:
        changed = bytearray(value)
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
        return bytes(changed), "BLOB" if isinstance(value, bytes) else "TEXT"
    if isinstance(value, int):
        return value ^ (1 << rng.randrange(32)), "INTEGER"
    if isinstance(value, float):
        changed = bytearray(struct.pack(">d", value))
        changed[rng.randrange(2, 8)] ^= 1 << rng.randrange(8)  # still a number
        return struct.unpack(">d", changed)[0], "REAL"
    return None, None


def turned_over(folder: Path, turn: int, *, rows_of_a_table: int = 2) -> Iterator[CheckResult]:
    """Turn over bits of a project and of its backup, one at a time, and look whether that is found."""
    rng = random.Random(turn)
    path, backup = a_full_project(folder / "whole")
    for original, found_in in ((path, _found_in_project), (backup, _found_in_backup)):
        content = original.read_bytes()
        for place in places(original, rows_of_a_table):
            here = folder / "here"
            shutil.rmtree(here, ignore_errors=True)
            shutil.copytree(folder / "whole", here)
            victim = here / original.relative_to(folder / "whole")
            victim.chmod(0o600)
            victim.write_bytes(content)
            what = turn_over(victim, place, rng)
            kind = "project" if original is path else "backup"
            if not what:
                yield CheckResult(f"{kind}, no bit there or the key of another row")
                continue
            wrong = found_in(here / NAME)
            yield CheckResult(f"{kind}, {place.table}", wrong and f"{what}: {wrong}")


def _found_in_project(path: Path) -> str:
    """Return how a damaged project is taken for a sound one; empty when it is not."""
    before = path.read_bytes()
    if not checked(path).findings:
        return "quire check calls it sound"
    try:
        file = open_project_reader(path)
    except WriterProblem:
        pass
    else:
        file.close()
        if not file.damage:
            return "it opens without a word"
    return "" if path.read_bytes() == before else "looking at it changed it"


def _found_in_backup(path: Path) -> str:
    good = last_good_backup(path)
    return "" if good is None else f"{good.path.name} is called good"
