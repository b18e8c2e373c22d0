"""What a chart shows, in numbers: the drawing, its table and its CSV are all made from one ChartData."""

from __future__ import annotations

import csv
import math
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from io import StringIO

from quire.system.number_text import number_text

NOTHING = "–"
"""Shown for a missing value."""

_TIME_STEPS_S = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 43200)
_HOUR_S = 3600
_MANY_ROWS = 4_000
"""From this many rows on numpy finds the extremes, if it is already loaded: importing it would delay the
window.
"""
_NEAR = 0.004


class Figures(Enum):
    """The number formats of values."""

    COUNT = "count"
    DECIMAL = "decimal"
    RATIO = "ratio"
    SHARE = "share"
    TIME = "time"


class SeriesRole(Enum):
    """The role of a series in its chart.

    Attributes:
        EXPECTED: a line to compare another line with.
        OTHER: the same value of another run.
        LAYER: stacked on the layers before it.
        SHARE: a line from 0 to 1 with its own scale on the right.
        BAR: one bar for each x.
    """

    LINE = "line"
    EXPECTED = "expected"
    OTHER = "other"
    LAYER = "layer"
    SHARE = "share"
    BAR = "bar"


class MarkKind(Enum):
    """What happened at a position of a run."""

    PAUSE = "pause"
    ALARM = "alarm"


@dataclass(frozen=True, slots=True)
class ChartSeries:
    """Values, one for each x of the chart; NaN marks a gap.

    Attributes:
        name: the name on the screen.
        column: the technical name, for CSV.
        y: the values.
        role: its role in the chart.
        figures: the number format.
        unit: shown after a value.
        hint: its meaning, as a sentence.
        short: the name in the legend, if it differs.
    """

    name: str
    column: str
    y: Sequence[float]
    role: SeriesRole = SeriesRole.LINE
    figures: Figures = Figures.DECIMAL
    unit: str = ""
    hint: str = ""
    short: str = ""

    def value_text(self, row: int) -> str:
        """Return a value with its unit, or a dash."""
        text = value_text(self.y[row], self.figures)
        return f"{text} {self.unit}" if self.unit and text != NOTHING else text


@dataclass(frozen=True, slots=True)
class ChartBand:
    """Ranges of y to compare with, one for each series that has one.

    Attributes:
        name: the name on the screen.
        ranges: the lower and the upper end of each range for each x; NaN where there is none.
    """

    name: str
    ranges: tuple[tuple[Sequence[float], Sequence[float]], ...]


@dataclass(frozen=True, slots=True)
class ChartMark:
    """An event at an x."""

    x: float
    kind: MarkKind
    name: str


@dataclass(frozen=True, slots=True)
class ChartData:
    """One chart.

    Attributes:
        title: the title on the screen.
        summary: the chart's message, as a sentence.
        x_name: the name of x on the screen.
        x_column: the technical name of x, for CSV.
        x: never decreases.
        x_range: the part of x that the chart spans, so that charts on one axis span the same.
        series: the values.
        x_figures: the number format of x.
        x_unit: the unit of x.
        places: for each x the number of words of the manuscript up to there; empty if rows are not places.
        bands: ranges to compare with.
        marks: events.
        y_range: the part of y that is always visible; None starts at zero.
    """

    title: str
    summary: str
    x_name: str
    x_column: str
    x: Sequence[float]
    x_range: tuple[float, float]
    series: tuple[ChartSeries, ...]
    x_figures: Figures = Figures.COUNT
    x_unit: str = ""
    places: Sequence[float] = ()
    bands: tuple[ChartBand, ...] = ()
    marks: tuple[ChartMark, ...] = ()
    y_range: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        for series in self.series:
            if len(series.y) != len(self.x):
                raise ValueError(f"{series.column} has {len(series.y)} values for {len(self.x)} x")
        if self.places and len(self.places) != len(self.x):
            raise ValueError(f"{len(self.places)} places for {len(self.x)} x")

    def nearest_row(self, x: float) -> int | None:
        """Return the row with the nearest x, or None if there are no rows."""
        after = bisect_left(self.x, x)
        rows = [row for row in (after - 1, after) if 0 <= row < len(self.x)]
        return min(rows, key=lambda row: abs(self.x[row] - x), default=None)

    def marks_near(self, x: float) -> list[ChartMark]:
        """Return the marks that a drawing cannot separate from those at x."""
        reach = _NEAR * (self.x_range[1] - self.x_range[0])
        return [mark for mark in self.marks if abs(mark.x - x) <= reach]

    def last_row(self) -> int | None:
        """Return the last row with a value, of the run itself if possible, or None."""
        own = [one for one in self.series if one.role is not SeriesRole.OTHER]
        for series in (own, self.series):
            rows = range(len(self.x) - 1, -1, -1)
            found = next((row for row in rows if any(not math.isnan(one.y[row]) for one in series)), None)
            if found is not None:
                return found
        return None

    def x_text(self, row: int) -> str:
        """Return the x of a row with its unit."""
        text = value_text(self.x[row], self.x_figures)
        return f"{text} {self.x_unit}" if self.x_unit else text


def extreme_rows(x: Sequence[float], y: Sequence[float], columns: int) -> list[int]:
    """Return the rows needed to draw with this many pixel columns: the lowest and highest of each.

    x never decreases. A column with gaps keeps one of them, and the one at its end, if any: six rows at most.
    """
    if columns < 1:
        raise ValueError(f"columns must be 1 or more, got {columns}")
    if len(x) <= 2 * columns:
        return list(range(len(x)))
    rows: list[int] = []
    by_numpy = len(x) >= _MANY_ROWS and "numpy" in sys.modules
    extremes = _found_by_numpy(y) if by_numpy else _extreme_rows_in
    start, first, width = 0, x[0], (x[-1] - x[0]) / columns
    for column in range(1, columns + 1):
        end = len(x) if column == columns else bisect_left(x, first + column * width, start)
        if end > start:
            rows += extremes(y, start, end)
        start = end
    return rows


def decimated(x: Sequence[float], y: Sequence[float], columns: int) -> tuple[list[float], list[float]]:
    """Return the points needed to draw with this many pixel columns, with gaps as NaN."""
    rows = extreme_rows(x, y, columns)
    return [x[row] for row in rows], [y[row] for row in rows]


def ticks(low: float, high: float, most: int, figures: Figures = Figures.DECIMAL) -> list[float]:
    """Return round numbers from low to high, at most one more than requested."""
    if not high > low:
        return [low]
    step = _round_step((high - low) / max(most, 1), figures)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def ceiling(value: float) -> float:
    """Return the end of a scale from zero that fits a value with a little room above."""
    if value <= 0:
        return 1.0
    step = _round_step(value / 10, Figures.DECIMAL)
    return math.ceil(value * 1.02 / step) * step


def value_text(value: float, figures: Figures) -> str:
    """Return a value formatted for the screen; a dash for none."""
    if math.isnan(value):
        return NOTHING
    match figures:
        case Figures.COUNT:
            return number_text(value)
        case Figures.DECIMAL:
            return number_text(value, 1)
        case Figures.RATIO:
            return number_text(value, 2)
        case Figures.SHARE:
            return f"{value:.0%}"
        case Figures.TIME:
            return _time_text(round(value))


def csv_text(data: ChartData) -> str:
    """Return the numbers of a chart as CSV: technical names, empty cells for gaps."""
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([data.x_column, *(series.column for series in data.series)])
    columns = [series.y for series in data.series]
    for row, x in enumerate(data.x):
        writer.writerow([_cell(x), *(_cell(column[row]) for column in columns)])
    return stream.getvalue()


def highest(values: Iterable[float]) -> float:
    """Return the largest value that is not NaN, or 0."""
    return max((value for value in values if not math.isnan(value)), default=0.0)


def _extreme_rows_in(y: Sequence[float], start: int, end: int) -> list[int]:
    part = list(y[start:end])
    # A sum is NaN if one of its terms is: the fastest check that there is no gap.
    if not math.isnan(sum(part)):
        return _in_order(start + part.index(min(part)), start + part.index(max(part)))
    gap = next((row for row, value in enumerate(part) if math.isnan(value)), len(part))
    rows = {*_extremes(part, range(gap)), gap, *_extremes(part, range(gap + 1, len(part)))}
    if math.isnan(part[-1]):
        rows.add(len(part) - 1)
    return [start + row for row in sorted(rows)]


def _found_by_numpy(y: Sequence[float]) -> Callable[[Sequence[float], int, int], list[int]]:
    """Return a function that finds the same rows in a fraction of the time."""
    import numpy as np

    values = np.asarray(y, dtype=np.float64)

    def extremes(y: Sequence[float], start: int, end: int) -> list[int]:
        part = values[start:end]
        low = int(part.argmin())
        if np.isnan(part[low]):  # it finds the gap among values with a gap
            return _extreme_rows_in(y, start, end)
        return _in_order(start + low, start + int(part.argmax()))

    return extremes


def _in_order(low: int, high: int) -> list[int]:
    return [low] if low == high else [min(low, high), max(low, high)]


def _extremes(part: Sequence[float], rows: range) -> set[int]:
    present = [row for row in rows if not math.isnan(part[row])]
    if not present:
        return set()
    return {min(present, key=part.__getitem__), max(present, key=part.__getitem__)}


def _round_step(at_least: float, figures: Figures) -> float:
    if figures is Figures.TIME and at_least <= _TIME_STEPS_S[-1]:
        return next(step for step in _TIME_STEPS_S if step >= at_least)
    power = 10.0 ** math.floor(math.log10(at_least))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= at_least * (1 - 1e-9))
    return max(step, 1.0) if figures is Figures.COUNT else step


def _time_text(seconds: int) -> str:
    minutes, rest = divmod(seconds, 60)
    if seconds < _HOUR_S:
        return f"{minutes}:{rest:02}"
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"


def _cell(value: float) -> str:
    if math.isnan(value):
        return ""
    return str(int(value)) if value == int(value) else f"{value:.6g}"


@dataclass(frozen=True, slots=True)
class CurvePair:
    """The values of another run.

    Attributes:
        name: the name on the screen.
        column: the technical name.
        x: positions on the axis of the chart.
        y: the values.
        places: number of words of the manuscript up to each x.
    """

    name: str
    column: str
    x: Sequence[float]
    y: Sequence[float]
    places: Sequence[float]


def laid_over(data: ChartData, course: CurvePair) -> ChartData:
    """Return a chart with the curve of another run as one more series.

    Rows are added where the other run is longer than the chart.
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
    bands = tuple(
        replace(
            band,
            ranges=tuple(
                ([*gaps[0], *low, *gaps[1]], [*gaps[0], *high, *gaps[1]]) for low, high in band.ranges
            ),
        )
        for band in data.bands
    )
    x = _joined(course.x, before, x, after)
    return replace(data, x=x, series=(*rest, other), places=places, bands=bands)


def _at(course: CurvePair, x: float) -> float:
    """Return the value at an x, or a gap outside the curve."""
    row = bisect_right(course.x, x) - 1
    is_inside = row >= 0 and x <= course.x[-1]
    return course.y[row] if is_inside else math.nan


def _joined(
    other: Sequence[float], before: Sequence[int], own: Sequence[float], after: Sequence[int]
) -> list[float]:
    return [*(other[row] for row in before), *own, *(other[row] for row in after)]
