"""What was drafted, and the subtle marks beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QTextBlock, QTextCursor, QTextDocument

_BAR_PX = 3.0
_BAR_GAP_PX = 22.0
_WASH_GAP_PX = 14.0


@dataclass(frozen=True, slots=True)
class Area:
    """The part of the document that is being painted.

    Attributes:
        top: y of its top edge.
        bottom: y of its bottom edge.
        width: its width.
        margin: the margin of the text.
    """

    top: float
    bottom: float
    width: float
    margin: float


class DraftedMarks:
    """The ranges of text written by the model; they move along when the writer edits around them."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._stretches: list[tuple[QTextCursor, QTextCursor]] = []

    def clear(self) -> None:
        """Forget all ranges."""
        self._stretches.clear()

    def begin(self, start_at: int | None = None) -> None:
        """Start a new range that grows at the end of the document.

        Args:
            start_at: where it begins; None: at the end.
        """
        start, end = QTextCursor(self._document), QTextCursor(self._document)
        end.movePosition(QTextCursor.MoveOperation.End)
        start.setPosition(end.position() if start_at is None else start_at)
        start.setKeepPositionOnInsert(True)
        self._stretches.append((start, end))

    def show(self, ranges: Iterable[tuple[int, int]]) -> None:
        """Mark ranges in place of the current ones."""
        self._stretches.clear()
        for first, last in ranges:
            start, end = QTextCursor(self._document), QTextCursor(self._document)
            start.setPosition(first)
            end.setPosition(last)
            for cursor in (start, end):
                cursor.setKeepPositionOnInsert(True)
            self._stretches.append((start, end))

    def finish(self) -> None:
        """Close the growing range: what is added after it is the writer's."""
        if self._stretches:
            self._stretches[-1][1].setKeepPositionOnInsert(True)
        self._stretches = [
            (start, end) for start, end in self._stretches if start.position() < end.position()
        ]

    def ranges(self) -> tuple[tuple[int, int], ...]:
        """Return the ranges as document positions."""
        return tuple((start.position(), end.position()) for start, end in self._stretches)

    def _first_word(self, start: int, end: int) -> int:
        """Return where the words of a range begin: the line breaks before them follow the writer's line."""
        while start < end and self._document.characterAt(start).isspace():
            start += 1
        return start

    def paint(self, painter: QPainter, area: Area, first: QTextBlock, wash: QColor, mark: QColor) -> None:
        """Draw a background and a bar beside the visible ranges, starting at the first visible block."""
        for start, end in self.ranges():
            reach = _vertical_reach(first, self._first_word(start, end), end, area.bottom)
            if reach is None:
                continue
            top, bottom = reach
            left = area.margin - _WASH_GAP_PX
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(wash)
            painter.drawRoundedRect(QRectF(left, top - 2, area.width - 2 * left, bottom - top + 6), 4, 4)
            painter.setBrush(mark)
            bar = QRectF(area.margin - _BAR_GAP_PX, top + 4, _BAR_PX, max(bottom - top - 8, _BAR_PX))
            painter.drawRoundedRect(bar, _BAR_PX / 2, _BAR_PX / 2)


def _vertical_reach(first: QTextBlock, start: int, end: int, stop_at: float) -> tuple[float, float] | None:
    """Return top and bottom of the lines from start to end, measured from the top of the block `first`."""
    top: float | None = None
    bottom = 0.0
    block = first
    while block.isValid() and block.position() < end:
        y = block.layout().position().y()
        if y > stop_at:
            break
        if start < block.position() + block.length():
            top_line, bottom_line = _lines(block, start, end)
            if top is None:
                top = y + top_line
            bottom = y + bottom_line
        block = block.next()
    return None if top is None or bottom <= top else (top, bottom)


def _lines(block: QTextBlock, start: int, end: int) -> tuple[float, float]:
    """Return top and bottom of the lines of a block within a range, measured from the block's top."""
    layout = block.layout()
    if layout.lineCount() == 0:
        return 0.0, 0.0
    last_position = block.length() - 1
    first_line = layout.lineForTextPosition(min(max(start - block.position(), 0), last_position))
    last_line = layout.lineForTextPosition(min(end - block.position(), last_position))
    return first_line.rect().top(), last_line.rect().bottom()
