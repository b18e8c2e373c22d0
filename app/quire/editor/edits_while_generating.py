"""What the writer may change while a draft grows at the end of the same text.

Everything up to the last finished paragraph can be edited, but not the paragraph that the model is writing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtGui import QKeyEvent, QKeySequence, QTextCursor, QTextDocument

_FORWARD = (
    QKeySequence.StandardKey.Delete,
    QKeySequence.StandardKey.DeleteEndOfWord,
    QKeySequence.StandardKey.DeleteEndOfLine,
    QKeySequence.StandardKey.DeleteCompleteLine,
)
_UTF16_BYTES = 2


@dataclass(frozen=True, slots=True)
class _Change:
    """A replacement of one text by another at a document position, as Qt counts."""

    place: int
    old: str
    new: str

    @property
    def undone(self) -> _Change:
        return _Change(self.place, self.new, self.old)

    def joined(self, after: _Change) -> _Change | None:
        """Return both changes merged if they are consecutive typing within a word."""
        typed_on = not after.old and after.place == self.place + _length(self.new)
        if typed_on and self.new and not self.new[-1].isspace() and "\u2029" not in after.new:
            return replace(self, new=self.new + after.new)
        return None


class EditsWhileGenerating:
    """Protects the paragraph that is being generated, and keeps the writer's changes for undo.

    The document's own undo is off meanwhile: it would remove the model's words batch by batch.
    """

    def __init__(self, document: QTextDocument) -> None:
        self._document = document
        self._known = b""
        self._done: list[_Change] = []
        self._undone: list[_Change] = []
        self._in_hand = False

    def begin(self) -> None:
        """Start recording changes."""
        self._known = self._text()
        self._done.clear()
        self._undone.clear()

    @property
    def generating_from(self) -> int:
        """Return the document position where the paragraph begins that the model is writing."""
        return self._document.lastBlock().position()

    def may_change(self, cursor: QTextCursor) -> bool:
        """Return whether the selection, or the caret, is before the paragraph that is being generated."""
        return max(cursor.anchor(), cursor.position()) < self.generating_from

    def refuses(self, event: QKeyEvent, caret: QTextCursor) -> bool:
        """Return whether a key would join the last finished paragraph with the one being generated."""
        if caret.hasSelection():
            return False
        forward = any(event.matches(key) for key in _FORWARD)
        reach = QTextCursor(caret)
        reach.movePosition(QTextCursor.MoveOperation.NextWord)
        return forward and reach.position() >= self.generating_from

    # ------------------------------------------------------------ undoing
    @property
    def can_undo(self) -> bool:
        """Return whether there is a change to undo."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Return whether there is a change to redo."""
        return bool(self._undone)

    def changed(self, place: int, removed: int, added: int) -> None:
        """Record a change by the writer, as reported by the document."""
        now = self._text()
        change = _Change(place, _slice(self._known, place, removed), _slice(now, place, added))
        self._known = now
        if self._in_hand or change.old == change.new:
            return
        self._undone.clear()
        joined = self._done[-1].joined(change) if self._done else None
        if joined is None:
            self._done.append(change)
        else:
            self._done[-1] = joined

    def grown(self) -> None:
        """Update the length after text was drafted."""
        self._known = self._text()

    def undo(self) -> QTextCursor | None:
        """Undo the last change and return its position, or None if there is none."""
        return self._move(self._done, self._undone)

    def redo(self) -> QTextCursor | None:
        """Redo the last undone change and return its position, or None if there is none."""
        return self._move(self._undone, self._done)

    def _move(self, source: list[_Change], target: list[_Change]) -> QTextCursor | None:
        if not source:
            return None
        change = source.pop().undone
        cursor = QTextCursor(self._document)
        cursor.setPosition(change.place)
        cursor.setPosition(change.place + _length(change.old), QTextCursor.MoveMode.KeepAnchor)
        self._in_hand = True
        try:
            _insert(cursor, change.new)
        finally:
            self._in_hand = False
        target.append(change)
        return cursor

    def _text(self) -> bytes:
        return self._document.toRawText().encode("utf-16-le", "surrogatepass")


def _insert(cursor: QTextCursor, text: str) -> None:
    """Insert a text unchanged; Qt would drop a byte order mark at its start."""
    place = cursor.selectionStart()
    cursor.insertText(f".{text}")
    end = cursor.position()
    cursor.setPosition(place)
    cursor.setPosition(place + 1, QTextCursor.MoveMode.KeepAnchor)
    cursor.removeSelectedText()
    cursor.setPosition(end - 1)


def _slice(text: bytes, place: int, length: int) -> str:
    start = _UTF16_BYTES * place
    return text[start : start + _UTF16_BYTES * length].decode("utf-16-le", "surrogatepass")


def _length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // _UTF16_BYTES
