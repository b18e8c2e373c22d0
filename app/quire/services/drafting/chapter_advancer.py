"""Moves a long draft from one text of the book to the next."""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol

from quire.domain.drafting.chapter_advance_rules import Turn, TurnRules, turn_in
from quire.errors import WriterProblem
from quire.services.project.draft_target import DraftTarget
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.chapter_advance import Turned
from quire.storage.storage_thread import until_done

_log = logging.getLogger(__name__)


class Pages(Protocol):
    """Decides when a draft may continue in another text, and is notified when it does."""

    @property
    def rules(self) -> TurnRules:
        """When a text ends."""
        ...

    def may_turn(self, document_id: int, place: int) -> bool:
        """Return whether what the writer sees of a text is stored; if so, the draft leaves it at this
        place."""
        ...

    def turned(self, turned: Turned) -> None:
        """Handle that the draft continues in another text."""
        ...


class ChapterAdvancer:
    """Checks the text each time more of it was stored, without delaying the draft."""

    def __init__(self, session: ProjectSession, pages: Pages) -> None:
        self._session, self._pages = session, pages
        self._task: asyncio.Task[None] | None = None
        self._stopped = False

    def look(self) -> None:
        """Advance the chapter if it is time."""
        target = self._session.draft_target
        if self._stopped or target is None or (self._task is not None and not self._task.done()):
            return
        if any(target.document.document_id == node.node_id for node in self._session.tree.reading_order()):
            self._task = asyncio.ensure_future(self._look(target))

    async def stop(self) -> None:
        """Advance no more chapters; what has begun is finished."""
        self._stopped = True
        if self._task is not None:
            await until_done(self._task)

    async def _look(self, target: DraftTarget) -> None:
        document = target.document
        drafted_from = 0
        for span in document.provenance.spans:
            if span.run_id == target.run_id:
                break
            drafted_from += span.length
        turn = await asyncio.to_thread(turn_in, document.text, drafted_from, self._pages.rules)
        if turn is None:
            return
        head = document.text[: turn.place]
        try:
            turned = await self._session.advance_chapter(
                turn.place, turn.title, lambda: self._may_turn(target, head, turn)
            )
        except WriterProblem:
            _log.warning("a draft could not go on in a text of its own", exc_info=True)
            self._stopped = True
            return
        if turned is not None:
            self._pages.turned(turned)

    def _may_turn(self, target: DraftTarget, head: str, turn: Turn) -> bool:
        """Return whether the text is still the one that was checked."""
        document = target.document
        same = document.text.startswith(head) and len(document.text) > turn.place
        return not self._stopped and same and self._pages.may_turn(document.document_id, turn.place)
