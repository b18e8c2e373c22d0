"""The table of passages in the lists about repetition."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from quire.theme.fonts import figures_font
from quire.theme.text_size import fit_rows, set_scaled_font

_ROW_PX = 30


def passage_view(rows: QAbstractTableModel, parent: QWidget) -> QTableView:
    """Return a view of passages in the first column and figures in the others; rows are selected one at a
    time."""
    table = QTableView(parent)
    table.setObjectName("echoTable")
    table.setModel(rows)
    set_scaled_font(table, figures_font)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.verticalHeader().hide()
    fit_rows(table, _ROW_PX)
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
    for column in range(1, rows.columnCount()):
        header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
    return table
