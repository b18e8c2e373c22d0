"""Title, place and opening of a new project."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from quire.models.new_project import NewProject, file_name_of
from quire.theme.fonts import reading_font
from quire.widgets.file_dialogs import FolderDialog
from quire.widgets.labels import ElidedLabel, plain_label


class NewProjectDialog(QDialog):
    """Asks for what a project needs; open it with open(), it never blocks."""

    project_wanted = Signal(NewProject)

    def __init__(self, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self.setWindowTitle(self.tr("New Project"))
        self.setMinimumWidth(580)
        self.title_edit = QLineEdit(self)
        self.title_edit.setAccessibleName(self.tr("Title"))
        self.title_edit.setPlaceholderText(self.tr("The title of your book"))
        self.folder_label = ElidedLabel(self)
        self.folder_button = QPushButton(self.tr("Change..."), self)
        self.folder_button.setAutoDefault(False)
        self.opening_edit = QPlainTextEdit(self)
        self.opening_edit.setAccessibleName(self.tr("Opening"))
        self.opening_edit.setTabChangesFocus(True)
        self.opening_edit.setPlaceholderText(
            self.tr(
                "Paste or write a beginning, or leave it empty.\n"
                "A page or more helps the model find the voice."
            )
        )
        self.opening_edit.setMinimumHeight(200)
        self.opening_edit.setFont(reading_font(16))
        self.problem_label = plain_label(self)
        self.create_button = QPushButton(self.tr("Create"), self)
        self.create_button.setProperty("primary", True)
        self.create_button.setDefault(True)
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self._lay_out()
        self.title_edit.textChanged.connect(self._check)
        self.folder_button.clicked.connect(self._choose_folder)
        self.create_button.clicked.connect(self._create)
        self.cancel_button.clicked.connect(self.reject)
        self._check()

    def _lay_out(self) -> None:
        fields = QGridLayout()
        fields.setHorizontalSpacing(14)
        fields.setVerticalSpacing(12)
        fields.setColumnStretch(1, 1)
        for row, text in enumerate((self.tr("Title"), self.tr("Folder"), self.tr("Opening"))):
            caption = plain_label(self, text=text)
            caption.setObjectName("caption")
            fields.addWidget(caption, row, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            caption.setContentsMargins(0, 7, 0, 0)
        fields.addWidget(self.title_edit, 0, 1, 1, 2)
        fields.addWidget(self.folder_label, 1, 1)
        fields.addWidget(self.folder_button, 1, 2)
        fields.addWidget(self.opening_edit, 2, 1, 1, 2)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addWidget(self.problem_label, 1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.create_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 24, 24, 20)
        layout.setSpacing(18)
        layout.addLayout(fields)
        layout.addLayout(buttons)

    @property
    def _path(self) -> Path | None:
        name = file_name_of(self.title_edit.text())
        return self._folder / name if name else None

    @Slot()
    def _check(self) -> None:
        path = self._path
        taken = path is not None and path.exists()
        self.problem_label.setText(
            self.tr("There is already a project of this name in the folder.") if taken else ""
        )
        self.create_button.setEnabled(path is not None and not taken)
        self.folder_label.show_text(str(self._folder if path is None else path))

    @Slot()
    def _choose_folder(self) -> None:
        dialog = FolderDialog(self.tr("Folder for the project"), self._folder, self)
        dialog.fileSelected.connect(self._take_folder)
        dialog.open()

    @Slot(str)
    def _take_folder(self, folder: str) -> None:
        self._folder = Path(folder)
        self._check()

    @Slot()
    def _create(self) -> None:
        path = self._path
        if path is None:
            return
        opening = self.opening_edit.document().toRawText().replace("\u2029", "\n")
        self.project_wanted.emit(NewProject(path, self.title_edit.text().strip(), opening.strip("\n")))
        self.accept()
