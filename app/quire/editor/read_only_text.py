"""A text to be read and copied from, beside another one."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from quire.domain.manuscript.provenance import change_between
from quire.editor.document import ManuscriptDocument
from quire.editor.plain_text import to_document
from quire.editor.utf16_positions import Utf16Positions
from quire.theme.fonts import reading_font

TEXT_PX = 16
_MARGIN_PX = 18


class ReadOnlyText(QTextEdit):
    """Shows a text in the font of the manuscript; nothing in it can be changed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self._manuscript = ManuscriptDocument(reading_font(TEXT_PX), self)
        self._manuscript.setDocumentMargin(_MARGIN_PX)
        self.setDocument(self._manuscript)
        self._text = ""

    def changeEvent(self, event: QEvent) -> None:
        """Keep the font of the text when that of the interface changes."""
        if event.type() is not QEvent.Type.FontChange:
            super().changeEvent(event)

    @property
    def text(self) -> str:
        """Return the text that is shown."""
        return self._text

    def show_text(self, text: str, name: str) -> None:
        """Show another text from its beginning; name: what a screen reader calls it."""
        self.setAccessibleName(name)
        self.setExtraSelections([])
        self._text = text
        self._manuscript.replace_text(text)

    def go_to(self, place: int) -> None:
        """Show a place of the text at the top, as far as the text reaches below it."""
        caret = QTextCursor(self._manuscript)
        caret.setPosition(Utf16Positions(self._text).to_document(place))
        # a long text is laid out gradually; the bar must cover all of it
        self._manuscript.documentLayout().blockBoundingRect(self._manuscript.lastBlock())
        self.setTextCursor(caret)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(caret).top() - _MARGIN_PX)

    def update_text(self, text: str) -> None:
        """Show the same text after a change; what is being read stays in its place."""
        before, self._text = self._text, text
        if text == before:
            return
        start, removed, inserted = change_between(before, text)
        places = Utf16Positions(before)
        cursor = QTextCursor(self._manuscript)
        cursor.setPosition(places.to_document(start))
        cursor.setPosition(places.to_document(start + removed), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(to_document(text[start : start + inserted]))
