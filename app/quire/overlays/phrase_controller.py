"""Inspect > Frequent Phrases: what a book says again and again, beside published novels."""

from __future__ import annotations

import asyncio
from functools import cache, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from quire.editor.search_matches import select_place
from quire.overlays.phrase_list import PhraseList
from quire_resources import NOVEL_PHRASES

if TYPE_CHECKING:  # SQLAlchemy is slow to import
    from quire.app import App
    from quire.services.project.project_session import ProjectSession


class PhraseController:
    """Shows the list, goes to places, and adds phrases to the words to avoid."""

    def __init__(self, app: App) -> None:
        window = app.window
        self._app, self._window, self._current, self._tasks = app, window, app.current, app.tasks
        self._to_avoid = app.steering.panel
        self._editor = window.editor
        self._has_novels = True
        self._list: PhraseList | None = None
        self._session: ProjectSession | None = None
        self.action = window.commands.phrases
        self.action.triggered.connect(self.show_list)
        window.status.changed.connect(self._look)
        self._look()
        app.events.text_followed.subscribe("phrases", self._follow)
        app.events.language_known.subscribe("phrases", self.set_language)

    async def _follow(self, session: ProjectSession) -> None:
        """Close the list of another project."""
        if session is not self._session:
            self._session = session
            if self._list is not None:
                self._list.close()

    def set_language(self, language: str) -> None:
        """Set the book's language: the published novels that it is compared with are English."""
        self._has_novels = language.startswith("en")

    def show_list(self) -> None:
        """Open the list beside the text, or update it."""
        if self._current.session is None:
            return
        if self._list is None:
            self._list = PhraseList(self._window.themes, self._window)
            self._list.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            self._list.wanted.connect(self._ask)
            self._list.place_chosen.connect(self._show_in_book)
            self._list.avoid_asked.connect(self._avoid)
            self._list.destroyed.connect(self._closed)
        self._list.show()
        self._list.raise_()
        self._look()
        self._ask()

    def _ask(self) -> None:
        self._tasks.run_now(self._count)

    async def _count(self) -> None:
        from quire.domain.text_quality.frequent_phrases import frequent_phrases
        from quire.services.transactions.draft_sources import book_in_order

        session = self._current.session
        if session is None:
            return
        here, text = session.document_id, self._editor.text()
        book = await session.read(book_in_order)
        texts = [(number, text if number == here else stored) for number, _, stored in book]
        if here not in {number for number, _ in texts}:
            texts.append((here, text))
        novels = await asyncio.to_thread(novel_phrases) if self._has_novels else None
        report = await asyncio.to_thread(frequent_phrases, texts, novels)
        if self._list is not None and session is self._current.session:
            titles = {number: " ".join(title.split()) for number, title, _ in book}
            self._list.show_report(report, titles)

    def _show_in_book(self, document_id: int, start: int, end: int) -> None:
        session = self._current.session
        if session is not None and document_id == session.document_id:
            select_place(self._editor, start, end)
            self._editor.setFocus()
        else:
            self._tasks.enqueue_exclusive(partial(self._go_to, document_id, start, end))

    async def _go_to(self, document_id: int, start: int, end: int) -> None:
        await self._app.opener.open_document(document_id)
        select_place(self._editor, start, end)

    def _avoid(self, phrase: str) -> None:
        self._to_avoid.avoid(phrase)
        self._look()

    def _look(self) -> None:
        status = self._window.status
        self.action.setEnabled(status.is_open)
        if self._list is not None:
            self._list.show_avoided(self._to_avoid.avoided_phrases, may_avoid=not status.read_only)

    def _closed(self) -> None:
        self._list = None


@cache
def novel_phrases() -> dict[str, float]:
    """Return how often phrases occur in 100,000 words of published novels; rarer ones are left out."""
    lines = NOVEL_PHRASES.read_text(encoding="utf-8").splitlines()
    return {phrase: float(rate) for phrase, _, rate in (line.partition("\t") for line in lines)}
