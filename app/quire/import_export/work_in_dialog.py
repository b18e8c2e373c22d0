"""Work on another thread with progress in a dialog; it can be stopped, and it can fail."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from quire.book_formats.work_progress import Cancelled, WorkProgress
from quire.errors import WriterProblem

_Made = TypeVar("_Made")


class WorkDialog(Protocol):
    """A dialog that stays open while something is created."""

    def end_work(self, problem: str = "") -> None:
        """Show that work has ended, and why it failed, if there is a sentence."""
        ...

    def accept(self) -> None:
        """Close, because it is done."""
        ...


def watch_of(show_share: Callable[[float], None], stop: threading.Event) -> WorkProgress:
    """Return a progress object for another thread, which is shown on this one."""
    loop = asyncio.get_running_loop()

    def show(share: float) -> None:
        loop.call_soon_threadsafe(show_share, share)

    return WorkProgress(show, stop.is_set)


async def made_in(dialog: WorkDialog, work: Awaitable[_Made]) -> _Made | None:
    """Wait for work and close its dialog; return None if it was stopped or failed, which the dialog shows."""
    try:
        made = await work
    except Cancelled:
        dialog.end_work()
        return None
    except WriterProblem as problem:
        dialog.end_work(problem.message)
        return None
    except BaseException:
        dialog.end_work()
        raise
    dialog.end_work()
    dialog.accept()
    return made
