"""Limits of this process and of what it starts, kept by the operating system."""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

LIMIT_EXIT = 75
"""Exit status of a process that noticed itself that it passed a limit."""
_WATCH_S = 0.05
_JOB_FLAGS = 0x4 | 0x100 | 0x400 | 0x2000  # job time, process memory, no crash dialog, kill on close
_EXTENDED_LIMITS = 9
_TICKS_PER_S = 10_000_000


@dataclass(frozen=True, slots=True)
class ResourceLimits:
    """What a process may use.

    Attributes:
        cpu_s: processor time, of all processes together where `sharing_cpu_time` is used.
        memory_bytes: memory that each process allocates; code and shared files do not count.
        output_bytes: the longest file that it may write.
        wall_s: time by the clock, for a process that waits for ever; kept by whoever started it.
    """

    cpu_s: int = 10
    memory_bytes: int = 512 * 2**20
    output_bytes: int = 128 * 2**20
    wall_s: float = 90.0


def limit_this_process(limits: ResourceLimits) -> None:
    """Put this process, and those it starts, under limits that it cannot lift again."""
    if sys.platform == "win32":
        _enter_job(limits)
        return
    import resource
    import signal

    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # Python ignores it
    _lower(resource.RLIMIT_CORE, 0, 0)
    _lower(resource.RLIMIT_CPU, limits.cpu_s, limits.cpu_s + 1)
    _lower(resource.RLIMIT_FSIZE, limits.output_bytes, limits.output_bytes)
    # Not RLIMIT_AS: Pandoc reserves a terabyte of addresses, of which it uses next to nothing.
    _lower(resource.RLIMIT_DATA, limits.memory_bytes, limits.memory_bytes)
    if sys.platform != "linux":  # other systems do not enforce the limit of data
        threading.Thread(target=_watch_memory, args=(limits.memory_bytes,), daemon=True).start()


def is_limit_passed(returncode: int) -> bool:
    """Return whether a process that ended like this was ended for a limit."""
    if sys.platform == "win32":
        return returncode in (LIMIT_EXIT, 1816)  # ERROR_NOT_ENOUGH_QUOTA, of the job
    import signal

    return returncode in (LIMIT_EXIT, -signal.SIGXCPU, -signal.SIGKILL, -signal.SIGXFSZ)


@contextmanager
def sharing_cpu_time(limits: ResourceLimits) -> Iterator[None]:
    """Give a process started in the block what is left of this one's processor time, and take that off after.

    Only for a process without other threads; a job on Windows counts its processes together anyway.
    """
    if sys.platform == "win32":
        yield
        return
    import resource

    _lower(resource.RLIMIT_CPU, max(1, math.ceil(limits.cpu_s - time.process_time())))
    try:
        yield
    finally:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        _lower(resource.RLIMIT_CPU, max(1, math.ceil(limits.cpu_s - used.ru_utime - used.ru_stime)))


if sys.platform != "win32":

    def _lower(kind: int, soft: int, hard: int | None = None) -> None:
        """Set a limit; a hard limit that is lower already stays."""
        import resource

        highest = resource.getrlimit(kind)[1]
        if hard is not None and (highest == resource.RLIM_INFINITY or hard < highest):
            highest = hard
        if highest != resource.RLIM_INFINITY:
            soft = min(soft, highest)
        resource.setrlimit(kind, (soft, highest))

    def _watch_memory(most_bytes: int) -> None:
        import resource

        unit = 1 if sys.platform == "darwin" else 1024
        while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit <= most_bytes:
            time.sleep(_WATCH_S)
        os._exit(LIMIT_EXIT)


if sys.platform == "win32":

    def _enter_job(limits: ResourceLimits) -> None:
        """Put this process into a job: the system ends all in it when a limit is passed or this one ends."""
        import ctypes
        from ctypes import wintypes

        class Basic(ctypes.Structure):
            _fields_ = [
                ("PerProcessUserTimeLimit", wintypes.LARGE_INTEGER),
                ("PerJobUserTimeLimit", wintypes.LARGE_INTEGER),
                ("LimitFlags", wintypes.DWORD),
                ("MinimumWorkingSetSize", ctypes.c_size_t),
                ("MaximumWorkingSetSize", ctypes.c_size_t),
                ("ActiveProcessLimit", wintypes.DWORD),
                ("Affinity", ctypes.c_size_t),
                ("PriorityClass", wintypes.DWORD),
                ("SchedulingClass", wintypes.DWORD),
            ]

        class Extended(ctypes.Structure):
            _fields_ = [
                ("BasicLimitInformation", Basic),
                ("IoInfo", ctypes.c_ulonglong * 6),
                ("ProcessMemoryLimit", ctypes.c_size_t),
                ("JobMemoryLimit", ctypes.c_size_t),
                ("PeakProcessMemoryUsed", ctypes.c_size_t),
                ("PeakJobMemoryUsed", ctypes.c_size_t),
            ]

        kernel: Any = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = wintypes.HANDLE
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        kernel.SetInformationJobObject.argtypes = (
            wintypes.HANDLE,
            ctypes.c_int,
            ctypes.c_void_p,
            wintypes.DWORD,
        )
        kernel.AssignProcessToJobObject.argtypes = (wintypes.HANDLE, wintypes.HANDLE)
        wanted = Extended()
        wanted.BasicLimitInformation.PerJobUserTimeLimit = limits.cpu_s * _TICKS_PER_S
        wanted.BasicLimitInformation.LimitFlags = _JOB_FLAGS
        wanted.ProcessMemoryLimit = limits.memory_bytes
        job = kernel.CreateJobObjectW(None, None)  # never closed: the system closes it with this process
        if not (
            job
            and kernel.SetInformationJobObject(
                job, _EXTENDED_LIMITS, ctypes.byref(wanted), ctypes.sizeof(wanted)
            )
            and kernel.AssignProcessToJobObject(job, kernel.GetCurrentProcess())
        ):
            raise ctypes.WinError(ctypes.get_last_error())
