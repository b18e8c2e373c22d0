"""Typewriter mode: the paper moves, the line that is written stays at one height."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QTextEdit

CARET_HEIGHT = 0.4
"""Where the line with the caret stands, as a part of the view's height."""


class Typewriter(QObject):
    """Holds the line with the caret at a fixed height while the writer uses the keyboard.

    It makes room below the text, so that the last line can stand there as well. The first lines come down
    from the top of the view.
    """

    def __init__(self, editor: QTextEdit) -> None:
        super().__init__(editor)
        self._editor = editor
        self._is_on = False
        self._bar = editor.verticalScrollBar()
        # told before the bar confines its value to the new range: so what is in view does not jump
        self._bar.rangeChanged.connect(self._make_room)

    @property
    def is_on(self) -> bool:
        """Whether the line is held."""
        return self._is_on

    def switch(self, *, on: bool) -> None:
        """Begin or cease to hold the line."""
        if on != self._is_on:
            self._is_on = on
            self._bar.setMaximum(self._maximum())
            self.follow()

    def follow(self) -> None:
        """Bring the line with the caret to its height."""
        if self._is_on and not self._editor.isReadOnly():
            self._bar.setValue(self._bar.value() + self._editor.cursorRect().top() - self._held_at)

    @Slot()
    def _make_room(self) -> None:
        if self._is_on and self._bar.maximum() != self._maximum():
            self._bar.setMaximum(self._maximum())

    def _maximum(self) -> int:
        """Return how far down the view goes: to the end, or until the last line is at its height."""
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
