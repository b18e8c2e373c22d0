"""The only door from the app to the engine."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from types import TracebackType
from typing import Self, overload

from quire.errors import WriterProblem
from quire_engine.api.messages import (
    CacheKept,
    CacheNotKept,
    Command,
    Event,
    KeepCache,
    LoadModel,
    ModelLoaded,
    ModelLoadFailed,
)
from quire_engine.api.queries import (
    AgreementChecked,
    CheckAgreement,
    CountTokens,
    DropQuery,
    EngineQuery,
    MeasureMemory,
    MemoryMeasured,
    PromptViewed,
    QueryDropped,
    QueryEvent,
    QueryFailed,
    QueryProgressed,
    QueryReply,
    ScoreText,
    TextScored,
    TextWritten,
    TokensCounted,
    ViewPrompt,
    WriteText,
)
from quire_engine.runtime.engine_thread import Backend, EngineWorker

__all__ = ["Backend", "EngineClient", "EngineClosed", "EngineDied", "QuestionGivenUp"]

MAX_EVENTS = 256
CLOSE_WITHIN_S = 2.5

_log = logging.getLogger(__name__)


class EngineClosed(Exception):
    """No more events will come: the client was closed."""


class EngineDied(EngineClosed):
    """The engine's thread ended by itself; loading a model starts another one."""


class QuestionGivenUp(Exception):
    """The engine got another command before it could answer; ask again."""


Progressed = Callable[[float], None]
"""Told how far a question is, from 0 to 1."""
Wrote = Callable[[str], None]
"""Called with each piece of an answer as it is written."""


class EngineClient:
    """An async context manager: commands go in, events come out in order, none is dropped while it is open.

    When max_events are unread the engine waits; a slow reader slows it down.
    """

    def __init__(self, backend: Backend, max_events: int = MAX_EVENTS) -> None:
        if max_events < 1:
            raise ValueError(f"max_events must be at least 1, got {max_events}")
        self._loop = asyncio.get_running_loop()
        self._events: deque[Event] = deque()
        self._max_events = max_events
        self._changed = threading.Condition()
        self._arrived = asyncio.Event()
        self._closed = False
        self._died = False
        self._num_loads_due = 0
        self._num_asked = 0
        self._asked: dict[int, tuple[asyncio.Future[QueryReply], Progressed, Wrote]] = {}
        self._keeping: deque[asyncio.Future[CacheKept | CacheNotKept]] = deque()
        self._backend = backend
        self._worker = self._new_worker()

    async def __aenter__(self) -> Self:
        self._worker.start()
        return self

    async def __aexit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        await self.close()

    def send(self, command: Command) -> None:
        """Send a command to the engine thread; never blocks. A model command restarts a dead thread."""
        if isinstance(command, LoadModel):
            self._revive()
            self._num_loads_due += 1
        self._worker.send(command)

    @property
    def num_loads_due(self) -> int:
        """Model loads whose reply has not been read; 0 when the last reply is the newest."""
        return self._num_loads_due

    async def next_event(self) -> Event:
        """Wait for the next event, in the order the engine published them; cancelling loses none.

        EngineClosed when there is none and none will come, EngineDied when the engine itself failed.
        """
        while True:
            with self._changed:
                if self._events:
                    self._changed.notify()
                    event = self._events.popleft()
                    self._num_loads_due -= isinstance(event, ModelLoaded | ModelLoadFailed)
                    return event
                if self._closed:
                    raise EngineClosed
                if self._died:
                    raise EngineDied
                self._arrived.clear()
            await self._arrived.wait()

    @overload
    async def ask(self, query: CountTokens, progressed: Progressed = ...) -> TokensCounted: ...
    @overload
    async def ask(self, query: ViewPrompt, progressed: Progressed = ...) -> PromptViewed: ...
    @overload
    async def ask(self, query: ScoreText, progressed: Progressed = ...) -> TextScored: ...
    @overload
    async def ask(self, query: CheckAgreement, progressed: Progressed = ...) -> AgreementChecked: ...
    @overload
    async def ask(
        self, query: WriteText, progressed: Progressed = ..., wrote: Wrote = ...
    ) -> TextWritten: ...
    @overload
    async def ask(self, query: MeasureMemory, progressed: Progressed = ...) -> MemoryMeasured: ...

    async def ask(
        self,
        query: EngineQuery,
        progressed: Progressed = lambda _fraction: None,
        wrote: Wrote = lambda _piece: None,
    ) -> QueryReply:
        """Send a query besides a run and wait for its reply, which next_event() never returns.

        Cancelling drops the query. WriterProblem where it cannot be answered, as during a run (see
        quire_engine.api.queries); QuestionGivenUp where another command came first; EngineClosed, EngineDied.
        """
        self._check_alive()
        self._num_asked += 1
        number = self._num_asked
        answer: asyncio.Future[QueryReply] = self._loop.create_future()
        self._asked[number] = (answer, progressed, wrote)
        self._worker.send(replace(query, query_id=number))
        try:
            return await answer
        except asyncio.CancelledError:
            self._worker.send(DropQuery(number))
            raise
        finally:
            del self._asked[number]

    async def keep_cache(self, command: KeepCache) -> CacheKept | CacheNotKept:
        """Write a cache to a file; next_event() never returns the reply. EngineClosed, EngineDied."""
        self._check_alive()
        reply: asyncio.Future[CacheKept | CacheNotKept] = self._loop.create_future()
        self._keeping.append(reply)
        self._worker.send(command)
        return await reply

    def _check_alive(self) -> None:
        with self._changed:
            if self._closed:
                raise EngineClosed
            if self._died:
                raise EngineDied

    def _cache_kept(self, event: CacheKept | CacheNotKept) -> None:
        """Pass a reply on; the engine answers in order."""
        if self._keeping and not (reply := self._keeping.popleft()).done():
            reply.set_result(event)

    def _answered(self, event: QueryEvent) -> None:
        """Pass an event to the waiting query, if it is still there."""
        waiting = self._asked.get(event.query_id)
        if waiting is None or waiting[0].done():
            return
        answer, progressed, wrote = waiting
        match event:
            case QueryProgressed(fraction=fraction, text=text):
                progressed(fraction)
                if text:
                    wrote(text)
            case QueryDropped():
                answer.set_exception(QuestionGivenUp())
            case QueryFailed(message=message, is_bug=is_bug):
                told = f"The engine could not answer because of a bug in Quire ({message})."
                answer.set_exception(WriterProblem(told if is_bug else message))
            case _:
                answer.set_result(event)

    def _nobody_answers(self, error: EngineClosed) -> None:
        for answer, _, _ in self._asked.values():
            if not answer.done():
                answer.set_exception(error)
        while self._keeping:
            if not (reply := self._keeping.popleft()).done():
                reply.set_exception(error)

    async def close(self) -> None:
        """End the engine thread at its next step boundary; published events can still be read.

        A thread that does not end in time (while loading a model) ends with the program.
        """
        with self._changed:
            if self._closed:
                return
            self._closed = True  # from here on an engine that waits for room goes on, and finds no reader
            self._changed.notify_all()
        self._arrived.set()
        self._nobody_answers(EngineClosed())
        # join() would freeze the window while a step finishes
        if not await asyncio.to_thread(self._worker.close, CLOSE_WITHIN_S):
            _log.warning("the engine thread did not end within %s s", CLOSE_WITHIN_S)

    def _revive(self) -> None:
        with self._changed:
            if self._closed or not self._died:
                return
            self._died = False
            answers = [event for event in self._events if isinstance(event, ModelLoaded | ModelLoadFailed)]
            self._num_loads_due = len(answers)
        self._worker = self._new_worker()
        self._worker.start()

    def _new_worker(self) -> EngineWorker:
        return EngineWorker(self._backend, self._publish, self._ended)

    def _ended(self) -> None:  # called on the engine thread
        with self._changed:
            self._died = not self._closed
        self._wake()
        if self._died:
            self._call_soon(self._nobody_answers, EngineDied())

    def _publish(self, event: Event) -> None:  # called on the engine thread
        if isinstance(event, QueryEvent):
            self._call_soon(self._answered, event)
            return
        if isinstance(event, CacheKept | CacheNotKept):
            self._call_soon(self._cache_kept, event)
            return
        with self._changed:
            self._changed.wait_for(lambda: self._closed or len(self._events) < self._max_events)
            if self._closed:
                return
            self._events.append(event)
            self._wake()

    def _wake(self) -> None:
        self._call_soon(self._arrived.set)

    def _call_soon(self, work: Callable[..., object], *arguments: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop ended without closing the client: nobody reads
            self._loop.call_soon_threadsafe(work, *arguments)
