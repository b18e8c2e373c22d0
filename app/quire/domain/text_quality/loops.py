"""Loops: the text ends in a stretch that repeats itself, or in tokens that make no word."""

from __future__ import annotations

from dataclasses import dataclass, replace

from quire.domain.text_quality.ngrams import NgramIndex

MAX_PERIOD = 512
"""The longest passage, in units, whose repetition is a loop."""
MIN_REPEATS = 3
MIN_STRETCH = 64
"""A shorter stretch is no loop: people cry "woe! woe! woe!", the longest of 171 novels for 33 units."""
WORDLESS_TOKENS = 200
"""After so many tokens without a word no more are to be expected."""

_ANCHOR = 6
# In a loop of period p at least max(3p, 64) - p >= 43 units equal the one p places before them: its last
# six were p places before, and going from each place of these six to the place before it leads there.


@dataclass(frozen=True, slots=True)
class Loop:
    """Units from start to before end that repeat themselves every `period`; `place` is where it was
    detected."""

    start: int
    end: int
    period: int
    place: int

    @property
    def num_repeats_at_first(self) -> int:
        """How many full repetitions there were when it was detected."""
        return (self.place - self.start) // self.period


class Loops:
    """The loops of the text of an index; only the longest known one is extended."""

    def __init__(self, index: NgramIndex) -> None:
        self._index = index
        self._gaps = index.gaps(_ANCHOR)
        self._num_read = 0
        self._last = -1
        self._runs: dict[int, int] = {}
        self.loops: list[Loop] = []

    def update(self) -> list[Loop]:
        """Process what the index added since the last call; return the loops that have begun."""
        num_before = len(self.loops)
        for position in self._index.repeats(_ANCHOR, self._num_read, MAX_PERIOD):
            self._take(position)
        self._num_read = len(self._gaps)
        return self.loops[num_before:]

    def cut(self, num_units: int) -> None:
        """Forget all units but the first ones; the index must have been cut before."""
        self._num_read = min(self._num_read, len(self._gaps))
        self.loops = [replace(a, end=min(a.end, num_units)) for a in self.loops if a.place <= num_units]
        self._runs, self._last = {}, -1

    def _take(self, position: int) -> None:
        if position != self._last + 1:
            self._runs = {}
        self._last = position
        end = position + _ANCHOR
        self._runs = {
            period: run + 1 if (run := self._runs.get(period)) else self._run_before(end, period)
            for period in self._periods(position)
        }
        for period, run in self._runs.items():
            if run + period >= max(MIN_REPEATS * period, MIN_STRETCH):
                self._found(Loop(end - run - period, end, period, end))
                return

    def _periods(self, position: int) -> list[int]:
        """Return how far back the last six units occur, wherever that is within reach, nearest first."""
        periods: list[int] = []
        period = self._gaps[position]
        while period <= MAX_PERIOD:
            periods.append(period)
            period += self._gaps[position - period]
        return periods

    def _run_before(self, end: int, period: int) -> int:
        """Return how many units before `end` equal the one a period before them."""
        units, place = self._index.units, end - 1
        while place >= period and units[place] == units[place - period]:
            place -= 1
        return end - 1 - place

    def _found(self, loop: Loop) -> None:
        known = self.loops[-1] if self.loops else None
        if known is not None and known.end == loop.end - 1:
            self.loops[-1] = replace(known, end=loop.end)
        else:
            self.loops.append(loop)


class GibberishTail:
    """Counts the tokens since the last whole word; a word that never ends does not count."""

    def __init__(self) -> None:
        self.num_tokens = 0
        self._num_words: int | None = None

    @property
    def is_too_long(self) -> bool:
        """Return whether there has been no whole word for too long."""
        return self.num_tokens >= WORDLESS_TOKENS

    def add(self, num_tokens: int, num_words: int) -> None:
        """Add tokens, given how many whole words the run has after them."""
        if self._num_words is not None and num_words <= self._num_words:
            self.num_tokens += num_tokens
        else:
            self.num_tokens = 0
        self._num_words = num_words

    def clear(self) -> None:
        """Reset the count, because the run continues elsewhere."""
        self.num_tokens, self._num_words = 0, None
