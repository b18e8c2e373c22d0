"""Ctrl+C during a training."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Callable, Iterator
from types import FrameType


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
