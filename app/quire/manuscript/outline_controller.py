"""The outline in the window: the book as a table in place of the manuscript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QAction

from quire.manuscript.manuscript_panel import ManuscriptPanel
from quire.manuscript.outline_view import OutlineView
from quire.projects.current_project import CurrentProject
from quire.shell.main_window import MainWindow

if TYPE_CHECKING:
    from quire.services.project.project_session import ProjectSession


class OutlineController:
    """Connects the outline to the tree that it shows.

    Args:
        panel: the tree of the book.
        action: shows and hides the outline.
    """

    def __init__(
        self, window: MainWindow, panel: ManuscriptPanel, current: CurrentProject, action: QAction
    ) -> None:
        self._window, self._panel, self._current, self._action = window, panel, current, action
        self.view = OutlineView(panel.model)
        window.add_view(self.view)
        action.toggled.connect(self._switch)
        self.view.shown.connect(self._show_switch)
        self.view.edit_asked.connect(panel.edit_asked)
        self.view.document_chosen.connect(self._ask_for_text)
        self.view.left.connect(self._show_manuscript)

    async def follow(self, session: ProjectSession) -> None:
        """Show the goals of a project."""
        from quire.services.transactions.book_texts import words_wanted

        self.view.table.show_goals(await session.read(words_wanted))

    def _switch(self, on: bool) -> None:
        session = self._current.session
        if on and session is not None:
            self.view.go_to(session.document_id)
            self._panel.choose(session.document_id)
            if not self._window.shows_message:
                self._window.show_view(self.view)
                self.view.setFocus()
            self._show_switch()
        elif not on:
            self._show_manuscript()

    def _ask_for_text(self, node_id: int) -> None:
        session = self._current.session
        self._show_manuscript()
        if session is not None and node_id != session.document_id:
            self._window.document_asked.emit(node_id)

    def _show_manuscript(self) -> None:
        if self.view.is_current:
            self._window.show_page()
            if self._current.session is not None:
                self._panel.choose(self._current.session.document_id)

    def _show_switch(self) -> None:
        """Update the menu: opening a text shows the manuscript."""
        with QSignalBlocker(self._action):
            self._action.setChecked(self.view.is_current)
