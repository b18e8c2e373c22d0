"""The drawing of a chart: the only module that uses pyqtgraph, so that another library could replace it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
import pyqtgraph
from PySide6.QtCore import QEvent, QObject, QPointF, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleInterface, QColor, QKeyEvent, QMouseEvent, QPen, QPolygonF
from PySide6.QtWidgets import QAccessibleWidget, QGraphicsPolygonItem, QVBoxLayout, QWidget

from quire.charts.chart_data import (
    ChartData,
    ChartSeries,
    Figures,
    SeriesRole,
    ceiling,
    decimated,
    extreme_rows,
    highest,
    ticks,
    value_text,
)
from quire.charts.chart_style import LineStyle, band_stroke, mark_pen, strokes_of
from quire.theme.colour_tokens import LIGHT, Tokens
from quire.theme.fonts import figures_font
from quire.theme.text_size import scaled

# Skip pyqtgraph's exit handler: it would search every object of the process for remaining drawings.
pyqtgraph.setConfigOption("exitCleanup", False)

_LEFT_PX, _RIGHT_PX, _BOTTOM_PX = 56, 48, 24
"""Fixed, so that stacked charts align their x to the pixel."""
_TICK_GAP_PX = (90, 26)
_HEADROOM_PX = 8
"""Space above the highest value, so that the label of the topmost tick is not cut off."""
_BAR_WIDTH = 0.62
_BANDS, _GRID, _LAYERS, _MARKS, _CURVES, _CURSOR = -20, -15, -5, 10, 20, 50
"""The z order of drawn items; higher numbers are on top."""
_Array = np.ndarray[Any, np.dtype[np.float64]]
_KEY_STEPS = 100
_CLICK_PX = 4
"""A press that moves farther than this is not a click."""


class ChartPlot(QWidget):
    """Draws a ChartData.

    Signals:
        pointed: the row under the pointer or selected with the arrow keys.
        left: no row is selected now.
        chosen: a row was clicked, or Enter was pressed on it.
    """

    pointed = Signal(int)
    left = Signal()
    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tokens: Tokens = LIGHT
        self._data: ChartData | None = None
        self._items: list[Any] = []
        self._row: int | None = None
        self._pressed: QPointF | None = None
        self._plot: Any = pyqtgraph.PlotWidget(self)
        self.area: QWidget = self._plot.viewport()
        self._cursor: Any = pyqtgraph.InfiniteLine(angle=90, movable=False)
        self._cursor.setZValue(_CURSOR)
        self._set_up()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._plot)

    def _set_up(self) -> None:
        plot = self._plot
        for part in (plot, self.area):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        plot.setFrameShape(pyqtgraph.QtWidgets.QFrame.Shape.NoFrame)
        plot.setMouseEnabled(x=False, y=False)
        plot.setMenuEnabled(False)
        plot.hideButtons()
        plot.getViewBox().setDefaultPadding(0)
        plot.getViewBox().disableAutoRange()
        plot.addItem(self._cursor, ignoreBounds=True)
        self._cursor.hide()
        for side in ("left", "right", "bottom"):
            plot.showAxis(side)
        self._size_axes()
        self.area.installEventFilter(self)

    # ------------------------------------------------------------ display
    def set_tokens(self, tokens: Tokens) -> None:
        """Apply the colours of another theme, and the size of the text."""
        self._size_axes()
        self._tokens = tokens
        self._plot.setBackground(tokens.paper)
        self._cursor.setPen(QPen(QColor(tokens.soft_ink), 0))
        for side in ("left", "right", "bottom"):
            axis = self._plot.getAxis(side)
            axis.setPen(tokens.line)
            axis.setTickPen(tokens.line)
            axis.setTextPen(tokens.soft_ink)
        if self._data is not None:
            self.show_data(self._data)

    def show_data(self, data: ChartData) -> None:
        """Draw other data."""
        self._data = data
        for item in self._items:
            self._plot.getViewBox().removeItem(item)
        self._items.clear()
        lines = {
            series.column: decimated(data.x, series.y, self._columns)
            for series in data.series
            if series.role is not SeriesRole.LAYER
        }
        low, high = _y_range(data, lines)
        headroom = (high - low) * _HEADROOM_PX / max(self._plot_height, _HEADROOM_PX)
        self._plot.setRange(xRange=data.x_range, yRange=(low, high + headroom), padding=0)
        looks = list(zip(data.series, strokes_of(data.series, self._tokens), strict=True))
        self._draw_bands(data)
        self._draw_layers(data, [look for look in looks if look[0].role is SeriesRole.LAYER])
        for series, stroke in looks:
            if series.role is SeriesRole.BAR:
                self._draw_bars(*lines[series.column], stroke)
            elif series.role is not SeriesRole.LAYER:
                x, y = lines[series.column]
                self._draw_curve(x, np.array(y) * (high if series.role is SeriesRole.SHARE else 1.0), stroke)
        self._draw_marks(data)
        self._set_ticks(data, low, high)
        self._place_cursor()
        self._plot.scene().prepareForPaint()  # else it moves while it is painted, and is painted twice

    def show_cursor(self, row: int | None) -> None:
        """Draw the line at a row, or none."""
        self._row = row
        self._place_cursor()

    # ------------------------------------------------------------ drawing
    @property
    def _columns(self) -> int:
        """Return the number of columns of two pixels: with the lowest and highest of each, one point per
        pixel.
        """
        return max((self.width() - scaled(_LEFT_PX) - scaled(_RIGHT_PX)) // 2, 50)

    @property
    def _plot_height(self) -> int:
        return max(self.height() - scaled(_BOTTOM_PX), 50)

    def _size_axes(self) -> None:
        for side, size in (("left", _LEFT_PX), ("right", _RIGHT_PX), ("bottom", _BOTTOM_PX)):
            axis = self._plot.getAxis(side)
            axis.setStyle(tickFont=figures_font(11), tickLength=0, tickTextOffset=6)
            (axis.setHeight if side == "bottom" else axis.setWidth)(scaled(size))

    def _add(self, item: Any, depth: float) -> None:
        item.setZValue(depth)
        self._plot.getViewBox().addItem(item, ignoreBounds=True)
        self._items.append(item)

    def _draw_curve(self, x: Sequence[float], y: _Array, stroke: LineStyle) -> None:
        curve = pyqtgraph.PlotCurveItem(np.array(x), y, pen=stroke.pen, connect="finite", antialias=True)
        self._add(curve, _CURVES)

    def _draw_bars(self, x: Sequence[float], y: Sequence[float], stroke: LineStyle) -> None:
        bars = pyqtgraph.BarGraphItem(x=x, height=y, width=_BAR_WIDTH, pen=stroke.pen, brush=stroke.brush)
        self._add(bars, _CURVES)
        for at, height in zip(x, y, strict=True):
            text = value_text(height, Figures.SHARE)
            label = pyqtgraph.TextItem(text, color=self._tokens.ink, anchor=(0.5, 1.0))
            label.setFont(figures_font(11))
            label.setPos(at, height)
            self._add(label, _CURVES)

    def _draw_layers(self, data: ChartData, looks: Sequence[tuple[ChartSeries, LineStyle]]) -> None:
        """Draw each layer from zero to its top, the highest first, so that the others are on top of it."""
        if not looks:
            return
        outline = next((series for series in data.series if series.role is SeriesRole.LINE), looks[-1][0])
        rows = extreme_rows(data.x, outline.y, self._columns)
        x = np.array([data.x[row] for row in rows])
        tops = accumulate((np.array([layer.y[row] for row in rows]) for layer, _ in looks), np.add)
        for depth, (top, (_, stroke)) in enumerate(zip(tops, looks, strict=True)):
            for brush in (stroke.ground, stroke.brush):
                if brush is not None:
                    fill = pyqtgraph.PlotCurveItem(
                        x, top, pen=None, brush=brush, fillLevel=0.0, connect="finite"
                    )
                    self._add(fill, _LAYERS - depth)

    def _draw_bands(self, data: ChartData) -> None:
        stroke = band_stroke(self._tokens)
        for low, high in (edges for band in data.bands for edges in band.ranges):
            rows = [row for row in range(len(data.x)) if not math.isnan(low[row])]
            edge = [QPointF(data.x[row], low[row]) for row in rows]
            edge += [QPointF(data.x[row], high[row]) for row in reversed(rows)]
            area = QGraphicsPolygonItem(QPolygonF(edge))
            area.setPen(stroke.pen)
            area.setBrush(stroke.brush)
            self._add(area, _BANDS)

    def _draw_grid(self, x_range: tuple[float, float], heights: Sequence[float]) -> None:
        x, y = np.tile(x_range, len(heights)), np.repeat(np.array(heights), 2)
        pen = QPen(QColor(self._tokens.line), 0)
        self._add(pyqtgraph.PlotCurveItem(x, y, pen=pen, connect="pairs"), _GRID)

    def _draw_marks(self, data: ChartData) -> None:
        for mark in data.marks:
            line = pyqtgraph.InfiniteLine(mark.x, angle=90, pen=mark_pen(mark, self._tokens), movable=False)
            self._add(line, _MARKS)

    def _set_ticks(self, data: ChartData, low: float, high: float) -> None:
        across = max(2 * self._columns // _TICK_GAP_PX[0], 2)
        upwards = max(self._plot_height // _TICK_GAP_PX[1], 2)
        has_bars = any(series.role is SeriesRole.BAR for series in data.series)
        x = data.x if has_bars else ticks(*data.x_range, across, data.x_figures)
        figures = _axis_figures(data.series)
        left = ticks(low, high, upwards, figures) if _is_measured(data) else []
        self._label("bottom", [(value, value_text(value, data.x_figures)) for value in x])
        self._label("left", [(value, value_text(value, figures)) for value in left])
        self._draw_grid(data.x_range, left)
        has_share = any(series.role is SeriesRole.SHARE for series in data.series)
        shares = ticks(0.0, 1.0, upwards) if has_share else []
        self._label("right", [(share * high, value_text(share, Figures.SHARE)) for share in shares])

    def _label(self, side: str, labels: list[tuple[float, str]]) -> None:
        self._plot.getAxis(side).setTicks([labels, []])

    # ------------------------------------------------------------ pointer and keys
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the pointer; pyqtgraph's own dragging and zooming are disabled."""
        if isinstance(event, QMouseEvent):
            self._follow(event)
            return True
        if event.type() is QEvent.Type.Leave:
            self._leave()
        elif event.type() is QEvent.Type.Resize and self._data is not None:
            self.show_data(self._data)
        elif event.type() is QEvent.Type.Wheel:
            event.ignore()
            return True
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move along the chart with the arrow keys; Enter goes to the place."""
        rows = len(self._data.x) if self._data is not None else 0
        step = max(rows // _KEY_STEPS, 1)
        now = rows - 1 if self._row is None else self._row
        aims = {
            Qt.Key.Key_Left: now - step,
            Qt.Key.Key_Right: now + step,
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: rows - 1,
        }
        key = Qt.Key(event.key())
        if rows and key in aims:
            self._point_at(min(max(aims[key], 0), rows - 1))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._row is not None:
            self.chosen.emit(self._row)
        else:
            super().keyPressEvent(event)

    def _follow(self, event: QMouseEvent) -> None:
        if self._data is None:
            return
        at = event.position()
        x = self._plot.getViewBox().mapSceneToView(self._plot.mapToScene(at.toPoint())).x()
        left, right = self._data.x_range
        row = self._data.nearest_row(x) if left <= x <= right else None
        if event.type() is QEvent.Type.MouseButtonPress and event.button() is Qt.MouseButton.LeftButton:
            self._pressed = at
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        elif event.type() is QEvent.Type.MouseButtonRelease:
            if row is not None and self._pressed is not None and _is_near(at, self._pressed):
                self.chosen.emit(row)
            self._pressed = None
        elif row is None:
            self._leave()
        else:
            self._point_at(row)

    def _point_at(self, row: int) -> None:
        self.show_cursor(row)
        self.pointed.emit(row)

    def _leave(self) -> None:
        self.show_cursor(None)
        self.left.emit()

    def _place_cursor(self) -> None:
        if self._data is None or self._row is None or self._row >= len(self._data.x):
            self._cursor.hide()
            return
        self._cursor.setPos(self._data.x[self._row])
        self._cursor.show()


def _y_range(data: ChartData, lines: Mapping[str, tuple[list[float], list[float]]]) -> tuple[float, float]:
    """Return the visible part of y."""
    if data.y_range is not None:
        return data.y_range
    roles = (SeriesRole.LINE, SeriesRole.BAR, SeriesRole.OTHER)
    tops = [highest(lines[one.column][1]) for one in data.series if one.role in roles]
    return 0.0, ceiling(max(tops, default=0.0))


def _is_measured(data: ChartData) -> bool:
    """Return whether there is a value to read off the scale, or a scale that values do not make."""
    return data.y_range is not None or any(not math.isnan(value) for one in data.series for value in one.y)


def _axis_figures(series: Sequence[ChartSeries]) -> Figures:
    """Return the number format of the scale on the left."""
    return next(
        (one.figures for one in series if one.role in (SeriesRole.LINE, SeriesRole.BAR)), Figures.DECIMAL
    )


def _is_near(one: QPointF, other: QPointF) -> bool:
    return math.hypot(one.x() - other.x(), one.y() - other.y()) <= _CLICK_PX


def _accessible(_class_name: str, widget: QObject | None) -> QAccessibleInterface | None:
    """Tell screen readers that a plot is a chart; a plain widget is told as nothing at all."""
    return QAccessibleWidget(widget, QAccessible.Role.Chart) if isinstance(widget, ChartPlot) else None


QAccessible.installFactory(_accessible)
