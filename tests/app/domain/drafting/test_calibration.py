from __future__ import annotations

import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.domain.drafting.calibration import (
    MAX_KEPT,
    Calibration,
    calibration_of,
    kept_calibration,
    kept_reading_speed,
    shape_of,
    with_calibration,
    with_reading_speed,
)
from quire_engine.api.queries import Calibrated, PacePoint

DAY = date(2026, 11, 21)
POINTS = (PacePoint(512, 40.0, 16.0), PacePoint(1024, 44.0, 18.0), PacePoint(2048, 52.0, 22.0))
MEASURED = Calibrated(1, POINTS, 36.0, 0.0078125, 2.4)
CALIBRATION = calibration_of(MEASURED, DAY, shape_of("float32", 8))


def test_the_curve_is_that_of_accelerated_drafting() -> None:
    assert CALIBRATION.curve.at(512) == pytest.approx(0.016)
    assert CALIBRATION.curve.at(2048) == pytest.approx(0.022)


def test_without_acceleration_it_is_the_plain_one() -> None:
    plain = Calibration(DAY, (PacePoint(512, 40.0, None),), 36.0, 0.0078125, 1.0)
    assert plain.curve.at(512) == pytest.approx(0.040)


def test_one_point_makes_a_level_line_and_a_falling_one_too() -> None:
    assert Calibration(DAY, POINTS[:1], 40.0, 0.0, 2.0).curve.slope_s == 0.0
    falling = (PacePoint(512, 40.0, 30.0), PacePoint(1024, 40.0, 10.0))
    assert Calibration(DAY, falling, 40.0, 0.0, 2.0).curve.slope_s == 0.0


def test_boost_is_plain_time_over_time() -> None:
    assert CALIBRATION.boost(1024, 0.0176) == pytest.approx(2.5)
    assert CALIBRATION.boost(1024, 0.0) is None


def test_it_is_found_again_after_the_settings_were_stored() -> None:
    kept = json.loads(json.dumps(with_calibration({"other": 3}, "abc", CALIBRATION)))
    assert kept_calibration(kept, "abc", "float32/8") == CALIBRATION
    assert kept["other"] == 3


def test_figures_of_another_way_to_compute_are_not_these() -> None:
    kept = with_calibration({}, "abc", CALIBRATION)
    assert kept_calibration(kept, "abc", "bfloat16/8") is None
    assert kept_calibration(kept, "abd", "float32/8") is None


def test_both_figures_of_a_model_stay_when_one_is_measured_anew() -> None:
    kept = with_reading_speed(with_calibration({}, "abc", CALIBRATION), "abc", 812.34)
    assert kept_reading_speed(kept, "abc") == 812.3
    assert kept_calibration(kept, "abc", "float32/8") == CALIBRATION
    again = with_calibration(kept, "abc", CALIBRATION)
    assert kept_reading_speed(again, "abc") == 812.3


def test_the_model_measured_first_gives_way() -> None:
    kept: dict[str, object] = {}
    for number in range(MAX_KEPT + 5):
        kept = with_reading_speed(kept, str(number), 1.0)
    assert len(kept) == MAX_KEPT
    assert "4" not in kept
    assert str(MAX_KEPT + 4) in kept


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_nonsense_is_no_figure(value: object) -> None:
    assert kept_calibration({"abc": {"pace": value}}, "abc", "") is None
    assert kept_calibration({"abc": value}, "abc", "") is None
    assert kept_reading_speed({"abc": {"reading": value}}, "abc") >= 0


@given(st.sampled_from(["measured", "points", "plain", "tokens_per_pass", "shape"]), JSON)
def test_one_bad_field_never_breaks_the_start(field: str, value: object) -> None:
    pace = dict(with_calibration({}, "abc", CALIBRATION)["abc"]["pace"])  # type: ignore[index]
    pace[field] = value
    kept_calibration({"abc": {"pace": pace}}, "abc", "float32/8")
