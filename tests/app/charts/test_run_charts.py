from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.charts.chart_data import (
    ChartData,
    ChartSeries,
    MarkKind,
    csv_text,
)
from quire.charts.chart_kinds import ChartKind
from quire.charts.chart_source import Axis
from quire.charts.run_charts import RunCharts
from quire.domain.drafting.live_run_metrics import FIRST_PACE_S, DistinctPoint, steps_at
from quire.domain.drafting.run_metrics import StepRecord
from quire_engine.api.config import SOURCES, Source
from tests.app import whole_run
from tests.app.charts.simulated_run import long_run, simulated_run, step


@st.composite
def runs(draw: st.DrawFn) -> list[StepRecord]:
    drawn = draw(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4), st.integers(1, 60)), max_size=60))
    words = accumulate(growth for _, growth, _ in drawn)
    return [
        step(draw(st.lists(st.sampled_from(SOURCES), max_size=depth)), depth, num_words, 500.0 * halves)
        for (depth, _, halves), num_words in zip(drawn, words, strict=True)
    ]


def reading(num_words: int, pairs: float) -> DistinctPoint:
    return DistinctPoint(num_words, 2_000, (0.4, pairs, 0.95, 0.99))


def line(data: ChartData, column: str) -> ChartSeries:
    return next(one for one in data.series if one.column == column)


def none_is_nan(values: Sequence[float | None]) -> list[float]:
    return [math.nan if value is None else value for value in values]


@given(runs(), st.integers(0, 9_000))
def test_what_grows_step_by_step_is_what_the_whole_run_says(steps: list[StepRecord], before: int) -> None:
    charts = RunCharts()
    charts.begin(before)
    for one in steps:
        charts.add(one)
    pace, guesses = charts.chart(ChartKind.PACE), charts.chart(ChartKind.GUESSES, Axis.TIME)
    drafting_s = whole_run.drafting_s(steps)
    rolling = whole_run.rolling_pace(steps)
    expected = [
        math.nan if value is None or spent < FIRST_PACE_S else value
        for value, spent in zip(rolling, drafting_s, strict=True)
    ]
    assert list(line(pace, "words_per_min").y) == pytest.approx(expected, nan_ok=True)
    assert list(pace.x) == [before + one.num_words for one in steps]
    assert list(guesses.x) == pytest.approx(drafting_s)
    assert list(guesses.places) == list(pace.x)
    shares = whole_run.rolling_tokens_by_origin(steps)
    assert list(line(guesses, "tokens_from_model").y) == [model for model, _, _ in shares]
    assert list(line(guesses, "tokens_from_guesser").y) == [drafters for _, drafters, _ in shares]
    assert list(line(guesses, "tokens_from_phrases").y) == [phrases for _, _, phrases in shares]
    assert list(line(guesses, "tokens_per_pass").y) == pytest.approx(whole_run.rolling_tokens_per_pass(steps))
    alpha = none_is_nan(whole_run.rolling_acceptance_rate(steps))
    assert list(line(guesses, "alpha").y) == pytest.approx(alpha, nan_ok=True)
    beta = none_is_nan(whole_run.rolling_phrase_acceptance(steps))
    assert list(line(guesses, "beta").y) == pytest.approx(beta, nan_ok=True)


@given(runs())
def test_depths_and_lengths_are_those_of_the_whole_run(steps: list[StepRecord]) -> None:
    charts = RunCharts()
    charts.show_run(steps)
    depths, lengths = charts.chart(ChartKind.DEPTHS), charts.chart(ChartKind.LENGTHS)
    assert tuple(depths.series[0].y) == whole_run.metrics_of(steps).acceptance_at_depth
    counts = whole_run.metrics_of(steps).accepted_lengths
    assert list(lengths.series[0].y) == [count / len(steps) for count in counts]
    assert list(lengths.x) == list(range(len(counts)))


@given(runs(), st.sets(st.integers(1, 60)), st.sampled_from(ChartKind), st.sampled_from(Axis))
def test_a_stored_run_looks_as_it_did_when_it_was_drafted(
    steps: list[StepRecord], pauses: set[int], kind: ChartKind, axis: Axis
) -> None:
    stored, live = RunCharts(), RunCharts()
    ends = list(accumulate(one.num_tokens for one in steps))
    stored.show_run(steps, 100, [ends[number - 1] for number in pauses if number <= len(ends)])
    live.begin(100)
    for number, one in enumerate(steps, start=1):
        live.add(one)
        if number in pauses:
            live.mark(MarkKind.PAUSE)
    assert csv_text(stored.chart(kind, axis)) == csv_text(live.chart(kind, axis))
    assert stored.chart(kind, axis).marks == live.chart(kind, axis).marks


def test_windows_longer_than_the_run_of_steps_still_agree() -> None:
    heads: list[Source] = ["heads"] * 5
    steps = [step(heads[: number % 5], 4 if number % 7 else 0, number, 90.0) for number in range(1, 1_500)]
    steps = [one for one in steps if one.num_accepted <= one.depth]
    charts = RunCharts()
    charts.show_run(steps)
    alpha = line(charts.chart(ChartKind.GUESSES), "alpha").y
    assert list(alpha) == pytest.approx(none_is_nan(whole_run.rolling_acceptance_rate(steps)), nan_ok=True)
    pace = list(line(charts.chart(ChartKind.PACE), "words_per_min").y)[100:]
    whole = [value for value in whole_run.rolling_pace(steps) if value is not None][100:]
    assert pace == pytest.approx(whole)


def test_a_pause_is_a_gap_and_a_mark() -> None:
    charts = RunCharts()
    charts.begin(1_000)
    charts.add(step(words=5))
    charts.mark(MarkKind.PAUSE)
    charts.mark(MarkKind.ALARM)
    charts.add(step(words=9))
    data = charts.chart(ChartKind.PACE)
    assert [math.isnan(value) for value in data.series[0].y] == [False, True, False]
    assert list(data.x) == [1_005, 1_005, 1_009]
    assert [(mark.x, mark.kind, mark.name) for mark in data.marks] == [
        (1_005, MarkKind.PAUSE, "Paused"),
        (1_005, MarkKind.ALARM, "Alarm"),
    ]
    assert charts.chart(ChartKind.GUESSES, Axis.TIME).marks[0].x == 1
    assert data.summary.endswith("with one pause.")


def test_every_chart_on_an_axis_spans_the_same() -> None:
    charts = RunCharts()
    charts.show_run(long_run(), 4_000)
    charts.show_distinct([reading(5_000, 0.8), reading(9_000, 0.75)])
    for axis, span in ((Axis.WORDS, (4_000, 10_000)), (Axis.TIME, (0, pytest.approx(165.015)))):
        charts_of_axis = [
            charts.chart(kind, axis)
            for kind in (ChartKind.PACE, ChartKind.ACCEPTANCE, ChartKind.DISTINCT, ChartKind.GUESSES)
        ]
        assert [data.x_range for data in charts_of_axis] == [span] * 4


def test_readings_of_the_text_before_are_left_out_and_places_become_times() -> None:
    charts = RunCharts()
    charts.begin(1_000)
    charts.show_distinct([reading(750, 0.6), reading(1_000, 0.7), reading(1_010, 0.8)])
    charts.add(step(words=4, step_ms=2_000))
    charts.add(step(words=10, step_ms=1_000))
    by_words, by_time = charts.chart(ChartKind.DISTINCT), charts.chart(ChartKind.DISTINCT, Axis.TIME)
    assert (list(by_words.x), list(by_words.series[1].y)) == ([1_000, 1_010], [0.7, 0.8])
    assert (list(by_time.x), list(by_time.places)) == ([0, 3], [1_000, 1_010])


def test_the_trend_follows_a_run_that_slows_down() -> None:
    charts = RunCharts()
    charts.show_run(long_run(), 2_000)
    data = charts.chart(ChartKind.PACE)
    trend = line(data, "expected_words_per_min")
    assert trend.name == "Trend"
    # After 1,000 steps a step of two words takes 50 ms.
    assert trend.y[999] == pytest.approx(2 / 0.050 * 60, rel=0.01)
    assert trend.y[2_999] == pytest.approx(2 / 0.070 * 60, rel=0.01)


def test_a_young_run_has_no_trend() -> None:
    charts = RunCharts()
    charts.show_run(long_run(100), 1_000)
    assert len(charts.chart(ChartKind.PACE).series) == 1


def test_what_was_handed_out_does_not_change() -> None:
    charts = RunCharts()
    charts.add(step(words=1))
    data = charts.chart(ChartKind.PACE)
    before = csv_text(data)
    charts.add(step(words=2))
    assert csv_text(data) == before


def test_a_new_run_begins_empty() -> None:
    charts = RunCharts()
    charts.show_run(long_run(10), 50, [5])
    charts.show_distinct([reading(60, 0.8)])
    assert not charts.is_empty
    charts.begin(80)
    assert charts.is_empty
    for kind in ChartKind:
        data = charts.chart(kind)
        assert not data.marks
        assert not [value for one in data.series for value in one.y]
        assert data.summary
        assert data.x_range[0] < data.x_range[1]


def test_whoever_draws_is_told_of_every_change(qtbot: object) -> None:
    charts = RunCharts()
    told: list[None] = []
    charts.changed.connect(lambda: told.append(None))
    charts.begin()
    charts.add(step())
    charts.mark(MarkKind.ALARM)
    charts.show_distinct([])
    charts.set_bands(known=True)
    charts.show_run([])
    assert len(told) == 6


def test_pauses_are_found_by_the_tokens_the_run_had() -> None:
    steps = simulated_run(100)
    ends = [sum(step.num_tokens for step in steps[:count]) for count in (10, 40)]
    assert steps_at(steps, ends) == (10, 40)
    assert steps_at(steps, [ends[0] - 1, ends[0]]) == (10,)
    assert steps_at(steps, [0, 10**9]) == ()
    charts = RunCharts()
    charts.show_run(steps, paused_at=ends)
    assert len(charts.chart(ChartKind.PACE).marks) == 2
    pace = charts.chart(ChartKind.GUESSES).series[-2].y
    assert [number for number, value in enumerate(pace) if math.isnan(value)] == [10, 41]
