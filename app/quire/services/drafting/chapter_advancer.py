"""Moves a long draft from one text of the book to the next."""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol

from quire.domain.drafting.chapter_advance_rules import Turn, TurnRules, turn_at_end, turn_in
from quire.errors import WriterProblem
from quire.services.project.draft_target import DraftTarget
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.split_and_merge import Turned
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

    async def finish(self, *, may_grow: bool) -> None:
        """Advance to each chapter that is left in the text, and to the one whose heading stands near the end;
        everything drafted is stored and shown.

        So the chapters of a draft do not depend on how fast it was written.

        Args:
            may_grow: the draft is only paused.
        """
        target, stopped = self._session.draft_target, self._stopped
        if self._task is not None:
            await until_done(self._task)
        in_book = self._session.tree.reading_order()
        if stopped or target is None or all(one.node_id != target.document.document_id for one in in_book):
            return
        before = 0
        while before != target.document.document_id:
            before = target.document.document_id
            await self._look(target)
        text, rules = target.document.text, self._pages.rules
        turn = turn_at_end(text, _drafted_from(target), rules, may_grow=may_grow)
        if turn is not None:
            await self._turn(target, turn)

    async def _look(self, target: DraftTarget) -> None:
        text, rules = target.document.text, self._pages.rules
        turn = await asyncio.to_thread(turn_in, text, _drafted_from(target), rules)
        if turn is not None:
            await self._turn(target, turn)

    async def _turn(self, target: DraftTarget, turn: Turn) -> None:
        document = target.document
        head = document.text[: turn.place]
        try:
            turned = await self._session.advance_chapter(turn, lambda: self._may_turn(target, head, turn))
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


def _drafted_from(target: DraftTarget) -> int:
    """Return where the words of the run begin in the text that it writes into."""
    start = 0
    for span in target.document.provenance.spans:
        if span.run_id == target.run_id:
            break
        start += span.length
    return start
