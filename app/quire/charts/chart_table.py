"""The table twin of a chart: the same numbers, to be read and copied."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from quire.charts.chart_data import ChartData
from quire.theme.fonts import figures_font

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
        """Take newer numbers; rows that were added appear without moving what is being read."""
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
        """Return the number of rows; a row has none below it."""
        return 0 if self._data is None or parent.isValid() else len(self._data.x)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        """Return the number of columns."""
        return 0 if self._data is None or parent.isValid() else 1 + len(self._data.series)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a value as the screen writes it."""
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
        """Return the name of a column, and what it means as its tooltip."""
        if self._data is None or orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._data.x_name if section == 0 else self._data.series[section - 1].name
        if role == Qt.ItemDataRole.ToolTipRole:
            return "" if section == 0 else self._data.series[section - 1].hint
        return None

    def place(self, row: int) -> int | None:
        """Return the words of the manuscript up to a row; None where rows are no places."""
        if self._data is None or not self._data.places:
            return None
        return round(self._data.places[row])


class ChartTable(QTableView):
    """The table of one chart. place_chosen: a row was activated, words of the manuscript up to it."""

    place_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = ChartTableModel(self)
        self.setModel(self._rows)
        self.setObjectName("chartTable")
        self.setFont(figures_font())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setTabKeyNavigation(False)  # Tab leaves the table
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(_ROW_PX)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setMinimumSectionSize(_COLUMN_PX)
        self.horizontalHeader().setDefaultAlignment(
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        )
        self.activated.connect(self._choose)

    def show_data(self, data: ChartData) -> None:
        """Take newer numbers."""
        self.setAccessibleName(self.tr("{0} as a table").format(data.title))
        self.setAccessibleDescription(data.summary)
        bar = self.verticalScrollBar()
        was_at_end = bar.value() == bar.maximum()
        self._rows.show_data(data)
        if was_at_end:  # the newest stays in sight, unless the writer reads farther up
            self.scrollToBottom()

    @Slot(QModelIndex)
    def _choose(self, index: QModelIndex) -> None:
        place = self._rows.place(index.row())
        if place is not None:
            self.place_chosen.emit(place)


def _columns(data: ChartData) -> tuple[str, ...]:
    return data.x_column, *(series.column for series in data.series)
