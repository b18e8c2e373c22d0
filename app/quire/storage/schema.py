"""The formats of a project file: how its tables are made and checked, and how earlier ones are migrated."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateTable

from quire.storage.commit_link import CommitLink
from quire.storage.problems import damaged
from quire.storage.tables import APPLICATION_ID, METADATA, SCHEMA_VERSION


@dataclass(frozen=True, slots=True)
class Step:
    """From an earlier format to the next one.

    Attributes:
        tables: the statements by which the earlier format's tables were created. They never change: a file is
            opened only if its tables are exactly these.
        migrate: changes a file in an open transaction; ValueError if the file is damaged.
    """

    tables: tuple[str, ...]
    migrate: Callable[[sqlite3.Connection], None]


STEPS: dict[int, Step] = {}
"""By the format that a step begins with. None yet: no release had a format before 6."""


def statements(version: int) -> tuple[str, ...]:
    """Return the statements that create the tables of a format, in order; KeyError for an unknown one."""
    return _current() if version == SCHEMA_VERSION else STEPS[version].tables


@cache
def _current() -> tuple[str, ...]:
    dialect = sqlite.dialect()
    tables = METADATA.sorted_tables
    return tuple(str(CreateTable(table).compile(dialect=dialect)).strip() for table in tables)


def create(execute: Callable[[str], object]) -> None:
    """Create the tables of the current format, and record it in the file's header.

    Args:
        execute: runs one statement in an open transaction.
    """
    for statement in _current():
        execute(statement)
    execute(f"PRAGMA application_id = {APPLICATION_ID}")
    execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def check(connection: sqlite3.Connection, path: Path, version: int) -> None:
    """Refuse a file whose tables differ in any way from those that Quire creates for its format.

    A project may come from anywhere; a trigger, a view or a default in it could run foreign code.
    """
    expected, found = _expected(statements(version)), _parts_of(connection)
    if missing := expected.keys() - found.keys():
        raise damaged(path, f"{', '.join(sorted(name for _, name in missing))} is missing")
    if found.keys() - expected.keys():
        raise damaged(path, "it holds parts that Quire did not make")
    for part, made_by in expected.items():
        if found[part] != made_by:
            raise damaged(path, f"{part[1]} is not as Quire makes it")


def check_harmless(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a file of an unknown format that holds more than tables and indexes."""
    if {kind for kind, _ in _parts_of(connection)} - {"table", "index"}:
        raise damaged(path, "it holds parts that Quire did not make")


@cache
def _expected(made_by: tuple[str, ...]) -> dict[tuple[str, str], str]:
    with closing(sqlite3.connect(":memory:")) as connection:
        for statement in made_by:
            connection.execute(statement)
        return _parts_of(connection)


def _parts_of(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    rows = connection.execute("SELECT type, name, sql FROM sqlite_schema")
    return {(kind, name): " ".join(sql.split()) if sql else "" for kind, name, sql in rows}


# ------------------------------------------------------------ migration
def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Migrate a project file to the current format: each step wholly or not at all.

    The caller has made a backup.

    Args:
        connection: without a transaction, in autocommit.
    """
    # inside a transaction this pragma does nothing, and dropping a table would empty those that refer to it
    connection.execute("PRAGMA foreign_keys = OFF")
    while (version := _version(connection)) < SCHEMA_VERSION:
        connection.execute("BEGIN IMMEDIATE")
        try:
            STEPS[version].migrate(connection)
            connection.execute(f"PRAGMA user_version = {version + 1}")
            _link(connection)
            if (broken := connection.execute("PRAGMA foreign_key_check").fetchone()) is not None:
                raise damaged(path, f"a row of {broken[0]} belongs to nothing")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
    connection.execute("PRAGMA foreign_keys = ON")


def _link(connection: sqlite3.Connection) -> None:
    """Store the link of this commit: without one, its log would not be known as this file's after a crash.

    A link that is damaged or missing begins a new chain, as in every commit.
    """
    stored = connection.execute("SELECT link FROM commit_chain").fetchone()
    link = CommitLink.after(None if stored is None else stored[0])
    connection.execute("INSERT OR REPLACE INTO commit_chain (chain_id, link) VALUES (1, ?)", [link.pack()])


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)
