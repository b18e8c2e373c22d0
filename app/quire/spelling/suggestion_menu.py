"""The context menu of a misspelling."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

_MAX_SHOWN_CHARS = 30


class SuggestionMenu(QMenu):
    """Shows suggestions on top, then other actions for the word; it is deleted when closed.

    Signals:
        suggestion_chosen: the replacement.
        next_asked: skip to the next misspelling.
    """

    suggestion_chosen = Signal(str)
    word_added = Signal()
    word_ignored = Signal()
    next_asked = Signal()

    def __init__(
        self,
        word: str,
        suggestions: Sequence[str],
        parent: QWidget,
        *,
        may_replace: bool,
        next_doubt: QAction,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName(self.tr("Spelling suggestions for {0}").format(word))
        self._next_doubt = next_doubt
        self._usual: QMenu | None = None
        if may_replace:
            self._add_suggestions(suggestions)
        shown = word if len(word) <= _MAX_SHOWN_CHARS else f"{word[:_MAX_SHOWN_CHARS]}..."
        shown = shown.replace("&", "&&")
        self.addAction(self.tr("&Add “{0}” to Dictionary").format(shown)).triggered.connect(self.word_added)
        self.addAction(self.tr("&Ignore “{0}” for Now").format(shown)).triggered.connect(self.word_ignored)
        self._next_action = self.addAction(next_doubt.text())
        self._next_action.setShortcut(next_doubt.shortcut())
        self._next_action.setShortcutContext(
            Qt.ShortcutContext.WidgetShortcut
        )  # the window's shortcut is enough
        self._next_action.triggered.connect(self.next_asked)

    def add_usual(self, usual: QMenu) -> None:
        """Add the actions of the text's usual context menu."""
        self._usual = usual  # its actions live as long as it does
        usual.setParent(self, usual.windowFlags())
        self.addSeparator()
        self.addActions(usual.actions())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let the key that led to this word move on to the next."""
        if QKeySequence(event.keyCombination()) in self._next_doubt.shortcuts():
            self.close()
            self.next_asked.emit()
            return
        super().keyPressEvent(event)

    def _add_suggestions(self, suggestions: Sequence[str]) -> None:
        for suggestion in suggestions:
            action = self.addAction(suggestion.replace("&", "&&"))
            font = action.font()
            font.setBold(True)
            action.setFont(font)
            action.setData(suggestion)
            action.triggered.connect(self._choose)
        if not suggestions:
            self.addAction(self.tr("No suggestions")).setEnabled(False)
        self.addSeparator()

    @Slot()
    def _choose(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.suggestion_chosen.emit(str(action.data()))
