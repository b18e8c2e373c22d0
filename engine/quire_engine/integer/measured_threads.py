"""How many threads share a pass: as many as lately took the least time, which decides nothing else."""

from __future__ import annotations

from collections import deque
from statistics import median

_REMEMBERED = 3
_TRIED_AGAIN = 60
"""Passes after which another number of threads is tried once more: the computer's other work changes."""


class MeasuredThreads:
    """Chooses by measured times, apart for narrow and wide passes.

    A second thread may cost time: where passes are short, or where another process wants its core.

    Args:
        most: threads at most.
    """

    def __init__(self, most: int) -> None:
        self._options: list[int] = sorted({1, most, *(2**n for n in range(most.bit_length()) if 2**n < most)})
        self._times: dict[tuple[int, int], deque[float]] = {}
        self._passes: dict[int, int] = {}

    def choose(self, rows: int) -> int:
        """Return the threads for a pass of this many rows."""
        kind = rows.bit_length()
        times = {option: self._times.get((kind, option), deque()) for option in self._options}
        for option in self._options:
            if len(times[option]) < _REMEMBERED:
                return option
        ranked = sorted(self._options, key=lambda option: median(times[option]))
        best, others = ranked[0], ranked[1:]
        turn, rest = divmod(self._passes[kind], _TRIED_AGAIN)
        return others[turn % len(others)] if others and rest == _TRIED_AGAIN - 1 else best

    def record(self, rows: int, threads: int, seconds: float) -> None:
        """Learn what a pass took."""
        kind = rows.bit_length()
        self._times.setdefault((kind, threads), deque(maxlen=_REMEMBERED)).append(seconds)
        self._passes[kind] = self._passes.get(kind, 0) + 1
