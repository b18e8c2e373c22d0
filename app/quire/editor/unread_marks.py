"""A dotted line beside text that the model has not read in its current wording."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTextBlock, QTextDocument

from quire.editor.drafted_text_marks import Area

_UNREAD = 1
_GAP_PX = 9.0
_WIDTH_PX = 2.0


class UnreadMarks:
    """Marks whole paragraphs; a mark moves along with its paragraph."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._is_on = False

    def switch(self, *, on: bool) -> None:
        """Start to mark changes, because a model has read the text; or stop and remove all marks."""
        self._is_on = on
        if not on:
            block = self._document.begin()
            while block.isValid():
                block.setUserState(-1)
                block = block.next()

    def changed(self, place: int, added: int) -> None:
        """Mark the paragraphs of a change."""
        if not self._is_on:
            return
        block = self._document.findBlock(place)
        while block.isValid() and block.position() <= place + added:
            block.setUserState(_UNREAD)
            block = block.next()

    @property
    def paragraphs(self) -> tuple[int, ...]:
        """Return the numbers of the marked paragraphs."""
        numbers = []
        block = self._document.begin()
        while block.isValid():
            if block.userState() == _UNREAD:
                numbers.append(block.blockNumber())
            block = block.next()
        return tuple(numbers)

    def paint(self, painter: QPainter, area: Area, first: QTextBlock, colour: QColor) -> None:
        """Draw the line beside visible paragraphs, starting at the first visible block."""
        pen = QPen(colour, _WIDTH_PX, Qt.PenStyle.DotLine)
        painter.setPen(pen)
        left = area.margin - _GAP_PX
        block = first
        while block.isValid():
            box = self._document.documentLayout().blockBoundingRect(block)
            if box.top() > area.bottom:
                break
            if block.userState() == _UNREAD:
                painter.drawLine(QPointF(left, box.top() + 3), QPointF(left, box.bottom() - 3))
            block = block.next()
