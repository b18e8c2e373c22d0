"""Metrics with their names as a list in a narrow place."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QGridLayout,
    QHeaderView,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from quire.takes.compare_choices import Compared
from quire.takes.take_labels import FOR_RESEARCH, SHORT, TakeTexts
from quire.theme.fonts import figures_font
from quire.theme.text_size import follow, set_scaled_font, with_line
from quire.ui.labels import ElidedLabel, plain_label


class FigureRows(QFrame):
    """Shows a few metrics of a take."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Take metrics"))
        layout = QGridLayout(self)
        layout.setContentsMargins(8, 0, 8, 0)
        layout.setHorizontalSpacing(12)
        layout.setVerticalSpacing(1)
        layout.setColumnStretch(1, 1)
        self.names: list[QLabel] = []
        self.values: list[ElidedLabel] = []
        for row in range(len(SHORT)):
            name, value = plain_label(self, size_px=11), ElidedLabel(self)
            name.setObjectName("caption")
            set_scaled_font(value, figures_font, 11)
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            layout.addWidget(name, row, 0)
            layout.addWidget(value, row, 1)
            self.names.append(name)
            self.values.append(value)
        self.set_research(on=False)

    def set_research(self, *, on: bool) -> None:
        """Show or hide what only the research view has."""
        for place, *labels in zip(SHORT, self.names, self.values, strict=True):
            for label in labels:
                label.setVisible(on or place not in FOR_RESEARCH)

    def show_rows(self, figures: Sequence[tuple[str, str, str]]) -> None:
        """Show the metrics for which there is room, with name, value and explanation."""
        chosen = [figures[place] for place in SHORT]
        for name_label, value_label, (name, value, hint) in zip(self.names, self.values, chosen, strict=True):
            name_label.setText(name)
            name_label.setToolTip(hint)
            value_label.show_text(value)
            value_label.setAccessibleName(f"{name}: {value}")


_ROW_PX = 30


class FiguresTable(QTableWidget):
    """A row for each metric; a column for its name, and one for each text."""

    def __init__(self, texts: TakeTexts, parent: QWidget | None = None) -> None:
        super().__init__(0, 3, parent)
        self._texts = texts
        self._is_research = False
        self.setObjectName("figuresTable")
        self.setAccessibleName(self.tr("Metrics compared"))
        set_scaled_font(self, figures_font)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.verticalHeader().hide()
        # a model on a server is not reproducible, which must not be the part that is cut off
        follow(self, "rows", lambda it: it.verticalHeader().setMinimumSectionSize(with_line(_ROW_PX)))
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setHighlightSections(False)

    def set_research(self, *, on: bool) -> None:
        """Show or hide what only the research view has."""
        self._is_research = on
        for row in FOR_RESEARCH:
            self.setRowHidden(row, not on)

    def show_compared(self, compared: Compared) -> None:
        """Show the metrics of two texts."""
        self.setHorizontalHeaderLabels([self.tr("Metric"), compared.left.name, compared.right.name])
        left, right = (self._texts.figures(side.figures) for side in compared.sides)
        self.setRowCount(len(left))
        self.set_research(on=self._is_research)
        for row, ((name, value, hint), (_, other, _)) in enumerate(zip(left, right, strict=True)):
            for column, text in enumerate((name, value, other)):
                item = QTableWidgetItem(text)
                item.setToolTip(hint)
                if column:
                    item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
                self.setItem(row, column, item)
