"""Focus mode dims what is not written at: every paragraph but that of the caret and the drafted one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction, QColor, QTextBlock, QTextCharFormat

from quire.editor.manuscript_editor import ManuscriptEditor
from quire.editor.text_layers import Mark
from quire.theme.theme_switch import ThemeSwitch


class FocusDimming(QObject):
    """Dims paragraphs while focus mode is on; a MarkLayer."""

    def __init__(self, editor: ManuscriptEditor, focus: QAction, themes: ThemeSwitch) -> None:
        super().__init__(editor)
        self._editor, self._focus, self._themes = editor, focus, themes
        self._current = -1
        self._format = QTextCharFormat()
        focus.toggled.connect(self._switch)
        themes.changed.connect(self._dress)
        self._dress()

    def marks_of(self, block: QTextBlock) -> Sequence[Mark]:
        """Return one mark over a paragraph that is dimmed."""
        is_written = self._editor.is_drafting and not block.next().isValid()
        if block.blockNumber() == self._current or is_written or block.length() < 2:
            return ()
        return (Mark(0, block.length() - 1, self._format),)

    @Slot()
    def _switch(self) -> None:
        moved = self._editor.cursorPositionChanged
        if self._focus.isChecked():  # it may have been refused meanwhile
            self._current = self._editor.textCursor().blockNumber()
            self._editor.layers.add(self)
            moved.connect(self._follow)
        elif self._current >= 0:
            self._current = -1
            moved.disconnect(self._follow)
            self._editor.layers.remove(self)

    @Slot()
    def _follow(self) -> None:
        """Undim the paragraph that the caret moved to."""
        before, self._current = self._current, self._editor.textCursor().blockNumber()
        if before != self._current:
            document = self._editor.document()
            for number in (before, self._current):
                block = document.findBlockByNumber(number)
                if block.isValid():
                    self._editor.layers.refresh_block(block)

    @Slot()
    def _dress(self) -> None:
        self._format.setForeground(QColor(self._themes.tokens.faint_ink))
        if self._current >= 0:
            self._editor.layers.refresh(self)
