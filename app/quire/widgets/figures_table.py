"""The figures of two texts in a table, side by side."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from quire.models.compared_sides import Compared
from quire.models.take_texts import TakeTexts
from quire.theme.fonts import figures_font

_ROW_PX = 30


class FiguresTable(QTableWidget):
    """A row for each figure; a column for what it is called, and one for each text."""

    def __init__(self, texts: TakeTexts, parent: QWidget | None = None) -> None:
        super().__init__(0, 3, parent)
        self._texts = texts
        self.setObjectName("figuresTable")
        self.setAccessibleName(self.tr("Figures of both"))
        self.setFont(figures_font())
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(_ROW_PX)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setHighlightSections(False)

    def show_compared(self, compared: Compared) -> None:
        """Show the figures of two texts."""
        self.setHorizontalHeaderLabels([self.tr("Figure"), compared.left.name, compared.right.name])
        left, right = (self._texts.figures(side.figures) for side in compared.sides)
        self.setRowCount(len(left))
        for row, ((name, value, hint), (_, other, _)) in enumerate(zip(left, right, strict=True)):
            for column, text in enumerate((name, value, other)):
                item = QTableWidgetItem(text)
                item.setToolTip(hint)
                if column:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.setItem(row, column, item)
