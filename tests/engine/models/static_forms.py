"""Fast paths for a CPU: what a GPU would do, made of operations that every device has.

`by_products` is in for the GPU's kernel. `Tape` is in for its graphs: it notes every operation that a
pass performs and does these again, on the same tensors, without running a line of the pass: whatever the host
decided in between stays what it was at the recording, just as in a graph.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from quire_engine.gpu.cuda_graphs import CallAgain, GraphMaker, Work
from quire_engine.gpu.segmented_attention import Segments
from quire_engine.gpu.static_decoder import DecodeBackend


def by_products(
    query: Tensor, keys: Tensor, values: Tensor, segments: Segments, scale: float
) -> tuple[Tensor, Tensor]:
    """Attend over segments as SegmentKernel says, by products and a mask; each segment by itself.

    Like the GPU's, it leaves +inf as the log-sum-exp of an empty segment; out of malice, NaN for the rest.
    """
    rows, heads, dim = query.shape
    count = len(segments.key_bounds) - 1
    assert rows == count * segments.max_rows
    begin, end = segments.key_bounds[:-1, None], segments.key_bounds[1:, None]
    places = begin + torch.arange(segments.max_keys)  # (segments, max_keys)
    hidden = (places >= end)[:, None, None]
    flat = places.clamp(max=len(keys) - 1).view(-1)
    own, own_keys, own_values = (
        part.view(count, -1, heads, dim).transpose(1, 2).float()
        for part in (query, keys.index_select(0, flat), values.index_select(0, flat))
    )
    scores = (own.mul(scale) @ own_keys.transpose(-1, -2)).masked_fill(hidden, -torch.inf)
    out = (scores.softmax(-1) @ own_values).transpose(1, 2)
    lse = scores.logsumexp(-1).transpose(0, 1).reshape(heads, rows)
    return out.reshape(query.shape).to(query.dtype), lse.masked_fill(lse == -torch.inf, torch.inf)


class Tape:
    """A GraphMaker that repeats what was done by doing each operation again into the same memory.

    Attributes:
        num_made: recordings so far.
        num_forgotten: times that all were given up.
    """

    def __init__(self) -> None:
        self.num_made = 0
        self.num_forgotten = 0
        self._first = 0

    def make(self, work: Work) -> Work:
        """Record the work."""
        work()
        with _Noting() as noted:
            results = work()
        self.num_made += 1
        number = self.num_made

        def again() -> tuple[Tensor, ...]:
            assert number > self._first, "a recording was used after its memory had moved"
            for step in noted.steps:
                step()
            return results

        return again

    def forget(self) -> None:
        """Reject what was made so far."""
        self._first = self.num_made
        self.num_forgotten += 1


class _Noting(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Notes operations. Views need no repetition: they show whatever is in the memory that they share."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.steps: list[Callable[[], None]] = []

    def __torch_dispatch__(self, func: Any, types: Sequence[type], args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        given = {_memory(leaf) for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, Tensor)}
        results = [leaf for leaf in tree_leaves(out) if isinstance(leaf, Tensor)]
        if func._schema.is_mutable:
            self.steps.append(lambda: func(*args, **kwargs))
        elif any(_memory(result) not in given for result in results):
            self.steps.append(lambda: _do_again(func, args, kwargs, results))
        return out


def _do_again(func: Any, args: Any, kwargs: Any, into: Sequence[Tensor]) -> None:
    again = [leaf for leaf in tree_leaves(func(*args, **kwargs)) if isinstance(leaf, Tensor)]
    for old, new in zip(into, again, strict=True):
        old.copy_(new)


def _memory(tensor: Tensor) -> int:
    # weights that are packed for a CPU have no storage, and no operation changes them
    return id(tensor) if tensor.is_mkldnn else tensor.untyped_storage()._cdata


@contextlib.contextmanager
def forbidding() -> Iterator[Forbidden]:
    """Reject every operation that waits for a device, or whose shape its numbers decide: RuntimeError."""
    with _Reading(), Forbidden() as forbidden:
        yield forbidden


class Forbidden(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Looks at the operations. num_seen: how many there were."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.num_seen = 0

    def __torch_dispatch__(self, func: Any, types: Sequence[type], args: Any = (), kwargs: Any = None) -> Any:
        name, kwargs = func.overloadpacket.__name__, kwargs or {}
        self.num_seen += 1
        leaves = tree_leaves((args, kwargs))
        by_mask = name.startswith("index") and any(
            isinstance(leaf, Tensor) and leaf.dtype == torch.bool for leaf in leaves[1:]
        )
        elsewhere = kwargs.get("device") not in (None, torch.device("cpu"))
        if name in _WAITING or by_mask or elsewhere:
            raise RuntimeError(f"{name} waits for the device")
        return func(*args, **kwargs)


class _Reading(TorchFunctionMode):
    """Rejects to read a tensor's memory, which on a CPU is no operation at all."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func in _READING:
            raise RuntimeError(f"{func.__name__} waits for the device")
        return func(*args, **(kwargs or {}))


_READING = (Tensor.tolist, Tensor.numpy, Tensor.cpu, Tensor.item)
_WAITING = {
    "_local_scalar_dense",
    "item",
    "is_nonzero",
    "equal",
    "nonzero",
    "masked_select",
    "_unique2",
    "lift_fresh",  # a tensor made of the host's numbers, which are copied at once
}


class WatchedTape(Tape):
    """A tape that also rejects work that would wait for a GPU."""

    def make(self, work: Work) -> Work:
        """Record the work; RuntimeError when it waits."""
        with forbidding() as forbidden:
            work()
        assert forbidden.num_seen > 0
        return super().make(work)


class Failing:
    """A maker on a device that records nothing."""

    def make(self, work: Work) -> Work:
        """Fail."""
        raise RuntimeError("nothing can be recorded")

    def forget(self) -> None:
        """Nothing was made."""


def fast_path(new_maker: Callable[[], GraphMaker] = CallAgain, name: str = "graphs") -> DecodeBackend:
    """Return a fast path for a CPU."""
    return DecodeBackend(name, new_maker, by_products)
