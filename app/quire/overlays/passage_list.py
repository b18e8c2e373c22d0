"""What the lists about repetition have in common: a table of passages, and a way to their places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QModelIndex, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLayout, QPushButton, QVBoxLayout, QWidget

from quire.overlays.passage_rows import PassageRows
from quire.overlays.passage_view import passage_view
from quire.theme.overlay_colours import overlay_sheet
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import plain_label


class PassageList(QDialog):
    """Stays open beside the text, so that places can be looked at one after another.

    Signals:
        place_chosen: a text and a range of characters in it.

    Attributes:
        next_button: goes to the next place; each list calls it by a name of its own.
    """

    place_chosen = Signal(int, int, int)

    def __init__(self, passages: PassageRows[Any], themes: ThemeSwitch, parent: QWidget | None) -> None:
        super().__init__(parent)
        self._passages, self._themes = passages, themes
        passages.setParent(self)
        self._titles: Mapping[int, str] = {}
        self.table = passage_view(passages, self)
        self.summary_label = plain_label(self)
        self.summary_label.setObjectName("overlayNote")
        self.summary_label.setWordWrap(True)
        self.place_label = plain_label(self)
        self.place_label.setObjectName("overlayNote")
        self.next_button = QPushButton(self)
        self.refresh_button = QPushButton(self.tr("&Refresh"), self)
        self.copy_button = QPushButton(self.tr("&Copy as CSV"), self)
        self.copy_button.setToolTip(self.tr("Copy the list as CSV"))
        self.close_button = QPushButton(self.tr("Close"), self)
        self.next_button.clicked.connect(self.show_next)
        self.refresh_button.clicked.connect(self._ask)
        self.copy_button.clicked.connect(self._copy)
        self.close_button.clicked.connect(self.close)
        self.table.activated.connect(self.show_next)
        self.table.selectionModel().currentRowChanged.connect(self._refresh)
        themes.changed.connect(self._dress)

    # ------------------------------------------------------------ what a list decides
    def csv_text(self) -> str:
        """Return the list as CSV."""
        raise NotImplementedError

    def ask_for_report(self) -> None:
        """Have the passages looked for again."""
        raise NotImplementedError

    def show_buttons(self) -> None:
        """Enable what can be done with the selected passage."""
        self.next_button.setEnabled(self._passages.rowCount() > 0)
        self.copy_button.setEnabled(self._passages.rowCount() > 0)

    # ------------------------------------------------------------ for the lists
    @property
    def row(self) -> int:
        """Return the selected row, negative without one."""
        return self.table.currentIndex().row()

    @contextmanager
    def changing(self, titles: Mapping[int, str]) -> Iterator[None]:
        """Select the same passage again once others are shown; titles: of the texts they are in."""
        chosen = self._passages.line(self.row)
        self._titles = titles
        yield
        texts = [line.text for line in self._passages.lines]
        row = texts.index(chosen.text) if chosen is not None and chosen.text in texts else 0
        self.table.setCurrentIndex(self._passages.index(row, 0))
        self.summary_label.setText(self._passages.summary())
        self.table.setAccessibleDescription(self._passages.summary())
        self._refresh()

    def lay_out(self, *buttons: QPushButton, head: QLayout | None = None) -> None:
        """Put the table above the sentence and the buttons.

        Args:
            head: what is above the table, with the place; None: the place is below it.
        """
        bar = QHBoxLayout()
        bar.setSpacing(8)
        for button in (*buttons, self.refresh_button, self.copy_button):
            bar.addWidget(button)
        bar.addStretch(1)
        bar.addWidget(self.close_button)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Enter in the table belongs to the table
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 14, 18, 14)
        layout.setSpacing(10)
        if head is not None:
            layout.addLayout(head)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.summary_label)
        if head is None:
            layout.addWidget(self.place_label)
        layout.addLayout(bar)
        self._dress()

    # ------------------------------------------------------------ slots
    @Slot()
    def show_next(self) -> None:
        """Go to the next place of the selected passage."""
        found, line = self._passages.next_place(self.row), self._passages.line(self.row)
        if found is None or line is None:
            return
        number, place = found
        title = self._titles.get(place.document_id, "")
        where = self.tr("{0} of {1}").format(number + 1, line.count)
        self.place_label.setText(f"{where} · {title}" if title else where)
        self.place_chosen.emit(place.document_id, place.start, place.end)

    @Slot()
    def _ask(self) -> None:
        self.ask_for_report()

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.csv_text())

    @Slot(QModelIndex, QModelIndex)
    def _refresh(self, _now: QModelIndex | None = None, _before: QModelIndex | None = None) -> None:
        self.place_label.setText("")
        self.show_buttons()

    @Slot()
    def _dress(self) -> None:
        self.setStyleSheet(overlay_sheet(self._themes.tokens))
