"""How varied a text is: Distinct-1..4 of its last 2,000 units and of all of it, every 250 units.

Distinct-n is the number of different n-grams over the number of all n-grams (`quire_engine.metrics`). An
n-gram of a window counts at its first occurrence there, which its gap shows; so a window is one comparison.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from quire.domain.text_quality.ngrams import NEVER, NgramIndex
from quire_engine.metrics.distinct_n import MAX_ORDER, WINDOW, WINDOW_STEP, Distinct

DISTINCT_ORDERS = tuple(range(1, MAX_ORDER + 1))


@dataclass(frozen=True, slots=True)
class VarietyPoint:
    """Variety at one place.

    Attributes:
        num_units: of the text up to there.
        window: None until it is full.
        whole: of the whole text up to there.
    """

    num_units: int
    window: Distinct | None
    whole: Distinct


class Variety:
    """Readings of the text of an index, one every 250 units; the window's from its first full one."""

    def __init__(self, index: NgramIndex) -> None:
        self._index = index
        self.readings: list[VarietyPoint] = []
        self._num_different = [dict.fromkeys(DISTINCT_ORDERS, 0)]

    def update(self) -> list[VarietyPoint]:
        """Process what the index added since the last call; return the new readings."""
        new: list[VarietyPoint] = []
        for num_units in range(self._place + WINDOW_STEP, len(self._index) + 1, WINDOW_STEP):
            self._num_different.append(self._count_new(num_units))
            window = window_at(self._index, num_units)
            new.append(VarietyPoint(num_units, window, _whole(self._num_different[-1], num_units)))
        self.readings += new
        return new

    def cut(self, num_units: int) -> None:
        """Forget the readings of all units but the first ones."""
        kept = num_units // WINDOW_STEP
        del self.readings[kept:], self._num_different[kept + 1 :]

    @property
    def _place(self) -> int:
        return WINDOW_STEP * len(self.readings)

    def _count_new(self, num_units: int) -> dict[int, int]:
        """Return how many different n-grams the first units have, given the count of the step before."""
        counts: dict[int, int] = {}
        for order, before in self._num_different[-1].items():
            first, end = max(num_units - WINDOW_STEP - order + 1, 0), max(num_units - order + 1, 0)
            counts[order] = before + self._index.gaps(order)[first:end].count(NEVER)
        return counts


def window_at(index: NgramIndex, num_units: int, window: int = WINDOW) -> Distinct | None:
    """Return Distinct-1..4 of the window that ends after `num_units`; None where it is not full."""
    if num_units < window:
        return None
    return Distinct(window, tuple(_window_ratio(index, num_units, window, n) for n in DISTINCT_ORDERS))


def _window_ratio(index: NgramIndex, num_units: int, window: int, order: int) -> float | None:
    total = window - order + 1
    if total < 1:
        return None
    first = num_units - window
    gaps = np.asarray(index.gaps(order)[first : first + total])
    # an n-gram is new in the window when its last occurrence was before the window began
    return int(np.count_nonzero(gaps > np.arange(total))) / total


def _whole(num_different: dict[int, int], num_units: int) -> Distinct:
    totals = {order: num_units - order + 1 for order in num_different}
    ratios = tuple(
        count / totals[order] if totals[order] > 0 else None for order, count in num_different.items()
    )
    return Distinct(num_units, ratios)
