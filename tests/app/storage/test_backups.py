"""A backup is whole and checked, or it is not there."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import stat
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from quire.storage import backups
from quire.storage.backups import (
    Backup,
    BackupFailed,
    Reason,
    backup_folder,
    backups_of,
    make_backup,
)
from quire.storage.problems import ProjectDamaged, StorageProblem
from quire.storage.tables import APPLICATION_ID
from tests.app.storage.disks import SmallDisk
from tests.app.storage.plain_projects import damage, digest_of, names_in, opened, rows_of, write

NOW = datetime(2026, 11, 21, 14, 2, 33, tzinfo=UTC)
on_posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX system")


def test_a_backup_is_one_read_only_file_with_the_same_content(project: Path, folder: Path) -> None:
    backup = make_backup(project, folder, Reason.CLOSING, now=NOW + timedelta(milliseconds=500))
    assert names_in(project.parent) == ["The Ferry backups", "The Ferry.quire"]
    local = NOW.astimezone().strftime("%Y-%m-%d %H.%M.%S")
    assert names_in(folder) == [f"The Ferry {local} (backup 1, at closing).quire"]
    assert backup == Backup(folder / names_in(folder)[0], 1, NOW, Reason.CLOSING, backup.path.stat().st_size)
    assert backup.path.stat().st_mode & 0o222 == 0
    assert backups_of(project, folder) == (backup,)
    with closing(sqlite3.connect(f"{backup.path.as_uri()}?mode=ro", uri=True)) as copy:
        assert copy.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert copy.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert digest_of(backup.path) == digest_of(project)
    assert len(names_in(folder)) == 1


def test_what_is_still_in_the_log_of_an_open_project_is_in_the_backup(
    project: Path, folder: Path, writer: sqlite3.Connection
) -> None:
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    write(writer, 10)
    assert project.with_name(f"{project.name}-wal").stat().st_size > 200_000
    backup = make_backup(project, folder, Reason.ASKED)
    assert rows_of(backup.path) == 50
    write(writer)
    assert rows_of(project) == 51


def test_others_commit_while_a_backup_goes_on_and_it_holds_one_moment(
    project: Path, folder: Path, writer: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "PAGES_PER_STEP", 8)
    writer.execute("PRAGMA busy_timeout = 0")  # whoever had to wait would fail
    seen: list[float] = []

    def meanwhile(share: float) -> None:
        seen.append(share)
        write(writer)

    backup = make_backup(project, folder, Reason.DAILY, progress=meanwhile)
    assert len(seen) > 15
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert rows_of(backup.path) == 40
    assert rows_of(project) == 40 + len(seen)


def test_a_project_that_a_killed_process_left_is_backed_up_with_its_log(
    project: Path, tmp_path: Path
) -> None:
    left = tmp_path / "left" / project.name
    left.parent.mkdir()
    with closing(opened(project)) as connection:
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        write(connection, 5)
        for suffix in ("", "-wal"):
            shutil.copyfile(f"{project}{suffix}", f"{left}{suffix}")
    before = left.read_bytes()
    assert rows_of(make_backup(left, backup_folder(left), Reason.BEFORE_UPGRADE).path) == 45
    assert left.read_bytes() == before


def test_it_can_be_cancelled_at_any_moment_and_leaves_nothing(
    project: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "PAGES_PER_STEP", 64)

    class Cancelled(Exception):
        pass

    moments: list[float] = []
    make_backup(project, folder, Reason.ASKED, progress=moments.append)
    before = names_in(folder)
    for moment in moments:

        def cancel(share: float, moment: float = moment) -> None:
            if share >= moment:
                raise Cancelled

        with pytest.raises(Cancelled):
            make_backup(project, folder, Reason.ASKED, progress=cancel)
        assert names_in(folder) == before


def test_what_a_power_cut_left_half_is_cleared_away(project: Path, folder: Path) -> None:
    folder.mkdir()
    for name in (".The Ferry.part", ".The Ferry.part-journal"):
        (folder / name).write_bytes(b"half")
    backup = make_backup(project, folder, Reason.ASKED)
    assert names_in(folder) == [backup.path.name]


def test_a_disk_without_room_is_a_sentence_before_a_byte_is_written(
    project: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "ROOM_LEFT", 1 << 60)
    with pytest.raises(BackupFailed) as caught:
        make_backup(project, folder, Reason.DAILY)
    assert str(caught.value) == (
        "The Ferry.quire was not backed up; the project itself is safe."
        f" The disk with {folder} is full. Free some space, or choose another folder."
    )
    assert names_in(folder) == []


def test_a_disk_that_gets_full_meanwhile_keeps_no_half_file(
    project: Path, small_disk: SmallDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "ROOM_LEFT", -(1 << 60))  # as where the free room is not known
    with closing(opened(project)) as connection:
        write(connection, 250)
    folder = backup_folder(project, small_disk.folder)
    with pytest.raises(BackupFailed, match=r"The disk with .* is full\. Free some space"):
        make_backup(project, folder, Reason.DAILY)
    assert names_in(folder) == []
    small_disk.fill()
    with pytest.raises(BackupFailed, match=r"The disk with .* is full\. Free some space"):
        make_backup(project, folder, Reason.DAILY)


@pytest.mark.parametrize("call", ["open", "write", "fsync", "rename", "mkdir"])
@pytest.mark.parametrize(
    ("number", "sentence"),
    [(errno.ENOSPC, "is full"), (errno.EROFS, "is read-only"), (errno.EIO, r"an error \(Input")],
)
def test_each_call_that_fails_is_a_sentence_and_leaves_no_half_file(
    project: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, call: str, number: int, sentence: str
) -> None:
    def refuse(*_arguments: object, **_named: object) -> int:
        raise OSError(number, os.strerror(number))

    where = Path if call in {"rename", "mkdir"} else os
    with monkeypatch.context() as patch:
        patch.setattr(where, call, refuse)
        if call == "mkdir" and number == errno.EIO:  # the folder is not there
            sentence = "The folder .* is missing"
        with pytest.raises(BackupFailed, match=sentence):
            make_backup(project, folder, Reason.DAILY)
    assert not folder.exists() or names_in(folder) == []
    assert make_backup(project, folder, Reason.DAILY).number == 1


def test_a_folder_that_cannot_be_written_to_is_a_sentence(project: Path, small_disk: SmallDisk) -> None:
    folder = backup_folder(project, small_disk.folder)
    folder.mkdir()
    small_disk.make_read_only()
    with pytest.raises(
        BackupFailed, match=r"The folder .*/The Ferry \(Novels\) backups is read-only\. Allow"
    ):
        make_backup(project, folder, Reason.DAILY)


def test_a_disk_that_is_not_connected_is_a_sentence_and_no_folder_is_made_for_it(
    project: Path, tmp_path: Path
) -> None:
    stick = tmp_path / "media" / "stick"
    with pytest.raises(BackupFailed, match=r"The folder .*stick.* is missing\. Connect its disk"):
        make_backup(project, backup_folder(project, stick), Reason.DAILY)
    assert not stick.parent.exists()


def test_a_disk_that_gives_back_something_else_is_found_out(
    project: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync = os.fsync

    def lose(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            return
        os.lseek(descriptor, os.fstat(descriptor).st_size // 2, os.SEEK_SET)
        os.write(descriptor, bytes(512))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", lose)
    with pytest.raises(BackupFailed, match=r"The copy in .* differs from what was written"):
        make_backup(project, folder, Reason.DAILY)
    assert names_in(folder) == []


def test_a_damaged_project_gives_no_backup(project: Path, folder: Path) -> None:
    damage(project)
    before = project.read_bytes()
    with pytest.raises(ProjectDamaged, match=r"The Ferry.quire is damaged"):
        make_backup(project, folder, Reason.DAILY)
    assert project.read_bytes() == before
    assert names_in(folder) == []


def test_a_file_that_is_no_project_gives_no_backup(tmp_path: Path) -> None:
    other = tmp_path / "other.quire"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE t (a)")
    with pytest.raises(ProjectDamaged, match="header"):
        make_backup(other, backup_folder(other), Reason.DAILY)
    other.write_text("It was a dark and stormy night. " * 100)
    with pytest.raises(StorageProblem):
        make_backup(other, backup_folder(other), Reason.DAILY)
    with pytest.raises(StorageProblem):
        make_backup(tmp_path / "gone.quire", backup_folder(other), Reason.DAILY)
    assert names_in(backup_folder(other)) == []
