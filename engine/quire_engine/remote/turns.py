"""An event loop that runs only while somebody waits for it, so that the engine's thread stays in charge."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from typing import Any, TypeVar

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
