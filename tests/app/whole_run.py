"""The figures of a run from all of its steps at once: the plain form that live charts are tested against."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import TypeVar

from quire.domain.drafting.live_run_metrics import WINDOW_S, WINDOW_STEPS
from quire.domain.drafting.run_metrics import StepRecord
from quire_engine.metrics.acceptance import PHRASES, RunMetrics, StepMetrics

Steps = Sequence[StepRecord]
Figure = TypeVar("Figure")


def metrics_of(steps: Steps) -> RunMetrics:
    """Return the engine's own figures of steps."""
    metrics = RunMetrics()
    for one in steps:
        spent = (one.draft_ms, one.verify_ms, one.step_ms - one.draft_ms - one.verify_ms)
        drafted = (one.num_drafted, one.depth, one.sources)
        metrics.add(StepMetrics(*drafted, one.num_tokens, *spent, one.margin))
    return metrics


def drafting_s(steps: Steps) -> list[float]:
    """Return the seconds of drafting after each step."""
    return list(accumulate(step.step_ms / 1000 for step in steps))


def rolling_pace(steps: Steps, words_before: int = 0) -> list[float | None]:
    """Return the words a minute after each step, over the fewest last steps that fill the window."""
    values: list[float | None] = []
    first, step_ms, words = 0, 0.0, words_before
    for step in steps:
        step_ms += step.step_ms
        while step_ms - (oldest := steps[first]).step_ms >= 1000 * WINDOW_S and oldest is not step:
            step_ms -= oldest.step_ms
            words = oldest.num_words
            first += 1
        seconds = step_ms / 1000
        values.append(60 * (step.num_words - words) / seconds if seconds > 0 else None)
    return values


def rolling_acceptance_rate(steps: Steps) -> list[float | None]:
    """Return alpha after each step, over the last steps that drafted."""
    return _after_each(steps, lambda so_far: _last_drafting(so_far).alpha)


def rolling_phrase_acceptance(steps: Steps) -> list[float | None]:
    """Return beta after each step, over the last steps that drafted."""
    return _after_each(steps, lambda so_far: _last_drafting(so_far).beta)


def _last_drafting(steps: Steps) -> RunMetrics:
    return metrics_of([step for step in steps if step.depth][-WINDOW_STEPS:])


def rolling_tokens_per_pass(steps: Steps) -> list[float | None]:
    """Return the tokens that a pass added after each step, plain ones included."""
    return _after_each(steps, lambda so_far: metrics_of(so_far[-WINDOW_STEPS:]).tokens_per_pass)


def rolling_tokens_by_origin(steps: Steps) -> list[tuple[float, float, float]]:
    """Return the tokens per pass that the model drew itself, that drafters proposed, and that phrases did."""
    return _after_each(steps, lambda so_far: _tokens_by_origin(so_far[-WINDOW_STEPS:]))


def _after_each(steps: Steps, figure: Callable[[Steps], Figure]) -> list[Figure]:
    return [figure(steps[:end]) for end in range(1, len(steps) + 1)]


def _tokens_by_origin(steps: Steps) -> tuple[float, float, float]:
    sources = [source for step in steps for source in step.sources]
    phrases = sum(source in PHRASES for source in sources)
    written = sum(step.num_tokens for step in steps)
    counts = (written - len(sources), len(sources) - phrases, phrases)
    model, drafters, from_phrases = (count / len(steps) for count in counts)
    return model, drafters, from_phrases
