"""How the variety of a text develops, by the words of the text."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from quire.domain.drafting.live_run_metrics import Windows
from quire_engine.metrics.word_count import count_words

if TYPE_CHECKING:
    from quire.domain.text_quality.text_monitor import TextWatch


@dataclass(frozen=True, slots=True)
class WholePoint:
    """Variety of a text from its beginning.

    Attributes:
        ratios: Distinct-1 to Distinct-4; None where there is none.
        num_words: of the manuscript up to there, as writers count.
        num_units: words and marks.
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


class WindowCourse:
    """The windows of a text that a monitor measures; words are counted once."""

    def __init__(self) -> None:
        self._num_words: list[int] = []
        self._num_chars = 0

    def clear(self) -> None:
        """Start counting again, because the text was edited."""
        self._num_words.clear()
        self._num_chars = 0

    def of(self, watch: TextWatch, order: int) -> Windows:
        """Return Distinct-n of every full window."""
        readings = watch.readings
        if len(readings) < len(self._num_words):
            self.clear()
        first = self._num_chars
        text = watch.text.text_since(first) if len(readings) > len(self._num_words) else ""
        for reading in readings[len(self._num_words) :]:
            end = watch.text.unit(reading.num_units - 1).end
            before = self._num_words[-1] if self._num_words else 0
            self._num_words.append(before + count_words(text[self._num_chars - first : end - first]))
            self._num_chars = end
        course: list[tuple[int, float]] = []
        for num_words, reading in zip(self._num_words, readings, strict=True):
            share = None if reading.window is None else reading.window.of(order)
            if share is not None:
                course.append((num_words, share))
        return tuple(course)

    def whole(self, watch: TextWatch) -> Iterator[WholePoint]:
        """Yield the variety of the whole text up to each reading."""
        self.of(watch, 1)  # counts the words
        for num_words, reading in zip(self._num_words, watch.readings, strict=True):
            yield WholePoint(num_words, reading.num_units, reading.whole.ratios)
