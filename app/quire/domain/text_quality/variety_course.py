"""How the variety of a text went, by the words of the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from quire_engine.metrics.word_count import count_words

if TYPE_CHECKING:
    from quire.domain.text_quality.text_monitor import TextWatch

Course = tuple[tuple[int, float], ...]
"""Words of the text up to the end of each window, and the share of different phrases in the window."""


class WindowCourse:
    """The windows of a text that a watch measures; words are counted once."""

    def __init__(self) -> None:
        self._num_words: list[int] = []
        self._num_chars = 0

    def clear(self) -> None:
        """Count anew: the text was edited."""
        self._num_words.clear()
        self._num_chars = 0

    def of(self, watch: TextWatch, order: int) -> Course:
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

    def whole(self, watch: TextWatch) -> Iterator[tuple[int, int, tuple[float | None, ...]]]:
        """Yield words of the text, words and marks, and Distinct-1 to Distinct-4 of all of it up to there."""
        self.of(watch, 1)  # counts the words
        for num_words, reading in zip(self._num_words, watch.readings, strict=True):
            yield num_words, reading.num_units, reading.whole.ratios
