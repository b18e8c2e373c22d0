"""The digest of a project says whether its content is the same, however it lies in the file."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from quire.storage.content_digest import content_digest
from tests.app.storage.plain_projects import write

NOW = datetime(2026, 11, 21, 14, 2, 33, tzinfo=UTC)
on_posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX system")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE note SET text = 'It was a dark ' WHERE name = 'first'",
        "UPDATE note SET text = CAST(text AS BLOB) WHERE name = 'first'",
        "UPDATE note SET text = NULL WHERE name = 'first'",
        "UPDATE note SET text = '2.5' WHERE name = '0'",
        "UPDATE note SET name = 'third' WHERE name = 'second'",
        "UPDATE chunk SET start = 1000 WHERE start = 3",
        "DELETE FROM chunk WHERE start = 39",
        "CREATE TABLE other (a)",
        "CREATE INDEX other ON chunk (ids)",
        "PRAGMA user_version = 3",
        "PRAGMA application_id = 3",
    ],
)
def test_the_digest_tells_every_change(writer: sqlite3.Connection, change: str) -> None:
    before = content_digest(writer)
    writer.execute(change)
    assert content_digest(writer) != before


def test_the_digest_does_not_depend_on_where_the_pages_lie(writer: sqlite3.Connection) -> None:
    before = content_digest(writer)
    write(writer, 20)
    writer.execute("DELETE FROM chunk WHERE start >= 40")
    writer.execute("VACUUM")
    assert content_digest(writer) == before
    assert writer.execute("SELECT text FROM note WHERE name = 'first'").fetchone() == ("It was a dark",)


def test_the_digest_reads_tables_of_any_name(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "odd.db", isolation_level=None)) as connection:
        connection.execute('CREATE TABLE "a ""b"" ⛴" ("rowid" TEXT, "_rowid_" INTEGER, "select" REAL)')
        connection.execute('CREATE TABLE "table" (id INTEGER PRIMARY KEY AUTOINCREMENT, t TEXT)')
        connection.execute("INSERT INTO \"table\" (t) VALUES (CAST(x'ff' AS TEXT))")  # text that is no text
        first = content_digest(connection)
        connection.execute('INSERT INTO "a ""b"" ⛴" VALUES (\'x\', 1, 2.0)')
        assert content_digest(connection) != first
