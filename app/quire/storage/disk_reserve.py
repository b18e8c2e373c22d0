"""A file beside an open project that is deleted when the disk is full.

Its space is then free for the little that must be stored: how a run ended, and its last words.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

SIZE = 1024 * 1024
"""In bytes; the record of a pause needs a few pages."""


def ballast_path(project: Path) -> Path:
    """Return the path of a project's disk reserve."""
    return project.with_name(f".{project.name}.spare")


class Ballast:
    """Created with the object, if there is space; kept until release() or remove().

    It is optional, so a disk that refuses it is no error. One that a killed process left is reused. The
    caller has the project locked.
    """

    def __init__(self, project: Path) -> None:
        self._path = ballast_path(project)
        self.make()

    @property
    def held(self) -> bool:
        """Whether it is there."""
        return self._is_whole()

    def make(self) -> bool:
        """Create it, also again when there is space; return whether it is there now."""
        if self._is_whole():
            return True
        try:
            self._delete()
            self._write()
        except OSError:
            self.remove()
            return False
        return True

    def release(self) -> bool:
        """Delete it to free its space; return whether there was any."""
        try:
            held = self._path.stat(follow_symlinks=False).st_size > 0
            self._delete()
        except OSError:
            return False
        return held

    def remove(self) -> None:
        """Leave nothing behind when the project is closed."""
        with contextlib.suppress(OSError):
            self._delete()

    def _is_whole(self) -> bool:
        try:
            found = self._path.stat(follow_symlinks=False)
        except OSError:
            return False
        # where blocks are not counted, as on Windows, the size must do
        allocated = getattr(found, "st_blocks", SIZE // 512) * 512
        return stat.S_ISREG(found.st_mode) and found.st_size == SIZE and allocated >= SIZE

    def _write(self) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        descriptor = os.open(self._path, flags, 0o600)
        try:
            # incompressible, so that no disk can store it in less space
            content = memoryview(os.urandom(SIZE))
            while content:
                content = content[os.write(descriptor, content) :]
            os.fsync(descriptor)  # some disks report only now that they are full
        finally:
            os.close(descriptor)

    def _delete(self) -> None:
        if self._path.is_file() and not self._path.is_symlink():
            # some disks need space to delete a file, but not to truncate it
            with contextlib.suppress(OSError):
                os.truncate(self._path, 0)
        self._path.unlink(missing_ok=True)
