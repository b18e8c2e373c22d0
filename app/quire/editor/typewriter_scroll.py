"""Typewriter scrolling: the text moves, the current line stays at a fixed height."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QTextEdit

CARET_HEIGHT = 0.4
"""Position of the line with the caret, as a fraction of the view's height."""


class Typewriter(QObject):
    """Keeps the line with the caret at a fixed height while the writer uses the keyboard.

    It adds room below the text, so that the last line can be there too. The first lines move down from the
    top of the view.
    """

    def __init__(self, editor: QTextEdit) -> None:
        super().__init__(editor)
        self._editor = editor
        self._is_on = False
        self._bar = editor.verticalScrollBar()
        # emitted before the scroll bar limits its value to the new range, so that the view does not jump
        self._bar.rangeChanged.connect(self._make_room)

    @property
    def is_on(self) -> bool:
        """Return whether the line is kept in place."""
        return self._is_on

    def switch(self, *, on: bool) -> None:
        """Turn typewriter scrolling on or off."""
        if on != self._is_on:
            self._is_on = on
            self._bar.setMaximum(self._maximum())
            self.follow()

    def follow(self) -> None:
        """Scroll the line with the caret to its height."""
        if self._is_on and not self._editor.isReadOnly():
            self._bar.setValue(self._bar.value() + self._editor.cursorRect().top() - self._held_at)

    @Slot()
    def _make_room(self) -> None:
        if self._is_on and self._bar.maximum() != self._maximum():
            self._bar.setMaximum(self._maximum())

    def _maximum(self) -> int:
        """Return how far the view scrolls down: to the end, or until the last line is at its height."""
        document, view = self._editor.document(), self._editor.viewport().height()
        maximum = round(document.size().height()) - view
        last = document.lastBlock().layout()
        if self._is_on and last.lineCount():
            last_line = last.position().y() + last.lineAt(last.lineCount() - 1).y()
            maximum = max(maximum, round(last_line) - self._held_at)
        return max(maximum, 0)

    @property
    def _held_at(self) -> int:
        return round(CARET_HEIGHT * self._editor.viewport().height())
