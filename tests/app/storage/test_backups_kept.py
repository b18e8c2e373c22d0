"""Backups by name and order: which are whose, which are kept, when one is due, and how one comes back."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import sys
import tempfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.storage.backups import (
    Backup,
    BackupFailed,
    Reason,
    backup_folder,
    backup_name,
    backups_of,
    is_due,
    last_good,
    make_backup,
    restore,
    rotate,
)
from quire.storage.problems import ProjectDamaged, ProjectMissing, StorageProblem
from tests.app.storage.plain_projects import damage, digest_of, names_in, opened, rows_of, write

NOW = datetime(2026, 11, 21, 14, 2, 33, tzinfo=UTC)
on_posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX system")


def test_backups_come_in_the_order_of_making_also_when_the_clock_goes_back(
    project: Path, folder: Path
) -> None:
    made = [NOW, NOW + timedelta(days=1), NOW - timedelta(days=365), NOW - timedelta(days=365)]
    done = [make_backup(project, folder, Reason.CLOSING, now=when) for when in made]
    assert backups_of(project, folder) == tuple(reversed(done))
    assert [backup.number for backup in done] == [1, 2, 3, 4]


def test_only_files_that_are_named_as_its_backups_are_backups_of_a_project(
    project: Path, folder: Path
) -> None:
    assert backups_of(project, folder) == ()
    backup = make_backup(project, folder, Reason.DAILY, now=NOW)
    for name in (
        "The Ferry.quire",
        "The best version of The Ferry 2026-11-21 14.02.33 (backup 2, daily).quire",
        "The Ferry (restored 2026-11-20) 2026-11-21 14.02.33 (backup 2, daily).quire",
        "The Ferry 2026-13-41 14.02.33 (backup 2, daily).quire",
        "The Ferry 2026-11-21 14.02.33 (backup 2, whatever).quire",
        "The Ferry 2026-11-21 14.02.33 (backup 2, daily).quire-wal",
        "The Ferry 2026-11-21 14.02.33 (backup 2, daily).txt",
        ".The Ferry.part",
    ):
        (folder / name).touch()
    (folder / "The Ferry 2026-11-21 14.02.33 (backup 7, daily).quire").mkdir()
    assert backups_of(project, folder) == (backup,)


def test_projects_of_one_name_share_no_folder_of_backups(tmp_path: Path) -> None:
    first, second = tmp_path / "Winter" / "novel.quire", tmp_path / "Spring" / "novel.quire"
    assert backup_folder(first) == tmp_path / "Winter" / "novel backups"
    assert backup_folder(first, tmp_path / "stick") == tmp_path / "stick" / "novel (Winter) backups"
    assert backup_folder(second, tmp_path / "stick") == tmp_path / "stick" / "novel (Spring) backups"


names = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="/"), min_size=1, max_size=60
)


@given(names, st.integers(1, 10**6), st.sampled_from(Reason))
def test_the_name_of_a_backup_is_one_that_every_disk_takes_and_can_be_read(
    stem: str, number: int, reason: Reason
) -> None:
    project = Path("/novels") / f"{stem}.quire"
    name = backup_name(project, NOW, number, reason)
    assert not set(name) & set('<>:"/\\|?*')
    assert len(name.encode()) <= 255
    assert not set(backup_folder(project).name) & set('<>:"/\\|?*')
    assert len(backup_folder(project.parent / stem / project.name, project.parent).name.encode()) <= 255
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.touch()
        assert backups_of(project, Path(folder)) == (Backup(path, number, NOW, reason),)


def test_the_last_good_backup_is_found_behind_damaged_ones(project: Path, folder: Path) -> None:
    assert last_good(project, folder) is None
    good, cut, flipped, empty, of_a_novel = (
        make_backup(project, folder, Reason.CLOSING, now=NOW + timedelta(minutes=minute))
        for minute in range(5)
    )
    assert last_good(project, folder) == of_a_novel
    damage(flipped.path)
    for backup, content in (
        (cut, good.path.read_bytes()[:100_000]),
        (empty, b""),
        (of_a_novel, b"Call me. " * 999),
    ):
        backup.path.chmod(0o644)
        backup.path.write_bytes(content)
    assert last_good(project, folder) == good

    def too_old(path: Path) -> None:
        raise StorageProblem(f"{path.name} does not please.")

    assert last_good(project, folder, check=too_old) is None


def test_rotation_deletes_what_newer_ones_replace(project: Path, folder: Path) -> None:
    first = make_backup(project, folder, Reason.CLOSING, now=NOW - timedelta(days=40))
    for number in range(2, 9):  # all of one week
        when = first.made + timedelta(minutes=number)
        shutil.copy2(first.path, folder / backup_name(project, when, number, Reason.CLOSING))
    made = {backup.number: backup for backup in backups_of(project, folder)}
    with closing(sqlite3.connect(f"{made[2].path.as_uri()}?mode=ro", uri=True)):
        os.utime(made[2].path)  # somebody went on writing in it
    assert [backup.number for backup in rotate(project, folder, now=NOW)] == [1, 3]
    assert [backup.number for backup in backups_of(project, folder)] == [8, 7, 6, 5, 4, 2]
    assert rotate(project, folder, now=NOW) == ()


def test_rotation_deletes_nothing_when_no_backup_is_good(project: Path, folder: Path) -> None:
    folder.mkdir()
    for number in range(1, 9):
        (folder / backup_name(project, NOW - timedelta(days=40), number, Reason.CLOSING)).write_bytes(b"?")
    assert rotate(project, folder, now=NOW) == ()
    assert len(names_in(folder)) == 8
    assert rotate(project, project.parent / "gone", now=NOW) == ()


def test_a_backup_is_due_when_something_changed_since_the_last_one(
    project: Path, folder: Path, writer: sqlite3.Connection
) -> None:
    day = timedelta(days=1)
    assert is_due(project, None, now=NOW)
    backup = make_backup(project, folder, Reason.CLOSING, now=NOW)
    assert not is_due(project, backup, now=NOW + day)
    writer.execute("UPDATE note SET text = 'It was a bark' WHERE name = 'first'")
    assert is_due(project, backup, now=NOW)
    assert not is_due(project, backup, now=NOW + day / 2, every=day)
    assert is_due(project, backup, now=NOW + day, every=day)
    assert is_due(project, backup, now=NOW - day, every=day)  # the backup comes from the future
    damage(backup.path)
    assert is_due(project, backup, now=NOW)
    backup.path.unlink()
    assert is_due(project, backup, now=NOW)


def test_a_counter_can_say_whether_something_changed(
    project: Path, folder: Path, writer: sqlite3.Connection
) -> None:
    def counter(connection: sqlite3.Connection) -> object:
        return connection.execute("SELECT text FROM note WHERE name = 'revision'").fetchone()

    def counts_by_another_name(connection: sqlite3.Connection) -> object:
        return connection.execute("SELECT revision FROM project").fetchone()

    backup = make_backup(project, folder, Reason.CLOSING, now=NOW)
    assert not is_due(project, backup, now=NOW, revision=counter)
    write(writer)
    assert is_due(project, backup, now=NOW, revision=counter), "another project of this name counts alike"
    writer.execute("INSERT INTO note VALUES ('revision', 1)")
    assert is_due(project, backup, now=NOW, revision=counter)
    assert is_due(project, backup, now=NOW, revision=counts_by_another_name)


def test_a_backup_is_restored_beside_the_project_which_stays_as_it_is(project: Path, folder: Path) -> None:
    backup = make_backup(project, folder, Reason.CLOSING)
    digest = digest_of(project)
    damage(project)
    before = project.read_bytes()
    shares: list[float] = []
    restored = restore(backup.path, project, now=NOW, progress=shares.append)
    day = NOW.astimezone().strftime("%Y-%m-%d")
    assert restored == project.with_name(f"The Ferry (restored {day}).quire")
    assert digest_of(restored) == digest
    assert restored.stat().st_mode & stat.S_IWUSR
    assert shares[-1] == 1.0
    second = restore(backup.path, restored, now=NOW)
    assert second.name == f"The Ferry (restored {day}, 2).quire"
    project.with_name(f"The Ferry (restored {day}, 3).quire-wal").write_bytes(
        b"of a project that was deleted"
    )
    assert restore(backup.path, project, now=NOW).name == f"The Ferry (restored {day}, 4).quire"
    assert project.read_bytes() == before
    with closing(opened(restored)) as connection:
        write(connection)
    assert rows_of(restored) == 41
    assert backups_of(restored, folder) == ()


def test_what_cannot_be_restored_is_a_sentence(project: Path, folder: Path, tmp_path: Path) -> None:
    backup = make_backup(project, folder, Reason.CLOSING)
    before = names_in(project.parent)
    with pytest.raises(ProjectMissing, match="Choose another one"):
        restore(folder / "gone.quire", project)
    with pytest.raises(BackupFailed, match=r"The Ferry.quire was not restored; .* The folder .*gone"):
        restore(backup.path, tmp_path / "gone" / project.name)
    damage(backup.path)
    with pytest.raises(ProjectDamaged, match=r"at closing\).quire is damaged"):
        restore(backup.path, project)
    assert names_in(project.parent) == before


@on_posix
def test_a_private_manuscript_stays_private(project: Path, folder: Path) -> None:
    project.chmod(0o600)
    backup = make_backup(project, folder, Reason.CLOSING)
    assert stat.S_IMODE(backup.path.stat().st_mode) == 0o400
    assert stat.S_IMODE(restore(backup.path, project).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("one", "other"), [("a:1", "a_1"), ("\u041f" * 80 + "1", "\u041f" * 80 + "2"), ("a.", "a")]
)
def test_projects_with_names_alike_have_folders_of_their_own(tmp_path: Path, one: str, other: str) -> None:
    folders = {backup_folder(tmp_path / f"{name}.quire") for name in (one, other)}
    assert len(folders) == 2
