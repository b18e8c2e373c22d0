"""The words that the writer wants to write each day."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from quire.system.number_text import number_text
from quire.theme.text_size import fit
from quire.ui.labels import plain_label
from quire.writing_statistics.book_goal_form import TargetForm, words_meant


class DailyTargetForm(TargetForm):
    """Asks for the target, and removes it.

    Signals:
        target_wanted: the words; 0 for no target.
    """

    target_wanted = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words_edit = QLineEdit(self)
        self.words_edit.setAccessibleName(self.tr("Daily target in words"))
        self.words_edit.setPlaceholderText(self.tr("500"))
        fit(self.words_edit.setFixedWidth, 110)
        self.set_button = QPushButton(self.tr("Set Target"), self)
        self.remove_button = QPushButton(self.tr("Remove Target"), self)
        caption = plain_label(self, text=self.tr("Daily target"))
        caption.setObjectName("caption")
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addWidget(self.words_edit)
        row.addWidget(
            plain_label(self, text=self.tr("words of your own; the status bar shows how many there are"))
        )
        row.addStretch(1)
        for button in (self.remove_button, self.set_button):
            button.setAutoDefault(False)
            row.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(caption)
        layout.addLayout(row)
        self.words_edit.textChanged.connect(self._check)
        self.set_button.clicked.connect(self._set)
        self.remove_button.clicked.connect(self._remove)
        self.show_target(0)

    def show_target(self, words: int) -> None:
        """Show the stored target; 0: there is none."""
        self.words_edit.setText(number_text(words) if words else "")
        self.remove_button.setVisible(words > 0)
        self._check()

    @property
    def _words(self) -> int | None:
        return words_meant(self.words_edit.text())

    @Slot()
    def _check(self) -> None:
        self.set_button.setEnabled(self._words is not None)

    @Slot()
    def _set(self) -> None:
        if self._words is not None:
            self.target_wanted.emit(self._words)

    @Slot()
    def _remove(self) -> None:
        self.target_wanted.emit(0)
