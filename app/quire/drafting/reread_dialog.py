"""Asks whether the model should read changed text again."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from quire.domain.drafting.context_usage import words_in
from quire.domain.drafting.reread_cost import duration_text
from quire.domain.drafting.reread_decision import PrefillEstimate
from quire.system.number_text import number_text
from quire.theme.fonts import headline_font
from quire.theme.text_size import set_scaled_font
from quire.ui.labels import plain_label
from quire.ui.translated import translated

_SIZE = QSize(560, 0)


class ReadingDialog(QDialog):
    """Offers two ways to continue.

    Signals:
        answered: whether to read again, and whether to remember the answer.
    """

    answered = Signal(bool, bool)

    def __init__(self, place: str, reading: PrefillEstimate, parent: QWidget | None = None) -> None:
        """Create the dialog; place: the chapter with the edit, or empty if it has no name."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Reread Text?"))
        self.headline = plain_label(self, text=self.tr("You edited text the model has already read"))
        set_scaled_font(self.headline, headline_font, 22)
        self.headline.setWordWrap(True)
        self.sentence = plain_label(
            self,
            text=self.tr(
                "Reread it, and the draft continues from your new words. Continue without rereading, and"
                " the draft starts at once but the model remembers the old wording."
            ),
        )
        self.sentence.setObjectName("caption")
        self.sentence.setWordWrap(True)
        self.again_button = QPushButton(self._again(place, reading), self)
        self.again_button.setProperty("primary", True)
        self.again_button.setDefault(True)
        self.again_button.clicked.connect(self._choose_again)
        self.without_button = QPushButton(self.tr("Continue without rereading"), self)
        self.without_button.clicked.connect(self._choose_without)
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self.cancel_button.clicked.connect(self.reject)
        self.remember_box = QCheckBox(self.tr("Remember my answer"), self)
        self.remember_box.setToolTip(self.tr("You can change this in Preferences"))
        self._lay_out()
        self.again_button.setFocus()

    def _lay_out(self) -> None:
        below = QHBoxLayout()
        below.addWidget(self.remember_box, 1)
        below.addWidget(self.cancel_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 24, 28, 20)
        layout.setSpacing(12)
        for widget in (self.headline, self.sentence, self.again_button, self.without_button):
            layout.addWidget(widget)
        layout.addSpacing(6)
        layout.addLayout(below)
        self.resize(_SIZE)

    def _again(self, place: str, reading: PrefillEstimate) -> str:
        cost = self.tr("about {0} words").format(number_text(words_in(reading.tokens)))
        if reading.seconds is not None:
            cost = self.tr("{0}, {1}").format(cost, translated(duration_text(reading.seconds)))
        if not place:
            return self.tr("Reread ({0})").format(cost)
        return self.tr("Reread from {0} ({1})").format(place.replace("&", "&&"), cost)

    @Slot()
    def _choose_again(self) -> None:
        self._answer(again=True)

    @Slot()
    def _choose_without(self) -> None:
        self._answer(again=False)

    def _answer(self, *, again: bool) -> None:
        self.accept()
        self.answered.emit(again, self.remember_box.isChecked())
