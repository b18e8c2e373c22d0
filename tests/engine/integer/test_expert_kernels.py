"""What a row chooses among experts, against plain numpy; and that it is a matter of that row alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.integer.expert_kernels import by_expert, choose, router_scores
from quire_engine.integer.pass_data import Shape

_SCORES = st.floats(-60, 60, width=32)


def _shape(experts: int, chosen: int, shared: int, *, add_up: bool) -> Shape:
    return Shape(
        8, 1, 1, 8, 8, 1e-6, 1.0, experts=experts, chosen=chosen, shared=shared, shares_add_up=add_up
    )


@given(st.lists(_SCORES, min_size=2, max_size=9), st.data())
def test_the_best_experts_are_chosen_with_their_shares(scores: list[float], data: st.DataObject) -> None:
    count = len(scores)
    wanted, shared = data.draw(st.integers(1, count)), data.draw(st.integers(0, 2))
    add_up, scored = data.draw(st.booleans()), data.draw(st.booleans())
    line = np.array([*scores, *([0.5] if scored else [])], np.float32)
    chosen, shares = np.zeros(wanted + shared, np.int64), np.zeros(wanted + shared, np.float32)
    choose(line, _shape(count + shared, wanted, shared, add_up=add_up), chosen, shares)
    best = sorted(sorted(range(count), key=lambda each: (-line[each], each))[:wanted])
    assert chosen.tolist() == [*best, *range(count, count + shared)]
    weights = np.exp(line[:count].astype(np.float64) - line[:count].max())
    total = weights[best].sum() if add_up else weights.sum()
    of_shared = 1 / (1 + np.exp(-0.5)) if scored else 1.0
    assert shares == pytest.approx([*(weights[best] / total), *[of_shared] * shared], rel=1e-5, abs=1e-30)


def test_experts_that_are_equally_good_are_chosen_from_the_first_on() -> None:
    chosen, shares = np.zeros(2, np.int64), np.zeros(2, np.float32)
    choose(np.array([1, 3, 3, 3], np.float32), _shape(4, 2, 0, add_up=True), chosen, shares)
    assert (chosen.tolist(), shares.tolist()) == ([1, 2], [0.5, 0.5])


@given(st.integers(1, 7), st.integers(1, 4), st.integers(1, 9), st.integers(0, 2**32 - 1))
def test_rows_are_ordered_by_expert(rows: int, slots: int, experts: int, seed: int) -> None:
    chosen = np.random.default_rng(seed).integers(0, experts, (rows, slots))
    wanted = np.argsort(chosen.ravel(), kind="stable")
    assert by_expert(chosen, experts).tolist() == wanted.tolist()


def test_scores_are_sums_from_the_first_input_on() -> None:
    random = np.random.default_rng(3)
    x, router = random.normal(size=70).astype(np.float32), random.normal(size=(70, 5)).astype(np.float32)
    total = np.zeros(5, np.float32)
    for value, line in zip(x, router, strict=True):
        total += value * line
    assert np.array_equal(router_scores(x, router), total)
