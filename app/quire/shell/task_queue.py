"""The queue of the window's tasks, which run one after another."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

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
