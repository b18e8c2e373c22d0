"""The worst echoes of the open text or of the whole book, as a list."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from quire.domain.text_quality.echo_report import EchoReport, echo_csv
from quire.overlays.echo_table import EchoTable
from quire.overlays.passage_list import PassageList
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.dialog_size import resize_within_screen

_SIZE = QSize(640, 460)


class EchoScope(Enum):
    """Whose echoes are listed."""

    TEXT = "text"
    BOOK = "book"


class EchoList(PassageList):
    """Lists echoes, so that they can be fixed one after another.

    Signals:
        wanted: look for the echoes of this scope.
    """

    wanted = Signal(EchoScope)

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        rows = EchoTable()
        super().__init__(rows, themes, parent)
        self.rows = rows
        self.next_button.setText(self.tr("Show &Next"))
        self.setObjectName("echoList")
        self.setWindowTitle(self.tr("Echo List"))
        resize_within_screen(self, _SIZE)
        self.scope = EchoScope.TEXT
        self.scope_buttons = {
            EchoScope.TEXT: self._scope_button(self.tr("This Text")),
            EchoScope.BOOK: self._scope_button(self.tr("Whole Book")),
        }
        self.table.setAccessibleName(self.tr("Echoes"))
        self.lay_out(self.next_button, head=self._head())
        self.scope_buttons[self.scope].setChecked(True)
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
        if scope is self.scope:
            with self.changing(titles):
                self.rows.show_report(report)

    def csv_text(self) -> str:
        """Return the list as CSV."""
        return echo_csv(self.rows.report, self._titles)

    def ask_for_report(self) -> None:
        """Have the echoes looked for again."""
        self.show_searching()
        self.wanted.emit(self.scope)

    # ------------------------------------------------------------ inside
    def _scope_button(self, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setCheckable(True)
        button.setProperty("segment", True)
        return button

    def _head(self) -> QHBoxLayout:
        """Return the choice of the scope, and room for the place."""
        head, group = QHBoxLayout(), QButtonGroup(self)
        head.setSpacing(2)
        for button in self.scope_buttons.values():
            group.addButton(button)
            button.clicked.connect(self._turn_scope)
            head.addWidget(button)
        head.addStretch(1)
        head.addWidget(self.place_label)
        return head

    @Slot()
    def _turn_scope(self) -> None:
        self.scope = next(scope for scope, button in self.scope_buttons.items() if button.isChecked())
        self.ask_for_report()
