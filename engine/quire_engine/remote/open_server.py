"""A connection and an event loop for one piece of work of the engine's thread."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine, Generator
from types import TracebackType
from typing import Any, Self, TypeVar

from quire_engine.api.server_address import ServerAddress, ServerKey
from quire_engine.remote.connection import Connection, Timeouts
from quire_engine.remote.failures import problem_of
from quire_engine.remote.server_problem import ServerProblem

TURN_S = 0.05
"""Seconds until whoever waits may look at something else: a pause, a stopped load."""

_Result = TypeVar("_Result")


class Turns:
    """Runs coroutines a turn at a time."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, _Result]) -> asyncio.Task[_Result]:
        """Return a task, which goes on during turns alone."""
        task = self._runner.get_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def turn(self, task: asyncio.Task[Any], seconds: float = TURN_S) -> bool:
        """Go on until the task is done, at most this long; return whether it is."""
        if not task.done():
            self._runner.run(_wait(task, seconds))
        return task.done()

    def wait(self, news: asyncio.Event, seconds: float = TURN_S) -> None:
        """Go on with everything until there is news, at most this long."""
        self._runner.run(_news(news, seconds))
        news.clear()

    def end(self, task: asyncio.Task[Any]) -> None:
        """Cancel a task and see it end; what it would have raised is dropped."""
        task.cancel()
        self._runner.run(_settled(task))

    def finish(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        """Return the result of something that does not wait for anybody else."""
        return self._runner.run(work)

    def cancel(self) -> None:
        """Cancel everything that is unfinished."""
        for task in tuple(self._tasks):
            self.end(task)

    def close(self) -> None:
        """Give the loop back."""
        self._runner.close()


async def _wait(task: asyncio.Task[Any], seconds: float) -> None:
    await asyncio.wait({task}, timeout=seconds)


async def _news(news: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await news.wait()


async def _settled(task: asyncio.Task[Any]) -> None:
    with contextlib.suppress(asyncio.CancelledError, Exception):
        await task


class OpenServer:
    """Connection and event loop for the length of a `with`; nothing is open in between."""

    def __init__(self, address: ServerAddress, key: ServerKey, timeouts: Timeouts) -> None:
        self.turns = Turns()
        self.connection = Connection(address, key, timeouts)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc: BaseException | None, tb: TracebackType | None
    ) -> None:
        self.turns.cancel()
        self.turns.finish(self.connection.close())
        self.turns.close()

    def awaited(self, work: Coroutine[Any, Any, _Result]) -> Generator[None, None, _Result]:
        """Yield now and then until some work is done; return its result. ServerProblem where it fails."""
        task = self.turns.start(work)
        try:
            while not self.turns.turn(task):
                yield
            return self._result(task)
        finally:
            self.turns.end(task)

    def _result(self, task: asyncio.Task[_Result]) -> _Result:
        try:
            return task.result()
        except ServerProblem:
            raise
        except Exception as error:
            if (problem := problem_of(error, self.connection.address)) is not None:
                raise problem from error
            raise
