"""What happens when the manuscript is not saved, or not yet, on closing."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable

from quire.errors import SaveElsewhere, WriterProblem

LEAVE_WITHIN_S = 5.0
"""Time limit for an engine that does not stop once everything is saved."""
STORE_WITHIN_S = 30.0
"""Time limit for a slow or locked disk before Quire ends without saving."""

_log = logging.getLogger(__name__)


class NotStored(WriterProblem):
    """The manuscript is not saved; it is still in the window, and can be saved again.

    Attributes:
        elsewhere: whether it must be saved under another name.
    """

    elsewhere = False


def not_stored(error: Exception) -> NotStored:
    """Return the problem for the writer when saving failed with an error, expected or not."""
    if isinstance(error, WriterProblem):
        problem = NotStored(error.message)
        problem.elsewhere = isinstance(error, SaveElsewhere)
        return problem
    _log.error("storing the manuscript failed", exc_info=error)
    return NotStored(
        "The manuscript was not saved because of a bug in Quire ({error}). It is still in this "
        "window: save again, or copy it to another program.",
        error=repr(error),
    )


class Deadline:
    """Ends the process when closing takes too long; unsaved text gets more time.

    Args:
        is_unstored: whether something visible is not known to be on the disk.
        finish: notes a normal end, if all is saved; without it the next start reports a crash.
    """

    def __init__(self, is_unstored: Callable[[], bool], finish: Callable[[], None]) -> None:
        self._is_unstored, self._finish = is_unstored, finish
        self._timer: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start the timer."""
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(LEAVE_WITHIN_S, self._ask, loop.time() + STORE_WITHIN_S)

    def cancel(self) -> None:
        """Cancel the timer."""
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
        if not unstored:
            self._finish()
        os._exit(1 if unstored else 0)
