"""Shows what accelerates the drafts and what it brings, with a switch for each part."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from quire.domain.drafting.drafter_tally import Earned
from quire.domain.drafting.pass_course import CoursePoint
from quire.drafting.pass_curve import PassCurve
from quire.system.number_text import number_text
from quire.theme.fonts import figures_font, headline_font
from quire.theme.text_size import set_scaled_font
from quire.ui.labels import plain_label
from quire_engine.api.config import Source

LOW_BOOST = 1.2
"""Below this, training a draft model is worth the time."""
_NOTHING_GAINED = 1.05
_WIDTH = 540


@dataclass(frozen=True, slots=True)
class DrafterRow:
    """One kind of drafter.

    Attributes:
        is_there: whether the model has it; None while no model is loaded.
        is_on: whether the writer lets it draft.
        earned: what it brought the draft; None for nothing.
    """

    source: Source
    is_there: bool | None
    is_on: bool
    earned: Earned | None


@dataclass(frozen=True, slots=True)
class AccelerationState:
    """What the dialog shows.

    Attributes:
        is_on: whether drafts are accelerated.
        boost: how many times faster the last minute was than without; None while nothing tells it.
        num_tokens: of the draft.
        on_server: the model runs on a server, which accelerates drafts in its own way.
        course: tokens per pass over the book.
    """

    is_on: bool
    boost: float | None
    num_tokens: int
    rows: tuple[DrafterRow, ...]
    on_server: bool = False
    course: tuple[CoursePoint, ...] = ()


class AccelerationDialog(QDialog):
    """Shows it, and passes on what the writer switches.

    Signals:
        turned: whether drafts are to be accelerated.
        switched: a drafter's Source, and whether it may draft.
        train_asked: train a draft model.
    """

    turned = Signal(bool)
    switched = Signal(object, bool)
    train_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Acceleration"))
        self.headline = plain_label(self, text=self.tr("Acceleration"))
        set_scaled_font(self.headline, headline_font, 22)
        self.sentence = plain_label(self)
        self.auto_button = QRadioButton(self.tr("&Auto: draft ahead with whatever is fastest"), self)
        self.off_button = QRadioButton(self.tr("&Off: draft one token at a time"), self)
        self.note = plain_label(
            self,
            text=self.tr("Applies when you next press Continue. Your draft gets the same words either way."),
        )
        self.course_label = plain_label(self)
        self.curve = PassCurve(self)
        self.offer = plain_label(self, text=self.tr("A trained draft model makes drafts faster."))
        self.train_button = QPushButton(self.tr("&Speed Up This Model…"), self)
        self.close_button = QPushButton(self.tr("Close"), self)
        self.close_button.setDefault(True)
        for label in (self.sentence, self.note, self.course_label, self.offer):
            label.setWordWrap(True)
            label.setObjectName("caption")
        self.boxes: dict[Source, QCheckBox] = {}
        self.figures: dict[Source, QLabel] = {}
        self._rows = QGridLayout()
        self._lay_out()
        self.auto_button.toggled.connect(self.turned)
        self.train_button.clicked.connect(self._train)
        self.close_button.clicked.connect(self.reject)

    def show_state(self, state: AccelerationState) -> None:
        """Show what is true now."""
        self.sentence.setText(self._sentence(state))
        with QSignalBlocker(self.auto_button):
            (self.auto_button if state.is_on else self.off_button).setChecked(True)
        for button in (self.auto_button, self.off_button):
            button.setEnabled(not state.on_server)
        self.note.setVisible(not state.on_server)
        for row in state.rows:
            self._show_row(row, state)
        self._show_course(state.course)
        is_low = state.is_on and state.boost is not None and state.boost < LOW_BOOST
        for part in (self.offer, self.train_button):
            part.setVisible(is_low and not state.on_server)
        self.adjustSize()

    # ------------------------------------------------------------ texts
    def _show_course(self, course: tuple[CoursePoint, ...]) -> None:
        """Show the curve where it has more than a point."""
        for part in (self.course_label, self.curve):
            part.setVisible(len(course) > 1)
        if len(course) > 1:
            first, last = course[0], course[-1]
            self.course_label.setText(
                self.tr(
                    "Over the {0} words drafted in this book: {1} tokens per pass at first, {2} now."
                ).format(
                    number_text(last.words),
                    number_text(first.tokens_per_pass, 2),
                    number_text(last.tokens_per_pass, 2),
                )
            )
            self.curve.show_points(course)

    def _sentence(self, state: AccelerationState) -> str:
        if state.on_server:
            return self.tr("This model runs on a server, which drafts ahead in its own way.")
        if not state.is_on:
            return self.tr("Quire drafts one token at a time.")
        if state.boost is None:
            return self.tr("How much faster this makes your drafts shows after some seconds of drafting.")
        if state.boost < _NOTHING_GAINED:
            return self.tr("So far, drafting ahead gains nothing with this model on this computer.")
        return self.tr("Over the last minute, drafting was {0} times as fast as without.").format(
            number_text(state.boost, 1)
        )

    def _name(self, source: Source) -> str:
        match source:
            case "feature":
                return self.tr("&Draft model")
            case "heads":
                return self.tr("Draft &heads")
            case "partial":
                return self.tr("Part of the &memory")
            case "ngrams" | "fourgrams":
                return self.tr("&Phrase reuse")
            case "draft_model":
                return self.tr("Smaller mod&el")
            case "other":
                return self.tr("Other")

    def _hint(self, source: Source) -> str:
        match source:
            case "feature":
                return self.tr("A small trained model that predicts what this model writes next")
            case "heads":
                return self.tr("Small trained layers, each of which predicts one token further ahead")
            case "partial":
                return self.tr("The model itself, looking back over a part of the text only")
            case "ngrams" | "fourgrams":
                return self.tr("Phrases of your text, and phrases that this model often writes")
            case "draft_model":
                return self.tr("A smaller model, which drafts a few tokens ahead")
            case "other":
                return ""

    def _figures(self, row: DrafterRow, state: AccelerationState) -> str:
        if row.earned is not None:
            share = row.earned.num_tokens / max(state.num_tokens, 1)
            return self.tr("{0} tokens of this draft ({1}%), since word {2}").format(
                number_text(row.earned.num_tokens),
                round(100 * share),
                number_text(row.earned.since_words + 1),
            )
        if row.is_there is False and row.source == "draft_model":
            return self.tr("none chosen for this model")
        if row.is_there is False:
            return self.tr("not trained for this model")
        return self.tr("nothing in this draft so far") if state.num_tokens else ""

    # ------------------------------------------------------------ inside
    def _show_row(self, row: DrafterRow, state: AccelerationState) -> None:
        if row.source not in self.boxes:
            self._add_row(row.source)
        box = self.boxes[row.source]
        with QSignalBlocker(box):
            box.setChecked(row.is_on)
        box.setEnabled(state.is_on and not state.on_server and row.is_there is not False)
        self.figures[row.source].setText(self._figures(row, state))

    def _add_row(self, source: Source) -> None:
        box = self.boxes[source] = QCheckBox(self._name(source), self)
        box.setToolTip(self._hint(source))
        box.toggled.connect(lambda on: self.switched.emit(source, on))
        label = self.figures[source] = plain_label(self)
        set_scaled_font(label, figures_font)
        row = self._rows.rowCount()
        self._rows.addWidget(box, row, 0)
        self._rows.addWidget(label, row, 1)

    def _train(self) -> None:
        self.close()
        self.train_asked.emit()

    def _lay_out(self) -> None:
        self._rows.setContentsMargins(22, 0, 0, 0)
        self._rows.setHorizontalSpacing(24)
        self._rows.setVerticalSpacing(6)
        self._rows.setColumnStretch(1, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.train_button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 24, 28, 20)
        layout.setSpacing(12)
        layout.addWidget(self.headline)
        layout.addWidget(self.sentence)
        layout.addWidget(self.auto_button)
        layout.addLayout(self._rows)
        layout.addWidget(self.off_button)
        layout.addWidget(self.note)
        layout.addWidget(self.course_label)
        layout.addWidget(self.curve)
        layout.addStretch(1)
        layout.addWidget(self.offer)
        layout.addLayout(buttons)
        # of a part, so that longer rows still make the dialog wider
        self.headline.setMinimumWidth(_WIDTH)
