"""Where the writer is in a text: caret, selection and view, restored when the text is shown again."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QTextEdit


@dataclass(frozen=True, slots=True)
class ReadingPlace:
    """Document positions of the caret, and how far the view is scrolled."""

    anchor: int
    position: int
    scrolled_px: int

    @classmethod
    def of(cls, editor: QTextEdit) -> ReadingPlace:
        """Return where the writer is now."""
        caret = editor.textCursor()
        return cls(caret.anchor(), caret.position(), editor.verticalScrollBar().value())

    def show(self, editor: QTextEdit) -> None:
        """Go back there, as far as the text has it."""
        caret, last = editor.textCursor(), editor.document().characterCount() - 1
        caret.setPosition(min(self.anchor, last))
        caret.setPosition(min(self.position, last), QTextCursor.MoveMode.KeepAnchor)
        editor.setTextCursor(caret)
        editor.verticalScrollBar().setValue(self.scrolled_px)
