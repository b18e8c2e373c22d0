"""What was promised as saved, kept outside the log: a small file beside a project that is worked on.

A log that is damaged ends early, and nothing in it says so. This record says which commit was the last one,
how much had been written by then, and when; so the writer can be told what is missing. It is removed when
the project is closed.
"""

from __future__ import annotations

import contextlib
import os
import struct
import time
import zlib
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from quire.domain.written_time import TimeForm, WrittenTime
from quire.storage.backups import backup_folder, backups_of
from quire.storage.commit_link import CommitLink
from quire.storage.side_files import SideFiles, has_log, kept_copy, link_in_file
from quire_engine.api.atomic_file import sync_folder
from quire_engine.api.user_message import UserMessage, joined

NUM_SLOTS = 1024
"""For the last commits; the log is emptied before it holds more."""
_MAGIC = b"QSAV"
_SLOT = struct.Struct(">4s16sQ16sQQ")
_CRC = struct.Struct(">I")
_SLOT_BYTES = _SLOT.size + _CRC.size
_CHARS_PER_WORD = 5.7
"""In English prose, with the space."""
_FEW = 5


def record_path(project: Path) -> Path:
    """Return the path of a project's record."""
    return project.with_name(f".{project.name}.saved")


@dataclass(frozen=True, slots=True)
class SavedCommit:
    """A commit that was acknowledged. num_chars: written by then, from any start; at: when."""

    project_id: bytes
    sequence: int
    token: bytes
    num_chars: int
    at: datetime

    def pack(self) -> bytes:
        """Return the commit as it is stored."""
        milliseconds = int(self.at.timestamp() * 1000)
        content = _SLOT.pack(_MAGIC, self.project_id, self.sequence, self.token, self.num_chars, milliseconds)
        return content + _CRC.pack(zlib.crc32(content))


class SavedRecord:
    """The record of an open project; made with the first commit, and removed when the project was closed.

    A disk that refuses it is no error: the commits are in the project all the same.
    """

    def __init__(self, project: Path) -> None:
        self._path = record_path(project)
        self._descriptor: int | None = None
        self._num_chars = 0

    def note(self, link: CommitLink, num_chars: int) -> None:
        """Record a commit that has reached the disk, and how many characters it wrote."""
        self._num_chars += num_chars
        now = datetime.fromtimestamp(time.time(), UTC)
        saved = SavedCommit(link.project_id, link.sequence, link.token, self._num_chars, now)
        with contextlib.suppress(OSError):
            descriptor = self._made() if self._descriptor is None else self._descriptor
            os.lseek(descriptor, link.sequence % NUM_SLOTS * _SLOT_BYTES, os.SEEK_SET)
            os.write(descriptor, saved.pack())
            _sync(descriptor)

    def close(self) -> None:
        """Keep the file and let it go."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def _made(self) -> int:
        # of full size at once: later writes change no size, so their syncs write nothing else
        flags = os.O_RDWR | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        descriptor = os.open(self._path, flags, 0o600)
        try:
            os.write(descriptor, bytes(NUM_SLOTS * _SLOT_BYTES))
            _sync(descriptor)
            sync_folder(self._path.parent)
        except OSError:
            os.close(descriptor)
            forget(self._path)
            raise
        self._descriptor = descriptor
        return descriptor


def forget(path: Path) -> None:
    """Delete a record."""
    with contextlib.suppress(OSError):
        path.unlink()


def saved_commits(project: Path) -> tuple[SavedCommit, ...]:
    """Return the commits that a record holds, the last one last; none where there is no record."""
    try:
        content = record_path(project).read_bytes()
    except OSError:
        return ()
    slots = (content[at : at + _SLOT_BYTES] for at in range(0, len(content), _SLOT_BYTES))
    found = [saved for slot in slots if (saved := _unpacked(slot)) is not None]
    return tuple(sorted(found, key=lambda saved: saved.sequence))


def commits_left_elsewhere(project: Path) -> tuple[tuple[SavedCommit, ...], ...]:
    """Return what the records of files hold that are gone: one may have been renamed to this project."""
    records = sorted(project.parent.glob(".*.saved"))
    gone = [one.with_name(one.name.removeprefix(".").removesuffix(".saved")) for one in records]
    return tuple(saved for one in gone if not one.exists() and (saved := saved_commits(one)))


def _unpacked(slot: bytes) -> SavedCommit | None:
    if len(slot) != _SLOT_BYTES or _CRC.unpack(slot[_SLOT.size :]) != (zlib.crc32(slot[: _SLOT.size]),):
        return None
    magic, project_id, sequence, token, num_chars, milliseconds = _SLOT.unpack(slot[: _SLOT.size])
    if magic != _MAGIC:
        return None
    try:
        at = datetime.fromtimestamp(milliseconds / 1000, UTC)
    except (OverflowError, OSError, ValueError):
        return None
    return SavedCommit(project_id, sequence, token, num_chars, at)


def _sync(descriptor: int) -> None:
    # not every system has the one that leaves out times, and not every disk knows either
    (getattr(os, "fdatasync", None) or os.fsync)(descriptor)


# ------------------------------------------------------------ what of it is missing


@dataclass(frozen=True, slots=True)
class Lost:
    """The missing characters, and the time after which they were written."""

    num_chars: int
    since: datetime

    @property
    def num_words(self) -> int:
        """About how many words that is, with two digits."""
        words = round(self.num_chars / _CHARS_PER_WORD)
        unit = int(10 ** max(0, len(str(words)) - 2))
        return round(words / unit) * unit


def lost_notice(path: Path, found: SideFiles, *, keep: bool) -> UserMessage | None:
    """Tell the writer about saved words that are missing; None when none are.

    Nothing is said again of a log that was put aside because another file is in the place of its own.

    Args:
        keep: whether to copy the log before SQLite writes over it.
    """
    if found.notices:
        return None
    saved = saved_commits(path)
    elsewhere = () if saved else commits_left_elsewhere(path)
    if not saved and not elsewhere:
        return None
    last = found.last or link_in_file(path)
    if last is not None and not saved:
        saved = next((one for one in elsewhere if last.token in {commit.token for commit in one}), ())
    lost = _lost(saved, last) if saved else None
    if lost is None:
        return None
    sentences = [_sentence(path, lost)]
    newest = next(iter(backups_of(path, backup_folder(path))), None)
    if newest is not None:
        made = WrittenTime(newest.made)
        sentences.append(UserMessage("The newest backup is from {made}.", made=made))
    if keep and has_log(path):
        sentences.append(UserMessage("The damaged log is kept as {kept}.", kept=kept_copy(path).name))
    return joined(*sentences)


def _lost(saved: tuple[SavedCommit, ...], last: CommitLink | None) -> Lost | None:
    newest = saved[-1]
    if last is None or newest.project_id != last.project_id or newest.sequence <= last.sequence:
        return None
    kept = [commit for commit in saved if commit.sequence <= last.sequence]
    if not kept:  # the log begins with the first commit of the record
        return Lost(newest.num_chars, saved[0].at)
    return Lost(newest.num_chars - kept[-1].num_chars, kept[-1].at)


def _sentence(path: Path, lost: Lost) -> UserMessage:
    since, now = lost.since.astimezone(), datetime.now().astimezone()
    time = WrittenTime(since, TimeForm.TIME if since.date() == now.date() else TimeForm.BOTH)
    if lost.num_words < _FEW:
        return UserMessage(
            "The log of {file} is damaged: changes that were saved since {time} may be missing.",
            file=path.name,
            time=time,
        )
    return UserMessage(
        "The log of {file} is damaged: about {words:,} words that were saved since {time} may be missing.",
        file=path.name,
        words=lost.num_words,
        time=time,
    )
