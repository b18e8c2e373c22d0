from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy.exc import IntegrityError

from quire.domain.drafting.run import Chunk
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.takes import Take
from quire.storage import problems
from quire.storage.project_file import (
    ProjectFile,
    create_project_file,
    open_project_file,
    open_project_reader,
)
from quire.storage.project_lock import ProjectLock
from quire.storage.tables import APPLICATION_ID, SCHEMA_VERSION
from tests.app.storage.stored import (
    CHUNKS,
    PROJECT,
    PROMPT,
    RUN,
    TEXT,
    changed,
    made_wrong,
    save_text,
    store_run,
)
from tests.fakes import ENVIRONMENT, Disk, ReadOnly


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A closed project."""
    path = tmp_path / "novel.quire"
    create_project_file(path, PROJECT, Document(1, "The Ferry", TEXT))
    return path


@pytest.fixture
def file(path: Path) -> Iterator[ProjectFile]:
    file = open_project_file(path)
    yield file
    file.close()


on_posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps open files where they are")


# ---------------------------------------------------------------- what comes back
def test_a_project_comes_back_and_leaves_nothing_beside_itself(path: Path) -> None:
    assert list(path.parent.iterdir()) == [path]
    file = open_project_file(path)
    with file.unit() as unit:
        assert unit.manuscript.project() == PROJECT
        assert unit.manuscript.document() == Document(1, "The Ferry", TEXT)
        assert unit.runs.all() == ()
    file.close()
    assert list(path.parent.iterdir()) == [path]


def test_a_run_comes_back(file: ProjectFile) -> None:
    stored = store_run(file)
    with file.unit() as unit:
        (found,) = unit.runs.all()
        assert unit.runs.prompt_ids(1) == PROMPT
        assert unit.runs.token_ids(1) == (5, 6, 7, 8, 9)
        assert unit.runs.text(1) == "a b c\n"
        assert unit.runs.unfolded(1) == CHUNKS
    assert found.created is not None
    assert found.updated is not None
    assert found.created <= found.updated
    assert replace(found, created=None, updated=None) == stored


def test_what_a_run_bans_and_how_its_penalty_grows_comes_back_and_is_stored_of_no_other_run(
    file: ProjectFile, path: Path
) -> None:
    """So records from before there were such settings read as none, and an earlier Quire reads such ones."""
    banned = ("a testament to", "couldn\u2019t help but")
    banning = replace(RUN.sampling, banned=banned, penalty_growth=10.0)
    store_run(file, replace(RUN, sampling=banning))
    store_run(file, replace(RUN, run_id=2))
    with file.unit() as unit:
        assert [run.sampling for run in unit.runs.all()] == [banning, RUN.sampling]
    with closing(sqlite3.connect(path)) as raw:
        records = raw.execute("SELECT sampling FROM run ORDER BY run_id").fetchall()
    for name in ("banned", "penalty_growth"):
        assert [name in json.loads(record) for (record,) in records] == [True, False]


def test_a_form_of_the_cache_comes_back_and_versions_that_know_none_see_another_dtype(
    file: ProjectFile, path: Path
) -> None:
    assert RUN.model is not None
    stored = store_run(file, replace(RUN, model=replace(RUN.model, cache="float8")))
    with file.unit() as unit:
        (found,) = unit.runs.all()
    assert found.model == stored.model
    with closing(sqlite3.connect(path)) as raw:
        ((record,),) = raw.execute("SELECT model FROM run").fetchall()
    assert "cache" not in json.loads(record)
    assert json.loads(record)["dtype"] == "bfloat16, cache in float8"


def test_folded_chunks_are_folded_once(file: ProjectFile) -> None:
    store_run(file)
    with file.unit() as unit:
        assert unit.runs.folded_words(1) == 0
        unit.runs.mark_folded(1)
        unit.commit()
    late = Chunk((1,), " d", 4, 1, 1.0)
    with file.unit() as unit:
        unit.runs.append(replace(RUN, num_tokens=6, num_words=4), late)
        unit.commit()
    with file.unit() as unit:
        assert unit.runs.unfolded(1) == (late,)
        assert unit.runs.folded_words(1) == 3
        assert unit.runs.token_ids(1) == (5, 6, 7, 8, 9, 1)


def test_uncommitted_work_is_rolled_back(file: ProjectFile) -> None:
    with file.unit() as unit:
        unit.runs.save_prompt(RUN, PROMPT)
        unit.manuscript.save(Document(1, "", "gone"))
    with file.unit() as unit:
        assert unit.runs.all() == ()
        assert unit.manuscript.document().text == TEXT


def test_a_unit_of_work_that_has_done_nothing_or_has_committed_holds_nobody_up(file: ProjectFile) -> None:
    with file.unit() as idle, file.unit() as first:
        save_text(file, "One.")
        assert first.manuscript.document().text == "One."
        first.manuscript.save(Document(1, "", "Two."))
        first.commit()
        save_text(file, "Three.")
        assert idle.manuscript.document().text == "Three."


def test_a_row_may_be_written_before_the_one_that_it_refers_to(file: ProjectFile) -> None:
    take, inner = Take(1, 1, 2, 0, stands=True), Take(2, 1, None, 0, stands=True)
    with file.unit() as unit:
        unit.runs.save_prompt(replace(RUN, take_id=1), PROMPT)
        unit.takes.save(take)
        unit.takes.save(inner)
        unit.commit()
    with file.reading() as unit:
        assert [found.parent_id for found in unit.takes.of(1).all] == [2, None]


def test_a_row_that_refers_to_nothing_is_refused_with_its_whole_commit(file: ProjectFile) -> None:
    with file.unit() as unit:
        unit.manuscript.save(Document(1, "", "gone"))
        unit.takes.save(Take(1, 1, 2, 0, stands=True))
        with pytest.raises(IntegrityError):
            unit.commit()
    with file.unit() as unit:
        assert unit.manuscript.document().text == TEXT
        assert unit.takes.of(1).all == ()


def test_an_open_project_says_what_it_is(file: ProjectFile) -> None:
    with closing(sqlite3.connect(file.path)) as other:
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert other.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert other.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)


def test_every_connection_is_set_up_for_safety(path: Path, disk: Disk) -> None:
    file = open_project_file(path)
    settings = disk.pragmas("synchronous", "foreign_keys", "trusted_schema", "mmap_size", "busy_timeout")
    file.close()
    assert settings == {
        "synchronous": 2, "foreign_keys": 1, "trusted_schema": 0, "mmap_size": 0, "busy_timeout": 2000
    }  # fmt: skip


def test_a_transaction_takes_the_write_lock_at_once(file: ProjectFile) -> None:
    with closing(sqlite3.connect(file.path, timeout=0, isolation_level=None)) as other:
        with file.unit() as unit:
            unit.manuscript.project()
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("BEGIN IMMEDIATE")
        other.execute("BEGIN IMMEDIATE")


@pytest.mark.parametrize(
    "name", ["a b.quire", "what?.quire", "50%.quire", "#1.quire", "\u043a\u043d\u0438\u0433\u0430.quire"]
)
def test_odd_names_are_names(tmp_path: Path, name: str) -> None:
    create_project_file(tmp_path / name, PROJECT, Document(1, "", TEXT))
    open_project_file(tmp_path / name).close()
    assert [path.name for path in tmp_path.iterdir()] == [name]


# ---------------------------------------------------------------- what is refused
def test_a_missing_file_is_refused_and_not_made(tmp_path: Path) -> None:
    for opened in (open_project_file, open_project_reader):
        with pytest.raises(problems.ProjectMissing, match="doesn't exist"):
            opened(tmp_path / "novel.quire")
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_is_not_overwritten(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(problems.ProjectExists, match="Choose another name"):
        create_project_file(path, PROJECT, Document(1, "", "other"))
    assert path.read_bytes() == before


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(problems.ProjectMissing, match="Create it first, or choose another one"):
        create_project_file(tmp_path / "none" / "novel.quire", PROJECT, Document(1, "", "a"))


@pytest.mark.parametrize(
    "content", [b"", b"It was a dark and stormy night.", b"SQLite format 3\0" + b"\0" * 100, b"\0" * 5000]
)
def test_any_other_file_is_refused_and_not_touched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "novel.quire"
    path.write_bytes(content)
    for opened in (open_project_file, open_project_reader):
        with pytest.raises(problems.NotAProject, match="not a Quire project"):
            opened(path)
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_is_no_project(tmp_path: Path) -> None:
    with pytest.raises(problems.NotAProject):
        open_project_file(tmp_path)


def test_another_programs_database_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = changed(tmp_path / "other.db", "CREATE TABLE t(x)")
    before = path.read_bytes()
    with pytest.raises(problems.NotAProject):
        open_project_file(path)
    assert path.read_bytes() == before


def test_a_newer_file_is_refused_and_not_touched(path: Path) -> None:
    changed(path, "PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(problems.SchemaTooNew, match="format 99"):
        open_project_file(path)
    reader = open_project_reader(path)
    with reader.reading() as unit:
        assert unit.manuscript.document().text == TEXT
    assert "newer version of Quire (format 99" in reader.read_only
    reader.close()
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_newer_file_that_was_cut_off_is_not_touched_either(path: Path) -> None:
    code = f"""
import os, sqlite3
connection = sqlite3.connect({str(path)!r}, isolation_level=None)
connection.execute("PRAGMA user_version = 99")
connection.execute("CREATE TABLE later(x)")
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", code], check=True)
    log = path.with_name("novel.quire-wal")
    before = path.read_bytes(), log.read_bytes()
    assert before[1]
    with pytest.raises(problems.SchemaTooNew, match="format 99"):
        open_project_file(path)
    assert (path.read_bytes(), log.read_bytes()) == before


def test_a_file_cut_short_is_damaged(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2 // 4096 * 4096])
    with pytest.raises(problems.ProjectDamaged, match="damaged"):
        open_project_file(path)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE document SET text = text || '!'",
        "UPDATE document SET text = 5",
        "UPDATE document SET spans = x'00'",
        "UPDATE run_chunk SET text = x'78' WHERE seq = 1",
        "UPDATE run_chunk SET text = x'ff' WHERE seq = 1",
        "UPDATE run_chunk SET steps = x'0100' WHERE seq = 1",
        "UPDATE run_chunk SET compact = 1 WHERE seq = 1",
        "UPDATE run_chunk SET token_ids = x'01000000' WHERE seq = 0",
        "UPDATE run_chunk SET crc32 = 1 WHERE seq = 2",
        "UPDATE run_chunk SET num_words = 9 WHERE seq = 0",
        "DELETE FROM run_chunk WHERE seq = 0",
        "DELETE FROM run_chunk WHERE seq = 2",
        "DELETE FROM run_chunk",
        "UPDATE run SET prompt = zeroblob(32)",
        "UPDATE run SET num_prompt = 4",
        "UPDATE run SET reading = '['",
        "UPDATE content SET data = x'0001'",
        "DELETE FROM content",
        "UPDATE node SET kind = 'chapter'",
        "UPDATE node SET status = 'lost'",
        "CREATE TABLE more(x)",
        "UPDATE run SET num_tokens = 4",
        "UPDATE run SET state = 'lost'",
        "UPDATE run SET seed = -1",
        "UPDATE run SET sampling = '[]'",
        "UPDATE run SET sampling = '{\"banned\": [7]}'",
        'UPDATE run SET sampling = \'{"banned": "suddenly"}\'',
        "UPDATE run SET sampling = '{\"top_p\": 7}'",
        "UPDATE run SET model = 'null'",
        "UPDATE run SET created = 'yesterday'",
        "DELETE FROM document",
        "DELETE FROM project",
        "DROP TABLE run_chunk",
        "ALTER TABLE run DROP COLUMN error",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON run_chunk BEGIN DELETE FROM document; END",
        "PRAGMA user_version = 0",
    ],
)
def test_a_changed_file_is_damaged_and_not_touched(path: Path, statement: str) -> None:
    file = open_project_file(path)
    store_run(file)
    file.close()
    made_wrong(path, statement)
    before = path.read_bytes()
    for opened in (open_project_file, open_project_reader):
        with pytest.raises(
            problems.ProjectDamaged,
            match=r"novel.quire is damaged .* It was not changed; restore the project from a backup",
        ):
            opened(path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_project_that_is_open_is_refused_to_others(file: ProjectFile) -> None:
    for opened in (open_project_file, open_project_reader):
        with pytest.raises(problems.ProjectLocked, match=r"already open in another Quire, since \d\d:\d\d\."):
            opened(file.path)


@on_posix
def test_another_name_for_the_same_file_is_the_same_project(file: ProjectFile, tmp_path: Path) -> None:
    link = tmp_path / "link.quire"
    link.symlink_to(file.path)
    with pytest.raises(problems.ProjectLocked):
        open_project_file(link)


def test_a_project_that_another_program_writes_to_says_so(path: Path, disk: Disk) -> None:
    file = open_project_file(path)
    disk.patience(0)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(problems.ProjectLocked, match="another program"), file.unit() as unit:
            unit.manuscript.project()
    file.close()


def test_a_refused_project_is_not_left_locked(path: Path) -> None:
    changed(path, "UPDATE document SET checksum = ''")
    with pytest.raises(problems.ProjectDamaged):
        open_project_file(path)
    ProjectLock(path).release()


# ---------------------------------------------------------------- disks
def test_a_full_disk_keeps_what_was_committed(path: Path, disk: Disk) -> None:
    file = open_project_file(path)
    stored = store_run(file)
    disk.fill()
    long = Chunk((1,) * 5_000, "x" * 10_000, 4, 1, 1.0)
    with pytest.raises(problems.DiskFull, match=r"The disk is full"):
        store_run(file, stored, (long,))
    with file.unit() as unit:
        assert unit.runs.unfolded(1) == CHUNKS
    disk.make_room()
    store_run(file, stored, (long,))
    file.close()
    reopened = open_project_reader(path)
    with reopened.reading() as unit:
        assert unit.runs.token_ids(1) == (5, 6, 7, 8, 9) + (1,) * 5_000
    reopened.close()


def test_a_full_disk_at_the_beginning_leaves_nothing_behind(tmp_path: Path, disk: Disk) -> None:
    disk.fill()
    with pytest.raises(problems.DiskFull):
        create_project_file(tmp_path / "novel.quire", PROJECT, Document(1, "", TEXT))
    assert list(tmp_path.iterdir()) == []


def test_a_read_only_folder_is_refused_for_writing_but_can_be_read(read_only: ReadOnly) -> None:
    path = read_only.folder / "novel.quire"
    create_project_file(path, PROJECT, Document(1, "", TEXT))
    with read_only.now():
        with pytest.raises(problems.ProjectReadOnly, match="read-only"):
            open_project_file(path)
        with pytest.raises(problems.ProjectReadOnly, match="read-only"):
            create_project_file(read_only.folder / "second.quire", PROJECT, Document(1, "", TEXT))
        file = open_project_reader(path)
        with file.reading() as unit:
            assert unit.manuscript.document().text == TEXT
        assert "read-only" in file.read_only
        file.close()
    assert list(read_only.folder.iterdir()) == [path]


def test_a_read_only_file_is_refused_for_writing(read_only: ReadOnly) -> None:
    path = read_only.folder / "novel.quire"
    create_project_file(path, PROJECT, Document(1, "", TEXT))
    with read_only.now(folder_too=False), pytest.raises(problems.ProjectReadOnly):
        open_project_file(path)


def test_what_was_cut_off_on_a_read_only_disk_can_be_read(read_only: ReadOnly) -> None:
    path = read_only.folder / "novel.quire"
    create_project_file(path, PROJECT, Document(1, "", TEXT))
    code = """
import os, sys
from pathlib import Path
from quire.storage.project_file import open_project_file
file = open_project_file(Path(sys.argv[1]))
with file.unit() as unit:
    unit.manuscript.save(unit.manuscript.document(1).edited("only in the log"))
    unit.commit()
os._exit(0)
"""
    subprocess.run([sys.executable, "-c", code, str(path)], check=True, env=ENVIRONMENT)
    before = sorted(read_only.folder.iterdir())
    with read_only.now():
        file = open_project_reader(path)
        with file.reading() as unit:
            assert unit.manuscript.document().text == "only in the log"
        file.close()
    assert sorted(read_only.folder.iterdir()) == before


def test_a_reader_does_not_write(path: Path) -> None:
    file = open_project_reader(path)
    before = path.read_bytes()
    with pytest.raises(problems.StorageProblem):
        save_text(file, "other")
    file.close()
    assert path.read_bytes() == before


@on_posix
def test_a_file_that_went_away_is_noticed_before_it_is_acknowledged(
    file: ProjectFile, tmp_path: Path
) -> None:
    file.path.rename(tmp_path / "moved.quire")
    with pytest.raises(problems.StorageFailed, match="moved, replaced or deleted"):
        save_text(file, "other")
    (tmp_path / "moved.quire").rename(file.path)
    save_text(file, "other")
