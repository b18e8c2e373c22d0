"""How much memory is in use now, as far as the system tells."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import torch

from quire_engine.api.queries import MeasureMemory, MemoryMeasured
from quire_engine.runtime.loaded_model import LoadedModel

_STATM = Path("/proc/self/statm")
_MEMINFO = Path("/proc/meminfo")


def measure_memory(loaded: LoadedModel | None, question: MeasureMemory) -> Iterator[MemoryMeasured]:
    """Look at this process and at the device of the model; without a model at the computer's memory."""
    free, total, own = *computer_bytes(), 0
    is_on_gpu = is_elsewhere = False
    if loaded is not None and (device := loaded.target.network.device).type == "cuda":
        free, total = torch.cuda.mem_get_info(device)
        own, is_on_gpu = torch.cuda.memory_reserved(device), True
        is_elsewhere = loaded.target.form == "computer"
    yield MemoryMeasured(
        question_id=question.question_id,
        process_bytes=process_bytes(),
        device_free_bytes=free,
        device_total_bytes=total,
        device_own_bytes=own,
        weight_bytes=0 if loaded is None else loaded.description.weight_bytes,
        cache_bytes=0 if loaded is None or is_elsewhere else loaded.target.store.num_bytes,
        is_on_gpu=is_on_gpu,
    )


def process_bytes() -> int:
    """Return the memory that this process holds now; elsewhere than on Linux the most it ever held, or 0."""
    try:
        return int(_STATM.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        pass  # only Linux has it
    if sys.platform == "win32":
        return 0
    import resource

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024  # the same field, in other units


def computer_bytes() -> tuple[int, int]:
    """Return free and all memory of the computer; 0 for what the system does not tell."""
    if sys.platform == "win32":
        return _windows_bytes()
    try:
        lines = _MEMINFO.read_text(encoding="ascii").splitlines()
        told = {
            name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)
        }
        return told.get("MemAvailable", 0), told.get("MemTotal", 0)
    except (OSError, ValueError, IndexError):
        pass  # only Linux has it
    try:
        return 0, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (OSError, ValueError):
        return 0, 0


if sys.platform == "win32":

    class _Status(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            ("total", ctypes.c_ulonglong),
            ("free", ctypes.c_ulonglong),
            ("rest", ctypes.c_ulonglong * 5),
        )

    def _windows_bytes() -> tuple[int, int]:
        status = _Status()
        status.length = ctypes.sizeof(_Status)
        if not ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
            return 0, 0
        return int(status.free), int(status.total)
