"""The tables of a project file: those of the classes, and those that earlier formats had."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateTable

from quire.storage.migrations import STEPS
from quire.storage.problems import damaged
from quire.storage.tables import APPLICATION_ID, METADATA, SCHEMA_VERSION


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
