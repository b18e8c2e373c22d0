"""The document behind the manuscript."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QFont, QFontMetricsF, QTextBlockFormat, QTextCursor, QTextDocument

from quire.editor.plain_text import to_document, to_manuscript

LINE_HEIGHT_EM = 1.56
PAGE_MARGIN_PX = 44.0


class ManuscriptDocument(QTextDocument):
    """Plain text with a line height; it never loads external resources."""

    def __init__(self, font: QFont, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._line_height_em = LINE_HEIGHT_EM
        self.setUndoRedoEnabled(False)  # see TypingHistory
        self.setDocumentMargin(PAGE_MARGIN_PX)
        self.setDefaultFont(font)
        self.replace_text("")

    def loadResource(self, type: int, name: QUrl | str) -> Any:
        """Load nothing: a text from elsewhere must not open files or connections."""
        return None

    def text(self) -> str:
        """Return the manuscript, character for character."""
        return to_manuscript(self.toRawText())

    def replace_text(self, text: str) -> None:
        """Show another text."""
        cursor = QTextCursor(self)
        cursor.beginEditBlock()  # one change, so that the text is laid out only once
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        cursor.setBlockFormat(self._block_format())  # new paragraphs inherit it from the previous one
        cursor.insertText(to_document(text))
        cursor.endEditBlock()
        self.setModified(False)

    def set_right_to_left(self, *, is_right_to_left: bool) -> None:
        """Set the direction of all paragraphs; otherwise each has that of its first letters."""
        option = self.defaultTextOption()
        option.setTextDirection(
            Qt.LayoutDirection.RightToLeft if is_right_to_left else Qt.LayoutDirection.LayoutDirectionAuto
        )
        self.setDefaultTextOption(option)

    def set_line_height(self, line_height_em: float) -> None:
        """Set the line spacing in multiples of the font's height."""
        self._line_height_em = line_height_em
        wanted, cursor = self._block_format(), QTextCursor(self)
        if cursor.blockFormat() == wanted:
            return
        was_modified = self.isModified()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.setBlockFormat(wanted)
        self.setModified(was_modified)

    def append_text(self, text: str) -> None:
        """Append to the end as a single change."""
        cursor = QTextCursor(self)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        cursor.insertText(to_document(text))
        cursor.endEditBlock()

    def _block_format(self) -> QTextBlockFormat:
        lines = QTextBlockFormat()
        lines.setLineHeight(self._line_percent(), QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        return lines

    def _line_percent(self) -> float:
        """Return the line height as Qt expects it: as a percentage of the font's own, which differs by
        font.
        """
        font = self.defaultFont()
        return 100 * self._line_height_em * font.pixelSize() / QFontMetricsF(font).height()
