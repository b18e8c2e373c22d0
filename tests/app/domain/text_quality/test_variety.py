from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quire.domain.text_quality.ngrams import NgramIndex
from quire.domain.text_quality.variety import (
    DISTINCT_ORDERS,
    Variety,
    window_at,
)
from quire_engine.metrics.distinct_n import WINDOW_STEP, DistinctCounter, DistinctSeries

UNITS = st.lists(st.sampled_from("abcd"), max_size=60)


def prose(seed: int, num_units: int) -> list[str]:
    """Words as uneven as those of a language: the commonest are few."""
    random = Random(seed)
    return [str(int(random.paretovariate(0.8))) for _ in range(num_units)]


def distinct_by_hand(units: list[str], order: int) -> float | None:
    ngrams = [tuple(units[start : start + order]) for start in range(len(units) - order + 1)]
    return len(set(ngrams)) / len(ngrams) if ngrams else None


@settings(deadline=None)
@given(UNITS, st.integers(1, 30))
def test_a_window_has_the_share_of_different_ngrams(units: list[str], window: int) -> None:
    index = NgramIndex()
    index.add_all(units)
    for num_units in range(len(units) + 1):
        reading = window_at(index, num_units, window)
        if num_units < window:
            assert reading is None
            continue
        part = units[num_units - window : num_units]
        assert reading is not None
        assert reading.num_units == window
        assert [reading.of(order) for order in DISTINCT_ORDERS] == [
            distinct_by_hand(part, order) for order in DISTINCT_ORDERS
        ]


@settings(deadline=None)
@given(st.integers(0, 9), st.lists(st.integers(0, 1500), min_size=1, max_size=5))
def test_readings_are_those_of_the_engine_in_whatever_pieces(seed: int, sizes: list[int]) -> None:
    units = prose(seed, sum(sizes))
    index = NgramIndex()
    variety, start = Variety(index), 0
    for size in sizes:
        index.add_all(units[start : start + size])
        start += size
        variety.update()
    series, whole = DistinctSeries(), DistinctCounter()
    series.add_all(units)
    assert [reading.window for reading in variety.readings if reading.window] == series.readings
    for number, reading in enumerate(variety.readings):
        whole.add_all(units[number * WINDOW_STEP : (number + 1) * WINDOW_STEP])
        assert reading.num_units == (number + 1) * WINDOW_STEP
        assert reading.whole == whole.reading()
    assert len(variety.readings) == len(units) // WINDOW_STEP


@settings(deadline=None)
@given(st.integers(0, 9), st.integers(0, 3000), st.integers(0, 3000))
def test_an_edit_gives_the_readings_of_the_edited_text(seed: int, kept: int, more: int) -> None:
    before, after = prose(seed, 3000), prose(seed + 1, more)
    index, fresh = NgramIndex(), NgramIndex()
    edited, scratch = Variety(index), Variety(fresh)
    index.add_all(before)
    edited.update()
    index.cut(kept)
    edited.cut(kept)
    index.add_all(after)
    edited.update()
    fresh.add_all(before[:kept] + after)
    scratch.update()
    assert edited.readings == scratch.readings


def test_update_returns_what_is_new() -> None:
    index = NgramIndex()
    variety = Variety(index)
    index.add_all(prose(0, 700))
    assert variety.update() == variety.readings
    index.add_all(prose(1, 60))
    assert [reading.num_units for reading in variety.update()] == [750]
    assert variety.update() == []


@pytest.mark.parametrize("num_units", [0, 249])
def test_a_short_text_has_no_reading(num_units: int) -> None:
    index = NgramIndex()
    index.add_all(prose(3, num_units))
    assert Variety(index).update() == []
