"""One chart with its title, its legend and its table twin."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFont, QHideEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from quire.charts.chart_data import ChartData, csv_text
from quire.charts.chart_legend import ChartLegend, LegendEntry
from quire.charts.chart_plot import ChartPlot
from quire.charts.chart_style import band_stroke, strokes_of
from quire.charts.chart_table import ChartTable
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import plain_label

REFRESH_MS = 100
"""At most ten times a second."""
_BUSY_FACTOR = 20
"""A long run takes longer to draw; it is drawn less often, so that drawing takes a twentieth of the time."""


class ChartView(QWidget):
    """Draws what `source` returns. place_chosen: words of the manuscript up to where the writer clicked.

    drawn: there are other numbers on the screen. pointed, left: at which x the pointer is, so that charts on
    the same axis can follow. Nothing is computed while the view is hidden.
    """

    place_chosen = Signal(int)
    pointed = Signal(float)
    left = Signal()
    drawn = Signal()

    def __init__(
        self, source: Callable[[], ChartData], themes: ThemeSwitch, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._source, self._themes = source, themes
        self._data = source()
        self._row: int | None = None
        self._is_stale = True
        self.title_label = plain_label(self, 12, QFont.Weight.DemiBold)
        self.legend = ChartLegend(self)
        self.axis_label = plain_label(self, 11)
        self.axis_label.setObjectName("caption")
        self.plot = ChartPlot(self)
        self.table = ChartTable(self)
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(REFRESH_MS)
        self.timer.timeout.connect(self.refresh)
        self._lay_out()
        self.plot.pointed.connect(self._pointed)
        self.plot.left.connect(self.left)
        self.plot.left.connect(self.show_last)
        self.plot.chosen.connect(self._choose)
        self.table.place_chosen.connect(self.place_chosen)
        themes.changed.connect(self._dress)
        self._dress()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(12, 6, 12, 2)
        head.setSpacing(18)
        head.addWidget(self.title_label)
        head.addWidget(self.legend, 1)
        head.addWidget(self.axis_label)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.plot)
        self._stack.addWidget(self.table)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self._stack, 1)

    # ------------------------------------------------------------ what it is told
    @property
    def data(self) -> ChartData:
        """What is on the screen."""
        return self._data

    def set_source(self, source: Callable[[], ChartData]) -> None:
        """Draw something else from now on."""
        self._source = source
        self._row = None
        self._refresh_now_or_when_shown()

    def show_table(self, *, on: bool) -> None:
        """Show the numbers in a table, or the drawing."""
        self._stack.setCurrentWidget(self.table if on else self.plot)
        for label in (self.legend, self.axis_label):
            label.setVisible(not on)  # the head of the table says both
        self._refresh_now_or_when_shown()

    def csv_text(self) -> str:
        """Return what is on the screen as CSV."""
        return csv_text(self._data)

    @Slot()
    def refresh_soon(self) -> None:
        """Draw newer numbers, in a moment and together with what changes until then."""
        self._is_stale = True
        if self.isVisible() and not self.timer.isActive():
            self.timer.start()

    @Slot()
    def refresh(self) -> None:
        """Draw newer numbers now; a view that is hidden waits until it is shown."""
        if not self.isVisible():
            return
        spent = QElapsedTimer()
        spent.start()
        self._is_stale = False
        self._data = self._source()
        if self._stack.currentWidget() is self.plot:
            self.plot.show_data(self._data)
        else:
            self.table.show_data(self._data)
        self._say()
        self.timer.setInterval(max(REFRESH_MS, _BUSY_FACTOR * spent.elapsed()))
        self.drawn.emit()

    @Slot(float)
    def show_x(self, x: float) -> None:
        """Show the values at an x, as another chart on the same axis does."""
        self._show_row(self._data.nearest_row(x))

    @Slot()
    def show_last(self) -> None:
        """Show the last values again."""
        self._show_row(None)

    def hideEvent(self, event: QHideEvent) -> None:
        """Leave what is waiting until it is shown again."""
        super().hideEvent(event)
        self.timer.stop()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what changed meanwhile."""
        super().showEvent(event)
        if self._is_stale:
            self.refresh()

    # ------------------------------------------------------------ slots
    @Slot()
    def _dress(self) -> None:
        self.plot.set_tokens(self._themes.tokens)
        self._say()

    @Slot(int)
    def _pointed(self, row: int) -> None:
        self._show_row(row)
        self.pointed.emit(self._data.x[row])

    @Slot(int)
    def _choose(self, row: int) -> None:
        if self._data.places:
            self.place_chosen.emit(round(self._data.places[row]))

    # ------------------------------------------------------------ parts
    def _refresh_now_or_when_shown(self) -> None:
        self._is_stale = True
        self.refresh()

    def _show_row(self, row: int | None) -> None:
        self._row = row
        self.plot.show_cursor(row)
        self._say()

    def _place_text(self, row: int) -> str:
        """Return where a row is and what happened there."""
        here = [mark.name for mark in self._data.marks_near(self._data.x[row])]
        return ", ".join([self._data.x_text(row), *dict.fromkeys(here)])

    def _say(self) -> None:
        data, tokens = self._data, self._themes.tokens
        row = self._row if self._row is not None and self._row < len(data.x) else None
        self.axis_label.setText(f"{data.x_name} →")
        self.title_label.setText(data.title if row is None else self._place_text(row))
        shown = data.last_row() if row is None else row
        has_values = shown is not None and (row is not None or bool(data.places))
        entries = [
            LegendEntry(
                one.name, one.value_text(shown) if has_values and shown is not None else "", stroke, one.hint
            )
            for one, stroke in zip(data.series, strokes_of(data.series, tokens), strict=True)
        ]
        entries += [LegendEntry(band.name, "", band_stroke(band, tokens)) for band in data.bands]
        self.legend.show_entries(entries)
        for twin in (self, self.plot):
            twin.setAccessibleName(data.title)
            twin.setAccessibleDescription(data.summary)
        self.plot.setCursor(
            Qt.CursorShape.PointingHandCursor
            if row is not None and data.places
            else Qt.CursorShape.ArrowCursor
        )
