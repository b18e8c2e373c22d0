"""The name of this computer's processor, and the clock that passes on it are timed with; no torch."""

from __future__ import annotations

import functools
import os
import platform
import time
from collections.abc import Callable
from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")


@functools.cache
def processor_name(cpuinfo: Path = _CPUINFO) -> str:
    """Return what the system calls the processor, or at least its kind."""
    try:
        with cpuinfo.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                key, _, value = line.partition(":")
                if key.strip() == "model name" and value.strip():
                    return value.strip()[:200]
    except OSError:
        pass
    return (platform.processor() or platform.machine())[:200]


def pass_clock(device: str) -> Callable[[], float]:
    """Return the seconds by which passes and drafts are compared, for a device type of torch.

    On a processor this is the calling thread's processor time, which other work on the machine does not
    lengthen; elsewhere, and where that time is coarse, it is the clock.
    """
    return time.perf_counter if os.name == "nt" or device != "cpu" else time.thread_time
