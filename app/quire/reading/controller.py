"""The book in one scroll for reading, and focus mode: nothing but the page."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget

from quire.editor.utf16_positions import Utf16Positions
from quire.reading.focus_dimming import FocusDimming
from quire.reading.focus_mode import FocusMode, FocusParts
from quire.reading.page_alone import PageAlone
from quire.reading.reading_page import ReadingPage

if TYPE_CHECKING:
    from quire.app import App
    from quire.services.project.project_session import ProjectSession
    from quire.settings.settings import Settings


class ReadingController:
    """Connects reading view and focus mode to the open project."""

    def __init__(self, app: App) -> None:
        window = app.window
        self._app, self._window, self._actions = app, window, window.commands
        self._status, self._current, self._tasks = window.status, app.current, app.tasks
        self._was_busy = False
        self.page = ReadingPage(window.themes)
        window.add_view(self.page)
        self.focus = FocusMode(
            window,
            self._focus_parts(),
            window.commands.focus,
            window.status,
            window.progress,
            window.themes,
        )
        do = window.commands
        self._alone = PageAlone(self._show_manuscript, window)
        self._alone.watch((do.side_panel, do.right_panel, do.charts), self._focus_parts().goers)
        FocusDimming(window.editor, window.commands.focus, window.themes)
        self._actions.reading_view.toggled.connect(self._switch_reading)
        self.page.shown.connect(self._show_switch)
        self.page.place_chosen.connect(self._ask_for_place)
        self.page.left.connect(self._show_manuscript)
        self.page.view.text_read.connect(self._show_in_tree)
        self.page.view.zoom_asked.connect(window.editor.zoom_asked)
        window.preferences_changed.connect(self._fit_text)
        window.status.changed.connect(self._look)
        self.focus.add(app.steering.dock, window.commands.right_panel)
        self.focus.hint_shown.connect(self._note_hint)
        app.settings.follow(self._take)
        app.events.text_followed.subscribe("reading", self._follow)
        self._look()

    def _take(self, settings: Settings) -> None:
        self.focus.set_hint_due(due=not settings.focus_hint_seen)

    def _note_hint(self) -> None:
        self._app.settings.change(focus_hint_seen=True)

    async def _follow(self, session: ProjectSession) -> None:
        """Update the reading view, if it is open."""
        if self.page.is_current:
            await self._read_again(session)

    # ------------------------------------------------------------ actions
    def _switch_reading(self, on: bool) -> None:
        if on:
            self._tasks.run_now(self._read)
        elif self.page.is_current:
            self._show_manuscript()

    def _ask_for_place(self, node_id: int, place: int) -> None:
        self._show_manuscript()
        self._app.navigation.go_to(node_id, place)

    def _look(self) -> None:
        """Follow the state of the draft; drafted text is read when the draft is over."""
        status = self._status
        do = self._actions
        for action in (do.reading_view, do.outline, do.cards, do.beside, do.go_to_beside, do.print_book):
            action.setEnabled(status.is_open)
        was_busy, self._was_busy = self._was_busy, status.is_busy
        if was_busy is not status.is_busy and self._alone.is_on:
            self._alone.end()
            self._alone.begin(self._around())
        if was_busy and not self._was_busy and self.page.is_current:
            self._tasks.run_now(self._read_on)

    # ------------------------------------------------------------ reading
    async def _read(self) -> None:
        """Show the book from the position of the caret on."""
        await self._current.autosave.store()
        session = self._current.require_session()
        editor = self._window.editor
        place = Utf16Positions(editor.text()).to_text(editor.textCursor().position())
        self._fit_text()
        await self._show_book(session, session.document_id, place)
        self._show_page()

    async def _read_on(self) -> None:
        session = self._current.session
        if session is not None:
            await self._read_again(session)

    async def _read_again(self, session: ProjectSession) -> None:
        """Show the current book from the same place on."""
        node_id, place = self.page.view.place if self.page.view.passages else (session.document_id, 0)
        await self._show_book(session, node_id, place)

    async def _show_book(self, session: ProjectSession, node_id: int, place: int) -> None:
        from quire.reading.passages import passages_of
        from quire.services.transactions.book_texts import book_texts

        texts = await session.read(book_texts)
        passages = await asyncio.to_thread(passages_of, texts.project, texts.tree, texts.documents)
        if session is self._current.session:
            self.page.show_book(passages, node_id, place)

    # ------------------------------------------------------------ inside
    def _show_page(self) -> None:
        if not self._window.shows_message:
            self._window.show_view(self.page)
            self.page.setFocus()
        self._show_switch()

    def _show_manuscript(self) -> None:
        if self.page.is_current:
            self._window.show_page()
            if self._current.session is not None:
                self._app.manuscript.panel.choose(self._current.session.document_id)

    def _show_switch(self) -> None:
        """Update the menu: opening a text shows the manuscript."""
        with QSignalBlocker(self._actions.reading_view):
            self._actions.reading_view.setChecked(self.page.is_current)
        if self.page.is_current:
            self._alone.begin(self._around())
        else:
            self._alone.end()
        if not self.page.is_current and self.page.view.passages:
            self.page.view.clear()  # a book needs memory

    def _around(self) -> tuple[QWidget, ...]:
        """Return what reading view hides: everything, except the ways to follow and pause a running draft."""
        app, window = self._app, self._window
        panels = (window.side_panel, app.steering.dock, app.charts.deck)
        return panels if self._status.is_busy else (*panels, app.controls.bar, window.status_line)

    def _fit_text(self) -> None:
        """Read at the editor's text size."""
        self.page.view.set_text_px(self._app.appearance.text_px)

    def _show_in_tree(self, node_id: int) -> None:
        if self.page.is_current:
            self._app.manuscript.panel.choose(node_id)

    def _focus_parts(self) -> FocusParts:
        window, controls = self._window, self._app.controls
        hidden = (controls.bar, self._app.charts.deck, window.page.header)
        do = window.commands
        return FocusParts(
            (window.side_panel, window.status_line, *hidden),
            (do.side_panel, do.charts),
            (do.go_to_tree, do.go_to_draft_bar, do.find_in_book),
            do.full_screen,
        )
