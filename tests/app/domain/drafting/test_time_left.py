from __future__ import annotations

from random import Random

import numpy as np
import pytest

from quire.domain.drafting.time_left import FIRST_TOKENS, TimeCurve, TimeFit, TimeLeft

# Table 4 of the paper, Qwen2.5-7B: tokens per second in the first and in the last 20,000 of 100,000 tokens,
# and the minutes that the last 80,000 took. "Plain" is without acceleration.
FIRST_SPEED, LAST_SPEED, REST_MIN = 42.7, 14.6, 67.8
PLAIN_FIRST_SPEED, PLAIN_LAST_SPEED = 21.4, 4.0
PART, GOAL = 20_000, 100_000


def a_curve_of_table_4() -> np.poly1d:
    """Return a smooth curve of seconds per token by length that takes exactly as long as the table says."""
    lengths = [(0, PART), (PART, GOAL - PART), (GOAL - PART, GOAL)]
    last_s = PART / LAST_SPEED
    seconds = [PART / FIRST_SPEED, 60 * REST_MIN - last_s, last_s]
    powers = [[(end ** (k + 1) - start ** (k + 1)) / (k + 1) for k in range(3)] for start, end in lengths]
    return np.poly1d(np.linalg.solve(powers, seconds)[::-1])


def drafted(curve: np.poly1d | TimeCurve, end: int, start: int = 0, fit: TimeFit | None = None) -> TimeFit:
    fit = fit or TimeFit()
    for length in range(start, end, 4):
        middle = length + 1.5
        token_s = curve.at(middle) if isinstance(curve, TimeCurve) else float(curve(middle))
        fit.add(length, 4, 4 * token_s)
    return fit


def left(fit: TimeFit, length: int, goal: int = GOAL) -> TimeLeft:
    estimate = fit.left(length, goal)
    assert estimate is not None
    return estimate


def test_the_table_is_what_the_tests_say_it_is() -> None:
    total = a_curve_of_table_4().integ()
    assert PART / total(PART) == pytest.approx(FIRST_SPEED)
    assert PART / (total(GOAL) - total(GOAL - PART)) == pytest.approx(LAST_SPEED)
    assert (total(GOAL) - total(PART)) / 60 == pytest.approx(REST_MIN)
    by_pace_min = 4 * PART / FIRST_SPEED / 60
    assert by_pace_min == pytest.approx(31, abs=0.3)


def test_a_straight_line_in_time_per_token_explains_the_table() -> None:
    slope = (1 / LAST_SPEED - 1 / FIRST_SPEED) / (GOAL - PART)
    affine = TimeCurve(1 / FIRST_SPEED - slope * PART / 2, slope)
    assert affine.seconds(PART, GOAL) / 60 == pytest.approx(REST_MIN, rel=0.04)


def test_sixty_thousand_tokens_tell_the_total_within_four_percent() -> None:
    curve = a_curve_of_table_4()
    spent = float(curve.integ()(60_000))
    estimate, truth = left(drafted(curve, 60_000), 60_000), float(curve.integ()(GOAL)) - spent
    assert spent + estimate.likely_s == pytest.approx(spent + truth, rel=0.04)
    assert estimate.low_s < truth < estimate.high_s


@pytest.mark.parametrize("num_tokens", [2_000, 20_000, 40_000, 60_000, 80_000, 95_000])
def test_the_truth_lies_in_the_range_and_the_range_narrows(num_tokens: int) -> None:
    curve = a_curve_of_table_4()
    estimate = left(drafted(curve, num_tokens), num_tokens)
    truth = float(curve.integ()(GOAL) - curve.integ()(num_tokens))
    assert estimate.low_s < truth < estimate.high_s
    later = left(drafted(curve, num_tokens + 4_000), num_tokens + 4_000)
    rounding = 1e-9
    assert later.high_s / later.likely_s <= estimate.high_s / estimate.likely_s + rounding
    assert later.low_s / later.likely_s >= estimate.low_s / estimate.likely_s - rounding


def test_a_run_of_twenty_thousand_tokens_is_told_better_than_by_its_pace() -> None:
    curve = a_curve_of_table_4()
    estimate = left(drafted(curve, PART), PART)
    by_pace = (GOAL - PART) / FIRST_SPEED
    truth = 60 * REST_MIN
    assert abs(estimate.likely_s - truth) < abs(by_pace - truth) / 2


def test_plain_drafting_slows_down_fivefold_and_the_fit_follows() -> None:
    slope = (1 / PLAIN_LAST_SPEED - 1 / PLAIN_FIRST_SPEED) / (GOAL - PART)
    curve = TimeCurve(1 / PLAIN_FIRST_SPEED - slope * PART / 2, slope)
    estimate = left(drafted(curve, 60_000), 60_000)
    assert estimate.likely_s == pytest.approx(curve.seconds(60_000, GOAL), rel=0.04)


def test_nothing_is_said_after_a_few_tokens() -> None:
    fit = TimeFit()
    assert fit.left(0, 1_000) is None
    fit.add(0, FIRST_TOKENS - 1, 1.0)
    assert fit.curve() is None
    fit.add(FIRST_TOKENS - 1, 0, 9.0)
    assert fit.curve() is None
    fit.add(FIRST_TOKENS - 1, 1, 0.02)
    assert fit.left(FIRST_TOKENS, 1_000) is not None


def test_noise_in_a_young_run_promises_nothing_absurd() -> None:
    for seed in range(20):
        random, fit, length = Random(seed), TimeFit(), 0
        while length < 400:
            num_tokens = random.randint(1, 6)
            fit.add(length, num_tokens, random.uniform(0.02, 0.1))
            length += num_tokens
        estimate = left(fit, length, 20_000)
        pace_s = 0.06 / 3.5 * (20_000 - length)
        assert 0.8 * pace_s < estimate.likely_s < 2 * pace_s
        assert estimate.low_s < estimate.likely_s < estimate.high_s


def test_recent_passes_weigh_more() -> None:
    fit = drafted(TimeCurve(0.02, 0.0), 60_000)
    fit = drafted(TimeCurve(0.02 - 0.06, 1e-6), 120_000, 60_000, fit)
    curve = fit.curve()
    assert curve is not None
    assert 0.75e-6 < curve.slope_s < 1e-6  # with equal weights it would be half of 1e-6


def test_a_longer_text_is_never_taken_to_be_quicker() -> None:
    fit = drafted(TimeCurve(0.04, 0.0), 20_000)
    fit = drafted(TimeCurve(0.02, 0.0), 40_000, 20_000, fit)
    curve = fit.curve()
    assert curve is not None
    assert curve.slope_s == 0


def test_a_goal_that_is_reached_takes_no_time() -> None:
    fit = drafted(TimeCurve(0.02, 1e-6), 1_000)
    assert left(fit, 1_000, 1_000) == left(fit, 1_000, 500) == TimeLeft(0.0, 0.0, 0.0)
