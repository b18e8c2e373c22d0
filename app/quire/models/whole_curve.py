"""How varied the first so many words and marks of published novels are: it falls in good prose, too."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass

from quire.domain.novels import HUMAN_WHOLE_MEDIANS

NOVELS = tuple(HUMAN_WHOLE_MEDIANS.items())
"""Words and marks, and the median of the mean of Distinct-1 to Distinct-4 over 171 novels."""


@dataclass(frozen=True, slots=True)
class WholePoint:
    """Variety of a text from its beginning. ratios: Distinct-1 to Distinct-4; None where there is none.

    num_words: of the manuscript up to there, as writers count; num_units: words and marks.
    """

    num_words: int
    num_units: int
    ratios: tuple[float | None, ...]

    def ratio(self, order: int) -> float:
        """Return Distinct-n for n from 1 to 4; NaN where there is none."""
        value = self.ratios[order - 1]
        return math.nan if value is None else value

    @property
    def average(self) -> float:
        """The mean of all of them; NaN where one is missing."""
        return math.fsum(self.ratio(order) for order in range(1, len(self.ratios) + 1)) / len(self.ratios)


def of_novels(num_units: float) -> float:
    """Return what novels have after so many words and marks; NaN where it was not measured.

    Between the lengths that were measured it falls evenly with the logarithm of the length.
    """
    lengths = [length for length, _ in NOVELS]
    if not lengths[0] <= num_units <= lengths[-1]:
        return math.nan
    number = min(bisect_right(lengths, num_units), len(NOVELS) - 1)
    (shorter, high), (longer, low) = NOVELS[number - 1], NOVELS[number]
    share = math.log(num_units / shorter) / math.log(longer / shorter)
    return high + (low - high) * share
