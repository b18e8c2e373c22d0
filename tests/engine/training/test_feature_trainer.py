"""The feature drafter learns from samples alone, in the numbers that the processor is quick with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from quire_engine.api.config import SamplingConfig
from quire_engine.drafting.feature_drafter import FeatureShape
from quire_engine.training.draft_samples import MAX_KEPT, DraftSample
from quire_engine.training.feature_trainer import FeatureTrainer
from quire_engine.training.trainable_drafters import FeatureLearner

SHAPE = FeatureShape(8, 16, 2, 1, 4, 10_000.0, 1e-6, 12)
NUM_IDS, PLACES = 40, 24


class Products(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch types no mode
    """Notes the number formats of matrix products."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.formats: set[torch.dtype] = set()

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Note a product, and let it run."""
        if func.overloadpacket in (torch.ops.aten.mm, torch.ops.aten.bmm, torch.ops.aten.addmm):
            self.formats |= {each.dtype for each in args if isinstance(each, torch.Tensor)}
        return func(*args, **(kwargs or {}))


def sample(random: np.random.Generator) -> DraftSample:
    kept = np.full((PLACES, MAX_KEPT), -1, np.int32)
    kept[:, :4] = random.integers(0, NUM_IDS, (PLACES, 4))
    shares = np.zeros((PLACES, MAX_KEPT), np.float16)
    shares[:, :4] = 0.25
    return DraftSample(
        np.arange(3),
        torch.from_numpy(random.integers(0, NUM_IDS, PLACES)),
        torch.from_numpy(random.normal(size=(PLACES, SHAPE.width))).to(torch.bfloat16),
        torch.from_numpy(kept),
        torch.from_numpy(shares),
    )


@pytest.mark.parametrize(("native", "wanted"), [(True, torch.bfloat16), (False, torch.float32)])
def test_products_are_in_bfloat16_only_where_the_processor_multiplies_it_itself(
    monkeypatch: pytest.MonkeyPatch, native: bool, wanted: torch.dtype
) -> None:
    monkeypatch.setattr(torch.cpu, "_is_avx512_bf16_supported", lambda: native)
    torch.manual_seed(1)
    random = np.random.default_rng(1)
    head, embedded = torch.randn(NUM_IDS, SHAPE.width).to(torch.bfloat16), torch.randn(NUM_IDS, SHAPE.width)
    trainer = FeatureTrainer(
        FeatureLearner(SHAPE), torch.arange(NUM_IDS), head, lambda ids: embedded[ids], SamplingConfig()
    )
    samples = [sample(random) for _ in range(2)]
    losses = []
    with Products() as products:
        for _ in range(12):
            losses.append(trainer.step(samples))
        trainer.measure(samples)
    assert wanted in products.formats
    assert wanted is torch.bfloat16 or products.formats == {torch.float32}
    assert losses[-1] < losses[0]
    kept = trainer.weights().head
    assert kept is not None
    assert torch.equal(kept, head)  # whatever it learned with
