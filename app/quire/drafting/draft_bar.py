"""The bar above the manuscript with the four controls of a run."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QPushButton, QToolButton, QWidget

from quire.drafting.goal_box import GoalBox
from quire.shell.project_status import DraftTargetShown, ProjectStatus
from quire.theme.icons import icon
from quire.theme.text_size import fit, fit_icon, fit_line
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import plain_label

BAR_HEIGHT_PX = 48


class DraftBar(QFrame):
    """Continue, Pause, the goal, and the theme switch.

    Signals:
        continue_asked: the goal in words.
        place_chosen: whether drafts continue in the open text; otherwise at the end of the book.
    """

    continue_asked = Signal(int)
    place_chosen = Signal(bool)
    pause_asked = Signal()
    theme_clicked = Signal()

    def __init__(self, status: ProjectStatus, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("topBar")
        fit_line(self, BAR_HEIGHT_PX)
        self._status, self._themes = status, themes
        self.continue_button = QPushButton(self.tr("Continue"), self)
        self.continue_button.setProperty("primary", True)
        self.continue_button.clicked.connect(self.ask_to_continue)
        self.place_button = self._make_place_button()
        self.pause_button = QPushButton(self.tr("Pause"), self)
        self.pause_button.setToolTip(self.tr("Pause after this word; nothing is lost (Esc)"))
        self.pause_button.clicked.connect(self.ask_to_pause)
        self.goal_label = plain_label(self, text=self.tr("Goal"))
        self.goal_label.setObjectName("caption")
        self.goal_box = GoalBox(self)
        self.goal_label.setBuddy(self.goal_box)
        self.theme_button = QToolButton(self)
        self.theme_button.setObjectName("plain")
        self.theme_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.theme_button.clicked.connect(self.theme_clicked)
        self._shown_target: DraftTargetShown | None = None
        self._lay_out()
        status.changed.connect(self._refresh)
        themes.changed.connect(self._dress)
        self._dress()
        self._refresh()

    @property
    def goal_words(self) -> int:
        """Return the chosen goal."""
        return self.goal_box.goal_words

    @Slot()
    def ask_to_continue(self) -> None:
        """Request a draft to the chosen goal."""
        self.goal_box.commit()
        if self._status.can_continue:
            self.continue_asked.emit(self.goal_words)

    @Slot()
    def ask_to_pause(self) -> None:
        """Request a pause; repeated requests do no harm."""
        if self._status.can_pause:
            self.pause_asked.emit()

    def add_after_goal(self, widget: QWidget) -> None:
        """Put a widget to the right of the goal."""
        self._layout.insertWidget(self._layout.indexOf(self.goal_box) + 1, widget)

    def _make_place_button(self) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName("plain")
        button.setText("▾")
        button.setToolTip(self.tr("Choose where to continue"))
        button.setAccessibleName(button.toolTip())
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setStyleSheet("QToolButton::menu-indicator { image: none; width: 0; }")
        menu = QMenu(button)
        group = QActionGroup(menu)
        self.end_action, self.here_action = menu.addAction(""), menu.addAction("")
        for action, here in ((self.end_action, False), (self.here_action, True)):
            action.setCheckable(True)
            group.addAction(action)
            action.triggered.connect(partial(self._choose_place, here))
        button.setMenu(menu)
        room = button.sizePolicy()
        room.setRetainSizeWhenHidden(True)  # what is beside it stays under the pointer
        button.setSizePolicy(room)
        button.hide()
        return button

    def _choose_place(self, here: bool, _checked: bool = False) -> None:
        self.place_chosen.emit(here)

    def _lay_out(self) -> None:
        for button in (self.continue_button, self.pause_button):
            fit_icon(button, 16)
            fit(button.setMinimumWidth, 108)
        layout = self._layout = QHBoxLayout(self)
        layout.setContentsMargins(24, 0, 16, 0)
        layout.setSpacing(8)
        layout.addWidget(self.continue_button)
        layout.addWidget(self.place_button)
        layout.addWidget(self.pause_button)
        layout.addSpacing(16)
        layout.addWidget(self.goal_label)
        layout.addWidget(self.goal_box)
        layout.addStretch(1)
        layout.addWidget(self.theme_button)

    @Slot()
    def _refresh(self) -> None:
        may_set_goal = self._status.is_open and not self._status.is_busy
        if self._has_lost_focus(may_set_goal=may_set_goal):
            self._pass_focus_on()
        self._show_target()
        self.continue_button.setEnabled(self._status.can_continue)
        self.pause_button.setEnabled(self._status.can_pause)
        self.goal_box.setEnabled(may_set_goal)

    def _show_target(self) -> None:
        """Say in the tips and in the menu where Continue writes; nothing on the bar changes its place."""
        target = self._status.target
        if target == self._shown_target:
            return
        self._shown_target = target
        title = target.title
        if not target.in_book:
            tip = self.tr("Notes are yours alone. Open a chapter to continue the book.")
        elif title:
            tip = self.tr("Continue at the end of “{0}” (Ctrl+Return)").format(title)
        else:
            tip = self.tr("Continue at the end of the text (Ctrl+Return)")
        self.continue_button.setToolTip(tip)
        self.place_button.setVisible(target.other is not None)
        here, end = (target.title, target.other) if target.is_here else (target.other, target.title)
        self.here_action.setText(self.tr("&Here, at the end of “{0}”").format(_escaped(here or "")))
        self.end_action.setText(self.tr("At the end of the &book, in “{0}”").format(_escaped(end or "")))
        self.here_action.setChecked(target.is_here)
        self.end_action.setChecked(not target.is_here)

    def _has_lost_focus(self, *, may_set_goal: bool) -> bool:
        """Return whether the focused control is about to be disabled, or was recently."""
        # the window's focus widget instead of hasFocus(): another program may be active
        holder = self.window().focusWidget()
        return (
            holder is self
            or (holder is self.continue_button and not self._status.can_continue)
            or (holder is self.pause_button and not self._status.can_pause)
            or (holder is self.goal_box and not may_set_goal)
        )

    def _pass_focus_on(self) -> None:
        """Focus the button that can be pressed, or the bar itself if there is none.

        Qt would focus the theme button, and Space would switch the theme.
        """
        heir: QWidget = self
        if self._status.can_continue:
            heir = self.continue_button
        elif self._status.can_pause:
            heir = self.pause_button
        heir.setEnabled(True)
        heir.setFocus()

    @Slot()
    def _dress(self) -> None:
        tokens = self._themes.tokens
        self.continue_button.setIcon(icon("continue", tokens.on_accent, tokens.faint_ink))
        self.pause_button.setIcon(icon("pause", tokens.ink, tokens.faint_ink))
        self.theme_button.setIcon(icon("light" if tokens.is_dark else "dark", tokens.soft_ink))
        name = self.tr("Switch to light theme") if tokens.is_dark else self.tr("Switch to dark theme")
        self.theme_button.setAccessibleName(name)
        self.theme_button.setToolTip(name)


def _escaped(title: str) -> str:
    """Return a title for a menu, in which & would underline a letter."""
    return title.replace("&", "&&")
