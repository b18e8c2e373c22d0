"""One request for a text, read piece by piece."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import openai

from quire_engine.remote.connection import Connection
from quire_engine.remote.failures import problem_of
from quire_engine.remote.server_counters import CounterWatch, Figures
from quire_engine.remote.server_problem import ServerProblem, ServerTrouble

_THOUGHT_FIELDS = ("reasoning_content", "reasoning", "thinking")
_HELD = 64
"""Pieces that are read ahead; more wait in the connection, so a slow reader slows the server down."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a reply.

    Attributes:
        thought: what the server says apart from the text that the model thinks.
        finish: why the text ends here, in the server's words; empty before its end.
    """

    text: str
    thought: str = ""
    finish: str = ""
    figures: Figures | None = None


class DraftedStream:
    """Reads one request; `read` is a task that ends when all has come, with a ServerProblem where it can't.

    Args:
        has_counters: figures of its acceleration are beside the stream, in sums.

    Attributes:
        pieces: what came and was not taken yet.
        news: set when a piece came or the task ends.
    """

    def __init__(
        self, connection: Connection, body: dict[str, Any], *, is_chat: bool, has_counters: bool = False
    ) -> None:
        self._connection, self._body, self._is_chat = connection, body, is_chat
        self.pieces: asyncio.Queue[Piece] = asyncio.Queue(_HELD)
        self.news = asyncio.Event()
        self._counters = CounterWatch(connection) if has_counters else None
        self._drafted = self._accepted = 0

    async def read(self) -> None:
        """Send the request and read until it ends."""
        address = self._connection.address
        try:
            if not await self._read():
                raise ServerProblem(
                    ServerTrouble.UNREACHABLE,
                    "{host} ended the connection in the middle of the text. Check that the server is still "
                    "running.",
                    host=address.host,
                )
        except ServerProblem:
            raise
        except Exception as error:
            if (problem := problem_of(error, address)) is not None:
                raise problem from error
            raise
        finally:
            self.news.set()

    async def _read(self) -> bool:
        """Put the pieces into the queue; return whether the server said that this is all."""
        timeouts = self._connection.timeouts
        is_whole = False
        within_s = timeouts.first_s
        async with await self._open() as stream, self._counting():
            events = aiter(stream)
            while True:
                try:
                    async with asyncio.timeout(within_s):
                        event = await anext(events)
                except StopAsyncIteration:
                    return is_whole
                piece = self._piece_of(event)
                if piece is None:
                    continue
                within_s = timeouts.between_s
                is_whole = is_whole or bool(piece.finish)
                self.news.set()
                await self.pieces.put(piece)

    @contextlib.asynccontextmanager
    async def _counting(self) -> AsyncIterator[None]:
        """Follow the server's counters meanwhile, if it has any."""
        task = None if self._counters is None else asyncio.create_task(self._counters.follow())
        try:
            yield
        finally:
            if task is not None:
                task.cancel()
                await asyncio.wait({task})

    async def _open(self) -> openai.AsyncStream[Any]:
        timeouts = self._connection.timeouts
        client = self._connection.api.with_options(
            timeout=openai.Timeout(timeouts.first_s, connect=timeouts.connect_s)
        )
        body = dict(self._body)
        extra = body.pop("extra_body")
        path = "/chat/completions" if self._is_chat else "/completions"
        # by path: the typed methods would refuse to send what is not in their lists
        stream: openai.AsyncStream[Any] = await client.post(
            path, body={**body, **extra}, cast_to=object, stream=True, stream_cls=openai.AsyncStream[object]
        )
        return stream

    def _piece_of(self, event: Any) -> Piece | None:
        """Return what an event says; None where it says nothing of the text, whatever else it is."""
        if not isinstance(event, dict):
            return None
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict):
            return None
        source = choice.get("delta") if self._is_chat else choice
        source = source if isinstance(source, dict) else {}
        said = source.get("content" if self._is_chat else "text")
        thought = next((source[name] for name in _THOUGHT_FIELDS if source.get(name)), None)
        finish = choice.get("finish_reason")
        return Piece(
            text=said if isinstance(said, str) else "",
            thought=thought if isinstance(thought, str) else "",
            finish=finish if isinstance(finish, str) else "",
            figures=self._figures(event.get("timings")) or self._counted(),
        )

    def _counted(self) -> Figures | None:
        return None if self._counters is None else self._counters.taken()

    def _figures(self, timings: Any) -> Figures | None:
        """Return what llama.cpp verified since the last piece; None where it does not speculate."""
        if not isinstance(timings, dict):
            return None
        drafted, accepted = timings.get("draft_n"), timings.get("draft_n_accepted")
        if type(drafted) is not int or type(accepted) is not int:
            return None
        new = Figures(drafted - self._drafted, accepted - self._accepted)
        self._drafted, self._accepted = drafted, accepted
        return new if 0 <= new.num_accepted <= new.num_drafted and new.num_drafted else None
