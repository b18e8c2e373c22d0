"""Decode passes whose every change is in tensors on the device: they can be recorded and repeated."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from quire_engine.cache.kv_store import KVStore
from quire_engine.gpu.cuda_graphs import CallAgain, GraphMaker, Work
from quire_engine.gpu.segmented_attention import SegmentKernel
from quire_engine.gpu.static_attention import Places, StaticPass, bounds_of
from quire_engine.models.attention import BLOCK, running
from quire_engine.models.network import Network, last_states
from quire_engine.models.open_block import lay_out_tails

_ROWS = (1, 8, 16, 32, 64)
"""Rows of passes that need not all have the run's width: few sizes, because each one is recorded."""
_MOVE = 0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DecodeBackend:
    """A fast way to run passes.

    Attributes:
        name: for the record of a run.
        new_maker: a maker for one runner.
        kernel: attends to the full blocks.
        is_proven: it passed every check at load. A recording that fails later, for want of memory say, then
            gives way to the work that is recorded: the checks found their bits equal.
    """

    name: str
    new_maker: Callable[[], GraphMaker]
    kernel: SegmentKernel
    is_proven: bool = False


@dataclass(frozen=True, slots=True)
class PassScores:
    """What a pass gave, one row per row of the pass; good until the next pass.

    before_norm: the states that the final norm made `hidden` of, or `hidden` where the network shows none.
    queries: by layer, (heads, rows, dim), rotated.
    """

    hidden: Tensor
    logits: Tensor
    before_norm: Tensor
    queries: list[Tensor]


def rows_for(count: int, width: int, *, padded: bool) -> int:
    """Return how many rows a pass over `count` nodes has. padded: always the width."""
    return width if padded else min([rows for rows in _ROWS if count <= rows < width], default=width)


class StaticDecoder:
    """The decode passes and commits of one store, each size of pass made once per memory of the store.

    width: nodes of a pass at most.
    """

    def __init__(self, network: Network, store: KVStore, width: int, fast: DecodeBackend) -> None:
        self._network = network
        self._store = store
        self._fast = fast
        self._maker = fast.new_maker()
        self._inputs: dict[int, _Inputs] = {}
        self._path = _Staged(2 * width, network.device)
        self._made: dict[int, Work] = {}  # by rows of the pass, and _MOVE
        self._generation = store.generation
        self._parts = torch.zeros(0)

    def forget(self) -> None:
        """Let go of everything that was made for the store's present memory."""
        self._made.clear()
        self._maker.forget()

    def decode(self, token_ids: Sequence[int], parents: Sequence[int], rows: int) -> PassScores:
        """Score a tree behind the committed tokens; the store has room for `rows` more."""
        inputs = self._inputs.get(rows)
        if inputs is None:
            inputs = self._inputs[rows] = _Inputs(rows, self._network.device)
        inputs.fill(token_ids, parents, self._store.length)
        self._follow_the_store()
        hidden, logits, before_norm, *queries = self._repeatable(rows, self._pass_over(inputs))()
        return PassScores(hidden, logits, before_norm, queries)

    def keep(self, nodes: Sequence[int]) -> None:
        """Move the rows of an accepted path to where the committed ones end; the store's length stays."""
        self._follow_the_store()
        if _MOVE not in self._made:
            self._send_path(())  # what is made is tried as well, and rows that have moved may not move again
        move = self._repeatable(_MOVE, partial(_move, self._store, self._path))
        self._send_path(nodes)
        move()

    def _send_path(self, nodes: Sequence[int]) -> None:
        """Tell the device which row comes to which place; the rest of the rows stay where they are."""
        self._path.wait()
        sources, targets = self._path.host.reshape(2, -1)
        targets[:] = np.arange(self._store.length, self._store.length + len(targets))
        sources[:] = targets
        sources[: len(nodes)] = np.add(nodes, self._store.length)
        self._path.send()

    def _follow_the_store(self) -> None:
        """Let go of what was made for memory that the store has left."""
        if self._store.generation != self._generation or not len(self._parts):
            self.forget()
            self._parts = bounds_of(self._store, self._network.device)
            self._generation = self._store.generation

    def _repeatable(self, key: int, work: Work) -> Work:
        if key not in self._made:
            if not self._store.tensors():
                return work  # the first pass tells the store its shapes
            self._made[key] = self._make(work)
        return self._made[key]

    def _make(self, work: Work) -> Work:
        try:
            return self._maker.make(work)
        except RuntimeError:
            if not self._fast.is_proven:
                raise
            _log.warning("A pass was not recorded; it is launched step by step.", exc_info=True)
            return CallAgain().make(work)

    def _pass_over(self, inputs: _Inputs) -> Work:
        # nothing of itself: a cycle would hold the GPU's memory until someone collects
        return partial(_run, self._network, self._store, inputs, self._parts, self._fast.kernel)


def _run(
    network: Network, store: KVStore, inputs: _Inputs, parts: Tensor, kernel: SegmentKernel
) -> tuple[Tensor, ...]:
    """Run one pass; return hidden states, scores, what `hidden` was before the norm, and each layer's
    queries."""
    pass_ = StaticPass(store, inputs.places, parts, kernel)
    with running(pass_):
        before_norm, hidden = last_states(network, inputs.ids, inputs.places.positions)
    return hidden, network.logits(hidden), hidden if before_norm is None else before_norm, *pass_.queries


def _move(store: KVStore, path: _Staged) -> tuple[Tensor, ...]:
    sources, targets = path.device.view(2, -1)
    store.move(sources, targets)
    return ()


class _Staged:
    """Whole numbers that the host fills in and the device reads: one copy for them all, without waiting."""

    def __init__(self, num_values: int, device: torch.device) -> None:
        is_cuda = device.type == "cuda"
        self._from = torch.zeros(num_values, dtype=torch.int64, pin_memory=is_cuda)
        event: Any = torch.cuda.Event  # carries no types
        self._copied = event() if is_cuda else None
        self.host = self._from.numpy()
        self.device = torch.zeros(num_values, dtype=torch.int64, device=device)

    def wait(self) -> None:
        """Wait until the last copy has left the host, which it long has when passes follow each other."""
        if self._copied is not None:
            self._copied.synchronize()

    def send(self) -> None:
        """Begin the copy."""
        self.device.copy_(self._from, non_blocking=True)
        if self._copied is not None:
            self._copied.record()


class _Inputs:
    """What a pass of some number of rows reads: ids, positions, and what each row sees of the open block."""

    def __init__(self, rows: int, device: torch.device) -> None:
        self._staged = _Staged(rows * (3 + BLOCK), device)
        shape = (3 + BLOCK, rows)
        host, there = self._staged.host.reshape(shape), self._staged.device.view(shape)
        self._ids, self._positions, self._lengths = host[:3]
        self._slots = host[3:].reshape(rows, BLOCK)
        self.ids = there[0]
        self.places = Places(there[1], there[3:].reshape(rows, BLOCK), there[2])

    def fill(self, token_ids: Sequence[int], parents: Sequence[int], start: int) -> None:
        """Send a tree whose root is at `start`; the rows behind it see what the root sees."""
        count = len(token_ids)
        self._staged.wait()
        ends = lay_out_tails(self._slots, start, parents)
        self._ids[:count], self._ids[count:] = token_ids, 0
        self._lengths[:count], self._lengths[count:] = ends, ends[0]
        self._slots[count:] = self._slots[0]
        np.add(self._lengths, start // BLOCK * BLOCK - 1, out=self._positions)
        self._staged.send()
