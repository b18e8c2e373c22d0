"""Models in files: the dialog that chooses one, and what is dropped onto a window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QFileDialog, QWidget

from quire.ui.file_dialogs import ThemedFileDialog

SUFFIX = ".gguf"


class ModelFileDialog(ThemedFileDialog):
    """Chooses a model in a file."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", None, parent)
        self.setWindowTitle(self.tr("Choose Model File"))
        self.setFileMode(QFileDialog.FileMode.ExistingFile)
        self.setNameFilters([self.tr("Models (*{0})").format(SUFFIX), self.tr("All files (*)")])


def model_in(dropped: QMimeData) -> Path | None:
    """Return the first model file or folder among what was dropped, or None."""
    paths = [Path(url.toLocalFile()) for url in dropped.urls() if url.isLocalFile()]
    return next((path for path in paths if path.suffix.lower() == SUFFIX or path.is_dir()), None)
