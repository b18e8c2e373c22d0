"""The styles of the series of a chart, and its legend: colour-blind safe, and never colour alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from quire.charts.chart_data import ChartMark, ChartSeries, MarkKind, SeriesRole
from quire.theme.colour_tokens import Tokens
from quire.theme.fonts import figures_font
from quire.theme.text_size import set_scaled_font
from quire.ui.labels import plain_label

_Line = Qt.PenStyle
_Fill = Qt.BrushStyle


@dataclass(frozen=True, slots=True)
class LineStyle:
    """The line and the fill of a series; either may be absent."""

    pen: QPen
    brush: QBrush
    ground: QColor | None = None
    """The background of a patterned brush."""


def strokes_of(series: Sequence[ChartSeries], tokens: Tokens) -> tuple[LineStyle, ...]:
    """Return the style of each series: within a role they differ in colour and line style."""
    looks = {
        SeriesRole.LINE: _lines(tokens),
        SeriesRole.EXPECTED: [_line(tokens.soft_ink, _Line.DashLine)],
        SeriesRole.OTHER: [_line(tokens.ink, _Line.DashDotLine)],
        SeriesRole.LAYER: _layers(tokens),
        SeriesRole.SHARE: [_line(tokens.alarm, _Line.DashLine), _line(tokens.rest, _Line.DotLine)],
        SeriesRole.BAR: [_filled(mixed(tokens.accent, tokens.paper, 0.6), _Fill.SolidPattern)],
    }
    if any(one.role is SeriesRole.LAYER for one in series):
        looks[SeriesRole.LINE] = [_line(tokens.ink, _Line.SolidLine)]  # the outline of the stack
    used = dict.fromkeys(SeriesRole, 0)
    strokes: list[LineStyle] = []
    for one in series:
        choice = looks[one.role]
        strokes.append(choice[used[one.role] % len(choice)])
        used[one.role] += 1
    return tuple(strokes)


def band_stroke(tokens: Tokens) -> LineStyle:
    """Return the style of a band: a light fill with edges."""
    return LineStyle(
        _pen(mixed(tokens.rest, tokens.paper, 0.5), _Line.DotLine),
        QBrush(mixed(tokens.rest, tokens.paper, 0.18)),
    )


def mark_pen(mark: ChartMark, tokens: Tokens) -> QPen:
    """Return the line of a mark."""
    styles = {
        MarkKind.PAUSE: (tokens.rest, _Line.DashLine),
        MarkKind.ALARM: (tokens.alarm, _Line.SolidLine),
    }
    return _pen(QColor(styles[mark.kind][0]), styles[mark.kind][1])


def mixed(colour: str, ground: str, share: float) -> QColor:
    """Return a colour mixed with its background; share: how much of the colour."""
    front, back = QColor(colour), QColor(ground)
    return QColor.fromRgbF(
        front.redF() * share + back.redF() * (1 - share),
        front.greenF() * share + back.greenF() * (1 - share),
        front.blueF() * share + back.blueF() * (1 - share),
    )


def _lines(tokens: Tokens) -> list[LineStyle]:
    return [
        _line(tokens.accent, _Line.SolidLine),
        _line(tokens.busy, _Line.DashDotLine),
        _line(tokens.rest, _Line.DotLine),
        _line(tokens.live, _Line.DashDotDotLine),
        LineStyle(_long_dashes(tokens.soft_ink), QBrush(_Fill.NoBrush)),
    ]


def _layers(tokens: Tokens) -> list[LineStyle]:
    return [
        _filled(mixed(tokens.rest, tokens.paper, 0.55), _Fill.SolidPattern),
        _filled(mixed(tokens.accent, tokens.paper, 0.3), _Fill.SolidPattern),
        LineStyle(
            QPen(_Line.NoPen),
            QBrush(mixed(tokens.busy, tokens.paper, 0.75), _Fill.BDiagPattern),
            mixed(tokens.busy, tokens.paper, 0.2),
        ),
    ]


def _long_dashes(colour: str) -> QPen:
    """Return a line style that Qt does not provide."""
    pen = _pen(QColor(colour), _Line.SolidLine)
    pen.setDashPattern([12.0, 5.0])
    return pen


def _line(colour: str, style: Qt.PenStyle) -> LineStyle:
    return LineStyle(_pen(QColor(colour), style), QBrush(_Fill.NoBrush))


def _filled(colour: QColor, pattern: Qt.BrushStyle) -> LineStyle:
    return LineStyle(QPen(_Line.NoPen), QBrush(colour, pattern))


def _pen(colour: QColor, style: Qt.PenStyle) -> QPen:
    pen = QPen(colour, 1.0, style)  # a wider one takes five times as long to draw
    pen.setCosmetic(True)
    return pen


_TEXT_PX = 12


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One series or band of the legend.

    Attributes:
        name: its name.
        text: its value, or empty.
        stroke: its style.
        hint: its meaning.
    """

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
        self._row.setSpacing(12)
        self._row.addStretch(1)

    def show_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show other names or values."""
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
        """Return the texts, entry by entry."""
        return [entry.label.text() for entry in self._entries if not entry.isHidden()]


class _Entry(QWidget):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._sample = _LegendSwatch(self)
        self.label: QLabel = plain_label(self, _TEXT_PX)
        set_scaled_font(self.label, figures_font, _TEXT_PX)
        self.label.setObjectName("caption")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(5)
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
        self.setFixedSize(QSize(17, 12))

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
