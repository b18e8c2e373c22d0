"""The threads that talk to the database."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


async def until_done(future: asyncio.Future[Any]) -> None:
    """Wait for something that must not be interrupted; cancelling does not end the wait.

    Whether it succeeded is for the caller to check.
    """
    while not future.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait({future})
    if not future.cancelled():
        future.exception()  # marks the exception as retrieved


class StorageThread:
    """Runs storage work in order on one thread, so the window never waits for the disk."""

    def __init__(self, name: str = "storage") -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run one piece of work and return its result; cancelling the wait does not cancel the work."""
        return await asyncio.shield(asyncio.wrap_future(self._pool.submit(work, *args, **kwargs)))

    async def finish(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run one piece of work whose outcome must be known: cancelling does not even end the wait."""
        future = asyncio.wrap_future(self._pool.submit(work, *args, **kwargs))
        await until_done(future)
        return future.result()

    def close(self) -> None:
        """Finish what is queued and end the thread."""
        self._pool.shutdown()
