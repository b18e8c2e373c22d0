"""The goal of the book, and its deadline."""

from __future__ import annotations

import re
from datetime import date

from PySide6.QtCore import QDate, QLocale, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QTextCharFormat
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.domain.drafting.goal_parsing import MIN_GOAL_WORDS, parse_goal
from quire.domain.manuscript.writing_statistics import GoalProgress
from quire.system.number_text import number_text
from quire.theme.text_size import fit
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.calm_fields import CalmDate
from quire.ui.labels import plain_label
from quire.ui.progress_parts import GoalBar
from quire.ui.translated import long_date_format
from quire.writing_statistics.sessions_table import day_text

_DAY_PX = 150


MAX_BOOK_WORDS = 2_000_000


_DEFAULT_WEEKS = 12
_GROUPING = re.compile(r"[\s.,'’](?=\d{3}(?!\d))")


def words_meant(text: str) -> int | None:
    """Return the word count meant by "80,000", "80 000 words" or "80k", or None if it is not a goal."""
    digits = _GROUPING.sub("", text.strip())
    if digits.isdecimal():  # a book may be longer than one draft
        words = int(digits)
        return words if MIN_GOAL_WORDS <= words <= MAX_BOOK_WORDS else None
    return parse_goal(text)


class DayEdit(CalmDate):
    """A date, typed or chosen from a calendar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setLocale(QLocale())  # not that of the desktop, where the window has another language
        self.setDisplayFormat(long_date_format())
        self.setCalendarPopup(True)
        fit(self.setMinimumWidth, 170)
        for day in (
            Qt.DayOfWeek.Saturday,
            Qt.DayOfWeek.Sunday,
        ):  # writers write on weekends; red is for warnings
            self.calendarWidget().setWeekdayTextFormat(day, QTextCharFormat())


class TargetForm(QWidget):
    """Asks for words; Return presses the button that has the focus, or else `set_button`."""

    set_button: QPushButton

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle Return here: the dialog would press its Close button."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        button = self.focusWidget()
        if isinstance(button, QPushButton):
            button.click()
        else:
            self.set_button.click()


class GoalForm(TargetForm):
    """The goal of the book: word count, deadline and progress.

    Signals:
        goal_wanted: the words, and the deadline or None.
        removal_wanted: the number of the goal.
    """

    goal_wanted = Signal(int, object)
    removal_wanted = Signal(int)

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._progress: GoalProgress | None = None
        self.words_edit = QLineEdit(self)
        self.words_edit.setAccessibleName(self.tr("Target word count"))
        self.words_edit.setPlaceholderText(self.tr("80,000"))
        fit(self.words_edit.setFixedWidth, 110)
        self.due_box = QCheckBox(self.tr("by"), self)
        self.due_box.setAccessibleName(self.tr("By a date"))
        self.due_edit = DayEdit(self)
        self.due_edit.setAccessibleName(self.tr("Deadline"))
        self.set_button = QPushButton(self.tr("Set Goal"), self)
        self.remove_button = QPushButton(self.tr("Remove Goal"), self)
        self.bar = GoalBar(self)
        self.sentence = plain_label(self)
        self.sentence.setWordWrap(True)
        self._lay_out()
        self.due_box.toggled.connect(self._check)
        self.words_edit.textChanged.connect(self._check)
        self.set_button.clicked.connect(self._set)
        self.remove_button.clicked.connect(self._remove)
        themes.changed.connect(self._dress)
        self._dress()

    def show_goal(self, progress: GoalProgress | None, today: date) -> None:
        """Show the stored goal, or that there is none."""
        self._progress = progress
        due = None if progress is None else progress.goal.due
        self.words_edit.setText("" if progress is None else number_text(progress.goal.words))
        self.due_box.setChecked(due is not None)
        shown = QDate(today.year, today.month, today.day).addDays(7 * _DEFAULT_WEEKS)
        self.due_edit.setDate(shown if due is None else QDate(due.year, due.month, due.day))
        self.bar.setVisible(progress is not None)
        self.remove_button.setVisible(progress is not None)
        if progress is not None:
            self.bar.setValue(int(progress.fraction * self.bar.maximum()))
        self._check()

    def _lay_out(self) -> None:
        caption = plain_label(self, text=self.tr("Goal for the book"))
        caption.setObjectName("caption")
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self.words_edit)
        row.addWidget(plain_label(self, text=self.tr("words")))
        row.addSpacing(8)
        row.addWidget(self.due_box)
        row.addWidget(self.due_edit)
        row.addStretch(1)
        for button in (self.remove_button, self.set_button):
            button.setAutoDefault(False)
            row.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(caption)
        layout.addLayout(row)
        layout.addWidget(self.bar)
        layout.addWidget(self.sentence)

    @property
    def _words(self) -> int | None:
        return words_meant(self.words_edit.text())

    @property
    def _due(self) -> date | None:
        chosen = self.due_edit.date()
        return date(chosen.year(), chosen.month(), chosen.day()) if self.due_box.isChecked() else None

    @property
    def _sentence(self) -> str:
        if self._words is None and self.words_edit.text().strip():
            limits = (number_text(MIN_GOAL_WORDS), number_text(MAX_BOOK_WORDS))
            return self.tr("Enter a goal of {0} to {1} words.").format(*limits)
        if self._progress is None:
            return self.tr("No book goal set.")
        return self._way_to_go(self._progress)

    def _way_to_go(self, progress: GoalProgress) -> str:
        there = self.tr("{0} of {1} words.").format(
            number_text(progress.num_words), number_text(progress.goal.words)
        )
        due, a_day, left = progress.goal.due, progress.words_per_day, number_text(progress.words_left)
        if progress.is_reached:
            more = self.tr("Goal reached.")
        elif due is None:
            more = self.tr("{0} to go.").format(left)
        elif a_day is None:
            more = self.tr("{0} to go, but {1} has passed. Choose another date.").format(left, day_text(due))
        elif progress.days_left == 1:
            more = self.tr("{0} to go, due today.").format(left)
        else:
            more = self.tr("{0} to go: {1} a day until {2}.").format(left, number_text(a_day), day_text(due))
        return f"{there} {more}"

    @Slot()
    def _check(self) -> None:
        self.due_edit.setEnabled(self.due_box.isChecked())
        self.set_button.setEnabled(self._words is not None)
        self.sentence.setText(self._sentence)

    @Slot()
    def _set(self) -> None:
        if self._words is not None:
            self.goal_wanted.emit(self._words, self._due)

    @Slot()
    def _remove(self) -> None:
        if self._progress is not None:
            self.removal_wanted.emit(self._progress.goal.goal_id)

    @Slot()
    def _dress(self) -> None:
        self.bar.set_tokens(self._themes.tokens)
