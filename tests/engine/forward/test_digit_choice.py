"""Second digits where they are needed: none for nothing, all when nothing else is near enough."""

from __future__ import annotations

import pytest

from quire_engine.forward import digit_choice
from quire_engine.forward.digit_choice import choose_digits
from quire_engine.integer.integer_weights import IntegerWeights, integer_weights
from tests.engine.tiny import build, prompt_ids

TEXTS = (prompt_ids(128), prompt_ids(129)[1:])


def _digits(weights: IntegerWeights) -> tuple[tuple[bool, ...], ...]:
    layers = weights.layers
    kinds = (layers.qkv, layers.out, layers.gate_up, layers.down, weights.head)
    return tuple(tuple(kind.two.tolist()) for kind in kinds)


def _lost(weights: IntegerWeights) -> float:
    """Return how far the passes are from those with all second digits; the digits stay as they are."""
    kinds = (*weights.layers[:4], weights.head)
    kept = _digits(weights)
    found = digit_choice._scores(weights, TEXTS)
    for kind in kinds:
        kind.two[:] = True
    wanted = digit_choice._scores(weights, TEXTS)
    for kind, two in zip(kinds, kept, strict=True):
        kind.two[:] = two
    return digit_choice._divergence(wanted, found)


@pytest.mark.parametrize(("allowed", "least", "most"), [(1e9, 0, 0), (0.0, 9, 9), (None, 1, 8)])
def test_digits_are_chosen_by_what_may_be_lost(
    monkeypatch: pytest.MonkeyPatch, allowed: float | None, least: int, most: int
) -> None:
    weights = integer_weights(build("llama"))
    for kind in (*weights.layers[:4], weights.head):
        kind.two[:] = False
    limit = _lost(weights) / 3 if allowed is None else allowed
    monkeypatch.setattr(digit_choice, "MOST_LOST", limit)
    shares: list[float] = []
    count = choose_digits(weights, TEXTS, shares.append)
    assert least <= count <= most
    assert count == sum(sum(kind) for kind in _digits(weights))
    assert _lost(weights) <= limit
    assert shares == sorted(shares)
    assert shares[-1] <= 1
    again = integer_weights(build("llama"))
    choose_digits(again, TEXTS)
    assert _digits(again) == _digits(weights)
