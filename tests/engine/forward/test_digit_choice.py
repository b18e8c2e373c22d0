"""Second digits where they are needed: none for nothing, all when nothing else is near enough."""

from __future__ import annotations

import pytest
import torch

from quire_engine.forward import digit_choice
from quire_engine.forward.digit_choice import measure, with_chosen_digits
from quire_engine.forward.yardstick import Yardstick
from quire_engine.forward.yardstick import measure as scores_of
from quire_engine.integer.integer_weights import IntegerWeights, integer_weights
from tests.engine.tiny import build, prompt_ids


@pytest.fixture(scope="module")
def yardstick() -> Yardstick:
    return scores_of(build("llama"), [prompt_ids(128), prompt_ids(129)[1:]], torch.float32)


def _second_digits(weights: IntegerWeights) -> int:
    layers = weights.layers
    kinds = (layers.qkv, layers.out, layers.gate_up, layers.down, weights.head)
    return sum(int(kind.two.sum()) for kind in kinds)


@pytest.mark.parametrize(("enough", "least", "most"), [(1e9, 0, 0), (0.0, 1, 9), (None, 1, 8)])
def test_digits_are_chosen_by_what_is_near_enough(
    yardstick: Yardstick,
    monkeypatch: pytest.MonkeyPatch,
    enough: float | None,
    least: int,
    most: int,
) -> None:
    weights = integer_weights(build("llama"))
    every = [*weights.layers[:4], weights.head]
    for kind in every:
        kind.two[:] = False
    without = measure(weights, yardstick)
    for kind in every:
        kind.two[:] = True
    best = measure(weights, yardstick)
    assert best.divergence < without.divergence
    between = (best.divergence + without.divergence) / 2
    wanted = between if enough is None else enough
    monkeypatch.setattr(digit_choice, "ENOUGH", wanted)
    monkeypatch.setattr(digit_choice, "_NEAR_BEST", 1.0)
    shares: list[float] = []
    form = with_chosen_digits(weights, yardstick, shares.append)
    assert least <= _second_digits(form.weights) <= most
    assert form.quality == measure(form.weights, yardstick)
    assert form.quality is not None
    assert form.quality.divergence <= max(wanted, best.divergence)
    assert shares == sorted(shares)
    assert shares[-1] <= 1
