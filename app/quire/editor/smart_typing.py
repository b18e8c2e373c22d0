"""Turns what the writer types into typographic marks, and takes that back when it was not meant."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QTextEdit

from quire.domain.manuscript.smart_punctuation import typed_ending
from quire.editor.utf16_positions import Utf16Positions

_LINE_BREAK = "\u2028"


@dataclass(frozen=True, slots=True)
class _Turned:
    """What was changed last: from where on, what stood there, what stands there, and where the caret is."""

    start: int
    typed: str
    text: str
    caret: int


class SmartTyping:
    """Looks at each character right after it was typed; pasted and drafted text it never sees.

    What it changes is a step of its own to undo. Backspace right behind it takes it back as well.
    """

    def __init__(self, editor: QTextEdit) -> None:
        self._editor = editor
        self._is_on = False
        self._language = "en"
        self._turned: _Turned | None = None

    def switch(self, *, on: bool) -> None:
        """Begin to change what is typed, or leave it alone."""
        self._is_on = on
        self._turned = None

    def set_language(self, language: str) -> None:
        """Take the marks of a language such as "en-GB"; one that is not known gets those of English."""
        self._language = language

    def take_back(self, event: QKeyEvent) -> bool:
        """Put back what was typed, if the key is a Backspace right behind what became of it.

        Any other key ends that; return whether it was done.
        """
        turned, self._turned = self._turned, None
        cursor = self._editor.textCursor()
        is_asked = event.key() == Qt.Key.Key_Backspace and not event.modifiers()
        if turned is None or not is_asked or cursor.hasSelection() or cursor.position() != turned.caret:
            return False
        cursor.setPosition(turned.start, QTextCursor.MoveMode.KeepAnchor)
        if cursor.selectedText() != turned.text or self._editor.isReadOnly():
            return False
        cursor.insertText(turned.typed)
        return True

    def follow(self, typed: str) -> None:
        """Change what one typed character makes of the words before it."""
        if not self._is_on or len(typed) != 1 or not typed.isprintable() or self._editor.isReadOnly():
            return
        cursor = self._editor.textCursor()
        block, caret = cursor.block(), cursor.position()
        text = block.text()
        positions = Utf16Positions(text)
        before = text[: positions.to_text(caret - block.position())]
        line_start = before.rfind(_LINE_BREAK) + 1
        ending = typed_ending(before[line_start:], self._language) if before.endswith(typed) else None
        if ending is None:
            return
        start = block.position() + positions.to_document(line_start + ending.start)
        self._replace(start, caret, ending.text)
        now = self._editor.textCursor().position()
        self._turned = _Turned(start, before[line_start + ending.start :], ending.text, now)

    def _replace(self, start: int, caret: int, text: str) -> None:
        cursor = QTextCursor(self._editor.document())
        cursor.setPosition(caret)
        cursor.beginEditBlock()
        # in this order undoing puts the caret back where it was, and what is typed next is another step
        cursor.insertText(text)
        cursor.setPosition(start)
        cursor.setPosition(caret, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        cursor.endEditBlock()
