"""What each chart draws and says: variety beside published novels, and another run laid over them."""

from __future__ import annotations

import csv
import math
from io import StringIO

import pytest

from quire.charts.chart_data import (
    SeriesRole,
    csv_text,
)
from quire.charts.chart_kinds import ChartKind
from quire.charts.chart_source import Axis
from quire.charts.run_charts import RunCharts
from quire.domain.drafting.live_run_metrics import (
    ComparedRun,
    DistinctPoint,
)
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.text_quality.published_novels import range_at
from tests.app.charts.simulated_run import long_run, other_of, simulated_run

BY_POSITION = (
    ChartKind.PACE, ChartKind.ACCEPTANCE, ChartKind.DISTINCT, ChartKind.GUESSES, ChartKind.STEP_TIME,
)  # fmt: skip


def variety(num_words: int, pairs: float, num_units: int = 2_000) -> DistinctPoint:
    """Return a reading with a Distinct-2."""
    return DistinctPoint(num_words, num_units, (0.4, pairs, 0.96, 0.99))


@pytest.fixture
def charts() -> RunCharts:
    charts = RunCharts()
    charts.show_run(simulated_run(400), 1_000)
    charts.show_distinct([variety(1_100, 0.8), variety(1_300, 0.78)])
    return charts


def longer_run() -> ComparedRun:
    points = [variety(1_100, 0.9), variety(1_200, 0.5), variety(1_900, 0.4)]
    return ComparedRun("Take 2", simulated_run(800, seed=9), 1_000, points)


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
    acceptance = charts.chart(ChartKind.ACCEPTANCE)
    accepted = other.series.from_drafters[-1] + other.series.from_phrases[-1]
    assert other_of(acceptance).y[-1] == accepted
    distinct = charts.chart(ChartKind.DISTINCT)
    assert other_of(distinct).y[-1] == 0.4
    assert distinct.y_range is not None
    assert distinct.y_range[0] <= 0.4  # what is compared is in sight


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


# ---------------------------------------------------------------- from the beginning


def test_variety_from_the_beginning_is_drawn_beside_novels(charts: RunCharts) -> None:
    points = [
        DistinctPoint(200, 250, (0.6, 0.9, 1.0, None)),
        DistinctPoint(900, 1_000, (0.5, 0.8, 0.95, 0.99)),
        DistinctPoint(1_100, 1_250, (0.45, 0.78, 0.94, 0.99)),
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
    charts.show_whole([DistinctPoint(1_000, 1_100, (0.5, 0.8, 0.95, 0.99))])
    charts.set_bands(known=False)
    data = charts.chart(ChartKind.WHOLE)
    assert [one.role for one in data.series] == [SeriesRole.LINE] * 5
    assert data.summary == "Variety of the whole text averages 0.81."


def test_nothing_to_draw_is_said(charts: RunCharts) -> None:
    data = charts.chart(ChartKind.WHOLE)
    assert list(data.x) == []
    assert data.summary == "Variety of the whole text appears after 250 words."


@pytest.mark.parametrize("num_units", [100, 260, 2_000])
@pytest.mark.parametrize(
    ("place", "verdict"),
    [(-0.5, "Variety is low."), (0.5, "Variety is normal."), (1.2, "Variety is unusually high.")],
)
def test_variety_is_compared_with_novels_at_that_length(num_units: int, place: float, verdict: str) -> None:
    charts = RunCharts()
    low, _, high = range_at(2, num_units)
    value = low + place * (high - low)
    charts.show_distinct([variety(90, value, num_units)])
    data = charts.chart(ChartKind.DISTINCT)
    assert data.summary == (
        f"{verdict} Of the word pairs in the last {num_units:,} words and marks, {value:.0%} are different;"
        f" in novels at this length, {low:.0%} to {high:.0%}."
    )
    assert data.bands[0].ranges[1] == ([low], [high])
    assert len(data.bands[0].ranges) == len(data.series) == 4
    charts.set_bands(known=False)
    data = charts.chart(ChartKind.DISTINCT)
    assert data.bands == ()
    assert data.summary.endswith(f"{value:.0%} are different.")


def test_acceptance_is_what_was_taken_of_what_was_drafted() -> None:
    charts = RunCharts()
    charts.show_run(long_run(4))
    data = charts.chart(ChartKind.ACCEPTANCE)
    assert csv_text(data).splitlines()[0] == "words,accepted_per_pass,alpha"
    assert [one.role for one in data.series] == [SeriesRole.LINE, SeriesRole.SHARE]
    assert [one.y[-1] for one in data.series] == [2.0, 0.5]
    assert data.summary == "2.0 draft tokens accepted per step, 50% of those drafted."


def test_names_are_a_writers_and_columns_are_technical() -> None:
    charts = RunCharts()
    charts.show_run(long_run(4))
    data = charts.chart(ChartKind.GUESSES)
    assert [one.name for one in data.series] == [
        "Full model", "Draft model", "Phrase reuse", "Tokens per step", "Acceptance rate",
        "By phrases alone",
    ]  # fmt: skip
    head = "words,tokens_from_model,tokens_from_guesser,tokens_from_phrases,tokens_per_pass,alpha,beta"
    assert csv_text(data).splitlines()[0] == head
    assert data.summary == (
        "3.0 tokens per step: 1.0 from the full model, 1.0 from the draft model, 1.0 from phrases; 50% of"
        " draft tokens accepted."
    )


def test_the_time_of_a_step_is_split_up(charts: RunCharts) -> None:
    data = charts.chart(ChartKind.STEP_TIME)
    model, guessing, other, whole = data.series
    assert [one.role for one in data.series] == [SeriesRole.LAYER] * 3 + [SeriesRole.LINE]
    taken = simulated_run(400)[-256:]
    assert model.y[-1] == pytest.approx(sum(step.verify_ms for step in taken) / 256)
    assert guessing.y[-1] == pytest.approx(sum(step.draft_ms for step in taken) / 256)
    assert whole.y[-1] == pytest.approx(sum(step.step_ms for step in taken) / 256)
    assert other.y[-1] == pytest.approx(whole.y[-1] - model.y[-1] - guessing.y[-1])
    assert csv_text(data).splitlines()[0] == "words,verify_ms,draft_ms,rest_ms,step_ms"
    assert data.summary == (
        f"A step takes {whole.y[-1]:.1f} ms: {model.y[-1]:.1f} in the full model,"
        f" {guessing.y[-1]:.1f} for prediction, {other.y[-1]:.1f} for the rest."
    )
