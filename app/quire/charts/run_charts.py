"""The run that the charts show: it grows step by step and makes each chart on request."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from PySide6.QtCore import QObject, Signal

from quire.charts.chart_data import ChartData, MarkKind
from quire.charts.chart_kinds import ChartKind, ChartMaker
from quire.charts.chart_source import Axis, ChartSource
from quire.domain.drafting.live_run_metrics import ComparedRun, DistinctPoint, PaceCurve, RunSeries, steps_at
from quire.domain.drafting.run_metrics import StepRecord


class RunCharts(QObject):
    """One run in charts.

    Signals:
        changed: something was added; it is emitted often, so views wait a little before drawing.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._maker = ChartMaker(self)
        self._forget(0)
        self._has_bands = True
        self._other: ComparedRun | None = None

    # ------------------------------------------------------------ input
    def begin(self, words_before: int = 0, *, is_on_server: bool = False) -> None:
        """Start a new run after `words_before` words of the manuscript; is_on_server: see RunSeries."""
        self._forget(words_before, is_on_server=is_on_server)
        self.changed.emit()

    def show_run(
        self,
        steps: Sequence[StepRecord],
        words_before: int = 0,
        paused_at: Iterable[int] = (),
        *,
        is_on_server: bool = False,
    ) -> None:
        """Show a stored run at once.

        Args:
            steps: its steps.
            words_before: words of the manuscript before it.
            paused_at: its number of tokens at each pause.
            is_on_server: see RunSeries.
        """
        self._forget(words_before, is_on_server=is_on_server)
        pauses = steps_at(steps, paused_at)
        for number, step in enumerate(steps, start=1):
            self._series.add(step)
            if number in pauses:
                self._mark(MarkKind.PAUSE)
        self.changed.emit()

    def add(self, *steps: StepRecord) -> None:
        """Add the next steps of the run."""
        for step in steps:
            self._series.add(step)
        self.changed.emit()

    def mark(self, kind: MarkKind) -> None:
        """Mark the current end of the run; a pause leaves a gap as well."""
        self._mark(kind)
        self.changed.emit()

    def show_distinct(self, points: Sequence[DistinctPoint]) -> None:
        """Show the variety of the draft up to each point."""
        self._distinct = tuple(points)
        self.changed.emit()

    def show_whole(self, points: Sequence[DistinctPoint]) -> None:
        """Show the variety of the text from its beginning up to each point."""
        self._whole = tuple(points)
        self.changed.emit()

    def compare(self, other: ComparedRun | None) -> None:
        """Compare with another run, or with none."""
        self._other = other
        self.changed.emit()

    def set_bands(self, *, known: bool) -> None:
        """Show or hide the bands of published novels; known: whether they apply to the language of the
        text.
        """
        self._has_bands = known
        self.changed.emit()

    # ------------------------------------------------------------ output
    @property
    def words_before(self) -> int:
        """Return the words of the manuscript before the run."""
        return self._series.words_before

    @property
    def is_empty(self) -> bool:
        """Return whether there is nothing to draw yet."""
        return self._series.num_steps == 0

    def chart(self, kind: ChartKind, axis: Axis = Axis.WORDS) -> ChartData:
        """Return a chart of the current state."""
        source = ChartSource(
            run=self._series,
            axis=axis,
            marks=self._marks,
            distinct=self._distinct,
            whole=self._whole,
            trend=self._trend() if kind is ChartKind.PACE else (),
            has_bands=self._has_bands,
            other=self._other,
        )
        return self._maker.make(kind, source)

    # ------------------------------------------------------------ parts
    def _forget(self, words_before: int, *, is_on_server: bool = False) -> None:
        self._series = RunSeries(words_before, is_on_server=is_on_server)
        self._marks: list[tuple[MarkKind, int, float]] = []
        self._distinct = tuple[DistinctPoint, ...]()
        self._whole = tuple[DistinctPoint, ...]()
        self._trend_so_far = array("d")
        self._trend_by: PaceCurve | None = None

    def _mark(self, kind: MarkKind) -> None:
        self._marks.append((kind, self._series.place, self._series.drafted_s))
        if kind is MarkKind.PAUSE:
            self._series.break_off()

    def _trend(self) -> array[float]:
        """Return the speed at every place as a trend line through the run; only new values are computed,
        unless the line moved.
        """
        curve = self._series.fit.curve
        if curve is None:
            return array("d")
        if curve != self._trend_by:
            self._trend_so_far, self._trend_by = array("d"), curve
        places = self._series.places
        self._trend_so_far.extend(curve.words_per_min(place) for place in places[len(self._trend_so_far) :])
        return self._trend_so_far[:]
