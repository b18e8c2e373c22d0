"""Limits how often an action is called."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Throttle:
    """Calls an action at once when it was idle, else as soon as the interval has passed.

    Every request is followed by a call; requests in the meantime share it.
    """

    def __init__(self, interval_s: float, action: Callable[[], None]) -> None:
        self._interval_s = interval_s
        self._action = action
        self._loop = asyncio.get_running_loop()
        self._next_s = self._loop.time()
        self._timer: asyncio.TimerHandle | None = None

    def request(self) -> None:
        """Request a call."""
        if self._timer is None:
            self._timer = self._loop.call_at(max(self._next_s, self._loop.time()), self._call)

    def flush(self) -> None:
        """Make the requested call now, if there is one."""
        if self._timer is not None:
            self._timer.cancel()
            self._call()

    def cancel(self) -> None:
        """Cancel the requested call, if there is one."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _call(self) -> None:
        self._timer = None
        self._next_s = self._loop.time() + self._interval_s
        self._action()
