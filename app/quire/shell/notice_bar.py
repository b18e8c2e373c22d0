"""A notice above the manuscript; it does not take the focus and can be ignored."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from quire.domain.drafting.context_usage import words_in
from quire.shell.notices import Notice, NoticeAction
from quire.shell.toast import Toast
from quire.system.number_text import number_text
from quire.ui.translated import translated

MAX_MORE = 3
"""Number of other actions a notice offers besides the suggested one."""
_BESIDE = 2
"""Number of these beside the text; if there are more, all of them are below it."""


class NoticeBar(QFrame):
    """Shows a notice until it is dismissed or acted upon; one that needs no decision passes in a toast."""

    action_chosen = Signal(NoticeAction)
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self._notice: Notice | None = None
        self._toast: Toast | None = None
        self._passing: Notice | None = None
        self.label = QLabel(self)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.label.setWordWrap(True)
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self.action_button = QPushButton(self)
        self.action_button.clicked.connect(self._act)
        self.more_buttons = [QPushButton(self) for _ in range(MAX_MORE)]
        for place, button in enumerate(self.more_buttons):
            button.clicked.connect(partial(self._act_on, place))
        self.dismiss_button = QPushButton(self.tr("Dismiss"), self)
        self.dismiss_button.clicked.connect(self._dismiss)
        self._beside, self._below = QHBoxLayout(), QHBoxLayout()
        self._lay_out()
        self.hide()

    def _lay_out(self) -> None:
        self._beside.setSpacing(10)
        self._beside.addWidget(self.label, 1)
        self._beside.addWidget(self.dismiss_button)
        self._below.setSpacing(10)
        self._below.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 10, 16, 10)
        layout.setSpacing(8)
        layout.addLayout(self._beside)
        layout.addLayout(self._below)
        self._place_buttons(below=False)

    def _place_buttons(self, *, below: bool) -> None:
        """Put the action buttons below the text, or between it and the dismiss button."""
        row = self._below if below else self._beside
        last = row.count() if below else row.indexOf(self.dismiss_button)
        for button in (self.action_button, *self.more_buttons):
            if row.indexOf(button) < 0:
                row.insertWidget(last, button)
                last += 1

    def set_toast(self, toast: Toast) -> None:
        """Show what needs no decision there."""
        self._toast = toast
        toast.action_asked.connect(self._act_on_toast)
        toast.gone.connect(self._forget_toast)

    @property
    def notice(self) -> Notice | None:
        """Return the newest notice that is shown, or None."""
        return self._passing or self._notice

    def show_notice(self, notice: Notice) -> None:
        """Show a notice in place of the current one of its kind."""
        if self._toast is not None and notice.needs_no_decision:
            action = "" if notice.action is None else self._text_of(notice.action, notice)
            self._passing = notice
            self._toast.show_message(translated(notice.text), action)
            return
        self._drop_toast()
        self._notice = notice
        text = translated(notice.text)
        self.label.setText(text)
        self.setAccessibleName(text)
        self.setProperty("kind", notice.kind.value)
        self.style().unpolish(self)  # style sheets evaluate properties only when polishing
        self.style().polish(self)
        self.style().unpolish(self.label)
        self.style().polish(self.label)
        self.action_button.setVisible(notice.action is not None)
        self._place_buttons(below=len(notice.more) > _BESIDE)
        if notice.action is not None:
            self._dress(self.action_button, notice.action, notice)
        for place, button in enumerate(self.more_buttons):
            button.setVisible(place < len(notice.more))
            if place < len(notice.more):
                self._dress(button, notice.more[place], notice)
        self.show()
        QAccessible.updateAccessibility(QAccessibleEvent(self, QAccessible.Event.Alert))

    @Slot()
    def withdraw_undo(self) -> None:
        """Hide a toast that offers to undo what can no longer be undone."""
        if self._passing is not None and self._passing.action is NoticeAction.UNDO:
            self._drop_toast()

    def clear(self) -> None:
        """Hide the notice."""
        self._drop_toast()
        self._notice = None
        self.hide()

    def _drop_toast(self) -> None:
        self._passing = None
        if self._toast is not None:
            self._toast.dismiss()

    @Slot()
    def _forget_toast(self) -> None:
        self._passing = None

    @Slot()
    def _act_on_toast(self) -> None:
        notice = self._passing
        self._drop_toast()
        if notice is not None and notice.act is not None:
            notice.act()

    @Slot()
    def _act(self) -> None:
        notice = self._notice
        action = None if notice is None else notice.action
        self.clear()
        if notice is not None and notice.act is not None:
            notice.act()
        elif action is not None:
            self.action_chosen.emit(action)

    def _act_on(self, place: int) -> None:
        more = () if self._notice is None else self._notice.more
        self.clear()
        if place < len(more):
            self.action_chosen.emit(more[place])

    @Slot()
    def _dismiss(self) -> None:
        self.clear()
        self.dismissed.emit()

    def _dress(self, button: QPushButton, action: NoticeAction, notice: Notice) -> None:
        """Set the text of an action's button, and its cost as the tooltip."""
        cost = self._cost_of(action, notice)
        button.setText(self._text_of(action, notice))
        button.setToolTip(cost)
        button.setAccessibleDescription(cost)

    def _cost_of(self, action: NoticeAction, notice: Notice) -> str:
        """Return what a writer should know of an action; most need no explanation."""
        return {
            NoticeAction.SMALLER_GOAL: self.tr("Same wording, shorter draft"),
            NoticeAction.LOOK_BACK_LESS: self.tr(
                "The model remembers only the newest {0} words or so; the continuation will differ"
            ).format(number_text(words_in(notice.ways.context))),
            NoticeAction.IN_COMPUTER: self.tr("Uses main memory; slower, and the continuation may differ"),
            NoticeAction.STORE_SMALLER: self.tr("Uses half the memory; the continuation will differ"),
        }.get(action, "")

    def _text_of(self, action: NoticeAction, notice: Notice) -> str:
        return {
            NoticeAction.RESUME: self.tr("Continue"),
            NoticeAction.CHOOSE_MODEL: self.tr("Choose Model…"),
            NoticeAction.SAVE_AGAIN: self.tr("Save Again"),
            NoticeAction.SAVE_ELSEWHERE: self.tr("Save Under Another Name…"),
            NoticeAction.REWIND: self.tr("Rewind and Continue"),
            NoticeAction.OPEN_BACKUP: self.tr("Open Last Good Backup"),
            NoticeAction.RESTORE_BACKUP: self.tr("Restore"),
            NoticeAction.SHOW_REPORT: self.tr("Show Report"),
            NoticeAction.SWITCH_ON: self.tr("Turn Drafting On"),
            NoticeAction.DISCARD_TAKE: self.tr("Undo Draft"),
            NoticeAction.SMALLER_GOAL: self.tr("Continue to {0} Words").format(
                number_text(notice.ways.goal_words)
            ),
            NoticeAction.LOOK_BACK_LESS: self.tr("Use a Shorter Context"),
            NoticeAction.IN_COMPUTER: self.tr("Use Main Memory"),
            NoticeAction.STORE_SMALLER: self.tr("Compress Model Memory (8-bit)"),
            NoticeAction.LOAD_AGAIN: self.tr("Reload Model"),
            NoticeAction.LEAVE: self.tr("Close Quire"),
            NoticeAction.UNDO: self.tr("Undo"),
            NoticeAction.GO_THERE: self.tr("Go There"),
            NoticeAction.SHOW_IN_FOLDER: self.tr("Show in Folder"),
        }[action]
