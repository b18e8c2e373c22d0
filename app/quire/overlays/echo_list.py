"""The worst echoes of the open text or of the whole book, as a list."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from PySide6.QtCore import QModelIndex, QSize, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.domain.text_quality.echo_report import EchoReport, echo_csv
from quire.overlays.echo_table import EchoTable
from quire.overlays.passage_view import passage_view
from quire.theme.overlay_colours import overlay_sheet
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import plain_label

_SIZE = QSize(640, 460)


class EchoScope(Enum):
    """Whose echoes are listed."""

    TEXT = "text"
    BOOK = "book"


class EchoList(QDialog):
    """Stays open beside the text, so that echoes can be fixed one after another.

    Signals:
        wanted: look for the echoes of this scope.
        place_chosen: a text and a range of characters in it.
    """

    wanted = Signal(EchoScope)
    place_chosen = Signal(int, int, int)

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("echoList")
        self.setWindowTitle(self.tr("Echo List"))
        self.resize(_SIZE)
        self._themes = themes
        self._titles: Mapping[int, str] = {}
        self.scope = EchoScope.TEXT
        self.scope_buttons = {
            EchoScope.TEXT: self._scope_button(self.tr("This Text")),
            EchoScope.BOOK: self._scope_button(self.tr("Whole Book")),
        }
        self.rows = EchoTable(self)
        self.table = passage_view(self.rows, self)
        self.table.setAccessibleName(self.tr("Echoes"))
        self.summary_label = plain_label(self)
        self.summary_label.setObjectName("overlayNote")
        self.summary_label.setWordWrap(True)
        self.place_label = plain_label(self)
        self.place_label.setObjectName("overlayNote")
        self.next_button = QPushButton(self.tr("Show &Next"), self)
        self.refresh_button = QPushButton(self.tr("&Refresh"), self)
        self.copy_button = QPushButton(self.tr("&Copy as CSV"), self)
        self.copy_button.setToolTip(self.tr("Copy the list as CSV"))
        self.close_button = QPushButton(self.tr("Close"), self)
        self._lay_out()
        self._wire()
        self.scope_buttons[self.scope].setChecked(True)
        self._dress()
        self.show_searching()

    # ------------------------------------------------------------ input
    def show_searching(self) -> None:
        """Show that the echoes are being looked for."""
        self.summary_label.setText(self.tr("Looking for echoes…"))

    def show_report(self, scope: EchoScope, report: EchoReport, titles: Mapping[int, str]) -> None:
        """List echoes, unless the writer asked for others meanwhile.

        Args:
            scope: whose echoes they are.
            report: the echoes.
            titles: the titles of the texts they are in.
        """
        if scope is not self.scope:
            return
        chosen = self.rows.line(self.table.currentIndex().row())
        self._titles = titles
        self.rows.show_report(report)
        texts = [line.text for line in report.lines]
        row = texts.index(chosen.text) if chosen is not None and chosen.text in texts else 0
        self.table.setCurrentIndex(self.rows.index(row, 0))
        self.summary_label.setText(self.rows.summary())
        self.table.setAccessibleDescription(self.rows.summary())
        self._refresh()

    def csv_text(self) -> str:
        """Return the list as CSV."""
        return echo_csv(self.rows.report, self._titles)

    # ------------------------------------------------------------ building
    def _scope_button(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setCheckable(True)
        button.setProperty("segment", True)
        return button

    def _buttons(self) -> tuple[QPushButton, ...]:
        return self.next_button, self.refresh_button, self.copy_button, self.close_button

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(2)
        for button in (*self.scope_buttons.values(), *self._buttons()):
            button.setAutoDefault(False)  # Enter in the table belongs to the table
        for button in self.scope_buttons.values():
            head.addWidget(button)
        head.addStretch(1)
        head.addWidget(self.place_label)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in self._buttons():
            buttons.addWidget(button)
        buttons.insertStretch(buttons.count() - 1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 14, 18, 14)
        layout.setSpacing(10)
        layout.addLayout(head)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.summary_label)
        layout.addLayout(buttons)

    def _wire(self) -> None:
        group = QButtonGroup(self)
        for button in self.scope_buttons.values():
            group.addButton(button)
            button.clicked.connect(self._turn_scope)
        self.next_button.clicked.connect(self.show_next)
        self.refresh_button.clicked.connect(self._ask)
        self.copy_button.clicked.connect(self._copy)
        self.close_button.clicked.connect(self.close)
        self.table.activated.connect(self.show_next)
        self.table.selectionModel().currentRowChanged.connect(self._refresh)
        self._themes.changed.connect(self._dress)

    # ------------------------------------------------------------ slots
    @Slot()
    def show_next(self) -> None:
        """Go to the next occurrence of the selected passage."""
        found = self.rows.next_place(self.table.currentIndex().row())
        line = self.rows.line(self.table.currentIndex().row())
        if found is None or line is None:
            return
        number, place = found
        title = self._titles.get(place.document_id, "")
        where = self.tr("{0} of {1}").format(number + 1, line.count)
        self.place_label.setText(f"{where} · {title}" if title else where)
        self.place_chosen.emit(place.document_id, place.start, place.end)

    @Slot()
    def _turn_scope(self) -> None:
        self.scope = next(scope for scope, button in self.scope_buttons.items() if button.isChecked())
        self._ask()

    @Slot()
    def _ask(self) -> None:
        self.show_searching()
        self.wanted.emit(self.scope)

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.csv_text())

    @Slot(QModelIndex, QModelIndex)
    def _refresh(self, _now: QModelIndex | None = None, _before: QModelIndex | None = None) -> None:
        has_lines = self.rows.rowCount() > 0
        for button in (self.next_button, self.copy_button):
            button.setEnabled(has_lines)
        self.place_label.setText("")

    @Slot()
    def _dress(self) -> None:
        self.setStyleSheet(overlay_sheet(self._themes.tokens))
