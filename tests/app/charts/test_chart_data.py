from __future__ import annotations

import csv
import math
import sys
from array import array
from bisect import bisect_left
from io import StringIO
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.charts import chart_data
from quire.charts.chart_data import (
    ChartData,
    ChartSeries,
    CurvePair,
    Figures,
    ceiling,
    csv_text,
    decimated,
    extreme_rows,
    highest,
    laid_over,
    ticks,
    value_text,
)
from tests.app.charts.simulated_run import other_of

MOST_ROWS = 6
"""Of one column, whatever gaps it has."""

numbers = st.floats(-1e6, 1e6)
values = st.lists(st.one_of(numbers, st.just(math.nan)), max_size=300)


@st.composite
def courses(draw: st.DrawFn) -> tuple[list[float], list[float], int]:
    y = draw(values)
    steps = draw(st.lists(st.integers(0, 9), min_size=len(y), max_size=len(y)))
    x = [float(sum(steps[: row + 1])) for row in range(len(y))]
    return x, y, draw(st.integers(1, 40))


def column_of(x: list[float], at: float, columns: int) -> int:
    edges = [x[0] + column * (x[-1] - x[0]) / columns for column in range(1, columns)]
    return next((number for number, edge in enumerate(edges) if at < edge), columns - 1)


def chart(x: list[float], *y: list[float]) -> ChartData:
    series = tuple(ChartSeries(f"Line {n}", f"line_{n}", column) for n, column in enumerate(y))
    return ChartData("Lines", "There are lines.", "Place", "place", x, (0.0, 10.0), series)


@given(courses())
def test_few_points_are_left_and_all_of_them_are_true(course: tuple[list[float], list[float], int]) -> None:
    x, y, columns = course
    rows = extreme_rows(x, y, columns)
    assert rows == sorted(set(rows))
    assert set(rows) <= set(range(len(x)))
    assert len(rows) <= MOST_ROWS * columns
    drawn_x, drawn_y = decimated(x, y, columns)
    assert drawn_x == [x[row] for row in rows]
    assert repr(drawn_y) == repr([y[row] for row in rows])


@given(courses())
def test_no_column_loses_its_lowest_its_highest_or_its_gap(
    course: tuple[list[float], list[float], int],
) -> None:
    x, y, columns = course
    drawn_x, drawn_y = decimated(x, y, columns)
    whole: dict[int, list[float]] = {}
    drawn: dict[int, list[float]] = {}
    for at, value in zip(x, y, strict=True):
        whole.setdefault(column_of(x, at, columns), []).append(value)
    for at, value in zip(drawn_x, drawn_y, strict=True):
        drawn.setdefault(column_of(x, at, columns), []).append(value)
    for column, there in whole.items():
        present = [value for value in there if not math.isnan(value)]
        left = [value for value in drawn[column] if not math.isnan(value)]
        assert (min(present), max(present)) == (min(left), max(left)) if present else not left
        assert any(map(math.isnan, there)) == any(map(math.isnan, drawn[column]))


@given(courses())
def test_what_a_gap_parts_at_the_end_of_a_column_stays_parted(
    course: tuple[list[float], list[float], int],
) -> None:
    x, y, columns = course
    rows = extreme_rows(x, y, columns)
    for row, value in enumerate(y[:-1]):
        ends_column = column_of(x, x[row], columns) != column_of(x, x[row + 1], columns)
        if math.isnan(value) and ends_column:
            assert row in rows


def test_a_long_course_keeps_its_one_spike() -> None:
    x = [float(place) for place in range(35_000)]
    y = [1.0] * 35_000
    y[17_321] = 9.0
    drawn_x, drawn_y = decimated(x, y, 100)
    assert drawn_x[drawn_y.index(9.0)] == 17_321
    assert len(drawn_x) == 101


def test_where_nothing_moves_there_is_one_column() -> None:
    assert decimated([5.0] * 50, [float(n) for n in range(50)], 10) == ([5.0, 5.0], [0.0, 49.0])


def test_a_short_course_is_drawn_as_it_is() -> None:
    assert extreme_rows([0.0, 1.0, 2.0, 3.0], [1.0, math.nan, 1.0, 1.0], 2) == [0, 1, 2, 3]
    assert extreme_rows([], [], 2) == []


@given(courses(), st.sampled_from([array, list]))
def test_of_a_long_run_the_same_points_are_drawn(
    course: tuple[list[float], list[float], int], kind: type[array[float]] | type[list[float]]
) -> None:
    x, numbers, columns = course
    y = array("d", numbers) if kind is array else numbers
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chart_data, "_MANY_ROWS", 0)
        long = extreme_rows(x, y, columns)
    assert np.__name__ in sys.modules, "it is used where it is loaded"
    assert long == extreme_rows(x, y, columns)


def test_a_whole_night_of_steps_keeps_its_extremes() -> None:
    y = array("d", [float(row * 7_919 % 60_000) for row in range(60_000)])
    y[31_000] = math.nan
    rows = extreme_rows(array("d", range(60_000)), y, 100)
    assert 200 <= len(rows) <= 206
    assert {row for row in rows if math.isnan(y[row])} == {31_000}
    assert {y.index(0.0), y.index(59_999.0)} <= set(rows)


def test_a_drawing_has_columns() -> None:
    with pytest.raises(ValueError, match="columns must be 1 or more, got 0"):
        extreme_rows([1.0], [1.0], 0)


@given(numbers, st.floats(1e-3, 1e6), st.integers(1, 20), st.sampled_from(Figures))
def test_ticks_lie_within_and_are_evenly_spaced(
    low: float, width: float, most: int, figures: Figures
) -> None:
    high = low + width
    marks = ticks(low, high, most, figures)
    assert len(marks) <= most + 1
    slack = width * 1e-6 + 1e-6
    assert all(low - slack <= mark <= high + slack for mark in marks)
    steps = [later - earlier for earlier, later in pairwise(marks)]
    assert all(step == pytest.approx(steps[0], rel=1e-3) for step in steps)


@pytest.mark.parametrize(
    ("low", "high", "most", "figures", "marks"),
    [
        (0.0, 1.0, 5, Figures.SHARE, [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]),
        (5_000.0, 26_755.0, 5, Figures.COUNT, [5_000, 10_000, 15_000, 20_000, 25_000]),
        (0.0, 3.0, 10, Figures.COUNT, [0, 1, 2, 3]),
        (0.0, 540.0, 5, Figures.TIME, [0, 120, 240, 360, 480]),
        (0.0, 7_300.0, 3, Figures.TIME, [0, 3_600, 7_200]),
        (0.0, 1_000_000.0, 4, Figures.TIME, [0, 500_000, 1_000_000]),
        (3.0, 3.0, 4, Figures.COUNT, [3.0]),
    ],
)
def test_ticks_are_round(low: float, high: float, most: int, figures: Figures, marks: list[float]) -> None:
    assert ticks(low, high, most, figures) == pytest.approx(marks)


@given(st.floats(1e-6, 1e9))
def test_a_scale_holds_its_highest_value_and_wastes_little(value: float) -> None:
    assert value <= ceiling(value) <= 1.4 * value


def test_a_scale_for_nothing_has_a_height() -> None:
    assert ceiling(0.0) == 1.0


@pytest.mark.parametrize(
    ("value", "figures", "text"),
    [
        (1530.4, Figures.COUNT, "1,530"),
        (4.44, Figures.DECIMAL, "4.4"),
        (0.784, Figures.RATIO, "0.78"),
        (0.84, Figures.SHARE, "84%"),
        (59.6, Figures.TIME, "1:00"),
        (65.0, Figures.TIME, "1:05"),
        (3_725.0, Figures.TIME, "1:02:05"),
        (math.nan, Figures.COUNT, "–"),
    ],
)
def test_values_as_a_writer_reads_them(value: float, figures: Figures, text: str) -> None:
    assert value_text(value, figures) == text


def test_a_unit_stands_behind_a_value_and_not_behind_a_dash() -> None:
    pace = ChartSeries("Speed", "words_per_min", [1530.0, math.nan], figures=Figures.COUNT, unit="w/min")
    assert (pace.value_text(0), pace.value_text(1)) == ("1,530 w/min", "–")


def test_every_x_has_its_values() -> None:
    with pytest.raises(ValueError, match="line_1 has 1 values for 2 x"):
        chart([1.0, 2.0], [0.0, 0.0], [0.0])


def test_every_x_has_its_place() -> None:
    with pytest.raises(ValueError, match="1 places for 2 x"):
        ChartData("", "", "", "", [1.0, 2.0], (0.0, 1.0), (), places=[3.0])


@given(st.lists(st.integers(0, 100), min_size=1).map(sorted), st.floats(-10, 110))
def test_the_nearest_row_is_nearest(x: list[int], at: float) -> None:
    data = chart([float(place) for place in x], [0.0] * len(x))
    row = data.nearest_row(at)
    assert row is not None
    assert abs(x[row] - at) == min(abs(place - at) for place in x)
    assert 0 <= bisect_left(x, x[row]) <= row


def test_without_rows_none_is_near() -> None:
    assert chart([]).nearest_row(1.0) is None
    assert chart([]).last_row() is None


def test_the_last_row_is_one_with_a_value() -> None:
    assert chart([1.0, 2.0, 3.0], [5.0, math.nan, math.nan], [5.0, 4.0, math.nan]).last_row() == 1


@given(st.lists(st.tuples(st.integers(0, 10_000), numbers, st.one_of(numbers, st.just(math.nan)))))
def test_the_csv_has_the_same_numbers(rows: list[tuple[int, float, float]]) -> None:
    data = chart([float(at) for at, _, _ in rows], [one for _, one, _ in rows], [other for *_, other in rows])
    head, *cells = csv.reader(StringIO(csv_text(data)))
    assert head == ["place", "line_0", "line_1"]
    for row, (at, one, other) in zip(cells, rows, strict=True):
        assert int(row[0]) == at
        assert float(row[1]) == pytest.approx(one, rel=1e-5)
        assert (row[2] == "") == math.isnan(other)


def test_gaps_are_no_extremes() -> None:
    assert highest([math.nan, 2.0, 1.0]) == 2
    assert highest([math.nan]) == 0


def drawn(x: list[float], y: list[float]) -> ChartData:
    return ChartData("", "", "", "x", x, (0, 10), (ChartSeries("own", "own", y),), places=x)


def test_rows_are_those_of_both_and_each_has_its_gaps() -> None:
    data = laid_over(
        drawn([2, 4, 6], [1, 2, 3]), CurvePair("b", "b", [0, 3, 5, 9], [10, 20, 30, 40], [0, 3, 5, 9])
    )
    assert list(data.x) == [0, 2, 4, 6, 9]
    assert list(data.places) == [0, 2, 4, 6, 9]
    assert list(data.series[0].y)[1:4] == [1, 2, 3]
    assert math.isnan(data.series[0].y[0])
    assert math.isnan(data.series[0].y[4])
    assert list(other_of(data).y) == [10, 10, 20, 30, 40]
    assert data.last_row() == 3  # the last one of the run itself


def test_a_shorter_run_ends_in_a_gap_and_one_without_rows_is_all_gaps() -> None:
    short = laid_over(drawn([2, 4, 6], [1, 2, 3]), CurvePair("b", "b", [3, 5], [20, 30], [3, 5]))
    assert list(short.x) == [2, 4, 6]
    assert [math.isnan(value) for value in other_of(short).y] == [True, False, True]
    empty = laid_over(drawn([2, 4], [1, 2]), CurvePair("b", "b", [], [], []))
    assert all(math.isnan(value) for value in other_of(empty).y)
    alone = laid_over(drawn([], []), CurvePair("b", "b", [1, 2], [5, 6], [1, 2]))
    assert (list(alone.x), list(other_of(alone).y), list(alone.places)) == ([1, 2], [5, 6], [1, 2])
    assert alone.last_row() == 1


@given(
    st.lists(st.integers(0, 50), max_size=20, unique=True).map(sorted),
    st.lists(st.integers(0, 50), max_size=20, unique=True).map(sorted),
)
def test_x_never_falls_and_no_row_is_lost(own: list[int], other: list[int]) -> None:
    x, others = [float(at) for at in own], [float(at) for at in other]
    data = laid_over(drawn(x, x), CurvePair("b", "b", others, others, others))
    assert list(data.x) == sorted(data.x)
    assert {at for at, y in zip(data.x, data.series[0].y, strict=True) if not math.isnan(y)} == set(x)
    for at, y in zip(data.x, other_of(data).y, strict=True):
        reached = [value for value in others if value <= at]
        inside = bool(others) and others[0] <= at <= others[-1]
        assert y == reached[-1] if inside else math.isnan(y)
