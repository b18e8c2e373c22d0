"""Distinct-n: how much of a text is new, counted while the text is written, O(1) for every unit of it.

Distinct-n of a text is the number of different n-grams in it over the number of all its n-grams. It always
falls with length, in good prose too, so what can be compared is a window of fixed length.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from quire_engine.api.folding import folded

MAX_ORDER = 4
"""Distinct-1 to Distinct-4 are counted."""
WINDOW = 2000
"""Units in the window that the human bands were measured with."""
WINDOW_STEP = 250
"""Units between two readings of the window."""
HUMAN_DISTINCT_2 = (0.586, 0.901)
"""Lowest and highest windowed Distinct-2 in 171 English novels, 173,333 windows of 2,000 units."""

_LETTERS = r"\w[\w\u0300-\u036f\u00ad\u2060]*"
QUOTES = '"„«»'
"""Quotation marks that are compared as “ or ”, by what is before them."""
UNIT = re.compile(rf"{_LETTERS}(?:['’\u02bc]{_LETTERS})*|\.\.\.|--|[.,;:!?…—–“”{QUOTES}]")
"""A word or a punctuation mark as it is written; the human bands were measured with words and .,;:!?…—“”."""
_SIGNS = {"...": "…", "--": "—", "–": "—"}
_BEFORE_QUOTES = "([—–‘“"


@dataclass(frozen=True, slots=True)
class Distinct:
    """A reading.

    Attributes:
        num_units: units counted.
        ratios: Distinct-1..4; None where there is no n-gram that long.
    """

    num_units: int
    ratios: tuple[float | None, ...]

    def of(self, order: int) -> float | None:
        """Return Distinct-n for n from 1 to 4."""
        if not 1 <= order <= len(self.ratios):
            raise ValueError(f"order must be from 1 to {len(self.ratios)}, got {order}")
        return self.ratios[order - 1]

    @property
    def average(self) -> float | None:
        """The mean of Distinct-1..4, as the paper's tables give it; None for a text shorter than 4 units."""
        known = [ratio for ratio in self.ratios if ratio is not None]
        return sum(known) / len(known) if len(known) == len(self.ratios) else None

    def report(self) -> dict[str, float | int | None]:
        """Return it for a JSON report."""
        named = {f"distinct_{order}": ratio for order, ratio in enumerate(self.ratios, start=1)}
        return {"units": self.num_units, **named, "average": self.average}


class DistinctCounter:
    """Counts n-grams of a growing text, of all of it or of its last `window` units, whatever a unit is."""

    def __init__(self, window: int | None = None) -> None:
        if window is not None and window < 1:
            raise ValueError(f"window must be 1 or more, got {window}")
        self._window = window
        self._units: deque[Hashable] = deque(maxlen=MAX_ORDER if window is None else None)
        self._counts: list[dict[tuple[Hashable, ...], int]] = [{} for _ in range(MAX_ORDER)]
        self._num_units = 0

    def add(self, unit: Hashable) -> None:
        """Add a unit: count the n-grams that it ends, and drop those that leave the window."""
        self._units.append(unit)
        self._num_units += 1
        newest = _last(self._units, MAX_ORDER)
        for order in range(1, len(newest) + 1):
            counts, ngram = self._counts[order - 1], newest[-order:]
            counts[ngram] = counts.get(ngram, 0) + 1
        if self._window is not None and self._num_units > self._window:
            self._forget_oldest()

    def add_all(self, units: Iterable[Hashable]) -> None:
        """Add units, in order."""
        for unit in units:
            self.add(unit)

    def reading(self) -> Distinct:
        """Return Distinct-1..4 of what is counted now."""
        totals = [self._num_units - order + 1 for order in range(1, MAX_ORDER + 1)]
        ratios = tuple(
            len(counts) / total if total > 0 else None
            for counts, total in zip(self._counts, totals, strict=True)
        )
        return Distinct(self._num_units, ratios)

    def _forget_oldest(self) -> None:
        oldest = tuple(self._units[place] for place in range(min(MAX_ORDER, len(self._units))))
        for order in range(1, len(oldest) + 1):
            counts, ngram = self._counts[order - 1], oldest[:order]
            if counts[ngram] == 1:
                del counts[ngram]
            else:
                counts[ngram] -= 1
        self._units.popleft()
        self._num_units -= 1


class DistinctSeries:
    """Readings of the last `window` units, the first when the window is full, then one every `step` units."""

    def __init__(self, window: int = WINDOW, step: int = WINDOW_STEP) -> None:
        if step < 1:
            raise ValueError(f"step must be 1 or more, got {step}")
        self._counter = DistinctCounter(window)
        self._step = step
        self._num_until_reading = window
        self.readings: list[Distinct] = []

    def add_all(self, units: Iterable[Hashable]) -> None:
        """Add units, in order."""
        for unit in units:
            self._counter.add(unit)
            self._num_until_reading -= 1
            if self._num_until_reading == 0:
                self.readings.append(self._counter.reading())
                self._num_until_reading = self._step


def share_inside(
    readings: Iterable[Distinct], band: tuple[float, float] = HUMAN_DISTINCT_2, order: int = 2
) -> float | None:
    """Return the share of readings whose Distinct-n is in a band, ends included; None without readings."""
    values = [value for value in (reading.of(order) for reading in readings) if value is not None]
    return sum(band[0] <= value <= band[1] for value in values) / len(values) if values else None


def units_of(text: str) -> list[str]:
    """Return the units of a whole text."""
    return [
        compared(found.group(), text[max(found.start() - 1, 0) : found.start()])
        for found in UNIT.finditer(text)
    ]


def compared(unit: str, before: str) -> str:
    """Return a unit as it is compared with others; `before`: the character before it."""
    if unit in QUOTES:
        return "“" if not before.strip() or before in _BEFORE_QUOTES else "”"
    return _SIGNS.get(unit, unit) if not (unit[0].isalnum() or unit[0] == "_") else folded(unit)


def _last(units: deque[Hashable], count: int) -> tuple[Hashable, ...]:
    """Return the last units; a deque gives out its ends in constant time."""
    count = min(count, len(units))
    return tuple(units[place] for place in range(-count, 0))
