from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine
from sqlalchemy.schema import CreateTable

from quire.domain.drafting.run import RunState
from quire.domain.manuscript.provenance import Origin
from quire.services.transactions.closed_projects import read_project
from quire.storage import backups, migrations, problems, schema
from quire.storage.codec import row_digest, unpacked
from quire.storage.commit_link import CommitLink
from quire.storage.file_format import SCHEMA_VERSION
from quire.storage.packing import unpacked_ids
from quire.storage.project_check import check_project
from quire.storage.project_file import open_project_file
from quire.storage.row_check import DamagedRow
from quire.storage.tables import Base
from tests.stored_rows import contents, unsound

DATA = Path(__file__).parents[2] / "data"
FORMATS = range(1, SCHEMA_VERSION)
COMPACT = "SELECT compact FROM run_chunk ORDER BY run_id, seq"


@pytest.fixture(params=FORMATS)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A project of an earlier format: a finished run, an edit, and a run that was cut off or paused."""
    path = tmp_path / "novel.quire"
    shutil.copyfile(DATA / f"project-v{request.param}.quire", path)
    return path


def rows(path: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def read_ids(stored: bytes, is_packed: bool) -> tuple[int, ...]:
    return unpacked_ids(stored) if is_packed else unpacked(stored)


def text_of(path: Path) -> str:
    name = f"project-v{rows(path, 'PRAGMA user_version')[0][0]}.txt"
    return (DATA / name).read_text(encoding="utf-8")


def test_an_earlier_project_keeps_every_byte_of_text_and_every_token(old: Path) -> None:
    text, before = text_of(old), rows(old, "SELECT seq, token_ids, text FROM run_chunk ORDER BY run_id, seq")
    (version,) = rows(old, "PRAGMA user_version")[0]
    lengths = "length(prompt_ids) / 4" if version == 1 else "num_prompt"
    prompts = rows(old, f"SELECT {lengths} FROM run ORDER BY run_id")
    packed = [bool(one) for (one,) in rows(old, COMPACT)] if version > 1 else [False] * len(before)
    ids = [
        token for row, is_packed in zip(before, packed, strict=True) for token in read_ids(row[1], is_packed)
    ]
    states = [RunState(state) for (state,) in rows(old, "SELECT state FROM run ORDER BY run_id")]
    file = open_project_file(old)
    with file.reading() as unit:
        found = [token for run in (1, 2) for token in unit.runs.token_ids(run)]
        starts = [(len(unit.runs.prompt_ids(run)),) for run in (1, 2)]  # each checked against its digest
        assert [run.state for run in unit.runs.all()] == states
        waiting = unit.runs.text(2) if states[1] is RunState.RUNNING else ""
        assert "".join(chunk.text for chunk in unit.runs.unfolded(2)) == waiting
    file.close()
    assert found == ids
    assert starts == prompts
    assert read_project(old).text == text


@pytest.mark.parametrize("old", [1, 2], indirect=True)
def test_what_was_drafted_is_known_again(old: Path) -> None:
    file = open_project_file(old)
    with file.reading() as unit:
        document = unit.manuscript.document()
        drafted = unit.runs.text(1)
    file.close()
    assert [span.kind for span in document.provenance.spans] == [
        (Origin.WRITTEN, 0), (Origin.DRAFTED, 1), (Origin.WRITTEN, 0)
    ]  # fmt: skip
    first, second, _ = document.provenance.spans
    assert document.text[first.length : first.length + second.length] == drafted


@pytest.mark.parametrize("old", FORMATS[1:], indirect=True)
def test_who_wrote_which_part_stays_as_it_was(old: Path) -> None:
    before = rows(old, "SELECT document_id, spans FROM document ORDER BY document_id")
    open_project_file(old).close()
    assert rows(old, "SELECT document_id, spans FROM document ORDER BY document_id") == before


def test_every_row_is_sound_afterwards_and_the_project_has_an_identity(old: Path) -> None:
    has_one = rows(old, "SELECT 1 FROM sqlite_schema WHERE name = 'commit_chain'")
    before = rows(old, "SELECT link FROM commit_chain") if has_one else []
    open_project_file(old).close()
    with closing(sqlite3.connect(old)) as connection:
        assert len(contents(connection)) == 14
        assert unsound(connection) == []
        (link,) = connection.execute("SELECT link FROM commit_chain").fetchone()
    assert [(link,)] == before if before else CommitLink.unpack(link).sequence == 0


def test_a_damaged_snapshot_is_not_vouched_for(tmp_path: Path) -> None:
    path = Path(shutil.copyfile(DATA / "project-v3.quire", tmp_path / "novel.quire"))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE snapshot_text SET spans = x'00'")
        assert connection.execute("SELECT count(*) FROM snapshot_text").fetchone()[0] > 0
    open_project_file(path).close()
    for *content, digest in rows(path, "SELECT * FROM snapshot_text"):
        assert row_digest("snapshot_text", content) != digest


def test_a_backup_is_made_first(old: Path) -> None:
    before = rows(old, "SELECT * FROM document"), rows(old, "SELECT * FROM run")
    open_project_file(old).close()
    (backup,) = backups.backups_of(old, backups.backup_folder(old))
    assert (rows(backup.path, "SELECT * FROM document"), rows(backup.path, "SELECT * FROM run")) == before


def test_reading_an_earlier_project_changes_nothing(old: Path) -> None:
    before = old.read_bytes()
    assert read_project(old).schema_version < SCHEMA_VERSION
    assert old.read_bytes() == before
    assert list(old.parent.iterdir()) == [old]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE document SET text = text || '!'",
        "UPDATE run SET prompt_checksum = 'no' WHERE run_id = 1",
        "UPDATE run_chunk SET run_id = 9 WHERE run_id = 1",
        "UPDATE run SET document_id = 7",
        "DROP TABLE run_chunk",
    ],
)
@pytest.mark.parametrize("old", [1, 2, 3], indirect=True)
def test_a_damaged_earlier_project_stays_as_it_is(old: Path, damage: str) -> None:
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        connection.execute(damage)
    before = rows(old, "SELECT * FROM document"), rows(old, "SELECT * FROM sqlite_schema")
    with pytest.raises(problems.ProjectDamaged):
        open_project_file(old)
    assert (rows(old, "SELECT * FROM document"), rows(old, "SELECT * FROM sqlite_schema")) == before


def test_a_damaged_text_of_format_4_is_found_after_the_table_was_added(tmp_path: Path) -> None:
    """It can be read, so that the damage has a name, and nothing in it changed but the format."""
    path = Path(shutil.copyfile(DATA / "project-v4.quire", tmp_path / "novel.quire"))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE document SET text = text || '!'")
    before = rows(path, "SELECT * FROM document"), rows(path, "SELECT * FROM run")
    with pytest.raises(problems.ProjectDamaged):
        open_project_file(path)
    assert (rows(path, "SELECT * FROM document"), rows(path, "SELECT * FROM run")) == before
    assert "The text of" in str(check_project(path).findings)


def test_a_run_that_was_damaged_in_format_4_is_still_readable(tmp_path: Path) -> None:
    path = Path(shutil.copyfile(DATA / "project-v4.quire", tmp_path / "novel.quire"))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE run SET prompt_checksum = 'no' WHERE run_id = 1")
    file = open_project_file(path)
    file.close()
    assert file.damage == (DamagedRow("run", (1,)),)


def test_a_step_that_fails_leaves_the_file_as_it_was(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (version,) = rows(old, "PRAGMA user_version")[0]
    step = migrations.STEPS[version]

    def breaking(connection: sqlite3.Connection) -> None:
        step(connection)
        raise sqlite3.OperationalError("the disk is gone")

    before = rows(old, "SELECT * FROM document"), rows(old, "SELECT * FROM sqlite_schema")
    monkeypatch.setitem(migrations.STEPS, version, breaking)
    with pytest.raises(problems.StorageProblem):
        open_project_file(old)
    assert (rows(old, "SELECT * FROM document"), rows(old, "SELECT * FROM sqlite_schema")) == before
    monkeypatch.undo()
    open_project_file(old).close()


def test_there_is_a_file_of_every_format_and_a_way_from_each() -> None:
    assert sorted(migrations.STEPS) == list(FORMATS)
    assert [path.name for path in sorted(DATA.glob("project-v*.quire"))] == [
        f"project-v{version}.quire" for version in (*FORMATS, SCHEMA_VERSION)
    ]


def test_the_tables_of_the_present_format_are_what_the_classes_say() -> None:
    engine = create_engine("sqlite://")
    said = [str(CreateTable(table).compile(engine)) for table in Base.metadata.sorted_tables]
    assert {" ".join(one.split()) for one in schema.statements(SCHEMA_VERSION)} == {
        " ".join(one.split()) for one in said
    }
