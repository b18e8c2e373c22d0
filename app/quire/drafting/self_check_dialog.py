"""The dialog of the self-check: purpose, progress, and result."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.theme.fonts import figures_font, headline_font
from quire.theme.text_size import set_scaled_font
from quire.theme.theme_switch import ThemeSwitch
from quire.ui.labels import plain_label
from quire.ui.progress_parts import GoalBar
from quire.ui.translated import translated

_SIZE = QSize(520, 0)
_WHOLE = 1000


class SelfCheckDialog(QDialog):
    """Asks for a check, and shows its progress and result; it does not check anything itself.

    Signals:
        begin_asked: start.
        stop_asked: stop, also when the dialog is closed meanwhile.
    """

    begin_asked = Signal()
    stop_asked = Signal()

    def __init__(self, themes: ThemeSwitch, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_running = False
        self.setWindowTitle(self.tr("Self-Check"))
        self.headline = plain_label(self, text=self.tr("Self-Check"))
        set_scaled_font(self.headline, headline_font, 22)
        self.sentence = plain_label(
            self,
            text=self.tr(
                "Acceleration should never change a single word. Quire drafts 256 tokens from the end of"
                " your text twice with the same seed, with and without acceleration, and compares the"
                " results. Nothing is added to your text."
            ),
        )
        self.sentence.setObjectName("caption")
        self.bar = GoalBar(self)
        self.bar.setRange(0, _WHOLE)
        self.bar.setAccessibleName(self.tr("Progress"))
        self.bar.set_tokens(themes.tokens)
        self.result_label = plain_label(self)
        for label in (self.sentence, self.result_label):
            label.setWordWrap(True)
        self._table = QWidget(self)
        self._cells = QGridLayout(self._table)
        self._cells.setContentsMargins(0, 0, 0, 0)
        self._cells.setHorizontalSpacing(28)
        self._cells.setVerticalSpacing(5)
        self.begin_button = QPushButton(self.tr("Check"), self)
        self.begin_button.setProperty("primary", True)
        self.begin_button.setDefault(True)
        self.begin_button.clicked.connect(self.begin_asked)
        self.stop_button = QPushButton(self.tr("Stop"), self)
        self.stop_button.clicked.connect(self.stop_asked)
        self.close_button = QPushButton(self.tr("Close"), self)
        self.close_button.clicked.connect(self.reject)
        self._lay_out()
        self.show_result("")

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addStretch(1)
        for button in (self.close_button, self.stop_button, self.begin_button):
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(28, 24, 28, 20)
        layout.setSpacing(12)
        for widget in (self.headline, self.sentence, self.bar, self.result_label, self._table):
            layout.addWidget(widget)
        layout.addStretch(1)
        layout.addSpacing(8)
        layout.addLayout(buttons)
        self.setMinimumWidth(_SIZE.width())
        self.resize(_SIZE)

    @property
    def is_running(self) -> bool:
        """Return whether a check is running."""
        return self._is_running

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Return the table below the result, row by row."""
        columns = self._cells.columnCount()
        return tuple(
            tuple(self._cell(row, column) for column in range(columns))
            for row in range(self._cells.rowCount())
            if self._cells.itemAtPosition(row, 0) is not None
        )

    def show_progress(self, fraction: float, sentence: str) -> None:
        """Show the progress, from 0 to 1, and the current step."""
        if not self._is_running:
            self._clear()
        self._switch(running=True)
        self.bar.setValue(round(min(max(fraction, 0.0), 1.0) * _WHOLE))
        self.result_label.setText(translated(sentence))

    def show_result(self, sentence: str, rows: Sequence[Sequence[str]] = ()) -> None:
        """Show the result: a sentence, and a table whose first row is the header."""
        self._switch(running=False)
        self.result_label.setText(translated(sentence))
        self._clear()
        for row, cells in enumerate(rows):
            for column, text in enumerate(cells):
                self._add_cell(row, column, text)
        self._table.setVisible(bool(rows))
        self.adjustSize()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop a running check."""
        self._stop()
        super().closeEvent(event)

    @Slot()
    def reject(self) -> None:
        """Stop a running check, and close."""
        self._stop()
        super().reject()

    def _stop(self) -> None:
        if self._is_running:
            self.stop_asked.emit()

    def _switch(self, *, running: bool) -> None:
        had_focus = self._is_running != running
        self._is_running = running
        self.bar.setVisible(running)
        self.begin_button.setVisible(not running)
        self.stop_button.setVisible(running)
        if had_focus:
            (self.stop_button if running else self.close_button).setFocus()

    def _add_cell(self, row: int, column: int, text: str) -> None:
        label = plain_label(self._table, text=text)
        if row == 0:
            label.setObjectName("caption")
        else:
            set_scaled_font(label, figures_font)
        self._cells.addWidget(label, row, column, Qt.AlignmentFlag.AlignRight)

    def _cell(self, row: int, column: int) -> str:
        item = self._cells.itemAtPosition(row, column)
        widget = None if item is None else item.widget()
        return str(widget.property("text")) if widget is not None else ""

    def _clear(self) -> None:
        while (item := self._cells.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
