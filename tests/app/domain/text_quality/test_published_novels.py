"""The curve of published novels."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.text_quality.published_novels import HUMAN_WHOLE_MEDIANS, of_novels


def test_the_curve_of_novels_goes_through_what_was_measured() -> None:
    for length, value in HUMAN_WHOLE_MEDIANS.items():
        assert of_novels(length) == pytest.approx(value)
    assert math.isnan(of_novels(999))
    assert math.isnan(of_novels(100_001))


@given(st.floats(1_000, 100_000), st.floats(1_000, 100_000))
def test_the_curve_of_novels_falls(one: float, other: float) -> None:
    shorter, longer = sorted((one, other))
    assert of_novels(shorter) >= of_novels(longer)
