"""One pass through all layers in a single call, which holds no lock of Python's."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import njit

from quire_engine.integer.attention_kernel import QUERY_TOP, attend, write_position
from quire_engine.integer.portable_math import ROUNDER
from quire_engine.integer.product_kernel import multiply
from quire_engine.integer.row_kernels import LARGEST, cut, gated, reciprocal_rms, scaled_sums
from quire_engine.integer.vector_code import low_byte, low_short

Bytes = npt.NDArray[np.uint8]
Int8s = npt.NDArray[np.int8]
Int16s = npt.NDArray[np.int16]
Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

QKV, OUT, GATE_UP, DOWN = range(4)
_TINY = np.float32(1e-30)


class Shape(NamedTuple):
    """Sizes of a model: what a pass needs beside its weights."""

    width: int
    heads: int
    kv_heads: int
    head: int
    inner: int
    eps: float
    has_head_norms: bool


class Products(NamedTuple):
    """The products of one kind, of all layers.

    Attributes:
        blocks: (layers, blocks, groups, 16, 4), see `product_kernel.packed`.
        offset: (layers, outputs padded).
        scales: (layers, outputs padded).
        bias: (layers, outputs), or (layers, 0).
        two: (layers,) whether the inputs have two digits.
    """

    blocks: Int8s
    offset: Int32s
    scales: Floats
    bias: Floats
    two: npt.NDArray[np.bool_]


class Layers(NamedTuple):
    """The weights of all layers; the norms' are part of the products behind them.

    Attributes:
        query_norm, key_norm: (layers, head), or (layers, 0).
        windows: (layers,) positions that a row sees, 0 for all.
    """

    qkv: Products
    out: Products
    gate_up: Products
    down: Products
    query_norm: Floats
    key_norm: Floats
    windows: Int64s


class Cache(NamedTuple):
    """Keys and values of all layers, see `attention_kernel`.

    Attributes:
        keys: (layers, kv_heads, blocks, pairs, 64, 2).
        values: (layers, kv_heads, blocks, 32, padded numbers of a head, 2).
        key_scales, value_scales: (layers, kv_heads, positions).
    """

    keys: Int8s
    values: Int8s
    key_scales: Floats
    value_scales: Floats


class NewRows(NamedTuple):
    """Keys and values of the rows of a pass.

    Attributes:
        keys, values: (layers, kv_heads, rows, head).
        key_scales, value_scales: (layers, kv_heads, rows).
    """

    keys: Int8s
    values: Int8s
    key_scales: Floats
    value_scales: Floats


class Room(NamedTuple):
    """What a pass writes and the next one overwrites.

    Attributes:
        digits: (2 * rows, bytes) inputs of a product.
        row_scales: (rows,).
        sums: (2 * rows, most outputs).
        numbers: (most outputs,) one row.
        attended: (rows, heads * head).
        queries: (rows * group, head) digits; query_scales: (rows * group,).
        scores, shares: (rows * group, positions padded).
        mixed: (rows * group, head).
    """

    digits: Bytes
    row_scales: Floats
    sums: Int32s
    numbers: Floats
    attended: Floats
    all_queries: Int16s
    query_scales: Floats
    scores: Floats
    shares: Int16s
    mixed: Floats


@njit(nogil=True, error_model="numpy", cache=True)
def _multiply(products: Products, layer: int, digits: Bytes, rows: int, sums: Int32s) -> None:
    count = 2 * rows if products.two[layer] else rows
    blocks = products.blocks[layer]
    multiply(blocks, products.offset[layer], digits, count, 0, blocks.shape[0], sums)


@njit(nogil=True, error_model="numpy", cache=True)
def _digits_of(values: Floats, row: int, width: int, two: bool, digits: Bytes) -> np.float32:
    if two:
        return cut(values, width, True, digits[2 * row], digits[2 * row + 1])
    return cut(values, width, False, digits[row], digits[row])


@njit(nogil=True, error_model="numpy", cache=True)
def _normed_digits(x: Floats, shape: Shape, products: Products, layer: int, room: Room) -> None:
    """Cut the normed rows into digits: the norm is one factor more in a row's scale."""
    for row in range(x.shape[0]):
        factor = reciprocal_rms(x[row], shape.width, shape.eps)
        scale = _digits_of(x[row], row, shape.width, products.two[layer], room.digits)
        room.row_scales[row] = scale * factor


@njit(nogil=True, error_model="numpy", cache=True)
def _rotate(vector: Floats, cos: Floats, sin: Floats) -> None:
    """Rotate a head's numbers by its position; those behind the angles stay as they are."""
    half = len(cos)
    for d in range(half):
        left, right = vector[d], vector[half + d]
        vector[d] = left * cos[d] - right * sin[d]
        vector[half + d] = right * cos[d] + left * sin[d]


@njit(nogil=True, error_model="numpy", cache=True)
def _normed_head(vector: Floats, weight: Floats, eps: float) -> None:
    factor = reciprocal_rms(vector, len(vector), eps)
    for d in range(len(vector)):
        vector[d] = (vector[d] * factor) * weight[d]


@njit(nogil=True, error_model="numpy", cache=True)
def _byte_digits(vector: Floats, out: Int8s) -> np.float32:
    top = _TINY
    for d in range(len(vector)):
        top = max(top, abs(vector[d]))
    inverse = LARGEST / top
    for d in range(len(vector)):
        out[d] = low_byte(vector[d] * inverse + ROUNDER)
    return top / LARGEST


@njit(nogil=True, error_model="numpy", cache=True)
def _query_digits(vector: Floats, scaling: np.float32, out: Int16s) -> np.float32:
    top = _TINY
    for d in range(len(vector)):
        top = max(top, abs(vector[d]))
    inverse = QUERY_TOP / top
    for d in range(len(vector)):
        out[d] = low_short(vector[d] * inverse + ROUNDER)
    return (top / QUERY_TOP) * scaling


@njit(nogil=True, error_model="numpy", cache=True)
def _heads(
    layers: Layers, layer: int, shape: Shape, cos: Floats, sin: Floats, rows: int, new: NewRows, room: Room
) -> None:
    """Turn the sums of qkv into digits of queries, and of keys and values of the pass."""
    qkv, dim, group = layers.qkv, shape.head, shape.heads // shape.kv_heads
    scaling = np.float32(1.0 / math.sqrt(dim))
    count = (shape.heads + 2 * shape.kv_heads) * dim
    numbers = room.numbers
    for row in range(rows):
        scaled_sums(
            room.sums,
            row,
            qkv.two[layer],
            room.row_scales[row],
            qkv.scales[layer],
            qkv.bias[layer],
            count,
            numbers,
        )
        for head in range(shape.heads):
            vector = numbers[head * dim : (head + 1) * dim]
            if shape.has_head_norms:
                _normed_head(vector, layers.query_norm[layer], shape.eps)
            _rotate(vector, cos[row], sin[row])
            place = (head // group) * rows * group + row * group + head % group
            room.query_scales[place] = _query_digits(vector, scaling, room.all_queries[place])
        for head in range(shape.kv_heads):
            start = (shape.heads + head) * dim
            vector = numbers[start : start + dim]
            if shape.has_head_norms:
                _normed_head(vector, layers.key_norm[layer], shape.eps)
            _rotate(vector, cos[row], sin[row])
            new.key_scales[layer, head, row] = _byte_digits(vector, new.keys[layer, head, row])
            start += shape.kv_heads * dim
            vector = numbers[start : start + dim]
            new.value_scales[layer, head, row] = _byte_digits(vector, new.values[layer, head, row])


@njit(nogil=True, error_model="numpy", cache=True)
def _attention(
    layers: Layers,
    layer: int,
    shape: Shape,
    cache: Cache,
    seen: Int64s,
    paths: Int64s,
    lengths: Int64s,
    new: NewRows,
    room: Room,
) -> None:
    rows, dim, group = len(seen), shape.head, shape.heads // shape.kv_heads
    count = rows * group
    for head in range(shape.kv_heads):
        part = slice(head * count, (head + 1) * count)
        attend(
            room.all_queries[part],
            room.query_scales[part],
            group,
            cache.keys[layer, head],
            cache.key_scales[layer, head],
            cache.values[layer, head],
            cache.value_scales[layer, head],
            new.keys[layer, head],
            new.key_scales[layer, head],
            new.values[layer, head],
            new.value_scales[layer, head],
            seen,
            paths,
            lengths,
            layers.windows[layer],
            room.scores[:count],
            room.shares[:count],
            room.mixed[:count],
        )
        for row in range(rows):
            for each in range(group):
                start = (head * group + each) * dim
                for d in range(dim):
                    room.attended[row, start + d] = room.mixed[row * group + each, d]


@njit(nogil=True, error_model="numpy", cache=True)
def _add_product(x: Floats, products: Products, layer: int, width: int, room: Room) -> None:
    """Add the sums of a product to the residual stream."""
    rows = x.shape[0]
    _multiply(products, layer, room.digits, rows, room.sums)
    for row in range(rows):
        scaled_sums(
            room.sums,
            row,
            products.two[layer],
            room.row_scales[row],
            products.scales[layer],
            products.bias[layer],
            width,
            room.numbers,
        )
        for j in range(width):
            x[row, j] += room.numbers[j]


@njit(nogil=True, error_model="numpy", cache=True)
def _feed_forward(x: Floats, layers: Layers, layer: int, shape: Shape, room: Room) -> None:
    rows, inner = x.shape[0], shape.inner
    gate_up, down = layers.gate_up, layers.down
    _normed_digits(x, shape, gate_up, layer, room)
    _multiply(gate_up, layer, room.digits, rows, room.sums)
    for row in range(rows):
        scaled_sums(
            room.sums,
            row,
            gate_up.two[layer],
            room.row_scales[row],
            gate_up.scales[layer],
            gate_up.bias[layer],
            2 * inner,
            room.numbers,
        )
        gated(room.numbers, inner)
        room.row_scales[row] = _digits_of(room.numbers, row, inner, down.two[layer], room.digits)
    _add_product(x, down, layer, shape.width, room)


@njit(nogil=True, error_model="numpy", cache=True)
def run_layers(
    x: Floats,
    layers: Layers,
    shape: Shape,
    cos: Floats,
    sin: Floats,
    cache: Cache,
    seen: Int64s,
    paths: Int64s,
    lengths: Int64s,
    first_slot: int,
    new: NewRows,
    room: Room,
) -> None:
    """Run the rows of a pass through all layers, in place.

    Args:
        x: (rows, width) embeddings; the last residuals afterwards.
        cos, sin: (rows, half of the rotated numbers) of the rows' positions.
        seen, paths, lengths: see `attention_kernel.attend`; with first_slot, cached rows of the pass count.
        first_slot: where the rows are written before they attend, one after another; -1: they are not.
    """
    rows, dim = x.shape[0], shape.head
    for layer in range(len(layers.windows)):
        _normed_digits(x, shape, layers.qkv, layer, room)
        _multiply(layers.qkv, layer, room.digits, rows, room.sums)
        _heads(layers, layer, shape, cos, sin, rows, new, room)
        if first_slot >= 0:
            keep(cache, new, layer, np.arange(rows), first_slot)
        _attention(layers, layer, shape, cache, seen, paths, lengths, new, room)
        for row in range(rows):
            room.row_scales[row] = _digits_of(
                room.attended[row], row, shape.heads * dim, layers.out.two[layer], room.digits
            )
        _add_product(x, layers.out, layer, shape.width, room)
        _feed_forward(x, layers, layer, shape, room)


@njit(nogil=True, error_model="numpy", cache=True)
def keep(cache: Cache, new: NewRows, layer: int, rows: Int64s, first_slot: int) -> None:
    """Write rows of a pass into the cache of one layer, one after another."""
    for head in range(new.keys.shape[1]):
        for place in range(len(rows)):
            row, slot = rows[place], first_slot + place
            write_position(
                cache.keys[layer, head],
                cache.values[layer, head],
                slot,
                new.keys[layer, head, row],
                new.values[layer, head, row],
            )
            cache.key_scales[layer, head, slot] = new.key_scales[layer, head, row]
            cache.value_scales[layer, head, slot] = new.value_scales[layer, head, row]


@njit(nogil=True, error_model="numpy", cache=True)
def keep_all_layers(cache: Cache, new: NewRows, rows: Int64s, first_slot: int) -> None:
    """Write rows of a pass into the cache of every layer."""
    for layer in range(new.keys.shape[0]):
        keep(cache, new, layer, rows, first_slot)


@njit(nogil=True, error_model="numpy", cache=True)
def score(x: Floats, head: Products, shape: Shape, num_ids: int, room: Room, logits: Floats) -> None:
    """Write the logits of residuals (rows, width) into (rows, ids)."""
    rows = x.shape[0]
    _normed_digits(x, shape, head, 0, room)
    _multiply(head, 0, room.digits, rows, room.sums)
    for row in range(rows):
        scaled_sums(
            room.sums,
            row,
            head.two[0],
            room.row_scales[row],
            head.scales[0],
            head.bias[0],
            num_ids,
            logits[row],
        )
