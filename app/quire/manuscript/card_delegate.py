"""Paints an index card: title, synopsis, status and words."""

from __future__ import annotations

from PySide6.QtCore import (
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QTextLayout
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QWidget

from quire.domain.manuscript.tree import Node, NodeKind, Status
from quire.domain.manuscript.word_counts import Words
from quire.manuscript.outline_view import SynopsisDelegate
from quire.manuscript.tree_delegate import paint_status
from quire.manuscript.tree_model import TreeRole
from quire.theme.colour_tokens import LIGHT, Tokens
from quire.theme.fonts import figures_font, interface_font
from quire.theme.text_size import INTERFACE_PX, scaled
from quire.ui.tree_labels import TreeLabels

HEIGHT_PX = 152
GAP_PX = 6
"""Around each card; the mark of a drop goes between two."""
_PADDING_PX, _TITLE_PX, _FOOT_PX = 12, 20, 18
_TITLE_LINES = 2
_SMALL_PX, _MARK_PX, _BAR_PX = 11, 16, 3
_RADIUS_PX = 6
_SELECTED_PX = 2.0
Index = QModelIndex | QPersistentModelIndex


class CardDelegate(SynopsisDelegate):
    """Paints cards; the synopsis is edited on the card."""

    def __init__(self, texts: TreeLabels, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._texts = texts
        self._width_px = 0
        self.set_tokens(LIGHT)

    def set_tokens(self, tokens: Tokens) -> None:
        """Apply the colours of a theme, and the size of the text."""
        self._tokens = tokens
        self._title = interface_font(INTERFACE_PX, QFont.Weight.DemiBold)
        self._body, self._small = interface_font(INTERFACE_PX - 1), figures_font(_SMALL_PX)
        self._title_px, self._foot_px = scaled(_TITLE_PX), scaled(_FOOT_PX)

    def set_width(self, width_px: int) -> None:
        """Set the width of a card with the gap around it."""
        self._width_px = width_px

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the uniform size of a card."""
        return QSize(self._width_px, scaled(HEIGHT_PX))

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        """Put the field where the synopsis is."""
        area = _inner(option.rect)
        node = index.data(TreeRole.NODE)
        lines = self._title_lines(node, area.width()) if isinstance(node, Node) else [""]
        editor.setGeometry(area.adjusted(-6, self._title_height(lines), 6, 6))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a card."""
        node = index.data(TreeRole.NODE)
        if not isinstance(node, Node):
            return
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_paper(painter, option.rect, node, is_selected=is_selected)
        if index.data(TreeRole.IS_OPEN):
            self._paint_bar(painter, option.rect)
        area = _inner(option.rect)
        lines = self._title_lines(node, area.width())
        painter.setPen(QColor(self._tokens.ink))
        self._paint_lines(painter, area.topLeft(), lines, self._title, self._title_px)
        room = area.adjusted(0, self._title_height(lines) + 2, 0, -self._foot_px - 4)
        self._paint_synopsis(painter, room, node.synopsis, invites=is_selected)
        foot = QRect(area.left(), area.bottom() - self._foot_px + 1, area.width(), self._foot_px)
        self._paint_foot(painter, foot, node, index.data(TreeRole.WORDS))
        painter.restore()

    # ------------------------------------------------------------ inside
    def _paint_paper(self, painter: QPainter, rect: QRect, node: Node, *, is_selected: bool) -> None:
        tokens = self._tokens
        width = _SELECTED_PX if is_selected else 1.0
        painter.setPen(QPen(QColor(tokens.accent if is_selected else tokens.edge), width))
        painter.setBrush(QColor(tokens.hover if node.kind is NodeKind.PART else tokens.raised))
        painter.drawRoundedRect(_card(rect), _RADIUS_PX, _RADIUS_PX)

    def _paint_bar(self, painter: QPainter, rect: QRect) -> None:
        """Mark the open text as the tree does."""
        card = _card(rect)
        bar = QRectF(card.left() + 3, card.top() + 10, _BAR_PX, card.height() - 20)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._tokens.accent))
        painter.drawRoundedRect(bar, _BAR_PX / 2, _BAR_PX / 2)

    def _title_lines(self, node: Node, width_px: int) -> list[str]:
        """Return the lines of a title: it is cut only where two are not enough."""
        room = QSize(width_px, _TITLE_LINES * QFontMetrics(self._title).lineSpacing())
        return _lines(str(self._texts.title(node)), self._title, room)

    def _title_height(self, lines: list[str]) -> int:
        return max(len(lines), 1) * self._title_px

    def _paint_lines(
        self, painter: QPainter, at: QPoint, lines: list[str], font: QFont, height_px: int
    ) -> None:
        painter.setFont(font)
        for number, line in enumerate(lines):
            baseline = at.y() + number * height_px + (height_px + QFontMetrics(font).capHeight()) // 2
            painter.drawText(at.x(), baseline, line)

    def _paint_synopsis(self, painter: QPainter, area: QRect, synopsis: str, *, invites: bool) -> None:
        painter.setPen(QColor(self._tokens.soft_ink))
        text = " ".join(synopsis.split())
        if not text and invites:
            text = self.tr("Press F2 to write a synopsis")
        height = QFontMetrics(self._body).lineSpacing()
        self._paint_lines(painter, area.topLeft(), _lines(text, self._body, area.size()), self._body, height)

    def _paint_foot(self, painter: QPainter, area: QRect, node: Node, words: object) -> None:
        """Paint kind and status on the left, the number of words on the right."""
        painter.setFont(self._small)
        painter.setPen(QColor(self._tokens.soft_ink))
        figure = self._texts.total(words) if isinstance(words, Words) else ""
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, right, figure)
        said = [self._texts.kind(node.kind)] if node.kind is not NodeKind.CHAPTER else []
        left = area.left()
        if node.status is not Status.NONE:
            said.append(self._texts.status(node.status))
            paint_status(
                painter, QPointF(left + _MARK_PX / 3, area.center().y() + 1), node.status, self._tokens
            )
            left += _MARK_PX
            painter.setPen(QColor(self._tokens.soft_ink))
        metrics = QFontMetrics(self._small)
        room = area.right() - left - metrics.horizontalAdvance(figure) - GAP_PX
        text = metrics.elidedText(" · ".join(said), Qt.TextElideMode.ElideRight, max(room, 0))
        place = QRect(left, area.top(), max(room, 0), area.height())
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)


def _card(rect: QRect) -> QRectF:
    """Return the card within its cell."""
    return QRectF(rect).adjusted(GAP_PX, GAP_PX, -GAP_PX, -GAP_PX)


def _inner(rect: QRect) -> QRect:
    """Return where a card is written on."""
    edge = GAP_PX + _PADDING_PX
    return rect.adjusted(edge, edge - 4, -edge, -edge + 4)


def _lines(text: str, font: QFont, room: QSize) -> list[str]:
    """Return as many lines of a text as fit; the last is shortened if there are more."""
    metrics = QFontMetrics(font)
    most = max(room.height() // metrics.lineSpacing(), 1)
    layout = QTextLayout(text, font)
    lines = list[str]()
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(room.width())
        start = line.textStart()
        if len(lines) == most - 1:
            lines.append(metrics.elidedText(text[start:], Qt.TextElideMode.ElideRight, room.width()))
            break
        lines.append(text[start : start + line.textLength()])
    layout.endLayout()
    return lines
