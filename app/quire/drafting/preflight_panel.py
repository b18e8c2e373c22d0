"""The panel below Continue with the estimate for a long draft before it starts."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Qt, Signal, Slot
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.domain.drafting.context_usage import words_in
from quire.domain.drafting.draft_goal import DraftGoal
from quire.domain.drafting.goal_parsing import MAX_GOAL_WORDS, MIN_GOAL_WORDS
from quire.domain.drafting.preflight import SHOW_FROM_WORDS, MemoryNeed, Preflight, RoomFit
from quire.domain.drafting.reread_cost import duration_text
from quire.domain.drafting.reread_decision import PrefillEstimate
from quire.drafting.pace_model import rounded_min
from quire.system.file_sizes import size_text
from quire.system.number_text import number_text
from quire.theme.fonts import headline_font
from quire.theme.text_size import fit, set_scaled_font
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.calm_fields import CalmSpin
from quire.ui.labels import plain_label
from quire.ui.translated import translated

WIDTH_PX = 520
_TEXT_MARGIN_PX = 8
_STEP_WORDS = 500


class PreflightPanel(QFrame):
    """Shows a Preflight in the window, below the button that asked for it; the text stays accessible.

    Signals:
        start_asked: start the draft.
        cancelled: do not start it.
        shown_from_changed: number of words from which it is shown automatically; 0 for never.
    """

    start_asked = Signal()
    cancelled = Signal()
    shown_from_changed = Signal(int)

    def __init__(self, themes: ThemeSwitch, anchor: QWidget) -> None:
        """Create the panel in the window of `anchor`, the button above it."""
        super().__init__(anchor.window())
        self._themes, self._anchor = themes, anchor
        self._texts = PreflightTexts(self)
        self.setObjectName("preflight")
        self.setAccessibleName(self.tr("Before you start"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAutoFillBackground(True)
        self.headline = plain_label(self, text=self.tr("Before you start"))
        set_scaled_font(self.headline, headline_font, 20)
        self.values: dict[str, QLabel] = {}
        self._titles: dict[str, QLabel] = {}
        self._rows = QGridLayout()
        self._rows.setHorizontalSpacing(18)
        self._rows.setVerticalSpacing(8)
        self._rows.setColumnStretch(1, 1)
        for row, (name, title) in enumerate(self._texts.titles().items()):
            self._add_row(row, name, title)
        self.shown_box = QCheckBox(self.tr("Show for"), self)
        self.shown_words = CalmSpin(self)
        self.shown_words.setRange(MIN_GOAL_WORDS, MAX_GOAL_WORDS)
        self.shown_words.setSingleStep(_STEP_WORDS)
        self.shown_words.setGroupSeparatorShown(True)
        self.shown_words.setSuffix(self.tr(" words or more"))
        self.shown_words.lineEdit().setTextMargins(_TEXT_MARGIN_PX, 0, 0, 0)  # a style sheet cannot set this
        self.shown_words.setAccessibleName(self.tr("Show this panel for goals of at least this many words"))
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self.start_button = QPushButton(self.tr("Start"), self)
        self.start_button.setProperty("primary", True)
        self._lay_out()
        self._wire()
        self.set_shown_from(SHOW_FROM_WORDS)
        self._dress()
        self.hide()

    def _add_row(self, row: int, name: str, title: str) -> None:
        caption = plain_label(self, text=title)
        caption.setObjectName("caption")
        value = plain_label(self)
        value.setWordWrap(True)
        caption.setBuddy(value)
        self._rows.addWidget(caption, row, 0, Qt.AlignmentFlag.AlignTop)
        self._rows.addWidget(value, row, 1)
        self.values[name], self._titles[name] = value, caption

    def _lay_out(self) -> None:
        below = QHBoxLayout()
        below.setSpacing(8)
        below.addWidget(self.shown_box)
        below.addWidget(self.shown_words)
        below.addStretch(1)
        below.addWidget(self.cancel_button)
        below.addWidget(self.start_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 20, 24, 18)
        layout.setSpacing(14)
        layout.addWidget(self.headline)
        layout.addLayout(self._rows)
        layout.addLayout(below)
        fit(self.setFixedWidth, WIDTH_PX)

    def _wire(self) -> None:
        self.start_button.clicked.connect(self._start)
        self.cancel_button.clicked.connect(self.cancel)
        self.shown_box.toggled.connect(self._say_shown_from)
        self.shown_words.editingFinished.connect(self._say_shown_from)
        self._themes.changed.connect(self._dress)

    # ------------------------------------------------------------ input
    def set_shown_from(self, words: int) -> None:
        """Set the number of words from which it is shown automatically; 0 for never."""
        for widget in (self.shown_box, self.shown_words):
            widget.blockSignals(True)
        self.shown_box.setChecked(words > 0)
        self.shown_words.setEnabled(words > 0)
        if words > 0:
            self.shown_words.setValue(words)
        for widget in (self.shown_box, self.shown_words):
            widget.blockSignals(False)

    def show_preflight(self, preflight: Preflight, *, is_loading: bool = False) -> None:
        """Show what is known; is_loading: values from the model follow when it is loaded."""
        for name, text in self._texts.of(preflight, is_loading=is_loading).items():
            label = self.values[name]
            label.setText(text)
            label.setAccessibleName(text)
            for widget in (label, self._titles[name]):
                widget.setVisible(bool(text))
        memory = RoomFit.UNKNOWN if preflight.memory is None else preflight.memory.fit
        self._warn("memory", on=memory in (RoomFit.TOO_LARGE, RoomFit.TIGHT))
        self._place()

    def open(self) -> None:
        """Show the panel, ready to start with Return."""
        self._place()
        self.show()
        self.raise_()
        self.start_button.setFocus()

    @Slot()
    def cancel(self) -> None:
        """Close without starting."""
        if self.isVisible():
            self._leave()
            self.cancelled.emit()

    # ------------------------------------------------------------ Qt events
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Start on Return, cancel on Esc; both keys are handled here."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            (self.cancel if self.cancel_button.hasFocus() else self._start)()
        elif event.key() == Qt.Key.Key_Escape:
            self.cancel()
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------ inside
    @Slot()
    def _start(self) -> None:
        self._leave()
        self.start_asked.emit()

    def _leave(self) -> None:
        self.hide()
        self._anchor.setFocus()

    @Slot()
    def _say_shown_from(self) -> None:
        on = self.shown_box.isChecked()
        self.shown_words.setEnabled(on)
        self.shown_from_changed.emit(self.shown_words.value() if on else 0)

    def _warn(self, name: str, *, on: bool) -> None:
        label, tokens = self.values[name], self._themes.tokens
        font = label.font()
        font.setWeight(QFont.Weight.DemiBold if on else QFont.Weight.Normal)
        label.setFont(font)
        label.setProperty("warned", on)
        label.setStyleSheet(f"color: {tokens.warning_ink if on else tokens.ink};")

    def _place(self) -> None:
        """Place it below the button, for which every window is large enough; the button does not move."""
        window = self._anchor.window()
        self.adjustSize()
        below = self._anchor.mapTo(window, QPoint(0, self._anchor.height() + 10))
        right = window.width() - self.width() - 8
        self.move(max(min(below.x(), right), 0), below.y())

    @Slot()
    def _dress(self) -> None:
        tokens = self._themes.tokens
        self.setStyleSheet(
            f"#preflight {{ background: {tokens.raised}; border: 1px solid {tokens.edge};"
            " border-radius: 10px; }"
        )
        for name, label in self.values.items():
            self._warn(name, on=bool(label.property("warned")))


_SHORT_PHRASE = 40


class PreflightTexts(QObject):
    """Turns figures into sentences."""

    def titles(self) -> dict[str, str]:
        """Return the titles of the rows by name, in order."""
        return {
            "goal": self.tr("Goal"),
            "place": self.tr("Location"),
            "reading": self.tr("Reads first"),
            "time": self.tr("Time"),
            "memory": self.tr("Memory needed"),
            "space": self.tr("Context"),
            "snapshot": self.tr("Snapshot"),
            "unused": self.tr("No effect there"),
        }

    def of(self, flight: Preflight, *, is_loading: bool) -> dict[str, str]:
        """Return the text of each row; one without a text is not shown."""
        waiting = self.tr("Loading the model…") if is_loading else self.tr("Not known yet")
        return {
            "goal": self._goal(flight.goal),
            "place": flight.place,
            "reading": self._reading(flight.reading),
            "time": self._time(flight, is_loading=is_loading),
            "memory": self._memory_of(flight, waiting),
            "space": self._space(flight) if flight.context else waiting,
            "snapshot": self._snapshot(flight.snapshot),
            "unused": ", ".join(translated(name) for name in flight.unused),
        }

    def _goal(self, goal: DraftGoal) -> str:
        if goal.words is not None:
            said = self.tr("{0} words, to the end of a sentence").format(number_text(goal.words))
        elif goal.at_heading:
            said = self.tr("To the end of the chapter, {0} words at most").format(
                number_text(goal.words_at_most)
            )
        elif goal.minutes is not None:
            said = self.tr("{0} minutes, including reading time").format(number_text(goal.minutes))
        else:
            said = self.tr("To a phrase")
        if not goal.phrase:
            return said
        phrase = goal.phrase
        if len(phrase) > _SHORT_PHRASE:
            phrase = f"{phrase[:_SHORT_PHRASE]}…"
        return self.tr("{0}; or “{1}”").format(said, phrase)

    def _reading(self, reading: PrefillEstimate) -> str:
        if reading.tokens == 0:
            return self.tr("Nothing: the model has already read the text")
        words = self.tr("About {0} words").format(number_text(words_in(reading.tokens)))
        if reading.seconds is None:
            return words
        return self.tr("{0}, {1}").format(words, translated(duration_text(reading.seconds)))

    def _time(self, flight: Preflight, *, is_loading: bool) -> str:
        if flight.goal.words is None and flight.goal.minutes is not None:
            return self.tr("{0} min at most").format(number_text(flight.goal.minutes))
        if flight.time is None and flight.words_go_to:
            return self.tr("Not known: it depends on the server")
        if flight.time is None and is_loading:
            return self.tr("Loading the model…")
        if flight.time is None:
            return self.tr("Unknown until this model has drafted in this project")
        low, high = (rounded_min(seconds / 60) for seconds in (flight.time.low_s, flight.time.high_s))
        if flight.time.high_s < 60:
            said = self.tr("Under a minute")
        elif low == high:
            said = self.tr("About {0} min").format(low)
        elif high >= 120:
            said = self.tr("About {0} to {1} h").format(number_text(low / 60, 1), number_text(high / 60, 1))
        else:
            said = self.tr("About {0} to {1} min").format(low, high)
        if flight.goal.words is None:
            said = self.tr("{0} at most").format(said)
        return self.tr("{0} (from earlier drafts)").format(said)

    def _memory_of(self, flight: Preflight, waiting: str) -> str:
        if flight.words_go_to:
            return self.tr("None here. Words go to {0}").format(translated(flight.words_go_to))
        return waiting if flight.memory is None else self._memory(flight.memory)

    def _memory(self, need: MemoryNeed) -> str:
        place = self.tr("on the GPU") if need.is_on_gpu else self.tr("of RAM")
        needed, free = size_text(need.needed), size_text(need.free)
        match need.fit:
            case RoomFit.TOO_LARGE:
                return self.tr("About {0} {1}, {2} free: choose a smaller goal or model").format(
                    needed, place, free
                )
            case RoomFit.TIGHT:
                return self.tr("About {0} {1}, {2} free: close other programs").format(needed, place, free)
            case RoomFit.FITS:
                return self.tr("About {0} {1}, {2} free").format(needed, place, free)
            case RoomFit.UNKNOWN:
                return self.tr("About {0} {1}; free amount unknown").format(needed, place)

    def _space(self, flight: Preflight) -> str:
        about = number_text(words_in(flight.tokens_at_goal)), number_text(words_in(flight.context))
        if flight.space is RoomFit.FITS:
            return self.tr("Fits: about {0} of {1} words at the goal").format(*about)
        return self.tr(
            "Longer than the model can remember (about {0} of {1} words): it will forget the oldest part as"
            " it writes"
        ).format(*about)

    def _snapshot(self, name: str) -> str:
        if not name:
            return self.tr("Not needed: this resumes the last draft")
        return self.tr("“{0}”, in the Snapshots panel").format(name)
