"""The tiny model and the tiny corpus that the tests of training share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from quire_engine.training.training_plan import ModelPreset, Phase
from tests.training.corpus import Tokens

SHAPE = ModelPreset(
    vocab_size=64,
    hidden_size=32,
    intermediate_size=48,
    num_layers=2,
    num_heads=2,
    num_kv_heads=1,
    rope_theta=10_000.0,
    max_positions=256,
    phases=(Phase(16, 1.0),),
    total_tokens=1000,
)


def shape(**changes: Any) -> ModelPreset:
    """Return the tiny shape with some sizes changed."""
    return replace(SHAPE, **changes)


def corpus() -> Tokens:
    """Return tokens with a pattern to learn: a walk in which most steps are the same."""
    rng = np.random.default_rng(3)
    steps = np.where(rng.random(3000) < 0.9, 7, rng.integers(0, 64, 3000))
    return (np.cumsum(steps) % 64).astype(np.uint16)
