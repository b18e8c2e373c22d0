"""The book in the window as a whole: to be read in one scroll, as an outline, and nothing but the page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QSignalBlocker
from PySide6.QtWidgets import QWidget

from quire.editor.utf16_positions import Utf16Positions
from quire.manuscript.outline_view import OutlineView
from quire.projects.current_project import CurrentProject
from quire.reading.focus_mode import FocusMode, FocusParts
from quire.reading.reading_actions import ReadingActions
from quire.reading.reading_page import ReadingPage
from quire.shell.main_window import MainWindow
from quire.shell.task_queue import TaskQueue
from quire.shell.window_models import WindowModels

if TYPE_CHECKING:
    from quire.services.project.project_session import ProjectSession


class ReadingController:
    """Wires reading view, outline and focus mode to the open project.

    go_to_text: shows a place of a text, in characters.
    """

    def __init__(
        self,
        window: MainWindow,
        actions: ReadingActions,
        models: WindowModels,
        current: CurrentProject,
        tasks: TaskQueue,
        go_to_text: Callable[[int, int], None],
    ) -> None:
        self._window, self._actions = window, actions
        self._status = models.status
        self._current, self._tasks, self._go_to_text = current, tasks, go_to_text
        self._was_busy = False
        self.page = ReadingPage(models.themes)
        self.outline = OutlineView(window.book_panel.model)
        for view in (self.page, self.outline):
            window.add_view(view)
        self.focus = FocusMode(
            window, self._focus_parts(), actions.focus, models.status, models.progress, models.themes
        )
        actions.reading_view.toggled.connect(self._switch_reading)
        actions.outline.toggled.connect(self._switch_outline)
        self.page.shown.connect(self._show_switches)
        self.outline.shown.connect(self._show_switches)
        self.page.place_chosen.connect(self._ask_for_place)
        self.page.left.connect(self._show_manuscript)
        self.page.view.text_read.connect(self._show_in_tree)
        self.page.view.zoom_asked.connect(window.editor.zoom_asked)
        window.preferences_changed.connect(self._fit_text)
        self.outline.edit_asked.connect(window.book_panel.edit_asked)
        self.outline.document_chosen.connect(self._ask_for_text)
        self.outline.left.connect(self._show_manuscript)
        window.book_panel.view.clicked.connect(self._tree_clicked)
        models.status.changed.connect(self._look)
        self._look()

    async def follow(self, session: ProjectSession) -> None:
        """Take the goals of a project; where the book is read, show it as it is now."""
        from quire.services.transactions.book_texts import words_wanted

        self.outline.table.show_goals(await session.read(words_wanted))
        if self.page.is_current:
            await self._read_again(session)

    # ------------------------------------------------------------ what the window asks for
    def _switch_reading(self, on: bool) -> None:
        if on:
            self._tasks.run_now(self._read)
        elif self.page.is_current:
            self._show_manuscript()

    def _switch_outline(self, on: bool) -> None:
        session = self._current.session
        if on and session is not None:
            self.outline.go_to(session.document_id)
            self._choose_in_tree(session.document_id)
            self._show_page(self.outline)
        elif not on and self.outline.is_current:
            self._show_manuscript()

    def _ask_for_place(self, node_id: int, place: int) -> None:
        self._show_manuscript()
        self._go_to_text(node_id, place)

    def _ask_for_text(self, node_id: int) -> None:
        session = self._current.session
        self._show_manuscript()
        if session is not None and node_id != session.document_id:
            self._window.document_asked.emit(node_id)

    def _tree_clicked(self, index: QModelIndex) -> None:
        """Go back to the text that is open when it is chosen; another one is opened, and shown then."""
        node, session = self._window.book_panel.model.node_at(index), self._current.session
        if node is not None and session is not None and node.node_id == session.document_id:
            self._show_manuscript()

    def _look(self) -> None:
        """Follow the state of the draft; what a draft wrote is read when it is over."""
        status = self._status
        self._actions.show_open(is_open=status.is_open, read_only=status.read_only)
        was_busy, self._was_busy = self._was_busy, status.is_busy
        if was_busy and not self._was_busy and self.page.is_current:
            self._tasks.run_now(self._read_on)

    # ------------------------------------------------------------ what is done
    async def _read(self) -> None:
        """Show the book from the place on where the caret stands."""
        await self._current.store_text()
        session = self._current.require_session()
        editor = self._window.editor
        place = Utf16Positions(editor.text()).to_text(editor.textCursor().position())
        self._fit_text()
        await self._show_book(session, session.document_id, place)
        self._show_page(self.page)

    async def _read_on(self) -> None:
        session = self._current.session
        if session is not None:
            await self._read_again(session)

    async def _read_again(self, session: ProjectSession) -> None:
        """Show the book as it is now, from the same place on."""
        node_id, place = self.page.view.place if self.page.view.pieces else (session.document_id, 0)
        await self._show_book(session, node_id, place)

    async def _show_book(self, session: ProjectSession, node_id: int, place: int) -> None:
        from quire.reading.passages import passages_of
        from quire.services.transactions.book_texts import book_texts

        texts = await session.read(book_texts)
        pieces = await asyncio.to_thread(passages_of, texts.project, texts.tree, texts.documents)
        if session is self._current.session:
            self.page.show_book(pieces, node_id, place)

    # ------------------------------------------------------------ inside
    def _show_page(self, page: QWidget) -> None:
        if not self._window.shows_message:
            self._window.show_view(page)
            page.setFocus()
        self._show_switches()

    def _show_manuscript(self) -> None:
        if self.page.is_current or self.outline.is_current:
            self._window.show_page()
            if self._current.session is not None:
                self._choose_in_tree(self._current.session.document_id)

    def _show_switches(self) -> None:
        """Let the menu say which page is shown: whoever shows a text shows the manuscript."""
        for action, is_current in (
            (self._actions.reading_view, self.page.is_current),
            (self._actions.outline, self.outline.is_current),
        ):
            with QSignalBlocker(action):
                action.setChecked(is_current)
        if not self.page.is_current and self.page.view.pieces:
            self.page.view.clear()  # a book takes room

    def _fit_text(self) -> None:
        """Read in the size that is written in."""
        self.page.view.set_text_px(self._window.looks.text_px)

    def _show_in_tree(self, node_id: int) -> None:
        if self.page.is_current:
            self._choose_in_tree(node_id)

    def _choose_in_tree(self, node_id: int) -> None:
        panel = self._window.book_panel
        index = panel.model.index_of(node_id)
        if index.isValid():
            panel.view.setCurrentIndex(index)
            panel.view.scrollTo(index)

    def _focus_parts(self) -> FocusParts:
        window = self._window
        do = window.commands
        return FocusParts(
            (window.side_panel, window.draft_bar, window.chart_deck, window.run_strip, window.status_line),
            (do.side_panel, do.charts),
            (do.go_to_tree, do.go_to_draft_bar, do.find_in_book),
        )
