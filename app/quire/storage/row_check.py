"""Reads every row of a project and compares it with its digest."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from quire.storage.codec import row_digest
from quire.storage.commit_link import CommitLink
from quire.storage.tables import DIGEST, Base, CommitRow, ProjectRow

_HAVE_ONE_ROW = (ProjectRow.__tablename__, CommitRow.__tablename__)


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
        return tuple(
            row for table in Base.metadata.sorted_tables for row in _damaged_in(connection, table.name)
        )
    finally:
        connection.text_factory = factory


def _damaged_in(connection: sqlite3.Connection, table: str) -> Iterator[DamagedRow]:
    columns = [column.name for column in Base.metadata.tables[table].columns]
    num_keys = len(Base.metadata.tables[table].primary_key)
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
