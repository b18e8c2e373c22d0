"""The thread that talks to the database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class StorageWriter:
    """Runs storage work in order on one thread, so the window never waits for the disk."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="storage")

    async def run(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do one piece of work and return its result; cancelling the wait does not cancel the work."""
        return await asyncio.shield(asyncio.wrap_future(self._pool.submit(work, *args, **kwargs)))

    def close(self) -> None:
        """Finish what is queued and end the thread."""
        self._pool.shutdown()
