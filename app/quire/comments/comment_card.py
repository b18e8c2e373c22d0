"""A comment as a card: who says what, and what can be done with it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QFont, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from quire.domain.manuscript.comments import Comment
from quire.domain.manuscript.find_replace import shortened
from quire.theme.colour_tokens import Tokens
from quire.ui.form_parts import SMALL_PX, GrowingEdit, small_button
from quire.ui.labels import plain_label
from quire.ui.translated import short_day

_LINES = (2, 8)
_MAX_WORDS = 90
_BUTTON = "QToolButton { color: palette(link); padding: 3px 1px; }"
"""Narrow: in other languages three of them hardly fit side by side."""
_RESIZING = (QEvent.Type.LayoutRequest, QEvent.Type.FontChange, QEvent.Type.StyleChange)
_RETURNS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class CommentField(GrowingEdit):
    """The field in which a comment is written: Return stores it, Shift+Return begins a new line.

    Signals:
        done: store it.
        dropped: forget what was written.
        left: the writer works elsewhere in the window.
    """

    done = Signal()
    dropped = Signal()
    left = Signal()

    def event(self, event: QEvent) -> bool:
        """Keep Esc and Return from the shortcuts of the window, which pause and draft."""
        if event.type() is QEvent.Type.ShortcutOverride and _ends_writing(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Store or drop what was written."""
        is_return = event.key() in _RETURNS
        if event.key() == Qt.Key.Key_Escape:
            self.dropped.emit()
        elif is_return and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.done.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Store what was written once the writer goes on; another window is no other place."""
        super().focusOutEvent(event)
        stays = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
        if event.reason() not in stays:
            self.left.emit()


class CommentCard(QFrame):
    """Shows one comment; signals carry its number.

    Signals:
        chosen: go to its words; whether to go on writing there.
        activated: the writer is at this card.
        saved: its new text.
        dropped: it stays as it was.
        resolve_asked: whether it is resolved.
        resized: its height changed.
    """

    chosen = Signal(int, bool)
    activated = Signal(int)
    saved = Signal(int, str)
    dropped = Signal(int)
    resolve_asked = Signal(int, bool)
    delete_asked = Signal(int)
    resized = Signal()

    def __init__(self, comment: Comment, parent: QWidget | None = None, *, quotes: bool = False) -> None:
        super().__init__(parent)
        self.setObjectName("commentCard")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._comment, self._quotes = comment, quotes
        self._may_edit = self._is_active = self._is_editing = False
        self._height: tuple[int, int] | None = None
        self.head = plain_label(self, SMALL_PX, QFont.Weight.DemiBold)
        self.state = plain_label(self, SMALL_PX)
        self.quote = plain_label(self, SMALL_PX)
        self.text = plain_label(self)
        for label in (self.state, self.quote):
            label.setObjectName("caption")
        for label in (self.state, self.quote, self.text):
            label.setWordWrap(True)
        self.field = CommentField(self.tr("Comment"), self.tr("Write a comment"), _LINES, self)
        self.edit_button = small_button(self.tr("Edit"), self)
        self.resolve_button = small_button(self.tr("Resolve"), self)
        self.delete_button = small_button(self.tr("Delete"), self)
        self.save_button = small_button(self.tr("Save"), self)
        self.cancel_button = small_button(self.tr("Cancel"), self)
        self._lay_out()
        self._wire()
        self.show_comment(comment, may_edit=True)

    @property
    def comment(self) -> Comment:
        """Return the comment."""
        return self._comment

    @property
    def is_editing(self) -> bool:
        """Return whether its text is being written."""
        return self._is_editing

    def height_at(self, width_px: int) -> int:
        """Return the height that it needs at a width; measured once, until something in it changes."""
        if self._height is None or self._height[0] != width_px:
            height = max(self.heightForWidth(width_px), self.minimumSizeHint().height())
            self._height = (width_px, height)
        return self._height[1]

    # ------------------------------------------------------------ input
    def show_comment(self, comment: Comment, *, may_edit: bool) -> None:
        """Show a comment as it is stored; what is being written stays."""
        before, could_edit = self._comment, self._may_edit
        self._comment, self._may_edit = comment, may_edit
        if self.head.text() and could_edit == may_edit and _looks_alike(before, comment):
            return  # typing above it moves a comment with every key
        day = _day(comment.created)
        self.head.setText(f"{comment.author} · {day}" if comment.author else day)
        quote = shortened(comment.words, _MAX_WORDS)
        self.quote.setText(quote)
        self.text.setText(comment.text)
        states = [self.tr("These words are no longer in the text.")] if comment.is_lost else []
        states += [self.tr("Resolved")] if comment.resolved else []
        self.state.setText(" ".join(states))
        self.resolve_button.setText(self.tr("Reopen") if comment.resolved else self.tr("Resolve"))
        name = self.tr("Comment on “{0}”: {1}").format(quote, comment.text)
        self.setAccessibleName(name)
        self.setAccessibleDescription(f"{self.head.text()} {self.state.text()}".strip())
        self._refresh()

    def set_active(self, *, on: bool) -> None:
        """Emphasise it, and show what can be done with it."""
        if on != self._is_active:
            self._is_active = on
            self._refresh()

    def set_tokens(self, tokens: Tokens) -> None:
        """Apply the colours of another theme."""
        self.setStyleSheet(
            f"#commentCard {{ background: {tokens.raised}; border: 1px solid {tokens.line};"
            f" border-left: 3px solid {tokens.line}; border-radius: 6px; }}"
            f' #commentCard[active="true"] {{ border-color: {tokens.busy}; }}'
            f" #commentCard:focus {{ border: 2px solid {tokens.accent};"
            f" border-left: 3px solid {tokens.accent}; }}"
        )

    @Slot()
    def edit(self, *, text: str | None = None) -> None:
        """Begin to change the text; with a text, go on with what could not be stored."""
        if not self._may_edit:
            return
        self._is_editing = True
        self.field.show_text(self._comment.text if text is None else text)
        self._refresh()
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)
        self.field.setFocus()

    def take_unstored(self) -> str:
        """Return what was written and is not stored, and end it; empty if there is nothing."""
        if not self._is_editing:
            return ""
        focus = QApplication.focusWidget()
        if focus is not None and self.isAncestorOf(focus):
            self.setFocus()  # otherwise Qt would choose some other place for it
        self._is_editing = False
        self._refresh()
        text = self.field.toPlainText().strip()
        return text if text != self._comment.text else ""

    @Slot()
    def store(self) -> None:
        """Store what is being written, if anything is."""
        if not self._is_editing:
            return
        if text := self.take_unstored():
            self.saved.emit(self._comment.comment_id, text)
        else:
            self.dropped.emit(self._comment.comment_id)

    # ------------------------------------------------------------ events
    def event(self, event: QEvent) -> bool:
        """Measure it again once a part of it, its font or its style has changed."""
        if event.type() in _RESIZING and self._height is not None:
            self._resize()
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Show the words of the comment."""
        super().mousePressEvent(event)
        if event.button() is Qt.MouseButton.LeftButton:
            event.accept()
            self.chosen.emit(self._comment.comment_id, False)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Change the text."""
        event.accept()
        self.edit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Emphasise it."""
        super().focusInEvent(event)
        self.activated.emit(self._comment.comment_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return goes to the words, F2 edits, Delete deletes, and arrows lead to the other cards."""
        key, number = Qt.Key(event.key()), self._comment.comment_id
        if key in _RETURNS:
            self.chosen.emit(number, True)
        elif key is Qt.Key.Key_F2:
            self.edit()
        elif key is Qt.Key.Key_Delete and self._may_edit:
            self.delete_asked.emit(number)
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------ inside
    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.setSpacing(2)
        for button in self._buttons():
            button.setStyleSheet(_BUTTON)
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(9, 6, 8, 5)
        layout.setSpacing(3)
        for part in (self.head, self.quote, self.state, self.text, self.field):
            layout.addWidget(part)
        layout.addLayout(buttons)

    def _buttons(self) -> tuple[QToolButton, ...]:
        return (
            self.edit_button, self.resolve_button, self.delete_button, self.save_button, self.cancel_button,
        )  # fmt: skip

    def _wire(self) -> None:
        self.field.done.connect(self.store)
        self.field.dropped.connect(self._drop)
        self.field.left.connect(self._leave)
        self.field.document().documentLayout().documentSizeChanged.connect(self._resize)
        self.edit_button.clicked.connect(self.edit)
        self.save_button.clicked.connect(self.store)
        self.cancel_button.clicked.connect(self._drop)
        self.resolve_button.clicked.connect(self._resolve)
        self.delete_button.clicked.connect(self._delete)

    @Slot()
    def _resolve(self) -> None:
        self.resolve_asked.emit(self._comment.comment_id, not self._comment.resolved)

    @Slot()
    def _delete(self) -> None:
        self.delete_asked.emit(self._comment.comment_id)

    @Slot()
    def _drop(self) -> None:
        self.take_unstored()
        self.dropped.emit(self._comment.comment_id)

    @Slot()
    def _leave(self) -> None:
        focus = QApplication.focusWidget()
        if focus is None or not self.isAncestorOf(focus):
            self.store()

    @Slot()
    def _resize(self) -> None:
        self._height = None
        self.resized.emit()

    def _refresh(self) -> None:
        edits, may = self._is_editing, self._may_edit and self._is_active and not self._is_editing
        self.quote.setVisible(self._quotes or self._comment.is_lost)
        self.state.setVisible(bool(self.state.text()))
        self.text.setVisible(not edits)
        self.field.setVisible(edits)
        for button in (self.edit_button, self.resolve_button, self.delete_button):
            button.setVisible(may)
        self.save_button.setVisible(edits)
        self.cancel_button.setVisible(edits)
        if self.property("active") is not (self._is_active or edits):
            self.setProperty("active", self._is_active or edits)
            self.style().unpolish(self)
            self.style().polish(self)
        self._resize()


def _day(created: datetime) -> str:
    try:
        local = created.astimezone()
    except (OverflowError, OSError, ValueError):  # at either end of the calendar
        local = created
    return short_day(local)


def _looks_alike(one: Comment, other: Comment) -> bool:
    return (
        one.is_lost == other.is_lost
        and replace(one, start=other.start, end=other.end, before=other.before, behind=other.behind) == other
    )


def _ends_writing(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.key() in (*_RETURNS, Qt.Key.Key_Escape)
