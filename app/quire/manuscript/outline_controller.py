"""The outline and the index cards in the window: the whole book in place of the manuscript."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QAction

from quire.manuscript.book_view import BookView
from quire.manuscript.cards_view import CardsView
from quire.manuscript.manuscript_panel import ManuscriptPanel
from quire.manuscript.outline_view import OutlineView
from quire.projects.current_project import CurrentProject
from quire.shell.main_window import MainWindow

if TYPE_CHECKING:
    from quire.app import App
    from quire.services.project.project_session import ProjectSession


class OutlineController:
    """Connects the outline and the cards to the tree that they show."""

    def __init__(self, app: App) -> None:
        window, panel, current = app.window, app.manuscript.panel, app.current
        self._panel = panel
        self.view = OutlineView(panel.model)
        self.cards = CardsView(self.view.table, panel.model, window.themes)
        panel.act_on_rows_of(self.cards.view)
        self.cards.chosen.connect(self._choose_row)
        self.cards.shift_asked.connect(panel.shift)
        self.switches = [
            _ViewSwitch(window, panel, current, view, action)
            for view, action in ((self.view, window.commands.outline), (self.cards, window.commands.cards))
        ]
        app.events.text_followed.subscribe("outline", self._follow)

    async def _follow(self, session: ProjectSession) -> None:
        """Show the goals of a project."""
        from quire.services.transactions.book_texts import words_wanted

        self.view.table.show_goals(await session.read(words_wanted))

    def _choose_row(self, node_id: int) -> None:
        """Select the row of a card in the tree, where its details are."""
        if self.cards.is_current:
            self._panel.choose(node_id)


class _ViewSwitch:
    """Shows one view of the book while its action is checked."""

    def __init__(
        self,
        window: MainWindow,
        panel: ManuscriptPanel,
        current: CurrentProject,
        view: BookView,
        action: QAction,
    ) -> None:
        self._window, self._panel, self._current = window, panel, current
        self._view, self._action = view, action
        window.add_view(view)
        action.toggled.connect(self._switch)
        view.shown.connect(self._show_switch)
        view.edit_asked.connect(panel.edit_asked)
        view.document_chosen.connect(self._ask_for_text)
        view.left.connect(self._show_manuscript)

    def _switch(self, on: bool) -> None:
        session = self._current.session
        if on and session is not None:
            self._view.go_to(session.document_id)
            self._panel.choose(session.document_id)
            if not self._window.shows_message:
                self._window.show_view(self._view)
                self._view.setFocus()
            self._show_switch()
        elif not on:
            self._show_manuscript()

    def _ask_for_text(self, node_id: int) -> None:
        session = self._current.session
        self._show_manuscript()
        if session is not None and node_id != session.document_id:
            self._window.document_asked.emit(node_id)

    def _show_manuscript(self) -> None:
        if self._view.is_current:
            self._window.show_page()
            if self._current.session is not None:
                self._panel.choose(self._current.session.document_id)

    def _show_switch(self) -> None:
        """Update the menu: opening a text shows the manuscript."""
        with QSignalBlocker(self._action):
            self._action.setChecked(self._view.is_current)
