"""How varied published novels are; drawing their bands does not load the measuring code."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Band:
    """A measure's range in published novels; `median` is that of the books' averages, where it was
    measured."""

    lowest: float
    highest: float
    median: float | None = None


HUMAN_BOOKS = {
    1: Band(0.262, 0.373, 0.317),
    2: Band(0.737, 0.847, 0.793),
    3: Band(0.901, 0.983, 0.955),
    4: Band(0.954, 0.997, 0.988),
}
"""Windowed Distinct-n averaged over a book, of 171 English novels of the public domain."""
HUMAN_WINDOWS = {
    1: Band(0.176, 0.496),
    2: Band(0.586, 0.901),
    3: Band(0.767, 0.995),
    4: Band(0.855, 1.000),
}
"""Distinct-n of any window of these novels, 173,333 of them."""
HUMAN_WHOLE_MEDIANS = {1_000: 0.81, 20_000: 0.65, 60_000: 0.59, 100_000: 0.56}
"""Mean of Distinct-1 to 4 by length of text, for these novels: it falls in good prose too."""
LOW_VARIETY, SCATTERED = 0.55, 0.92
"""Distinct-2 of a window below and above which something is wrong: no novel has a window like it."""


def of_novels(num_units: float) -> float:
    """Return the values of novels after a number of words and marks; NaN where it was not measured.

    Values between the measured lengths are interpolated over the logarithm of the length.
    """
    medians = [*HUMAN_WHOLE_MEDIANS.items()]
    lengths = [*HUMAN_WHOLE_MEDIANS]
    if not lengths[0] <= num_units <= lengths[-1]:
        return math.nan
    number = min(bisect_right(lengths, num_units), len(lengths) - 1)
    (shorter, high), (longer, low) = medians[number - 1], medians[number]
    share = math.log(num_units / shorter) / math.log(longer / shorter)
    return high + (low - high) * share
