from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.reread_decision import (
    ASK_FROM_S,
    Edit,
    PrefillEstimate,
    must_ask,
    reading_after,
    reading_of,
)


def test_only_what_follows_the_edit_is_read_again() -> None:
    assert reading_after(Edit(40_000, 100_000, is_held=True), 4.0, 1_000.0) == PrefillEstimate(15_000, 15.0)


def test_a_model_that_holds_nothing_reads_everything() -> None:
    assert reading_after(Edit(40_000, 100_000, is_held=False), 4.0, 1_000.0) == PrefillEstimate(25_000, 25.0)


def test_no_more_is_read_than_the_model_can_hold() -> None:
    assert reading_of(1_000_000, 4.0, 1_000.0, context=16_384) == PrefillEstimate(16_384, 16.384)


def test_without_a_measured_speed_no_time_is_told() -> None:
    assert reading_of(4_000, 4.0, 0.0) == PrefillEstimate(1_000, None)


@pytest.mark.parametrize(
    ("reading", "asks"),
    [
        (PrefillEstimate(1_000, 0.4), False),
        (PrefillEstimate(1_000, ASK_FROM_S), False),
        (PrefillEstimate(62_000, 25.0), True),
        (PrefillEstimate(500, None), False),
        (PrefillEstimate(62_000, None), True),
    ],
)
def test_only_a_reading_that_takes_time_is_asked_about(reading: PrefillEstimate, asks: bool) -> None:
    assert must_ask(Edit(10, 1_000, is_held=True), reading) is asks


def test_where_both_answers_cost_the_same_nothing_is_asked() -> None:
    assert not must_ask(Edit(10, 1_000_000, is_held=False), PrefillEstimate(62_000, 25.0))


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.floats(0.5, 8), st.floats(0, 1e5), st.booleans())
def test_figures_are_never_below_nothing(
    place: int, more: int, per_token: float, speed: float, held: bool
) -> None:
    reading = reading_after(Edit(place, place + more, is_held=held), per_token, speed)
    assert reading.tokens >= 0
    assert reading.seconds is None or reading.seconds >= 0
