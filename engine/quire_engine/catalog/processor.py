"""The name of this computer's processor; no torch."""

from __future__ import annotations

import functools
import platform
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
