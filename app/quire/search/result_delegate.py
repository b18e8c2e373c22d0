"""Draws a match in its line, and its replacement."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QSize
from PySide6.QtGui import QColor, QFont, QPainter, QPalette, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from quire.domain.manuscript.find_replace import Replacement
from quire.editor.utf16_positions import Utf16Positions
from quire.search.results_model import HIT
from quire.services.project.book_search import Hit
from quire.theme.colour_tokens import LIGHT, Tokens
from quire.theme.search_colours import found_colour

_LINES = 2
_PADDING_PX = 5
_BEFORE_CHARS = 26
"""Length of the line shown before a match, short enough that the match is always visible."""
_THIN_SPACE = "\u2009"

_Piece = tuple[str, QTextCharFormat]


class FoundDelegate(QStyledItemDelegate):
    """Highlights the match; with a template it is struck out and followed by its replacement."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.tokens: Tokens = LIGHT
        self.template: Replacement | None = None

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return a size of two lines."""
        if index.data(HIT) is None:
            return super().sizeHint(option, index) + QSize(0, 2 * _PADDING_PX)
        return QSize(0, _LINES * option.fontMetrics.lineSpacing() + 2 * _PADDING_PX)

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Give the check boxes a visible border: the style derives it from the window's colour, which may
        be dark.
        """
        super().initStyleOption(option, index)
        option.palette.setColor(QPalette.ColorRole.Window, QColor(self.tokens.soft_ink))

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Draw the background and check box as usual, and the line in segments."""
        hit = index.data(HIT)
        if not isinstance(hit, Hit):
            super().paint(painter, option, index)
            return
        drawn = QStyleOptionViewItem(option)
        self.initStyleOption(drawn, index)
        style = QApplication.style() if drawn.widget is None else drawn.widget.style()
        place = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, drawn, drawn.widget)
        drawn.text = ""
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, drawn, painter, drawn.widget)
        layout = self._laid_out(self._pieces(hit), drawn.font, place.width())
        painter.save()
        painter.setPen(QColor(self.tokens.ink))
        painter.setClipRect(place)
        layout.draw(painter, QPointF(place.left(), option.rect.top() + _PADDING_PX))
        painter.restore()

    def _pieces(self, hit: Hit) -> list[_Piece]:
        around = hit.context
        plain, found, new = QTextCharFormat(), QTextCharFormat(), QTextCharFormat()
        plain.setForeground(QColor(self.tokens.soft_ink))
        found.setForeground(QColor(self.tokens.ink))
        pieces = [(_end_of(around.before), plain), (around.found, found)]
        if self.template is None:
            found.setBackground(found_colour(self.tokens, self.tokens.desk))
        else:
            found.setFontStrikeOut(True)
            new.setForeground(QColor(self.tokens.accent))
            new.setFontWeight(QFont.Weight.DemiBold)
            words = " ".join(self.template.for_match(hit.match).split("\n"))
            pieces.append((f"{_THIN_SPACE}{words}", new))
        return [*pieces, (around.after, plain)]

    def _laid_out(self, pieces: list[_Piece], font: QFont, width: int) -> QTextLayout:
        text = "".join(piece for piece, _ in pieces)
        positions = Utf16Positions(text)
        layout = QTextLayout(text, font)
        layout.setTextOption(_wrapped())
        formats, start = [], 0
        for piece, look in pieces:
            end = start + len(piece)
            part = QTextLayout.FormatRange()
            part.start = positions.to_document(start)
            part.length = positions.to_document(end) - part.start
            part.format = look
            formats.append(part)
            start = end
        layout.setFormats(formats)
        layout.beginLayout()
        y = 0.0
        for _ in range(_LINES):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(max(width, 1))
            line.setPosition(QPointF(0, y))
            y += line.height()
        layout.endLayout()
        return layout


def _wrapped() -> QTextOption:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    return option


def _end_of(before: str) -> str:
    """Return the last words before a match."""
    if len(before) <= _BEFORE_CHARS:
        return before
    cut = before[-_BEFORE_CHARS:]
    return "…" + (cut.partition(" ")[2] or cut)
