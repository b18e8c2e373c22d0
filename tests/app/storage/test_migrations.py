"""Migration, proved by a made-up earlier format: wholly or not at all, after a backup."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from quire.services.transactions.closed_projects import read_project
from quire.storage import backups, problems, schema
from quire.storage.commit_link import CommitLink
from quire.storage.project_check import check_project
from quire.storage.project_file import open_project_file
from quire.storage.tables import SCHEMA_VERSION
from tests.proofs.app.old_project import OLD_VERSION, SAMPLE, STEP, TEXT, make_old_project
from tests.stored_rows import contents, unsound


@pytest.fixture
def old(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of the made-up format: a finished run, an edit, and a paused run."""
    monkeypatch.setattr(schema, "STEPS", schema.STEPS)  # as it was, afterwards
    monkeypatch.setitem(schema.STEPS, OLD_VERSION, STEP)
    path = tmp_path / "novel.quire"
    make_old_project(path)
    return path


def rows(path: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def everything(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    tables = [name for (name,) in rows(path, "SELECT name FROM sqlite_schema WHERE type = 'table'")]
    return {table: rows(path, f"SELECT * FROM {table}") for table in tables}


def test_a_project_of_the_first_format_has_the_tables_of_today() -> None:
    with closing(sqlite3.connect(f"{SAMPLE.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        schema.check(connection, SAMPLE, SCHEMA_VERSION)


def test_a_migrated_project_has_all_that_it_had(old: Path) -> None:
    open_project_file(old).close()
    before, after = everything(SAMPLE), everything(old)
    ((_, link),), ((_, next_link),) = before.pop("commit_chain"), after.pop("commit_chain")
    assert after == before
    assert CommitLink.unpack(next_link).previous == CommitLink.unpack(link).token
    assert rows(old, "PRAGMA user_version") == [(SCHEMA_VERSION,)]
    assert read_project(old).text == TEXT
    with closing(sqlite3.connect(old)) as connection:
        assert len(contents(connection)) == 14
        assert unsound(connection) == []


@pytest.mark.parametrize("damage", ["DELETE FROM commit_chain", "UPDATE commit_chain SET link = x'00'"])
def test_a_project_without_a_good_link_begins_a_new_chain(old: Path, damage: str) -> None:
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        connection.execute(damage)
    open_project_file(old).close()
    assert read_project(old).text == TEXT
    (link,) = rows(old, "SELECT link FROM commit_chain")
    assert CommitLink.unpack(link[0]).sequence == 0


def test_a_backup_is_made_first(old: Path) -> None:
    before = everything(old)
    open_project_file(old).close()
    (backup,) = backups.backups_of(old, backups.backup_folder(old))
    assert everything(backup.path) == before


@pytest.mark.parametrize("read", [read_project, check_project])
def test_reading_an_earlier_project_changes_nothing(old: Path, read: Callable[[Path], object]) -> None:
    before = old.read_bytes()
    read(old)
    assert old.read_bytes() == before
    assert list(old.parent.iterdir()) == [old]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE setting SET note = 'new'",
        "UPDATE run_chunk SET run_id = 9 WHERE run_id = 1",
        "UPDATE run SET document_id = 7",
        "DROP TABLE run_chunk",
        "PRAGMA user_version = 4",
    ],
)
def test_a_damaged_earlier_project_stays_as_it_is(old: Path, damage: str) -> None:
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        connection.execute(damage)
    before = everything(old)
    with pytest.raises(problems.ProjectDamaged):
        open_project_file(old)
    assert everything(old) == before


def test_a_step_that_fails_leaves_the_file_as_it_was(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaking(connection: sqlite3.Connection) -> None:
        STEP.migrate(connection)
        raise sqlite3.OperationalError("the disk is gone")

    before = everything(old)
    monkeypatch.setitem(schema.STEPS, OLD_VERSION, replace(STEP, migrate=breaking))
    with pytest.raises(problems.StorageProblem):
        open_project_file(old)
    assert everything(old) == before
    monkeypatch.setitem(schema.STEPS, OLD_VERSION, STEP)
    open_project_file(old).close()
