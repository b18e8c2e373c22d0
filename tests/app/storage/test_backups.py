from __future__ import annotations

import errno
import os
import shutil
import sqlite3
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.storage import backups
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
from quire.storage.content_digest import content_digest
from quire.storage.format import APPLICATION_ID
from quire.storage.problems import ProjectDamaged, ProjectMissing, StorageProblem
from tests.app.storage.disks import SmallDisk

NOW = datetime(2026, 11, 21, 14, 2, 33, tzinfo=UTC)
on_posix = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX system")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that is not open; the format does not matter to its backups."""
    folder = tmp_path / "Novels"
    folder.mkdir()
    return new_project(folder / "The Ferry.quire")


@pytest.fixture
def folder(project: Path) -> Path:
    return backup_folder(project)


@pytest.fixture
def writer(project: Path) -> Iterator[sqlite3.Connection]:
    """The connection that writes while the project is open."""
    with closing(opened(project)) as connection:
        yield connection


def new_project(path: Path) -> Path:
    with closing(opened(path)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("PRAGMA user_version = 2")
        connection.execute(
            "CREATE TABLE chunk (run INTEGER, start INTEGER, ids BLOB, PRIMARY KEY (run, start))"
        )
        connection.execute("CREATE TABLE note (name TEXT PRIMARY KEY, text) WITHOUT ROWID")
        connection.execute(
            "INSERT INTO note VALUES ('first', 'It was a dark'), ('second', x'00ff'), ('0', 2.5)"
        )
        write(connection, 40)
    return path


def opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def write(connection: sqlite3.Connection, rows: int = 1) -> None:
    """Commit rows of 20,000 bytes, numbered without a gap."""
    connection.execute("BEGIN IMMEDIATE")
    (start,) = connection.execute("SELECT count(*) FROM chunk").fetchone()
    rows_to_write = [(1, row, bytes([row % 256]) * 20_000) for row in range(start, start + rows)]
    connection.executemany("INSERT INTO chunk VALUES (?, ?, ?)", rows_to_write)
    connection.execute("COMMIT")


def rows_of(path: Path) -> int:
    """How many rows are in a file; they are those written first."""
    with closing(sqlite3.connect(path)) as connection:
        starts = [start for (start,) in connection.execute("SELECT start FROM chunk ORDER BY start")]
    assert starts == list(range(len(starts)))
    return len(starts)


def digest_of(path: Path) -> str:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return content_digest(connection)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def damage(path: Path) -> None:
    """Turn over bits in the middle of a backup."""
    content = bytearray(path.read_bytes())
    for place in range(4096, len(content), 4096):
        content[place] ^= 0xFF
    path.chmod(0o644)
    path.write_bytes(content)


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
        f"No backup of The Ferry.quire was made: the disk with {folder} is full. Make room there or choose"
        " another folder; the project itself is safe."
    )
    assert names_in(folder) == []


def test_a_disk_that_gets_full_meanwhile_keeps_no_half_file(
    project: Path, small_disk: SmallDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "ROOM_LEFT", -(1 << 60))  # as where the free room is not known
    with closing(opened(project)) as connection:
        write(connection, 250)
    folder = backup_folder(project, small_disk.folder)
    with pytest.raises(BackupFailed, match=r"the disk with .* is full\. Make room"):
        make_backup(project, folder, Reason.DAILY)
    assert names_in(folder) == []
    small_disk.fill()
    with pytest.raises(BackupFailed, match=r"the disk with .* is full\. Make room"):
        make_backup(project, folder, Reason.DAILY)


@pytest.mark.parametrize("call", ["open", "write", "fsync", "rename", "mkdir"])
@pytest.mark.parametrize(
    ("number", "sentence"),
    [(errno.ENOSPC, "is full"), (errno.EROFS, "nothing can be written"), (errno.EIO, r"refused it \(Input")],
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
            sentence = "there is no folder"
        with pytest.raises(BackupFailed, match=sentence):
            make_backup(project, folder, Reason.DAILY)
    assert not folder.exists() or names_in(folder) == []
    assert make_backup(project, folder, Reason.DAILY).number == 1


def test_a_folder_that_cannot_be_written_to_is_a_sentence(project: Path, small_disk: SmallDisk) -> None:
    folder = backup_folder(project, small_disk.folder)
    folder.mkdir()
    small_disk.make_read_only()
    with pytest.raises(
        BackupFailed, match=r"nothing can be written to .*/The Ferry \(Novels\) backups\. Allow"
    ):
        make_backup(project, folder, Reason.DAILY)


def test_a_disk_that_is_not_connected_is_a_sentence_and_no_folder_is_made_for_it(
    project: Path, tmp_path: Path
) -> None:
    stick = tmp_path / "media" / "stick"
    with pytest.raises(BackupFailed, match=r"there is no folder .*stick.* Connect its disk"):
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
    with pytest.raises(BackupFailed, match=r"what was read back from .* is not what was written"):
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
    with pytest.raises(ProjectMissing, match="There is no backup"):
        restore(folder / "gone.quire", project)
    with pytest.raises(BackupFailed, match=r"The Ferry.quire was not restored: there is no folder .*gone"):
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
    "change",
    [
        "UPDATE note SET text = 'It was a dark ' WHERE name = 'first'",
        "UPDATE note SET text = CAST(text AS BLOB) WHERE name = 'first'",
        "UPDATE note SET text = NULL WHERE name = 'first'",
        "UPDATE note SET text = '2.5' WHERE name = '0'",
        "UPDATE note SET name = 'third' WHERE name = 'second'",
        "UPDATE chunk SET start = 1000 WHERE start = 3",
        "DELETE FROM chunk WHERE start = 39",
        "CREATE TABLE other (a)",
        "CREATE INDEX other ON chunk (ids)",
        "PRAGMA user_version = 3",
        "PRAGMA application_id = 3",
    ],
)
def test_the_digest_tells_every_change(writer: sqlite3.Connection, change: str) -> None:
    before = content_digest(writer)
    writer.execute(change)
    assert content_digest(writer) != before


def test_the_digest_does_not_depend_on_where_the_pages_lie(writer: sqlite3.Connection) -> None:
    before = content_digest(writer)
    write(writer, 20)
    writer.execute("DELETE FROM chunk WHERE start >= 40")
    writer.execute("VACUUM")
    assert content_digest(writer) == before
    assert writer.execute("SELECT text FROM note WHERE name = 'first'").fetchone() == ("It was a dark",)


def test_the_digest_reads_tables_of_any_name(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "odd.db", isolation_level=None)) as connection:
        connection.execute('CREATE TABLE "a ""b"" ⛴" ("rowid" TEXT, "_rowid_" INTEGER, "select" REAL)')
        connection.execute('CREATE TABLE "table" (id INTEGER PRIMARY KEY AUTOINCREMENT, t TEXT)')
        connection.execute("INSERT INTO \"table\" (t) VALUES (CAST(x'ff' AS TEXT))")  # text that is no text
        first = content_digest(connection)
        connection.execute('INSERT INTO "a ""b"" ⛴" VALUES (\'x\', 1, 2.0)')
        assert content_digest(connection) != first


@pytest.mark.parametrize(
    ("one", "other"), [("a:1", "a_1"), ("\u041f" * 80 + "1", "\u041f" * 80 + "2"), ("a.", "a")]
)
def test_projects_with_names_alike_have_folders_of_their_own(tmp_path: Path, one: str, other: str) -> None:
    folders = {backup_folder(tmp_path / f"{name}.quire") for name in (one, other)}
    assert len(folders) == 2
