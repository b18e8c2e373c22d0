"""One of two texts that stand side by side."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextFormat
from PySide6.QtWidgets import QTextEdit, QWidget

from quire.editor.document import ManuscriptDocument
from quire.editor.positions import Positions
from quire.theme.fonts import reading_font

_TEXT_PX = 16


class ComparedColumn(QTextEdit):
    """Shows a text to be read, with stretches of it marked; places are in characters of the text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("compared")
        self.setTabChangesFocus(True)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self._manuscript = ManuscriptDocument(reading_font(_TEXT_PX), self)
        self._manuscript.setDocumentMargin(18)
        self.setDocument(self._manuscript)
        self._positions = Positions("")

    def show_text(self, text: str, name: str) -> None:
        """Show another text."""
        self.setAccessibleName(name)
        self.setExtraSelections([])
        self._positions = Positions(text)
        self._manuscript.replace_text(text)

    @property
    def caret(self) -> int:
        """Where the caret is."""
        return self._positions.to_text(self.textCursor().position())

    @property
    def third(self) -> int:
        """A third of the height, where one reads."""
        return self.viewport().height() // 3

    @property
    def place_read(self) -> int:
        """The place at a third of the height."""
        return self._positions.to_text(self.cursorForPosition(QPoint(0, self.third)).position())

    def put_caret(self, place: int) -> None:
        """Put the caret somewhere, and let the view stay."""
        bar = self.verticalScrollBar()
        before = bar.value()
        self.setTextCursor(self._cursor(place, place))
        bar.setValue(before)

    def show_at_third(self, place: int) -> None:
        """Scroll so that a place stands at a third of the height, as far as the text goes."""
        # a long text is laid out little by little; the bar must reach as far as the whole of it
        self._manuscript.documentLayout().blockBoundingRect(self._manuscript.lastBlock())
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + self.cursorRect(self._cursor(place, place)).top() - self.third)

    def mark(self, stretches: Sequence[tuple[int, int]], colour: str) -> None:
        """Underline stretches, on a colour."""
        marks = QTextCharFormat()
        marks.setBackground(QColor(colour))
        marks.setFontUnderline(True)  # never colour alone
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for start, end in stretches:
            self._over(cursor, start, end)
            cursor.setCharFormat(marks)
        cursor.endEditBlock()

    def point_out(self, stretch: tuple[int, int] | None, colour: str) -> None:
        """Point out one paragraph, or none."""
        if stretch is None:
            self.setExtraSelections([])
            return
        shown = QTextEdit.ExtraSelection()
        shown.cursor = self._cursor(*stretch)
        look = QTextCharFormat()
        look.setBackground(QColor(colour))
        look.setProperty(QTextFormat.Property.FullWidthSelection, True)
        shown.format = look
        self.setExtraSelections([shown])

    def _cursor(self, start: int, end: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        self._over(cursor, start, end)
        return cursor

    def _over(self, cursor: QTextCursor, start: int, end: int) -> None:
        cursor.setPosition(self._positions.to_document(start))
        cursor.setPosition(self._positions.to_document(end), QTextCursor.MoveMode.KeepAnchor)
