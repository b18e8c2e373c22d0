from __future__ import annotations

import math
from dataclasses import replace
from itertools import accumulate

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from quire.domain.drafting.live_run_metrics import (
    PaceFit,
    PaceWindow,
    RunSeries,
)
from quire.domain.drafting.run_metrics import StepRecord
from tests.app.whole_run import rolling_pace

DRAWN = st.lists(
    st.tuples(st.integers(0, 8), st.floats(0, 30_000), st.integers(1, 9)), min_size=1, max_size=60
)


def step(num_words: int, step_ms: float, num_tokens: int) -> StepRecord:
    return StepRecord(num_tokens, num_words, 1, 1, 1, step_ms, 0.0, 0.0, 1.0)


@given(DRAWN, st.integers(0, 1_000))
@example([(0, 5e-324, 1)], 0)
def test_after_every_step_it_says_what_the_whole_run_says(
    drawn: list[tuple[int, float, int]], words_before: int
) -> None:
    words = accumulate((more for more, _, _ in drawn), initial=words_before)
    steps = [step(now, ms, tokens) for now, (_, ms, tokens) in zip(list(words)[1:], drawn, strict=True)]
    window = PaceWindow()
    window.begin(words_before)
    for one, pace in zip(steps, rolling_pace(steps, words_before=words_before), strict=True):
        window.add(one)
        assert (None if math.isnan(window.words_per_min) else window.words_per_min) == pace
        assert sum(tokens for tokens, _ in window.steps()) == window.num_tokens
    kept = steps[len(steps) - len(window) :]
    assert list(window.steps()) == [(one.num_tokens, one.step_ms) for one in kept]


def test_a_long_draft_leaves_its_last_minute_and_nothing_else() -> None:
    window = PaceWindow()
    for number in range(1, 9_001):
        window.add(step(2 * number, 50.0, 3))
    assert (len(window), window.num_tokens, window.words_per_min) == (1_200, 3_600, 2_400)
    assert list(window.steps()) == [(3, 50.0)] * 1_200
    assert len(window._step_ms) < 3_000
    window.begin()
    assert (len(window), window.num_tokens, list(window.steps())) == (0, 0, [])
    assert math.isnan(window.words_per_min)


@given(st.floats(0.005, 1.0), st.floats(0.0, 1e-4), st.integers(0, 20_000))
def test_a_fit_finds_the_line_that_was_there(base_s: float, slope_s: float, start: int) -> None:
    fit = PaceFit()
    for place in range(start, start + 5_000, 125):
        # the time to write up to a place is the integral of the time per word
        fit.add(place, base_s * (place - start) + slope_s * (place**2 - start**2) / 2)
    assert fit.curve is not None
    middle = start + 2_500
    assert fit.curve.words_per_min(middle) == pytest.approx(60 / (base_s + slope_s * middle), rel=1e-3)


def test_a_fit_never_says_that_a_longer_text_is_quicker() -> None:
    fit = PaceFit()
    for number in range(20):
        fit.add(250.0 * number, 100.0 * math.sqrt(number))
    assert fit.curve is not None
    assert fit.curve.slope_s == 0


def test_seconds_before_the_run_are_none() -> None:
    figures = RunSeries(100)
    figures.add(step(10, 500.0, 1))
    assert (figures.seconds_at(50), figures.seconds_at(110), figures.seconds_at(999)) == (0, 0.5, 0.5)


def test_on_a_server_what_needs_tokens_or_passes_is_absent_and_not_zero() -> None:
    figures = RunSeries(100, is_on_server=True)
    for number in range(1, 6):
        figures.add(replace(step(number, 80.0, 6), depth=0, num_drafted=0, num_accepted=0))
    assert list(figures.seconds)[-1] == pytest.approx(0.4)
    assert figures.step_ms[-1] == pytest.approx(80.0)
    for column in (
        figures.tokens_per_pass, figures.from_model, figures.verify_ms, figures.draft_ms, figures.rest_ms,
        figures.acceptance_rate,
    ):  # fmt: skip
        assert all(math.isnan(value) for value in column)
    assert figures.accepted_lengths() == figures.acceptance_at_depth() == ()
    figures.add(replace(step(6, 80.0, 9), depth=4, num_drafted=4, num_accepted=3))  # it tells of its own
    assert figures.acceptance_rate[-1] == pytest.approx(0.75)
    assert figures.accepted_lengths() == (0, 0, 0, 1)
    # of many passes together it tells how many tokens they verified, and nothing of a depth
    figures.add(replace(step(7, 80.0, 9), depth=0, num_drafted=96, num_accepted=47))
    assert figures.acceptance_rate[-1] == pytest.approx(0.5)
    assert figures.accepted_lengths() == (0, 0, 0, 1)
