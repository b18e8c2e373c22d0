from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.expected_time import (
    ContextWindow,
    context_length,
    fit_of,
    seconds_to,
    time_to,
    tokens_of_words,
)
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.drafting.time_left import TimeCurve, TimeFit

CURVE = TimeCurve(0.01, 1e-6)


def token_by_token(curve: TimeCurve, tokens: int, goal: int, context: int) -> float:
    """What the closed form must say: the middle of every token at its own length."""
    return sum(curve.at(context_length(at, context) + 0.5) for at in range(tokens, goal))


@given(st.integers(0, 3_000), st.integers(0, 3_000), st.sampled_from([0, 2, 3, 256, 257, 1_000, 100_000]))
def test_the_time_to_a_goal_is_the_sum_over_its_tokens(tokens: int, more: int, context: int) -> None:
    expected = token_by_token(CURVE, tokens, tokens + more, context)
    assert seconds_to(CURVE, tokens, tokens + more, context) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(st.integers(0, 100_000), st.integers(2, 20_000))
def test_no_more_than_the_model_can_hold_is_in_view(tokens: int, context: int) -> None:
    in_view = context_length(tokens, context)
    assert in_view == tokens if tokens < context else context // 2 <= in_view < context
    assert ContextWindow(tokens, context).in_view == in_view


def measured() -> TimeFit:
    """The fit of 8,000 tokens that took what CURVE says."""
    fit = TimeFit()
    for length in range(0, 8_000, 2):
        fit.add(length, 2, 2 * CURVE.at(length + 0.5))
    return fit


def test_a_goal_that_is_reached_takes_no_time() -> None:
    assert seconds_to(CURVE, 500, 500, 0) == 0.0
    fit = measured()
    left = time_to(fit, 500, 400, 0)
    assert left is not None
    assert (left.low_s, left.high_s) == (0.0, 0.0)


def test_what_rolls_over_takes_less_than_what_is_endless() -> None:
    fit = measured()
    rolled, endless = time_to(fit, 1_000, 60_000, 16_384), time_to(fit, 1_000, 60_000, 0)
    assert rolled is not None
    assert endless is not None
    assert rolled.low_s < rolled.likely_s < rolled.high_s
    assert rolled.likely_s < endless.likely_s
    assert rolled.high_s / rolled.likely_s == pytest.approx(endless.high_s / endless.likely_s)


def test_nothing_is_said_before_anything_was_measured() -> None:
    assert time_to(TimeFit(), 0, 1_000, 0) is None


def test_the_curve_of_a_stored_run_is_found_again() -> None:
    steps, length = [], 1_000
    for number in range(4_000):
        milliseconds = 1000 * (CURVE.at(length) + CURVE.at(length + 1))
        steps.append(StepRecord(2, 2 * number + 2, 1, 1, 1, milliseconds, 0.0, 0.0, 1.0))
        length += 2
    curve = fit_of(steps, 1_000, 0).curve()
    assert curve is not None
    assert curve.at(5_000) == pytest.approx(CURVE.at(5_000), rel=0.01)


def test_words_become_tokens_by_the_run_once_it_has_enough_of_them() -> None:
    assert tokens_of_words(1_000) == 1_350
    assert tokens_of_words(1_000, 10, 4) == 1_350
    assert tokens_of_words(1_000, 160, 100) == 1_600
    assert tokens_of_words(1_000, 5_000, 50) == 6_000  # a run of odd characters says little of prose
