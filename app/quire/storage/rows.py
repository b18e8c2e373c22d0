"""The rows of one open transaction, each with a digest over all its other columns.

`Rows.write` and `Rows.insert` are the only ways in which a row is written, and compute the digest. A damaged
row keeps its wrong digest when something else in it changes, such as the state of a run or the place of a
chapter: a row never becomes sound unnoticed. Only a write that says that it replaces the damaged part makes
it sound again.

The whole project is checked when it is opened (`damaged_rows`). One damaged row does not make the rest
unreadable where it is safe to continue; a notice says so, and `quire check` lists what can be recovered:

    table            a damaged row of it
    project          title, author and language are shown as they are now
    node             title, synopsis and status are shown as they are now; a text without a place is put into
                     the part "Recovered"; the row is sound again once its title or synopsis is rewritten
    document         the project is not opened, and its last good backup is offered; it is opened where only
                     the time of the last change is wrong
    content          the snapshot with it cannot be shown; the run that began on it is not resumed
    take             it is listed, and not put into the text
    run, run_chunk   the run can be read and not resumed, nor repeated with its seed; the project is not
                     opened where words of the run are not merged into the text yet
    snapshot         it is shown as it is now
    snapshot_text    it is not shown and not restored; the other texts of the snapshot are
    goal             there is no such goal
    writing_session  it does not count
    setting          it has its default; what was found is kept under another name when it is set again
    phrase_table     the text is counted again
    learned_drafter  nothing reads it
    commit_chain     the next commit begins a new chain
"""

from __future__ import annotations

import difflib
import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import (
    REAL,
    ColumnElement,
    Connection,
    Engine,
    Row,
    RowMapping,
    Select,
    Table,
    delete,
    insert,
    select,
    update,
)

from quire.storage.codec import row_digest
from quire.storage.commit_link import CommitLink
from quire.storage.file_watch import Written
from quire.storage.packing import packed_bytes, unpacked_bytes
from quire.storage.problems import damaged
from quire.storage.tables import CHUNK, COMMIT_CHAIN, CONTENT, DIGEST, DOCUMENT, METADATA, PROJECT, RUN

_HAVE_ONE_ROW = (PROJECT.name, COMMIT_CHAIN.name)
_Value = TypeVar("_Value")
_Default = TypeVar("_Default")
_Stored = TypeVar("_Stored")
_Member = TypeVar("_Member", bound=Enum)

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""A time that cannot be read."""


class Rows:
    """Reads and writes the rows of a project, one transaction after another.

    A transaction begins with the first statement, and gives its connection back when it ends: the pool of a
    writing engine has only one, for which other units of work wait.

    Attributes:
        path: the project, for messages.
        written: the characters written since the last commit.
    """

    def __init__(self, engine: Engine, path: Path, *, newer: bool = False) -> None:
        """newer: of a format newer than this version's; rows may have columns that it does not know."""
        self.path = path
        self.written = Written()
        self._engine = engine
        self._open: Connection | None = None
        self._newer = newer

    def connection(self) -> Connection:
        """The connection of the open transaction, which this begins."""
        if self._open is None:
            self._open = self._engine.connect()
            self._open.begin()
        return self._open

    def commit(self) -> None:
        """Commit the open transaction, and end it."""
        self.connection().commit()
        self.close()
        self.written = Written()

    def close(self) -> None:
        """Roll back the open transaction, if there is one."""
        if (connection := self._open) is not None:
            self._open = None
            with connection:
                connection.rollback()  # closing alone would leave it open after a commit that failed

    def all(self, query: Select[*tuple[Any, ...]]) -> Sequence[Row[*tuple[Any, ...]]]:
        """Every row of a query."""
        return self.connection().execute(query).all()

    def scalars(self, query: Select[*tuple[Any, ...]]) -> Sequence[Any]:
        """The first column of every row of a query."""
        return self.connection().scalars(query).all()

    def scalar(self, query: Select[*tuple[Any, ...]]) -> Any:
        """The first column of the first row, or None."""
        return self.connection().scalar(query)

    def get(self, table: Table, *key: object) -> Row[*tuple[Any, ...]] | None:
        """The row of this primary key."""
        columns = zip(table.primary_key, key, strict=True)
        query = select(table).where(*(one == value for one, value in columns))
        return self.connection().execute(query).first()

    def write(
        self,
        table: Table,
        values: Mapping[str, Any],
        *,
        new: Mapping[str, Any] | None = None,
        mended: bool = False,
    ) -> None:
        """Insert a row, or change these columns of the one with the same primary key.

        Args:
            new: columns that only an insertion sets.
            mended: the values replace whatever was damaged in the row.
        """
        keys = [column == values[column.name] for column in table.primary_key]
        found = self.connection().execute(select(table).where(*keys)).first()
        before: dict[str, Any] = {} if found is None else dict(found._mapping)
        after = dict.fromkeys(table.columns.keys()) | dict(new or {}) | before | dict(values)
        sound = DIGEST in before and before[DIGEST] == _digest(table, before)
        if DIGEST in table.columns and (sound or mended or found is None):
            after[DIGEST] = _digest(table, after)
        # a damaged column keeps the bytes that it has, unless the row is mended
        kept = before if sound or not mended else {}
        changed = {name: value for name, value in after.items() if name not in kept or kept[name] != value}
        if not changed:
            return
        self._count(table, before, after)
        change = insert(table) if found is None else update(table).where(*keys)
        self.connection().execute(change.values(changed))

    def insert(self, table: Table, values: Mapping[str, Any]) -> None:
        """Insert a row of all columns; IntegrityError where its primary key is taken."""
        row = dict(values) | {DIGEST: _digest(table, values)}
        self._count(table, {}, row)
        self.connection().execute(insert(table).values(row))

    def delete(self, table: Table, *where: ColumnElement[bool]) -> None:
        """Delete the rows that match all conditions."""
        self.connection().execute(delete(table).where(*where))

    def put_content(self, data: bytes) -> str:
        """Store bytes that rows may share, unless they are there; return the digest that names them."""
        digest = hashlib.sha256(data).hexdigest()
        row = self.get(CONTENT, digest)
        if row is None or not self.is_sound(CONTENT, row):
            self.write(CONTENT, {"digest": digest, "data": packed_bytes(data)}, mended=True)
        return digest

    def content(self, digest: str) -> bytes:
        """The bytes of a digest, checked against it."""
        row = self.get(CONTENT, digest)
        if row is None:
            raise damaged(self.path, f"the content {digest[:12]} is missing")
        data = unpacked_bytes(row.data)
        if hashlib.sha256(data).hexdigest() != digest:
            raise damaged(self.path, f"the checksum of the content {digest[:12]} does not match")
        return data

    def is_sound(self, table: Table, row: Row[*tuple[Any, ...]]) -> bool:
        """Whether a row of all columns is as it was stored; in a newer format that cannot be known."""
        return self._newer or bool(row._mapping[DIGEST] == _digest(table, row._mapping))

    def read_or(
        self,
        table: Table,
        row: Row[*tuple[Any, ...]],
        default: _Default,
        read: Callable[[_Stored], _Value],
        stored: _Stored,
    ) -> _Value | _Default:
        """The value that a function reads; the default if it cannot, and the row is damaged.

        In a row that is as it was stored such a value was never Quire's: then the error is raised.
        """
        try:
            return read(stored)
        except (TypeError, ValueError, AttributeError, KeyError):
            if self.is_sound(table, row):
                raise
            return default

    def record_commit(self) -> CommitLink:
        """Count a commit, in the transaction that it commits: a higher revision, and the next link."""
        project = self.get(PROJECT, 1)
        if project is not None:
            self.write(PROJECT, {"project_id": 1, "revision": project.revision + 1})
        stored = self.get(COMMIT_CHAIN, 1)
        link = CommitLink.after(None if stored is None else stored.link)
        self.write(COMMIT_CHAIN, {"chain_id": 1, "link": link.pack()})
        return link

    def _count(self, table: Table, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
        """Count the characters that the next commit makes safe."""
        texts, runs, folded = self.written.in_texts, self.written.in_runs, self.written.folded
        if table is DOCUMENT:
            texts += max(0, len(after["text"]) - len(before.get("text", "")))
        elif table is CHUNK and not after["compact"]:
            runs += len(after["text"])
        elif table is RUN:
            folded = folded or after["num_folded"] != before.get("num_folded")
        self.written = Written(texts, runs, folded)


def nearest(members: type[_Member], stored: str, default: _Member) -> _Member:
    """The member whose stored value is most similar to a damaged one."""
    values = {str(member.value): member for member in members}
    found = difflib.get_close_matches(stored, values, 1)
    return values[found[0]] if found else default


def _digest(table: Table, values: Mapping[str, Any] | RowMapping) -> bytes:
    columns: Iterable[Any] = (column for column in table.columns if column.name != DIGEST)
    return row_digest(
        table.name,
        (
            float(values[column.name])
            if isinstance(column.type, REAL) and values[column.name] is not None
            else values[column.name]
            for column in columns
        ),
    )


# ---------------------------------------------------------------- the whole project
@dataclass(frozen=True, slots=True)
class DamagedRow:
    """A row that is not as it was stored. key: of the row as it is now; none: of a table that cannot be read
    to its end, or has lost its only row."""

    table: str
    key: tuple[int | str, ...] = ()


def damaged_rows(connection: sqlite3.Connection) -> tuple[DamagedRow, ...]:
    """Return every damaged row of a project of the current format.

    Needs a connection in autocommit mode, or with a transaction open.
    """
    factory = connection.text_factory
    connection.text_factory = bytearray  # text as it is stored, whether it is text or not
    try:
        return tuple(row for table in METADATA.sorted_tables for row in _damaged_in(connection, table.name))
    finally:
        connection.text_factory = factory


def _damaged_in(connection: sqlite3.Connection, table: str) -> Iterator[DamagedRow]:
    columns = [column.name for column in METADATA.tables[table].columns]
    num_keys = len(METADATA.tables[table].primary_key)
    has_digest = columns[-1] == DIGEST
    number = 0
    try:
        for row in connection.execute(f"SELECT {', '.join(columns)} FROM {table}"):
            number += 1
            sound = row_digest(table, row[:-1]) == row[-1] if has_digest else _is_link(row[-1])
            if table in _HAVE_ONE_ROW and row[0] != 1:
                sound = False
            if not sound:
                yield DamagedRow(table, tuple(_readable(value) for value in row[:num_keys]))
    except sqlite3.DatabaseError:  # a page of it
        yield DamagedRow(table)
    else:
        if table in _HAVE_ONE_ROW and number != 1:
            yield DamagedRow(table)


def _readable(value: object) -> int | str:
    if isinstance(value, bytes | bytearray):
        return value.decode(errors="replace")
    return value if isinstance(value, int) else str(value)


def _is_link(stored: object) -> bool:
    try:
        return isinstance(stored, bytes) and bool(CommitLink.unpack(stored))
    except ValueError:
        return False
