"""A phrase at which a draft stops."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from quire.domain.drafting.draft_goal import MAX_PHRASE
from quire.theme.fonts import reading_font
from quire.ui.labels import plain_label

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
        self.headline.setFont(reading_font(22))
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
