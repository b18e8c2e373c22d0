"""What was written and when, and the goal of the book."""

from __future__ import annotations

from datetime import tzinfo
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from quire.domain.manuscript.writing_statistics import WritingStatistics, WritingTally, signed
from quire.system.number_text import number_text
from quire.theme.fonts import figures_font
from quire.theme.text_size import fit_rows, follow, scaled, set_scaled_font
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.dialog_size import resize_within_screen
from quire.ui.file_dialogs import RunDataDialog
from quire.ui.labels import plain_label
from quire.writing_statistics.book_goal_form import _DAY_PX, GoalForm
from quire.writing_statistics.daily_target_form import DailyTargetForm
from quire.writing_statistics.sessions_table import SessionColumn, SessionTable, time_text

_SIZE = QSize(760, 680)
_SMALLEST = QSize(700, 440)
_FIGURE_PX = 20
_ROW_PX = 30


class TallyCard(QFrame):
    """The work of a period: words of the writer, words of the model, time."""

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

    def show_tally(self, tally: WritingTally) -> None:
        """Show the work of a period."""
        self.show_text(
            self.tr("{0} written").format(signed(tally.words_written)),
            self.tr("{0} drafted").format(signed(tally.words_drafted)),
            self.tr("{0} hours").format(time_text(tally.active_s)),
        )

    def show_text(self, figure: str, *lines: str) -> None:
        """Show one number in large type, with others below it."""
        self.figure.setText(figure)
        self.lines.setText("\n".join(lines))


class SessionsFileDialog(RunDataDialog):
    """Chooses where to save the table of sessions."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(name, parent)
        self.setWindowTitle(self.tr("Export Writing Sessions"))
        self.setNameFilters([self.tr("Spreadsheet table (*.csv)")])


class WritingDialog(QDialog):
    """Shows WritingStatistics; open it with open(), which does not block.

    Signals:
        goal_wanted: the words, and the deadline or None.
        removal_wanted: the number of the goal.
        export_wanted: the path of the table.
        target_wanted: the words of a day; 0 for no target.
    """

    goal_wanted = Signal(int, object)
    removal_wanted = Signal(int)
    export_wanted = Signal(Path)
    target_wanted = Signal(int)

    def __init__(
        self,
        statistics: WritingStatistics,
        themes: ThemeSwitch,
        file_stem: str = "",
        zone: tzinfo | None = None,
        parent: QWidget | None = None,
    ) -> None:
        """Create the dialog.

        Args:
            statistics: what to show.
            themes: the theme switch.
            file_stem: the suggested file name of an exported table.
            zone: None for the computer's.
        """
        super().__init__(parent)
        self._file_stem = file_stem
        self.setWindowTitle(self.tr("Writing Statistics"))
        self.setMinimumSize(_SMALLEST)
        resize_within_screen(self, _SIZE)
        self.today_card = TallyCard(self.tr("Today"), self)
        self.week_card = TallyCard(self.tr("This week"), self)
        self.streak_card = TallyCard(self.tr("Streak"), self)
        self.goal_form = GoalForm(themes, self)
        self.target_form = DailyTargetForm(self)
        self.table = SessionTable(zone, self)
        self.view = self._make_view()
        self.nothing_label = plain_label(self, text=self.tr("Nothing written in this project yet."))
        self.export_button = QPushButton(self.tr("Export CSV…"), self)
        self.export_button.setAutoDefault(False)
        self.close_button = QPushButton(self.tr("Close"), self)
        self.close_button.setDefault(True)
        self._lay_out()
        self.goal_form.goal_wanted.connect(self.goal_wanted)
        self.goal_form.removal_wanted.connect(self.removal_wanted)
        self.target_form.target_wanted.connect(self.target_wanted)
        self.export_button.clicked.connect(self.ask_for_file)
        self.close_button.clicked.connect(self.accept)
        self.show_statistics(statistics)
        self.close_button.setFocus()

    def show_statistics(self, statistics: WritingStatistics) -> None:
        """Show new statistics."""
        self.today_card.show_tally(statistics.day)
        self.week_card.show_tally(statistics.week)
        days = statistics.streak_days
        self.streak_card.show_text(
            self.tr("1 day") if days == 1 else self.tr("{0} days").format(number_text(days)),
            self.tr("in a row") if days else self.tr("Write today to start a streak"),
        )
        of_book = (progress for progress in statistics.goals if progress.goal.node_id is None)
        self.goal_form.show_goal(next(of_book, None), statistics.today)
        self.target_form.show_target(statistics.daily_target)
        self.table.show_sessions(statistics.sessions)
        has_sessions = bool(statistics.sessions)
        self.view.setVisible(has_sessions)
        self.nothing_label.setVisible(not has_sessions)
        self.export_button.setEnabled(has_sessions)

    @Slot()
    def ask_for_file(self) -> None:
        """Let the writer choose where to save the table."""
        name = self.tr("{0} sessions").format(self._file_stem) if self._file_stem else self.tr("sessions")
        dialog = SessionsFileDialog(name, self)
        dialog.fileSelected.connect(self._export)
        dialog.open()

    def _make_view(self) -> QTableView:
        view = QTableView(self)
        view.setObjectName("sessions")
        view.setModel(self.table)
        view.setAccessibleName(self.tr("Writing sessions, newest first"))
        set_scaled_font(view, figures_font)
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.verticalHeader().hide()
        fit_rows(view, _ROW_PX)
        header = view.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(SessionColumn.DAY, QHeaderView.ResizeMode.Fixed)
        follow(view, "day", _size_day)
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
        layout.addWidget(self.target_form)
        layout.addLayout(sessions, 1)
        layout.addLayout(buttons)

    @Slot(str)
    def _export(self, path: str) -> None:
        self.export_wanted.emit(Path(path))


def _size_day(view: QTableView) -> None:
    view.horizontalHeader().resizeSection(SessionColumn.DAY, scaled(_DAY_PX))
