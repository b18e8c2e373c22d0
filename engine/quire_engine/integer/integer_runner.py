"""Passes of any width over a cache of bytes."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.api.config import CacheForm
from quire_engine.integer.attention_kernel import Sight
from quire_engine.integer.block_model import BlockModel
from quire_engine.integer.integer_ends import IntegerEnds
from quire_engine.integer.integer_store import IntegerStore
from quire_engine.integer.measured_threads import MeasuredThreads
from quire_engine.integer.pass_data import Room, new_room, new_rows
from quire_engine.integer.pass_kernel import keep_all_layers
from quire_engine.integer.pass_stages import Rows
from quire_engine.integer.pass_team import PassTeam
from quire_engine.integer.portable_angles import AngleTables, query_factors

KERNELS = "integer kernels 4"
"""Name in the record of a run. Whoever changes a bit that they compute raises the number."""
PREFILL_ROWS = 128
"""Rows that a chunk of known text goes through the layers with."""


class IntegerRunner:
    """Runs passes of any number of rows; a row has the same bits in each of them.

    Args:
        width: most nodes of a pass.
        context_length: positions that it can hold.
        threads: most threads that share a pass.
        angles: of the model, where another runner of it has them already.
    """

    def __init__(
        self,
        model: BlockModel,
        width: int,
        context_length: int,
        threads: int = 1,
        angles: AngleTables | None = None,
    ) -> None:
        self._model = model
        self._width = width
        self._context_length = context_length
        self._angles = angles or AngleTables(model.frequencies, model.angle_scales)
        self._store = IntegerStore(model.shape, len(model.layers.windows))
        self._most = max(width, PREFILL_ROWS)
        self._team = PassTeam(threads)
        self._choice = MeasuredThreads(threads)
        self._threads: int | None = None
        self._new = new_rows(model.shape, len(model.layers.windows), self._most)
        self._room = self._new_room()
        self._ends = IntegerEnds(model, width)
        self._residuals = np.zeros((0, model.shape.width), np.float32)
        self._hidden: Tensor | None = None

    @property
    def context_length(self) -> int:
        """Positions that it can hold."""
        return self._context_length

    @property
    def width(self) -> int:
        """Most nodes of a pass."""
        return self._width

    @property
    def threads(self) -> int:
        """Most threads that share a pass."""
        return self._team.threads

    def share_passes(self, threads: int | None) -> None:
        """Share passes among this many threads; None: among those that lately took the least time."""
        if threads is not None and not 1 <= threads <= self._team.threads:
            raise ValueError(f"threads must be from 1 to {self._team.threads}, got {threads}")
        self._threads = threads

    @property
    def length(self) -> int:
        """Tokens read and committed."""
        return self._store.length

    @property
    def padded(self) -> bool:
        """No: a pass has as many rows as nodes."""
        return False

    @property
    def reads_alike(self) -> bool:
        """Yes: chunks leave the bits of decode passes."""
        return True

    @property
    def form(self) -> CacheForm:
        """As computed, which is a byte a number."""
        return "full"

    @property
    def kernels(self) -> str:
        """Name of the kernels, whose version decides the bits."""
        return KERNELS

    @property
    def network(self) -> IntegerEnds:
        """Embeddings and head."""
        return self._ends

    @property
    def store(self) -> IntegerStore:
        """The cache."""
        return self._store

    @property
    def hidden(self) -> Tensor:
        """Last hidden states of the last pass, final norm applied: (its tokens or nodes, width)."""
        if self._hidden is None:
            self._hidden = self._ends.hidden(self._residuals)
        return self._hidden

    def raw_states(self, nodes: Sequence[int]) -> Tensor:
        """Return copies of the residuals of these nodes."""
        return torch.from_numpy(self._residuals[list(nodes)])

    def states(self, raw: Tensor) -> Tensor:
        """Return the hidden states of these residuals: a third of a very small model's pass."""
        return self._ends.hidden(raw.numpy())

    def before_norm(self, raw: Tensor) -> Tensor:
        """Return the last states before the final norm."""
        return raw

    def keep_before_norm(self) -> bool:
        """Yes: they are what a pass ends with."""
        return True

    @property
    def residuals(self) -> npt.NDArray[np.float32]:
        """Residuals of the last pass, (its tokens or nodes, width)."""
        return self._residuals

    def scores(self, first: int, last: int) -> Tensor:
        """Return the logits of rows [first, last) of the last pass, float32 (rows, vocab)."""
        return self._ends.of_residuals(self._residuals[first:last])

    def with_own_cache(self, num_copied: int = 0) -> IntegerRunner:
        """Return a runner of the same model whose cache has only copies of the first positions."""
        threads, angles = self._team.threads, self._angles
        other = IntegerRunner(self._model, self._width, self._context_length, threads, angles)
        if num_copied:
            other.store.copy_from(self._store, num_copied)
        return other

    def reset(self) -> None:
        """Forget everything that was read, but keep the memory."""
        self._store.truncate(0)

    def rewind(self, length: int) -> None:
        """Forget every position from `length` on; ValueError when fewer are held."""
        self._store.truncate(length)

    def release(self) -> None:
        """Forget everything that was read and free its memory."""
        self._store.release()
        self._room = self._new_room()
        self._keep_residuals(np.zeros((0, self._model.shape.width), np.float32))

    def prefill(self, token_ids: Sequence[int]) -> None:
        """Read one chunk of known tokens and commit it."""
        self._reserve(self.length + len(token_ids))
        read = []
        for start in range(0, len(token_ids), PREFILL_ROWS):
            ids = token_ids[start : start + PREFILL_ROWS]
            rows = np.arange(len(ids), dtype=np.int64)
            none = np.zeros(len(ids), np.int64)
            sight = Sight(self.length + rows + 1, none[:, None], none)
            x = self._run(ids, self.length + rows, sight, self.length, None)
            read.append(x)
            self._store.length += len(ids)
        self._keep_residuals(np.concatenate(read))

    def decode(self, token_ids: Sequence[int], parents: Sequence[int]) -> Tensor:
        """Score a tree in one pass: float32 logits (nodes, vocab). Node 0 is the root, parents[0] is -1."""
        count = len(token_ids)
        if not 1 <= count <= self._width:
            raise ValueError(f"a pass takes 1 to {self._width} nodes, got {count}")
        self._reserve(self.length + count)
        paths, lengths = _paths(parents)
        sight = Sight(np.full(count, self.length, np.int64), paths, lengths)
        logits = np.empty((count, self._model.num_ids), np.float32)
        self._keep_residuals(self._run(token_ids, self.length + lengths - 1, sight, -1, logits))
        self._ends.bend(logits)
        return torch.from_numpy(logits)

    def commit(self, nodes: Sequence[int]) -> None:
        """Keep these nodes of the last decode pass, a path from the root."""
        keep_all_layers(self._store.cache, self._new, np.array(nodes, np.int64), self.length)
        self._store.length += len(nodes)

    def _keep_residuals(self, residuals: npt.NDArray[np.float32]) -> None:
        self._residuals, self._hidden = residuals, None

    def _run(
        self,
        ids: Sequence[int],
        positions: npt.NDArray[np.int64],
        sight: Sight,
        first_slot: int,
        logits: npt.NDArray[np.float32] | None,
    ) -> npt.NDArray[np.float32]:
        """Return the last residuals of the rows, (rows, width), and write their logits."""
        x = self._ends.rows_of(np.array(ids, np.int64))
        threads = self._threads or self._choice.choose(len(ids))
        cos, sin = self._angles.of(positions)
        factors = query_factors(positions, *self._model.growth)
        rows = Rows(x, cos, sin, factors, sight, first_slot, threads)
        begun = time.perf_counter()
        self._team.run(
            rows,
            self._model.layers,
            self._model.shape,
            self._store.cache,
            self._new,
            self._room,
            logits,
        )
        self._choice.record(len(ids), threads, time.perf_counter() - begun)
        return x

    def _reserve(self, positions: int) -> None:
        """Make room for this many positions."""
        self._store.reserve(positions)
        # the store may have grown before, when it was filled from a file
        if self._room_positions != self._store.capacity:
            self._room = self._new_room()

    def _new_room(self) -> Room:
        model, self._room_positions = self._model, self._store.capacity
        return new_room(
            model.layers, model.shape, self._most, self._width, self._room_positions, self._team.threads
        )


def _paths(parents: Sequence[int]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the nodes from the root to each node, (nodes, longest), and how many they are."""
    found: list[list[int]] = []
    for node, parent in enumerate(parents):
        found.append([*(found[parent] if parent >= 0 else []), node])
    lengths = np.array([len(path) for path in found], np.int64)
    paths = np.zeros((len(found), int(lengths.max())), np.int64)
    for node, path in enumerate(found):
        paths[node, : len(path)] = path
    return paths, lengths
