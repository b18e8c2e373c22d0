"""Project files that are cut short, changed or something else: a sentence, and never a change."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from quire.errors import WriterProblem
from quire.services.transactions.closed_projects import ProjectOverview, read_project
from tests.proofs.app.writer_day import a_day

NAME = "proof.quire"


@dataclass(frozen=True, slots=True)
class Tried:
    """A file that was tried. phase: what was done to it, and whether that was noticed."""

    phase: str
    wrong: str = ""


def cut_short(folder: Path, step: int = 512) -> Iterator[Tried]:
    """Try a project cut off after every so many bytes."""
    whole, overview = _a_project(folder)
    for size in range(0, len(whole), step):
        yield _try(whole[:size], overview, f"cut short after {size} of {len(whole)} bytes", "cut short")


def changed_bits(folder: Path, seed: int, number: int) -> Iterator[Tried]:
    """Try a project with one to a hundred bits changed; what is not noticed may not have changed the text."""
    whole, overview = _a_project(folder)
    rng = random.Random(seed)
    for _ in range(number):
        changed = bytearray(whole)
        for _ in range(rng.choice((1, 1, 1, 8, 100))):
            place = rng.randrange(len(changed))
            changed[place] ^= 1 << rng.randrange(8)
        yield _try(bytes(changed), overview, "changed bits", "changed bits")


def noise(seed: int, number: int) -> Iterator[Tried]:
    """Try files of random bytes, with and without SQLite's header."""
    rng = random.Random(seed)
    for _ in range(number):
        head = rng.choice((b"", b"SQLite format 3\0", b"PK\x03\x04", b"\x80\x04"))
        yield _try(head + rng.randbytes(rng.choice((0, 1, 100, 4096, 20_000))), None, "noise", "noise")


def _a_project(folder: Path) -> tuple[bytes, ProjectOverview]:
    folder.mkdir(exist_ok=True)
    path = folder / NAME
    a_day(path, 5, lambda _kept: None, lambda _phase: None)
    return path.read_bytes(), read_project(path)


def _try(content: bytes, overview: ProjectOverview | None, what: str, phase: str) -> Tried:
    with tempfile.TemporaryDirectory(prefix="quire-hostile-") as folder:
        path = Path(folder) / NAME
        path.write_bytes(content)
        try:
            there = read_project(path)
        except WriterProblem as problem:
            wrong = "" if str(problem).endswith(".") else f"{what}: no whole sentence: {problem}"
            noticed = True
        except Exception as error:  # noqa: BLE001  that is what is looked for
            return Tried(phase, f"{what}: {error!r}")
        else:
            noticed = False
            wrong = "" if overview is None or _same(there, overview) else f"{what}: another text, unnoticed"
        if path.read_bytes() != content or [found.name for found in Path(folder).iterdir()] != [NAME]:
            wrong = wrong or f"{what}: the file, or its folder, was changed"
        return Tried(f"{phase}, {'noticed' if noticed else 'harmless'}", wrong)


def _same(there: ProjectOverview, overview: ProjectOverview) -> bool:
    tokens = [[(run.run_id, run.num_tokens) for run in one.runs] for one in (there, overview)]
    return there.text == overview.text and tokens[0] == tokens[1]
