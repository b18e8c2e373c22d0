"""Work that is made to be killed: `python -m tests.proofs.app.kill_victim WORK FILE SEED`, without a model.

It writes a line before each piece of work and, once that returned, one that acknowledges it.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from quire.domain.manuscript.backup_rotation import Reason
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.closed_projects import restored
from tests.proofs.app.old_project import know_old_format

OPENING = "It was a dark night."
_TURNS = 10_000


def text_at(seed: int, turn: int) -> str:
    """Return the text of a turn: the opening at first; texts grow, and shrink again."""
    return OPENING + f" Line {seed}." * (turn * 7 % 50) + f" Turn {turn}." * min(turn, 1)


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


async def edit(path: Path, seed: int) -> None:
    """Store one text after another."""
    session = await ProjectSession.open(path)
    first = 1 + max(turn for turn in range(_TURNS) if text_at(seed, turn) == session.text)
    for turn in range(first, first + _TURNS):
        _say("tasks", turn)
        await session.save_text(text_at(seed, turn))
        _say("done", turn)


async def back_up(path: Path, seed: int) -> None:
    """Store a text and back it up, again and again."""
    session = await ProjectSession.open(path)
    first = 1 + max(turn for turn in range(_TURNS) if text_at(seed, turn) == session.text)
    for turn in range(first, first + _TURNS):
        await session.save_text(text_at(seed, turn))
        _say("tasks", turn)
        made = await session.back_up(Reason.ASKED)
        _say("done", turn, made)


async def migrate(path: Path, _seed: int) -> None:
    """Open a project, of an earlier format perhaps, and close it."""
    know_old_format()
    _say("tasks", 0)
    session = await ProjectSession.open(path)
    _say("done", 0)
    await session.close()


async def make(path: Path, _seed: int) -> None:
    """Make one project after another: FILE, then FILE with a number before its ending."""
    for turn in range(_TURNS):
        _say("tasks", turn)
        session = await ProjectSession.create(numbered(path, turn), "Proof", OPENING)
        _say("done", turn)
        await session.close()


async def restore(path: Path, _seed: int) -> None:
    """Make new projects of the last good backup."""
    for turn in range(_TURNS):
        _say("tasks", turn)
        made, _ = await asyncio.to_thread(restored, path)
        _say("done", turn, made)


def numbered(path: Path, turn: int) -> Path:
    """Return where the project of a turn lies."""
    return path.with_name(f"{path.stem} {turn}{path.suffix}")


WORKS: dict[str, Callable[[Path, int], Coroutine[Any, Any, None]]] = {
    "editing": edit,
    "backing up": back_up,
    "migrating": migrate,
    "making": make,
    "restoring": restore,
}
"""What can be killed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Work until somebody kills it."""
    work, path, seed = sys.argv[1:] if arguments is None else arguments
    asyncio.run(WORKS[work](Path(path), int(seed)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
