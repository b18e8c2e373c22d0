"""One Quire at a time on a project, through a lock file beside it."""

from __future__ import annotations

import contextlib
import os
import platform
import re
import sys
from datetime import datetime
from pathlib import Path

from quire.storage.problems import ProjectLocked

_CONTENDED = (BlockingIOError, PermissionError)

if sys.platform == "win32":
    import msvcrt

    # A locked byte cannot be read by anyone else on Windows, so it lies beyond the text.
    _LOCKED_BYTE = 1 << 30

    def _take(descriptor: int) -> None:
        os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
else:
    import fcntl

    def _take(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock_path(project: Path) -> Path:
    """Return the path of a project's lock file."""
    return project.with_name(f".{project.name}.lock")


_HOLDER = re.compile(r"process \d+ on (.+), since (.+)")


class ProjectLock:
    """Held from construction to release(); the system drops it when the process ends in any way.

    A lock file that was left behind holds nothing and blocks nobody: the lock is the system's, the file only
    names its holder.
    """

    def __init__(self, project: Path) -> None:
        self._path = lock_path(project)
        self._descriptor = self._acquire(project)
        with contextlib.suppress(OSError):  # a full disk: the lock holds without naming its holder
            os.ftruncate(self._descriptor, 0)
            os.write(self._descriptor, _whoami().encode())

    def release(self) -> None:
        """Let others open the project."""
        if sys.platform == "win32":  # an open file cannot be deleted there
            os.close(self._descriptor)
            with contextlib.suppress(OSError):
                self._path.unlink()
            return
        with contextlib.suppress(OSError):
            self._path.unlink()
        os.close(self._descriptor)

    def _acquire(self, project: Path) -> int:
        while True:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
            try:
                _take(descriptor)
                if self._is_at_path(descriptor):
                    return descriptor
                os.close(descriptor)  # the holder before us deleted it between our open and our lock
            except _CONTENDED:
                problem = _locked(project.name, *_read(descriptor))
                os.close(descriptor)
                raise problem from None
            except BaseException:
                os.close(descriptor)
                raise

    def _is_at_path(self, descriptor: int) -> bool:
        try:
            return os.path.samestat(os.fstat(descriptor), self._path.stat())
        except FileNotFoundError:
            return False


def _locked(file: str, computer: str, since: str) -> ProjectLocked:
    if not computer:
        return ProjectLocked("{file} is already open in another Quire. Close it there first.", file=file)
    if computer == _computer():
        return ProjectLocked(
            "{file} is already open in another Quire, since {since}. Close it there first.",
            file=file,
            since=since,
        )
    return ProjectLocked(
        "{file} is already open on {computer}, since {since}. Close it there first.",
        file=file,
        computer=computer,
        since=since,
    )


def _computer() -> str:
    return platform.node() or "this computer"


def _whoami() -> str:
    since = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M")
    return f"process {os.getpid()} on {_computer()}, since {since}"


def _read(descriptor: int) -> tuple[str, str]:
    """Return the computer that has it open and since when; today's times without the date."""
    with contextlib.suppress(OSError):
        text = os.read(descriptor, 300).decode(errors="replace").strip()
        if found := _HOLDER.fullmatch(text):
            return found[1], found[2].removeprefix(datetime.now().astimezone().strftime("%Y-%m-%d "))
    return "", ""
