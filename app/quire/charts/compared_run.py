"""Another run, laid over the charts of the one that is shown."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from quire.charts.chart_data import ChartData, ChartSeries, SeriesRole
from quire.domain.drafting.live_run_metrics import RunSeries
from quire.domain.drafting.run_metrics import StepRecord

Windows = Sequence[tuple[int, float]]


class ComparedRun:
    """The figures of a run that is compared; name: as the legend calls it.

    words_before: of the manuscript, up to where it began. pairs, triples: Distinct-2 and Distinct-3 of the
    windows of its text, by words of the manuscript.
    """

    def __init__(
        self,
        name: str,
        steps: Iterable[StepRecord],
        words_before: int = 0,
        pairs: Windows = (),
        triples: Windows = (),
    ) -> None:
        self.name = name
        self.series = RunSeries(words_before)
        for step in steps:
            self.series.add(step)
        self.pairs = _from(pairs, words_before)
        self.triples = _from(triples, words_before)


@dataclass(frozen=True, slots=True)
class CurvePair:
    """Values of another run. x: on the axis of the chart; places: words of the manuscript up to there."""

    name: str
    column: str
    x: Sequence[float]
    y: Sequence[float]
    places: Sequence[float]


def laid_over(data: ChartData, course: CurvePair) -> ChartData:
    """Return a chart with the course of another run in it, as one more column of all its rows.

    Where the other run reaches further than the chart, there are rows for it alone.
    """
    x = data.x
    first, last = (x[0], x[-1]) if x else (math.inf, -math.inf)
    before = [row for row, at in enumerate(course.x) if at < first]
    after = [row for row, at in enumerate(course.x) if at > last and at >= first]
    values = [course.y[row] for row in before]
    values += [_at(course, at) for at in x]
    values += [course.y[row] for row in after]
    alike = next((one for one in data.series if one.role is SeriesRole.LINE), data.series[0])
    other = ChartSeries(
        course.name, course.column, values, SeriesRole.OTHER, alike.figures, alike.unit, alike.hint
    )
    gaps = [math.nan] * len(before), [math.nan] * len(after)
    rest = tuple(replace(one, y=[*gaps[0], *one.y, *gaps[1]]) for one in data.series)
    places = _joined(course.places, before, data.places, after) if data.places or not x else ()
    return replace(data, x=_joined(course.x, before, x, after), series=(*rest, other), places=places)


def steps_at(steps: Iterable[StepRecord], token_counts: Iterable[int]) -> tuple[int, ...]:
    """Return the numbers of the steps, from 1 on, after which a run had so many tokens or more."""
    ends = list(accumulate(step.num_tokens for step in steps))
    numbers = {bisect_right(ends, count - 1) + 1 for count in token_counts if count > 0}
    return tuple(sorted(number for number in numbers if number <= len(ends)))


def _at(course: CurvePair, x: float) -> float:
    """Return the value that stood at an x; a gap outside of the course."""
    row = bisect_right(course.x, x) - 1
    is_inside = row >= 0 and x <= course.x[-1]
    return course.y[row] if is_inside else math.nan


def _joined(
    other: Sequence[float], before: Sequence[int], own: Sequence[float], after: Sequence[int]
) -> list[float]:
    return [*(other[row] for row in before), *own, *(other[row] for row in after)]


def _from(windows: Windows, words_before: int) -> tuple[tuple[int, float], ...]:
    return tuple((place, value) for place, value in windows if place >= words_before)
