"""What a device does at its best: reads and copies of a large buffer, products, calls of tiny kernels."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import torch
from torch import nn

_REPEATS = 7
_TINY_CALLS = 1000
_PRODUCT = 4096  # rows and columns of the matrices that are multiplied
_CPU_PRODUCT = 1024


@dataclass(frozen=True, slots=True)
class DeviceSpeed:
    """The best of several tries, because whatever disturbs a try only makes it slower.

    Attributes:
        read, copy: bytes per second; a copy counts what it reads and what it writes.
        flops: of a matrix product in the dtype of the passes.
        call_us: microseconds per call of a kernel that does nothing much, many in a row.
        wait_us: of one such call and the wait for it.
        buffer_bytes: size of what was read.
    """

    read: float
    copy: float
    flops: float
    call_us: float
    wait_us: float
    buffer_bytes: int

    def lines(self) -> list[str]:
        """Return it for people, and how it was measured."""
        return [
            f"memory: {self.read / 1e9:,.1f} GB/s reading (sum of {self.buffer_bytes / 1e6:,.0f} MB of "
            f"float32), {self.copy / 1e9:,.1f} GB/s copying (what is read and what is written); best of "
            f"{_REPEATS}",
            f"arithmetic: {self.flops / 1e12:,.2f} TFLOP/s (product of square matrices); a call of a tiny "
            f"kernel {self.call_us:.1f} us, {self.wait_us:.1f} us when it is waited for",
        ]

    def report(self) -> dict[str, Any]:
        """Return it for a JSON report."""
        return asdict(self)


class Clock:
    """Times what a device does.

    CPU: count the CPU time of this process instead of the time on the wall: on a busy machine the
    other programs' turns are left out. Only good for passes of one thread on a CPU.
    """

    def __init__(self, device: torch.device, *, processor: bool = False) -> None:
        self._device = device
        self.now: Callable[[], float] = time.process_time if processor else time.perf_counter

    def wait(self) -> None:
        """Wait until the device has finished everything that it was given."""
        if self._device.type == "cuda":
            torch.cuda.synchronize(self._device)
        elif self._device.type == "mps":
            torch.mps.synchronize()

    def seconds(self, action: Callable[[], object]) -> float:
        """Return the seconds of an action, until the device has finished it."""
        self.wait()
        started = self.now()
        action()
        self.wait()
        return self.now() - started


class Reader:
    """Reads a buffer that fits into no cache, as a yardstick beside everything else that is timed."""

    def __init__(self, device: torch.device, clock: Clock, num_bytes: int) -> None:
        self._clock = clock
        self._buffer = torch.ones(num_bytes // 4, dtype=torch.float32, device=device)

    @property
    def num_bytes(self) -> int:
        """What one reading reads."""
        return self._buffer.nbytes

    def read(self) -> float:
        """Read it once; return bytes per second."""
        return self.num_bytes / self._clock.seconds(self._buffer.sum)

    def copy(self) -> float:
        """Copy one half of it over the other; return bytes per second, read and written."""
        front, back = self._buffer.chunk(2)
        return self.num_bytes / self._clock.seconds(lambda: back.copy_(front))


def buffer_bytes(device: torch.device, num_free: int) -> int:
    """Return how large a buffer has to be: beyond any cache, and never most of the memory.

    On a GPU a reading must also take long beside the wait for it.
    """
    wanted = 256 << 20 if device.type == "cpu" else 4 << 30
    return max(16 << 20, min(wanted, num_free // 8))


@torch.inference_mode()
def measure_device(reader: Reader, clock: Clock, device: torch.device, dtype: torch.dtype) -> DeviceSpeed:
    """Measure the device; a second or so on a GPU, a few on a CPU."""
    tiny = torch.zeros(1, device=device)

    def many() -> None:
        for _ in range(_TINY_CALLS):
            tiny.add_(1)

    reader.read()  # the first one may touch pages or load a kernel
    return DeviceSpeed(
        read=max(reader.read() for _ in range(_REPEATS)),
        copy=max(reader.copy() for _ in range(_REPEATS)),
        flops=_product_speed(clock, device, dtype),
        call_us=1e6 * _best(clock, many) / _TINY_CALLS,
        wait_us=1e6 * _best(clock, lambda: tiny.add_(1)),
        buffer_bytes=reader.num_bytes,
    )


def _product_speed(clock: Clock, device: torch.device, dtype: torch.dtype) -> float:
    size = _CPU_PRODUCT if device.type == "cpu" else _PRODUCT
    a = torch.ones(size, size, dtype=dtype, device=device)
    b = torch.ones(size, size, dtype=dtype, device=device)
    return 2 * size**3 / _best(clock, lambda: nn.functional.linear(a, b))


def _best(clock: Clock, action: Callable[[], object]) -> float:
    action()
    return min(clock.seconds(action) for _ in range(_REPEATS))
