"""What lies beside a project: SQLite's log and its journal, looked at before SQLite opens the file.

SQLite replays a log, or rolls back a journal, into whatever file has the right name: a new project under the
name of a deleted one, or a copy that was put over the file. Here each is compared with the file first. What
belongs to another file is moved aside under a plain name, and never deleted.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from pathlib import Path

from quire.storage.commit_link import LINK_BYTES, CommitLink, links_in
from quire.storage.problems import ProjectDamaged, damaged
from quire.storage.tables import SCHEMA_VERSION
from quire.storage.write_ahead_log import WriteAheadLog, read_log
from quire_engine.api.atomic_file import sync_folder
from quire_engine.api.user_message import UserMessage

SIDE_FILES = ("-wal", "-shm", "-journal")
_SQLITE = b"SQLite format 3\0"
_HEADER_BYTES = 100
_SEALED = b"\1\1"
"""At byte 18 of the header: no log was in use. All backups have it, and no project that somebody works on."""
_CHUNK = 1024 * 1024


@dataclass(frozen=True, slots=True)
class SideFiles:
    """What was found beside a project, and done.

    Attributes:
        uses_log: whether SQLite is to read the log.
        last: the last link in a log that is used; None when there is none.
        notices: for the writer.
    """

    uses_log: bool = False
    last: CommitLink | None = None
    notices: tuple[UserMessage, ...] = ()


def side_file(path: Path, suffix: str) -> Path:
    """Return the path of a side file."""
    return path.with_name(path.name + suffix)


def has_log(path: Path) -> bool:
    """Return whether a log with content is beside the project: it was not closed properly."""
    return _size(side_file(path, "-wal")) > 0


def has_journal(path: Path) -> bool:
    """Return whether a journal is beside the project: switching it to a log was interrupted."""
    return _size(side_file(path, "-journal")) > 0


def has_any(path: Path) -> bool:
    """Return whether there is anything that SQLite would take for the file's own."""
    return any(os.path.lexists(side_file(path, suffix)) for suffix in SIDE_FILES)


def looked_at(path: Path) -> SideFiles:
    """Return what is beside a project that is only read; nothing is changed. Nobody may have it open."""
    if not has_log(path):
        return SideFiles()
    log = _log_of(path)
    if not _belongs(path, log):
        return SideFiles(notices=(_unused(path),))
    return SideFiles(True, log.last)


def settled(path: Path) -> SideFiles:
    """Move aside what does not belong to a project.

    The caller has the project locked, and nobody has it open.
    """
    notices: list[UserMessage] = []
    if has_journal(path) and not journal_belongs(path):
        notices.append(_moved(path, side_file(path, "-journal"), "old journal"))
    if not has_log(path):
        return SideFiles(notices=tuple(notices))
    log = _log_of(path)
    if not _belongs(path, log):
        notices.append(_moved(path, side_file(path, "-wal"), "old log"))
        return SideFiles(notices=tuple(notices))
    return SideFiles(True, log.last, tuple(notices))


def copied(path: Path, copy: Path) -> None:
    """Copy a project, and of what is beside it only what belongs to it; nobody may have it open."""
    shutil.copyfile(path, copy)
    with contextlib.suppress(ProjectDamaged):
        found = looked_at(path)
        if found.uses_log:
            shutil.copyfile(side_file(path, "-wal"), side_file(copy, "-wal"))
        if has_journal(path) and journal_belongs(path):
            shutil.copyfile(side_file(path, "-journal"), side_file(copy, "-journal"))


def cleared(path: Path) -> tuple[UserMessage, ...]:
    """Move aside everything that another project of this name left behind; a new one gets the name."""
    kinds = (("-wal", "old log"), ("-journal", "old journal"))
    notices = [
        _moved(path, side_file(path, suffix), kind)
        for suffix, kind in kinds
        if _size(side_file(path, suffix)) > 0
    ]
    for suffix in SIDE_FILES:
        side_file(path, suffix).unlink(missing_ok=True)
    return tuple(notices)


def journal_belongs(path: Path) -> bool:
    """Return whether a journal is of this file; tried on a copy."""
    return _continues(path, "-journal")


def kept_copy(path: Path) -> Path:
    """Copy a project's log before SQLite writes over it, and return the copy."""
    copy = _free_name(path, "damaged log")
    shutil.copyfile(side_file(path, "-wal"), copy)
    _sync_file(copy)
    sync_folder(copy.parent)
    return copy


def link_in_file(path: Path) -> CommitLink | None:
    """Return the last link in a file itself; past SQLite, which may not be able to read the file.

    Nothing in this process may have the file open.
    """
    last: CommitLink | None = None
    for content in _chunks(path):
        for link in links_in(content):
            last = link if last is None or link.sequence > last.sequence else last
    return last


def left_elsewhere(path: Path) -> Path | None:
    """Return the log that was left behind when a project which was not closed got another name; None if none.

    It lies beside no file, it continues this one, and it has later commits.
    """
    link = None
    for log in sorted(path.parent.glob("*-wal")):
        if log.with_name(log.name.removesuffix("-wal")).exists() or _size(log) == 0:
            continue
        link = link or link_in_file(path)
        found = read_log(log)
        if link is None or found is None or not found.links or _header_of(path)[18:20] == _SEALED:
            continue
        tokens = [found.links[0].previous, *(one.token for one in found.links)]
        if link.token in tokens[:-1]:
            return log
    return None


def left_notice(path: Path, log: Path) -> UserMessage:
    """Return what to say of a log that was left behind."""
    return UserMessage(
        "{file} was renamed without its log, {log}, which holds the last words that were saved. To have them "
        "back, rename {log} to {file}-wal; to do without them, move it to another folder.",
        file=path.name,
        log=log.name,
    )


# ---------------------------------------------------------------- whose is it?
def _belongs(path: Path, log: WriteAheadLog) -> bool:
    """Return whether a log continues a file.

    Its first commit names the one before it, which is the file's last one. The file may also have a commit of
    the log itself, when moving it into the file was interrupted. A backup that was put over the file says
    that no log is in use.
    """
    header, link = _header_of(path), link_in_file(path)
    if not header.startswith(_SQLITE):
        if log.named:
            raise damaged(path, "it was cut short or overwritten")
        return True  # no project at all; SQLite says so, and changes nothing
    if not log.transactions:
        return link is None or not log.named or link.project_id in log.named
    if link is None or (not log.links and log.format > SCHEMA_VERSION):
        return log.format > SCHEMA_VERSION or _continues(path, "-wal")
    if not log.links or header[18:20] == _SEALED:
        return False
    return link.token in {log.links[0].previous, *(other.token for other in log.links)}


def _continues(path: Path, suffix: str) -> bool:
    """Return whether a file that knows no links is still the same project with a log; tried on a copy."""
    with tempfile.TemporaryDirectory(prefix="quire-") as folder:
        alone, whole = Path(folder) / "alone.quire", Path(folder) / "whole.quire"
        for copy in (alone, whole):
            shutil.copyfile(path, copy)
        shutil.copyfile(side_file(path, suffix), side_file(whole, suffix))
        before, after = _identity(alone), _identity(whole)
    if before is None or after is None:
        return before is None
    return before[0] == after[0] and (suffix == "-journal" or before[1] <= after[1])


def _identity(path: Path) -> tuple[str, int] | None:
    """Return when a project was made and how often it was changed; None when SQLite cannot read it."""
    with contextlib.suppress(sqlite3.Error), closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            return None
        if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'project'").fetchone() is None:
            return "", 0
        cursor = connection.execute("SELECT * FROM project")
        names, row = [column[0] for column in cursor.description], cursor.fetchone()
        values = dict(zip(names, row or (), strict=bool(row)))
        revision = values.get("revision", 0)
        return str(values.get("created", "")), revision if isinstance(revision, int) else 0
    return None


def _header_of(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_HEADER_BYTES)


def _chunks(path: Path) -> Iterator[bytes]:
    """Yield the parts of a file, each with the end of the one before."""
    end = b""
    with path.open("rb") as file:
        while part := file.read(_CHUNK):
            yield end + part
            end = (end + part)[-LINK_BYTES + 1 :]


def _log_of(path: Path) -> WriteAheadLog:
    log = read_log(side_file(path, "-wal"))
    return WriteAheadLog(b"", 0, (), 0, frozenset()) if log is None else log


# ---------------------------------------------------------------- moving aside
def _moved(path: Path, side: Path, kind: str) -> UserMessage:
    kept = _free_name(path, kind)
    side.rename(kept)
    if side.name.endswith("-wal"):
        side_file(path, "-shm").unlink(missing_ok=True)  # an index of the log, worth nothing without it
    sync_folder(path.parent)
    return UserMessage(
        "The log beside {file} belonged to another project, or to another copy of this one. It was not used; "
        "it is kept as {kept}.",
        file=path.name,
        kept=kept.name,
    )


def _unused(path: Path) -> UserMessage:
    return UserMessage(
        "The log beside {file} belongs to another project, or to another copy of this one. It was not used.",
        file=path.name,
    )


def _free_name(path: Path, kind: str) -> Path:
    date = datetime.now().astimezone().strftime("%Y-%m-%d")
    for number in count(1):
        numbered = f", {number}" if number > 1 else ""
        found = path.with_name(f"{path.stem} ({kind} {date}{numbered}).quire-log")
        if not os.path.lexists(found):
            return found
    raise AssertionError("unreachable")


def _sync_file(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
