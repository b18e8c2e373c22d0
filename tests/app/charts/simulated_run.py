"""Runs as they could be, for charts: seeded or even, of any length."""

from __future__ import annotations

import random
from collections.abc import Sequence

from quire.charts.chart_data import (
    ChartData,
    ChartSeries,
    SeriesRole,
)
from quire.domain.drafting.run_metrics import StepRecord
from quire_engine.api.config import Source

_GUESSERS: tuple[Source, ...] = ("heads", "feature", "ngrams")


def simulated_run(num_steps: int, seed: int = 7) -> list[StepRecord]:
    """Return steps that slow down as the text grows, with plain ones among them."""
    chance = random.Random(seed)
    steps: list[StepRecord] = []
    words = 0.0
    for number in range(num_steps):
        depth = chance.choice((0, 3, 4, 4, 5))
        kept = 0
        while kept < depth and chance.random() < 0.8:
            kept += 1
        words += 0.74 * (kept + 1)
        spent_ms = (40 + number / 300) * chance.uniform(0.9, 1.1)
        sources: tuple[Source, ...] = tuple(chance.choice(_GUESSERS) for _ in range(kept))
        steps.append(
            StepRecord(
                kept + 1,
                int(words),
                depth,
                3 * depth,
                kept,
                spent_ms,
                spent_ms / 5,
                spent_ms / 2,
                1.0,
                sources,
            )
        )
    return steps


def other_of(data: ChartData) -> ChartSeries:
    (found,) = (one for one in data.series if one.role is SeriesRole.OTHER)
    return found


def step(
    accepted: Sequence[Source] = (), depth: int = 0, words: int = 0, step_ms: float = 1000.0
) -> StepRecord:
    kept = tuple(accepted)
    return StepRecord(len(kept) + 1, words, depth, 2 * depth, len(kept), step_ms, 1.0, 2.0, 1.5, kept)


def long_run(num_steps: int = 3_000) -> list[StepRecord]:
    """A run that slows down evenly: two words a step, each step a little longer than the one before."""
    return [
        step(("heads", "ngrams"), 4, 2 * number, 40.0 + number / 100) for number in range(1, num_steps + 1)
    ]
