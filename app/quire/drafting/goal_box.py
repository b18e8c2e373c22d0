"""The goal of a draft: words, the end of the chapter, a time or a phrase; chosen or typed."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.domain.drafting.draft_goal import MAX_PHRASE, DraftGoal
from quire.domain.drafting.goal_parsing import SUGGESTED_GOALS, SUGGESTED_MINUTES, parse_draft_goal
from quire.system.number_text import number_text
from quire.theme.fonts import headline_font
from quire.theme.text_size import fit, follow, scaled, set_scaled_font
from quire.ui.calm_fields import CalmCombo
from quire.ui.labels import plain_label

DEFAULT_GOAL_WORDS = SUGGESTED_GOALS[0]
_OFFERED = (
    *(DraftGoal(words=words) for words in SUGGESTED_GOALS),
    DraftGoal(at_heading=True),
    *(DraftGoal(minutes=minutes) for minutes in SUGGESTED_MINUTES),
)
_WIDTH_PX = 168
_SHOWN_PHRASE = 18


class GoalBox(CalmCombo):
    """A goal; invalid input is replaced by the last valid goal.

    Signals:
        goal_changed: the words, when these were chosen.
        draft_goal_changed: any goal (a DraftGoal).
    """

    goal_changed = Signal(int)
    draft_goal_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._goal = DraftGoal(words=DEFAULT_GOAL_WORDS)
        self._goal_words = DEFAULT_GOAL_WORDS
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setCompleter(None)  # type: ignore[arg-type]  # "30" would become "30 minutes"
        self.setAccessibleName(self.tr("Goal"))
        for goal in _OFFERED:
            self.addItem(self._as_text(goal), goal)
        self.addItem(self.tr("Stop at a phrase…"))
        self.setMaxVisibleItems(self.count())
        fit(self.setFixedWidth, _WIDTH_PX)
        follow(self, "view", lambda box: box.view().setMinimumWidth(scaled(_WIDTH_PX + 40)))
        self.activated.connect(self._choose)
        line = self.lineEdit()
        if line is not None:
            line.setAccessibleName(self.accessibleName())
            line.returnPressed.connect(self.commit)
        self.show_goal(self._goal)

    @property
    def goal(self) -> DraftGoal:
        """Return the goal."""
        return self._goal

    @property
    def goal_words(self) -> int:
        """Return the words of the goal, or of the last goal in words."""
        return self._goal_words

    def set_goal(self, words: int) -> None:
        """Show a goal in words."""
        self.show_goal(DraftGoal(words=words))

    def show_goal(self, goal: DraftGoal) -> None:
        """Show a goal."""
        self._goal = goal
        if goal.words is not None:
            self._goal_words = goal.words
        self.setEditText(self._as_text(goal))
        tip = self._sentence(goal)
        self.setToolTip(tip)
        self.setAccessibleDescription(tip)

    @Slot()
    def commit(self) -> None:
        """Apply what was typed."""
        typed = self.currentText()
        if typed == self._as_text(self._goal):
            return
        goal = next((one for one in _OFFERED if self._as_text(one) == typed), parse_draft_goal(typed))
        self._take(self._goal if goal is None else goal)

    def ask_for_phrase(self) -> PhraseDialog:
        """Let the writer enter a phrase at which the draft stops."""
        self.show_goal(self._goal)  # the list's own entry is not a goal
        dialog = PhraseDialog(self._goal.phrase, at_end=self._goal.at_end, parent=self)
        dialog.phrase_chosen.connect(self._take_phrase)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
        return dialog

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Apply what was typed when the focus leaves, but not when the list opens."""
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self.commit()
        super().focusOutEvent(event)

    @Slot(int)
    def _choose(self, place: int) -> None:
        goal = self.itemData(place)
        if isinstance(goal, DraftGoal):
            self._take(goal)
        elif place == self.count() - 1:
            self.ask_for_phrase()

    @Slot(str, bool)
    def _take_phrase(self, phrase: str, at_end: bool) -> None:
        goal = self._goal
        if goal.words is None and goal.minutes is None and not goal.at_heading and not phrase:
            goal = DraftGoal(words=self._goal_words)  # without its phrase nothing is left of it
        self._take(replace(goal, phrase=phrase, at_end=at_end))

    def _take(self, goal: DraftGoal) -> None:
        before = self._goal
        self.show_goal(goal)
        if goal == before:
            return
        if goal.words is not None and goal.words != before.words:
            self.goal_changed.emit(goal.words)
        self.draft_goal_changed.emit(goal)

    def _as_text(self, goal: DraftGoal) -> str:
        if goal.words is not None:
            text = self.tr("{0} words").format(number_text(goal.words))
        elif goal.at_heading:
            text = self.tr("End of chapter")
        elif goal.minutes is not None:
            text = self.tr("{0} minutes").format(number_text(goal.minutes))
        else:
            text = self.tr("A phrase")
        if not goal.phrase:
            return text
        phrase = goal.phrase if len(goal.phrase) <= _SHOWN_PHRASE else f"{goal.phrase[:_SHOWN_PHRASE]}…"
        return self.tr("{0} or “{1}”").format(text, phrase)

    def _sentence(self, goal: DraftGoal) -> str:
        if goal.words is not None:
            said = self.tr("Stops after {0} words, at the end of a sentence").format(number_text(goal.words))
        elif goal.at_heading:
            said = self.tr("Stops at the next chapter heading, or after {0} words at most").format(
                number_text(goal.words_at_most)
            )
        elif goal.minutes is not None:
            said = self.tr("Pauses after {0} minutes, including reading time").format(
                number_text(goal.minutes)
            )
        else:
            said = self.tr("Stops at a phrase")
        if goal.phrase:
            said = self.tr("{0} or after “{1}”").format(said, goal.phrase)
        return self.tr("{0} or where the model ends the text").format(said) if goal.at_end else said


_SIZE = QSize(460, 0)


class PhraseDialog(QDialog):
    """Asks for a phrase; an empty one removes it.

    Signals:
        phrase_chosen: the phrase, and the state of the box below.
    """

    phrase_chosen = Signal(str, bool)

    def __init__(self, phrase: str, *, at_end: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Stop at a Phrase"))
        self.headline = plain_label(self, text=self.tr("Where should the draft stop?"))
        set_scaled_font(self.headline, headline_font, 22)
        self.sentence = plain_label(
            self,
            text=self.tr(
                "The draft stops when it writes exactly this, or at its goal, whichever comes first. The"
                " phrase stays in the text. Leave this empty to stop only at the goal."
            ),
        )
        self.sentence.setObjectName("caption")
        self.sentence.setWordWrap(True)
        self.phrase_edit = QLineEdit(phrase, self)
        self.phrase_edit.setMaxLength(MAX_PHRASE)
        self.phrase_edit.setAccessibleName(self.tr("Phrase"))
        self.phrase_edit.setPlaceholderText(self.tr("e.g. The End"))
        self.end_box = QCheckBox(self.tr("Also stop where the model ends the text"), self)
        self.end_box.setChecked(at_end)
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self.cancel_button.clicked.connect(self.reject)
        self.take_button = QPushButton(self.tr("Set Phrase"), self)
        self.take_button.setProperty("primary", True)
        self.take_button.setDefault(True)
        self.take_button.clicked.connect(self._choose)
        self._lay_out()
        self.phrase_edit.setFocus()

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.take_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 24, 28, 20)
        layout.setSpacing(12)
        for widget in (self.headline, self.sentence, self.phrase_edit, self.end_box):
            layout.addWidget(widget)
        layout.addSpacing(6)
        layout.addLayout(buttons)
        self.resize(_SIZE)

    @Slot()
    def _choose(self) -> None:
        self.phrase_chosen.emit(self.phrase_edit.text(), self.end_box.isChecked())
        self.accept()
