"""Dialogs for files and folders; they open none of the files they show."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QFileInfo, QSize, Qt
from PySide6.QtGui import QAbstractFileIconProvider, QIcon
from PySide6.QtWidgets import QFileDialog, QFileIconProvider, QWidget

from quire.domain.manuscript.project_file_names import SUFFIX

_SIZE = QSize(860, 560)


class UnopenedFiles(QFileIconProvider):
    """Recognizes files by their names.

    Qt's own provider reads a file to find out what it is. That must not happen to a project in our process:
    closing the file would drop SQLite's locks on it.
    """

    def icon(self, of: QAbstractFileIconProvider.IconType | QFileInfo, /) -> QIcon:
        """Return the icon of a folder or of a file."""
        if not isinstance(of, QFileInfo):
            return super().icon(of)
        kind = (
            QAbstractFileIconProvider.IconType.Folder
            if of.isDir()
            else QAbstractFileIconProvider.IconType.File
        )
        return super().icon(kind)

    def type(self, info: QFileInfo) -> str:
        """Return the text of the column "Type"."""
        if info.isDir():
            return "Folder"
        return "Quire project" if info.fileName().endswith(SUFFIX) else "File"


class ThemedFileDialog(QFileDialog):
    """Is opened with open(), does not block, and is deleted when closed."""

    def __init__(self, title: str, folder: Path | None, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if sys.platform not in ("win32", "darwin"):  # there a project's locks do not depend on who closes it
            self.setOption(QFileDialog.Option.DontUseNativeDialog)
            self._provider = UnopenedFiles()
            self.setIconProvider(self._provider)
        if folder is not None:
            self.setDirectory(str(folder))
        self.resize(_SIZE)


class ProjectFileDialog(ThemedFileDialog):
    """Chooses a project to open."""

    def __init__(self, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__("", folder, parent)
        self.setWindowTitle(self.tr("Open Project"))
        self.setFileMode(QFileDialog.FileMode.ExistingFile)
        self.setNameFilters([self.tr("Quire projects (*{0})").format(SUFFIX), self.tr("All files (*)")])


class SaveProjectDialog(ThemedFileDialog):
    """Chooses the name of a new project file.

    Args:
        path: the name that is offered.
    """

    def __init__(self, path: Path, parent: QWidget | None = None) -> None:
        super().__init__("", path.parent if path.parent.is_dir() else None, parent)
        self.setWindowTitle(self.tr("Save Under Another Name"))
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setDefaultSuffix(SUFFIX.removeprefix("."))
        self.setNameFilters([self.tr("Quire projects (*{0})").format(SUFFIX)])
        self.selectFile(path.name)


class TextFileDialog(ThemedFileDialog):
    """Chooses a text to import."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("", None, parent)
        self.setWindowTitle(self.tr("Import Manuscript"))
        self.setFileMode(QFileDialog.FileMode.ExistingFile)
        self.setNameFilters(
            [self.tr("Manuscripts (*.txt *.md *.markdown *.docx *.odt *.epub)"), self.tr("All files (*)")]
        )


class RunDataDialog(ThemedFileDialog):
    """Chooses where to save run data; the extension decides the format."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__("", None, parent)
        self.setWindowTitle(self.tr("Export Run Data"))
        self.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        self.setNameFilters(
            [self.tr("Table of all steps (*.csv)"), self.tr("JSON, one line per run (*.json)")]
        )
        self.setDefaultSuffix("csv")
        self.selectFile(name)


class FolderDialog(ThemedFileDialog):
    """Chooses a folder."""

    def __init__(self, title: str, folder: Path | None = None, parent: QWidget | None = None) -> None:
        super().__init__(title, folder, parent)
        self.setFileMode(QFileDialog.FileMode.Directory)
        self.setOption(QFileDialog.Option.ShowDirsOnly)
