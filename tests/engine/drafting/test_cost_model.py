from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.drafting.cost_model import CostModel, SteadyMean
from tests.engine.tiny import few


def measured(*points: tuple[int, int, float], padded: bool = False) -> CostModel:
    costs = CostModel(padded=padded)
    for nodes, length, milliseconds in points:
        costs.measured(nodes, length, milliseconds)
    return costs


def test_a_measured_pass_costs_what_was_measured() -> None:
    costs = measured((0, 64, 3.0), (7, 64, 5.0))
    assert costs.verify(0, 64) == pytest.approx(3.0)
    assert costs.verify(7, 64) == pytest.approx(5.0)


def test_costs_between_measured_sizes_and_lengths_are_interpolated() -> None:
    costs = measured((0, 0, 2.0), (0, 1000, 4.0), (8, 0, 4.0), (8, 1000, 8.0))
    assert costs.verify(4, 0) == pytest.approx(3.0)
    assert costs.verify(0, 500) == pytest.approx(3.0)
    assert costs.verify(4, 500) == pytest.approx(4.5)


def test_costs_beyond_the_measured_lengths_keep_growing() -> None:
    assert measured((0, 0, 2.0), (0, 1000, 4.0)).verify(0, 3000) == pytest.approx(8.0)
    # a falling slope is noise of the machine
    assert measured((0, 0, 4.0), (0, 1000, 3.9)).verify(0, 9000) == pytest.approx(3.9)


def test_several_measurements_of_one_pass_give_their_median() -> None:
    assert measured((0, 0, 3.0), (0, 0, 90.0), (0, 0, 3.2)).verify(0, 0) == pytest.approx(3.2)


def test_more_nodes_never_cost_less() -> None:
    curve = measured((0, 0, 3.3), (1, 0, 3.1), (3, 0, 3.5), (7, 0, 3.4)).curve(7, 0)
    assert len(curve) == 8
    assert curve == sorted(curve)
    assert curve[0] == pytest.approx(3.1)


def test_before_anything_is_known_a_pass_costs_one_millisecond() -> None:
    assert CostModel().curve(3, 100) == [1.0] * 4


def test_the_first_real_pass_serves_when_nothing_was_measured() -> None:
    costs = CostModel()
    costs.learn(0, 10, 4.0)
    assert costs.verify(0, 10) == pytest.approx(4.0)
    costs.learn(7, 10, 6.0)
    assert costs.verify(7, 10) == pytest.approx(6.0)


def test_a_machine_that_slows_down_is_followed_and_other_sizes_with_it() -> None:
    costs = CostModel(padded=True)
    costs.measured(0, 0, 3.0)
    costs.measured(7, 0, 4.0)
    for _ in range(100):  # a machine is known by its passes
        costs.learn(0, 0, 3.0)
        costs.learn(7, 0, 4.0)
    for _ in range(300):
        costs.learn(7, 0, 8.0)
    assert costs.verify(7, 0) == pytest.approx(8.0, rel=0.02)
    assert costs.verify(0, 0) == pytest.approx(6.0, rel=0.15)


@pytest.mark.parametrize("padded", [False, True])
def test_a_size_that_was_misjudged_at_load_is_corrected_by_a_few_passes_and_alone(padded: bool) -> None:
    costs = CostModel(padded=padded)
    costs.measured(0, 0, 3.0)
    costs.measured(7, 0, 16.0)
    for _ in range(10):
        costs.learn(0, 0, 3.0)
    for _ in range(10):
        costs.learn(7, 0, 4.0)
    assert costs.verify(7, 0) == pytest.approx(4.0, rel=0.15)
    assert costs.verify(0, 0) == pytest.approx(3.0, rel=0.15)


def test_rounding_does_not_make_a_larger_pass_cheaper() -> None:
    curve = measured((0, 0, 0.64), (3, 0, 1.8), (7, 0, 7.7)).curve(8, 0)
    assert curve == sorted(curve)


def test_a_size_that_grows_more_expensive_alone_is_told_from_the_machine() -> None:
    costs = measured((0, 0, 3.0), (7, 0, 3.5))
    for step in range(3000):
        nodes = 0 if step % 50 < 2 else 7
        costs.learn(nodes, 0, 3.0 if nodes == 0 else 7.0)
    assert costs.verify(0, 0) == pytest.approx(3.0, rel=0.1)
    assert costs.verify(7, 0) == pytest.approx(7.0, rel=0.05)


def test_a_context_that_begins_again_is_not_judged_by_the_long_one() -> None:
    costs = measured((0, 0, 3.0), (7, 0, 3.5))
    for step in range(2000):
        nodes = 0 if step % 10 == 0 else 7
        costs.learn(nodes, 5000, 3.0 if nodes == 0 else 9.0)
    assert costs.verify(7, 5000) == pytest.approx(9.0, rel=0.05)
    costs.learn(0, 100, 3.0)
    assert costs.verify(7, 100) / costs.verify(0, 100) < 1.5


def test_hiccups_of_the_machine_hardly_count() -> None:
    rng = random.Random(1)
    costs = measured((0, 0, 3.0), (7, 0, 3.5))
    for _ in range(2000):
        costs.learn(7, 0, 3.5 * rng.gauss(1, 0.05) * (20 if rng.random() < 0.02 else 1))
    assert costs.verify(7, 0) == pytest.approx(3.5, rel=0.06)


def test_a_size_that_is_not_seen_grows_uncertain_and_is_sure_again_once_seen() -> None:
    costs = measured((0, 0, 3.0), (7, 0, 3.5))
    costs.learn(0, 0, 3.0)
    before = costs.uncertainty(0)
    for _ in range(1000):
        costs.learn(7, 0, 3.5)
    unseen = costs.uncertainty(0)
    assert unseen > before
    for _ in range(5):
        costs.learn(0, 0, 3.0)
    assert costs.uncertainty(0) < unseen / 2


def test_a_later_measurement_is_taken_at_its_word_though_the_machine_has_changed() -> None:
    costs = measured((0, 0, 3.0), (7, 0, 4.0))
    for _ in range(300):
        costs.learn(7, 0, 8.0)
    costs.measured(0, 4000, 10.0)
    costs.measured(7, 4000, 14.0)
    assert costs.verify(0, 4000) == pytest.approx(10.0)


@pytest.mark.parametrize("wrong", [(-1, 0, 3.0), (0, -1, 3.0), (0, 0, 0.0), (0, 0, float("inf"))])
def test_a_pass_that_cannot_be_is_rejected(wrong: tuple[int, int, float]) -> None:
    with pytest.raises(ValueError, match="no such pass"):
        CostModel().measured(*wrong)


def test_a_real_pass_without_a_time_teaches_nothing() -> None:
    costs = measured((0, 0, 3.0))
    costs.learn(0, 0, 0.0)
    costs.learn(0, 0, float("nan"))
    assert costs.verify(0, 0) == pytest.approx(3.0)


def test_a_level_that_was_never_asked_costs_what_the_one_before_did() -> None:
    costs = CostModel()
    assert costs.draft("feature", 2) == 0.0
    for level, milliseconds in ((-1, 9.0), (0, 1.0), (1, 2.0)):
        costs.learn_draft("feature", level, milliseconds)
    assert costs.draft("feature", 0) == 1.0
    assert costs.draft("feature", 5) == 2.0


def test_a_steady_mean_follows_a_change_but_not_a_hiccup() -> None:
    mean = SteadyMean(20)
    for _ in range(50):
        mean.add(1.0)
    mean.add(1000.0)
    assert mean.value < 1.5
    for _ in range(200):
        mean.add(3.0)
    assert mean.value == pytest.approx(3.0, rel=0.01)


@few
@given(
    st.lists(
        st.tuples(st.integers(0, 40), st.integers(0, 9000), st.floats(0.1, 500.0)), min_size=1, max_size=30
    ),
    st.booleans(),
)
def test_predictions_are_positive_and_grow_with_the_nodes(
    passes: list[tuple[int, int, float]], padded: bool
) -> None:
    costs = CostModel(padded=padded)
    for place, (nodes, length, milliseconds) in enumerate(passes):
        (costs.measured if place % 3 == 0 else costs.learn)(nodes, length, milliseconds)
    for length in (0, 500, 20_000):
        curve = costs.curve(40, length)
        assert curve[0] > 0
        assert all(after >= before for before, after in pairwise(curve))
