"""The text area: the writer edits it, a draft streams into it."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QMimeData, QPointF, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QLinearGradient,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QTextEdit, QToolButton, QWidget

from quire.editor.document import PAGE_MARGIN_PX, ManuscriptDocument
from quire.editor.drafted_marks import Area, DraftedMarks
from quire.editor.plain_text import to_document, to_manuscript
from quire.theme.fonts import reading_font
from quire.theme.tokens import LIGHT, Tokens

SAVE_WITHIN_MS = 200
"""From the first key to the moment the text is handed over for storing; typing on does not put it off."""
MIN_TEXT_PX, DEFAULT_TEXT_PX, MAX_TEXT_PX = 13, 19, 40

_MEASURE = "the quick brown fox jumps over the lazy dog and goes home for some tea"
"""One line of the manuscript: 70 characters as English has them."""
_FADE_PX = 26

_READ_ONLY = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard


class ManuscriptEditor(QTextEdit):
    """One column of plain text.

    typed: the writer changed something, at once. text_edited: the whole text, soon after. zoom_asked: steps
    to a larger (positive) or smaller text.
    """

    typed = Signal()
    text_edited = Signal(str)
    zoom_asked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("manuscript")
        self.setAccessibleName(self.tr("Manuscript"))
        self._manuscript = ManuscriptDocument(reading_font(DEFAULT_TEXT_PX), self)
        self.setDocument(self._manuscript)
        self.setAcceptRichText(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setCursorWidth(2)
        self.setUndoRedoEnabled(True)
        self._tokens: Tokens = LIGHT
        self._marks = DraftedMarks(self._manuscript)
        self._column_px = 0
        self._replacing = False
        self._dirty = False
        self._drafting = False
        self._locked = False
        self._pressed_beside = False
        self._forwarding = False
        self._waits_at: int | None = None
        self._saving = QTimer(self)
        self._saving.setSingleShot(True)
        self._saving.setInterval(SAVE_WITHIN_MS)
        self._saving.timeout.connect(self.flush)
        self.newest_button = self._make_newest_button()
        self._manuscript.contentsChange.connect(self._contents_changed)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.set_text_px(DEFAULT_TEXT_PX)

    # ------------------------------------------------------------ the text
    def text(self) -> str:
        """Return the manuscript, character for character."""
        return self._manuscript.text()

    def show_text(self, text: str) -> None:
        """Show another manuscript, with the caret and the view at its end."""
        self._saving.stop()
        self._dirty = False
        self._marks.clear()
        self._replacing = True  # by another text, not by the writer's hand
        self._manuscript.replace_text(text)
        self._replacing = False
        self.moveCursor(QTextCursor.MoveOperation.End)
        self._go_to_bottom()

    @property
    def is_dirty(self) -> bool:
        """Whether the writer changed something that was not handed over yet."""
        return self._dirty

    @Slot()
    def flush(self) -> None:
        """Hand over what the writer changed, now."""
        self._saving.stop()
        if self._dirty:
            self._dirty = False
            self.text_edited.emit(self.text())

    def set_locked(self, *, locked: bool) -> None:
        """Take the text out of the writer's hands for a while, or give it back; hand over what was typed.

        A draft locks it as well; it can be written in only when neither does.
        """
        self.flush()
        self._locked = locked
        self._apply_locks()

    # ------------------------------------------------------------ drafting
    @property
    def is_drafting(self) -> bool:
        """Whether the text is locked because a draft may write into it."""
        return self._drafting

    def begin_drafting(self) -> None:
        """Lock the text for the writer and open it for append_drafted()."""
        self.flush()
        self._drafting = True
        self._apply_locks()
        self._manuscript.setUndoRedoEnabled(False)  # a draft of an hour is not to be undone batch by batch
        self._marks.begin()
        caret = self.textCursor()
        self._waits_at = caret.position() if caret.atEnd() and not caret.hasSelection() else None
        self.viewport().update()

    def end_drafting(self) -> None:
        """Give the text back to the writer.

        A caret that has waited at the end moves on to the new one if that is where the writer looks:
        typing there must not jump back to where the draft began.
        """
        caret = self.textCursor()
        waited = caret.position() == self._waits_at and not caret.hasSelection()
        if waited and self.is_at_bottom:
            self.moveCursor(QTextCursor.MoveOperation.End)
            self._go_to_bottom()
        self._drafting = False
        self._marks.finish()
        self._manuscript.setUndoRedoEnabled(True)
        self._apply_locks()
        self._place_newest_button()
        self.viewport().update()

    def append_drafted(self, text: str) -> None:
        """Write at the end; caret, selection and view stay where the writer has them.

        Only a view that is at the bottom follows the text.
        """
        follow = self.is_at_bottom
        caret = self.textCursor()
        anchor, position = caret.anchor(), caret.position()
        self._manuscript.append_text(text)
        self._put_caret_back(anchor, position)
        if follow:
            self._go_to_bottom()
        self._place_newest_button()

    @property
    def is_at_bottom(self) -> bool:
        """Whether the view shows the end of the text."""
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum() - QFontMetricsF(self._manuscript.defaultFont()).height()

    @property
    def drafted_ranges(self) -> tuple[tuple[int, int], ...]:
        """What was drafted in this sitting, as document positions."""
        return self._marks.ranges()

    # ------------------------------------------------------------ looks
    def set_tokens(self, tokens: Tokens) -> None:
        """Take the colours of another theme."""
        self._tokens = tokens
        self.viewport().update()

    def set_text_px(self, size_px: int) -> None:
        """Set the size of the text; the column grows with it, so that a line holds as many characters."""
        font = reading_font(size_px)
        self._manuscript.setDefaultFont(font)
        self._column_px = math.ceil(QFontMetricsF(font).horizontalAdvance(_MEASURE))
        self._centre_column()

    # ------------------------------------------------------------ clipboard
    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy plain text, no-break spaces included."""
        data = QMimeData()
        data.setText(to_manuscript(self.textCursor().selectedText()))
        return data

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Take text; a dropped file is not text."""
        return source.hasFormat("text/plain") and not source.hasUrls()

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste the plain text of whatever is there."""
        if self.canInsertFromMimeData(source) and not self.isReadOnly():
            self.textCursor().insertText(to_document(source.text()))
            self.ensureCursorVisible()

    # ------------------------------------------------------------ events
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the column in the middle, and the end in view where it was."""
        follow = self.is_at_bottom
        self._centre_column()
        super().resizeEvent(event)
        if follow:
            self._go_to_bottom()
        self._place_newest_button()

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
        """Scroll, or with Ctrl ask for another size."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            turned = event.angleDelta().y()
            if turned:
                self.zoom_asked.emit(1 if turned > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the marks, the text, and while drafting a pen where the next word will stand."""
        scrolled = self.verticalScrollBar().value()
        view = self.viewport()
        painter = QPainter(view)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(0, -scrolled)
        area = Area(scrolled, scrolled + view.height(), view.width(), PAGE_MARGIN_PX)
        first = self.cursorForPosition(view.rect().topLeft()).block()
        self._marks.paint(painter, area, first, QColor(self._tokens.wash), QColor(self._tokens.mark))
        painter.end()
        super().paintEvent(event)
        painter = QPainter(view)
        if self._drafting:
            painter.fillRect(self._pen(), QColor(self._tokens.live))
        if scrolled > 0:
            painter.fillRect(0, 0, view.width(), _FADE_PX, self._fade())
        painter.end()

    def _pen(self) -> QRectF:
        end = QTextCursor(self._manuscript)
        end.movePosition(QTextCursor.MoveOperation.End)
        place = QRectF(self.cursorRect(end))
        return QRectF(place.left() + 1, place.top() + 1, 3, max(place.height() - 2, 4))

    def _fade(self) -> QLinearGradient:
        """Let lines that leave at the top dissolve instead of being cut."""
        fade = QLinearGradient(0, 0, 0, _FADE_PX)
        paper = QColor(self._tokens.paper)
        fade.setColorAt(0, paper)
        paper.setAlpha(0)
        fade.setColorAt(1, paper)
        return fade

    def _is_beside_column(self, event: QMouseEvent) -> bool:
        """Return whether a mouse event is for the empty space, or goes on with what was begun there.

        What the column does not want (a button it does not know) comes here too, and must not go back.
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

    # ------------------------------------------------------------ inside
    def _apply_locks(self) -> None:
        read_only = self._drafting or self._locked
        self.setReadOnly(read_only)
        if read_only:
            self.setTextInteractionFlags(_READ_ONLY)

    def _make_newest_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("pill")
        button.setText(self.tr("Newest words"))
        button.setToolTip(self.tr("Go to the end, where the draft grows"))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(self._go_to_bottom)
        button.hide()
        return button

    @Slot()
    def _scrolled(self) -> None:
        self._place_newest_button()
        self.viewport().update()  # scrolling moves pixels, and the fade is not to move with them

    def _place_newest_button(self) -> None:
        wanted = self._drafting and not self.is_at_bottom
        if wanted:
            size = self.newest_button.sizeHint()
            left, top = self.width() - size.width() - 32, self.height() - size.height() - 20
            self.newest_button.setGeometry(left, top, size.width(), size.height())  # beside the column
        self.newest_button.setVisible(wanted)

    @Slot()
    def _go_to_bottom(self) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _put_caret_back(self, anchor: int, position: int) -> None:
        """Undo what inserting at the very place of the caret did to it."""
        caret = self.textCursor()
        if (caret.anchor(), caret.position()) == (anchor, position):
            return
        scrolled = self.verticalScrollBar().value()
        caret.setPosition(anchor)
        caret.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(caret)
        self.verticalScrollBar().setValue(scrolled)  # setTextCursor() brings the caret into view

    def _centre_column(self) -> None:
        page = self._column_px + 2 * math.ceil(PAGE_MARGIN_PX)
        left = max((self.width() - page) // 2, 0)
        right = max(left - self.verticalScrollBar().sizeHint().width(), 0)
        margins = self.viewportMargins()
        if (margins.left(), margins.right()) != (left, right):
            self.setViewportMargins(left, 0, right, 0)

    @Slot(int, int, int)
    def _contents_changed(self, position: int, removed: int, added: int) -> None:
        if self._replacing or self._drafting:
            return
        if not self._dirty:
            self._dirty = True
            self.typed.emit()
        if not self._saving.isActive():
            self._saving.start()
