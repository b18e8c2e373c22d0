"""Marks the words that have comments, and keeps to them between two saves."""

from __future__ import annotations

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


class CommentLayer(QObject):
    """Holds where the comments on the open text are, in positions of the document."""

    def __init__(self, editor: ManuscriptEditor, tokens: Tokens, parent: QObject) -> None:
        super().__init__(parent)
        self._editor = editor
        self._places: dict[int, _Place] = {}
        self._active: int | None = None
        self._marked: tuple[int, ...] = ()
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
        if self._ranges != before:  # mostly the marks have followed the text already
            self._editor.layers.refresh(self)

    def begin(self, start: int, end: int) -> None:
        """Mark the words that a new comment is being written on, as document positions."""
        self._places[NEW] = self._placed(start, end)
        self._editor.layers.refresh(self)

    def end(self) -> None:
        """Remove the mark of the comment that was being written."""
        if self._places.pop(NEW, None) is not None:
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
        ranges = [(number, *self._places[number].range) for number in self._shown]
        found = [(end - start, number) for number, start, end in ranges if start <= position <= end > start]
        return min(found)[1] if found else None

    def marks_of(self, block: QTextBlock) -> Sequence[Mark]:
        """Return the marks in a block."""
        if not self._places:
            return ()
        first, length = block.position(), block.length() - 1
        marks = list[Mark]()
        for number in self._shown:
            start, end = self._places[number].range
            start, end = max(start - first, 0), min(end - first, length)
            if start < end:
                is_active = number in (NEW, self._active)
                marks.append(Mark(start, end - start, self._strong if is_active else self._calm))
        return marks

    # ------------------------------------------------------------ inside
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
