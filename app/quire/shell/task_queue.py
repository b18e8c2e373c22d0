"""The queue of what the window does one after another, and how it is asked."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

Action = Callable[[], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class TaskQueue:
    """Ways to have something done.

    switch: another project opened when its turn comes. beside: at once, while a draft goes on too. in_turn:
    when nothing else is done.
    """

    enqueue_exclusive: Callable[[Action], None]
    run_now: Callable[[Action], None]
    enqueue: Callable[[Action], None]
