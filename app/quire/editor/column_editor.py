"""A text area that shows its text as one centred column."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QMimeData, QPointF, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication, QMouseEvent, QTextCursor, QWheelEvent
from PySide6.QtWidgets import QApplication, QMenu, QTextEdit, QWidget

from quire.editor.document import PAGE_MARGIN_PX
from quire.editor.paragraph_keys import has_gaps_at
from quire.editor.plain_text import to_document, to_manuscript
from quire.editor.rich_paste import pasted_text
from quire.theme.scroll_bars import keep_room_for_scroll_bar


class ColumnEdit(QTextEdit):
    """Text with marks instead of formats; the space beside the column scrolls and takes clicks as well.

    Signals:
        zoom_asked: steps to a larger (positive) or smaller text.
        menu_opens: the menu of the text is about to be shown.

    Attributes:
        menu_rows: the actions of its menu, with separators (None).
    """

    zoom_asked = Signal(int)
    menu_opens = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAcceptRichText(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        keep_room_for_scroll_bar(self)
        self._column_px = 0
        self._beside_px = 0
        self._pressed_beside = False
        self._forwarding = False
        self.menu_rows: list[QAction | None] = []

    def changeEvent(self, event: QEvent) -> None:
        """Keep the font of the text when that of the interface changes."""
        if event.type() is not QEvent.Type.FontChange:
            super().changeEvent(event)

    # ------------------------------------------------------------ clipboard
    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy plain text, including no-break spaces."""
        data = QMimeData()
        data.setText(to_manuscript(self.textCursor().selectedText()))
        return data

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Accept text; a dropped file is not text."""
        return (source.hasText() or source.hasHtml()) and not source.hasUrls()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste the clipboard's content, with italics and bold as the manuscript marks them."""
        if self.canInsertFromMimeData(source) and not self.isReadOnly():
            caret = self.textCursor()
            self._insert(pasted_text(source, has_gaps=has_gaps_at(caret), begins_line=caret.atBlockStart()))

    def paste_plain(self) -> None:
        """Paste the clipboard's words alone."""
        if self.canPaste() and not self.isReadOnly():
            self._insert(QGuiApplication.clipboard().text())

    def _insert(self, text: str) -> None:
        self.textCursor().insertText(to_document(text))
        self.ensureCursorVisible()

    # ------------------------------------------------------------ the menu
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the menu of the text."""
        menu = self.text_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        place = self.viewport().mapToGlobal(self.cursorRect().bottomLeft()) if by_key else event.globalPos()
        menu.popup(place)

    def text_menu(self) -> QMenu:
        """Return a new menu for the text, its actions enabled as is possible now."""
        self.menu_opens.emit()
        menu = QMenu(self)
        menu.setAccessibleName(self.tr("Text"))
        for action in self.menu_rows:
            if action is None:
                menu.addSeparator()
            else:
                menu.addAction(action)
        return menu

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Move the caret to the word that a menu is opened for, unless it is selected."""
        if event.button() is Qt.MouseButton.RightButton:
            caret, clicked = self.textCursor(), self.cursorForPosition(event.position().toPoint())
            if not caret.selectionStart() <= clicked.position() <= caret.selectionEnd():
                clicked.movePosition(QTextCursor.MoveOperation.StartOfWord)
                self.setTextCursor(clicked)
        super().mousePressEvent(event)

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

    # ------------------------------------------------------------ room for notes in the margin
    @property
    def room_beside(self) -> int:
        """Return how much room there is to the right of the column if it is moved to the left edge."""
        return self.width() - self.verticalScrollBar().sizeHint().width() - self._page_px

    def keep_room_beside(self, width_px: int) -> None:
        """Move the column to the left as far as this room to its right needs; 0 centres it."""
        self._beside_px = width_px
        self._centre_column()

    # ------------------------------------------------------------ inside
    @property
    def _page_px(self) -> int:
        return self._column_px + 2 * math.ceil(PAGE_MARGIN_PX)

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
        centred = max((self.width() - self._page_px) // 2, 0)
        left = max(min(centred, self.room_beside - self._beside_px), 0) if self._beside_px else centred
        right = max(2 * centred - left - self.verticalScrollBar().sizeHint().width(), 0)
        margins = self.viewportMargins()
        if (margins.left(), margins.right()) != (left, right):
            self.setViewportMargins(left, 0, right, 0)
