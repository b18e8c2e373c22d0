"""Dialogs for files and folders; they open none of the files they show."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

from PySide6.QtCore import QFileInfo, QSize, QStandardPaths, Qt, Slot
from PySide6.QtGui import QAbstractFileIconProvider, QIcon
from PySide6.QtWidgets import QFileDialog, QFileIconProvider, QWidget

from quire.domain.manuscript.project_file_names import SUFFIX
from quire.ui.dialog_size import resize_within_screen

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
    """Is opened with open(), does not block, and is deleted when closed.

    It starts in the folder that is asked for, else where the writer last chose something, else in the
    documents: never in the folder of the program.
    """

    _last_folder: ClassVar[Path | None] = None

    def __init__(self, title: str, folder: Path | None, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if sys.platform not in ("win32", "darwin"):  # there a project's locks do not depend on who closes it
            self.setOption(QFileDialog.Option.DontUseNativeDialog)
            self._provider = UnopenedFiles()
            self.setIconProvider(self._provider)
        self.setDirectory(str(_first_there(folder, ThemedFileDialog._last_folder)))
        self.fileSelected.connect(self._remember_folder)
        resize_within_screen(self, _SIZE)

    @Slot(str)
    def _remember_folder(self, path: str) -> None:
        ThemedFileDialog._last_folder = Path(path).parent


def _first_there(*folders: Path | None) -> Path:
    """Return the first folder that exists, else that of the documents, else the home folder."""
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    known = (folder for folder in (*folders, Path(documents)) if folder is not None)
    return next((folder for folder in known if folder.is_dir()), Path.home())


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
        is_copy: the writer goes on working in the open project.
    """

    def __init__(self, path: Path, parent: QWidget | None = None, *, is_copy: bool = False) -> None:
        super().__init__("", path.parent, parent)
        self.setWindowTitle(self.tr("Save a Copy") if is_copy else self.tr("Save Under Another Name"))
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
            [
                self.tr("Manuscripts (*.txt *.md *.markdown *.docx *.odt *.epub *.rtf *.html *.htm)"),
                self.tr("All files (*)"),
            ]
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
