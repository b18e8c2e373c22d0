"""Dialogs for the files that spelling reads and writes."""

from __future__ import annotations

from PySide6.QtWidgets import QFileDialog, QWidget

from quire.ui.file_dialogs import ThemedFileDialog


class WordFileDialog(ThemedFileDialog):
    """Chooses a text file with one word per line, to be read or written."""

    def __init__(self, parent: QWidget | None = None, *, to_write: bool) -> None:
        super().__init__("", None, parent)
        self.setNameFilters([self.tr("Word lists (*.txt *.dic)"), self.tr("All files (*)")])
        if to_write:
            self.setWindowTitle(self.tr("Export Personal Dictionary"))
            self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            self.setDefaultSuffix("txt")
            self.selectFile(self.tr("words.txt"))
        else:
            self.setWindowTitle(self.tr("Import Words"))
            self.setFileMode(QFileDialog.FileMode.ExistingFile)


class DictionaryFileDialog(ThemedFileDialog):
    """Chooses one of the two files of a dictionary."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", None, parent)
        self.setWindowTitle(self.tr("Add Dictionary"))
        self.setFileMode(QFileDialog.FileMode.ExistingFile)
        self.setNameFilters([self.tr("Hunspell dictionaries (*.aff *.dic)")])
