"""Turns what the writer types into typographic marks, and reverts that on Backspace."""

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
    """The last replacement.

    Attributes:
        start: where it begins.
        typed: the text before it.
        text: the text after it.
        caret: the position of the caret.
    """

    start: int
    typed: str
    text: str
    caret: int


class SmartTyping:
    """Handles each character right after it was typed, but not pasted or drafted text.

    Each replacement is an undo step of its own. Backspace right after it reverts it as well.
    """

    def __init__(self, editor: QTextEdit) -> None:
        self._editor = editor
        self._is_on = False
        self._language = "en"
        self._turned: _Turned | None = None

    def switch(self, *, on: bool) -> None:
        """Turn smart typing on or off."""
        self._is_on = on
        self._turned = None

    def set_language(self, language: str) -> None:
        """Set the language, such as "en-GB", whose marks are used; unknown languages use those of English."""
        self._language = language

    def take_back(self, event: QKeyEvent) -> bool:
        """Restore what was typed if the key is a Backspace right after a replacement.

        Any other key makes the replacement final. Return whether it was reverted.
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
        """Apply the replacements for one typed character."""
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
        # in this order undo puts the caret back in place, and further typing is a new step
        cursor.insertText(text)
        cursor.setPosition(start)
        cursor.setPosition(caret, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        cursor.endEditBlock()
