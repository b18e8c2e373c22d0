"""The curve of published novels."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.text_quality.published_novels import (
    HUMAN_WHOLE_MEDIANS,
    LENGTHS,
    PASSAGES,
    of_novels,
    range_at,
)


def test_the_curve_of_novels_goes_through_what_was_measured() -> None:
    for length, value in HUMAN_WHOLE_MEDIANS.items():
        assert of_novels(length) == pytest.approx(value)
    assert math.isnan(of_novels(999))
    assert math.isnan(of_novels(100_001))


@given(st.floats(1_000, 100_000), st.floats(1_000, 100_000))
def test_the_curve_of_novels_falls(one: float, other: float) -> None:
    shorter, longer = sorted((one, other))
    assert of_novels(shorter) >= of_novels(longer)


@pytest.mark.parametrize("order", [1, 2, 3, 4])
def test_the_band_of_passages_goes_through_what_was_measured_and_falls(order: int) -> None:
    for length in LENGTHS:
        assert range_at(order, length) == pytest.approx(PASSAGES[length][order - 1])
    assert all(math.isnan(value) for value in range_at(order, LENGTHS[0] - 1))
    assert range_at(order, 10 * LENGTHS[-1]) == range_at(order, LENGTHS[-1])
    bands = [range_at(order, length) for length in range(LENGTHS[0], LENGTHS[-1], 50)]
    assert all(low <= median <= high for low, median, high in bands)
    for values in zip(*bands, strict=True):
        assert sorted(values, reverse=True) == pytest.approx(values, abs=0.002)
