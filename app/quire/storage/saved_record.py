"""What was promised as saved, kept outside the log: a small file beside a project that is worked on.

A log that is damaged ends early, and nothing in it says so. This record says which commit was the last one,
how much had been written by then, and when. It is removed when the project is closed.
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

from quire.storage.commit_link import CommitLink
from quire_engine.api.atomic_file import sync_folder

NUM_SLOTS = 1024
"""For the last commits; the log is emptied before it holds more."""
_MAGIC = b"QSAV"
_SLOT = struct.Struct(">4s16sQ16sQQ")
_CRC = struct.Struct(">I")
_SLOT_BYTES = _SLOT.size + _CRC.size


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
