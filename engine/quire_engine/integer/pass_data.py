"""What a pass reads and writes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quire_engine.integer.activations_kernel import SILU
from quire_engine.integer.attention_kernel import KEY_PART, POSITIONS, SEGMENT, Partial, Past, Scratch
from quire_engine.integer.block_digits import Digits, new_digits
from quire_engine.integer.kernel_kinds import kernel_part
from quire_engine.integer.vector_code import COLUMNS, PAIR_ROWS

Int8s = npt.NDArray[np.int8]
Int16s = npt.NDArray[np.int16]
Int64s = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]

SPLIT_ROWS = 32
"""Most rows of a pass whose attention is shared by segments of the text; that of wider ones is by rows."""
TILE_QUERIES = 48
"""Queries of one head that a wider pass attends with at a time."""
EXPERT_ROWS = 8
"""Rows that go through an expert at a time."""


class Shape(NamedTuple):
    """Sizes and form of a model: what a pass needs beside its weights.

    Attributes:
        activation: see `activations_kernel`.
        is_gated: the MLP has gates.
        is_parallel: attention and MLP read the same residuals.
        subtracts_mean: norms of residuals do.
        embedding_factor: embeddings are multiplied by it; residual_factor: what is added to the residuals.
        attention_factor: scores of the attention are multiplied by it. attention_cap: they are bent below it;
            0: they are not.
        score_factor, score_cap: the same of the head's scores.
        experts: MLPs of a layer. inner: of each of them.
        chosen: how many of them a row chooses; 0: there is nothing to choose.
        shared: the last ones, which every row goes through beside those that it chose.
        shares_add_up: the shares of the chosen ones add up to 1.
        turns_first: queries and keys turn before they are normed.
    """

    width: int
    heads: int
    kv_heads: int
    head: int
    inner: int
    eps: float
    attention_factor: float
    activation: int = SILU
    is_gated: bool = True
    is_parallel: bool = False
    subtracts_mean: bool = False
    embedding_factor: float = 1.0
    residual_factor: float = 1.0
    attention_cap: float = 0.0
    score_factor: float = 1.0
    score_cap: float = 0.0
    experts: int = 1
    chosen: int = 0
    shared: int = 0
    shares_add_up: bool = True
    turns_first: bool = False


class Products(NamedTuple):
    """The products of one kind, of all layers; parts of one read the same inputs, each in its own blocks.

    Attributes:
        address, form: (products, parts) where the packed weights are, and in which form.
        outputs: (parts,).
        inputs: of all of them.
        bias: (products, outputs of all parts), or (products, 0).
    """

    address: Int64s
    form: Int64s
    outputs: Int64s
    inputs: int
    bias: Floats


class Norms(NamedTuple):
    """The norms of residuals, of all layers; without weights they are read as they are.

    Attributes:
        weight: (norms, width), or (norms, 0). bias: the same.
    """

    weight: Floats
    bias: Floats


class Layers(NamedTuple):
    """The weights of all layers, and of what comes after them.

    Attributes:
        qkv, gate_up: two or three parts each. gate_up and down have a layer's experts one behind the other.
        query_norm, key_norm: (layers, head); (layers, numbers of all heads) where they are normed together;
            or (layers, 0).
        windows: (layers,) positions that a row sees, 0 for all.
        turns: (layers,) which angles of a position are a layer's.
        after_attention, after_mlp: (layers, width) norms of what is added to the residuals, or (layers, 0).
        router: (layers, width, experts that can be chosen), the score of shared ones behind them where they
            have one; or (layers, 0, 0).
        last_norm: one, before the LM head.
    """

    qkv: Products
    out: Products
    gate_up: Products
    down: Products
    attention_norm: Norms
    mlp_norm: Norms
    query_norm: Floats
    key_norm: Floats
    windows: Int64s
    turns: Int64s
    after_attention: Floats
    after_mlp: Floats
    router: Floats
    last_norm: Norms
    head: Products


class Cache(NamedTuple):
    """Keys and values of all layers, see `attention_kernel`.

    Attributes:
        keys: (layers, kv_heads, blocks, pairs, 64, 2).
        values: (layers, kv_heads, blocks, 32, padded numbers of a head, 2).
        key_scales: (layers, kv_heads, parts, positions). value_scales: (layers, kv_heads, positions).
    """

    keys: Int8s
    values: Int8s
    key_scales: Floats
    value_scales: Floats


class NewRows(NamedTuple):
    """Keys and values of the rows of a pass.

    Attributes:
        keys, values: (layers, kv_heads, rows, head).
        key_scales: (layers, kv_heads, rows, parts). value_scales: (layers, kv_heads, rows).
    """

    keys: Int8s
    values: Int8s
    key_scales: Floats
    value_scales: Floats


class Room(NamedTuple):
    """What a pass writes and the next one overwrites.

    Attributes:
        digits: of the inputs of a product; of each expert of a row, where it has several.
        gathered: (threads, of a few rows), of the rows that go through one expert.
        numbers: (rows, most outputs of a layer).
        normed: (rows, width).
        attended: (rows, heads * head).
        queries: (kv_heads, rows * group, head) digits; query_scales: (kv_heads, rows * group).
        new: keys and values of the rows of one layer, of all heads.
        scratch: of each thread.
        tiles: of each thread, what its queries found in a segment.
        parts: of each head and segment, what the queries of a narrow pass found.
        totals: of each head, what was found so far.
        chosen, shares: (rows, slots) which experts a row goes through, and the share of each in their sum.
    """

    digits: Digits
    gathered: Digits
    numbers: Floats
    normed: Floats
    attended: Floats
    queries: Int16s
    query_scales: Floats
    new: Past
    scratch: Scratch
    tiles: Partial
    parts: Partial
    totals: Partial
    chosen: Int64s
    shares: Floats


@kernel_part
def slots_of(shape: Shape) -> int:
    """Return how many experts a row goes through."""
    return shape.chosen + shape.shared if shape.chosen else 1


def key_parts(head: int) -> int:
    """Return how many scales a key has."""
    return -(-head // KEY_PART)


def new_cache(shape: Shape, layers: int, positions: int) -> Cache:
    """Return an empty cache. positions: a multiple of 64."""
    blocks, columns = positions // POSITIONS, _padded(shape.head, COLUMNS)
    heads = (layers, shape.kv_heads)
    return Cache(
        np.zeros((*heads, blocks, shape.head // 2, POSITIONS, 2), np.int8),
        np.zeros((*heads, blocks, POSITIONS // 2, columns, 2), np.int8),
        np.zeros((*heads, key_parts(shape.head), positions), np.float32),
        np.zeros((*heads, positions), np.float32),
    )


def new_rows(shape: Shape, layers: int, rows: int) -> NewRows:
    """Return room for the keys and values of a pass."""
    heads = (layers, shape.kv_heads, rows)
    return NewRows(
        np.zeros((*heads, shape.head), np.int8),
        np.zeros((*heads, shape.head), np.int8),
        np.zeros((*heads, key_parts(shape.head)), np.float32),
        np.zeros(heads, np.float32),
    )


def new_room(layers: Layers, shape: Shape, rows: int, width: int, positions: int, threads: int) -> Room:
    """Return room for passes.

    Args:
        rows: most rows of a pass, those of known text included.
        width: most nodes of a tree.
        positions: of the cache.
        threads: that share a pass.
    """
    kinds = (layers.qkv, layers.out, layers.gate_up, layers.down)
    inputs, slots = max(each.inputs for each in kinds), shape.chosen + shape.shared or 1
    outputs = max(int(each.outputs.sum()) * (slots if each is layers.gate_up else 1) for each in kinds)
    group, tree = shape.heads // shape.kv_heads, _padded(width, POSITIONS)
    queries, narrow = rows * group, min(rows, SPLIT_ROWS) * group
    at_once, segments = max(narrow, TILE_QUERIES, group), (positions + tree) // SEGMENT + 1
    new = new_cache(shape, 1, tree)
    few = [new_digits(EXPERT_ROWS, inputs) for _ in range(threads)]
    return Room(
        new_digits(rows * slots, inputs),
        Digits(*(np.stack(each) for each in zip(*few, strict=True))),
        np.zeros((rows, outputs), np.float32),
        np.zeros((rows, shape.width), np.float32),
        np.zeros((rows, shape.heads * shape.head), np.float32),
        np.zeros((shape.kv_heads, queries, shape.head), np.int16),
        np.zeros((shape.kv_heads, queries), np.float32),
        Past(new.keys[0], new.key_scales[0], new.values[0], new.value_scales[0]),
        new_scratch(threads, at_once, tree, _padded(shape.head, COLUMNS)),
        new_partial((threads, at_once), shape.head),
        new_partial((shape.kv_heads, segments, narrow), shape.head),
        new_partial((shape.kv_heads, queries), shape.head),
        np.zeros((rows, slots), np.int64),
        np.zeros((rows, slots), np.float32),
    )


def new_scratch(threads: int, queries: int, tree: int, columns: int) -> Scratch:
    """Return what each thread writes. tree, columns: nodes of a pass and numbers of a head, padded."""
    lines = (threads, queries)
    return Scratch(
        np.zeros((*lines, SEGMENT), np.float32),
        np.zeros((*lines, SEGMENT), np.int16),
        np.zeros((threads, SEGMENT + 16), np.float32),
        np.zeros(lines, np.float32),
        np.zeros((*lines, tree), np.float32),
        np.zeros((*lines, tree), np.int16),
        np.zeros((threads, 2, queries, columns), np.int32),
        np.zeros((threads, PAIR_ROWS, COLUMNS), np.int32),
    )


def new_partial(lines: tuple[int, ...], head: int) -> Partial:
    """Return room for what queries found. lines: how many, the queries last."""
    return Partial(
        np.zeros(lines, np.float32), np.zeros(lines, np.float32), np.zeros((*lines, head), np.float32)
    )


def _padded(count: int, step: int) -> int:
    return -(-count // step) * step
