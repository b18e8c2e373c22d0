"""Passes of any width over a cache of bytes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.integer.attention_kernel import COLUMNS, POSITIONS
from quire_engine.integer.integer_weights import IntegerWeights
from quire_engine.integer.pass_kernel import Cache, NewRows, Room, keep_all_layers, run_layers, score
from quire_engine.integer.portable_angles import cos_and_sin
from quire_engine.integer.product_kernel import new_digits

PREFILL_ROWS = 32
"""Rows that a chunk of known text goes through the layers with."""


class IntegerRunner:
    """Runs passes of any number of rows; a row has the same bits in each of them."""

    def __init__(self, weights: IntegerWeights, width: int, context_length: int) -> None:
        self._weights = weights
        self._width = width
        self._context_length = context_length
        self._cos, self._sin = _angles(weights, context_length)
        self._cache = _new_cache(weights, POSITIONS)
        self._most = max(width, PREFILL_ROWS)
        self._new = _new_rows(weights, self._most)
        self._room = _new_room(weights, self._most, POSITIONS)
        self._residuals = np.zeros((0, weights.shape.width), np.float32)
        self.length = 0

    @property
    def context_length(self) -> int:
        """Positions that it can hold."""
        return self._context_length

    @property
    def width(self) -> int:
        """Most nodes of a pass."""
        return self._width

    @property
    def hidden(self) -> Tensor:
        """Last hidden states of the last pass, final norm applied: (its tokens or nodes, width)."""
        plain = self._weights.rotation.undo(torch.from_numpy(self._residuals))
        return torch.nn.functional.rms_norm(
            plain, (plain.shape[-1],), self._weights.final_norm, self._weights.shape.eps
        )

    def rewind(self, length: int) -> None:
        """Forget every position from `length` on; ValueError when fewer are held."""
        if not 0 <= length <= self.length:
            raise ValueError(f"length must be from 0 to {self.length}, got {length}")
        self.length = length

    def prefill(self, token_ids: Sequence[int]) -> None:
        """Read one chunk of known tokens and commit it."""
        self._reserve(self.length + len(token_ids))
        read = []
        for start in range(0, len(token_ids), PREFILL_ROWS):
            ids = token_ids[start : start + PREFILL_ROWS]
            rows = np.arange(len(ids), dtype=np.int64)
            none = np.zeros(len(ids), np.int64)
            x = self._run(ids, self.length + rows, self.length + rows + 1, none[:, None], none, self.length)
            read.append(x)
            self.length += len(ids)
        self._residuals = np.concatenate(read)

    def decode(self, token_ids: Sequence[int], parents: Sequence[int]) -> Tensor:
        """Score a tree in one pass: float32 logits (nodes, vocab). Node 0 is the root, parents[0] is -1."""
        count = len(token_ids)
        if not 1 <= count <= self._width:
            raise ValueError(f"a pass takes 1 to {self._width} nodes, got {count}")
        self._reserve(self.length + count)
        paths, lengths = _paths(parents)
        seen = np.full(count, self.length, np.int64)
        x = self._run(token_ids, self.length + lengths - 1, seen, paths, lengths, -1)
        self._residuals = x
        weights = self._weights
        logits = np.empty((count, weights.num_ids), np.float32)
        score(x, weights.head, weights.shape, weights.num_ids, self._room, logits)
        return torch.from_numpy(logits)

    def commit(self, nodes: Sequence[int]) -> None:
        """Keep these nodes of the last decode pass, a path from the root."""
        keep_all_layers(self._cache, self._new, np.array(nodes, np.int64), self.length)
        self.length += len(nodes)

    def snapshot(self) -> tuple[npt.NDArray[np.generic], ...]:
        """Return copies of the committed keys and values, and their scales, by position."""
        keys, values, key_scales, value_scales = self._cache
        layers, heads, blocks = keys.shape[:3]
        by_position = keys.transpose(0, 1, 2, 4, 3, 5).reshape(layers, heads, blocks * POSITIONS, -1)
        of_values = values.transpose(0, 1, 2, 3, 5, 4).reshape(layers, heads, blocks * POSITIONS, -1)
        return tuple(
            each[:, :, : self.length].copy() for each in (by_position, of_values, key_scales, value_scales)
        )

    def _run(
        self,
        ids: Sequence[int],
        positions: npt.NDArray[np.int64],
        seen: npt.NDArray[np.int64],
        paths: npt.NDArray[np.int64],
        lengths: npt.NDArray[np.int64],
        first_slot: int,
    ) -> npt.NDArray[np.float32]:
        """Return the last residuals of the rows, (rows, width)."""
        weights, picked = self._weights, np.array(ids, np.int64)
        x = weights.embedding[picked].astype(np.float32) * weights.embedding_scales[picked, None]
        run_layers(
            x,
            weights.layers,
            weights.shape,
            self._cos[positions],
            self._sin[positions],
            self._cache,
            seen,
            paths,
            lengths,
            first_slot,
            self._new,
            self._room,
        )
        return x

    def _reserve(self, positions: int) -> None:
        """Make room for this many positions; growth doubles."""
        held = self._cache.key_scales.shape[2]
        if positions + POSITIONS <= held:
            return
        wanted = -(-max(positions + POSITIONS, 2 * held) // POSITIONS) * POSITIONS
        grown = _new_cache(self._weights, wanted)
        for name in Cache._fields:
            old = getattr(self._cache, name)
            getattr(grown, name)[:, :, : old.shape[2]] = old
        self._cache = grown
        self._room = _new_room(self._weights, self._most, wanted)


def _angles(
    weights: IntegerWeights, positions: int
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    angles = np.arange(positions, dtype=np.float64)[:, None] * weights.frequencies
    cos, sin = cos_and_sin(angles)
    scale = np.float32(weights.angle_scale)
    return cos * scale, sin * scale


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


def _new_cache(weights: IntegerWeights, positions: int) -> Cache:
    shape, layers = weights.shape, len(weights.layers.windows)
    blocks, columns = positions // POSITIONS, -(-shape.head // COLUMNS) * COLUMNS
    heads = (layers, shape.kv_heads)
    return Cache(
        np.zeros((*heads, blocks, shape.head // 2, POSITIONS, 2), np.int8),
        np.zeros((*heads, blocks, POSITIONS // 2, columns, 2), np.int8),
        np.zeros((*heads, positions), np.float32),
        np.zeros((*heads, positions), np.float32),
    )


def _new_rows(weights: IntegerWeights, rows: int) -> NewRows:
    shape, layers = weights.shape, len(weights.layers.windows)
    heads = (layers, shape.kv_heads, rows)
    return NewRows(
        np.zeros((*heads, shape.head), np.int8),
        np.zeros((*heads, shape.head), np.int8),
        np.zeros(heads, np.float32),
        np.zeros(heads, np.float32),
    )


def _new_room(weights: IntegerWeights, rows: int, positions: int) -> Room:
    shape, group = weights.shape, weights.shape.heads // weights.shape.kv_heads
    layers = weights.layers
    inner = max(each.blocks.shape[2] * 4 for each in (layers.qkv, layers.out, layers.gate_up, layers.down))
    outputs = max(
        each.blocks.shape[1] * 16
        for each in (layers.qkv, layers.out, layers.gate_up, layers.down, weights.head)
    )
    queries = rows * group
    return Room(
        new_digits(2 * rows, inner),
        np.zeros(rows, np.float32),
        np.zeros((2 * rows, outputs), np.int32),
        np.zeros(outputs, np.float32),
        np.zeros((rows, shape.heads * shape.head), np.float32),
        np.zeros((queries * shape.kv_heads, shape.head), np.int16),
        np.zeros(queries * shape.kv_heads, np.float32),
        np.zeros((queries, positions), np.float32),
        np.zeros((queries, positions), np.int16),
        np.zeros((queries, shape.head), np.float32),
    )
