"""Finding and replacing in the window: the bar above the page, and the panel for all of the book."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from quire.domain.drafting.draft_status import DraftState
from quire.domain.manuscript.find_replace import Change, Query
from quire.editor.search_matches import select_place
from quire.errors import WriterProblem
from quire.projects.current_project import CurrentProject
from quire.services.project.book_search import BookReplacement, BookSearch, StaleSearch
from quire.shell.main_window import MainWindow
from quire.shell.project_status import ProjectStatus
from quire.shell.task_queue import TaskQueue

if TYPE_CHECKING:
    from quire.services.project.project_session import ProjectSession

_RESTING = (DraftState.IDLE, DraftState.NO_MODEL, DraftState.PAUSED, DraftState.FINISHED, DraftState.FAILED)


class SearchController:
    """Wires the find bar and the search panel to the open project.

    show_text: shows the open text as it is stored. open_document: shows another text of the project.
    """

    def __init__(
        self,
        window: MainWindow,
        desk_model: ProjectStatus,
        keeper: CurrentProject,
        tasks: TaskQueue,
        show_text: Callable[[ProjectSession], Awaitable[None]],
        open_document: Callable[[int], Awaitable[None]],
    ) -> None:
        self._window, self._desk_model, self._keeper, self._tasks = window, desk_model, keeper, tasks
        self._show_text, self._open_document = show_text, open_document
        self._desk: ProjectSession | None = None
        self._search: BookSearch | None = None
        self._panel = window.search_panel
        self._panel.search_asked.connect(self._ask)
        self._panel.stop_asked.connect(self._stop)
        self._panel.place_chosen.connect(self._ask_for_place)
        self._panel.replace_asked.connect(self._ask_to_replace)
        window.find_bar.replaced.connect(self._ask_to_store)
        desk_model.changed.connect(self._refresh)

    async def follow(self, desk: ProjectSession) -> None:
        """Forget what was found in another project."""
        if desk is not self._desk:
            self._take(desk)
            self._panel.show_nothing()

    # ------------------------------------------------------------ what the window asks for
    def _ask(self, query: Query) -> None:
        if self._keeper.desk is not None:
            self._open_search()  # from now on what is listed belongs to this project
        self._tasks.run_now(partial(self._find, query))

    def _ask_for_place(self, document_id: int, start: int, end: int) -> None:
        desk = self._keeper.desk
        if desk is not None and document_id == desk.document_id:
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
        self._panel.set_locked(locked=self._desk_model.status.state not in _RESTING)

    # ------------------------------------------------------------ what is done
    async def _find(self, query: Query) -> None:
        try:
            await self._keeper.store_text()  # what was typed just now is searched as well
            hits = await self._open_search().find(query, self._panel.show_progress)
        except WriterProblem as problem:
            self._panel.show_nothing(problem.message)
            return
        if hits is not None:
            self._panel.show_hits(hits)

    async def _go_to(self, document_id: int, start: int, end: int) -> None:
        await self._open_document(document_id)
        self._select(start, end)

    async def _replace(self, order: BookReplacement) -> None:
        await self._keeper.store_text()
        search, desk = self._open_search(), self._keeper.desk
        try:
            done = await search.replace(order)
        except WriterProblem as problem:
            self._panel.show_problem(problem.message)
            return
        self._panel.show_replaced(done)
        changed = {document.document_id for document in done.documents}
        if desk is not None and desk.document_id in changed:
            await self._show_text(desk)

    async def _store(self, digest: str, changes: Sequence[Change]) -> None:
        """Store every change as one of its own; where the text went on meanwhile it is stored as a whole."""
        try:
            await self._open_search().replace_here(digest, changes)
        except StaleSearch:
            await self._keeper.store_text()

    def _open_search(self) -> BookSearch:
        """Return the search of the project that is open now."""
        desk = self._keeper.desk
        if desk is None:
            raise WriterProblem("There is no project open. Open one, or make a new one.")
        return self._take(desk) if self._search is None or desk is not self._desk else self._search

    def _take(self, desk: ProjectSession) -> BookSearch:
        self._stop()
        self._desk, self._search = desk, BookSearch(desk)
        return self._search

    def _select(self, start: int, end: int) -> None:
        select_place(self._window.editor, start, end)
        self._window.editor.setFocus()
