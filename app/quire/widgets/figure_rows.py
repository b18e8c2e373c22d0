"""Figures with their names, one below the other, in a narrow place."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QWidget

from quire.models.take_texts import SHORT
from quire.theme.fonts import figures_font
from quire.widgets.labels import ElidedLabel, plain_label


class FigureRows(QFrame):
    """Shows a few figures of a take."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Figures of the take"))
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
            value.setFont(figures_font(11))
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            layout.addWidget(name, row, 0)
            layout.addWidget(value, row, 1)
            self.names.append(name)
            self.values.append(value)

    def show_rows(self, figures: Sequence[tuple[str, str, str]]) -> None:
        """Show of all figures those that have room: what each is called, what it is, what that means."""
        chosen = [figures[place] for place in SHORT]
        for name_label, value_label, (name, value, hint) in zip(self.names, self.values, chosen, strict=True):
            name_label.setText(name)
            name_label.setToolTip(hint)
            value_label.show_text(value)
            value_label.setAccessibleName(f"{name}: {value}")
