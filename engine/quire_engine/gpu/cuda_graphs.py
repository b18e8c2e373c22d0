"""Ways to repeat the same work on the device: by calling it, or by replaying a recording of its launches."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator
from typing import Any, Protocol

import torch
from torch import Tensor

Work = Callable[[], tuple[Tensor, ...]]
"""Reads and writes tensors that stay where they are; returns the tensors that hold its results."""


class GraphMaker(Protocol):
    """Turns work into a function that repeats it."""

    def make(self, work: Work) -> Work:
        """Return what does the same work on the device, with the same bits.

        The results of a repetition may be overwritten by the next one of anything that the maker made.
        RuntimeError where the work cannot be repeated.
        """
        ...

    def forget(self) -> None:
        """Drop what was made; the tensors it reads may be gone."""
        ...


class CallAgain:
    """Repeats work by calling it: on any device, and launched again by the host each time."""

    def make(self, work: Work) -> Work:
        """Return the work itself."""
        return work

    def forget(self) -> None:
        """Nothing is kept."""


class CudaGraphs:
    """Records what work launches on a CUDA GPU and launches it as one graph; one pool of memory for all."""

    def __init__(self) -> None:
        self._pool: Any = None  # a handle, whose type versions of PyTorch name differently

    def make(self, work: Work) -> Work:
        """Record the work; RuntimeError when it waits for the device or the recording differs from it."""
        with _no_waiting():
            # also loads every kernel: nothing may be loaded while work is recorded
            wanted = tuple(result.clone() for result in work())
        if self._pool is None:
            self._pool = torch.cuda.graph_pool_handle()
        graph, stream = torch.cuda.CUDAGraph(), torch.cuda.current_stream()
        try:
            # other threads may ask the device for something meanwhile, its free memory say
            with torch.cuda.graph(graph, pool=self._pool, capture_error_mode="thread_local"):
                results = work()
        finally:
            torch.cuda.set_stream(stream)  # a recording that failed may have left its own

        def again() -> tuple[Tensor, ...]:
            graph.replay()
            return results

        if not all(torch.equal(ours, theirs) for ours, theirs in zip(again(), wanted, strict=True)):
            raise RuntimeError("a CUDA graph computes other numbers than what it was recorded from")
        return again

    def forget(self) -> None:
        """Let the pool go with the last of its graphs."""
        self._pool = None


@contextlib.contextmanager
def _no_waiting() -> Iterator[None]:
    """Reject what waits for the device: it cannot be recorded, and a failed recording leaves traces."""
    before = torch.cuda.get_sync_debug_mode()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the mode is new
        torch.cuda.set_sync_debug_mode("error")
    try:
        yield
    finally:
        torch.cuda.set_sync_debug_mode(before)
