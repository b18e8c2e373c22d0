"""Progress and cancellation of long work."""

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
    """Reports progress, and checks for cancellation. Both callables are called on the working thread.

    Attributes:
        progress: called with the share that is done, from 0 to 1.
        cancelled: returns whether to stop.
    """

    progress: Callable[[float], None] = _ignore
    cancelled: Callable[[], bool] = _never

    def step(self, share: float) -> None:
        """Report the share that is done; raise Cancelled if the writer stopped the work."""
        if self.cancelled():
            raise Cancelled
        self.progress(min(max(share, 0.0), 1.0))

    def part(self, start: float, end: float) -> WorkProgress:
        """Return the progress of a part of the work."""
        return WorkProgress(lambda share: self.progress(start + share * (end - start)), self.cancelled)
