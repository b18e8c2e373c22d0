"""Dialogs for the files that spelling reads and writes."""

from __future__ import annotations

import sys

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from quire.widgets.file_dialogs import UnopenedFiles

_SIZE = QSize(860, 560)


class _SpellingFileDialog(QFileDialog):
    """Opens with open(), never blocks, and goes when it is closed."""

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if sys.platform not in ("win32", "darwin"):
            self.setOption(QFileDialog.Option.DontUseNativeDialog)
            self._provider = UnopenedFiles()
            self.setIconProvider(self._provider)
        self.resize(_SIZE)


class WordFileDialog(_SpellingFileDialog):
    """Chooses a text file with one word in each line, to be read or to be written."""

    def __init__(self, parent: QWidget | None = None, *, to_write: bool) -> None:
        super().__init__(parent)
        self.setNameFilters([self.tr("Lists of words (*.txt *.dic)"), self.tr("All files (*)")])
        if to_write:
            self.setWindowTitle(self.tr("Export the word list"))
            self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            self.setDefaultSuffix("txt")
            self.selectFile(self.tr("words.txt"))
        else:
            self.setWindowTitle(self.tr("Import words"))
            self.setFileMode(QFileDialog.FileMode.ExistingFile)


class DictionaryFileDialog(_SpellingFileDialog):
    """Chooses one of the two files of a dictionary."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Add a dictionary"))
        self.setFileMode(QFileDialog.FileMode.ExistingFile)
        self.setNameFilters([self.tr("Hunspell dictionaries (*.aff *.dic)")])
