"""What was written and when, and the goal of the book."""

from __future__ import annotations

from datetime import date, tzinfo
from pathlib import Path

from PySide6.QtCore import QDate, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QKeyEvent, QTextCharFormat
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDateEdit,
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from quire.domain.drafting.goal_parsing import MIN_GOAL_WORDS, parse_goal
from quire.domain.manuscript.writing_statistics import GoalProgress, Tally, WritingStatistics, signed
from quire.theme.fonts import figures_font
from quire.theme.theme_switch import ThemeKeeper
from quire.ui.file_dialogs import RunDataDialog
from quire.ui.labels import plain_label
from quire.ui.progress_parts import GoalBar
from quire.writing_statistics.sessions_table import ENGLISH, SessionColumn, SessionTable, day_text, time_text

_SIZE = QSize(760, 640)
_SMALLEST = QSize(700, 520)
_FIGURE_PX = 20
_ROW_PX = 30
_DAY_PX = 150
MAX_BOOK_WORDS = 2_000_000
_DEFAULT_WEEKS = 12


def words_meant(text: str) -> int | None:
    """Return the words of a book that "80,000", "80 000 words" or "80k" mean; None when it is no goal."""
    words, is_number = ENGLISH.toInt(text.strip())
    if is_number:  # a book may have more than one draft brings
        return words if MIN_GOAL_WORDS <= words <= MAX_BOOK_WORDS else None
    return parse_goal(text)


class TallyCard(QFrame):
    """What was done in some time: words of the writer, words of the model, time at work."""

    def __init__(self, caption: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.caption = plain_label(self, text=caption)
        self.caption.setObjectName("caption")
        self.figure = plain_label(self, _FIGURE_PX, QFont.Weight.DemiBold)
        self.lines = plain_label(self)
        self.lines.setObjectName("caption")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.caption)
        layout.addWidget(self.figure)
        layout.addWidget(self.lines)

    def show_tally(self, tally: Tally) -> None:
        """Show what was done."""
        self.show_text(
            self.tr("{0} written").format(signed(tally.words_written)),
            self.tr("{0} drafted").format(signed(tally.words_drafted)),
            self.tr("{0} hours at work").format(time_text(tally.active_s)),
        )

    def show_text(self, figure: str, *lines: str) -> None:
        """Show one thing in large, and others below it."""
        self.figure.setText(figure)
        self.lines.setText("\n".join(lines))


class DayEdit(QDateEdit):
    """A day, typed or chosen from a calendar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setLocale(ENGLISH)
        self.setDisplayFormat("d MMMM yyyy")
        self.setCalendarPopup(True)
        self.setMinimumWidth(170)
        for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):  # writers write on them; red is for alarms
            self.calendarWidget().setWeekdayTextFormat(day, QTextCharFormat())


class GoalForm(QWidget):
    """The goal of the book: how many words by when, and how far it is.

    goal_wanted: with the words, and the day or None. removal_wanted: with the number of the goal.
    """

    goal_wanted = Signal(int, object)
    removal_wanted = Signal(int)

    def __init__(self, themes: ThemeKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._themes = themes
        self._progress: GoalProgress | None = None
        self.words_edit = QLineEdit(self)
        self.words_edit.setAccessibleName(self.tr("Words that the book shall have"))
        self.words_edit.setPlaceholderText(self.tr("80,000"))
        self.words_edit.setFixedWidth(110)
        self.due_box = QCheckBox(self.tr("by"), self)
        self.due_box.setAccessibleName(self.tr("By a certain day"))
        self.due_edit = DayEdit(self)
        self.due_edit.setAccessibleName(self.tr("Day by which the book shall have them"))
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
        """Show the goal as it is kept; None: there is none."""
        self._progress = progress
        due = None if progress is None else progress.goal.due
        self.words_edit.setText("" if progress is None else f"{progress.goal.words:,}")
        self.due_box.setChecked(due is not None)
        shown = QDate(today.year, today.month, today.day).addDays(7 * _DEFAULT_WEEKS)
        self.due_edit.setDate(shown if due is None else QDate(due.year, due.month, due.day))
        self.bar.setVisible(progress is not None)
        self.remove_button.setVisible(progress is not None)
        if progress is not None:
            self.bar.setValue(int(progress.fraction * self.bar.maximum()))
        self._check()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take Return for what stands here: the dialog would take it for its Close."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        button = self.focusWidget()
        if isinstance(button, QPushButton):
            button.click()
        else:
            self._set()

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
            limits = (f"{MIN_GOAL_WORDS:,}", f"{MAX_BOOK_WORDS:,}")
            return self.tr("A goal is a number of words from {0} to {1}.").format(*limits)
        if self._progress is None:
            return self.tr("No goal is set for the book.")
        return self._way_to_go(self._progress)

    def _way_to_go(self, progress: GoalProgress) -> str:
        there = self.tr("{0} of {1} words.").format(f"{progress.num_words:,}", f"{progress.goal.words:,}")
        due, a_day, left = progress.goal.due, progress.words_per_day, f"{progress.words_left:,}"
        if progress.is_reached:
            more = self.tr("The goal is reached.")
        elif due is None:
            more = self.tr("{0} to go.").format(left)
        elif a_day is None:
            more = self.tr("{0} to go, and {1} is over. Choose another day.").format(left, day_text(due))
        elif progress.days_left == 1:
            more = self.tr("{0} to go, all of them today.").format(left)
        else:
            more = self.tr("{0} to go: {1} a day until {2}.").format(left, f"{a_day:,}", day_text(due))
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


class SessionsFileDialog(RunDataDialog):
    """Chooses where the table of sessions goes."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.setWindowTitle(self.tr("Export writing sessions"))
        self.setNameFilters([self.tr("A table for spreadsheets (*.csv)")])


class WritingDialog(QDialog):
    """Shows WritingStatistics; open it with open(), it never blocks.

    goal_wanted: with the words, and the day or None. removal_wanted: with the number of the goal.
    export_wanted: with where the table goes. Who answers shows new statistics.
    """

    goal_wanted = Signal(int, object)
    removal_wanted = Signal(int)
    export_wanted = Signal(Path)

    def __init__(
        self,
        statistics: WritingStatistics,
        themes: ThemeKeeper,
        file_stem: str = "",
        zone: tzinfo | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """file_stem: of the table when it is exported. zone: None for the computer's."""
        super().__init__(parent)
        self._file_stem = file_stem
        self.setWindowTitle(self.tr("Writing Statistics"))
        self.setMinimumSize(_SMALLEST)
        self.resize(_SIZE)
        self.today_card = TallyCard(self.tr("Today"), self)
        self.week_card = TallyCard(self.tr("This week"), self)
        self.streak_card = TallyCard(self.tr("Streak"), self)
        self.goal_form = GoalForm(themes, self)
        self.table = SessionTable(zone, self)
        self.view = self._make_view()
        self.nothing_label = plain_label(self, text=self.tr("Nothing has been written in this project yet."))
        self.export_button = QPushButton(self.tr("Export CSV..."), self)
        self.export_button.setAutoDefault(False)
        self.close_button = QPushButton(self.tr("Close"), self)
        self.close_button.setDefault(True)
        self._lay_out()
        self.goal_form.goal_wanted.connect(self.goal_wanted)
        self.goal_form.removal_wanted.connect(self.removal_wanted)
        self.export_button.clicked.connect(self.ask_for_file)
        self.close_button.clicked.connect(self.accept)
        self.show_statistics(statistics)
        self.close_button.setFocus()

    def show_statistics(self, statistics: WritingStatistics) -> None:
        """Show what there is to say now."""
        self.today_card.show_tally(statistics.day)
        self.week_card.show_tally(statistics.week)
        days = statistics.streak_days
        self.streak_card.show_text(
            self.tr("1 day") if days == 1 else self.tr("{0} days").format(f"{days:,}"),
            self.tr("in a row with work on the book") if days else self.tr("Write today to begin one"),
        )
        of_book = (progress for progress in statistics.goals if progress.goal.node_id is None)
        self.goal_form.show_goal(next(of_book, None), statistics.today)
        self.table.show_sessions(statistics.sessions)
        has_sessions = bool(statistics.sessions)
        self.view.setVisible(has_sessions)
        self.nothing_label.setVisible(not has_sessions)
        self.export_button.setEnabled(has_sessions)

    @Slot()
    def ask_for_file(self) -> None:
        """Let the writer choose where the table goes."""
        name = self.tr("{0} sessions").format(self._file_stem) if self._file_stem else self.tr("sessions")
        dialog = SessionsFileDialog(name, self)
        dialog.fileSelected.connect(self._export)
        dialog.open()

    def _make_view(self) -> QTableView:
        view = QTableView(self)
        view.setObjectName("sessions")
        view.setModel(self.table)
        view.setAccessibleName(self.tr("Writing sessions, the newest first"))
        view.setFont(figures_font())
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(_ROW_PX)
        header = view.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(SessionColumn.DAY, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(SessionColumn.DAY, _DAY_PX)
        return view

    def _lay_out(self) -> None:
        cards = QGridLayout()
        cards.setHorizontalSpacing(24)
        for column, card in enumerate((self.today_card, self.week_card, self.streak_card)):
            cards.addWidget(card, 0, column, Qt.AlignmentFlag.AlignTop)
            cards.setColumnStretch(column, 1)
        caption = plain_label(self, text=self.tr("Sessions"))
        caption.setObjectName("caption")
        sessions = QVBoxLayout()
        sessions.setSpacing(8)
        sessions.addWidget(caption)
        sessions.addWidget(self.view, 1)
        sessions.addWidget(self.nothing_label, 1, Qt.AlignmentFlag.AlignTop)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addWidget(self.export_button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 20)
        layout.setSpacing(22)
        layout.addLayout(cards)
        layout.addWidget(self.goal_form)
        layout.addLayout(sessions, 1)
        layout.addLayout(buttons)

    @Slot(str)
    def _export(self, path: str) -> None:
        self.export_wanted.emit(Path(path))
