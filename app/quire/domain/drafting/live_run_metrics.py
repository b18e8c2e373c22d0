"""Figures of a run that grow step by step; each equals the result of `run_metrics` for the whole run."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from quire.domain.drafting.run_metrics import StepRecord
from quire_engine.metrics.acceptance import PHRASES

WINDOW_S = 60.0
"""Seconds of drafting time that a pace is taken over."""
WINDOW_STEPS = 256
"""Steps that a rate is taken over."""
FIRST_PACE_S = 1.0
"""Before this much drafting a pace is noise."""
_BIN_WORDS = 250
_FIRST_BINS = 4
"""Full bins needed before a curve is drawn through them."""


@dataclass(frozen=True, slots=True)
class DistinctPoint:
    """Variety of a passage of a text.

    Attributes:
        num_words: of the manuscript up to its end, as writers count.
        num_units: words and marks of the passage.
        ratios: Distinct-1 to Distinct-4; None where there is none.
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


@dataclass(frozen=True, slots=True)
class PaceCurve:
    """How long a word takes by how long the text is: base_s + slope_s x words of the manuscript."""

    base_s: float
    slope_s: float

    def words_per_min(self, place: float) -> float:
        """Return the words per minute at a place."""
        seconds = self.base_s + self.slope_s * place
        return 60 / seconds if seconds > 0 else math.nan


class PaceFit:
    """A straight line through the seconds per word by place, weighted by words (least squares)."""

    def __init__(self) -> None:
        self._start: tuple[float, float] | None = None
        self._num_bins = 0
        self._words = self._place = self._place_squared = self._seconds = self._product = 0.0
        self.curve: PaceCurve | None = None

    def add(self, place: float, seconds: float) -> None:
        """Add a step; nothing changes before a bin of words is full."""
        if self._start is None:
            self._start = (place, seconds)
            return
        words, spent = place - self._start[0], seconds - self._start[1]
        if words < _BIN_WORDS:
            return
        middle = place - words / 2
        self._words += words
        self._place += words * middle
        self._place_squared += words * middle**2
        self._seconds += spent
        self._product += spent * middle
        self._num_bins += 1
        self._start = (place, seconds)
        if self._num_bins >= _FIRST_BINS:
            self.curve = self._fitted()

    def _fitted(self) -> PaceCurve:
        mean_place, mean_s = self._place / self._words, self._seconds / self._words
        spread = self._place_squared / self._words - mean_place**2
        together = self._product / self._words - mean_place * mean_s
        # A longer text is never quicker; noise in a young run may suggest it.
        slope = max(together / spread, 0.0)
        return PaceCurve(mean_s - slope * mean_place, slope)


class RunSeries:
    """The figures of one run after each of its steps; a pause is a row of NaN.

    Args:
        is_on_server: its steps are pieces of text as they came, not passes: they have no number of tokens and
            no parts, and draft tokens only where the server tells of them.
    """

    def __init__(self, words_before: int = 0, *, is_on_server: bool = False) -> None:
        self.words_before, self.is_on_server = words_before, is_on_server
        self.places, self.seconds = array("d"), array("d")
        self.pace, self.tokens_per_pass = array("d"), array("d")
        self.acceptance_rate, self.phrase_acceptance = array("d"), array("d")
        self.from_model, self.from_drafters, self.from_phrases = array("d"), array("d"), array("d")
        self.verify_ms, self.draft_ms, self.rest_ms, self.step_ms = (array("d") for _ in range(4))
        self._columns = (
            self.pace, self.from_model, self.from_drafters, self.from_phrases, self.tokens_per_pass,
            self.acceptance_rate, self.phrase_acceptance,
            self.verify_ms, self.draft_ms, self.rest_ms, self.step_ms,
        )  # fmt: skip
        self.num_steps = self.num_words = 0
        self.fit = PaceFit()
        self._spent_ms = 0.0
        self._pace = PaceWindow()
        self._tokens, self._times, self._acceptance = _LastSteps(), _LastSteps(), _LastSteps()
        self._acceptance_rate = self._phrase_acceptance = math.nan
        self._num_drafted_to = Counter[int]()
        self._num_accepted = Counter[int]()
        self.fit.add(words_before, 0.0)

    @property
    def place(self) -> int:
        """Words of the manuscript up to the end of the run."""
        return self.words_before + self.num_words

    @property
    def drafted_s(self) -> float:
        """Seconds of drafting so far."""
        return self._spent_ms / 1000

    def add(self, step: StepRecord) -> None:
        """Add the next step."""
        self.num_steps += 1
        self.num_words = step.num_words
        self._spent_ms += step.step_ms
        if step.depth or not self.is_on_server:
            self._num_drafted_to[step.depth] += 1
            self._num_accepted[step.num_accepted] += 1
        self._pace.add(step)
        reused = sum(source in PHRASES for source in step.sources)
        accepted = len(step.sources)
        tokens = self._tokens.means(step.num_tokens - accepted, accepted - reused, reused)
        rest_ms = step.step_ms - step.verify_ms - step.draft_ms
        times = self._times.means(step.verify_ms, step.draft_ms, rest_ms)
        together = sum(times)
        if self.is_on_server:
            tokens = times = (math.nan, math.nan, math.nan)
        # of several passes together a server tells how many tokens they verified, and no depth
        if drafted := step.depth or (step.num_drafted if self.is_on_server else 0):
            wholly_reused = reused if reused == accepted else 0
            kept, of_drafted, of_phrases = self._acceptance.add(step.num_accepted, drafted, wholly_reused)
            self._acceptance_rate = kept / of_drafted
            if not self.is_on_server:
                self._phrase_acceptance = of_phrases / of_drafted
        words_per_min = self._pace.words_per_min if self.drafted_s >= FIRST_PACE_S else math.nan
        rates = self._acceptance_rate, self._phrase_acceptance
        self._append(words_per_min, *tokens, sum(tokens), *rates, *times, together)
        self.fit.add(self.place, self.drafted_s)

    def break_off(self) -> None:
        """Leave a gap: what follows was drafted after a pause."""
        self._append(*[math.nan] * len(self._columns))

    def acceptance_at_depth(self) -> tuple[float, ...]:
        """Return for depth 1, 2, ...: steps that accepted as many draft tokens / steps that drafted as
        deep."""
        deepest = max(self._num_drafted_to, default=0)
        return tuple(
            _at_least(self._num_accepted, depth) / _at_least(self._num_drafted_to, depth)
            for depth in range(1, deepest + 1)
        )

    def accepted_lengths(self) -> tuple[int, ...]:
        """Return how many steps accepted 0, 1, 2, ... draft tokens."""
        return tuple(self._num_accepted[length] for length in range(max(self._num_accepted, default=-1) + 1))

    def seconds_at(self, place: float) -> float:
        """Return the seconds of drafting after which the text had a given length."""
        row = bisect_right(self.places, place) - 1
        return self.seconds[row] if row >= 0 else 0.0

    def _append(self, *values: float) -> None:
        """Add a row: one value for each column, in their order."""
        self.places.append(self.place)
        self.seconds.append(self.drafted_s)
        for column, value in zip(self._columns, values, strict=True):
            column.append(value)


class _LastSteps:
    """Sums of three numbers of each step, over a window of the last steps."""

    def __init__(self) -> None:
        self._steps = deque[tuple[float, float, float]]()
        self._sums = 0.0, 0.0, 0.0

    def add(self, first: float, second: float, third: float = 0.0) -> tuple[float, float, float]:
        """Return the sums including the next step."""
        gone = self._steps.popleft() if len(self._steps) == WINDOW_STEPS else (0.0, 0.0, 0.0)
        self._steps.append((first, second, third))
        one, two, three = self._sums  # no loop: a stored run of 60,000 steps is added at once
        self._sums = one + first - gone[0], two + second - gone[1], three + third - gone[2]
        return self._sums

    def means(self, first: float, second: float, third: float) -> tuple[float, float, float]:
        """Return the means including the next step."""
        one, two, three = self.add(first, second, third)
        num_steps = len(self._steps)
        return one / num_steps, two / num_steps, three / num_steps


def _at_least(counts: Counter[int], number: int) -> int:
    return sum(count for size, count in counts.items() if size >= number)


_DROPPED_AT_ONCE = 1024


class PaceWindow:
    """The fewest last steps that fill a minute of drafting, or all of them; adding one is O(1).

    Attributes:
        step_ms, num_tokens: of all of them together.
        plain_ms, num_plain: of those that drafted nothing ahead.
        words_before: words of the run before the first of them.
    """

    def __init__(self) -> None:
        self._step_ms, self._num_words, self._num_tokens = array("d"), array("l"), array("i")
        self._is_plain = array("b")
        self._first = 0
        self.begin()

    def begin(self, words_before: int = 0) -> None:
        """Forget all steps; `words_before` counts the run's words before the next one."""
        del self._step_ms[:], self._num_words[:], self._num_tokens[:], self._is_plain[:]
        self._first, self.step_ms, self.num_tokens, self.words_before = 0, 0.0, 0, words_before
        self.num_plain, self.plain_ms = 0, 0.0

    def __len__(self) -> int:
        return len(self._step_ms) - self._first

    def add(self, step: StepRecord) -> None:
        """Add the next step, and drop those that the minute no longer needs."""
        self._step_ms.append(step.step_ms)
        self._num_words.append(step.num_words)
        self._num_tokens.append(step.num_tokens)
        self._is_plain.append(step.depth == 0)
        self.step_ms += step.step_ms
        self.num_tokens += step.num_tokens
        self._count_plain(len(self._step_ms) - 1, 1)
        while len(self) > 1 and self.step_ms - self._step_ms[self._first] >= 1000 * WINDOW_S:
            self.step_ms -= self._step_ms[self._first]
            self.num_tokens -= self._num_tokens[self._first]
            self.words_before = self._num_words[self._first]
            self._count_plain(self._first, -1)
            self._first += 1
        if self._first >= max(_DROPPED_AT_ONCE, len(self)):
            del self._step_ms[: self._first], self._num_words[: self._first], self._num_tokens[: self._first]
            del self._is_plain[: self._first]
            self._first = 0

    def _count_plain(self, place: int, sign: int) -> None:
        """Count a step in (1) or out (-1), if it is a plain one."""
        if self._is_plain[place]:
            self.num_plain += sign
            self.plain_ms += sign * self._step_ms[place]

    def steps(self) -> Iterator[tuple[int, float]]:
        """Yield the tokens of each step and how many milliseconds it took, in order."""
        return zip(self._num_tokens[self._first :], self._step_ms[self._first :], strict=True)

    @property
    def words_per_min(self) -> float:
        """Words per minute; NaN where no time has passed."""
        seconds = self.step_ms / 1000
        if not len(self) or seconds <= 0:
            return math.nan
        return 60 * (self._num_words[-1] - self.words_before) / seconds


class ComparedRun:
    """The figures of a run in a comparison.

    Attributes:
        name: its name in the legend.
        words_before: words of the manuscript before it.
        distinct: the variety of its text.
        is_on_server: see RunSeries.
    """

    def __init__(
        self,
        name: str,
        steps: Iterable[StepRecord],
        words_before: int = 0,
        distinct: Sequence[DistinctPoint] = (),
        *,
        is_on_server: bool = False,
    ) -> None:
        self.name = name
        self.series = RunSeries(words_before, is_on_server=is_on_server)
        for step in steps:
            self.series.add(step)
        self.distinct = distinct


def steps_at(steps: Iterable[StepRecord], token_counts: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers of the steps, from 1 on, after which a run had at least these token counts."""
    ends = list(accumulate(step.num_tokens for step in steps))
    numbers = {bisect_right(ends, count - 1) + 1 for count in token_counts if count > 0}
    return tuple(sorted(number for number in numbers if number <= len(ends)))
