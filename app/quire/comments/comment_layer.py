"""Marks the words that have comments, and keeps to them between two saves."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QColor, QTextBlock, QTextCharFormat, QTextCursor

from quire.domain.manuscript.comments import Comment
from quire.editor.manuscript_editor import ManuscriptEditor
from quire.editor.text_layers import Mark
from quire.editor.utf16_positions import Utf16Positions
from quire.theme.colour_tokens import Tokens
from quire.theme.overlay_colours import blended, is_high_contrast

NEW = 0
"""Instead of its number: a comment that is being written."""
_WASH, _ACTIVE_WASH = 0.14, 0.34


@dataclass(frozen=True, slots=True)
class _Place:
    """The words of a comment; what is typed at either end of them is not among them."""

    start: QTextCursor
    end: QTextCursor

    @property
    def range(self) -> tuple[int, int]:
        return self.start.position(), max(self.start.position(), self.end.position())


@dataclass(frozen=True, slots=True)
class _Sorted:
    """Where all comments are that are shown, for a state of the document: every block is asked for its marks.

    Attributes:
        state: revision and length of the document.
        places: start, end and number in the order of the marks, the first start first.
        longest: characters.
    """

    state: tuple[int, int]
    places: list[tuple[int, int, int, int]]
    longest: int

    def within(self, first: int, last: int) -> list[tuple[int, int, int]]:
        """Return start, end and number of those that have characters from first to last, in their order."""
        low = bisect_left(self.places, (first - self.longest,))
        high = bisect_left(self.places, (last,), low)
        found = [
            (order, start, end, number) for start, end, order, number in self.places[low:high] if end > first
        ]
        return [(start, end, number) for _, start, end, number in sorted(found)]


class CommentLayer(QObject):
    """Holds where the comments on the open text are, in positions of the document."""

    def __init__(self, editor: ManuscriptEditor, tokens: Tokens, parent: QObject) -> None:
        super().__init__(parent)
        self._editor = editor
        self._places: dict[int, _Place] = {}
        self._active: int | None = None
        self._marked: tuple[int, ...] = ()
        self._sorted: _Sorted | None = None
        self._calm, self._strong = QTextCharFormat(), QTextCharFormat()
        self.set_tokens(tokens)
        editor.layers.add(self)

    # ------------------------------------------------------------ input
    def set_tokens(self, tokens: Tokens) -> None:
        """Apply the colours of another theme."""
        line = QTextCharFormat.UnderlineStyle
        for look, share in ((self._calm, _WASH), (self._strong, _ACTIVE_WASH)):
            look.setUnderlineStyle(line.DashUnderline if look is self._calm else line.SingleUnderline)
            look.setUnderlineColor(QColor(tokens.busy))
            if is_high_contrast(tokens):
                look.clearBackground()
            else:
                look.setBackground(blended(tokens.busy, tokens.paper, share))
        self._editor.layers.refresh(self)

    def show_comments(self, comments: Sequence[Comment], text: str) -> None:
        """Show comments on the text that is in the editor; one that is being written stays."""
        before = self._ranges
        positions, new = Utf16Positions(text), self._places.get(NEW)
        self._places = {
            one.comment_id: self._placed(positions.to_document(one.start), positions.to_document(one.end))
            for one in comments
            if one.end <= len(text)
        }
        if new is not None:
            self._places[NEW] = new
        self._marked = tuple(one.comment_id for one in comments if not one.resolved)
        self._sorted = None
        if self._ranges != before:  # mostly the marks have followed the text already
            self._editor.layers.refresh(self)

    def begin(self, start: int, end: int) -> None:
        """Mark the words that a new comment is being written on, as document positions."""
        self._places[NEW], self._sorted = self._placed(start, end), None
        self._editor.layers.refresh(self)

    def end(self) -> None:
        """Remove the mark of the comment that was being written."""
        if self._places.pop(NEW, None) is not None:
            self._sorted = None
            self._editor.layers.refresh(self)

    def activate(self, comment_id: int | None) -> None:
        """Emphasise the words of one comment."""
        if comment_id != self._active:
            self._active = comment_id
            self._editor.layers.refresh(self)

    # ------------------------------------------------------------ queries
    def range_of(self, comment_id: int) -> tuple[int, int] | None:
        """Return where the words of a comment are in the document."""
        place = self._places.get(comment_id)
        return None if place is None else place.range

    def comment_at(self, position: int) -> int | None:
        """Return the comment on the words around a position, the shortest of several."""
        around = self._in_order().within(position - 1, position + 1)
        found = [(end - start, number) for start, end, number in around if start <= position <= end > start]
        return min(found)[1] if found else None

    def marks_of(self, block: QTextBlock) -> Sequence[Mark]:
        """Return the marks in a block."""
        if not self._places:
            return ()
        first, length = block.position(), block.length() - 1
        marks = list[Mark]()
        for start, end, number in self._in_order().within(first, first + length):
            start, end = max(start - first, 0), min(end - first, length)
            if start < end:
                is_active = number in (NEW, self._active)
                marks.append(Mark(start, end - start, self._strong if is_active else self._calm))
        return marks

    # ------------------------------------------------------------ inside
    def _in_order(self) -> _Sorted:
        document = self._editor.document()
        state = (document.revision(), document.characterCount())
        if self._sorted is None or self._sorted.state != state:
            ranges = [(*place, order, number) for order, (number, place) in enumerate(self._ranges)]
            longest = max((end - start for start, end, _, _ in ranges), default=0)
            self._sorted = _Sorted(state, sorted(ranges), longest)
        return self._sorted

    @property
    def _ranges(self) -> list[tuple[int, tuple[int, int]]]:
        return [(number, self._places[number].range) for number in self._shown]

    @property
    def _shown(self) -> list[int]:
        return [number for number in (*self._marked, NEW) if number in self._places]

    def _placed(self, start: int, end: int) -> _Place:
        first, last = QTextCursor(self._editor.document()), QTextCursor(self._editor.document())
        most = self._editor.document().characterCount() - 1
        first.setPosition(min(start, most))
        last.setPosition(min(end, most))
        last.setKeepPositionOnInsert(True)
        return _Place(first, last)
