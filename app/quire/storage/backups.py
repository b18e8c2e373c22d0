"""Copies of a project that are known to be good: made in the background, rotated, and restored."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import sqlite3
import stat
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from quire.domain.manuscript.backup_rotation import Backup as Backup
from quire.domain.manuscript.backup_rotation import Reason as Reason
from quire.domain.manuscript.backup_rotation import superseded
from quire.storage import connection as writers
from quire.storage.content_digest import content_digest
from quire.storage.problems import (
    DiskFull,
    ProjectMissing,
    ProjectReadOnly,
    StorageProblem,
    as_user_message,
    damaged,
)
from quire.storage.side_files import SIDE_FILES, has_any, has_journal, looked_at
from quire.storage.tables import APPLICATION_ID
from quire_engine.api.atomic_file import sync_folder
from quire_engine.api.user_message import UserMessage

Progress = Callable[[float], None]
"""Told how much of the work is done, from 0 to 1, often; an exception that it raises cancels the work."""

ROOM_LEFT = 16 * 1024 * 1024
"""A backup leaves so many bytes of its disk free: the project may live there too."""

PAGES_PER_STEP = 1024
"""Between two reports on the progress of a copy."""

_LOOKED_AT = 10
_NAME_BYTES = 110
"""Of a name in another one, which may have 255 in all."""
_TIME_FORMAT = "%Y-%m-%d %H.%M.%S"
_NAME = re.compile(
    r"(?P<made>\d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d) \(backup (?P<number>\d{1,9}), (?P<reason>[a-z ]+)\)"
    r"(?P<suffix>\..*|)",
    re.ASCII,
)
_BACKUP = re.compile(rf"(?P<stem>.+) {_NAME.pattern}", re.ASCII)
_RESTORED = re.compile(r" \(restored \d{4}-\d\d-\d\d(, \d+)?\)$")


class BackupFailed(StorageProblem):
    """A copy could not be made; the original is unchanged, and no part of a copy is left."""


def plain_name(stem: str) -> str:
    """Return a project's name as every disk accepts it: Windows refuses some characters and endings."""
    whole = unicodedata.normalize("NFC", stem)
    stem = re.sub(r'[<>:"/\\|?*\x00-\x1f]', "_", whole)
    stem = stem.encode(errors="replace")[:_NAME_BYTES].decode(errors="ignore").rstrip(". ")
    if stem == whole:
        return stem
    # keeps two names apart that would become one
    return f"{stem} {hashlib.sha256(whole.encode(errors='replace')).hexdigest()[:8]}".lstrip()


def backup_folder(project: Path, chosen: Path | None = None) -> Path:
    """Return the folder for a project's backups: beside the project, or in a folder that the writer chose.

    A chosen folder may hold the backups of several projects. Those of the same name are distinguished by the
    folders of the projects: rotation must not mix them.
    """
    if chosen is None:
        return project.with_name(f"{plain_name(project.stem)} backups")
    return chosen / f"{plain_name(project.stem)} ({plain_name(project.parent.name)}) backups"


def backup_name(project: Path, made: datetime, number: int, reason: Reason) -> str:
    """Return the name of a backup's file, with the local time; a file manager sorts such names by time."""
    local = made.astimezone().strftime(_TIME_FORMAT)
    return f"{plain_name(project.stem)} {local} (backup {number}, {reason.value}){project.suffix}"


def make_backup(
    project: Path,
    folder: Path,
    reason: Reason,
    *,
    now: datetime | None = None,
    progress: Progress | None = None,
) -> Backup:
    """Copy a project, and check the copy, while it may be open and written to; the project is not changed.

    The caller has the project locked. The copy is one file, which opens on read-only media, and is marked as
    read-only so that nobody writes a chapter into it. BackupFailed when the copy cannot be made;
    ProjectDamaged when the project is damaged, and so no backup.

    Args:
        now: in UTC.
    """
    made = (now or datetime.now(UTC)).astimezone(UTC).replace(microsecond=0)  # as its name says it
    work = _Work(
        UserMessage("{file} was not backed up; the project itself is safe.", file=project.name), folder
    )
    with work.told():
        if not folder.is_dir():
            folder.mkdir()  # not its parents: where a disk is not connected they would be made on another
            sync_folder(folder.parent)
        number = max((backup.number for backup in backups_of(project, folder)), default=0) + 1
        path = folder / backup_name(project, made, number, reason)
    _copy(project, path, work, made, progress)
    with work.told():
        return Backup(path, number, made, reason, path.stat().st_size)


def backups_of(project: Path, folder: Path) -> tuple[Backup, ...]:
    """Return the backups of a project, the newest first; only names and sizes are read.

    Files with other names, such as those that the writer renamed, do not count.
    """
    with as_user_message(folder):
        try:
            entries = list(os.scandir(folder))
        except (FileNotFoundError, NotADirectoryError):
            return ()
        found = [_backup(project, entry, folder) for entry in entries]
    return tuple(sorted(filter(None, found), key=lambda backup: backup.number, reverse=True))


def original_of(path: Path) -> tuple[Path, datetime] | None:
    """Return which project a file is a backup of, and when it was made; None for a file of another name."""
    match = _BACKUP.fullmatch(unicodedata.normalize("NFC", path.name))
    if match is None:
        return None
    try:
        made = datetime.strptime(match["made"], _TIME_FORMAT).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    folder = path.parent
    home = folder.parent if folder.name == f"{match['stem']} backups" else folder
    return home / f"{match['stem']}{match['suffix']}", made


def last_good(project: Path, folder: Path, *, check: Callable[[Path], object] | None = None) -> Backup | None:
    """Return the newest good backup; None when none of the last ten is good.

    Args:
        check: checks a copy more closely and raises StorageProblem when something is wrong.
    """
    for backup in backups_of(project, folder)[:_LOOKED_AT]:
        with contextlib.suppress(StorageProblem), as_user_message(backup.path):
            _check(backup.path)
            if check is not None:
                check(backup.path)
            return backup
    return None


def rotate(
    project: Path,
    folder: Path,
    *,
    now: datetime | None = None,
    check: Callable[[Path], object] | None = None,
) -> tuple[Backup, ...]:
    """Delete the backups that newer ones replace, and return them.

    Kept are those with later work in them, those that cannot be deleted, and all if no good one is left.

    Args:
        check: as in last_good.
    """
    now, backups = now or datetime.now(UTC), backups_of(project, folder)
    if not backups or not superseded(backups, now, backups[0]):
        return ()  # without checking the copies
    gone = superseded(backups, now, last_good(project, folder, check=check))
    deleted: list[Backup] = []
    for backup in gone:
        with contextlib.suppress(OSError):
            if not _worked_on(backup):
                _delete(backup.path)
                deleted.append(backup)
    return tuple(deleted)


def is_due(
    project: Path,
    newest: Backup | None,
    *,
    now: datetime,
    every: timedelta = timedelta(0),
    revision: Callable[[sqlite3.Connection], object] | None = None,
) -> bool:
    """Return whether a backup is due: the last one is old enough, and something changed since.

    A backup from the future counts as old: the clock was wrong once.

    Args:
        revision: returns from a connection a value that differs after every change, such as a counter;
            without it all content is compared, which takes about a second for 200 MB.
    """
    if newest is None:
        return True
    if timedelta(0) <= now - newest.made < every:
        return False
    revision = revision or content_digest
    try:
        with reading(newest.path) as copy, reading(project, is_settled=True) as original:
            if revision(copy) != revision(original):
                return True
            # another project may have had this name, or an older copy been put back: counters start again
            return revision is not content_digest and content_digest(copy) != content_digest(original)
    except (sqlite3.Error, OSError):  # a damaged backup, or one of another format
        return True


def restore(
    backup: Path, project: Path, *, now: datetime | None = None, progress: Progress | None = None
) -> Path:
    """Copy a backup to a new project beside the original, which is not touched; return its path."""
    work = _Work(
        UserMessage("{file} was not restored; the backup is unchanged.", file=project.name), project.parent
    )
    with as_user_message(backup):
        if not backup.is_file():
            raise ProjectMissing("The backup {backup} doesn't exist. Choose another one.", backup=backup)
    with work.told():
        path = _free_name(project, (now or datetime.now(UTC)).astimezone())
    _copy(backup, path, work, None, progress)
    return path


@dataclass(frozen=True, slots=True)
class _Work:
    """A copy in progress, and its error messages."""

    failure: UserMessage
    folder: Path

    def failed(self, because: UserMessage) -> BackupFailed:
        return BackupFailed("{failure} {because}", failure=self.failure, because=because)

    def full(self) -> BackupFailed:
        return self.failed(
            UserMessage(
                "The disk with {folder} is full. Free some space, or choose another folder.",
                folder=self.folder,
            )
        )

    def refused(self, cause: object) -> BackupFailed:
        if not self.folder.is_dir():
            return self.failed(
                UserMessage(
                    "The folder {folder} is missing. Connect its disk, or choose another folder.",
                    folder=self.folder,
                )
            )
        return self.failed(
            UserMessage(
                "The disk with {folder} reported an error ({cause}). Check the disk, or choose "
                "another folder.",
                folder=self.folder,
                cause=cause,
            )
        )

    @contextmanager
    def told(self) -> Iterator[None]:
        """Turn errors of the target disk into BackupFailed."""
        try:
            with as_user_message(self.folder):
                yield
        except BackupFailed:
            raise
        except DiskFull as problem:
            raise self.full() from problem
        except ProjectReadOnly as problem:
            raise self.failed(
                UserMessage(
                    "The folder {folder} is read-only. Allow writing there, or choose another folder.",
                    folder=self.folder,
                )
            ) from problem
        except StorageProblem as problem:
            cause = getattr(problem.__cause__, "strerror", None) or problem.__cause__
            raise self.refused(cause) from problem


def _copy(source: Path, target: Path, work: _Work, made: datetime | None, progress: Progress | None) -> None:
    """Make a checked copy of a database; it is on the disk when it appears under its name.

    Args:
        made: for a copy that stays as it is; None for one to work on.
    """
    part, report = target.with_name(f".{plain_name(source.stem)}.part"), progress or _ignore
    with work.told():
        _delete(part)  # of a copy that a power cut interrupted
    try:
        with as_user_message(source), reading(source, is_settled=made is not None) as original:
            # the transaction lasts over digest and copy: both are of the state that it found first, and
            # what others commit meanwhile neither changes them nor makes the copy start again
            original.execute("BEGIN")
            digest = content_digest(original, _share(original, report, 0.0, 0.3))
            with work.told():
                _refuse_without_room(original, work)
                _write(original, part, report)
        with work.told():
            _seal(part, stat.S_IMODE(source.stat().st_mode), made)
            with reading(part) as copy:
                if content_digest(copy, _share(copy, report, 0.6, 0.9)) != digest:
                    raise work.failed(
                        UserMessage(
                            "The copy in {folder} differs from what was written. Choose a folder on "
                            "another disk.",
                            folder=work.folder,
                        )
                    )
        with as_user_message(source):
            _check(part, source)
        report(1.0)
        with work.told():
            part.rename(target)
            sync_folder(target.parent)
    finally:
        with contextlib.suppress(OSError):
            _delete(part)


def copy_open(original: sqlite3.Connection, part: Path, name: Path) -> None:
    """Copy what an open connection sees, wherever its file is now; check the copy, which gets a name."""
    original.execute("BEGIN")
    try:
        digest = content_digest(original)
        _write(original, part, _ignore)
    finally:
        original.execute("ROLLBACK")
    _seal(part, 0o644, None)
    with reading(part) as copy:
        if content_digest(copy) != digest:
            raise damaged(name, "the copy differs from what was written")
    _check(part, name)


def _write(original: sqlite3.Connection, part: Path, report: Progress) -> None:
    def step(_status: int, remaining: int, total: int) -> None:
        report(0.3 + 0.3 * (1 - remaining / max(total, 1)))

    # nolock: no other process knows the file, and some network drives have no locks
    with closing(
        sqlite3.connect(f"{part.as_uri()}?mode=rwc&nolock=1", uri=True, isolation_level=None)
    ) as copy:
        copy.execute("PRAGMA journal_mode = OFF")  # a copy that fails is deleted
        copy.execute("PRAGMA synchronous = OFF")  # _seal does it once
        original.backup(copy, pages=PAGES_PER_STEP, progress=step)


def _seal(part: Path, mode: int, made: datetime | None) -> None:
    """Flush a copy to the disk, as one file that needs no other beside it."""
    descriptor = os.open(part, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        # bytes 18 and 19 of the header: 1 means a rollback journal, 2 a write-ahead log, which SQLite
        # cannot open where it may not make files; PRAGMA journal_mode would need locks and shared memory
        os.lseek(descriptor, 18, os.SEEK_SET)
        os.write(descriptor, b"\1\1")
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    with contextlib.suppress(OSError):  # some disks know no such marks
        part.chmod(mode | 0o600 if made is None else (mode | 0o400) & ~0o222)
    if made is not None:
        with contextlib.suppress(OSError, OverflowError):
            os.utime(part, (made.timestamp(), made.timestamp()))


@contextmanager
def reading(path: Path, *, is_settled: bool = False) -> Iterator[sqlite3.Connection]:
    """Open a connection that cannot change the file; it sees what is still in the write-ahead log.

    Args:
        is_settled: the log beside it, if there is one, is its own; the file may be open.
    """
    # without such files nobody has it open, and SQLite would leave some behind
    alone = not has_any(path) or not (is_settled or has_journal(path) or looked_at(path).uses_log)
    uri = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if alone else ''}"
    patience_s = writers.BUSY_TIMEOUT_MS / 1000
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None, timeout=patience_s)) as connection:
        for pragma in ("query_only = ON", "trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
            connection.execute(f"PRAGMA {pragma}").fetchall()
        yield connection


def _check(path: Path, original: Path | None = None) -> None:
    """Refuse a file that is no sound project; ProjectDamaged names the original."""
    with reading(path) as copy:
        if copy.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise damaged(original or path, "its header is not a project's")
        if copy.execute("PRAGMA user_version").fetchone()[0] < 1:
            raise damaged(original or path, "its header names no format")
        (verdict,) = copy.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise damaged(original or path, str(verdict))


def _refuse_without_room(original: sqlite3.Connection, work: _Work) -> None:
    if shutil.disk_usage(work.folder).free < _size(original) + ROOM_LEFT:
        raise work.full()


def _size(connection: sqlite3.Connection) -> int:
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (page_size,) = connection.execute("PRAGMA page_size").fetchone()
    return int(pages) * int(page_size)


def _share(
    connection: sqlite3.Connection, report: Progress, start: float, end: float
) -> Callable[[int], None]:
    """Return what turns bytes of rows into a part of the whole work."""
    size = max(_size(connection), 1)
    return lambda done: report(start + (end - start) * min(1.0, done / size))


def _ignore(_share: float) -> None:
    pass


def _backup(project: Path, entry: os.DirEntry[str], folder: Path) -> Backup | None:
    """Parse the name of a file; None when it is not one that backup_name returns."""
    name = unicodedata.normalize("NFC", entry.name)
    start = f"{plain_name(project.stem)} "
    match = _NAME.fullmatch(name.removeprefix(start)) if name.startswith(start) else None
    if match is None or match["suffix"] != project.suffix or not entry.is_file(follow_symlinks=False):
        return None
    try:
        made = datetime.strptime(match["made"], _TIME_FORMAT).astimezone(UTC)
        size = entry.stat(follow_symlinks=False).st_size
        return Backup(folder / entry.name, int(match["number"]), made, Reason(match["reason"]), size)
    except (ValueError, OverflowError, OSError):  # no such day, no such reason, or deleted meanwhile
        return None


def _free_name(project: Path, local: datetime) -> Path:
    stem = _RESTORED.sub("", project.stem)
    for number in count(1):
        numbered = f", {number}" if number > 1 else ""
        path = project.with_name(f"{stem} (restored {local:%Y-%m-%d}{numbered}){project.suffix}")
        # the log of a deleted project would be taken for the new one's
        if not os.path.lexists(path) and not has_any(path):
            return path
    raise AssertionError("unreachable")


def _worked_on(backup: Backup) -> bool:
    """Return whether a backup was opened and worked on; two days cover any shift of time zones."""
    written = datetime.fromtimestamp(backup.path.stat().st_mtime, UTC)
    log = backup.path.with_name(f"{backup.path.name}-wal")
    return log.exists() or written - backup.made > timedelta(days=2)


def _delete(path: Path) -> None:
    if sys.platform == "win32" and path.exists():  # a file marked as read-only cannot be deleted there
        path.chmod(0o600)
    for suffix in ("", *SIDE_FILES):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
