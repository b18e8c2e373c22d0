"""The phrases that a book uses more often than published novels do, as a list."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from PySide6.QtCore import QModelIndex, QSize, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from quire.domain.text_quality.frequent_phrases import PhraseReport, phrases_csv
from quire.overlays.passage_view import passage_view
from quire.overlays.phrase_rows import PhraseRows
from quire.theme.overlay_colours import overlay_sheet
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import plain_label

_SIZE = QSize(680, 480)


class PhraseList(QDialog):
    """Stays open beside the text, so that places can be looked at one after another.

    Signals:
        wanted: look for the phrases of the book.
        place_chosen: a text and a range of characters in it.
        avoid_asked: let the model avoid a phrase.
    """

    wanted = Signal()
    place_chosen = Signal(int, int, int)
    avoid_asked = Signal(str)

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("phraseList")
        self.setWindowTitle(self.tr("Frequent Phrases"))
        self.resize(_SIZE)
        self._themes = themes
        self._titles: Mapping[int, str] = {}
        self._avoided: Collection[str] = ()
        self._may_avoid = False
        self.rows = PhraseRows(self)
        self.table = passage_view(self.rows, self)
        self.table.setAccessibleName(self.tr("Phrases"))
        self.summary_label = plain_label(self)
        self.summary_label.setObjectName("overlayNote")
        self.summary_label.setWordWrap(True)
        self.place_label = plain_label(self)
        self.place_label.setObjectName("overlayNote")
        self.go_button = QPushButton(self.tr("&Go There"), self)
        self.avoid_button = QPushButton(self.tr("&Avoid This Phrase"), self)
        self.avoid_button.setToolTip(self.tr("Add it to the words to avoid: the next draft does without it"))
        self.refresh_button = QPushButton(self.tr("&Refresh"), self)
        self.copy_button = QPushButton(self.tr("&Copy as CSV"), self)
        self.copy_button.setToolTip(self.tr("Copy the list as CSV"))
        self.close_button = QPushButton(self.tr("Close"), self)
        self._lay_out()
        self._wire()
        self._dress()
        self.show_searching()

    # ------------------------------------------------------------ input
    def show_searching(self) -> None:
        """Show that the phrases are being counted."""
        self.summary_label.setText(self.tr("Counting phrases…"))

    def show_report(self, report: PhraseReport, titles: Mapping[int, str]) -> None:
        """List phrases. titles: of the texts they are in."""
        chosen = self.rows.phrase(self.table.currentIndex().row())
        self._titles = titles
        self.rows.show_report(report)
        texts = [phrase.text for phrase in report.phrases]
        row = texts.index(chosen.text) if chosen is not None and chosen.text in texts else 0
        self.table.setCurrentIndex(self.rows.index(row, 0))
        self.summary_label.setText(self.rows.summary())
        self.table.setAccessibleDescription(self.rows.summary())
        self._refresh()

    def show_avoided(self, phrases: Collection[str], *, may_avoid: bool) -> None:
        """Set which phrases are avoided already, and whether others can be."""
        self._avoided, self._may_avoid = frozenset(phrase.lower() for phrase in phrases), may_avoid
        self._show_buttons()

    def csv_text(self) -> str:
        """Return the list as CSV."""
        return phrases_csv(self.rows.report, self._titles)

    # ------------------------------------------------------------ building
    def _buttons(self) -> tuple[QPushButton, ...]:
        return self.go_button, self.avoid_button, self.refresh_button, self.copy_button, self.close_button

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in self._buttons():
            button.setAutoDefault(False)  # Enter in the table belongs to the table
            buttons.addWidget(button)
        buttons.insertStretch(buttons.count() - 1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 14, 18, 14)
        layout.setSpacing(10)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.summary_label)
        layout.addWidget(self.place_label)
        layout.addLayout(buttons)

    def _wire(self) -> None:
        self.go_button.clicked.connect(self.show_next)
        self.avoid_button.clicked.connect(self._avoid)
        self.refresh_button.clicked.connect(self._ask)
        self.copy_button.clicked.connect(self._copy)
        self.close_button.clicked.connect(self.close)
        self.table.activated.connect(self.show_next)
        self.table.selectionModel().currentRowChanged.connect(self._refresh)
        self._themes.changed.connect(self._dress)

    # ------------------------------------------------------------ slots
    @Slot()
    def show_next(self) -> None:
        """Go to the next occurrence of the selected phrase."""
        row = self.table.currentIndex().row()
        found, phrase = self.rows.next_place(row), self.rows.phrase(row)
        if found is None or phrase is None:
            return
        number, place = found
        title = self._titles.get(place.document_id, "")
        where = self.tr("{0} of {1}").format(number + 1, phrase.count)
        self.place_label.setText(f"{where} · {title}" if title else where)
        self.place_chosen.emit(place.document_id, place.start, place.end)

    @Slot()
    def _avoid(self) -> None:
        phrase = self.rows.phrase(self.table.currentIndex().row())
        if phrase is not None:
            self.avoid_asked.emit(phrase.text)

    @Slot()
    def _ask(self) -> None:
        self.show_searching()
        self.wanted.emit()

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.csv_text())

    @Slot(QModelIndex, QModelIndex)
    def _refresh(self, _now: QModelIndex | None = None, _before: QModelIndex | None = None) -> None:
        self.place_label.setText("")
        self._show_buttons()

    def _show_buttons(self) -> None:
        phrase = self.rows.phrase(self.table.currentIndex().row())
        self.go_button.setEnabled(phrase is not None)
        self.copy_button.setEnabled(self.rows.rowCount() > 0)
        is_avoided = phrase is not None and phrase.text.lower() in self._avoided
        self.avoid_button.setText(self.tr("Avoided") if is_avoided else self.tr("&Avoid This Phrase"))
        self.avoid_button.setEnabled(phrase is not None and self._may_avoid and not is_avoided)

    @Slot()
    def _dress(self) -> None:
        self.setStyleSheet(overlay_sheet(self._themes.tokens))
