"""The strip that is always visible: the speed of the run at a glance."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPolygonF,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from quire.charts.chart_data import ChartData, MarkKind, ceiling, decimated, highest
from quire.charts.chart_kinds import ChartKind
from quire.charts.chart_style import mark_pen, strokes_of
from quire.charts.run_charts import RunCharts
from quire.theme.theme_switch import ThemeSwitch

HEIGHT_PX = 28
REFRESH_MS = 250
_TOP_PX, _BOTTOM_PX = 3.0, 4.0
_COLUMN_PX = 3
_GAP_PX = 1.5
"""A pause has no words, so its gap is drawn this wide on either side."""


class PaceSparkline(QAbstractButton):
    """Speed, trend, pauses and marks of the whole run, drawn four times a second at most.

    Painted by hand: what is in the window from the start must not wait for a drawing library. A button, for
    a screen reader knows what that is; pressing it shows the charts.

    Signals:
        place_chosen: the number of words of the manuscript up to where the writer clicked.
        deck_asked: a double click or Enter.
    """

    place_chosen = Signal(int)
    deck_asked = Signal()

    def __init__(self, charts: RunCharts, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("paceSpark")
        self.setFixedHeight(HEIGHT_PX)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setMouseTracking(True)
        self._charts, self._themes = charts, themes
        self._data = charts.chart(ChartKind.PACE)
        self._lines: list[list[QPolygonF]] = []
        self._is_stale = True
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(REFRESH_MS)
        self.timer.timeout.connect(self._refresh)
        self.clicked.connect(self.deck_asked)
        charts.changed.connect(self._refresh_soon)
        themes.changed.connect(self.update)
        self._say()

    def sizeHint(self) -> QSize:
        """Return a width at which the curve is readable."""
        return QSize(320, HEIGHT_PX)

    def minimumSizeHint(self) -> QSize:
        """Return a small width, so that the strip shrinks with the window."""
        return QSize(80, HEIGHT_PX)

    @property
    def data(self) -> ChartData:
        """Return what is drawn."""
        return self._data

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop the timer; pending changes are drawn when the strip is shown again."""
        super().hideEvent(event)
        self.timer.stop()

    def showEvent(self, event: QShowEvent) -> None:
        """Draw what changed while the strip was hidden."""
        super().showEvent(event)
        if self._is_stale:
            self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the curve to another width."""
        super().resizeEvent(event)
        self._trace()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the speed and its marks, and a frame when the strip has the focus."""
        painter = QPainter(self)
        tokens = self._themes.tokens
        if self.hasFocus():
            painter.setPen(self.palette().color(QPalette.ColorRole.Accent))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.setPen(QPen(QColor(tokens.line), 1))
        painter.drawLine(
            QPointF(0, self.height() - _BOTTOM_PX), QPointF(self.width(), self.height() - _BOTTOM_PX)
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        strokes = strokes_of(self._data.series, tokens)
        # The expected range is drawn below the measured values.
        for stretches, stroke in reversed(list(zip(self._lines, strokes, strict=True))):
            painter.setPen(stroke.pen)
            for stretch in stretches:
                painter.drawPolyline(stretch)
        self._paint_marks(painter)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the speed under the pointer as a tooltip."""
        row = self._row_at(event.position().x())
        self.setToolTip("" if row is None else self._sentence_of(row))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Wait for the release: it is no press of the button, but a place."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Go to the place."""
        row = self._row_at(event.position().x())
        if event.button() is Qt.MouseButton.LeftButton and row is not None:
            self.place_chosen.emit(round(self._data.places[row]))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Request the charts."""
        self.deck_asked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Request the charts with Enter or the space bar."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.deck_asked.emit()
        else:
            super().keyPressEvent(event)

    @Slot()
    def _refresh_soon(self) -> None:
        self._is_stale = True
        if self.isVisible() and not self.timer.isActive():
            self.timer.start()

    @Slot()
    def _refresh(self) -> None:
        if not self.isVisible():
            return
        self._is_stale = False
        self._data = self._charts.chart(ChartKind.PACE)
        self._trace()
        self._say()
        self.update()

    def _say(self) -> None:
        self.setAccessibleName(self._data.title)
        self.setAccessibleDescription(self._data.summary)

    def _sentence_of(self, row: int) -> str:
        values = ", ".join(f"{series.name} {series.value_text(row)}" for series in self._data.series)
        return f"{self._data.x_text(row)}: {values}"

    def _row_at(self, pixel: float) -> int | None:
        low, high = self._data.x_range
        return self._data.nearest_row(low + (high - low) * pixel / max(self.width(), 1))

    def _pixel(self, x: float) -> float:
        low, high = self._data.x_range
        return self.width() * (x - low) / (high - low)

    def _trace(self) -> None:
        """Compute the lines that are painted until the numbers change."""
        columns = max(self.width() // _COLUMN_PX, 1)
        points = [decimated(self._data.x, series.y, columns) for series in self._data.series]
        top = ceiling(highest(points[0][1]))
        self._lines = [self._stretches(x, y, top) for x, y in points]

    def _stretches(self, x: Sequence[float], y: Sequence[float], top: float) -> list[QPolygonF]:
        """Return the lines between the gaps."""
        height = self.height() - _TOP_PX - _BOTTOM_PX
        lines = [QPolygonF()]
        for at, value in zip(x, y, strict=True):
            if math.isnan(value):
                lines.append(QPolygonF())
            else:
                share = min(value / top, 1.0)
                lines[-1].append(QPointF(self._pixel(at), _TOP_PX + height * (1 - share)))
        return [line for line in lines if not line.isEmpty()]

    def _paint_marks(self, painter: QPainter) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
        tokens = self._themes.tokens
        for mark in self._data.marks:
            at = self._pixel(mark.x)
            if mark.kind is MarkKind.PAUSE:
                gap = self.rect().adjusted(0, 1, 0, -1)
                gap.setLeft(round(at - _GAP_PX))
                gap.setRight(round(at + _GAP_PX))
                painter.fillRect(gap, self.palette().color(QPalette.ColorRole.Window))
            painter.setPen(mark_pen(mark, tokens))
            painter.drawLine(QPointF(at, 2), QPointF(at, self.height() - 2))
