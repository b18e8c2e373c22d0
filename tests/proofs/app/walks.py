"""T18: walks that mix what happens to files with what a writer does, against a model of what each holds.

A process that is killed is simulated: its files are kept as they are at that moment, and put back after it
has closed them.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.proofs.app.outcome import CheckResult
from tests.proofs.app.walk_state import NAMES, Wrong
from tests.proofs.app.walk_world import World

_LENGTH = 30
_WEIGHTS = {
    "open": 8, "write": 10, "draft": 8, "kill": 5, "close": 3, "create": 4, "import_text": 1, "back_up": 2,
    "save_as": 1, "delete": 2, "copy_over": 3, "replace": 2, "rename": 2, "move": 1, "link": 1, "lose_log": 1,
    "cut_log": 1, "restore": 2, "read": 4,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Step:
    """One step, whatever was done before; where it makes no sense, it does nothing."""

    what: str
    name: str
    other: str

    def __str__(self) -> str:
        return f"{self.what} {self.name} {self.other}"


def walks(folder: Path, seeds: Sequence[int]) -> Iterator[CheckResult]:
    """Walk once for each seed, in folders in a folder."""
    for seed in seeds:
        steps = steps_of(seed)
        failed, wrong = walk(folder, steps)
        if not wrong:
            yield CheckResult("a walk")
            continue
        shortest, wrong = _shortened(folder, steps[:failed], wrong)
        yield CheckResult("a walk", f"seed {seed}: {'; '.join(map(str, shortest))}: {wrong}")


def steps_of(seed: int) -> list[Step]:
    """Return the steps of a walk."""
    rng = random.Random(f"walk {seed}")
    whats = rng.choices(list(_WEIGHTS), list(_WEIGHTS.values()), k=_LENGTH)
    names = NAMES[: rng.choice((2, 2, 3))]
    first = Step("create", NAMES[0], NAMES[0])
    return [first, *(Step(what, rng.choice(names), rng.choice(names)) for what in whats)]


def walk(folder: Path, steps: Sequence[Step]) -> tuple[int, str]:
    """Walk, and in the end open every file; return the number of the first steps that fail, and how."""
    with tempfile.TemporaryDirectory(prefix="quire-walk-", dir=folder) as name:
        world = World(Path(name).resolve())
        last = [Step(what, name, name) for name in NAMES for what in ("kill", "read", "open", "close")]
        try:
            for number, step in enumerate((*steps, *last), 1):
                if wrong := _taken(world, step):
                    return min(number, len(steps)), f"{step}: {wrong}"
        finally:
            world.end()
    return len(steps), ""


def _taken(world: World, step: Step) -> str:
    before = world.files()
    try:
        getattr(world, step.what)(step.name, step.other)
        world.check((step.name, step.other), before)
    except Wrong as wrong:
        return str(wrong)
    except Exception as error:  # noqa: BLE001  that is what is looked for
        return repr(error)
    return ""


def _shortened(folder: Path, steps: list[Step], wrong: str) -> tuple[list[Step], str]:
    """Leave out every step without which the walk fails as well."""
    for place in range(len(steps) - 1, -1, -1):
        shorter = steps[:place] + steps[place + 1 :]
        _, found = walk(folder, shorter)
        if found:
            steps, wrong = shorter, found
    return steps, wrong
