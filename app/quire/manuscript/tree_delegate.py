"""Paints a row of the manuscript tree: title, word count and status."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPalette, QPen
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from quire.domain.manuscript.title_headings import number_and_name
from quire.domain.manuscript.tree import Node, NodeKind, Status
from quire.domain.manuscript.word_counts import Words
from quire.manuscript.tree_model import TreeRole
from quire.system.number_text import number_text
from quire.theme.colour_tokens import LIGHT, Tokens
from quire.theme.fonts import figures_font
from quire.theme.text_size import with_line

_ROW_PX = 28
_WORDS_PX = 11
_MARK_PX = 9
_GAP_PX = 8
_RIGHT_PX = 10
_LEFT_PX, _TITLE_LEFT_PX = 12, 9
_BAR_PX = 3
_QUARTERS = {Status.NONE: 0, Status.OUTLINE: 0, Status.DRAFT: 2, Status.REVISED: 3, Status.DONE: 4}
"""How much of a status mark is filled."""


class TreeDelegate(QStyledItemDelegate):
    """Paints rows; titles are edited in place."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.set_tokens(LIGHT)

    def set_tokens(self, tokens: Tokens) -> None:
        """Apply the colours of a theme, and the size of the text."""
        self._tokens = tokens
        self._font = figures_font(_WORDS_PX)

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return a uniform row height."""
        return QSize(super().sizeHint(option, index).width(), with_line(_ROW_PX))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint a row; the title gets the space left of the other contents."""
        row = QStyleOptionViewItem(option)
        self.initStyleOption(row, index)
        node, words = index.data(TreeRole.NODE), index.data(TreeRole.WORDS)
        is_open, in_trash = bool(index.data(TreeRole.IS_OPEN)), bool(index.data(TreeRole.IN_TRASH))
        row.font.setWeight(row.font.Weight.DemiBold if is_open else row.font.Weight.Normal)
        row.fontMetrics = QFontMetrics(row.font)
        figure = self._figure(node, words)
        is_target = bool(index.data(TreeRole.IS_TARGET))
        num_marks = int(_has_mark(node)) + int(is_target)
        reserved = _RIGHT_PX + self._width(figure) + num_marks * (_MARK_PX + _GAP_PX)
        number, name = number_and_name(row.text) if isinstance(node, Node) else ("", row.text)
        room = row.rect.width() - reserved - _LEFT_PX - self._width(number)
        row.text = ""
        if in_trash or not isinstance(node, Node):
            row.palette.setColor(QPalette.ColorRole.Text, QColor(self._tokens.soft_ink))
        style = QApplication.style() if row.widget is None else row.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, row, painter, row.widget)
        painter.save()
        self._paint_title(painter, row, number, name, max(room, 0))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if is_open:
            self._paint_bar(painter, row.rect)
        right = row.rect.right() - _RIGHT_PX
        if isinstance(node, Node) and _has_mark(node):
            at = QPointF(right - _MARK_PX / 2, row.rect.center().y() + 1)
            paint_status(painter, at, node.status, self._tokens)
            right -= _MARK_PX + _GAP_PX
        if is_target:
            self._paint_target(painter, QPointF(right - _MARK_PX / 2, row.rect.center().y() + 1))
            right -= _MARK_PX + _GAP_PX
        painter.setFont(self._font)
        painter.setPen(QColor(self._tokens.soft_ink))
        area = QRect(row.rect.left(), row.rect.top(), right - row.rect.left(), row.rect.height())
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, figure)
        painter.restore()

    def createEditor(
        self, parent: QWidget, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QWidget:
        """Return a title field that fits into its row."""
        line = QLineEdit(parent)
        line.setAccessibleName(self.tr("Title"))
        line.setStyleSheet("QLineEdit { min-height: 0; padding: 1px 4px; border-radius: 4px; }")
        return line

    def _figure(self, node: object, words: object) -> str:
        if not isinstance(node, Node) or not isinstance(words, Words) or not words.total:
            return ""
        return number_text(words.total) if node.kind.in_manuscript else ""

    def _width(self, figure: str) -> int:
        return QFontMetrics(self._font).horizontalAdvance(figure) + _GAP_PX if figure else 0

    def _paint_title(
        self, painter: QPainter, row: QStyleOptionViewItem, number: str, name: str, room: int
    ) -> None:
        """Paint the number of a chapter small, and its name with all the room."""
        left, middle = Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignVCenter
        area = row.rect.adjusted(_TITLE_LEFT_PX, 0, 0, 0)
        painter.setFont(self._font)
        painter.setPen(QColor(self._tokens.soft_ink))
        painter.drawText(area.adjusted(0, 1, 0, 1), left | middle, number)
        painter.setFont(row.font)
        painter.setPen(row.palette.color(QPalette.ColorRole.Text))
        shown = row.fontMetrics.elidedText(name, Qt.TextElideMode.ElideRight, room)
        painter.drawText(area.adjusted(self._width(number), 0, 0, 0), left | middle, shown)

    def _paint_bar(self, painter: QPainter, area: QRect) -> None:
        bar = QRectF(area.left(), area.top() + 6, _BAR_PX, area.height() - 12)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._tokens.accent))
        painter.drawRoundedRect(bar, _BAR_PX / 2, _BAR_PX / 2)

    def _paint_target(self, painter: QPainter, centre: QPointF) -> None:
        """Paint the triangle of Continue on the text in which it writes."""
        half = _MARK_PX / 2
        corners = [QPointF(-half + 1, -half), QPointF(half, 0), QPointF(-half + 1, half)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._tokens.accent))
        painter.drawPolygon([centre + corner for corner in corners])


def paint_status(painter: QPainter, centre: QPointF, status: Status, tokens: Tokens) -> None:
    """Paint a circle that fills up; its shape shows the status independently of colour."""
    half = _MARK_PX / 2
    circle = QRectF(centre.x() - half, centre.y() - half, _MARK_PX, _MARK_PX)
    colour = QColor(tokens.accent if status is Status.DONE else tokens.soft_ink)
    painter.setPen(QPen(colour, 1.2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(circle)
    if quarters := _QUARTERS[status]:
        painter.setBrush(colour)
        painter.drawPie(circle, 90 * 16, -90 * 16 * quarters)


def _has_mark(node: object) -> bool:
    return isinstance(node, Node) and node.status is not Status.NONE and node.kind is not NodeKind.BOOK
