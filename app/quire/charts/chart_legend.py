"""The line above a chart: what is drawn how, and its value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from quire.charts.chart_style import LineStyle
from quire.theme.fonts import figures_font
from quire.ui.labels import plain_label

_TEXT_PX = 12


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One series or band; text: its value, empty where it has none."""

    name: str
    text: str
    stroke: LineStyle
    hint: str = ""


class ChartLegend(QWidget):
    """Samples, names and values in a row; what does not fit is cut off at the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: list[_Entry] = []
        # It must never make the window wider.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(18)
        self._row.addStretch(1)

    def show_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show other names or other values."""
        while len(self._entries) < len(entries):
            entry = _Entry(self)
            self._row.insertWidget(len(self._entries), entry)
            self._entries.append(entry)
        for place, widget in enumerate(self._entries):
            widget.setVisible(place < len(entries))
        for widget, shown in zip(self._entries, entries, strict=False):
            widget.show_entry(shown)
        self.setAccessibleName(", ".join(f"{entry.name} {entry.text}".strip() for entry in entries))

    def texts(self) -> list[str]:
        """Return what is written, entry by entry."""
        return [entry.label.text() for entry in self._entries if not entry.isHidden()]


class _Entry(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._sample = _LegendSwatch(self)
        self.label: QLabel = plain_label(self, _TEXT_PX)
        self.label.setFont(figures_font(_TEXT_PX))
        self.label.setObjectName("caption")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._sample)
        row.addWidget(self.label)

    def show_entry(self, entry: LegendEntry) -> None:
        self._sample.show_stroke(entry.stroke)
        self.label.setText(f"{entry.name}  {entry.text}" if entry.text else entry.name)
        self.setToolTip(entry.hint)


class _LegendSwatch(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._stroke: LineStyle | None = None
        self.setFixedSize(QSize(22, 12))

    def show_stroke(self, stroke: LineStyle) -> None:
        if stroke != self._stroke:
            self._stroke = stroke
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._stroke is None:
            return
        painter = QPainter(self)
        box = QRectF(0, 1, self.width(), self.height() - 2)
        if self._stroke.ground is not None:
            painter.fillRect(box, self._stroke.ground)
        painter.fillRect(box, self._stroke.brush)
        painter.setPen(self._stroke.pen)
        middle = self.height() // 2
        painter.drawLine(0, middle, self.width(), middle)
        painter.end()
