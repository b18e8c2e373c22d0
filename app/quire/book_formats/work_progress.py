"""How long work is watched and stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


class Cancelled(Exception):
    """The writer stopped the work; nothing was made."""


def _ignore(_share: float) -> None:
    pass


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class WorkProgress:
    """Who looks on. progress: takes how much is done, from 0 to 1. cancelled: whether to stop.

    Both are called on the thread that works.
    """

    progress: Callable[[float], None] = _ignore
    cancelled: Callable[[], bool] = _never

    def step(self, share: float) -> None:
        """Say how much is done; Cancelled when that is enough."""
        if self.cancelled():
            raise Cancelled
        self.progress(min(max(share, 0.0), 1.0))

    def part(self, start: float, end: float) -> WorkProgress:
        """Return the watch of a part of the work."""
        return WorkProgress(lambda share: self.progress(start + share * (end - start)), self.cancelled)
