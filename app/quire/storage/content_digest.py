"""A digest of everything that a database holds, whatever its tables are."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable

from quire.storage.codec import encoded_row

_BYTES_PER_STEP = 4 * 1024 * 1024


def content_digest(connection: sqlite3.Connection, hashed: Callable[[int], None] | None = None) -> str:
    """Return the SHA-256 of everything in a database: its header's marks, its tables, and every row.

    Rows come in the order of their key. The same content gives the same digest wherever its pages are, after
    a VACUUM too. Needs a read transaction: pass a connection in autocommit mode or with a transaction open.

    Args:
        hashed: called now and then with how many bytes of rows were read.
    """
    digest = hashlib.sha256()
    done = told = 0
    factory = connection.text_factory
    connection.text_factory = bytearray  # text as it is stored, and not the type of a blob
    try:
        for query in _queries(connection):
            digest.update(b"q")
            for row in connection.execute(query):
                part = encoded_row(row)
                digest.update(part)
                done += len(part)
                if hashed is not None and done - told >= _BYTES_PER_STEP:
                    hashed(done)
                    told = done
    finally:
        connection.text_factory = factory
    return digest.hexdigest()


def _queries(connection: sqlite3.Connection) -> list[str]:
    """Return the queries whose answers are everything that is stored."""
    queries = [
        "SELECT * FROM pragma_application_id, pragma_user_version",
        "SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY type, name",
    ]
    tables = connection.execute(
        "SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow')"
        " AND name <> 'sqlite_schema' ORDER BY name"
    ).fetchall()
    for stored_name, without_rowid in tables:
        name = stored_name.decode()
        columns = [
            (column.decode(), key)
            for column, key in connection.execute(
                "SELECT name, pk FROM pragma_table_info(?) ORDER BY pk", (name,)
            )
        ]
        keys = [_quoted(column) for column, key in columns if key]
        if not without_rowid:
            taken = {column.lower() for column, _ in columns}
            keys = [alias for alias in ("rowid", "_rowid_", "oid") if alias not in taken][:1] or keys
        order = f" ORDER BY {', '.join(keys)}" if keys else ""
        queries.append(f"SELECT * FROM main.{_quoted(name)}{order}")
    return queries


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
