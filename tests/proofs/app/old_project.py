"""A made-up earlier format, by which migration is proved: no release had one.

In it every setting has a note. The step to the current format moves each row to a table without notes and
gives it a new digest.
"""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from quire.storage import schema
from quire.storage.codec import row_digest
from quire.storage.schema import Step
from quire.storage.tables import SCHEMA_VERSION

OLD_VERSION = SCHEMA_VERSION - 1
SAMPLE = Path(__file__).parents[2] / "data" / "project-v6.quire"
"""A project of the first format: a finished run, an edit, and a paused run."""
TEXT = SAMPLE.with_suffix(".txt").read_text(encoding="utf-8")
_VALUE = "value TEXT NOT NULL,"
_CURRENT = next(one for one in schema.statements(SCHEMA_VERSION) if one.startswith("CREATE TABLE setting "))
_EARLIER = _CURRENT.replace(_VALUE, f"{_VALUE} note TEXT NOT NULL,")


def _moved(connection: sqlite3.Connection, made_by: str, columns: str, values: str) -> None:
    """Move the settings to another table; columns and values: of the new one, without the digest."""
    connection.create_function("digest_of_row", -1, lambda *row: row_digest("setting", row))
    connection.execute("CREATE TEMP TABLE moved AS SELECT * FROM setting")
    connection.execute("DROP TABLE setting")
    connection.execute(made_by)
    connection.execute(
        f"INSERT INTO setting ({columns}, row_digest) SELECT {values}, digest_of_row({values}) FROM moved"
    )
    connection.execute("DROP TABLE moved")


def _migrate(connection: sqlite3.Connection) -> None:
    if connection.execute("SELECT 1 FROM setting WHERE note <> 'old'").fetchone():
        raise ValueError("a setting has a wrong note")
    _moved(connection, _CURRENT, "name, value", "name, value")


STEP = Step((*(one for one in schema.statements(SCHEMA_VERSION) if one != _CURRENT), _EARLIER), _migrate)


def know_old_format() -> None:
    """Let this process open projects of the made-up format."""
    schema.STEPS[OLD_VERSION] = STEP


def make_old_project(path: Path) -> None:
    """Write a project of the made-up format, and let this process open such projects."""
    know_old_format()
    shutil.copyfile(SAMPLE, path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN")
        _moved(connection, _EARLIER, "name, value, note", "name, value, 'old'")
        connection.execute(f"PRAGMA user_version = {OLD_VERSION}")
        connection.execute("COMMIT")
