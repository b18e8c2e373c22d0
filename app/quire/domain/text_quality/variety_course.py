"""How the variety of a text develops, by the words of the text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING

from quire.domain.drafting.live_run_metrics import DistinctPoint
from quire_engine.metrics.distinct_n import WINDOW, WINDOW_STEP
from quire_engine.metrics.word_count import count_words

if TYPE_CHECKING:
    from quire.domain.text_quality.text_monitor import TextWatch

FIRST_UNITS = 100
"""Words and marks before the first reading of a draft."""
_STEP_UNITS = 25
"""Between readings of a draft whose window is not full yet."""


class DistinctCourse:
    """The variety of a draft so far: of all of it at first, of its last 2,000 words and marks later.

    Args:
        start: where the draft begins, in characters of the text.
    """

    def __init__(self, start: int = 0) -> None:
        self._start = start
        self.clear()

    def clear(self) -> None:
        """Start again, because the text was edited."""
        self.points: list[DistinctPoint] = []
        self._num_units = 0
        self._words = _WordCount()

    def update(self, watch: TextWatch) -> Sequence[DistinctPoint]:
        """Return all readings; for the thread that has the watch."""
        from quire.domain.text_quality.variety import window_at

        if len(watch.text) < self._num_units:
            self.clear()
        first = bisect_left(watch.text.starts, self._start)
        while (end := self._next_end(first)) <= len(watch.text):
            window = window_at(watch.index, end, min(end - first, WINDOW))
            self._num_units = end
            if window is not None:
                num_words = self._words.up_to(watch, end)
                self.points.append(DistinctPoint(num_words, window.num_units, window.ratios))
        return self.points

    def _next_end(self, first: int) -> int:
        """Return how many units of the text the next reading needs."""
        if not self._num_units:
            return first + FIRST_UNITS
        is_full = self._num_units - first >= WINDOW
        return self._num_units + (WINDOW_STEP if is_full else _STEP_UNITS)


class WholeCourse:
    """The variety of the whole text up to each reading of a watch."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Start again, because the text was edited."""
        self.points: list[DistinctPoint] = []
        self._words = _WordCount()

    def update(self, watch: TextWatch) -> Sequence[DistinctPoint]:
        """Return all readings; for the thread that has the watch."""
        if len(watch.readings) < len(self.points):
            self.clear()
        for reading in watch.readings[len(self.points) :]:
            num_words = self._words.up_to(watch, reading.num_units)
            self.points.append(DistinctPoint(num_words, reading.num_units, reading.whole.ratios))
        return self.points


class _WordCount:
    """Counts each word of a growing text once."""

    def __init__(self) -> None:
        self._num_chars = self._num_words = 0

    def up_to(self, watch: TextWatch, num_units: int) -> int:
        """Return the words up to the end of the first units; never fewer units than before."""
        end = watch.text.unit(num_units - 1).end
        piece = watch.text.text_since(self._num_chars)[: end - self._num_chars]
        self._num_words += count_words(piece)
        self._num_chars = end
        return self._num_words
