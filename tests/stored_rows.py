"""Rows of a project file, changed behind Quire's back."""

from __future__ import annotations

import sqlite3

from quire.storage.codec import row_digest


def digested(connection: sqlite3.Connection) -> None:
    """Give every row the digest that it should have, as if Quire had written it."""
    connection.create_function("digest_of_row", -1, row_digest_of)
    for table, columns in contents(connection).items():
        connection.execute(f"UPDATE {table} SET row_digest = digest_of_row('{table}', {', '.join(columns)})")


def row_digest_of(table: str, *values: object) -> bytes:
    return row_digest(table, values)


def contents(connection: sqlite3.Connection) -> dict[str, list[str]]:
    """Return the columns of each table that has digests, without the digest."""
    found: dict[str, list[str]] = {}
    for (table,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
        names = [name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        if names[-1] == "row_digest":
            found[table] = names[:-1]
    return found


def unsound(connection: sqlite3.Connection) -> list[str]:
    """Return the tables of the rows that do not match their digest, once for each row."""
    return [
        table
        for table, columns in contents(connection).items()
        for *values, digest in connection.execute(f"SELECT {', '.join(columns)}, row_digest FROM {table}")
        if row_digest(table, values) != digest
    ]
