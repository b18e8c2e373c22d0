"""The dialogs of the main window that ask for a file, a folder or a new project."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Slot

from quire.domain.manuscript.project_file_names import file_stem_of
from quire.projects.new_project_dialog import NewProjectDialog
from quire.shell.notices import NoticeAction
from quire.ui.file_dialogs import ProjectFileDialog, RunDataDialog, TextFileDialog

if TYPE_CHECKING:
    from quire.app import App


class ProjectDialogs(QObject):
    """Opens the dialogs; the result is a signal of the window, or a request to go there."""

    def __init__(self, app: App) -> None:
        window = app.window
        super().__init__(window)
        self._app, self._window, self._projects_folder = app, window, app.projects_folder
        window.action_chosen.connect(self._act_on)
        do = window.commands
        do.new.triggered.connect(self.ask_for_new_project)
        do.open.triggered.connect(self.ask_for_project)
        do.import_text.triggered.connect(self.ask_for_import)
        do.export_runs.triggered.connect(self.ask_for_run_data)
        do.choose_model.triggered.connect(self.ask_for_model)
        window.message_page.new_clicked.connect(self.ask_for_new_project)
        window.message_page.open_clicked.connect(self.ask_for_project)

    @Slot()
    def ask_for_new_project(self) -> NewProjectDialog:
        """Open the dialog for a new project."""
        dialog = NewProjectDialog(self._projects_folder, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.project_wanted.connect(self._app.navigation.create)
        dialog.import_wanted.connect(self._window.import_asked)
        dialog.open()
        return dialog

    @Slot(NoticeAction)
    def _act_on(self, action: NoticeAction) -> None:
        if action is NoticeAction.CHOOSE_MODEL:
            self.ask_for_model()

    @Slot()
    def ask_for_project(self) -> None:
        """Let the writer choose a project to open."""
        dialog = ProjectFileDialog(self._projects_folder, self._window)
        dialog.fileSelected.connect(self._open_file)
        dialog.open()

    @Slot()
    def ask_for_import(self) -> None:
        """Let the writer choose a text to import as a project."""
        dialog = TextFileDialog(self._window)
        dialog.fileSelected.connect(self._import_file)
        dialog.open()

    @Slot()
    def ask_for_run_data(self) -> None:
        """Let the writer choose where to save the run data."""
        dialog = RunDataDialog(file_stem_of(self._window.project_title), self._window)
        dialog.fileSelected.connect(self._export_file)
        dialog.open()

    @Slot()
    def ask_for_model(self) -> None:
        """Show the models, for the writer to choose one."""
        self._window.models_asked.emit()

    @Slot(str)
    def _open_file(self, path: str) -> None:
        self._window.open_asked.emit(Path(path))

    @Slot(str)
    def _import_file(self, path: str) -> None:
        self._window.import_asked.emit(Path(path), self._projects_folder)

    @Slot(str)
    def _export_file(self, path: str) -> None:
        self._window.run_data_asked.emit(Path(path))
