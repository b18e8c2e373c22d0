"""Find and replace in the window: the bar above the page, and the panel for the whole book."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from quire.domain.drafting.draft_status import DraftState
from quire.domain.manuscript.find_replace import Change, Query
from quire.editor.reading_place import ReadingPlace
from quire.editor.search_matches import select_place
from quire.errors import WriterProblem
from quire.search.find_bar import FindBar
from quire.search.search_panel import SearchPanel
from quire.services.project.book_search import BookReplacement, BookSearch, StaleSearch

if TYPE_CHECKING:
    from quire.app import App
    from quire.services.project.project_session import ProjectSession

_RESTING = (DraftState.IDLE, DraftState.NO_MODEL, DraftState.PAUSED, DraftState.FINISHED, DraftState.FAILED)


class SearchController:
    """Connects the find bar and the search panel to the open project."""

    def __init__(self, app: App) -> None:
        window = app.window
        self._app, self._window, self._status = app, window, window.status
        self._current, self._tasks = app.current, app.tasks
        self._session: ProjectSession | None = None
        self._search: BookSearch | None = None
        self.find_bar = FindBar(window.editor, window.themes, window.page)
        window.page.add_above(self.find_bar)
        self.panel = SearchPanel(window.themes, window)
        window.add_side_panel(self.panel, self.panel.title)
        window.commands.find.triggered.connect(self.find_bar.open_to_find)
        window.commands.replace.triggered.connect(self.find_bar.open_to_replace)
        window.commands.find_in_book.triggered.connect(self._find_in_book)
        self.panel.search_asked.connect(self._ask)
        self.panel.stop_asked.connect(self._stop)
        self.panel.place_chosen.connect(self._ask_for_place)
        self.panel.replace_asked.connect(self._ask_to_replace)
        self.find_bar.replaced.connect(self._ask_to_store)
        window.status.changed.connect(self._refresh)
        app.events.text_followed.subscribe("search", self._follow)

    async def _follow(self, session: ProjectSession) -> None:
        """Discard the results of another project."""
        if session is not self._session:
            self._take(session)
            self.panel.show_nothing()

    # ------------------------------------------------------------ actions
    def _find_in_book(self) -> None:
        self._window.show_side_panel(self.panel)
        self.panel.open_to_find()

    def _ask(self, query: Query) -> None:
        if self._current.session is not None:
            self._open_search()  # from now on the results belong to this project
        self._tasks.run_now(partial(self._find, query))

    def _ask_for_place(self, document_id: int, start: int, end: int) -> None:
        session = self._current.session
        if session is not None and document_id == session.document_id:
            self._select(start, end)
        else:
            self._tasks.enqueue_exclusive(partial(self._go_to, document_id, start, end))

    def _ask_to_replace(self, order: BookReplacement) -> None:
        self._tasks.enqueue_exclusive(partial(self._replace, order))

    def _ask_to_store(self, digest: str, changes: Sequence[Change]) -> None:
        self._tasks.enqueue(partial(self._store, digest, changes))

    def _stop(self) -> None:
        if self._search is not None:
            self._search.stop()

    def _refresh(self) -> None:
        self.panel.set_locked(locked=self._status.status.state not in _RESTING)

    # ------------------------------------------------------------ results
    async def _find(self, query: Query) -> None:
        try:
            await self._current.autosave.store()  # include what was typed just now
            hits = await self._open_search().find(query, self.panel.show_progress)
        except WriterProblem as problem:
            self.panel.show_nothing(problem.message)
            return
        if hits is not None:
            self.panel.show_hits(hits)

    async def _go_to(self, document_id: int, start: int, end: int) -> None:
        await self._app.opener.open_document(document_id)
        self._select(start, end)

    async def _replace(self, order: BookReplacement) -> None:
        await self._current.autosave.store()
        search, session = self._open_search(), self._current.session
        try:
            done = await search.replace(order)
        except WriterProblem as problem:
            self.panel.show_problem(problem.message)
            return
        self.panel.show_replaced(done)
        changed = {document.document_id for document in done.documents}
        if session is not None and session.document_id in changed:
            place = ReadingPlace.of(self._window.editor)
            await self._app.opener.show_text(session)
            place.show(self._window.editor)

    async def _store(self, digest: str, changes: Sequence[Change]) -> None:
        """Store every change separately, or the whole text if it has changed meanwhile."""
        try:
            await self._open_search().replace_here(digest, changes)
        except StaleSearch:
            await self._current.autosave.store()

    def _open_search(self) -> BookSearch:
        """Return the search of the open project."""
        session = self._current.session
        if session is None:
            raise WriterProblem("No project is open. Open one, or start a new one.")
        return self._take(session) if self._search is None or session is not self._session else self._search

    def _take(self, session: ProjectSession) -> BookSearch:
        self._stop()
        self._session, self._search = session, BookSearch(session)
        return self._search

    def _select(self, start: int, end: int) -> None:
        select_place(self._window.editor, start, end)
        self._window.editor.setFocus()
