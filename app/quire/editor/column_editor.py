"""A text area that shows its text as one centred column."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QTextEdit, QWidget

from quire.editor.document import PAGE_MARGIN_PX
from quire.editor.plain_text import to_document, to_manuscript


class ColumnEdit(QTextEdit):
    """Plain text only; the space beside the column scrolls and takes clicks like the column itself.

    Signals:
        zoom_asked: steps to a larger (positive) or smaller text.
    """

    zoom_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptRichText(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._column_px = 0
        self._pressed_beside = False
        self._forwarding = False

    # ------------------------------------------------------------ clipboard
    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy plain text, including no-break spaces."""
        data = QMimeData()
        data.setText(to_manuscript(self.textCursor().selectedText()))
        return data

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Accept text; a dropped file is not text."""
        return source.hasFormat("text/plain") and not source.hasUrls()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste the clipboard's content as plain text."""
        if self.canInsertFromMimeData(source) and not self.isReadOnly():
            self.textCursor().insertText(to_document(source.text()))
            self.ensureCursorVisible()

    # ------------------------------------------------------------ events
    def event(self, event: QEvent) -> bool:
        """Let the empty space beside the column scroll and take clicks like the column itself."""
        if isinstance(event, QWheelEvent):
            return self.viewportEvent(event)
        if isinstance(event, QMouseEvent) and self._is_beside_column(event):
            self._forwarding = True
            try:
                return QApplication.sendEvent(self.viewport(), self._as_in_column(event))
            finally:
                self._forwarding = False
        return super().event(event)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Leave Tab to the text; Shift+Tab leads out of it."""
        return super().focusNextPrevChild(next) if next else QWidget.focusNextPrevChild(self, next)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll, or ask for another text size when Ctrl is held."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            turned = event.angleDelta().y()
            if turned:
                self.zoom_asked.emit(1 if turned > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)

    # ------------------------------------------------------------ inside
    def _is_beside_column(self, event: QMouseEvent) -> bool:
        """Return whether a mouse event is in the empty space, or continues a gesture that started there.

        Events that the column ignores (such as an unknown button) arrive here too, and must not be sent back.
        """
        if self._forwarding:
            return False
        beside = not self.viewport().geometry().contains(event.position().toPoint())
        if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
            self._pressed_beside = beside
        return beside or self._pressed_beside

    def _as_in_column(self, event: QMouseEvent) -> QMouseEvent:
        view = self.viewport()
        local = QPointF(view.mapFrom(self, event.position()))
        inside = QPointF(min(max(local.x(), 0.0), view.width() - 1.0), local.y())
        return QMouseEvent(
            event.type(), inside, event.globalPosition(), event.button(), event.buttons(), event.modifiers()
        )

    def _centre_column(self) -> None:
        page = self._column_px + 2 * math.ceil(PAGE_MARGIN_PX)
        left = max((self.width() - page) // 2, 0)
        right = max(left - self.verticalScrollBar().sizeHint().width(), 0)
        margins = self.viewportMargins()
        if (margins.left(), margins.right()) != (left, right):
            self.setViewportMargins(left, 0, right, 0)
