"""What a draft model is trained on, and the cost."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.ui.calm_fields import CalmCombo
from quire.ui.file_dialogs import TextFileDialog
from quire.ui.labels import ElidedLabel, plain_label

_WIDTH = 480
TIMES = (5, 20, 60)
"""Minutes to choose from."""
_USUAL_TIME = 20


class PrepareDialog(QDialog):
    """Asks what to train on.

    Signals:
        wanted: the text files as a tuple of paths, whether to include the open book, and for how many
            minutes; 0 for as long as it takes.
    """

    wanted = Signal(object, bool, int)

    def __init__(
        self, name: str, *, has_book: bool, is_begun: bool = False, parent: QWidget | None = None
    ) -> None:
        """Create the dialog; is_begun: resume earlier training with the texts chosen then."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Speed Up {0}").format(name))
        self.setMinimumWidth(_WIDTH)
        self._is_begun = is_begun
        self._texts: tuple[Path, ...] = ()
        self.hint = plain_label(self)
        self.hint.setWordWrap(True)
        self.hint.setText(
            self.tr("Training was stopped earlier. It will resume where it left off, with the same texts.")
            if is_begun
            else self.tr(
                "Quire trains a small draft model that predicts what this model will write, so drafts come"
                " faster. It never changes the text. A few minutes help and longer training helps more;"
                " you can stop and resume it at any time. More text is better: a novel's worth or more."
            )
        )
        self.book_box = QCheckBox(self.tr("Use the open book"), self)
        self.book_box.setChecked(has_book)
        self.book_box.setEnabled(has_book)
        self.time_box = CalmCombo(self)
        for minutes in TIMES:
            self.time_box.addItem(self.tr("{0} minutes").format(minutes), minutes)
        self.time_box.addItem(self.tr("Everything (hours)"), 0)
        self.time_box.setCurrentIndex(TIMES.index(_USUAL_TIME))
        self.time_form = QWidget(self)
        self.files_button = QPushButton(self.tr("Choose Text Files…"), self)
        self.files_label = ElidedLabel(self)
        self.start_button = QPushButton(self.tr("Resume") if is_begun else self.tr("Speed Up"), self)
        self.start_button.setProperty("primary", True)
        self.start_button.setDefault(True)
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        for part in (self.book_box, self.files_button, self.files_label, self.time_form):
            part.setHidden(is_begun)
        self._lay_out()
        self.book_box.toggled.connect(self._refresh)
        self.files_button.clicked.connect(self.ask_for_files)
        self.start_button.clicked.connect(self._start)
        self.cancel_button.clicked.connect(self.reject)
        self._refresh()

    def take_files(self, paths: Sequence[str]) -> None:
        """Set the chosen texts."""
        self._texts = tuple(Path(path) for path in paths)
        self._refresh()

    @Slot()
    def ask_for_files(self) -> QFileDialog:
        """Let the writer choose texts."""
        dialog = TextFileDialog(self)
        dialog.setWindowTitle(self.tr("Choose UTF-8 Text Files"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setNameFilters([self.tr("Text files (*.txt *.md)")])
        dialog.filesSelected.connect(self.take_files)
        dialog.open()
        return dialog

    @Slot()
    def _refresh(self) -> None:
        names = ", ".join(path.name for path in self._texts)
        self.files_label.show_text(names or self.tr("No files chosen"))
        has_text = self.book_box.isChecked() or bool(self._texts)
        self.start_button.setEnabled(has_text or self._is_begun)

    @Slot()
    def _start(self) -> None:
        with_book = self.book_box.isChecked() and not self._is_begun
        self.wanted.emit(self._texts, with_book, self.time_box.currentData())
        self.accept()

    def _lay_out(self) -> None:
        files = QHBoxLayout()
        files.setSpacing(12)
        files.addWidget(self.files_button)
        files.addWidget(self.files_label, 1)
        time = QFormLayout(self.time_form)
        time.setContentsMargins(0, 0, 0, 0)
        time.addRow(self.tr("&Time"), self.time_box)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.start_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(14)
        layout.addWidget(self.hint)
        layout.addWidget(self.book_box)
        layout.addLayout(files)
        layout.addWidget(self.time_form)
        layout.addLayout(buttons)
