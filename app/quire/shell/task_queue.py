"""The queue of the window's tasks, which run one after another."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from quire.errors import WriterProblem

_log = logging.getLogger(__name__)

Action = Callable[[], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class TaskQueue:
    """The ways to run a task.

    Attributes:
        enqueue_exclusive: as a task that replaces the open project.
        run_now: immediately, also while drafting.
        enqueue: after all earlier tasks.
    """

    enqueue_exclusive: Callable[[Action], None]
    run_now: Callable[[Action], None]
    enqueue: Callable[[Action], None]


class TaskLoop:
    """Runs the tasks; one that fails is reported, and does not keep the others from running.

    Args:
        report: shows the writer why a task failed.
    """

    def __init__(self, report: Callable[[Exception], None]) -> None:
        self._report = report
        self._due: asyncio.Queue[Action] = asyncio.Queue()
        self._beside: set[asyncio.Task[None]] = set()

    def enqueue(self, action: Action) -> None:
        """Run a task after all earlier ones."""
        self._due.put_nowait(action)

    def run_now(self, action: Action) -> None:
        """Run a task immediately that does not affect the others."""
        task = asyncio.ensure_future(self._attempt(action))
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)

    async def run_next(self) -> None:
        """Wait for the next task in the queue, and run it."""
        await self._attempt(await self._due.get())

    async def _attempt(self, action: Action) -> None:
        try:
            await action()
        except WriterProblem as problem:
            self._report(problem)
        except Exception as error:  # noqa: BLE001  a failed request must not close the window
            _log.exception("a request of the writer failed")
            self._report(error)
