"""The phrases that a book uses more often than published novels do, as a list."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QPushButton, QWidget

from quire.domain.text_quality.frequent_phrases import PhraseReport, phrases_csv
from quire.overlays.passage_list import PassageList
from quire.overlays.phrase_rows import PhraseRows
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.dialog_size import resize_within_screen

_SIZE = QSize(680, 480)


class PhraseList(PassageList):
    """Lists phrases, which the model can be asked to avoid.

    Signals:
        wanted: look for the phrases of the book.
        avoid_asked: let the model avoid a phrase.
    """

    wanted = Signal()
    avoid_asked = Signal(str)

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        rows = PhraseRows()
        super().__init__(rows, themes, parent)
        self.rows = rows
        self.next_button.setText(self.tr("&Go There"))
        self.setObjectName("phraseList")
        self.setWindowTitle(self.tr("Frequent Phrases"))
        resize_within_screen(self, _SIZE)
        self._avoided: Collection[str] = ()
        self._may_avoid = False
        self.table.setAccessibleName(self.tr("Phrases"))
        self.avoid_button = QPushButton(self.tr("&Avoid This Phrase"), self)
        self.avoid_button.setToolTip(self.tr("Add it to the words to avoid: the next draft does without it"))
        self.avoid_button.clicked.connect(self._avoid)
        self.lay_out(self.next_button, self.avoid_button)
        self.show_searching()

    # ------------------------------------------------------------ input
    def show_searching(self) -> None:
        """Show that the phrases are being counted."""
        self.summary_label.setText(self.tr("Counting phrases…"))

    def show_report(self, report: PhraseReport, titles: Mapping[int, str]) -> None:
        """List phrases. titles: of the texts they are in."""
        with self.changing(titles):
            self.rows.show_report(report)

    def show_avoided(self, phrases: Collection[str], *, may_avoid: bool) -> None:
        """Set which phrases are avoided already, and whether others can be."""
        self._avoided, self._may_avoid = frozenset(phrase.lower() for phrase in phrases), may_avoid
        self.show_buttons()

    def csv_text(self) -> str:
        """Return the list as CSV."""
        return phrases_csv(self.rows.report, self._titles)

    def ask_for_report(self) -> None:
        """Have the phrases counted again."""
        self.show_searching()
        self.wanted.emit()

    def show_buttons(self) -> None:
        """Enable what can be done with the selected phrase."""
        super().show_buttons()
        phrase = self.rows.line(self.row)
        self.next_button.setEnabled(phrase is not None)
        is_avoided = phrase is not None and phrase.text.lower() in self._avoided
        self.avoid_button.setText(self.tr("Avoided") if is_avoided else self.tr("&Avoid This Phrase"))
        self.avoid_button.setEnabled(phrase is not None and self._may_avoid and not is_avoided)

    @Slot()
    def _avoid(self) -> None:
        phrase = self.rows.line(self.row)
        if phrase is not None:
            self.avoid_asked.emit(phrase.text)
