"""A power cut, simulated from what SQLite and the app really did to files.

What was synced is there; of everything since, any sectors may have reached the disk, in any order.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.proofs.app.sqlite_vfs import OK, watched

SECTOR = 512
_LOGS = ("-wal", "-journal")


@dataclass(frozen=True, slots=True)
class Operation:
    """What was done to a file. place: offset of a write or size after a truncation; to: of a rename."""

    kind: str
    path: str
    place: int = 0
    data: bytes = b""
    to: str = ""


class Recording:
    """Everything that happened to files, in order, and after how much of it what was acknowledged.

    phase: of each operation, as the caller named it when it happened.
    """

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self.phases: list[str] = []
        self.acknowledged: list[tuple[int, object]] = []
        self.phase = "making the project"

    def acknowledge(self, what: object) -> None:
        """From here on this must never be lost."""
        self.acknowledged.append((len(self.operations), what))

    def promised(self, num_operations: int) -> object:
        """Return what was acknowledged last before so many operations; None when nothing was."""
        return next((what for at, what in reversed(self.acknowledged) if at <= num_operations), None)

    def note(self, operation: Operation) -> None:
        """Write down an operation."""
        self.operations.append(operation)
        self.phases.append(self.phase)

    # ------------------------------------------------------------ Watcher
    def write(self, path: str, offset: int, data: bytes) -> int:
        """Write down a write."""
        self.note(Operation("write", path, offset, data))
        return OK

    def truncate(self, path: str, size: int) -> int:
        """Write down a truncation."""
        self.note(Operation("truncate", path, size))
        return OK

    def sync(self, path: str) -> int:
        """Write down a sync."""
        self.note(Operation("sync", path))
        return OK

    def delete(self, path: str) -> int:
        """Write down that a file goes."""
        self.note(Operation("delete", path))
        return OK

    def open(self, path: str, *, existed: bool) -> int:
        """Write down that a file comes."""
        if not existed:
            self.note(Operation("create", path))
        return OK

    def lock(self, path: str) -> int:
        """Let it be taken."""
        return OK


@contextmanager
def recorded(recording: Recording) -> Iterator[None]:
    """Write down what SQLite does to files in the block, and what the app renames and syncs itself."""
    rename, fsync = os.rename, os.fsync

    def noted_rename(old: Any, new: Any, **rest: Any) -> None:
        rename(old, new, **rest)
        recording.note(Operation("rename", os.fspath(old), to=os.fspath(new)))

    def noted_fsync(descriptor: int) -> None:
        fsync(descriptor)
        path = os.readlink(f"/proc/self/fd/{descriptor}")
        if os.path.isdir(path):
            recording.note(Operation("sync folder", path))

    os.rename, os.fsync = noted_rename, noted_fsync  # type: ignore[assignment]
    try:
        with watched(recording):
            yield
    finally:
        os.rename, os.fsync = rename, fsync


@dataclass(slots=True)
class _Stored:
    """A file on the simulated disk: what is durable, and what was done to it since."""

    durable: bytearray = field(default_factory=bytearray)
    since: list[Operation] = field(default_factory=list)

    def apply(self, operation: Operation) -> None:
        if operation.kind == "truncate":
            del self.durable[operation.place :]
            self.durable.extend(bytes(operation.place - len(self.durable)))
            return
        end = operation.place + len(operation.data)
        self.durable.extend(bytes(max(0, operation.place - len(self.durable))))
        self.durable[operation.place : end] = operation.data

    def sync(self) -> None:
        for operation in self.since:
            self.apply(operation)
        self.since.clear()

    def after_cut(self, kept: Callable[[], bool]) -> bytes:
        left = _Stored(bytearray(self.durable))
        for operation in self.since:
            for part in _sectors(operation):
                if kept():
                    left.apply(part)
        return bytes(left.durable)


class Disk:
    """The files of one folder as a power cut would leave them."""

    def __init__(self, folder: Path) -> None:
        self._folder = str(folder)
        self._names: dict[str, _Stored] = {}
        self._durable_names: dict[str, _Stored] = {}
        self._renames: list[Operation] = []

    def do(self, operation: Operation) -> None:
        """Take the next operation; those on other folders do not matter."""
        if operation.kind == "sync folder":
            if operation.path == self._folder:
                self._settle(len(self._renames))
            return
        if os.path.dirname(operation.path) != self._folder:
            return
        match operation.kind:
            case "create" | "rename" | "delete":
                _rename(self._names, operation)
                self._renames.append(operation)
            case "sync":
                self._sync(operation.path)
            case _:
                self._names[operation.path].since.append(operation)

    def _sync(self, path: str) -> None:
        stored = self._names[path]
        stored.sync()
        if self._durable_names.get(path) is stored:
            return
        if path.endswith(_LOGS):  # SQLite syncs the folder with the first sync of a new log
            self._settle(len(self._renames))
        elif path not in self._durable_names:  # a new file's name becomes durable with it
            self._durable_names[path] = stored

    def write_after_cut(self, target: Path, rng: random.Random) -> None:
        """Write what a power cut now leaves into a folder."""
        names = dict(self._durable_names)
        for operation in self._renames[: rng.randint(0, len(self._renames))]:  # a journal keeps their order
            _rename(names, operation, self._names)
        share = rng.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        for path, stored in names.items():
            content = stored.after_cut(lambda: rng.random() < share)
            (target / Path(path).name).write_bytes(content)

    def _settle(self, count: int) -> None:
        for operation in self._renames[:count]:
            _rename(self._durable_names, operation, self._names)
        del self._renames[:count]


def _rename(names: dict[str, _Stored], operation: Operation, known: dict[str, _Stored] | None = None) -> None:
    if operation.kind == "delete":
        names.pop(operation.path, None)
    elif operation.kind == "rename":
        if (stored := names.pop(operation.path, None)) is not None:
            names[operation.to] = stored
    elif operation.path not in names:
        names[operation.path] = (known or {}).get(operation.path) or _Stored()


def _sectors(operation: Operation) -> Iterator[Operation]:
    """Yield the sectors of a write, which reach the disk or do not one by one."""
    if operation.kind == "truncate":
        yield operation
        return
    start, data = operation.place, operation.data
    while data:
        length = SECTOR - start % SECTOR
        yield Operation("write", operation.path, start, data[:length])
        start, data = start + length, data[length:]
