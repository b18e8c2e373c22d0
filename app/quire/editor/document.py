"""The document behind the manuscript."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QFont, QFontMetricsF, QTextBlockFormat, QTextCursor, QTextDocument

from quire.editor.plain_text import to_document, to_manuscript

LINE_HEIGHT_EM = 1.56
PAGE_MARGIN_PX = 44.0


class ManuscriptDocument(QTextDocument):
    """Plain text with a line height; it never loads anything from anywhere."""

    def __init__(self, font: QFont, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setDocumentMargin(PAGE_MARGIN_PX)
        self.setDefaultFont(font)
        self.replace_text("")

    def loadResource(self, type: int, name: QUrl | str) -> Any:
        """Load nothing: a text that came from elsewhere must not open files or connections."""
        return None

    def text(self) -> str:
        """Return the manuscript, character for character."""
        return to_manuscript(self.toRawText())

    def replace_text(self, text: str) -> None:
        """Show another text; nothing of the one before can be undone."""
        self.setUndoRedoEnabled(False)
        self.setPlainText(to_document(text))
        lines = QTextBlockFormat()
        lines.setLineHeight(self._line_percent(), QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor = QTextCursor(self)
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.mergeBlockFormat(lines)  # paragraphs typed or drafted later take it over from their neighbour
        self.setUndoRedoEnabled(True)
        self.setModified(False)

    def _line_percent(self) -> float:
        """Return the line height as Qt wants it: in per cent of the font's own, which differs by font."""
        font = self.defaultFont()
        return 100 * LINE_HEIGHT_EM * font.pixelSize() / QFontMetricsF(font).height()

    def append_text(self, text: str) -> None:
        """Write at the very end, as one change."""
        cursor = QTextCursor(self)
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        cursor.insertText(to_document(text))
        cursor.endEditBlock()

    def end_position(self) -> int:
        """Return the position after the last character, as Qt counts (UTF-16)."""
        return self.characterCount() - 1
