"""Projects as their backups see them: tables of any kind, with the log of an open file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from quire.storage.content_digest import content_digest
from quire.storage.tables import APPLICATION_ID


def new_project(path: Path) -> Path:
    with closing(opened(path)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 2")
        connection.execute(
            "CREATE TABLE chunk (run INTEGER, start INTEGER, ids BLOB, PRIMARY KEY (run, start))"
        )
        connection.execute("CREATE TABLE note (name TEXT PRIMARY KEY, text) WITHOUT ROWID")
        connection.execute(
            "INSERT INTO note VALUES ('first', 'It was a dark'), ('second', x'00ff'), ('0', 2.5)"
        )
        write(connection, 40)
    return path


def opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def write(connection: sqlite3.Connection, rows: int = 1) -> None:
    """Commit rows of 20,000 bytes, numbered without a gap."""
    connection.execute("BEGIN IMMEDIATE")
    (start,) = connection.execute("SELECT count(*) FROM chunk").fetchone()
    rows_to_write = [(1, row, bytes([row % 256]) * 20_000) for row in range(start, start + rows)]
    connection.executemany("INSERT INTO chunk VALUES (?, ?, ?)", rows_to_write)
    connection.execute("COMMIT")


def rows_of(path: Path) -> int:
    """How many rows are in a file; they are those written first."""
    with closing(sqlite3.connect(path)) as connection:
        starts = [start for (start,) in connection.execute("SELECT start FROM chunk ORDER BY start")]
    assert starts == list(range(len(starts)))
    return len(starts)


def digest_of(path: Path) -> str:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return content_digest(connection)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def damage(path: Path) -> None:
    """Turn over bits in the middle of a backup."""
    content = bytearray(path.read_bytes())
    for place in range(4096, len(content), 4096):
        content[place] ^= 0xFF
    path.chmod(0o644)
    path.write_bytes(content)
