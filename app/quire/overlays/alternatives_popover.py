"""What a model would have written in place of a word: a small window at the word, closed by Esc."""

from __future__ import annotations

import html
from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.domain.text_quality.token_surprise import WordAlternative, WordChoice
from quire.system.number_text import number_text
from quire.theme.colour_tokens import Tokens
from quire.theme.fonts import headline_font, interface_font
from quire.theme.text_size import fit, set_scaled_font
from quire.ui.form_parts import caption

_WIDTH_PX = 340
_TEXT_PX = 15
_LIST_PX = 190
_APART_PX = 6
_STEPS = 1000
_KEYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class AlternativesPopover(QDialog):
    """Shows progress, and then words in their sentence with what else could stand there.

    Signals:
        redraft_asked: the character from which on the text is set aside, and its replacement.
        replace_asked: a character, the words from there on, and those to put in their place.
    """

    redraft_asked = Signal(int, str)
    replace_asked = Signal(int, str, str)

    def __init__(self, tokens: Tokens, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._word = QRect()
        self.setStyleSheet(
            f"#alternatives {{ background: {tokens.raised}; border: 1px solid {tokens.edge}; }}"
        )
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("alternatives")
        self.setAccessibleName(self.tr("Alternatives"))
        fit(self.setFixedWidth, _WIDTH_PX)
        self._choices: Sequence[WordChoice] = ()
        self.chosen = 0
        self.sentence = QLabel(self)
        self.sentence.setTextFormat(Qt.TextFormat.RichText)
        self.sentence.setWordWrap(True)
        set_scaled_font(self.sentence, headline_font, _TEXT_PX)
        self.hint = caption(self)
        self.bar = QProgressBar(self)
        self.bar.setRange(0, 0)
        self.bar.setTextVisible(False)
        self.bar.setFixedHeight(6)
        self.list = QListWidget(self)
        self.list.setObjectName("sideList")
        self.list.setAccessibleName(self.tr("Alternatives, the most likely first"))
        set_scaled_font(self.list, interface_font)
        fit(self.list.setFixedHeight, _LIST_PX)
        self.replace_button = QPushButton(self.tr("Replace"), self)
        self.replace_button.setToolTip(self.tr("Changes this word only; the text after it stays"))
        self.redraft_button = QPushButton(self.tr("Redraft From Here"), self)
        self.redraft_button.setToolTip(
            self.tr("Keeps the text from here on as a take and drafts a new one starting with this word")
        )
        self._lay_out()
        self.list.itemActivated.connect(self._replace)
        self.list.currentRowChanged.connect(self._refresh)
        self.replace_button.clicked.connect(self._replace)
        self.redraft_button.clicked.connect(self._redraft)
        self._show_found(found=False)
        self._refresh()
        self.hint.setText(self.tr("Asking the model…"))

    # ------------------------------------------------------------ input
    def open_at(self, word: QRect) -> None:
        """Open below a word, in screen coordinates; above it where there is no room below."""
        self._word = word
        self._place()
        self.show()
        self.setFocus()

    def show_share(self, share: float) -> None:
        """Show how much of the text the model has read, from 0 to 1."""
        self.bar.setRange(0, _STEPS)
        self.bar.setValue(round(_STEPS * share))

    def show_problem(self, sentence: str) -> None:
        """Show why there are no alternatives."""
        self.bar.hide()
        self.hint.setText(sentence)
        self._place()

    def show_choices(self, choices: Sequence[WordChoice], chosen: int = 0) -> None:
        """Show words and what else could stand in their places."""
        self._choices = choices
        if not choices:
            self.show_problem(self.tr("The model has no other word for this place."))
            return
        self._show_found(found=True)
        self.choose(chosen)
        self.list.setFocus()
        self._place()

    def choose(self, number: int) -> None:
        """Show the alternatives of a word."""
        self.chosen = min(max(number, 0), len(self._choices) - 1)
        choice = self._choices[self.chosen]
        before, word, after = (html.escape(part) for part in choice.in_sentence)
        self.sentence.setText(f"{before}<b><u>{word}</u></b>{after}")
        said = self.tr("“{0}” is {1} likely here.").format(choice.word, percent(choice.probability))
        if len(self._choices) > 1:
            said += " " + self.tr("Left and Right show the other words.")
        self.hint.setText(said)
        self.list.clear()
        for other in choice.alternatives:
            item = QListWidgetItem(f"{other.text.strip()}    {percent(other.probability)}")
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self._refresh()

    # ------------------------------------------------------------ events
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from word to word with the arrow keys."""
        step = _KEYS.get(Qt.Key(event.key()))
        if step is not None and self._choices:
            self.choose(self.chosen + step)
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------ inside
    def _alternative(self) -> WordAlternative | None:
        row = self.list.currentRow()
        others = self._choices[self.chosen].alternatives if self._choices else ()
        return others[row] if 0 <= row < len(others) else None

    @Slot()
    def _replace(self) -> None:
        other = self._alternative()
        if other is not None:
            choice = self._choices[self.chosen]
            self.accept()
            self.replace_asked.emit(choice.start, choice.text, other.text)

    @Slot()
    def _redraft(self) -> None:
        other = self._alternative()
        if other is not None:
            start = self._choices[self.chosen].start
            self.accept()
            self.redraft_asked.emit(start, other.text)

    @Slot()
    def _refresh(self) -> None:
        for button in (self.replace_button, self.redraft_button):
            button.setEnabled(self._alternative() is not None)

    def _place(self) -> None:
        """Take the room that is needed, without covering the word."""
        self.adjustSize()
        screen, word = self.screen().availableGeometry(), self._word
        top = word.bottom() + _APART_PX
        if top + self.height() > screen.bottom():
            top = word.top() - _APART_PX - self.height()
        left = min(word.left(), screen.right() - self.width())
        self.move(max(left, screen.left()), max(top, screen.top()))

    def _show_found(self, *, found: bool) -> None:
        self.bar.setVisible(not found)
        for widget in (self.sentence, self.list, self.replace_button, self.redraft_button):
            widget.setVisible(found)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        for button in (self.replace_button, self.redraft_button):
            button.setAutoDefault(False)  # Enter in the list belongs to the list
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.setSpacing(8)
        layout.addWidget(self.sentence)
        layout.addWidget(self.hint)
        layout.addWidget(self.bar)
        layout.addWidget(self.list)
        layout.addLayout(buttons)


def percent(probability: float) -> str:
    """Return a probability formatted for the screen, small ones with more digits."""
    if probability >= 0.1:
        return f"{probability:.0%}"
    return (
        f"{number_text(100 * max(probability, 0.001), 1)}%"
        if probability >= 0.001
        else f"< {number_text(0.1, 1)}%"
    )
