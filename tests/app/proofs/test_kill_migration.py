from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quire.services.transactions.closed_projects import read_project
from quire.storage import schema
from quire.storage.tables import SCHEMA_VERSION
from tests.fakes import ENVIRONMENT
from tests.proofs.app import kill_migration, writer_day
from tests.proofs.app.old_project import OLD_VERSION, STEP, TEXT
from tests.proofs.app.sqlite_vfs import is_available

pytestmark = pytest.mark.skipif(
    not (is_available() and hasattr(os, "fork")), reason="this Python hides its SQLite, or cannot fork"
)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)


def version_of(path: Path, folder: Path) -> int:
    """Return the format of what was left, looked at in a copy: SQLite undoes what was not committed."""
    copy = shutil.copytree(path.parent, folder)
    with closing(sqlite3.connect(copy / path.name)) as connection:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    return int(version)


def test_a_migration_that_is_killed_at_30_moments_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every file that is left has one of the two formats, wholly, and all that was written and drafted."""
    left = kill_migration.killed_migrations(tmp_path, 30)
    monkeypatch.setitem(schema.STEPS, OLD_VERSION, STEP)
    whole = writer_day.found(tmp_path / "whole" / kill_migration.NAME)
    assert read_project(tmp_path / "whole" / kill_migration.NAME).text == TEXT
    assert sum(whole.tokens) > 0
    versions = [version_of(path, tmp_path / f"copy of {path.parent.name}") for path in left]
    assert len(versions) == 30
    assert versions == sorted(versions)  # the later the kill, the further it came
    assert (versions[0], versions[-1]) == (OLD_VERSION, SCHEMA_VERSION)
    for path in left:
        assert writer_day.found(path) == whole
