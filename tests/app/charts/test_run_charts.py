from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire.charts.chart_data import ChartData, ChartSeries, MarkKind, csv_text
from quire.charts.run_charts import Axis, ChartKind, RunCharts
from quire.domain.drafting import run_metrics
from quire.domain.drafting.live_run_metrics import FIRST_PACE_S, PaceCurve, PaceFit, RunSeries
from quire.domain.drafting.run_metrics import StepRecord
from quire_engine.api.config import SOURCES, Source


def step(
    accepted: Sequence[Source] = (), depth: int = 0, words: int = 0, step_ms: float = 1000.0
) -> StepRecord:
    kept = tuple(accepted)
    return StepRecord(len(kept) + 1, words, depth, 2 * depth, len(kept), step_ms, 1.0, 2.0, 1.5, kept)


@st.composite
def runs(draw: st.DrawFn) -> list[StepRecord]:
    drawn = draw(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4), st.integers(1, 60)), max_size=60))
    words = accumulate(growth for _, growth, _ in drawn)
    return [
        step(draw(st.lists(st.sampled_from(SOURCES), max_size=depth)), depth, num_words, 500.0 * halves)
        for (depth, _, halves), num_words in zip(drawn, words, strict=True)
    ]


def long_run(num_steps: int = 3_000) -> list[StepRecord]:
    """A run that slows down evenly: two words a step, each step a little longer than the one before."""
    return [
        step(("heads", "ngrams"), 4, 2 * number, 40.0 + number / 100) for number in range(1, num_steps + 1)
    ]


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
    drafting_s = run_metrics.drafting_s(steps)
    rolling = run_metrics.rolling_pace(steps)
    expected = [
        math.nan if value is None or spent < FIRST_PACE_S else value.words_per_min
        for value, spent in zip(rolling, drafting_s, strict=True)
    ]
    assert list(line(pace, "words_per_min").y) == pytest.approx(expected, nan_ok=True)
    assert list(pace.x) == [before + one.num_words for one in steps]
    assert list(guesses.x) == pytest.approx(drafting_s)
    assert list(guesses.places) == list(pace.x)
    shares = run_metrics.rolling_tokens_by_origin(steps)
    assert list(line(guesses, "tokens_from_model").y) == [share.model for share in shares]
    assert list(line(guesses, "tokens_from_guesser").y) == [share.guesser for share in shares]
    assert list(line(guesses, "tokens_from_phrases").y) == [share.phrases for share in shares]
    assert list(line(guesses, "tokens_per_pass").y) == pytest.approx(
        run_metrics.rolling_tokens_per_pass(steps)
    )
    alpha = none_is_nan(run_metrics.rolling_guesses_kept(steps))
    assert list(line(guesses, "alpha").y) == pytest.approx(alpha, nan_ok=True)


@given(runs())
def test_depths_and_lengths_are_those_of_the_whole_run(steps: list[StepRecord]) -> None:
    charts = RunCharts()
    charts.show_run(steps)
    depths, lengths = charts.chart(ChartKind.DEPTHS), charts.chart(ChartKind.LENGTHS)
    assert tuple(depths.series[0].y) == run_metrics.kept_at_depth(steps)
    counts = run_metrics.accepted_lengths(steps)
    assert list(lengths.series[0].y) == [count / len(steps) for count in counts]
    assert list(lengths.x) == list(range(len(counts)))


@given(runs(), st.sets(st.integers(1, 60)), st.sampled_from(ChartKind), st.sampled_from(Axis))
def test_a_stored_run_looks_as_it_did_when_it_was_drafted(
    steps: list[StepRecord], pauses: set[int], kind: ChartKind, axis: Axis
) -> None:
    stored, live = RunCharts(), RunCharts()
    stored.show_run(steps, 100, pauses)
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
    assert list(alpha) == pytest.approx(none_is_nan(run_metrics.rolling_guesses_kept(steps)), nan_ok=True)
    pace = list(line(charts.chart(ChartKind.PACE), "words_per_min").y)[100:]
    whole = [value.words_per_min for value in run_metrics.rolling_pace(steps) if value is not None][100:]
    assert pace == pytest.approx(whole)


def test_a_pause_is_a_gap_and_a_mark() -> None:
    charts = RunCharts()
    charts.begin(1_000)
    charts.add(step(words=5))
    charts.mark(MarkKind.PAUSE)
    charts.mark(MarkKind.EDIT)
    charts.add(step(words=9))
    data = charts.chart(ChartKind.PACE)
    assert [math.isnan(value) for value in data.series[0].y] == [False, True, False]
    assert list(data.x) == [1_005, 1_005, 1_009]
    assert [(mark.x, mark.kind, mark.name) for mark in data.marks] == [
        (1_005, MarkKind.PAUSE, "Paused"),
        (1_005, MarkKind.EDIT, "Edited"),
    ]
    assert charts.chart(ChartKind.GUESSES, Axis.TIME).marks[0].x == 1
    assert charts.num_pauses == 1
    assert data.summary.endswith("with one pause.")


def test_every_chart_on_an_axis_spans_the_same() -> None:
    charts = RunCharts()
    charts.show_run(long_run(), 4_000)
    charts.show_windows([(3_000, 0.7), (5_000, 0.8), (9_000, 0.75)], [(5_000, 0.95), (9_000, 0.94)])
    for axis, span in ((Axis.WORDS, (4_000, 10_000)), (Axis.TIME, (0, pytest.approx(165.015)))):
        charts_of_axis = [
            charts.chart(kind, axis)
            for kind in (ChartKind.PACE, ChartKind.GUESSES, ChartKind.PAIRS, ChartKind.TRIPLES)
        ]
        assert [data.x_range for data in charts_of_axis] == [span] * 4


def test_windows_of_the_text_before_are_left_out_and_places_become_times() -> None:
    charts = RunCharts()
    charts.begin(1_000)
    charts.show_windows([(750, 0.6), (1_000, 0.7), (1_010, 0.8)], [(1_010, 0.9)])
    charts.add(step(words=4, step_ms=2_000))
    charts.add(step(words=10, step_ms=1_000))
    by_words, by_time = charts.chart(ChartKind.PAIRS), charts.chart(ChartKind.PAIRS, Axis.TIME)
    assert (list(by_words.x), list(by_words.series[0].y)) == ([1_000, 1_010], [0.7, 0.8])
    assert (list(by_time.x), list(by_time.places)) == ([0, 3], [1_000, 1_010])
    assert list(charts.chart(ChartKind.TRIPLES).series[0].y) == [0.9]


@pytest.mark.parametrize(
    ("value", "verdict"),
    [(0.5, "Variety is low."), (0.8, "Variety is normal."), (0.93, "Variety is unusually high.")],
)
def test_variety_is_compared_with_published_novels(value: float, verdict: str) -> None:
    charts = RunCharts()
    charts.show_windows([(2_000, value)], [])
    data = charts.chart(ChartKind.PAIRS)
    assert data.summary.startswith(f"{verdict} {value:.0%} of the word pairs")
    assert data.y_range is not None
    assert data.y_range[0] <= value <= data.y_range[1]
    assert [(band.low, band.high) for band in data.bands] == [(0.586, 0.901), (0.737, 0.847)]
    charts.set_bands(known=False)
    assert charts.chart(ChartKind.PAIRS).bands == ()


def test_the_trend_follows_a_run_that_slows_down() -> None:
    charts = RunCharts()
    charts.show_run(long_run(), 2_000)
    data = charts.chart(ChartKind.PACE)
    trend = line(data, "expected_words_per_min")
    assert trend.name == "Trend"
    # After 1,000 steps a step of two words takes 50 ms.
    assert trend.y[999] == pytest.approx(2 / 0.050 * 60, rel=0.01)
    assert trend.y[2_999] == pytest.approx(2 / 0.070 * 60, rel=0.01)


def test_what_was_measured_on_this_computer_replaces_the_trend() -> None:
    charts = RunCharts()
    charts.show_run(long_run(100), 1_000)
    assert len(charts.chart(ChartKind.PACE).series) == 1  # too young for a trend
    charts.expect(PaceCurve(0.02, 0.00001))
    data = charts.chart(ChartKind.PACE)
    assert line(data, "expected_words_per_min").name == "Expected"
    assert line(data, "expected_words_per_min").y[99] == pytest.approx(60 / 0.032)
    charts.add(step(words=300))
    assert line(charts.chart(ChartKind.PACE), "expected_words_per_min").y[100] == pytest.approx(60 / 0.033)
    charts.expect(None)
    assert len(charts.chart(ChartKind.PACE).series) == 1


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
    charts.show_windows([(60, 0.8)], [])
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
    charts.mark(MarkKind.RESUME)
    charts.show_windows([], [])
    charts.expect(None)
    charts.set_bands(known=True)
    charts.show_run([])
    assert len(told) == 7


def test_names_are_a_writers_and_columns_are_technical() -> None:
    charts = RunCharts()
    charts.show_run(long_run(4))
    data = charts.chart(ChartKind.GUESSES)
    assert [one.name for one in data.series] == [
        "Full model", "Draft model", "Phrase reuse", "Tokens per step", "Acceptance rate"
    ]  # fmt: skip
    head = "words,tokens_from_model,tokens_from_guesser,tokens_from_phrases,tokens_per_pass,alpha"
    assert csv_text(data).splitlines()[0] == head
    assert data.summary == (
        "3.0 tokens per step: 1.0 from the full model, 1.0 from the draft model, 1.0 from phrases; 50% of"
        " draft tokens accepted."
    )


def test_seconds_before_the_run_are_none() -> None:
    figures = RunSeries(100)
    figures.add(step(words=10, step_ms=500))
    assert (figures.seconds_at(50), figures.seconds_at(110), figures.seconds_at(999)) == (0, 0.5, 0.5)
