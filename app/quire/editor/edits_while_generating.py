"""What the writer may change while a draft grows at the end of the same text.

Everything up to the last finished paragraph can be edited, but not the paragraph that the model is writing.
"""

from __future__ import annotations

from PySide6.QtGui import QKeyEvent, QKeySequence, QTextCursor, QTextDocument

_FORWARD = (
    QKeySequence.StandardKey.Delete,
    QKeySequence.StandardKey.DeleteEndOfWord,
    QKeySequence.StandardKey.DeleteEndOfLine,
    QKeySequence.StandardKey.DeleteCompleteLine,
)


class EditsWhileGenerating:
    """Protects the paragraph that is being generated."""

    def __init__(self, document: QTextDocument) -> None:
        self._document = document

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
        if not reach.block().text():  # the gap goes with the paragraph below it
            reach.movePosition(QTextCursor.MoveOperation.NextBlock)
        return forward and reach.position() >= self.generating_from
