"""Migrates project files of earlier formats to the current one, one step at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from quire.storage.commit_link import CommitLink
from quire.storage.problems import damaged
from quire.storage.tables import SCHEMA_VERSION


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
    """Store the link of this commit: without one, its log would not be known as this file's after a crash."""
    (link,) = connection.execute("SELECT link FROM commit_chain").fetchone()
    connection.execute("UPDATE commit_chain SET link = ?", [CommitLink.unpack(link).next().pack()])


def _version(connection: sqlite3.Connection) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return int(version)
