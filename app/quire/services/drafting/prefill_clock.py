"""How far the model has read, and how long the rest will take."""

from __future__ import annotations

from collections.abc import Callable

_KNOWN_AFTER_S = 0.5


class PrefillClock:
    """Estimates how long the prefill takes from its speed so far, which hardly changes on the way.

    clock: seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._first: tuple[float, int] | None = None
        self._num_read = self._num_total = 0
        self.is_new = False

    def report(self, num_read: int, num_total: int) -> None:
        """Report how many of the tokens were read."""
        if self._first is None or num_read < self._num_read:  # a text that outgrew the context is read again
            self._first = (self._clock(), num_read)
        self._num_read, self._num_total = num_read, num_total
        self.is_new = True

    def estimate(self) -> tuple[float, float | None]:
        """Return the share that was read, from 0 to 1, and the seconds left; None while that is not known."""
        self.is_new = False
        fraction = self._num_read / max(self._num_total, 1)
        if self._first is None:
            return fraction, None
        since, first_read = self._first
        passed = self._clock() - since
        if passed < _KNOWN_AFTER_S or self._num_read == first_read:
            return fraction, None
        return fraction, passed / (self._num_read - first_read) * (self._num_total - self._num_read)
