"""Migrates project files of earlier formats to the current one, one step at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path

from quire.storage.file_format import SCHEMA_VERSION
from quire.storage.migrations import to_2, to_3, to_4, to_5, to_6
from quire.storage.problems import damaged

STEPS: dict[int, Callable[[sqlite3.Connection], None]] = {
    1: to_2.migrate,
    2: to_3.migrate,
    3: to_4.migrate,
    4: to_5.migrate,
    5: to_6.migrate,
}
"""From each earlier format to the next one."""

_ONLY_ADDS = frozenset({4, 5})
"""Formats whose step moves no row: what was damaged before stays damaged, and is dealt with on opening."""


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
            STEPS[version](connection)
            connection.execute(f"PRAGMA user_version = {version + 1}")
            if version not in _ONLY_ADDS:
                _check(connection, path)
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
    connection.execute("PRAGMA foreign_keys = ON")


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)


def _check(connection: sqlite3.Connection, path: Path) -> None:
    if (broken := connection.execute("PRAGMA foreign_key_check").fetchone()) is not None:
        raise damaged(path, f"a row of {broken[0]} belongs to nothing")
