"""Title, folder and starting point of a new project."""

from __future__ import annotations

from enum import Enum
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from quire.domain.manuscript.project_file_names import file_name_of
from quire.projects.new_project import LANGUAGES, NewProject
from quire.projects.new_project_sources import ImportStart, OpeningStart, OutlineStart
from quire.ui.calm_fields import CalmCombo
from quire.ui.dialog_size import resize_within_screen
from quire.ui.file_dialogs import FolderDialog, TextFileDialog
from quire.ui.labels import ElidedLabel, plain_label

_SIZE = QSize(660, 560)


class StartFrom(Enum):
    """The starting points of a new project."""

    BLANK = "blank"
    OPENING = "opening"
    IMPORT = "import"
    OUTLINE = "outline"


class NewProjectDialog(QDialog):
    """Asks for what a project needs; open it with open(), which does not block.

    Signals:
        import_wanted: import a text; with the file and the folder for its project.
    """

    project_wanted = Signal(NewProject)
    import_wanted = Signal(Path, Path)

    def __init__(self, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self.setWindowTitle(self.tr("New Project"))
        self.title_edit = QLineEdit(self)
        self.title_edit.setAccessibleName(self.tr("Title"))
        self.title_edit.setPlaceholderText(self.tr("Your book's title"))
        self.author_edit = QLineEdit(self)
        self.author_edit.setAccessibleName(self.tr("Author"))
        self.author_edit.setPlaceholderText(self.tr("As shown on the title page"))
        self.language_box = _language_box(self, self.tr("Book language"))
        self.folder_label = ElidedLabel(self)
        self.folder_button = QPushButton(self.tr("Change…"), self)
        self.folder_button.setAccessibleName(self.tr("Change folder"))
        self.folder_button.setAutoDefault(False)
        self.starts = self._start_buttons()
        self.blank_label = plain_label(
            self,
            text=self.tr(
                "Starts with one empty chapter. Write an opening before you draft: the model continues from"
                " your text."
            ),
        )
        self.opening_start = OpeningStart(self)
        self.opening_edit = self.opening_start.edit
        self.import_start = ImportStart(self)
        self.outline_start = OutlineStart(self)
        self._pages = self._start_pages()
        self.problem_label = plain_label(self)
        self.problem_label.setWordWrap(True)
        self.create_button = QPushButton(self.tr("Create"), self)
        self.create_button.setProperty("primary", True)
        self.create_button.setDefault(True)
        self.cancel_button = QPushButton(self.tr("Cancel"), self)
        self._lay_out()
        self._wire()
        self.start_from(StartFrom.OPENING)

    @property
    def start(self) -> StartFrom:
        """Return the starting point."""
        return next(start for start, button in self.starts.items() if button.isChecked())

    def start_from(self, start: StartFrom) -> None:
        """Choose the starting point."""
        self.starts[start].setChecked(True)
        self._show_start()

    def suggest(self, title: str) -> None:
        """Fill in an editable title."""
        self.title_edit.setText(title)
        self.title_edit.selectAll()

    # ------------------------------------------------------------ building
    def _start_buttons(self) -> dict[StartFrom, QPushButton]:
        texts = {
            StartFrom.BLANK: self.tr("Blank page"),
            StartFrom.OPENING: self.tr("Opening"),
            StartFrom.IMPORT: self.tr("Imported text"),
            StartFrom.OUTLINE: self.tr("Outline"),
        }
        group = QButtonGroup(self)
        buttons = {}
        for start, text in texts.items():
            button = QPushButton(text, self)
            button.setAccessibleDescription(self.tr("How the project starts"))
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.setProperty("segment", True)
            button.clicked.connect(self._show_start)
            group.addButton(button)
            buttons[start] = button
        return buttons

    def _start_pages(self) -> QStackedWidget:
        pages = QStackedWidget(self)
        self.blank_label.setObjectName("caption")
        self.blank_label.setWordWrap(True)
        self.blank_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        for page in (self.blank_label, self.opening_start, self.import_start, self.outline_start):
            pages.addWidget(page)
        return pages

    def _lay_out(self) -> None:
        fields = QGridLayout()
        fields.setHorizontalSpacing(14)
        fields.setVerticalSpacing(10)
        fields.setColumnStretch(1, 1)
        captions = (
            self.tr("Title"),
            self.tr("Author"),
            self.tr("Language"),
            self.tr("Folder"),
            self.tr("Start from"),
        )
        for row, text in enumerate(captions):
            fields.addWidget(self._caption(text), row, 0)
        fields.addWidget(self.title_edit, 0, 1, 1, 2)
        fields.addWidget(self.author_edit, 1, 1, 1, 2)
        fields.addWidget(self.language_box, 2, 1, 1, 2)
        fields.addWidget(self.folder_label, 3, 1)
        fields.addWidget(self.folder_button, 3, 2)
        starts = QHBoxLayout()
        starts.setSpacing(4)
        for button in self.starts.values():
            starts.addWidget(button)
        starts.addStretch(1)
        fields.addLayout(starts, 4, 1, 1, 2)
        fields.addWidget(self._pages, 5, 1, 1, 2)
        fields.setRowStretch(5, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addWidget(self.problem_label, 1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.create_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 22, 24, 18)
        layout.setSpacing(16)
        layout.addLayout(fields, 1)
        layout.addLayout(buttons)
        resize_within_screen(self, _SIZE)

    def _caption(self, text: str) -> QLabel:
        caption = plain_label(self, text=text)
        caption.setObjectName("caption")
        return caption

    def _wire(self) -> None:
        self.title_edit.textChanged.connect(self._check)
        self.folder_button.clicked.connect(self._choose_folder)
        self.import_start.choose_button.clicked.connect(self._choose_text)
        self.import_start.changed.connect(self._check)
        self.create_button.clicked.connect(self._create)
        self.cancel_button.clicked.connect(self.reject)

    # ------------------------------------------------------------ requests
    @property
    def _path(self) -> Path | None:
        name = file_name_of(self.title_edit.text())
        return self._folder / name if name else None

    @Slot()
    def _show_start(self) -> None:
        self._pages.setCurrentIndex(list(StartFrom).index(self.start))
        imports = self.start is StartFrom.IMPORT
        for field in (self.title_edit, self.author_edit, self.language_box):
            field.setEnabled(not imports)  # the next step previews the file, and asks
        self.create_button.setText(self.tr("Next") if imports else self.tr("Create"))
        self._check()

    @Slot()
    def _check(self) -> None:
        imports = self.start is StartFrom.IMPORT
        path = None if imports else self._path
        taken = path is not None and path.exists()
        self.problem_label.setText(
            self.tr("A project with this name already exists in that folder.") if taken else ""
        )
        ready = self.import_start.path is not None if imports else path is not None and not taken
        self.create_button.setEnabled(ready)
        self.folder_label.show_text(str(self._folder if path is None else path))

    @Slot()
    def _choose_folder(self) -> None:
        dialog = FolderDialog(self.tr("Project Folder"), self._folder, self)
        dialog.fileSelected.connect(self._take_folder)
        dialog.open()

    @Slot(str)
    def _take_folder(self, folder: str) -> None:
        self._folder = Path(folder)
        self._check()

    @Slot()
    def _choose_text(self) -> None:
        dialog = TextFileDialog(self)
        dialog.fileSelected.connect(self.import_start.take)
        dialog.open()

    @Slot()
    def _create(self) -> None:
        if not self.create_button.isEnabled():
            return
        if self.start is StartFrom.IMPORT and self.import_start.path is not None:
            self.import_wanted.emit(self.import_start.path, self._folder)
            self.accept()
        elif (path := self._path) is not None:
            self.project_wanted.emit(self._project(path))
            self.accept()

    def _project(self, path: Path) -> NewProject:
        opening = self.opening_start.opening if self.start is StartFrom.OPENING else ""
        outline = self.outline_start.outline if self.start is StartFrom.OUTLINE else None
        return NewProject(
            path,
            self.title_edit.text().strip(),
            opening,
            self.author_edit.text().strip(),
            self.language_box.currentData(),
            outline,
        )


def _language_box(parent: QWidget, name: str) -> QComboBox:
    box = CalmCombo(parent)
    box.setAccessibleName(name)
    for code, language in LANGUAGES.items():
        box.addItem(language, code)
    return box
