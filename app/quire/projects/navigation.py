"""Goes to the projects, texts and places that the writer asks for."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from quire.editor.search_matches import select_place
from quire.editor.typed_ahead import TypedAhead
from quire.projects.new_project import NewProject

if TYPE_CHECKING:
    from quire.app import App
    from quire.shell.task_queue import Action


class Navigation:
    """Replaces what is open, one request after the other."""

    def __init__(self, app: App) -> None:
        self._app, self._window, self._current = app, app.window, app.current
        self._showing = asyncio.Lock()
        self._switches_due = 0
        self._typed_ahead = TypedAhead(app.window.editor)
        app.window.open_asked.connect(self._open)
        app.window.document_asked.connect(self.go_to)
        app.window.editor.newest_asked.connect(self._go_to_newest)

    def create(self, project: NewProject) -> None:
        """Create a project and open it; what is typed meanwhile is typed there."""
        self._typed_ahead.begin()
        self.switch(partial(self._create, project))

    def go_to(self, document_id: int, place: int | None = None) -> None:
        """Show a text of the project; place: in characters, None: where the writer left it."""
        if self._current.shown_id == document_id:
            self._select(place)
        elif self._app.drafts.is_writing:
            self._app.tasks.run_now(partial(self._show_beside_draft, document_id, place))
        else:
            self.switch(partial(self._show, document_id, place))

    def switch(self, action: Action) -> None:
        """Lock the text until the other project is open, or cannot be opened.

        What is typed meanwhile would belong to neither.
        """
        self._app.manuscript.panel.flush()
        self._app.drafts.pause()
        self._current.autosave.store_soon()  # in its turn, which is before that of the other project
        self._switches_due += 1
        self._show_switching()
        self._app.tasks.enqueue(partial(self._switched, action))

    # ------------------------------------------------------------ inside
    def _open(self, path: Path) -> None:
        if self._switches_due or not self._current.is_open(path):
            self.switch(partial(self._app.opener.open, path))

    def _go_to_newest(self) -> None:
        """Show the text that a draft grows in."""
        session = self._current.session
        if session is not None and session.draft_target is not None:
            self.go_to(session.draft_target.document.document_id)

    async def _create(self, project: NewProject) -> None:
        try:
            await self._app.opener.create(project)
        except BaseException:
            self._typed_ahead.discard()
            raise

    async def _switched(self, action: Action) -> None:
        try:
            await action()
        finally:
            self._switches_due -= 1
            self._show_switching()

    def _show_switching(self) -> None:
        switching, session = self._switches_due > 0, self._current.session
        may_write = session is not None and not session.read_only
        self._window.editor.set_locked(locked=switching or not may_write)
        self._window.status.show_switching(switching=switching)
        if not switching:
            self._typed_ahead.deliver()

    async def _show(self, document_id: int, place: int | None) -> None:
        await self._app.opener.open_document(document_id)
        self._select(place)

    async def _show_beside_draft(self, document_id: int, place: int | None) -> None:
        """Show another text while a draft is running."""
        async with self._showing:
            drafting, session = self._app.drafts.drafting, self._current.session
            generation = None if drafting is None else drafting.generation
            if generation is None or session is None:  # it has ended meanwhile
                self.switch(partial(self._show, document_id, place))
                return
            await self._app.drafts.pages.show_text(session, document_id, generation)
            await self._app.opener.follow(session)
        self._select(place)

    def _select(self, place: int | None) -> None:
        if place is not None:
            select_place(self._window.editor, place, place)
