"""The last minute of a draft, step by step: at a thousand steps a second it has sixty thousand of them."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator

from quire.domain.series import WINDOW_S, StepRecord

_DROPPED_AT_ONCE = 1024


class PaceWindow:
    """The fewest last steps that fill a minute of drafting, or all of them; each new one costs the same.

    step_ms, num_tokens: of all of them together. words_before: words of the run before the first of them.
    """

    def __init__(self) -> None:
        self._step_ms, self._num_words, self._num_tokens = array("d"), array("l"), array("i")
        self._first = 0
        self.begin()

    def begin(self, words_before: int = 0) -> None:
        """Forget all steps; words_before: of the run, before the next one."""
        del self._step_ms[:], self._num_words[:], self._num_tokens[:]
        self._first, self.step_ms, self.num_tokens, self.words_before = 0, 0.0, 0, words_before

    def __len__(self) -> int:
        return len(self._step_ms) - self._first

    def add(self, step: StepRecord) -> None:
        """Take the next step, and let go of those that fill the minute no more."""
        self._step_ms.append(step.step_ms)
        self._num_words.append(step.num_words)
        self._num_tokens.append(step.num_tokens)
        self.step_ms += step.step_ms
        self.num_tokens += step.num_tokens
        while len(self) > 1 and self.step_ms - self._step_ms[self._first] >= 1000 * WINDOW_S:
            self.step_ms -= self._step_ms[self._first]
            self.num_tokens -= self._num_tokens[self._first]
            self.words_before = self._num_words[self._first]
            self._first += 1
        if self._first >= max(_DROPPED_AT_ONCE, len(self)):
            del self._step_ms[: self._first], self._num_words[: self._first], self._num_tokens[: self._first]
            self._first = 0

    def steps(self) -> Iterator[tuple[int, float]]:
        """Yield the tokens of each step and how many milliseconds it took, in order."""
        return zip(self._num_tokens[self._first :], self._step_ms[self._first :], strict=True)

    @property
    def words_per_min(self) -> float:
        """Words per minute; NaN where no time has passed."""
        if not len(self) or self.step_ms <= 0:
            return math.nan
        return 60 * (self._num_words[-1] - self.words_before) / (self.step_ms / 1000)
