"""A feature drafter's layer in whole numbers: one call of a compiled kernel per depth.

Beside a model in whole numbers a guess takes as long as the calls around it, not as its products, so nothing
is done in between. Nothing here has to repeat its bits: a guess may be wrong.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.integer.activations_kernel import SILU, gate
from quire_engine.integer.block_digits import Digits, cut_row, new_digits
from quire_engine.integer.block_packing import PackedWeight, pack_floats
from quire_engine.integer.block_product import groups_of, project_blocks
from quire_engine.integer.head_kernels import rotate
from quire_engine.integer.kernel_kinds import ZERO, kernel, kernel_inline, kernel_part
from quire_engine.integer.portable_math import exp

Floats = npt.NDArray[np.float32]

_SILU = cast("int", np.int64(SILU))
_ROWS = 8  # of a level for which there is room from the start


class LayerSizes(NamedTuple):
    """Sizes of the layer. window: pairs that its attention looks back over; slots: that are stored."""

    heads: int
    kv_heads: int
    dim: int
    window: int
    slots: int
    eps: float


class _Product(NamedTuple):
    """Where a packed weight is, in which form, and its sizes."""

    address: int
    form: int
    outputs: int
    inputs: int


class _Weights(NamedTuple):
    """The products and the two vectors of the layer; without a vocabulary of its own the head is empty."""

    qkv: _Product
    gate_up: _Product
    out: _Product
    head: _Product
    mix: Floats
    norm: Floats


class _Memory(NamedTuple):
    """What the layer remembers of the text.

    Attributes:
        keys: (kv_heads, dim, slots), rotated; a query meets many of them at once.
        values: (kv_heads, slots, dim).
        cos, sin: (slots, dim / 2).
        found: (heads * dim,), what the root's attention found.
    """

    keys: Floats
    values: Floats
    cos: Floats
    sin: Floats
    found: Floats


class _Room(NamedTuple):
    """Room for a call: inputs (rows, 2 * width), what products give, and digits of their inputs."""

    inputs: Floats
    qkv: Floats
    gate_up: Floats
    inner: Floats
    digits: Digits


@kernel_part
def _norm(values: Floats, eps: float, out: Floats) -> None:
    """Write numbers with mean 0 and variance 1."""
    width, total, squares = len(values), 0.0, 0.0
    for j in range(width):
        total += values[j]
    mean = np.float32(total / width)
    for j in range(width):
        away = np.float64(values[j] - mean)
        squares += away * away
    factor = np.float32(1.0 / math.sqrt(squares / width + eps))
    for j in range(width):
        out[j] = (values[j] - mean) * factor


@kernel_inline
def _multiply(product: _Product, x: Floats, rows: int, digits: Digits, out: Floats) -> None:
    """Write some rows times the weights."""
    for row in range(rows):
        cut_row(x[row], row, rows, digits)
    project_blocks(
        product.address,
        product.form,
        product.inputs,
        digits,
        rows,
        ZERO,
        groups_of(product.outputs),
        product.outputs,
        out,
        ZERO,
    )


@kernel_part
def _join(features: Floats, embeddings: Floats, eps: float, inputs: Floats) -> None:
    """Write both, normed, side by side."""
    width = features.shape[1]
    for row in range(len(features)):
        _norm(features[row], eps, inputs[row, :width])
        _norm(embeddings[row], eps, inputs[row, width : 2 * width])


@kernel_part
def _remember(sizes: LayerSizes, memory: _Memory, qkv: Floats, rows: int, slot: int) -> None:
    """Store keys and values of some pairs from `slot` on, and rotate the query of the last one."""
    dim, first_key = sizes.dim, sizes.heads * sizes.dim
    first_value = first_key + sizes.kv_heads * dim
    for row in range(rows):
        cos, sin = memory.cos[slot + row], memory.sin[slot + row]
        for head in range(sizes.kv_heads):
            key = qkv[row, first_key + head * dim : first_key + (head + 1) * dim]
            rotate(key, cos, sin)
            value = qkv[row, first_value + head * dim : first_value + (head + 1) * dim]
            for d in range(dim):
                memory.keys[head, d, slot + row] = key[d]
                memory.values[head, slot + row, d] = value[d]
    last = rows - 1
    for head in range(sizes.heads):
        rotate(qkv[last, head * dim : (head + 1) * dim], memory.cos[slot + last], memory.sin[slot + last])


@kernel_part
def _look_back(sizes: LayerSizes, memory: _Memory, queries: Floats, end: int) -> None:
    """Write what the queries of one pair find in the window before slot `end`."""
    dim, start = sizes.dim, max(0, end - sizes.window)
    group, scaling = sizes.heads // sizes.kv_heads, np.float32(1.0 / math.sqrt(sizes.dim))
    shares = np.empty(end - start, np.float32)
    for head in range(sizes.heads):
        keys, values = memory.keys[head // group], memory.values[head // group]
        shares[:] = np.float32(0.0)
        for d in range(dim):
            factor, line = queries[head * dim + d] * scaling, keys[d, start:end]
            for place in range(len(shares)):
                shares[place] += factor * line[place]
        top, total = shares[0], np.float32(0.0)
        for place in range(len(shares)):
            top = max(top, shares[place])
        for place in range(len(shares)):
            shares[place] = exp(shares[place] - top)
            total += shares[place]
        found = memory.found[head * dim : (head + 1) * dim]
        found[:] = np.float32(0.0)
        for place in range(len(shares)):
            share, value = shares[place] / total, values[start + place]
            for d in range(dim):
                found[d] += share * value[d]


@kernel_inline
def _predict(
    sizes: LayerSizes,
    weights: _Weights,
    memory: _Memory,
    room: _Room,
    first: int,
    states: Floats,
    scores: Floats,
) -> None:
    """Write predicted states and their scores for the inputs from row `first` on."""
    rows, width = states.shape
    inputs, found = room.inputs[first : first + rows], len(memory.found)
    half = room.inner.shape[1] - found
    _multiply(weights.gate_up, inputs, rows, room.digits, room.gate_up)
    for row in range(rows):
        gate(room.gate_up[row], half, _SILU)
        for j in range(found):
            room.inner[row, j] = memory.found[j]
        for j in range(half):
            room.inner[row, found + j] = room.gate_up[row, j]
    _multiply(weights.out, room.inner, rows, room.digits, states)
    for row in range(rows):
        state = states[row]
        for j in range(width):
            state[j] += inputs[row, j] * weights.mix[j]
        _norm(state, sizes.eps, state)
        for j in range(width):
            state[j] *= weights.norm[j]
    if weights.head.outputs:
        _multiply(weights.head, states, rows, room.digits, scores)


@kernel
def _call(
    sizes: LayerSizes,
    weights: _Weights,
    memory: _Memory,
    room: _Room,
    features: Floats,
    embeddings: Floats,
    slot: int,
    states: Floats,
    scores: Floats,
) -> None:
    """Store some pairs from `slot` on and write the prediction of the last one.

    Without a slot (-1) they are nodes, which see what the root found, and each gets its prediction. One
    function for both: its products are most of what there is to compile.
    """
    rows = len(features)
    first = rows - len(states)
    _join(features, embeddings, sizes.eps, room.inputs)
    if slot >= 0:
        _multiply(weights.qkv, room.inputs, rows, room.digits, room.qkv)
        _remember(sizes, memory, room.qkv, rows, slot)
        _look_back(sizes, memory, room.qkv[rows - 1], slot + rows)
    _predict(sizes, weights, memory, room, first, states, scores)


class IntegerFeatureLayer:
    """The layer with weights of 8 bits.

    Args:
        sizes: of the layer.
        tensors: its weights by the names of FeatureShape.tensor_shapes.
        head: (ids, width) of the vocabulary that it may propose; None: scores are left to others.
        cos, sin: (slots, dim / 2) of the positions.

    NotFinite (a ValueError) where a weight is no number.
    """

    def __init__(
        self, sizes: LayerSizes, tensors: Mapping[str, Tensor], head: Tensor | None, cos: Tensor, sin: Tensor
    ) -> None:
        self._sizes = sizes
        self._width = len(tensors["mix"])
        self._packed = tuple(
            pack_floats(_numbers(weight), 8)
            for weight in (
                torch.cat([tensors["query"], tensors["key"], tensors["value"]]),
                torch.cat([tensors["gate"], tensors["up"]]),
                torch.cat([tensors["out"], tensors["down"]], dim=1),
                torch.zeros(0, self._width) if head is None else head,
            )
        )
        qkv, gate_up, out, own_head = map(_product, self._packed)
        mix, norm = _numbers(tensors["mix"]), _numbers(tensors["norm"])
        self._weights = _Weights(qkv, gate_up, out, own_head, mix, norm)
        self._num_ids = 0 if head is None else len(head)
        self._inner = len(tensors["gate"])
        stored = (sizes.kv_heads, sizes.dim, sizes.slots)
        self._memory = _Memory(
            np.zeros(stored, np.float32),
            np.zeros((sizes.kv_heads, sizes.slots, sizes.dim), np.float32),
            _numbers(cos),
            _numbers(sin),
            np.zeros(sizes.heads * sizes.dim, np.float32),
        )
        self._reserve(max(_ROWS, sizes.window))
        # machine code is read now, and not while a draft waits
        nothing = torch.zeros(1, self._width)
        self.read(nothing, nothing, 0)
        self.guess(nothing, nothing)

    def read(self, features: Tensor, embeddings: Tensor, slot: int) -> tuple[Tensor, Tensor | None]:
        """Store pairs from `slot` on; return the last one's predicted state and its scores.

        features, embeddings: (pairs, width) float32. Returns (1, width) and (1, ids).
        """
        return self._called(features, embeddings, slot, 1)

    def guess(self, features: Tensor, embeddings: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return predicted states and their scores below the root read last.

        features, embeddings: (rows, width) float32. Returns (rows, width) and (rows, ids).
        """
        if len(features) > len(self._room.inputs):
            self._reserve(len(features))
        return self._called(features, embeddings, -1, len(features))

    def _called(
        self, features: Tensor, embeddings: Tensor, slot: int, rows: int
    ) -> tuple[Tensor, Tensor | None]:
        states = np.empty((rows, self._width), np.float32)
        scores = np.empty((rows, self._num_ids), np.float32)
        _call(
            self._sizes,
            self._weights,
            self._memory,
            self._room,
            features.contiguous().numpy(),
            embeddings.contiguous().numpy(),
            slot,
            states,
            scores,
        )
        return torch.from_numpy(states), torch.from_numpy(scores) if self._num_ids else None

    def move_back(self, start: int, count: int) -> None:
        """Move slots `start` to `start + count` to the front, rotated to their new positions."""
        memory, half = self._memory, self._sizes.dim // 2
        keys = memory.keys[:, :, start : start + count].copy()
        cos, sin = memory.cos[start, :, None], memory.sin[start, :, None]
        left, right = keys[:, :half], keys[:, half:]
        memory.keys[:, :half, :count] = left * cos + right * sin
        memory.keys[:, half:, :count] = right * cos - left * sin
        memory.values[:, :count] = memory.values[:, start : start + count].copy()

    def _reserve(self, rows: int) -> None:
        sizes, width = self._sizes, self._width
        queries = sizes.heads * sizes.dim
        self._room = _Room(
            np.empty((rows, 2 * width), np.float32),
            np.empty((rows, queries + 2 * sizes.kv_heads * sizes.dim), np.float32),
            np.empty((rows, 2 * self._inner), np.float32),
            np.empty((rows, queries + self._inner), np.float32),
            new_digits(rows, max(2 * width, queries + self._inner)),
        )


def _numbers(tensor: Tensor) -> Floats:
    return np.ascontiguousarray(tensor.detach().float().numpy())


def _product(weight: PackedWeight) -> _Product:
    return _Product(weight.address, weight.form, weight.outputs, weight.inputs)
