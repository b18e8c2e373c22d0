"""The power goes while a project is backed up; a backup that was acknowledged is there and whole.

`cuts` does the same to the project. A backup is written by SQLite, but sealed, synced and named by Quire
itself: its own writes and syncs are written down here too, in the order in which they come.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from quire.domain.manuscript.backup_rotation import Reason
from quire.domain.manuscript.manuscript import Document, Project
from quire.errors import WriterProblem
from quire.services.transactions import project_text
from quire.services.transactions.closed_projects import read_project
from quire.storage.project_file import create_project_file, last_good_backup, open_project_file
from tests.proofs.app.outcome import CheckResult
from tests.proofs.app.power_cut_disk import Disk, Operation, Recording, recorded

NAME = "proof.quire"
OPENING = "It was a dark night."
_BACKUPS = 3


@contextmanager
def with_own_calls(recording: Recording) -> Iterator[None]:
    """Write down the syncs and writes of files that Quire makes itself; inside `recorded`."""
    write, fsync = os.write, os.fsync

    def noted_write(descriptor: int, data: Any) -> int:
        path = _path_of(descriptor)
        place = os.lseek(descriptor, 0, os.SEEK_CUR) if os.path.isfile(path) else 0
        count = write(descriptor, data)
        if os.path.isfile(path):
            recording.note(Operation("write", path, place, bytes(data[:count])))
        return count

    def noted_fsync(descriptor: int) -> None:
        fsync(descriptor)
        if os.path.isfile(path := _path_of(descriptor)):
            recording.note(Operation("sync", path))

    os.write, os.fsync = noted_write, noted_fsync  # type: ignore[assignment]
    try:
        yield
    finally:
        os.write, os.fsync = write, fsync


def _path_of(descriptor: int) -> str:
    return os.readlink(f"/proc/self/fd/{descriptor}")


def record_backups(folder: Path) -> tuple[Recording, Path]:
    """Write to a project and back it up, again and again; return what happened, and the backups' folder."""
    path, recording, texts = folder / NAME, Recording(), dict[str, str]()
    project = Project("Proof", datetime(2026, 1, 1, tzinfo=UTC))
    create_project_file(path, project, Document(1, "Proof", OPENING))
    place = folder
    with recorded(recording), with_own_calls(recording):
        file = open_project_file(path)
        for number in range(_BACKUPS):
            text = OPENING + " Low water." * (200 * number + 1)
            recording.phase = "typing"
            project_text.save_text(file, 1, text)
            recording.phase = "backing up"
            made = file.back_up(Reason.ASKED)
            assert made is not None
            place, texts = made.parent, {**texts, made.name: text}
            recording.acknowledge(texts)
        recording.phase = "closing"
        file.close()
    return recording, place


def backup_cut(recording: Recording, place: Path, at: int, rng: random.Random) -> CheckResult:
    """Cut the power after so many operations and look at the backups that are left."""
    disk = Disk(place)
    for operation in recording.operations[:at]:
        disk.do(operation)
    promised = recording.promised(at) or {}
    assert isinstance(promised, dict)
    phase = recording.phases[min(at, len(recording.phases) - 1)]
    with tempfile.TemporaryDirectory(prefix="quire-cut-") as name:
        left = Path(name).resolve() / place.name
        left.mkdir()
        disk.write_after_cut(left, rng)
        return CheckResult(phase, _what_is_lost(left, promised))


def _what_is_lost(left: Path, promised: dict[str, str]) -> str:
    for name in promised.keys() - {path.name for path in left.iterdir()}:
        return f"{name} is gone"
    for path in sorted(left.iterdir()):
        if path.name.startswith("."):
            continue  # one that was being made, and has no name yet
        try:
            text = read_project(path).text
        except WriterProblem as problem:
            return f"{path.name} has its name and is not whole: {problem}"
        if promised.get(path.name, text) != text:
            return f"{path.name} holds another text"
    if promised and (last_good_backup(left.parent / NAME)) is None:
        return "no backup is good"
    return ""


def backup_cuts(folder: Path, seed: int, number: int) -> Iterator[CheckResult]:
    """Cut the power at so many points of such work."""
    recording, place = record_backups(folder)
    rng = random.Random(seed)
    first = recording.phases.index("backing up")
    for _ in range(number):
        yield backup_cut(recording, place, rng.randint(first, len(recording.operations)), rng)
