"""Echoes: stretches of 6 units or more that repeat what is at most 2,000 units before them.

A position echoes when the 6-gram that begins there also began at most 2,000 positions earlier. Consecutive
ones that repeat the same place are one span; any consecutive ones together are a copied passage.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from dataclasses import dataclass, replace

import numpy as np

from quire.domain.text_quality.ngrams import NgramIndex
from quire_engine.metrics.distinct_n import WINDOW

ECHO_UNITS = 6
"""So many units in a row make an echo."""
ECHO_REACH = 2000
"""How far before an echo its twin may stand."""
COPIED_UNITS = 80
"""A copied passage so long never occurs in a published novel."""
HUMAN_COPIED_UNITS = 67
"""The longest one of 171 published novels."""
HUMAN_ECHOES = 0.083
"""The highest share of echoes in any window of these novels."""
HUMAN_BOOK_ECHOES = (0.0003, 0.0023, 0.016)
"""The share of echoes in these books: lowest, median, highest."""

_TAIL = ECHO_UNITS - 1


@dataclass(frozen=True, slots=True)
class EchoSpan:
    """Units from start to before end that repeat those from `twin` on."""

    start: int
    end: int
    twin: int

    @property
    def num_units(self) -> int:
        """How long the echo is."""
        return self.end - self.start

    @property
    def twin_end(self) -> int:
        """The end of what it repeats."""
        return self.twin + self.num_units


@dataclass(frozen=True, slots=True)
class Passage:
    """A copied passage of at least 80 units, from start to before end; `place` is after its 80th unit."""

    start: int
    end: int
    place: int


@dataclass(frozen=True, slots=True)
class EchoGroup:
    """Spans that repeat one another, in order, and their number of units; `first` is what they repeat."""

    first: tuple[int, int]
    spans: tuple[EchoSpan, ...]
    num_units: int

    @property
    def count(self) -> int:
        """How often the passage occurs in the text."""
        return len(self.spans) + 1


class Echoes:
    """The echoes of the text of an index; each new unit is O(1)."""

    def __init__(self, index: NgramIndex) -> None:
        self._index = index
        self._gaps = index.gaps(ECHO_UNITS)
        self._num_read = 0
        self._last, self._run = -1, 0
        self._starts, self._ends, self._twins = array("i"), array("i"), array("i")
        self._families = array("i")
        self.passages: list[Passage] = []

    def update(self) -> list[Passage]:
        """Process what the index added since the last call; return the passages that reached 80 units."""
        num_before = len(self.passages)
        for position in self._index.repeats(ECHO_UNITS, self._num_read, ECHO_REACH):
            self._take(position)
        self._num_read = len(self._gaps)
        return self.passages[num_before:]

    def cut(self, num_units: int) -> None:
        """Forget all units but the first ones; the index must have been cut before."""
        self._num_read = min(self._num_read, len(self._gaps))
        kept = bisect_right(self._starts, self._num_read - 1)
        del self._starts[kept:], self._ends[kept:], self._twins[kept:], self._families[kept:]
        if kept:
            self._ends[-1] = min(self._ends[-1], num_units)
        self.passages = [replace(p, end=min(p.end, num_units)) for p in self.passages if p.place <= num_units]
        position = self._num_read - 1
        while position >= 0 and self._gaps[position] <= ECHO_REACH:
            position -= 1
        self._run = self._num_read - 1 - position
        self._last = self._num_read - 1 if self._run else -1

    def spans(self, start: int = 0, end: int | None = None) -> list[EchoSpan]:
        """Return the spans that have a unit from start to before end; all of them by default."""
        first = bisect_right(self._ends, start)
        last = len(self._starts) if end is None else bisect_right(self._starts, end - 1)
        return [self._span(number) for number in range(first, last)]

    def share(self, num_units: int, window: int = WINDOW) -> float | None:
        """Return the share of echoes in the window that ends after `num_units`; None where it is not full.

        The last five positions of the window begin no 6-gram yet, and do not count.
        """
        if num_units < window:
            return None
        first = num_units - window
        gaps = np.asarray(self._gaps[first : max(num_units - _TAIL, first)])
        return int(np.count_nonzero(gaps <= ECHO_REACH)) / window

    def whole_share(self) -> float | None:
        """Return the share of echoes in the whole text; None where there is none."""
        gaps, num_units = np.asarray(self._gaps), len(self._index)
        return int(np.count_nonzero(gaps <= ECHO_REACH)) / num_units if num_units else None

    def longest_copied(self) -> int:
        """Return the number of units of the longest copied passage; 0 without echoes."""
        longest, start = 0, -1
        for number in range(len(self._starts)):
            # positions are consecutive where the next begins right after the start of the last 6-gram
            if number == 0 or self._starts[number] > self._ends[number - 1] - _TAIL:
                start = self._starts[number]
            longest = max(longest, self._ends[number] - start)
        return longest

    def share_between(self, start: int, end: int) -> float:
        """Return the share of echoes in the units of a part of the text; 0 in an empty part."""
        gaps = np.asarray(self._gaps[start : min(end, self._num_read)])
        return int(np.count_nonzero(gaps <= ECHO_REACH)) / (end - start) if end > start else 0.0

    def worst(self, most: int = 50) -> list[EchoGroup]:
        """Return the passages with most repeated units; of equal ones the earlier comes first."""
        families: dict[int, list[EchoSpan]] = {}
        for number, family in enumerate(self._families):
            families.setdefault(family, []).append(self._span(number))
        groups = [
            EchoGroup((spans[0].twin, spans[0].twin_end), tuple(spans), sum(one.num_units for one in spans))
            for spans in families.values()
        ]
        return sorted(groups, key=lambda group: (-group.num_units, group.first))[:most]

    def _take(self, position: int) -> None:
        follows = position == self._last + 1 and self._run > 0
        self._run = self._run + 1 if follows else 1
        self._last = position
        twin = position - self._gaps[position]
        if follows and twin - self._twins[-1] == position - self._starts[-1]:
            self._ends[-1] = position + ECHO_UNITS
        else:
            self._begin(position, twin)
        length = self._run + _TAIL
        if length == COPIED_UNITS:
            end = position + ECHO_UNITS
            self.passages.append(Passage(end - length, end, end))
        elif length > COPIED_UNITS:
            self.passages[-1] = replace(self.passages[-1], end=position + ECHO_UNITS)

    def _begin(self, position: int, twin: int) -> None:
        family = self._family_at(twin)
        self._families.append(len(self._starts) if family is None else family)
        self._starts.append(position)
        self._ends.append(position + ECHO_UNITS)
        self._twins.append(twin)

    def _family_at(self, position: int) -> int | None:
        """Return the family of the echo at this position: an echo of an echo belongs to the same one."""
        number = bisect_right(self._starts, position) - 1
        inside = number >= 0 and position <= self._ends[number] - ECHO_UNITS
        return self._families[number] if inside else None

    def _span(self, number: int) -> EchoSpan:
        return EchoSpan(self._starts[number], self._ends[number], self._twins[number])
