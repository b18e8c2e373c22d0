"""How many tokens a pass brought, by thousand drafted words of the book: whether drafting becomes faster."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from quire.domain.drafting.run_metrics import StepRecord

STRETCH = 1_000
"""Words of a point."""
_LEAST = 100
"""Tokens below which a stretch says nothing, such as the last one of a book."""


@dataclass(frozen=True, slots=True)
class CoursePoint:
    """A stretch of drafted text.

    Attributes:
        words: drafted words of the book up to its end.
        tokens_per_pass: the model drew these in one pass, on average; 1 without acceleration.
        ms_per_token: time of the steps.
    """

    words: int
    tokens_per_pass: float
    ms_per_token: float


def pass_course(runs: Iterable[Sequence[StepRecord]]) -> tuple[CoursePoint, ...]:
    """Return a point for each thousand words that these runs drafted, one after the other.

    runs: the records of their steps, the oldest run first. Words that were taken back count, too.
    """
    points: list[CoursePoint] = []
    passes = tokens = words = 0
    spent_ms = 0.0
    for step, gained in _steps(runs):
        passes, tokens, words = passes + 1, tokens + step.num_tokens, words + gained
        spent_ms += step.step_ms
        if words >= (len(points) + 1) * STRETCH and tokens >= _LEAST:
            points.append(CoursePoint(words, tokens / passes, spent_ms / tokens))
            passes = tokens = 0
            spent_ms = 0.0
    if tokens >= _LEAST:
        points.append(CoursePoint(words, tokens / passes, spent_ms / tokens))
    return tuple(points)


def _steps(runs: Iterable[Sequence[StepRecord]]) -> Iterator[tuple[StepRecord, int]]:
    """Yield every step with the words that it added."""
    for steps in runs:
        before = 0
        for step in steps:
            yield step, max(0, step.num_words - before)
            before = step.num_words
