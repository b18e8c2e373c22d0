"""The charts of a run: it takes steps as they come and says at any moment what each chart shows."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum

from PySide6.QtCore import QObject, Signal

from quire.charts.chart_data import (
    ChartBand,
    ChartData,
    ChartMark,
    ChartSeries,
    Figures,
    MarkKind,
    SeriesRole,
)
from quire.charts.chart_labels import RunTexts
from quire.charts.chart_data import (CurvePair, laid_over)
from quire.domain.drafting.live_run_metrics import (ComparedRun, steps_at)
from quire.domain.drafting.live_run_metrics import PaceCurve, RunSeries
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.text_quality.published_novels import WholePoint, of_novels

Windows = Sequence[tuple[int, float]]
"""Words of the manuscript up to the end of each window, and the share of different phrases in it."""

PAIRS_SEEN, PAIRS_USUAL = (0.586, 0.901), (0.737, 0.847)
"""Distinct-2 of 171 published novels: of any window of 2,000 units, and of the average of a book."""
TRIPLES_SEEN, TRIPLES_USUAL = (0.767, 0.995), (0.901, 0.983)
"""The same of Distinct-3."""


class ChartKind(Enum):
    """Which chart."""

    PACE = "pace"
    GUESSES = "guesses"
    DEPTHS = "depths"
    LENGTHS = "lengths"
    PAIRS = "pairs"
    TRIPLES = "triples"
    WHOLE = "whole"


class Axis(Enum):
    """What x is: the position in the manuscript or the time spent drafting."""

    WORDS = "words"
    TIME = "time"


class RunCharts(QObject):
    """One run in charts. changed: something was added; it may come often, so whoever draws waits a little."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._texts = RunTexts(self)
        self._forget(0)
        self._has_bands = True
        self._calibrated: PaceCurve | None = None
        self._other: ComparedRun | None = None

    # ------------------------------------------------------------ what it is told
    def begin(self, words_before: int = 0) -> None:
        """Forget the run before; words_before: of the manuscript, up to where the new one begins."""
        self._forget(words_before)
        self.changed.emit()

    def show_run(
        self,
        steps: Sequence[StepRecord],
        words_before: int = 0,
        paused_after: Iterable[int] = (),
        paused_at: Iterable[int] = (),
    ) -> None:
        """Show a stored run at once.

        paused_after: numbers of steps after which it was paused; paused_at: the tokens it had then.
        """
        self._forget(words_before)
        pauses = {*paused_after, *steps_at(steps, paused_at)}
        for number, step in enumerate(steps, start=1):
            self._series.add(step)
            if number in pauses:
                self._mark(MarkKind.PAUSE)
        self.changed.emit()

    def add(self, step: StepRecord) -> None:
        """Take the next step of the run."""
        self._series.add(step)
        self.changed.emit()

    def mark(self, kind: MarkKind) -> None:
        """Remember that something happened here; a pause leaves a gap as well."""
        self._mark(kind)
        self.changed.emit()

    def show_windows(self, pairs: Windows, triples: Windows) -> None:
        """Take Distinct-2 and Distinct-3 of every window of the text so far."""
        self._windows = {ChartKind.PAIRS: tuple(pairs), ChartKind.TRIPLES: tuple(triples)}
        self.changed.emit()

    def show_whole(self, points: Sequence[WholePoint]) -> None:
        """Take how varied the text is from its beginning up to many places."""
        self._whole = tuple(points)
        self.changed.emit()

    def compare(self, other: ComparedRun | None) -> None:
        """Lay another run over the charts, or none."""
        self._other = other
        self.changed.emit()

    def expect(self, curve: PaceCurve | None) -> None:
        """Take the pace measured on this computer; None draws the trend of the run itself."""
        self._calibrated = curve
        self._expected = array("d")
        self.changed.emit()

    def set_bands(self, *, known: bool) -> None:
        """Say whether the bands of published novels hold for the language of the text."""
        self._has_bands = known
        self.changed.emit()

    # ------------------------------------------------------------ what it tells
    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to draw yet."""
        return self._series.num_steps == 0

    @property
    def num_pauses(self) -> int:
        """How often the run was paused."""
        return sum(kind is MarkKind.PAUSE for kind, _, _ in self._marks)

    def chart(self, kind: ChartKind, axis: Axis = Axis.WORDS) -> ChartData:
        """Return a chart as it is now."""
        match kind:
            case ChartKind.PACE:
                return self._pace_chart(axis)
            case ChartKind.GUESSES:
                return self._guesses_chart(axis)
            case ChartKind.PAIRS | ChartKind.TRIPLES:
                return self._variety_chart(axis, kind)
            case ChartKind.WHOLE:
                return self._whole_chart(axis)
            case ChartKind.DEPTHS:
                return self._depths_chart()
            case ChartKind.LENGTHS:
                return self._lengths_chart()

    # ------------------------------------------------------------ by position
    def _pace_chart(self, axis: Axis) -> ChartData:
        say, series = self._texts, self._series
        expected = self._expected_pace()
        drawn = [
            ChartSeries(
                say.pace(),
                "words_per_min",
                series.pace[:],
                SeriesRole.LINE,
                Figures.COUNT,
                say.pace_unit(),
                say.pace_hint(),
            )
        ]
        if expected:
            name = say.trend() if self._calibrated is None else say.expected()
            drawn.append(
                ChartSeries(
                    name,
                    "expected_words_per_min",
                    expected,
                    SeriesRole.EXPECTED,
                    Figures.COUNT,
                    say.pace_unit(),
                    say.expected_hint(),
                )
            )
        mean = 60 * series.num_words / series.drafted_s if series.drafted_s else math.nan
        summary = say.pace_summary(_last(series.pace), mean, series.num_words, self.num_pauses)
        data = self._by_position(axis, say.pace(), summary, tuple(drawn))
        return self._with_other(data, axis, "other_words_per_min", "pace")

    def _guesses_chart(self, axis: Axis) -> ChartData:
        say, series = self._texts, self._series
        drawn = (
            ChartSeries(
                say.from_model(),
                "tokens_from_model",
                series.from_model[:],
                SeriesRole.LAYER,
                hint=say.from_model_hint(),
            ),
            ChartSeries(
                say.from_guesser(),
                "tokens_from_guesser",
                series.from_guesser[:],
                SeriesRole.LAYER,
                hint=say.from_guesser_hint(),
            ),
            ChartSeries(
                say.from_phrases(),
                "tokens_from_phrases",
                series.from_phrases[:],
                SeriesRole.LAYER,
                hint=say.from_phrases_hint(),
            ),
            ChartSeries(
                say.at_a_time(), "tokens_per_pass", series.tokens_per_pass[:], hint=say.at_a_time_hint()
            ),
            ChartSeries(
                say.kept(),
                "alpha",
                series.acceptance_rate[:],
                SeriesRole.SHARE,
                Figures.SHARE,
                hint=say.kept_hint(),
            ),
        )
        summary = say.guesses_summary(*(_last(one.y) for one in drawn))
        data = self._by_position(axis, say.at_a_time(), summary, drawn)
        return self._with_other(data, axis, "other_tokens_per_pass", "tokens_per_pass")

    def _by_position(self, axis: Axis, title: str, summary: str, drawn: tuple[ChartSeries, ...]) -> ChartData:
        places = self._series.places[:]
        return ChartData(
            title=title,
            summary=summary,
            x=places if axis is Axis.WORDS else self._series.seconds[:],
            series=drawn,
            places=places,
            x_range=self._x_range(axis),
            marks=self._chart_marks(axis),
            **self._texts.x_words(axis is Axis.TIME),
        )

    def _variety_chart(self, axis: Axis, kind: ChartKind) -> ChartData:
        say, triples = self._texts, kind is ChartKind.TRIPLES
        windows = self._windows.get(kind, ())
        # The axis is the run's: windows that end before it are another text's.
        here = [(place, value) for place, value in windows if place >= self._series.words_before]
        places = [float(place) for place, _ in here]
        seen, usual = (TRIPLES_SEEN, TRIPLES_USUAL) if triples else (PAIRS_SEEN, PAIRS_USUAL)
        bands = (ChartBand(say.seen(), *seen), ChartBand(say.usual(), *usual, strong=True))
        values = [value for _, value in here]
        others = self._other_windows(kind, axis)
        lows: list[float] = [seen[0] - 0.05, *values, *(() if others is None else others.y)]
        drawn = ChartSeries(
            say.triples() if triples else say.pairs(),
            "distinct_3_last_2000" if triples else "distinct_2_last_2000",
            values,
            figures=Figures.RATIO,
            hint=say.variety_hint(),
        )
        data = ChartData(
            title=say.variety_of_triples() if triples else say.variety(),
            summary=say.variety_summary(_last(values), seen, triples=triples),
            x=places if axis is Axis.WORDS else [self._series.seconds_at(place) for place in places],
            series=(drawn,),
            places=places,
            x_range=self._x_range(axis),
            bands=bands if self._has_bands else (),
            marks=self._chart_marks(axis),
            y_range=(math.floor(10 * min(lows)) / 10, 1.0),
            **say.x_words(axis is Axis.TIME),
        )
        return data if others is None else laid_over(data, others)

    def _whole_chart(self, axis: Axis) -> ChartData:
        say, is_time = self._texts, axis is Axis.TIME
        # Time begins with the run: what stood before it was not drafted in any.
        points = [one for one in self._whole if not is_time or one.num_words >= self._series.words_before]
        places = [float(one.num_words) for one in points]
        averages = [one.average for one in points]
        drawn = [
            ChartSeries(say.average(), "distinct_avg", averages, figures=Figures.RATIO, hint=say.whole_hint())
        ]
        for order in (1, 2, 3, 4):
            values = [one.ratio(order) for one in points]
            name = say.whole_name(order)
            drawn.append(ChartSeries(name, f"distinct_{order}", values, figures=Figures.RATIO))
        novels = [of_novels(one.num_units) for one in points]
        if self._has_bands:
            human = ChartSeries(
                say.novels(), "novels_avg", novels, SeriesRole.EXPECTED, Figures.RATIO, hint=say.novels_hint()
            )
            drawn.append(human)
        return ChartData(
            title=say.whole(),
            summary=say.whole_summary(_last(averages), _last(novels[-1:]) if self._has_bands else math.nan),
            x=[self._series.seconds_at(place) for place in places] if is_time else places,
            series=tuple(drawn),
            places=places,
            x_range=self._x_range(axis) if is_time else (0.0, max([*places, 1.0])),
            marks=self._chart_marks(axis),
            y_range=(0.0, 1.0),
            **say.x_words(is_time),
        )

    # ------------------------------------------------------------ by depth
    def _depths_chart(self) -> ChartData:
        say, kept = self._texts, self._series.kept_at_depth()
        data = ChartData(
            title=say.depths(),
            summary=say.depths_summary(kept),
            x_name=say.depth_axis(),
            x_column="depth",
            x=[float(depth) for depth in range(1, len(kept) + 1)],
            x_range=(0.5, max(len(kept), 4) + 0.5),
            series=(
                ChartSeries(
                    say.depths_name(),
                    "kept_at_depth",
                    kept,
                    SeriesRole.BAR,
                    Figures.SHARE,
                    hint=say.depths_hint(),
                ),
            ),
            y_range=(0.0, 1.0),
        )
        if self._other is None:
            return data
        others, end = self._other.series.kept_at_depth(), data.x_range[1]
        return _with_bars(
            data, self._other.name, 1, others, "other_kept_at_depth", max(len(others) + 0.5, end)
        )

    def _lengths_chart(self) -> ChartData:
        say, counts = self._texts, self._series.accepted_lengths()
        total = max(sum(counts), 1)
        data = ChartData(
            title=say.lengths(),
            summary=say.lengths_summary(counts),
            x_name=say.lengths_axis(),
            x_column="accepted",
            x=[float(length) for length in range(len(counts))],
            x_range=(-0.5, max(len(counts), 5) - 0.5),
            series=(
                ChartSeries(
                    say.lengths_name(),
                    "share_of_passes",
                    [count / total for count in counts],
                    SeriesRole.BAR,
                    Figures.SHARE,
                    hint=say.lengths_hint(),
                ),
            ),
        )
        if self._other is None:
            return data
        counts, end = self._other.series.accepted_lengths(), data.x_range[1]
        shares = [count / max(sum(counts), 1) for count in counts]
        column = "other_share_of_passes"
        return _with_bars(data, self._other.name, 0, shares, column, max(len(counts) - 0.5, end))

    # ------------------------------------------------------------ another run
    def _with_other(self, data: ChartData, axis: Axis, column: str, figures: str) -> ChartData:
        """Return a chart by position with the same figures of the other run, if there is one."""
        if self._other is None:
            return data
        other = self._other.series
        values = other.pace if figures == "pace" else other.tokens_per_pass
        x = other.places if axis is Axis.WORDS else other.seconds
        return laid_over(data, CurvePair(self._other.name, column, x, values, other.places))

    def _other_windows(self, kind: ChartKind, axis: Axis) -> CurvePair | None:
        """Return the variety of the other run's text, if there is one."""
        if self._other is None:
            return None
        is_triples = kind is ChartKind.TRIPLES
        windows = self._other.triples if is_triples else self._other.pairs
        places = [float(place) for place, _ in windows]
        seconds = [self._other.series.seconds_at(place) for place in places]
        column = "other_distinct_3" if is_triples else "other_distinct_2"
        x = places if axis is Axis.WORDS else seconds
        return CurvePair(self._other.name, column, x, [value for _, value in windows], places)

    # ------------------------------------------------------------ parts
    def _forget(self, words_before: int) -> None:
        self._series = RunSeries(words_before)
        self._marks: list[tuple[MarkKind, int, float]] = []
        self._windows = dict[ChartKind, tuple[tuple[int, float], ...]]()
        self._whole = tuple[WholePoint, ...]()
        self._expected = array("d")
        self._expected_by: PaceCurve | None = None

    def _mark(self, kind: MarkKind) -> None:
        self._marks.append((kind, self._series.place, self._series.drafted_s))
        if kind is MarkKind.PAUSE:
            self._series.break_off()

    def _chart_marks(self, axis: Axis) -> tuple[ChartMark, ...]:
        return tuple(
            ChartMark(place if axis is Axis.WORDS else seconds, kind, self._texts.mark(kind))
            for kind, place, seconds in self._marks
        )

    def _x_range(self, axis: Axis) -> tuple[float, float]:
        runs = [self._series] if self._other is None else [self._series, self._other.series]
        if axis is Axis.TIME:
            return 0.0, max(1.0, *(run.drafted_s for run in runs))
        start = min(run.words_before for run in runs)
        return float(start), float(max(start + 1, *(run.place for run in runs)))

    def _expected_pace(self) -> array[float]:
        """Return the expected curve at every place; only what is new of it is computed, unless it moved."""
        curve = self._calibrated or self._series.fit.curve
        if curve is None:
            return array("d")
        if curve != self._expected_by:
            self._expected, self._expected_by = array("d"), curve
        places = self._series.places
        self._expected.extend(curve.words_per_min(place) for place in places[len(self._expected) :])
        return self._expected[:]


def _with_bars(
    data: ChartData, name: str, first: int, values: Sequence[float], column: str, end: float
) -> ChartData:
    """Return a chart of bars with the values of another run, the first of which stands at `first`."""
    x = [float(first + number) for number in range(len(values))]
    wider = replace(data, x_range=(data.x_range[0], end))
    return laid_over(wider, CurvePair(name, column, x, values, ()))


def _last(values: Sequence[float]) -> float:
    """Return the last value that is no gap."""
    return next((value for value in reversed(values) if not math.isnan(value)), math.nan)
