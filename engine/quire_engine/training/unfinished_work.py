"""Work that is stopped by Ctrl+C and continued later, in a folder of its own until it is done."""

from __future__ import annotations

import contextlib
import logging
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

from quire_engine.api.atomic_file import replace_file
from quire_engine.catalog.trained_drafters import MARK, STARTED_AGAIN

_log = logging.getLogger(__name__)


def emptied(work: Path, about: str) -> bool:
    """Empty the folder, and say so, unless it holds the same work; return whether it is empty now.

    Args:
        work: the folder; it is there afterwards.
        about: what `mark` writes into it.
    """
    if work.is_dir() and any(work.iterdir()):
        of = work / MARK
        if of.is_file() and of.read_text(encoding="utf-8") == about:
            return False
        _log.warning(STARTED_AGAIN)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    return True


def mark(work: Path, about: str) -> None:
    """Write what the work in the folder is about."""
    replace_file(work / MARK, about.encode())


@contextlib.contextmanager
def stopping_cleanly(stop: Callable[[], None]) -> Iterator[list[int]]:
    """Let Ctrl+C end the step first; a second one does not wait. Yields the signals as they come."""
    came: list[int] = []

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        came.append(number)
        stop()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield came
    finally:
        signal.signal(signal.SIGINT, before)
