"""What tests of the trained drafters share: a tiny network, random weights, a request."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.drafting.draft_heads import HeadsWeights
from quire_engine.drafting.drafter import DrafterInput
from quire_engine.drafting.feature_drafter import FeatureShape, FeatureWeights
from quire_engine.models.network import FusedDecoder
from tests.engine import tiny
from tests.engine.wrapped import Wrapped

WIDTH = 64
SHAPE = FeatureShape(WIDTH, 96, 4, 2, 16, 10_000.0, 1e-6, window=12)
GREEDY = SamplingConfig(temperature=0, repetition_penalty=1)


class Recorder(Wrapped):
    """A tiny Llama's network that remembers which hidden states were turned into scores."""

    def __init__(self) -> None:
        super().__init__(FusedDecoder(tiny.build("llama"), 8))
        self.scored: list[Tensor] = []

    def logits(self, hidden: Tensor) -> Tensor:
        """Return the scores and remember the states."""
        self.scored.append(hidden.clone())
        return super().logits(hidden)


def random_feature(seed: int = 0) -> FeatureWeights:
    """Return a feature drafter that knows nothing."""
    random = torch.Generator().manual_seed(seed)
    tensors = {
        name: torch.randn(size, generator=random) * (0.2 if len(size) > 1 else 0.1) + float(len(size) == 1)
        for name, size in SHAPE.tensor_shapes().items()
    }
    return FeatureWeights(SHAPE, tensors)


def random_heads(seed: int = 0, count: int = 3) -> HeadsWeights:
    """Return heads that know nothing."""
    random = torch.Generator().manual_seed(seed)
    weight = torch.randn(count, WIDTH, WIDTH, generator=random) * 0.1
    norm, post_norm = (1 + 0.2 * torch.randn(count, WIDTH, generator=random) for _ in range(2))
    return HeadsWeights(weight, norm, post_norm)


def random_hidden(rows: int, seed: int = 1) -> Tensor:
    """Return hidden states of a text. (rows, WIDTH)."""
    return torch.randn(rows, WIDTH, generator=torch.Generator().manual_seed(seed))


def request(token: int = 5, sampling: SamplingConfig = GREEDY) -> DrafterInput:
    """Return a request somewhere in a text."""
    return DrafterInput(token, 100, sampling, np.zeros(0, dtype=np.int64), 4)
