"""What a proof found out, one case at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

CPU_LIMIT_S = 2.0
"""Nothing that a file holds may keep Quire busy for longer."""
_WALL_LIMIT_S = 30.0
"""A machine may be busy with other things; what waits so long waits for something that never comes."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One thing that was tried. phase: what it was; wrong: empty when all was as promised."""

    phase: str
    wrong: str = ""


def hang(work: Callable[[], object], cpu_limit_s: float = CPU_LIMIT_S, wall_s: float = _WALL_LIMIT_S) -> str:
    """Do something on a thread; return that it hung, or took too long, or nothing. It must raise nothing.

    What hangs is left behind: nothing can end a thread that waits in the system.
    """
    spent: list[float] = []

    def timed() -> None:
        work()
        spent.append(time.thread_time())

    thread = threading.Thread(target=timed, name="proof", daemon=True)
    thread.start()
    thread.join(wall_s)
    if thread.is_alive():
        return f"it hung for {wall_s:g} s"
    if spent and spent[0] > cpu_limit_s:
        return f"it was busy for {spent[0]:.1f} s"
    return "" if spent else "it ended in an error of the proof itself"
