"""What is done when the manuscript is not stored, or not yet."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable

from quire.errors import WriterProblem

LEAVE_WITHIN_S = 5.0
"""What is stored already does not wait longer for an engine that does not stop."""
STORE_WITHIN_S = 30.0
"""So long a disk that is slow, or locked by another program, may take before Quire ends without it."""

_log = logging.getLogger(__name__)


class NotStored(WriterProblem):
    """The manuscript is not on the disk; it is in the window, and can be stored again."""


def not_stored(error: Exception) -> NotStored:
    """Return what to tell the writer when storing ended in an error, expected or not."""
    if isinstance(error, WriterProblem):
        return NotStored(error.message)
    _log.error("storing the manuscript failed", exc_info=error)
    return NotStored(
        "The manuscript was not saved because of a bug in Quire ({error}). It is still in this "
        "window: save again, or copy it to another program.",
        error=repr(error),
    )


class Deadline:
    """Ends the process when leaving takes too long; what still waits to be stored gets more time.

    is_unstored: whether something that the writer sees is not known to be on the disk.
    """

    def __init__(self, is_unstored: Callable[[], bool]) -> None:
        self._is_unstored = is_unstored
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Let the time run from now on."""
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(LEAVE_WITHIN_S, self._ask, loop.time() + STORE_WITHIN_S)

    def cancel(self) -> None:
        """Let everything take as long as it takes."""
        if self._timer is not None:
            self._timer.cancel()

    def _ask(self, at_last: float) -> None:
        unstored = self._is_unstored()
        loop = asyncio.get_running_loop()
        if unstored and loop.time() < at_last:
            self._timer = loop.call_later(LEAVE_WITHIN_S, self._ask, at_last)
            return
        # Whatever was shown as saved is on the disk, and what the engine still computes is not needed.
        _log.warning("what was asked for last did not end in time; everything stored: %s", not unstored)
        os._exit(1 if unstored else 0)
