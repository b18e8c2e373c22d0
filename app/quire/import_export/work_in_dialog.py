"""Work on another thread with progress in a dialog; it can be stopped, and it can fail."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from quire.book_formats.work_progress import Cancelled, WorkProgress
from quire.errors import WriterProblem

if TYPE_CHECKING:
    from quire.import_export.export_dialog import ExportDialog
    from quire.import_export.print_dialog import PrintDialog

_Made = TypeVar("_Made")


def watch_of(show_share: Callable[[float], None], stop: threading.Event) -> WorkProgress:
    """Return a progress object for another thread, which is shown on this one."""
    loop = asyncio.get_running_loop()

    def show(share: float) -> None:
        loop.call_soon_threadsafe(show_share, share)

    return WorkProgress(show, stop.is_set)


async def made_in(dialog: ExportDialog | PrintDialog, work: Awaitable[_Made]) -> _Made | None:
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
