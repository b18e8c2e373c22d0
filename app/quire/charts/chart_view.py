"""One chart: its title and legend, its drawing, and the same numbers as a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QElapsedTimer,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
    Slot,
)
from PySide6.QtGui import QFont, QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from quire.charts.chart_data import ChartData, csv_text
from quire.charts.chart_plot import ChartPlot
from quire.charts.chart_style import ChartLegend, LegendEntry, band_stroke, strokes_of
from quire.theme.fonts import figures_font
from quire.theme.text_size import fit_rows, follow, scaled, set_scaled_font
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import plain_label

REFRESH_MS = 500
"""At most twice per second: a curve over minutes does not show more."""
_TURN_MS = 60
_BUSY_FACTOR = 20
"""A long run takes longer to draw, so it is drawn less often: drawing takes a twentieth of the time."""


class ChartView(QWidget):
    """Draws the return value of `source`; nothing is computed while the view is hidden.

    Args:
        turn: charts side by side with turns of their own are drawn one after the other, and the window never
            waits for all of them at once.

    Signals:
        place_chosen: the number of words of the manuscript up to where the writer clicked.
        drawn: the numbers on the screen changed.
        pointed: the x of the pointer, for other charts on the same axis.
        left: the pointer has left the chart.
    """

    place_chosen = Signal(int)
    pointed = Signal(float)
    left = Signal()
    drawn = Signal()

    def __init__(
        self,
        source: Callable[[], ChartData],
        themes: ThemeSwitch,
        parent: QWidget | None = None,
        turn: int = 0,
    ) -> None:
        super().__init__(parent)
        self._later_ms = turn * _TURN_MS
        self._source, self._themes = source, themes
        self._data = source()
        self._row: int | None = None
        self._is_stale = self._names_axis = True
        self.title_label = plain_label(self, 12, QFont.Weight.DemiBold)
        self.legend = ChartLegend(self)
        self.axis_label = plain_label(self, 11)
        self.axis_label.setObjectName("caption")
        self.plot = ChartPlot(self)
        self.table = ChartTable(self)
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(REFRESH_MS + self._later_ms)
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
        head.setSpacing(12)
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

    # ------------------------------------------------------------ display
    @property
    def data(self) -> ChartData:
        """Return what is on the screen."""
        return self._data

    def set_source(self, source: Callable[[], ChartData]) -> None:
        """Draw the return value of another source."""
        self._source = source
        self._row = None
        self._refresh_now_or_when_shown()

    def show_table(self, *, on: bool) -> None:
        """Show the numbers in a table, or the drawing."""
        self._stack.setCurrentWidget(self.table if on else self.plot)
        self.legend.setVisible(not on)  # the header of the table says both
        self.axis_label.setVisible(self._names_axis and not on)
        self._refresh_now_or_when_shown()

    def set_axis_named(self, *, on: bool) -> None:
        """Name the x axis, or leave that to the charts that have more room."""
        self._names_axis = on
        self.axis_label.setVisible(on)

    def csv_text(self) -> str:
        """Return what is on the screen as CSV."""
        return csv_text(self._data)

    @Slot()
    def refresh_soon(self) -> None:
        """Schedule a redraw, combined with further changes until then."""
        self._is_stale = True
        if self.isVisible() and not self.timer.isActive():
            self.timer.start()

    @Slot()
    def refresh(self) -> None:
        """Redraw now, or when a hidden view is shown."""
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
        self.timer.setInterval(max(REFRESH_MS, _BUSY_FACTOR * spent.elapsed()) + self._later_ms)
        self.drawn.emit()

    @Slot(float)
    def show_x(self, x: float) -> None:
        """Show the values at an x, for example that of another chart on the same axis."""
        self._show_row(self._data.nearest_row(x))

    @Slot()
    def show_last(self) -> None:
        """Show the last values again."""
        self._show_row(None)

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop the timer; pending changes are drawn when the view is shown again."""
        super().hideEvent(event)
        self.timer.stop()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what changed while the view was hidden."""
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
        """Return the position of a row and what happened there."""
        here = [mark.name for mark in self._data.marks_near(self._data.x[row])]
        return ", ".join([self._data.x_text(row), *dict.fromkeys(here)])

    def _say(self) -> None:
        data, tokens = self._data, self._themes.tokens
        row = self._row if self._row is not None and self._row < len(data.x) else None
        self.axis_label.setText(f"{data.x_name} →")
        has_place = row is not None and self._names_axis
        self.title_label.setText(self._place_text(row) if has_place and row is not None else data.title)
        shown = data.last_row() if row is None else row
        has_values = shown is not None and (row is not None or bool(data.places))
        entries = [
            LegendEntry(
                one.short or one.name,
                one.value_text(shown) if has_values and shown is not None else "",
                stroke,
                one.hint,
            )
            for one, stroke in zip(data.series, strokes_of(data.series, tokens), strict=True)
        ]
        entries += [LegendEntry(band.name, "", band_stroke(tokens)) for band in data.bands]
        self.legend.show_entries(entries)
        for twin in (self, self.plot):
            twin.setAccessibleName(data.title)
            twin.setAccessibleDescription(data.summary)
        self.plot.setCursor(
            Qt.CursorShape.PointingHandCursor
            if row is not None and data.places
            else Qt.CursorShape.ArrowCursor
        )


_ROW_PX = 24


_COLUMN_PX = 108


_Index = QModelIndex | QPersistentModelIndex


_ROOT = QModelIndex()


class ChartTableModel(QAbstractTableModel):
    """The rows of a ChartData; x in the first column, then a column for each series."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._data: ChartData | None = None

    def show_data(self, data: ChartData) -> None:
        """Show newer numbers; rows are inserted, so that the view does not scroll."""
        old = self._data
        if old is None or _columns(old) != _columns(data) or len(old.x) > len(data.x):
            self.beginResetModel()
            self._data = data
            self.endResetModel()
            return
        if len(data.x) > len(old.x):
            self.beginInsertRows(QModelIndex(), len(old.x), len(data.x) - 1)
            self._data = data
            self.endInsertRows()
        self._data = data
        if old.x:
            last = self.index(len(old.x) - 1, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def rowCount(self, parent: _Index = _ROOT) -> int:
        """Return the number of rows; rows have no children."""
        return 0 if self._data is None or parent.isValid() else len(self._data.x)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """Return the number of columns."""
        return 0 if self._data is None or parent.isValid() else 1 + len(self._data.series)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a value formatted for the screen."""
        if self._data is None or not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if index.column() == 0:
            return self._data.x_text(index.row())
        return self._data.series[index.column() - 1].value_text(index.row())

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Return the name of a column, with its meaning as the tooltip."""
        if self._data is None or orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._data.x_name if section == 0 else self._data.series[section - 1].name
        if role == Qt.ItemDataRole.ToolTipRole:
            return "" if section == 0 else self._data.series[section - 1].hint
        return None

    def place(self, row: int) -> int | None:
        """Return the number of words of the manuscript up to a row, or None if rows are not places."""
        if self._data is None or not self._data.places:
            return None
        return round(self._data.places[row])


class ChartTable(QTableView):
    """The table of one chart.

    Signals:
        place_chosen: a row was activated; the number of words of the manuscript up to it.
    """

    place_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = ChartTableModel(self)
        self.setModel(self._rows)
        self.setObjectName("chartTable")
        set_scaled_font(self, figures_font)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)  # Tab leaves the table
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        fit_rows(self, _ROW_PX)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setHighlightSections(False)
        follow(self, "columns", lambda it: it.horizontalHeader().setMinimumSectionSize(scaled(_COLUMN_PX)))
        self.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        )
        self.activated.connect(self._choose)

    def show_data(self, data: ChartData) -> None:
        """Show newer numbers."""
        self.setAccessibleName(self.tr("{0} as a table").format(data.title))
        self.setAccessibleDescription(data.summary)
        bar = self.verticalScrollBar()
        was_at_end = bar.value() == bar.maximum()
        self._rows.show_data(data)
        if was_at_end:  # keep the newest row visible, unless the writer has scrolled up
            self.scrollToBottom()

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        place = self._rows.place(index.row())
        if place is not None:
            self.place_chosen.emit(place)


def _columns(data: ChartData) -> tuple[str, ...]:
    return data.x_column, *(series.column for series in data.series)
