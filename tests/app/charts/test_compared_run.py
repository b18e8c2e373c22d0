"""Another run laid over the charts of the one that is shown, and the variety of a text from its beginning."""

from __future__ import annotations

import csv
import math
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.charts.chart_data import ChartData, ChartSeries, SeriesRole, csv_text
from quire.charts.compared_run import ComparedRun, CurvePair, laid_over, steps_at
from quire.charts.run_charts import Axis, ChartKind, RunCharts
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.text_quality.published_novels import HUMAN_WHOLE_MEDIANS, WholePoint, of_novels
from tests.app.charts.simulated_run import simulated_run

BY_POSITION = (ChartKind.PACE, ChartKind.GUESSES, ChartKind.PAIRS, ChartKind.TRIPLES)


def other_of(data: ChartData) -> ChartSeries:
    (found,) = (one for one in data.series if one.role is SeriesRole.OTHER)
    return found


def drawn(x: list[float], y: list[float]) -> ChartData:
    return ChartData("", "", "", "x", x, (0, 10), (ChartSeries("own", "own", y),), places=x)


@pytest.fixture
def charts() -> RunCharts:
    charts = RunCharts()
    charts.show_run(simulated_run(400), 1_000)
    charts.show_windows([(1_100, 0.8), (1_300, 0.78)], [(1_100, 0.96), (1_300, 0.95)])
    return charts


def longer_run() -> ComparedRun:
    windows = [(900, 0.9), (1_200, 0.5), (1_900, 0.4)]
    return ComparedRun("Take 2", simulated_run(800, seed=9), 1_000, windows, windows)


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


@pytest.mark.parametrize("axis", Axis)
@pytest.mark.parametrize("kind", BY_POSITION)
def test_a_second_run_lies_over_every_chart_by_position(
    charts: RunCharts, kind: ChartKind, axis: Axis
) -> None:
    alone = charts.chart(kind, axis)
    charts.compare(longer_run())
    data = charts.chart(kind, axis)
    assert other_of(data).name == "Take 2"
    assert data.x[-1] > alone.x[-1]
    assert data.x_range[1] > alone.x_range[1]
    assert {charts.chart(one, axis).x_range for one in BY_POSITION} == {data.x_range}
    header, *rows = csv.reader(StringIO(csv_text(data)))
    assert header[-1].startswith("other_")
    assert rows[-1][-1] != ""
    charts.compare(None)
    assert csv_text(charts.chart(kind, axis)) == csv_text(alone)


def test_the_second_run_has_the_figures_it_has_alone(charts: RunCharts) -> None:
    other = longer_run()
    charts.compare(other)
    assert other_of(charts.chart(ChartKind.PACE)).y[-1] == other.series.pace[-1]
    assert other_of(charts.chart(ChartKind.GUESSES)).y[-1] == other.series.tokens_per_pass[-1]
    pairs = charts.chart(ChartKind.PAIRS)
    assert other_of(pairs).y[-1] == 0.4
    assert pairs.y_range is not None
    assert pairs.y_range[0] <= 0.4  # what is compared is in sight


@pytest.mark.parametrize("kind", [ChartKind.DEPTHS, ChartKind.LENGTHS])
def test_bars_have_the_other_run_as_a_line(charts: RunCharts, kind: ChartKind) -> None:
    charts.show_run([StepRecord(2, 1, 1, 1, 1, 5.0, 1.0, 3.0, 0.5, ("heads",))])
    charts.compare(longer_run())
    data = charts.chart(kind)
    assert len(data.x) >= 5
    assert other_of(data).figures is data.series[0].figures
    assert data.x_range[0] < data.x[0]
    assert data.x[-1] < data.x_range[1]
    assert not data.places


def test_pauses_are_found_by_the_tokens_the_run_had() -> None:
    steps = simulated_run(100)
    ends = [sum(step.num_tokens for step in steps[:count]) for count in (10, 40)]
    assert steps_at(steps, ends) == (10, 40)
    assert steps_at(steps, [ends[0] - 1, ends[0]]) == (10,)
    assert steps_at(steps, [0, 10**9]) == ()
    charts = RunCharts()
    charts.show_run(steps, paused_at=ends)
    assert charts.num_pauses == 2
    pace = charts.chart(ChartKind.GUESSES).series[-2].y
    assert [number for number, value in enumerate(pace) if math.isnan(value)] == [10, 41]


# ---------------------------------------------------------------- from the beginning
def test_the_curve_of_novels_goes_through_what_was_measured() -> None:
    for length, value in HUMAN_WHOLE_MEDIANS.items():
        assert of_novels(length) == pytest.approx(value)
    assert math.isnan(of_novels(999))
    assert math.isnan(of_novels(100_001))


@given(st.floats(1_000, 100_000), st.floats(1_000, 100_000))
def test_the_curve_of_novels_falls(one: float, other: float) -> None:
    shorter, longer = sorted((one, other))
    assert of_novels(shorter) >= of_novels(longer)


def test_variety_from_the_beginning_is_drawn_beside_novels(charts: RunCharts) -> None:
    points = [
        WholePoint(200, 250, (0.6, 0.9, 1.0, None)),
        WholePoint(900, 1_000, (0.5, 0.8, 0.95, 0.99)),
        WholePoint(1_100, 1_250, (0.45, 0.78, 0.94, 0.99)),
    ]
    charts.show_whole(points)
    data = charts.chart(ChartKind.WHOLE)
    columns = [one.column for one in data.series]
    assert columns == ["distinct_avg", "distinct_1", "distinct_2", "distinct_3", "distinct_4", "novels_avg"]
    assert list(data.x) == [200, 900, 1_100]
    average, novels = data.series[0].y, data.series[-1].y
    assert math.isnan(average[0])
    assert average[2] == pytest.approx(0.79)
    assert math.isnan(novels[0])
    assert novels[1] == pytest.approx(0.81)
    assert (
        data.summary == "Variety of the whole text averages 0.79; in published novels of this length, 0.80."
    )
    assert data.x_range == (0, 1_100)
    by_time = charts.chart(ChartKind.WHOLE, Axis.TIME)
    assert list(by_time.places) == [1_100]  # the time of what stood before the run is not known


def test_without_bands_there_is_no_curve_of_novels(charts: RunCharts) -> None:
    charts.show_whole([WholePoint(1_000, 1_100, (0.5, 0.8, 0.95, 0.99))])
    charts.set_bands(known=False)
    data = charts.chart(ChartKind.WHOLE)
    assert [one.role for one in data.series] == [SeriesRole.LINE] * 5
    assert data.summary == "Variety of the whole text averages 0.81."


def test_nothing_to_draw_is_said(charts: RunCharts) -> None:
    data = charts.chart(ChartKind.WHOLE)
    assert list(data.x) == []
    assert data.summary == "Variety of the whole text appears after 250 words."
