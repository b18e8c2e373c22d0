"""The page on which the book is read: a bar to go to a chapter or to find words, and the text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.book_formats.blocks import BlockKind
from quire.reading.passages import ReadingPassage
from quire.reading.reading_view import ReadingView
from quire.theme.text_size import fit, scaled
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.calm_fields import CalmCombo
from quire.ui.labels import ElidedLabel

_CHAPTERS_PX = 300
_FIND_PX = 220
_NARROW_PX = 100
"""The least width of both, for a page beside a wide panel in a small window."""
_TITLE_PX = 244
_LISTED = (BlockKind.TITLE, BlockKind.PART, BlockKind.CHAPTER)


class ReadingPage(QFrame):
    """Shows the whole book.

    Signals:
        place_chosen: a text and a position in it, to open in the editor.
        left: the writer wants to write.
        shown: the page was shown or replaced.
    """

    place_chosen = Signal(int, int)
    left = Signal()
    shown = Signal()

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._themes = themes
        self.view = ReadingView(self)
        self.chapters = CalmCombo(self)
        self.chapters.setAccessibleName(self.tr("Go to a chapter"))
        self.chapters.setMinimumWidth(_NARROW_PX)
        fit(self.chapters.setMaximumWidth, _CHAPTERS_PX)
        self.field = QLineEdit(self)
        self.field.setPlaceholderText(self.tr("Find in book"))
        self.field.setAccessibleName(self.field.placeholderText())
        self.field.setMinimumWidth(_NARROW_PX)
        fit(self.field.setMaximumWidth, _FIND_PX)
        self.answer = ElidedLabel(self)
        self.answer.setObjectName("caption")
        self.back_button = QPushButton(self.tr("Back to Writing"), self)
        self.back_button.setToolTip(self.tr("Esc"))
        self._lay_out()
        self.chapters.activated.connect(self._go_to_chapter)
        self.field.textChanged.connect(self._forget_answer)
        self.back_button.clicked.connect(self.left)
        self.view.place_chosen.connect(self.place_chosen)
        self.view.text_read.connect(self._show_chapter)
        self.view.verticalScrollBar().valueChanged.connect(self._show_chapter)
        themes.changed.connect(self._dress)
        self.setFocusProxy(self.view)
        self._dress()

    def show_book(self, passages: Sequence[ReadingPassage], node_id: int, place: int) -> None:
        """Show a book from a position in one of its texts on."""
        has_parts = any(passage.kind is BlockKind.PART for passage in passages)
        with QSignalBlocker(self.chapters):
            self.chapters.clear()
            for index, passage in enumerate(passages):
                if passage.kind in _LISTED:
                    indent = "    " if has_parts and passage.kind is BlockKind.CHAPTER else ""
                    title = indent + " ".join(passage.text.split())
                    self.chapters.addItem(self._fitting(title), index)
                    self.chapters.setItemData(self.chapters.count() - 1, title, Qt.ItemDataRole.ToolTipRole)
        self.chapters.setEnabled(self.chapters.count() > 0)
        self.answer.show_text("")
        self.view.show_passages(passages, node_id, place)
        self._show_chapter()

    @property
    def is_current(self) -> bool:
        """Return whether it is shown instead of the manuscript."""
        return not self.isHidden() and self.parentWidget() is not None

    def find_next(self, *, backwards: bool = False) -> None:
        """Go to the next occurrence of the words in the field."""
        words = self.field.text()
        if words.strip() and not self.view.find_words(words, backwards=backwards):
            self.answer.show_text(self.tr("Not found"))

    def event(self, event: QEvent) -> bool:
        """Keep Ctrl+F from the window: here it searches the book that is read."""
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self.shown.emit()
        if event.type() is QEvent.Type.ShortcutOverride and _finds(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Search on Ctrl+F and Return; Esc leaves the field first, then the page."""
        in_field = self.field.hasFocus()
        if _finds(event):
            self.field.setFocus()
            self.field.selectAll()
        elif in_field and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.find_next(backwards=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif event.key() == Qt.Key.Key_Escape and in_field:
            self.view.setFocus()
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setContentsMargins(24, 8, 24, 8)
        bar.setSpacing(12)
        bar.addWidget(self.chapters, _CHAPTERS_PX)
        bar.addWidget(self.field, _FIND_PX)
        bar.addWidget(self.answer, _NARROW_PX)
        bar.addWidget(self.back_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(bar)
        layout.addWidget(self.view, 1)

    @Slot(int)
    def _go_to_chapter(self, row: int) -> None:
        index = self.chapters.itemData(row)
        if isinstance(index, int):
            self.view.go_to(index)
            self.view.setFocus()

    @Slot()
    def _show_chapter(self) -> None:
        """Select the current chapter in the list."""
        index = self.view.flow.index
        rows = [row for row in range(self.chapters.count()) if self.chapters.itemData(row) <= index]
        with QSignalBlocker(self.chapters):
            self.chapters.setCurrentIndex(rows[-1] if rows else 0)

    def _fitting(self, title: str) -> str:
        """Return a title shortened to the width of the list."""
        metrics = QFontMetrics(self.chapters.font())
        return metrics.elidedText(title, Qt.TextElideMode.ElideRight, scaled(_TITLE_PX))

    @Slot()
    def _forget_answer(self) -> None:
        self.answer.show_text("")

    @Slot()
    def _dress(self) -> None:
        self.view.set_tokens(self._themes.tokens)


def _finds(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Find)
