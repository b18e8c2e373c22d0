"""What the draft model learns from the open book: fetched while the draft rests, and stored with the book."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Literal

from quire.client.engine_client import EngineClient, EngineClosed, QuestionGivenUp
from quire.domain.drafting.learned_drafter import LearnedDrafter
from quire.errors import WriterProblem
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.learned_drafters import change_learned, learned, store_learned
from quire_engine.api.book_learned import BookLearned
from quire_engine.api.queries import CollectLearned

KEEP_EVERY_S = 20.0
"""While the draft rests; the engine learns for 40 s at most before it has something new."""
_SETTLE_S = 2.0
"""Time that closing gives to the last of it: the engine may be loading a model."""

_log = logging.getLogger(__name__)


Change = Literal["undo", "remove"]


async def change_in_book(session: ProjectSession, change: Change, fingerprint: str) -> None:
    """Go back to the version before, or delete all that was learned from a book with a model.

    WriterProblem where that fails.
    """
    if not session.read_only:
        await session.write(change_learned, fingerprint, change)


class BookLearning:
    """What is learned from one open project. It only makes drafts faster, so no failure of it is shown.

    Args:
        learns: whether anything is learned at all; what was learned before is used either way.
    """

    def __init__(self, client: EngineClient, session: ProjectSession, *, learns: bool) -> None:
        self._client, self._session, self._learns = client, session, learns
        self._fingerprint = ""
        self._kept = BookLearned()
        self._unstored: BookLearned | None = None  # the engine gives each version once
        self._keeping: asyncio.Task[None] | None = None
        self._stops = asyncio.Event()
        self._is_settled = False

    async def of_book(self, fingerprint: str) -> BookLearned:
        """Return what a draft with a model starts with; nothing is fetched until `run_ended`."""
        await self._stop()
        if self._kept.fingerprint == fingerprint:
            await self._keep()
            return self._kept
        await self._try(self._store)
        self._fingerprint, self._kept = fingerprint, BookLearned(self._book, fingerprint)
        with contextlib.suppress(WriterProblem):
            found = await self._session.read(learned, fingerprint)
            if found is not None:
                self._kept = BookLearned(self._book, fingerprint, found.version, found.num_tokens, found.data)
        return self._kept

    def run_ended(self) -> None:
        """Fetch and store from time to time what is learned from now on."""
        if self._learns and self._keeping is None and not self._is_settled:
            self._stops.clear()
            self._keeping = asyncio.ensure_future(self._keep_on())

    async def change(self, change: Change, fingerprint: str) -> None:
        """As change_in_book."""
        self._kept, self._unstored = BookLearned(), None  # read again at the next draft
        await change_in_book(self._session, change, fingerprint)

    async def settle(self) -> None:
        """Store what is new, and fetch nothing more, ever: the book is closed, or another model drafts."""
        is_first, self._is_settled = not self._is_settled, True
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_SETTLE_S):
                await self._stop()
                if is_first and self._learns and self._fingerprint:
                    await self._try(self._store)  # a fetch that takes too long takes nothing else with it
                    await self._keep()

    # ------------------------------------------------------------ inside
    @property
    def _book(self) -> str:
        return str(self._session.path)

    async def _stop(self) -> None:
        """End the waiting for something new, but not what is being fetched or stored, if that ends soon."""
        task, self._keeping = self._keeping, None
        if task is None:
            return
        self._stops.set()
        try:
            await asyncio.wait({task}, timeout=_SETTLE_S)
        finally:
            task.cancel()
        await asyncio.wait({task})

    async def _keep_on(self) -> None:
        while not self._stops.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stops.wait(), KEEP_EVERY_S)
                return
            await self._keep()

    async def _keep(self) -> None:
        """Fetch what is new, and store it and what could not be stored before."""
        await self._try(self._fetch)
        await self._try(self._store)

    async def _fetch(self) -> None:
        found = (await self._client.ask(CollectLearned())).learned
        is_of_this = (found.book, found.fingerprint) == (self._book, self._fingerprint)
        if found.data and is_of_this and not self._session.read_only:
            self._kept = self._unstored = found

    async def _store(self) -> None:
        found = self._unstored
        if found is None:
            return
        row = LearnedDrafter(found.fingerprint, found.version, found.num_tokens, found.data)
        await self._session.write(store_learned, row)
        if self._unstored is found:
            self._unstored = None

    async def _try(self, step: Callable[[], Awaitable[None]]) -> None:
        """Take a step whose failure is for the log alone: it is tried again."""
        try:
            await step()
        except (EngineClosed, QuestionGivenUp, WriterProblem) as error:
            _log.info("what was learned from the book is not stored yet: %s", error)
