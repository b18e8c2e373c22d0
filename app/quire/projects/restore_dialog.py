"""The backups of a project, with what is in each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.domain.manuscript.backup_rotation import Backup, Reason
from quire.domain.written_time import WrittenTime
from quire.system.number_text import number_text
from quire.theme.fonts import interface_font
from quire.theme.text_size import fit, set_scaled_font
from quire.ui.dialog_size import resize_within_screen
from quire.ui.form_parts import caption
from quire.ui.translated import translated

_SIZE = QSize(860, 560)
_LIST_PX = 270


class RestoreDialog(QDialog):
    """Lists backups, the newest first, and shows the text of the selected one.

    Signals:
        restore_asked: the file of the backup.
        look_asked: the number of a row whose text is to be shown.
    """

    restore_asked = Signal(Path)
    look_asked = Signal(int)

    def __init__(self, backups: Sequence[Backup], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Restore from Backup"))
        resize_within_screen(self, _SIZE)
        self.backups = tuple(backups)
        self._damaged = set[int]()
        self.list = QListWidget(self)
        self.list.setObjectName("sideList")
        self.list.setAccessibleName(self.tr("Backups, newest first"))
        set_scaled_font(self.list, interface_font)
        fit(self.list.setFixedWidth, _LIST_PX)
        for backup in self.backups:
            self.list.addItem(self._row(backup, self.tr("counting words…")))
        self.text = QPlainTextEdit(self)
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("Text of this backup"))
        set_scaled_font(self.text, interface_font)
        self.hint = caption(self)
        self.hint.setText(
            self.tr("Restoring makes a new project beside this one. Neither this one nor the backup changes.")
        )
        self.restore_button = QPushButton(self.tr("Restore"), self)
        self.restore_button.setProperty("primary", True)
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self._lay_out()
        self.list.currentRowChanged.connect(self._choose)
        self.restore_button.clicked.connect(self._restore)
        self.cancel_button.clicked.connect(self.reject)

    def show_words(self, row: int, num_words: int | None) -> None:
        """Show how many words a backup has; None: it cannot be read, nor restored."""
        if num_words is None:
            self._damaged.add(row)
            said = self.tr("damaged")
        else:
            said = self.tr("{0} words").format(number_text(num_words))
        self.list.item(row).setText(self._row(self.backups[row], said))
        self._refresh()

    def show_text(self, row: int, text: str) -> None:
        """Show the text of a backup, if it is still the selected one."""
        if row == self.list.currentRow():
            self.text.setPlainText(text)

    @Slot(int)
    def _choose(self, row: int) -> None:
        self.text.setPlainText("")
        self._refresh()
        if row >= 0:
            self.look_asked.emit(row)

    @Slot()
    def _refresh(self) -> None:
        row = self.list.currentRow()
        self.restore_button.setEnabled(row >= 0 and row not in self._damaged)

    @Slot()
    def _restore(self) -> None:
        self.accept()
        self.restore_asked.emit(self.backups[self.list.currentRow()].path)

    def _row(self, backup: Backup, said: str) -> str:
        made = translated(WrittenTime(backup.made))
        return f"{made}\n{self._reason(backup.reason)} \u00b7 {said}"

    def _reason(self, reason: Reason) -> str:
        return {
            Reason.DAILY: self.tr("Daily"),
            Reason.CLOSING: self.tr("At closing"),
            Reason.BEFORE_UPGRADE: self.tr("Before an update of Quire"),
            Reason.ASKED: self.tr("Made by you"),
        }[reason]

    def _lay_out(self) -> None:
        columns = QHBoxLayout()
        columns.setSpacing(14)
        columns.addWidget(self.list)
        columns.addWidget(self.text, 1)
        buttons = QHBoxLayout()
        buttons.addWidget(self.hint, 1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.restore_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 16, 18, 14)
        layout.setSpacing(12)
        layout.addLayout(columns, 1)
        layout.addLayout(buttons)
