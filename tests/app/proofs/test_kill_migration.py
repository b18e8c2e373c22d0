from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from quire.services.transactions.closed_projects import read_project
from quire.storage.file_format import SCHEMA_VERSION
from tests.fakes import ENVIRONMENT
from tests.proofs.app import kill_migration, writer_day
from tests.proofs.app.sqlite_vfs import is_available

pytestmark = pytest.mark.skipif(
    not (is_available() and hasattr(os, "fork")), reason="this Python hides its SQLite, or cannot fork"
)
OLD = Path(__file__).parents[2] / "data" / "project-v3.quire"
TEXT = OLD.with_suffix(".txt")


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


def test_a_migration_that_is_killed_at_30_moments_loses_nothing(tmp_path: Path) -> None:
    """What is left has format 3 or a later one, wholly, and opens with all that was written and drafted."""
    left = kill_migration.killed_migrations(OLD, tmp_path, 30)
    whole = writer_day.found(tmp_path / "whole" / kill_migration.NAME)
    assert read_project(tmp_path / "whole" / kill_migration.NAME).text == TEXT.read_text(encoding="utf-8")
    assert sum(whole.tokens) > 0
    versions = [version_of(path, tmp_path / f"copy of {path.parent.name}") for path in left]
    assert len(versions) == 30
    assert versions == sorted(versions)  # the later the kill, the further it came
    assert (versions[0], versions[-1]) == (3, SCHEMA_VERSION)
    for path in left:
        assert writer_day.found(path) == whole
