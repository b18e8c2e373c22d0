"""State and progress of the draft, in the line at the bottom."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from quire.domain.drafting.draft_goal import DraftGoal
from quire.domain.drafting.draft_status import DraftState
from quire.drafting.pace_model import MinutesLeft, PaceModel, rounded_min
from quire.shell.draft_progress import ProgressModel
from quire.shell.project_status import ProjectStatus
from quire.system.number_text import number_text
from quire.theme.fonts import figures_font
from quire.theme.text_size import set_scaled_font
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import ElidedLabel, plain_label
from quire.ui.progress_parts import GoalBar, StateDot
from quire.ui.translated import translated

_BAR_PX = 120


class RunStrip(QFrame):
    """State, words, progress, time left, speed and acceleration in one line.

    Signals:
        boost_clicked: show what accelerates the draft.
        pace_clicked: show the charts.
    """

    boost_clicked = Signal()
    pace_clicked = Signal()

    def __init__(
        self,
        status: ProjectStatus,
        progress: ProgressModel,
        pace: PaceModel,
        themes: ThemeSwitch,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("runStrip")
        self.setAccessibleName(self.tr("Draft status"))
        self._status, self._progress, self._pace, self._themes = status, progress, pace, themes
        self._goal: DraftGoal | None = None
        self._is_research = False
        self.dot = StateDot(self)
        self.state_label = plain_label(self, weight=QFont.Weight.DemiBold)
        self.hint_label = ElidedLabel(self)
        # it gives way to what else is in the line
        self.hint_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.server_label = plain_label(self)
        self.server_label.setToolTip(
            self.tr("To draft, Quire sends the newest part of this text there, with what steers the draft.")
        )
        self.words_label = plain_label(self)
        set_scaled_font(self.words_label, figures_font)
        self.bar = GoalBar(self)
        self.bar.setMaximumWidth(_BAR_PX)
        self.time_label = plain_label(self)
        self.pace_button, self.boost_button = QPushButton(self), QPushButton(self)
        for button in (self.pace_button, self.boost_button):
            button.setProperty("segment", True)
            set_scaled_font(button, figures_font)
        self.pace_button.setToolTip(
            self.tr("Words per minute over the last 60 seconds of drafting. Click for charts.")
        )
        self.pace_button.clicked.connect(self.pace_clicked)
        self.boost_button.clicked.connect(self.boost_clicked)
        self._lay_out()
        for model in (status, themes):
            model.changed.connect(self._refresh)
        progress.changed.connect(self._progressed)
        pace.changed.connect(self._show_pace)
        self._refresh()

    def _lay_out(self) -> None:
        layout = self._layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.dot)
        layout.addSpacing(8)
        layout.addWidget(self.state_label)
        layout.addSpacing(12)
        layout.addWidget(self.hint_label, 1)
        layout.addSpacing(16)
        layout.addWidget(self.server_label)
        layout.addSpacing(16)
        layout.addWidget(self.words_label)
        layout.addSpacing(14)
        layout.addWidget(self.bar)
        layout.addSpacing(14)
        layout.addWidget(self.time_label)
        layout.addSpacing(6)
        layout.addWidget(self.pace_button)
        layout.addWidget(self.boost_button)
        for label in (self.hint_label, self.time_label):
            label.setObjectName("caption")

    def set_research(self, *, on: bool) -> None:
        """Show or hide what only the research view has."""
        self._is_research = on
        self._refresh()

    def show_goal(self, goal: DraftGoal | None) -> None:
        """Set a goal other than words; None: there is none."""
        self._goal = goal
        self._refresh()

    @Slot()
    def _refresh(self) -> None:
        phrase = self._phrase()
        self.dot.show_state(self._status.status.state, self._themes.tokens)
        self.dot.setVisible(bool(phrase))
        self.bar.set_tokens(self._themes.tokens)
        self.state_label.setText(phrase)
        self.hint_label.show_text(self._hint())
        self._show_server()
        has_goal = self._progress.goal_words > 0
        self.words_label.setVisible(has_goal)
        self.bar.setVisible(has_goal and not self._is_open)
        self.pace_button.setVisible(has_goal)
        self._show_words()
        self._show_pace()

    @Slot()
    def _progressed(self) -> None:
        """Show nothing but the words of each batch; the time left and the pace come with its pace."""
        if self._status.status.state is DraftState.DRAFTING:
            self._show_words()
        else:
            self._refresh()

    def _show_words(self) -> None:
        self.words_label.setText(self._words())
        self.bar.setValue(round(self._progress.fraction * 1000))

    @Slot()
    def _show_pace(self) -> None:
        self.time_label.setText(self._time_left())
        self.time_label.setVisible(bool(self.time_label.text()))
        pace = self._pace.words_per_min
        self.pace_button.setText(
            self.tr("Charts") if pace is None else self.tr("{0} w/min").format(number_text(pace))
        )
        self._show_boost()

    def _show_server(self) -> None:
        """Show who gets the words, whatever the state: it must be known before Continue is pressed."""
        place = translated(self._status.words_go_to)
        self.server_label.setVisible(bool(place) and self._status.is_open)
        self.server_label.setText(self.tr("Words go to {0}").format(place))

    def _show_boost(self) -> None:
        boost = self._pace.boost
        # how fast a server is without its own acceleration is nothing that could be measured here
        is_measured = self._progress.goal_words > 0 and not self._status.words_go_to
        self.boost_button.setVisible(self._is_research and is_measured)
        self.boost_button.setText(
            self.tr("Boost {0}").format("–" if boost is None else f"{number_text(boost, 1)}×")
        )
        self.boost_button.setToolTip(self._boost_tip())

    def _boost_tip(self) -> str:
        return self.tr(
            "How many times faster than without acceleration, over the last 60 seconds of drafting. Click"
            " for more."
        )

    @property
    def _is_open(self) -> bool:
        """Return whether the goal is not a number of words."""
        return self._goal is not None and self._goal.words is None

    def _words(self) -> str:
        if self._is_open:
            return self.tr("{0} words").format(number_text(self._progress.num_words))
        return self.tr("{0} / {1} words").format(
            number_text(self._progress.num_words), number_text(self._progress.goal_words)
        )

    @property
    def _is_switching(self) -> bool:
        return self._status.switching and not self._status.is_busy  # the draft pauses first, which is shown

    def _phrase(self) -> str:
        if self._status.leaving:
            return self.tr("Saving")
        if not self._status.is_open:
            return ""
        if self._is_switching:
            return self.tr("Opening project")
        if self._status.read_only:
            return self.tr("Read-only")
        status = self._status.status
        if status.is_waiting:
            return self.tr("Waiting for the server")
        if status.state is DraftState.READING and status.read_fraction > 0:
            return self.tr("Reading manuscript {0}%").format(round(status.read_fraction * 100))
        if status.state is DraftState.LOADING and status.is_checking:
            return self.tr("Checking model")
        if status.state is DraftState.LOADING and status.is_preparing:
            percent = round(status.load_fraction * 100)
            return self.tr("Preparing Quire for this processor {0}%").format(percent)
        if status.state is DraftState.LOADING and status.load_fraction > 0:
            return self.tr("Loading model {0}%").format(round(status.load_fraction * 100))
        return self._phrase_of(status.state)

    def _phrase_of(self, state: DraftState) -> str:
        match state:  # no dictionary: this runs for every batch of words, and tr() is slow
            case DraftState.NO_MODEL:
                return self.tr("No model")
            case DraftState.IDLE:
                return self.tr("Ready")
            case DraftState.LOADING:
                return self.tr("Loading model")
            case DraftState.READING:
                return self.tr("Reading manuscript")
            case DraftState.DRAFTING:
                return self.tr("Drafting")
            case DraftState.PAUSING:
                return self.tr("Pausing")
            case DraftState.PAUSED:
                return self.tr("Paused")
            case DraftState.FINISHED:
                return self._end_phrase()
            case DraftState.FAILED:
                return self.tr("Stopped")

    def _end_phrase(self) -> str:
        reached = self._progress.words_left == 0 and self._progress.goal_words > 0
        return self.tr("Goal reached") if reached else self.tr("Finished")

    def _hint(self) -> str:
        if self._status.leaving or not self._status.is_open or self._is_switching or self._status.read_only:
            return ""
        match self._status.status.state:
            case DraftState.NO_MODEL:
                return self.tr("write freely; choose a model to draft")
            case _ if not self._status.target.in_book:
                return self.tr("notes are not drafted; open a chapter to continue the book")
            case state if self._names_place(state):
                return self.tr("Continue will write at the end of “{0}”").format(self._status.target.title)
            case DraftState.IDLE:
                return self.tr("Continue will write at the end of the text")
            case DraftState.DRAFTING if self._status.target.title:
                return self.tr("in “{0}”; you can edit finished paragraphs").format(self._status.target.title)
            case DraftState.LOADING | DraftState.READING | DraftState.DRAFTING:
                return self.tr("you can edit finished paragraphs")
            case DraftState.PAUSING:
                return self.tr("finishing the last word")
            case DraftState.PAUSED:
                return self.tr("edit, or press Continue")
            case DraftState.FINISHED:
                return self.tr("edit, or press Continue for more")
            case DraftState.FAILED:
                return self.tr("everything written so far is saved")

    def _names_place(self, state: DraftState) -> bool:
        """Return whether to say where Continue writes: at first, and wherever that is not the open text."""
        rests = state in (DraftState.PAUSED, DraftState.FINISHED) and not self._status.target.is_here
        return bool(self._status.target.title) and (state is DraftState.IDLE or rests)

    def _time_left(self) -> str:
        read_left_s = self._status.status.read_left_s
        if read_left_s is not None:
            return self._reading_time(read_left_s)
        if self._status.status.state is not DraftState.DRAFTING or not self._progress.words_left:
            return ""
        if self._goal is not None and self._goal.minutes is not None and self._is_open:
            left_min = self._goal.minutes - self._pace.clock_s / 60
            return self._at_most(left_min)
        if self._is_open:
            return self.tr("to the end of the chapter") if self._at_heading else self.tr("to the phrase")
        left = self._pace.time_left(self._progress.words_left)
        return "" if left is None else self._in_words(left)

    @property
    def _at_heading(self) -> bool:
        return self._goal is not None and self._goal.at_heading

    def _at_most(self, left_min: float) -> str:
        """Return the time left of a goal in minutes, part of which was used by the prefill."""
        if left_min < 1:
            return self.tr("under a minute left")
        return self.tr("up to {0} min left").format(rounded_min(left_min))

    def _reading_time(self, left_s: float) -> str:
        if left_s < 90:
            return self.tr("about {0} s left").format(max(1, round(left_s)))
        return self.tr("about {0} min left").format(round(left_s / 60))

    def _in_words(self, left: MinutesLeft) -> str:
        if left.high_min == 0:
            return self.tr("under a minute left")
        if left.high_min >= 120:
            low, high = left.low_min / 60, left.high_min / 60
            if number_text(low, 1) == number_text(high, 1):
                return self.tr("about {0} h left").format(number_text(low, 1))
            return self.tr("about {0} to {1} h left").format(number_text(low, 1), number_text(high, 1))
        if left.low_min == left.high_min:
            return self.tr("about {0} min left").format(left.low_min)
        return self.tr("about {0} to {1} min left").format(left.low_min, left.high_min)
