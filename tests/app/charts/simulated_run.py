"""A run as it could be, for charts: seeded, of any length."""

from __future__ import annotations

import random

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
