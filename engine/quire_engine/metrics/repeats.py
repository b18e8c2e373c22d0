"""How much of a text repeats itself nearby, and whether it runs in circles; pure functions over units."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

ECHO_UNITS = 6
"""Units in a row that count as an echo when they repeat."""
ECHO_REACH = 2000
"""Largest distance in units between an echo and its original."""
LONGEST_PERIOD = 512
"""Units of the longest passage that a loop may repeat."""
SHORTEST_LOOP = 64
"""Units of the shortest loop; one has three rounds at least."""


def echo_share(units: Sequence[Hashable], order: int = ECHO_UNITS, reach: int = ECHO_REACH) -> float | None:
    """Return the share of positions whose n-gram also began at most `reach` before; None without units."""
    if not units:
        return None
    last: dict[tuple[Hashable, ...], int] = {}
    count = 0
    for place in range(len(units) - order + 1):
        ngram = tuple(units[place : place + order])
        count += ngram in last and place - last[ngram] <= reach
        last[ngram] = place
    return count / len(units)


def longest_loop(units: Sequence[Hashable]) -> int:
    """Return how many units the longest loop has, 0 where there is none.

    A loop is a stretch of S units with a period p (inside it, each unit equals the one p places before),
    p <= 512 and S >= max(3p, 64).
    """
    numbers: dict[Hashable, int] = {}
    text = np.array([numbers.setdefault(unit, len(numbers)) for unit in units], dtype=np.int64)
    longest = 0
    for period in range(1, min(LONGEST_PERIOD, len(text) - 1) + 1):
        stretch = _longest_run(text[period:] == text[:-period]) + period
        if stretch >= max(3 * period, SHORTEST_LOOP):
            longest = max(longest, stretch)
    return longest


def _longest_run(holds: npt.NDArray[np.bool_]) -> int:
    """Return the length of the longest stretch of True."""
    breaks = [-1, *np.flatnonzero(~holds).tolist(), len(holds)]
    return max(second - first - 1 for first, second in pairwise(breaks))
