"""What happened in every step of a run, and the figures that charts draw from it.

Definitions: `quire_engine.metrics`. Drafting time is time spent in steps; reading and pauses are no part of
it. Plain functions sum up the steps that they are given, those with a window no more than they need of the
end, so that a gauge may ask often; those that begin with `rolling_` return one value per step of a whole run.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, islice, repeat
from typing import NamedTuple

from quire_engine.api.config import OTHER, SOURCES, Source
from quire_engine.api.messages import StepCompleted
from quire_engine.metrics.acceptance import PHRASES

WINDOW_S = 60.0
"""Seconds of drafting time that a pace is taken over."""
WINDOW_STEPS = 256
"""Steps that a rate is taken over."""


@dataclass(frozen=True, slots=True)
class StepRecord:
    """One step; the fields are those of the engine's StepCompleted, num_tokens counts its tokens.

    num_tokens: that it added. num_words: whole words in the run after it. depth: longest drafted path, 0 for
    a plain step. num_drafted: guesses that its pass checked. num_accepted: of the longest right path.
    sources: which drafter each accepted token came from, in order of depth.
    margin: its closest decision, in logits; infinite where nothing else could have been drawn.
    token_chars: characters that each token completed; empty in records of versions that did not keep it.
    """

    num_tokens: int
    num_words: int
    depth: int
    num_drafted: int
    num_accepted: int
    step_ms: float
    draft_ms: float
    verify_ms: float
    margin: float
    sources: tuple[Source, ...] = ()
    token_chars: tuple[int, ...] = ()


def record_of(step: StepCompleted, text: str) -> StepRecord:
    """Return the record of a step whose text is stored like this; lengths only where they are those of it."""
    is_whole = sum(step.token_chars) == len(text)
    return StepRecord(
        num_tokens=len(step.token_ids),
        num_words=step.num_words,
        depth=step.draft_depth,
        num_drafted=step.num_drafted,
        num_accepted=step.num_accepted,
        step_ms=step.step_ms,
        draft_ms=step.draft_ms,
        verify_ms=step.verify_ms,
        margin=step.margin,
        sources=step.accepted_sources,
        token_chars=step.token_chars if is_whole else (),
    )


class Pace(NamedTuple):
    """How fast a draft grew. seconds: of drafting, that it was measured over."""

    tokens_per_s: float
    words_per_min: float
    seconds: float


def pace(steps: Sequence[StepRecord], window_s: float = WINDOW_S, words_before: int = 0) -> Pace | None:
    """Return the pace over the last seconds of drafting; None where no time has passed.

    The fewest last steps that fill the window count, or all of them. words_before: words of the run before
    the first step that is given.
    """
    first, step_ms, tokens = len(steps), 0.0, 0
    while first > 0 and step_ms < 1000 * window_s:
        first -= 1
        step_ms += steps[first].step_ms
        tokens += steps[first].num_tokens
    if step_ms <= 0:
        return None
    words = steps[-1].num_words - (steps[first - 1].num_words if first else words_before)
    return _pace(tokens, words, step_ms)


def rolling_pace(
    steps: Sequence[StepRecord], window_s: float = WINDOW_S, words_before: int = 0
) -> list[Pace | None]:
    """Return the pace as it stood after each step."""
    window_ms = 1000 * window_s
    values: list[Pace | None] = []
    first, step_ms, tokens, words = 0, 0.0, 0, words_before
    for step in steps:
        step_ms += step.step_ms
        tokens += step.num_tokens
        while step_ms - (oldest := steps[first]).step_ms >= window_ms and oldest is not step:
            step_ms -= oldest.step_ms
            tokens -= oldest.num_tokens
            words = oldest.num_words
            first += 1
        values.append(_pace(tokens, step.num_words - words, step_ms) if step_ms > 0 else None)
    return values


def drafting_s(steps: Iterable[StepRecord]) -> list[float]:
    """Return the seconds of drafting after each step."""
    return list(accumulate(step.step_ms / 1000 for step in steps))


def tokens_after(steps: Iterable[StepRecord]) -> list[int]:
    """Return the tokens written after each step."""
    return list(accumulate(step.num_tokens for step in steps))


def acceptance_rate(steps: Sequence[StepRecord], window: int = WINDOW_STEPS) -> float | None:
    """Return alpha, accepted / drafted depth, of the last steps that drafted; None when none did."""
    last = list(islice((step for step in reversed(steps) if step.depth), window))
    return _ratio(sum(step.num_accepted for step in last), sum(step.depth for step in last))


def rolling_guesses_kept(steps: Sequence[StepRecord], window: int = WINDOW_STEPS) -> list[float | None]:
    """Return alpha as it stood after each step, over the last steps that drafted."""
    drafted = [step for step in steps if step.depth]
    sums = zip(
        _window_sums([step.num_accepted for step in drafted], window),
        _window_sums([step.depth for step in drafted], window),
        strict=True,
    )
    values: list[float | None] = []
    value: float | None = None
    for step in steps:
        if step.depth:
            value = _ratio(*next(sums))
        values.append(value)
    return values


def tokens_per_pass(steps: Sequence[StepRecord], window: int = WINDOW_STEPS) -> float | None:
    """Return how many tokens a step adds on average, over the last steps, plain ones included."""
    last = steps[-window:]
    return _ratio(sum(step.num_tokens for step in last), len(last))


def rolling_tokens_per_pass(steps: Sequence[StepRecord], window: int = WINDOW_STEPS) -> list[float]:
    """Return the tokens per pass as they stood after each step."""
    return _rolling_means([step.num_tokens for step in steps], window)


class Shares(NamedTuple):
    """Tokens by who proposed them; their sum is all of them.

    model: drawn by the model without a guess. guesser: proposed by trained drafters. phrases: by phrases that
    the text already has.
    """

    model: float
    guesser: float
    phrases: float


def tokens_by_origin(steps: Sequence[StepRecord]) -> Shares:
    """Return how many tokens the model drew by itself, and how many of each kind of guess were kept."""
    by_source = accepted_by_source(steps)
    phrases = sum(count for source, count in by_source.items() if source in PHRASES)
    guessed = sum(by_source.values())
    return Shares(sum(step.num_tokens for step in steps) - guessed, guessed - phrases, phrases)


def rolling_tokens_by_origin(steps: Sequence[StepRecord], window: int = WINDOW_STEPS) -> list[Shares]:
    """Return the tokens per pass by who proposed them as they stood after each step."""
    from_phrases = {kept: sum(source in PHRASES for source in kept) for kept in {s.sources for s in steps}}
    guessed = [len(step.sources) for step in steps]
    reused = [from_phrases[step.sources] for step in steps]
    columns = (
        [step.num_tokens - kept for step, kept in zip(steps, guessed, strict=True)],
        [kept - old for kept, old in zip(guessed, reused, strict=True)],
        reused,
    )
    means = (_rolling_means(column, window) for column in columns)
    return list(map(Shares._make, zip(*means, strict=True)))


def accepted_by_source(steps: Iterable[StepRecord]) -> Mapping[Source, int]:
    """Return how many kept guesses each source has; those that have none are left out."""
    counts = Counter(source for step in steps for source in step.sources)
    return {source: counts[source] for source in (*SOURCES, OTHER) if counts[source]}


def phrase_share(steps: Iterable[StepRecord]) -> float | None:
    """Return the share of kept guesses that came from phrases; None when none was kept."""
    by_source = accepted_by_source(steps)
    phrases = sum(count for source, count in by_source.items() if source in PHRASES)
    return _ratio(phrases, sum(by_source.values()))


def beta(steps: Sequence[StepRecord]) -> float | None:
    """Return the paper's n-gram acceptance rate: kept on paths of phrases alone / drafted depth."""
    kept = sum(len(step.sources) for step in steps if step.sources and PHRASES.issuperset(step.sources))
    return _ratio(kept, sum(step.depth for step in steps))


def kept_at_depth(steps: Sequence[StepRecord]) -> tuple[float, ...]:
    """Return for depth 1, 2, ...: steps that kept so many guesses or more / steps that drafted so deep."""
    drafted = _at_least(Counter(step.depth for step in steps))
    kept = _at_least(Counter(step.num_accepted for step in steps))
    return tuple(kept.get(depth, 0) / drafted[depth] for depth in range(1, max(drafted, default=0) + 1))


def accepted_lengths(steps: Iterable[StepRecord]) -> tuple[int, ...]:
    """Return how many steps kept 0, 1, 2, ... guesses."""
    counts = Counter(step.num_accepted for step in steps)
    return tuple(counts[length] for length in range(max(counts, default=-1) + 1))


def smallest_margin(steps: Iterable[StepRecord]) -> float:
    """Return the closest decision of all, in logits; infinite when there was none."""
    return min((step.margin for step in steps), default=math.inf)


def _pace(tokens: int, words: int, step_ms: float) -> Pace:
    seconds = step_ms / 1000
    return Pace(tokens / seconds, 60 * words / seconds, seconds)


def _window_sums(values: Sequence[int], window: int) -> Iterator[int]:
    """Give after each value the sum of the last ones."""
    leaving = chain(repeat(0, window), values)
    return accumulate(value - gone for value, gone in zip(values, leaving, strict=False))


def _rolling_means(values: Sequence[int], window: int) -> list[float]:
    sums = list(_window_sums(values, window))
    filling = [total / count for count, total in enumerate(sums[:window], start=1)]
    return filling + [total / window for total in sums[window:]]


def _at_least(counts: Counter[int]) -> dict[int, int]:
    """Return for each number from 0 to the largest one how many are that large or larger."""
    downwards = range(max(counts, default=-1), -1, -1)
    return dict(zip(downwards, accumulate(counts[number] for number in downwards), strict=True))


def _ratio(amount: float, of: float) -> float | None:
    return amount / of if of else None
