"""The text area that the writer edits and a draft streams into."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QInputMethodEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from quire.editor import paragraph_keys
from quire.editor.column_editor import ColumnEdit
from quire.editor.document import PAGE_MARGIN_PX, ManuscriptDocument
from quire.editor.drafted_text_marks import Area, DraftedMarks
from quire.editor.edits_while_generating import EditsWhileGenerating
from quire.editor.format_layer import FormatLayer
from quire.editor.page_layout import PageLayout
from quire.editor.plain_text import to_document
from quire.editor.smart_typing import SmartTyping
from quire.editor.text_end import TextEnd
from quire.editor.text_layers import TextLayers
from quire.editor.top_fade import fade_cut_line
from quire.editor.typewriter_scroll import Typewriter
from quire.editor.typing_history import TypingHistory
from quire.editor.unread_marks import UnreadMarks
from quire.editor.utf16_positions import Utf16Positions
from quire.theme.colour_tokens import LIGHT, Tokens

MIN_TEXT_PX, DEFAULT_TEXT_PX, MAX_TEXT_PX = 13, 19, 40

_UNDO, _REDO = QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo

_READ_ONLY = Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard


class ManuscriptEditor(ColumnEdit):
    """One column of plain text.

    Signals:
        newest_asked: the draft grows in another text, and the writer wants to see it.
        edited: the writer changed the text.
        undo_asked, redo_asked: by the keys; it need not be typing that is undone.
        zoom_asked: steps to a larger (positive) or smaller text.
    """

    edited = Signal()
    undo_asked = Signal()
    redo_asked = Signal()
    newest_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("manuscript")
        self.setAccessibleName(self.tr("Manuscript"))
        self._look = PageLayout(DEFAULT_TEXT_PX)
        self._manuscript = ManuscriptDocument(self._look.font, self)
        self.setDocument(self._manuscript)
        self.setCursorWidth(2)
        self.history = TypingHistory(self._manuscript)
        self._tokens: Tokens = LIGHT
        self._marks = DraftedMarks(self._manuscript)
        self.unread = UnreadMarks(self._manuscript)
        self._draft_edits = EditsWhileGenerating(self._manuscript)
        self._column_px = self._look.column_px
        self.layers = TextLayers(self)
        self._formatting = FormatLayer(self)
        self.layers.add(self._formatting)
        self.smart_typing = SmartTyping(self)
        self.typewriter = Typewriter(self)
        self._replacing = False
        self._drafting = self._grew = False
        self._appending = False
        self._draft_elsewhere = False
        self._locked = False
        self._waits_at: QTextCursor | None = None
        self.newest_button = self._make_newest_button()
        self.text_end = TextEnd(self)
        self._manuscript.contentsChange.connect(self._contents_changed)
        self.cursorPositionChanged.connect(self._caret_moved)
        self.selectionChanged.connect(self._caret_moved)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self._centre_column()

    # ------------------------------------------------------------ the text
    def text(self) -> str:
        """Return the manuscript, character for character."""
        return self._manuscript.text()

    def show_text(self, text: str) -> None:
        """Show another manuscript, with the caret and the view at its end."""
        self._marks.clear()
        self.end_drafting()
        self._replacing = True  # text was replaced, not edited by the writer
        self._manuscript.replace_text(text)
        self._replacing = False
        self.history.shown()
        self._notify_undo()
        self.moveCursor(QTextCursor.MoveOperation.End)
        self._go_to_bottom()

    def replace_part(self, start: int, end: int, new: str) -> None:
        """Replace characters of the text as the writer would, so that it can be undone; the caret stays."""
        places, cursor = Utf16Positions(self.text()), QTextCursor(self._manuscript)
        cursor.setPosition(places.to_document(start))
        cursor.setPosition(places.to_document(end), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(to_document(new))

    def set_locked(self, *, locked: bool) -> None:
        """Make the text read-only for a while, or editable again.

        A draft locks it as well; it is editable only when neither lock is set.
        """
        self._locked = locked
        self._apply_locks()

    # ------------------------------------------------------------ drafting
    @property
    def is_drafting(self) -> bool:
        """Return whether the text is locked because a draft may write into it."""
        return self._drafting

    def begin_drafting(self, drafted_from: int | None = None) -> None:
        """Prepare for append_drafted(); the writer can still edit above the paragraph that grows.

        Args:
            drafted_from: the document position from which the text is the draft's already; None: the end.
        """
        self._drafting, self._grew = True, False
        self.history.begin_draft()
        self._marks.begin(drafted_from)
        caret = self.textCursor()
        if caret.atEnd() and not caret.hasSelection():
            if drafted_from is not None:  # it waits where the draft begins, not among its words
                self._put_caret_back(drafted_from, drafted_from)
                caret = self.textCursor()
            self._waits_at = QTextCursor(caret)
            self._waits_at.setKeepPositionOnInsert(True)
        self._apply_locks()
        self._notify_locks()
        self.viewport().update()

    def end_drafting(self) -> None:
        """Make the whole text editable again.

        A caret that was waiting at the end moves to the new end if that part is visible: typing there must
        not jump back to where the draft began.
        """
        if not self._drafting:
            return
        caret, waiting = self.textCursor(), self._waits_at
        waited = waiting is not None and caret.position() == waiting.position() and not caret.hasSelection()
        if waited and self.is_at_bottom:
            self.moveCursor(QTextCursor.MoveOperation.End)
            self._go_to_bottom()
        self._drafting, self._waits_at = False, None
        self._marks.finish()
        self.history.end_draft(grew=self._grew)
        self._apply_locks()
        self._notify_locks()
        self._place_newest_button()
        self.viewport().update()

    def append_drafted(self, text: str) -> None:
        """Append drafted text without moving caret, selection or view.

        The view follows the text only if it is at the bottom.
        """
        follow = self.is_at_bottom
        caret = self.textCursor()
        anchor, position = caret.anchor(), caret.position()
        self._appending = True
        try:
            self._manuscript.append_text(text)
        finally:
            self._appending = False
        self._grew = True
        self.history.grown()
        self._put_caret_back(anchor, position)
        if follow:
            self._go_to_bottom()
        self._apply_locks()
        self._place_newest_button()

    def drop_from(self, position: int) -> None:
        """Remove the text from a position on, which now belongs to another text."""
        self.end_drafting()
        self._appending = True  # not a change by the writer
        try:
            cursor = QTextCursor(self._manuscript)
            cursor.setPosition(position)
            cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            self.history.grown()
        finally:
            self._appending = False

    def show_draft_elsewhere(self, *, on: bool) -> None:
        """Offer a way to the newest words while they are drafted in another text."""
        self._draft_elsewhere = on
        self._place_newest_button()

    # ------------------------------------------------------------ undoing
    @property
    def can_undo(self) -> bool:
        """Return whether the writer's last change can be undone, beyond a draft that has ended since."""
        return self.history.can_undo(beyond_drafts=not self._drafting)

    @property
    def can_redo(self) -> bool:
        """Return whether an undone change can be redone."""
        return self.history.can_redo

    @Slot()
    def undo(self) -> None:
        """Undo the writer's last change; what the model writes stays."""
        self._show_change(self.history.undo() if self.can_undo else None)

    @Slot()
    def redo(self) -> None:
        """Redo the last undone change."""
        self._show_change(self.history.redo() if self.can_redo else None)

    def _show_change(self, place: QTextCursor | None) -> None:
        if place is not None:
            self.setTextCursor(place)
        self._notify_undo()

    def _notify_undo(self) -> None:
        self.undoAvailable.emit(self.can_undo)
        self.redoAvailable.emit(self.can_redo)

    @property
    def is_at_bottom(self) -> bool:
        """Return whether the view shows the end of the text."""
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum() - QFontMetricsF(self._manuscript.defaultFont()).height()

    def show_drafted(self, ranges: Iterable[tuple[int, int]]) -> None:
        """Mark what was drafted, as document positions, after the text was shown again."""
        if not self._drafting:
            self._marks.show(ranges)
            self.viewport().update()

    @property
    def drafted_ranges(self) -> tuple[tuple[int, int], ...]:
        """Return what was drafted, as document positions."""
        return self._marks.ranges()

    # ------------------------------------------------------------ appearance
    def set_tokens(self, tokens: Tokens) -> None:
        """Apply the colours of another theme."""
        self._tokens = tokens
        self._formatting.set_tokens(tokens)
        self.layers.refresh(self._formatting)
        self.viewport().update()

    def set_text_px(self, size_px: int) -> None:
        """Set the size of the text; the column scales with it, so that a line holds as many characters."""
        self._set_look(replace(self._look, text_px=size_px))

    def set_text_font(self, family: str) -> None:
        """Set the font family; an empty name means the default."""
        self._set_look(replace(self._look, family=family))

    def set_line_height(self, line_height_em: float) -> None:
        """Set the line spacing in multiples of the font's height; see ManuscriptDocument about undo."""
        self._set_look(replace(self._look, line_height_em=line_height_em))

    def set_right_to_left(self, *, is_right_to_left: bool) -> None:
        """Set the direction of the text; see ManuscriptDocument."""
        self._manuscript.set_right_to_left(is_right_to_left=is_right_to_left)

    def set_text_width(self, characters: int) -> None:
        """Set the number of characters in a full line."""
        self._set_look(replace(self._look, text_width=characters))

    # ------------------------------------------------------------ events
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Apply smart typing and typewriter scrolling to what is typed."""
        if self._drafting and self._draft_edits.refuses(event, self.textCursor()):
            event.ignore()
            return
        for key, asked in ((_UNDO, self.undo_asked), (_REDO, self.redo_asked)):
            if event.matches(key):  # held down, it stops where the typing does
                if self.can_undo or self.can_redo or not event.isAutoRepeat():
                    asked.emit()
                return
        before = self._manuscript.revision(), self.textCursor().position()
        if not self.smart_typing.take_back(event):
            if not paragraph_keys.press(self, event):
                super().keyPressEvent(event)
            self._after_typing(event.text(), before)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Do the same for composed input: on some keyboards quotes are dead keys."""
        before = self._manuscript.revision(), self.textCursor().position()
        super().inputMethodEvent(event)
        self._after_typing(event.commitString() if not event.preeditString() else "", before)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the column centred, and the end in view if it was."""
        follow = self.is_at_bottom
        self._centre_column()
        super().resizeEvent(event)
        if follow:
            self._go_to_bottom()
        self._place_newest_button()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the marks, the text and, while drafting, a pen at the position of the next word."""
        scrolled = self.verticalScrollBar().value()
        view = self.viewport()
        painter = QPainter(view)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(0, -scrolled)
        area = Area(scrolled, scrolled + view.height(), view.width(), PAGE_MARGIN_PX)
        first = self.cursorForPosition(view.rect().topLeft()).block()
        self._marks.paint(painter, area, first, QColor(self._tokens.wash), QColor(self._tokens.mark))
        self.unread.paint(painter, area, first, QColor(self._tokens.busy))
        painter.end()
        super().paintEvent(event)
        painter = QPainter(view)
        if self._drafting:
            painter.fillRect(self._pen(), QColor(self._tokens.live))
        else:
            self.text_end.paint(painter, self._tokens)
        if scrolled > 0:
            first_line = self.cursorRect(self.cursorForPosition(QPoint(0, 0)))
            fade_cut_line(painter, first_line, view.width(), QColor(self._tokens.paper))
        painter.end()

    def _pen(self) -> QRectF:
        end = QTextCursor(self._manuscript)
        end.movePosition(QTextCursor.MoveOperation.End)
        place = QRectF(self.cursorRect(end))
        return QRectF(place.left() + 1, place.top() + 1, 3, max(place.height() - 2, 4))

    # ------------------------------------------------------------ inside
    def _apply_locks(self) -> None:
        generating_here = self._drafting and not self._draft_edits.may_change(self.textCursor())
        read_only = generating_here or self._locked
        if read_only != self.isReadOnly():
            self.setReadOnly(read_only)
            if read_only:
                self.setTextInteractionFlags(_READ_ONLY)
            self._notify_undo()

    def _notify_locks(self) -> None:
        """Notify listeners whether the text can be changed; it may stay partly editable while drafting."""
        QApplication.sendEvent(self, QEvent(QEvent.Type.ReadOnlyChange))

    @Slot()
    def _caret_moved(self) -> None:
        if self._drafting:
            self._apply_locks()

    def _make_newest_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("pill")
        button.setText(self.tr("Newest words"))
        button.setToolTip(self.tr("Go to the end of the draft"))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(self._show_newest)
        button.hide()
        return button

    @Slot()
    def _scrolled(self) -> None:
        self._place_newest_button()
        self.viewport().update()  # scrolling moves pixels, but the fade must not move with them

    def _place_newest_button(self) -> None:
        wanted = self._draft_elsewhere or (self._drafting and not self.is_at_bottom)
        if wanted:
            size = self.newest_button.sizeHint()
            left, top = self.width() - size.width() - 32, self.height() - size.height() - 20
            self.newest_button.setGeometry(left, top, size.width(), size.height())  # beside the column
        self.newest_button.setVisible(wanted)

    @Slot()
    def _show_newest(self) -> None:
        if self._draft_elsewhere:
            self.newest_asked.emit()
        else:
            self._go_to_bottom()

    @Slot()
    def _go_to_bottom(self) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(bar.maximum())

    def _put_caret_back(self, anchor: int, position: int) -> None:
        """Restore a caret that was moved by an insertion at its own position."""
        caret = self.textCursor()
        if (caret.anchor(), caret.position()) == (anchor, position):
            return
        scrolled = self.verticalScrollBar().value()
        caret.setPosition(anchor)
        caret.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(caret)
        self.verticalScrollBar().setValue(scrolled)  # setTextCursor() brings the caret into view

    def _after_typing(self, typed: str, before: tuple[int, int]) -> None:
        """Handle the effects of one key press.

        Args:
            typed: the text of the key.
            before: the document's revision and the caret's position before it.
        """
        if self._manuscript.revision() != before[0]:
            self.smart_typing.follow(typed)
        if (self._manuscript.revision(), self.textCursor().position()) != before:
            self.typewriter.follow()

    def _set_look(self, look: PageLayout) -> None:
        """Apply another page layout; what the writer is reading stays in view."""
        if look == self._look:
            return
        follow, top = self.is_at_bottom, self.cursorForPosition(QPoint(0, 0))
        self._look, old = look, self._look
        self._replacing = True  # line heights are part of the document, but not of the text
        if look.font != old.font:
            self._manuscript.setDefaultFont(look.font)
        if (look.family, look.line_height_em) != (old.family, old.line_height_em):
            self._manuscript.set_line_height(look.line_height_em)
        self._replacing = False
        self._column_px = look.column_px
        self._centre_column()
        self.layers.refresh(self._formatting)  # heading sizes are relative to the text
        if follow:
            self._go_to_bottom()
        else:
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() + self.cursorRect(top).top())

    @Slot(int, int, int)
    def _contents_changed(self, position: int, removed: int, added: int) -> None:
        if self._replacing or self._appending:
            return
        self.history.changed(position, removed, added)
        self._notify_undo()
        self.unread.changed(position, added)
        self.edited.emit()
