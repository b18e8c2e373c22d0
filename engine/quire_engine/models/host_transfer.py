"""Copies between host and device without unnecessary synchronisation.

A copy from pageable memory to a GPU waits for everything before it on the device, and one to pageable memory
goes through a second buffer. Page-locked memory does neither.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor


def to_device(ids: Sequence[int] | npt.NDArray[np.int64], device: torch.device) -> Tensor:
    """Return these integers on a device, int64 (n,), without synchronising."""
    host = torch.tensor(ids, dtype=torch.int64)  # a copy: what was handed in may change afterwards
    if device.type != "cuda":
        return host.to(device)
    return host.pin_memory().to(device, non_blocking=True)


class HostBuffer:
    """Host memory that device tensors are copied to, page-locked where that helps."""

    def __init__(self) -> None:
        self._memory = torch.zeros(0, dtype=torch.uint8)

    @torch.inference_mode()
    def fetch(self, source: Tensor) -> Tensor:
        """Return a tensor on the host; blocks until it is copied. Valid until the next call.

        A tensor on the host is returned as it is.
        """
        if source.device.type == "cpu":
            return source
        if self._memory.numel() < source.nbytes:
            is_locked = source.device.type == "cuda"
            self._memory = torch.empty(source.nbytes, dtype=torch.uint8, pin_memory=is_locked)
        held = self._memory[: source.nbytes].view(source.dtype).view(source.shape)
        return held.copy_(source)
