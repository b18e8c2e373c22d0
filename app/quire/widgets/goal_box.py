"""How many words to draft: choose or type."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QComboBox, QListView, QWidget

from quire.models.goal import SUGGESTED_GOALS, parse_goal

DEFAULT_GOAL_WORDS = SUGGESTED_GOALS[0]


class GoalBox(QComboBox):
    """A goal in words; what is not a goal gives way to the last one that was."""

    goal_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._goal_words = DEFAULT_GOAL_WORDS
        self.setEditable(True)
        self.setView(QListView(self))  # the usual list takes no room between its lines from a style sheet
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setAccessibleName(self.tr("Goal in words"))
        self.setToolTip(self.tr("How many words to draft before stopping at the end of a sentence"))
        for words in SUGGESTED_GOALS:
            self.addItem(self._as_text(words))
        self.setFixedWidth(132)
        self.activated.connect(self.commit)
        line = self.lineEdit()
        if line is not None:
            line.setAccessibleName(self.accessibleName())
            line.returnPressed.connect(self.commit)
        self.set_goal(DEFAULT_GOAL_WORDS)

    @property
    def goal_words(self) -> int:
        """The goal."""
        return self._goal_words

    def set_goal(self, words: int) -> None:
        """Show a goal."""
        self._goal_words = words
        self.setEditText(self._as_text(words))

    @Slot()
    def commit(self) -> None:
        """Take what was chosen or typed."""
        words = parse_goal(self.currentText())
        changed = words is not None and words != self._goal_words
        self.set_goal(self._goal_words if words is None else words)
        if changed:
            self.goal_changed.emit(self._goal_words)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Take what was typed when the writer goes elsewhere, but not when the list opens."""
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.commit()
        super().focusOutEvent(event)

    def _as_text(self, words: int) -> str:
        return self.tr("{0} words").format(f"{words:,}")
