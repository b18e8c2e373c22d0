"""A text with a gutter that shows the source of every line."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Slot
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QResizeEvent, QTextBlock, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from quire.domain.drafting.prompt_composition import PromptPart
from quire.editor.plain_text import to_document
from quire.editor.utf16_positions import Utf16Positions
from quire.steering.prompt_source_style import origin_brush, origin_name
from quire.theme.fonts import headline_font, interface_font
from quire.theme.text_size import follow, scaled, set_scaled_font
from quire.theme.theme_switch import ThemeSwitch

_TEXT_PX = 15
_NAME_PX = 12
_MARGIN_PX = 164
_BAR_PX = 7


class OriginMargin(QWidget):
    """The gutter beside the text, drawn by the text."""

    def __init__(self, text: OriginText) -> None:
        super().__init__(text)
        self._text = text

    def sizeHint(self) -> QSize:
        """Return the width of the names."""
        return QSize(scaled(_MARGIN_PX), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the gutter of the visible lines."""
        self._text.paint_margin(self, event.rect())


class OriginText(QPlainTextEdit):
    """Shows consecutive parts verbatim, with their sources in the gutter."""

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._parts: tuple[PromptPart, ...] = ()
        self._starts: list[int] = []
        self._named, self._named_to = -1, 0.0  # the part whose name was drawn last, and the name's lower edge
        self.setReadOnly(True)
        set_scaled_font(self, headline_font, _TEXT_PX)
        self.setUndoRedoEnabled(False)
        self.setAccessibleName(self.tr("Prompt preview"))
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._margin = OriginMargin(self)
        follow(self, "margin", lambda text: text.setViewportMargins(scaled(_MARGIN_PX), 0, 0, 0))
        self.updateRequest.connect(self._scroll_margin)
        themes.changed.connect(self._margin.update)

    @property
    def parts(self) -> tuple[PromptPart, ...]:
        """Return what is shown."""
        return self._parts

    def show_parts(self, parts: Sequence[PromptPart]) -> None:
        """Show these parts one after another."""
        self._parts = tuple(part for part in parts if part.text)
        whole = to_document("".join(part.text for part in self._parts))
        positions = Utf16Positions(whole)
        self._starts, place = [], 0
        for part in self._parts:
            self._starts.append(positions.to_document(place))
            place += len(to_document(part.text))
        self.setPlainText(whole)
        self._margin.update()

    def go_to(self, number: int) -> None:
        """Scroll the beginning of a part to the top."""
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        self.setTextCursor(cursor)  # from below, so that the part ends up at the top
        cursor.setPosition(self._starts[number])
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def part_at(self, position: int) -> int:
        """Return the number of the part at a position of the document."""
        return max(bisect_right(self._starts, position) - 1, 0)

    def paint_margin(self, margin: QWidget, area: QRect) -> None:
        """Draw a bar beside every visible line, and the name of each part at its first visible one."""
        painter = QPainter(margin)
        tokens = self._themes.tokens
        painter.fillRect(area, QColor(tokens.desk))
        block = self.firstVisibleBlock()
        self._named, self._named_to = -1, 0.0
        while block.isValid() and self._parts:
            box = self.blockBoundingGeometry(block).translated(self.contentOffset())
            if box.top() > area.bottom():
                break
            self._paint_block(painter, block, box)
            block = block.next()
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the gutter as high as the text."""
        super().resizeEvent(event)
        inside = self.contentsRect()
        self._margin.setGeometry(QRect(inside.left(), inside.top(), scaled(_MARGIN_PX), inside.height()))

    def _paint_block(self, painter: QPainter, block: QTextBlock, box: QRectF) -> None:
        """Draw the gutter of a paragraph, a segment for each part in it."""
        first = self.part_at(block.position())
        last = self.part_at(block.position() + max(block.length() - 1, 0))
        height = box.height() / (last - first + 1)
        tokens = self._themes.tokens
        for number in range(first, last + 1):
            part = self._parts[number]
            top = box.top() + (number - first) * height
            bar = QRectF(scaled(_MARGIN_PX) - _BAR_PX - 6, top, _BAR_PX, height)
            painter.fillRect(bar, origin_brush(part.origin, tokens))
            if number != self._named:
                self._named = number
                self._paint_name(painter, part, top)

    def _paint_name(self, painter: QPainter, part: PromptPart, top: float) -> None:
        """Draw the name of a part, below the previous one if they are close."""
        name = origin_name(part.origin)
        shown = f"{name}: {part.title}" if part.title else name
        painter.setFont(interface_font(_NAME_PX))
        painter.setPen(QColor(self._themes.tokens.soft_ink))
        metrics = QFontMetrics(painter.font())
        room = scaled(_MARGIN_PX) - _BAR_PX - 22
        line = QRectF(8, max(top, self._named_to, 2.0), room, metrics.height() + 4)
        elided = metrics.elidedText(shown, Qt.TextElideMode.ElideRight, room)
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, elided)
        self._named_to = line.bottom()

    @Slot(QRect, int)
    def _scroll_margin(self, area: QRect, by: int) -> None:
        self._margin.update()  # the name of the first part stays at the top while scrolling
