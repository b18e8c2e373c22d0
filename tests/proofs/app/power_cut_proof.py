"""Nothing acknowledged is lost in a power cut at any point of a writer's day."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from quire.errors import WriterProblem
from quire.storage import connection
from tests.proofs.app.old_project import SAMPLE, make_old_project
from tests.proofs.app.power_cut_disk import Disk, Operation, Recording, recorded
from tests.proofs.app.writer_day import Acknowledged, a_day, found, lost

NAME = "proof.quire"


@dataclass(frozen=True, slots=True)
class Cut:
    """One simulated power cut. at: operations that had been done. wrong: empty when nothing was lost."""

    at: int
    phase: str
    wrong: str


@contextmanager
def synchronous_normal() -> Iterator[None]:
    """Let commits return before they have reached the disk: the control that must lose something."""
    pragmas = connection.WRITER_PRAGMAS
    before = pragmas["synchronous"]
    pragmas["synchronous"] = 1
    try:
        yield
    finally:
        pragmas["synchronous"] = before


def record_a_day(folder: Path, seed: int) -> Recording:
    """Do a day's work on a real disk, and return everything that happened to its files."""
    recording = Recording()

    def phase(name: str) -> None:
        recording.phase = name

    with recorded(recording):
        a_day(folder / NAME, seed, recording.acknowledge, phase)
    return recording


def record_an_upgrade(folder: Path, _seed: int = 0) -> Recording:
    """Open a project of an earlier format, which is migrated to the current one."""
    recording = Recording()
    path = folder / NAME
    make_old_project(path)
    for operation in (
        Operation("create", str(path)), Operation("write", str(path), 0, path.read_bytes()),
        Operation("sync", str(path)), Operation("sync folder", str(folder)),
    ):  # fmt: skip
        recording.note(operation)
    whole = folder / "whole.quire"
    shutil.copyfile(SAMPLE, whole)
    before = found(whole)
    recording.acknowledge(before)
    recording.phase = "bringing it to the present format"
    with recorded(recording):
        found(path)
        recording.acknowledge(before)
        recording.phase = "opening"
        found(path)
    return recording


def cut(recording: Recording, folder: Path, at: int, rng: random.Random) -> Cut:
    """Cut the power after so many operations, open what is left, compare it with what was acknowledged."""
    disk = Disk(folder)
    for operation in recording.operations[:at]:
        disk.do(operation)
    promised = recording.promised(at)
    assert promised is None or isinstance(promised, Acknowledged)
    phase = recording.phases[min(at, len(recording.phases) - 1)]
    with tempfile.TemporaryDirectory(prefix="quire-cut-") as left:
        disk.write_after_cut(Path(left), rng)
        path = Path(left) / NAME
        there: Acknowledged | None = None
        problem = ""
        if path.exists():
            try:
                there = found(path)
            except WriterProblem as error:
                problem = str(error) if promised is not None else ""
    missing = problem or lost(promised, there) or _text_lost(recording, at, promised, there)
    return Cut(at, phase, missing)


def _text_lost(
    recording: Recording, at: int, promised: Acknowledged | None, there: Acknowledged | None
) -> str:
    """What is there must be what was acknowledged last, or what was being stored when the power went."""
    if promised is None or there is None:
        return ""
    later = [
        what.text for place, what in recording.acknowledged if place > at and isinstance(what, Acknowledged)
    ][:1]
    return "" if there.text in (promised.text, *later) else "the text is another one"


def cuts(recording: Recording, folder: Path, seed: int, number: int) -> Iterator[Cut]:
    """Cut the power at so many points of the day, each time with other sectors on the disk."""
    rng = random.Random(seed)
    for _ in range(number):
        yield cut(recording, folder, rng.randint(0, len(recording.operations)), rng)
