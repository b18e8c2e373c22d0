"""The dialog that chooses a model in a file."""

from __future__ import annotations

from PySide6.QtWidgets import QFileDialog, QWidget

from quire.ui.dropped_files import MODEL_SUFFIX
from quire.ui.file_dialogs import ThemedFileDialog


class ModelFileDialog(ThemedFileDialog):
    """Chooses a model in a file."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", None, parent)
        self.setWindowTitle(self.tr("Choose Model File"))
        self.setFileMode(QFileDialog.FileMode.ExistingFile)
        self.setNameFilters([self.tr("Models (*{0})").format(MODEL_SUFFIX), self.tr("All files (*)")])
