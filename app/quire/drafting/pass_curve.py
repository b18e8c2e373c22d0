"""A small curve of the tokens per pass over a book."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from quire.domain.drafting.pass_course import CoursePoint
from quire.system.number_text import number_text
from quire.theme.fonts import figures_font
from quire.theme.text_size import fit, scaled, set_scaled_font

_HEIGHT = 72
_MARGIN, _LABEL = 6.0, 40.0


class PassCurve(QWidget):
    """Draws a point for each thousand words, from 1 token per pass to the best stretch."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        fit(self.setFixedHeight, _HEIGHT)
        set_scaled_font(self, figures_font)
        self._points: tuple[CoursePoint, ...] = ()

    def show_points(self, points: Sequence[CoursePoint]) -> None:
        """Show the course of a book."""
        if tuple(points) == self._points:
            return
        self._points = tuple(points)
        values = ", ".join(number_text(point.tokens_per_pass, 2) for point in points)
        self.setAccessibleName(self.tr("Tokens per pass by thousand words"))
        self.setAccessibleDescription(values)
        self.setToolTip(values)
        self.update()

    def sizeHint(self) -> QSize:
        """Return a size at which the curve is readable."""
        return QSize(320, scaled(_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the curve, and what its highest and its lowest line mean."""
        del event
        if not self._points:
            return
        area = QRectF(self.rect()).adjusted(scaled(_LABEL), _MARGIN, -_MARGIN, -_MARGIN)
        top = max(1.1, *(point.tokens_per_pass for point in self._points))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
        for value, height in ((top, area.top()), (1.0, area.bottom())):
            label = QRectF(0, height - 10, scaled(_LABEL) - 6, 20)
            painter.drawText(
                label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, number_text(value, 2)
            )
            painter.drawLine(QPointF(area.left(), height), QPointF(area.right(), height))
        painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Highlight), 2.0))
        last = max(1, self._points[-1].words)
        line = [
            QPointF(
                area.left() + area.width() * point.words / last,
                area.bottom() - area.height() * max(0.0, point.tokens_per_pass - 1) / (top - 1),
            )
            for point in self._points
        ]
        painter.drawPolyline(QPolygonF(line))
        for place in line:
            painter.drawEllipse(place, 2.0, 2.0)
        painter.end()
