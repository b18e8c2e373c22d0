"""The input of the charts: the current run, the axis, and the run to compare with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from quire.charts.chart_data import (
    ChartData,
    CurvePair,
    MarkKind,
    laid_over,
)
from quire.domain.drafting.live_run_metrics import ComparedRun, DistinctPoint, RunSeries

_Values = Callable[[RunSeries], Sequence[float]]


class Axis(Enum):
    """The meaning of x: the position in the manuscript or the time spent drafting."""

    WORDS = "words"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class ChartSource:
    """The current state of a run, from which charts are made.

    Attributes:
        run: the run.
        axis: what x is.
        marks: events, with the words of the manuscript and the seconds of drafting up to there.
        distinct: the variety of the draft.
        whole: that of the text from its beginning.
        trend: the speed at each place as a trend line through the run, empty while the run is too short.
        has_bands: whether the text is in the language of the published novels.
        other: the run to compare with.
    """

    run: RunSeries
    axis: Axis
    marks: Sequence[tuple[MarkKind, int, float]]
    distinct: Sequence[DistinctPoint]
    whole: Sequence[DistinctPoint]
    trend: Sequence[float]
    has_bands: bool
    other: ComparedRun | None

    @property
    def is_time(self) -> bool:
        """Return whether x is the time."""
        return self.axis is Axis.TIME

    @property
    def x_range(self) -> tuple[float, float]:
        """Return the range of every chart by position."""
        runs = [self.run] if self.other is None else [self.run, self.other.series]
        if self.is_time:
            return 0.0, max(1.0, *(run.drafted_s for run in runs))
        start = min(run.words_before for run in runs)
        return float(start), float(max(start + 1, *(run.place for run in runs)))

    def x_of(self, run: RunSeries, places: Sequence[float]) -> Sequence[float]:
        """Return the positions on the axis for places of a run."""
        return [run.seconds_at(place) for place in places] if self.is_time else places

    def with_other_run(self, data: ChartData, column: str, values_of: _Values) -> ChartData:
        """Return a chart of steps with the same values of the other run, if there is one."""
        if self.other is None:
            return data
        run = self.other.series
        x = run.seconds if self.is_time else run.places
        return laid_over(data, CurvePair(self.other.name, column, x, values_of(run), run.places))

    def with_other_bars(self, data: ChartData, column: str, first: int, values_of: _Values) -> ChartData:
        """Return a chart of bars with the same values of the other run, if there is one.

        Args:
            data: the chart, with bars at whole numbers.
            column: the technical name of the other run's values.
            first: the number that the first bar is at.
            values_of: returns the values of a run.
        """
        if self.other is None:
            return data
        values = values_of(self.other.series)
        x = [float(first + number) for number in range(len(values))]
        wider = replace(data, x_range=(data.x_range[0], max(first + len(values) - 0.5, data.x_range[1])))
        return laid_over(wider, CurvePair(self.other.name, column, x, values, ()))
