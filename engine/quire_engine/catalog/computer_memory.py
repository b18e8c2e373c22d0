"""The computer's memory and this process's share of it, as far as the system says; no torch.

On macOS reading it starts other programs, so do not read it on the GUI thread.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_STATM = Path("/proc/self/statm")
_MEMINFO = Path("/proc/meminfo")
_WITHIN_S = 2.0


@dataclass(frozen=True, slots=True)
class ComputerMemory:
    """Bytes; 0 for what the system does not tell. own: of this process. free: that could be had. total:
    built in."""

    own: int = 0
    free: int = 0
    total: int = 0


def read_memory() -> ComputerMemory:
    """Look at the memory now."""
    if sys.platform == "win32":
        return _windows()
    if sys.platform == "darwin":
        return _darwin()
    return _linux(_STATM, _MEMINFO)


def _linux(statm: Path, meminfo: Path) -> ComputerMemory:
    try:
        own = int(statm.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
        lines = (line.partition(":") for line in meminfo.read_text(encoding="ascii").splitlines())
        told = {name: int(rest.split()[0]) * 1024 for name, _, rest in lines}
    except (OSError, ValueError, IndexError):  # a sandbox may hide it
        return ComputerMemory()
    return ComputerMemory(own, told.get("MemAvailable", 0), told.get("MemTotal", 0))


def _darwin() -> ComputerMemory:
    """Ask the system's own tools; they take some milliseconds."""
    try:
        total = int(_said("/usr/sbin/sysctl", "-n", "hw.memsize"))
        own = int(_said("/bin/ps", "-o", "rss=", "-p", str(os.getpid()))) * 1024
        return ComputerMemory(own, pages_free(_said("/usr/bin/vm_stat")), total)
    except (OSError, ValueError, subprocess.SubprocessError):
        return ComputerMemory()


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=_WITHIN_S, check=True).stdout


def pages_free(vm_stat: str) -> int:
    """Return the bytes that vm_stat of macOS counts as free or free for the asking; 0 where it says none."""
    first, *rows = vm_stat.splitlines() or [""]
    size = next((int(word) for word in first.split() if word.isdecimal()), 0)
    pages = {name.strip(): number.strip(" .") for name, _, number in (row.partition(":") for row in rows)}
    names = ("Pages free", "Pages inactive", "Pages speculative", "Pages purgeable")
    counts = (pages.get(name, "") for name in names)
    return size * sum(int(count) for count in counts if count.isdecimal())


if sys.platform == "win32":

    class _Status(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            ("total", ctypes.c_ulonglong),
            ("free", ctypes.c_ulonglong),
            ("rest", ctypes.c_ulonglong * 5),
        )

    class _Counters(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_ulong),
            ("faults", ctypes.c_ulong),
            ("peak", ctypes.c_size_t),
            ("now", ctypes.c_size_t),
            ("rest", ctypes.c_size_t * 6),
        )

    def _windows() -> ComputerMemory:
        status = _Status()
        status.length = ctypes.sizeof(_Status)
        if not ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
            return ComputerMemory()
        counters = _Counters()
        counters.length = ctypes.sizeof(_Counters)
        current = ctypes.c_void_p(-1)  # the handle of this very process
        known = ctypes.windll.kernel32.K32GetProcessMemoryInfo(
            current, ctypes.byref(counters), counters.length
        )
        return ComputerMemory(int(counters.now) if known else 0, int(status.free), int(status.total))
