"""Which operations the time of a pass goes into."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

_LISTED = 8
_PASSES = 3


@dataclass(frozen=True, slots=True)
class PassPart:
    """One kind of operation: its share of the time of a pass, and how often it runs in one."""

    name: str
    share: float
    calls: float


def parts_of(action: Callable[[], object], device: torch.device) -> tuple[PassPart, ...]:
    """Return the costliest operations of an action, the time of the device where it tells of it.

    Watching slows small operations down, so the shares lean towards many small ones.
    """
    on_gpu = device.type == "cuda"
    activities = [ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if on_gpu else [])]
    action()
    with profile(activities=activities) as watched:
        for _ in range(_PASSES):
            action()
        if on_gpu:
            torch.cuda.synchronize(device)
    found: list[tuple[float, Any]] = [
        (event.self_device_time_total if on_gpu else event.self_cpu_time_total, event)
        for event in watched.key_averages()
    ]
    whole = sum(us for us, _ in found) or 1.0
    found.sort(key=lambda one: -one[0])
    return tuple(
        PassPart(str(event.key), us / whole, event.count / _PASSES) for us, event in found[:_LISTED] if us > 0
    )
