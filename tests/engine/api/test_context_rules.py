"""The context that a model gets on this computer."""

from __future__ import annotations

import pytest

from quire_engine.api.config import CPU_CONTEXT
from quire_engine.api.context_rules import CONTEXT_STEP, context_here
from quire_engine.models.attention import BLOCK


@pytest.mark.parametrize(
    ("model", "limit", "on_cpu", "on_gpu"),
    [
        (131_072, 0, CPU_CONTEXT, 131_072),
        (8_192, 0, 8_192, 8_192),
        (131_072, 4_096, 4_096, 4_096),
        (131_072, 65_536, 65_536, 65_536),  # a writer may allow more than is usual on a processor
        (8_192, 65_536, 8_192, 8_192),
        (131_072, 1_000, 960, 960),  # whole blocks
    ],
)
def test_a_context_is_the_models_own_up_to_the_limit_here(
    model: int, limit: int, on_cpu: int, on_gpu: int
) -> None:
    assert context_here(model, limit, on_gpu=False) == on_cpu
    assert context_here(model, limit, on_gpu=True) == on_gpu


def test_contexts_are_counted_in_the_blocks_of_attention() -> None:
    assert CONTEXT_STEP == BLOCK
