"""The stages of a layer, each cut into chunks that any thread may compute.

A chunk is some rows, some outputs of a product, or some queries of one head with some of the text. Whoever
computes it, and beside what else, its numbers are the same.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from quire_engine.integer.activations_kernel import activate, gate
from quire_engine.integer.attention_kernel import (
    SEGMENT,
    Partial,
    Past,
    Scratch,
    Sight,
    attend_segment,
    forget,
    lowest,
    merge,
    write_mean,
    write_position,
)
from quire_engine.integer.block_digits import cut_row
from quire_engine.integer.expert_kernels import choose, multiply_chosen, router_scores
from quire_engine.integer.head_kernels import byte_digits, key_digits, norm_head, query_digits, rotate
from quire_engine.integer.kernel_kinds import ZERO, kernel_inline, kernel_part
from quire_engine.integer.pass_data import (
    SPLIT_ROWS,
    TILE_QUERIES,
    Cache,
    Layers,
    NewRows,
    Norms,
    Products,
    Room,
    Shape,
    slots_of,
)
from quire_engine.integer.product_groups import groups_in, multiply_groups
from quire_engine.integer.row_kernels import norm_row

Floats = npt.NDArray[np.float32]
Int64s = npt.NDArray[np.int64]

_MOST_CHUNKS = 6
"""Chunks of a product, and of rows, about: a chunk costs two microseconds beside its work."""


class Rows(NamedTuple):
    """The rows of a pass.

    Attributes:
        x: (rows, width) residuals.
        cos, sin: (tables, rows, half of the rotated numbers) of the rows' positions.
        factors: (rows,) by which a query is multiplied because of its position.
        sight: what they see.
        first_slot: where the rows are written before they attend, one after another; -1: they are not.
        threads: that share the pass. One has less to say to others, so its chunks are larger.
    """

    x: Floats
    cos: Floats
    sin: Floats
    factors: Floats
    sight: Sight
    first_slot: int
    threads: int


@kernel_part
def _step(count: int, threads: int) -> int:
    """Return how many of `count` are one chunk."""
    return count if threads == 1 else max(1, count // _MOST_CHUNKS)


@kernel_part
def count_chunks(count: int, threads: int) -> int:
    """Return the chunks of so many rows or pairs of blocks."""
    return -(-count // _step(count, threads))


@kernel_part
def _bounds(count: int, threads: int, chunk: int) -> tuple[int, int]:
    """Return the first row or pair of a chunk, and the one behind its last."""
    step = _step(count, threads)
    return chunk * step, min(count, (chunk + 1) * step)


@kernel_inline
def multiply(products: Products, number: int, rows: Rows, room: Room, chunk: int, out: Floats) -> None:
    """Write some outputs of a product of all rows. number: of the product."""
    first, last = _bounds(groups_in(products), rows.threads, chunk)
    multiply_groups(products, number, room.digits, len(rows.x), first, last, out)


@kernel_inline
def multiply_experts(
    products: Products,
    layer: int,
    shape: Shape,
    rows: Rows,
    room: Room,
    thread: int,
    chunk: int,
    is_down: bool,
) -> None:
    """Write some outputs of the experts of all rows; those of `down` are added up."""
    first, last = _bounds(groups_in(products), rows.threads, chunk)
    multiply_chosen(products, layer, shape, len(rows.x), room, thread, first, last, is_down)


@kernel_part
def add_numbers(rows: Rows, norms: Floats, layer: int, shape: Shape, room: Room, chunk: int) -> None:
    """Add what a product gave to the residuals of some rows. norms: of all layers, of what is added."""
    first, last = _bounds(len(rows.x), rows.threads, chunk)
    factor = np.float32(shape.residual_factor)
    for row in range(first, last):
        line = rows.x[row]
        added = room.numbers[row, : len(line)]
        if norms.shape[1]:
            norm_head(added, norms[layer], shape.eps)
        for j in range(len(line)):
            line[j] += added[j] * factor


@kernel_part
def norm_rows(rows: Rows, norms: Norms, number: int, shape: Shape, room: Room, chunk: int) -> None:
    """Norm some rows, if they have a norm, and cut them into digits. number: of the norm."""
    count = len(rows.x)
    first, last = _bounds(count, rows.threads, chunk)
    for row in range(first, last):
        normed = room.normed[row]
        if norms.weight.shape[1]:
            norm_row(
                rows.x[row], norms.weight[number], norms.bias[number], shape.subtracts_mean, shape.eps, normed
            )
        else:
            for j in range(len(normed)):
                normed[j] = rows.x[row, j]
        cut_row(normed, row, count, room.digits)


@kernel_part
def route_rows(layers: Layers, layer: int, shape: Shape, rows: Rows, room: Room, chunk: int) -> None:
    """Choose the experts of some normed rows."""
    first, last = _bounds(len(rows.x), rows.threads, chunk)
    for row in range(first, last):
        choose(
            router_scores(room.normed[row], layers.router[layer]), shape, room.chosen[row], room.shares[row]
        )


@kernel_part
def cut_heads(
    layers: Layers, layer: int, shape: Shape, rows: Rows, cache: Cache, new: NewRows, room: Room, chunk: int
) -> None:
    """Cut queries, keys and values of some rows into digits."""
    first, last = _bounds(len(rows.x), rows.threads, chunk)
    group, dim = shape.heads // shape.kv_heads, shape.head
    scaling = np.float32(shape.attention_factor)
    of_keys, together = shape.heads * dim, layers.query_norm.shape[1] > dim
    turn, has_norms = layers.turns[layer], layers.query_norm.shape[1] > 0
    for row in range(first, last):
        numbers, cos, sin = room.numbers[row], rows.cos[turn, row], rows.sin[turn, row]
        if together:
            norm_head(numbers[:of_keys], layers.query_norm[layer], shape.eps)
            norm_head(numbers[of_keys : of_keys + shape.kv_heads * dim], layers.key_norm[layer], shape.eps)
        for head in range(shape.heads):
            vector = numbers[head * dim : (head + 1) * dim]
            if has_norms and not together and not shape.turns_first:
                norm_head(vector, layers.query_norm[layer], shape.eps)
            rotate(vector, cos, sin)
            if shape.turns_first:
                norm_head(vector, layers.query_norm[layer], shape.eps)
            of, place = head // group, row * group + head % group
            scale = query_digits(vector, scaling * rows.factors[row], room.queries[of, place])
            room.query_scales[of, place] = scale
        for head in range(shape.kv_heads):
            start = (shape.heads + head) * dim
            vector = numbers[start : start + dim]
            if has_norms and not together and not shape.turns_first:
                norm_head(vector, layers.key_norm[layer], shape.eps)
            rotate(vector, cos, sin)
            if shape.turns_first:
                norm_head(vector, layers.key_norm[layer], shape.eps)
            key_digits(vector, new.keys[layer, head, row], new.key_scales[layer, head, row])
            start += shape.kv_heads * dim
            vector = numbers[start : start + dim]
            new.value_scales[layer, head, row] = byte_digits(vector, new.values[layer, head, row])
            if rows.first_slot < 0:
                keep_row(room.new, new, layer, head, row, row)
            else:
                keep_row(past_of(cache, layer), new, layer, head, row, rows.first_slot + row)


@kernel_part
def past_of(cache: Cache, layer: int) -> Past:
    """Return the cache of all heads of a layer."""
    return Past(cache.keys[layer], cache.key_scales[layer], cache.values[layer], cache.value_scales[layer])


@kernel_part
def keep_row(past: Past, new: NewRows, layer: int, head: int, row: int, slot: int) -> None:
    """Write a row of a pass behind others. past: of all heads."""
    write_position(
        past.keys[head], past.values[head], slot, new.keys[layer, head, row], new.values[layer, head, row]
    )
    for part in range(past.key_scales.shape[1]):
        past.key_scales[head, part, slot] = new.key_scales[layer, head, row, part]
    past.value_scales[head, slot] = new.value_scales[layer, head, row]


@kernel_part
def _of_head(past: Past, head: int) -> Past:
    return Past(past.keys[head], past.key_scales[head], past.values[head], past.value_scales[head])


@kernel_part
def _segments(sight: Sight, window: int, first_row: int, last_row: int) -> tuple[int, int]:
    """Return the first segment that some rows see, and the one behind the last."""
    low, end = sight.seen[first_row], 0
    for row in range(first_row, last_row):
        low = min(low, lowest(sight, row, window))
        end = max(end, sight.seen[row] + sight.lengths[row])
    return low // SEGMENT, -(-end // SEGMENT)


@kernel_part
def _tile_rows(shape: Shape) -> int:
    return max(1, TILE_QUERIES // (shape.heads // shape.kv_heads))


@kernel_part
def _is_split(rows: Rows) -> bool:
    """Return whether threads share the attention by segments of the text."""
    return rows.threads > 1 and len(rows.x) <= SPLIT_ROWS


@kernel_part
def count_attention_chunks(shape: Shape, rows: Rows, window: int) -> int:
    """Return the chunks of an attention."""
    count = len(rows.x)
    if not _is_split(rows):
        return shape.kv_heads * -(-count // _tile_rows(shape))
    first, last = _segments(rows.sight, window, ZERO, count)
    return shape.kv_heads * (last - first)


@kernel_part
def attend(
    shape: Shape, cache: Cache, layer: int, window: int, rows: Rows, room: Room, thread: int, chunk: int
) -> None:
    """Attend with some queries of a head to some of the text.

    Where threads share it by segments, queries leave what they find in each of them to `mix_rows`; others
    merge it at once, in the same order.
    """
    sight, count, head, number = rows.sight, len(rows.x), chunk % shape.kv_heads, chunk // shape.kv_heads
    group, is_split, step = shape.heads // shape.kv_heads, _is_split(rows), _tile_rows(shape)
    first_row, last_row = (0, count) if is_split else (number * step, min(count, (number + 1) * step))
    first, last = _segments(sight, window, first_row, last_row)
    if is_split:
        first, last = first + number, first + number + 1
    start, end = first_row * group, last_row * group
    past, new = _of_head(past_of(cache, layer), head), _of_head(room.new, head)
    total = _one_of(room.totals, head)
    if not is_split:
        for query in range(start, end):
            forget(total, query)
    for segment in range(first, last):
        part = _part_of(room, head, segment) if is_split else _one_of(room.tiles, thread)
        attend_segment(
            room.queries[head, start:end],
            room.query_scales[head, start:end],
            group,
            first_row,
            past,
            new,
            sight,
            window,
            shape.attention_cap,
            segment,
            _of_thread(room.scratch, thread),
            part,
        )
        if not is_split:
            for query in range(start, end):
                merge(part, query - start, total, query)


@kernel_part
def _one_of(partial: Partial, place: int) -> Partial:
    return Partial(partial.best[place], partial.mass[place], partial.mixed[place])


@kernel_part
def _part_of(room: Room, head: int, segment: int) -> Partial:
    parts = room.parts
    return Partial(parts.best[head, segment], parts.mass[head, segment], parts.mixed[head, segment])


@kernel_part
def _of_thread(scratch: Scratch, thread: int) -> Scratch:
    return Scratch(
        scratch.scores[thread],
        scratch.shares[thread],
        scratch.factors[thread],
        scratch.units[thread],
        scratch.new_scores[thread],
        scratch.new_shares[thread],
        scratch.sums[thread],
        scratch.exact[thread],
    )


@kernel_part
def mix_rows(shape: Shape, window: int, rows: Rows, room: Room, chunk: int) -> None:
    """Cut what some rows attended to into digits."""
    count, group, dim = len(rows.x), shape.heads // shape.kv_heads, shape.head
    first, last = _bounds(count, rows.threads, chunk)
    segments = _segments(rows.sight, window, ZERO, count) if _is_split(rows) else (0, 0)
    for row in range(first, last):
        for head in range(shape.heads):
            of, query = head // group, row * group + head % group
            total = _one_of(room.totals, of)
            if _is_split(rows):
                forget(total, query)
            for segment in range(segments[0], segments[1]):
                merge(_part_of(room, of, segment), query, total, query)
            write_mean(total, query, room.attended[row, head * dim : (head + 1) * dim])
        cut_row(room.attended[row], row, count, room.digits)


@kernel_part
def activate_rows(rows: Rows, shape: Shape, room: Room, chunk: int) -> None:
    """Activate some rows, of each of their experts, and cut them into digits."""
    count = len(rows.x)
    first, last = _bounds(count, rows.threads, chunk)
    slots, outputs = slots_of(shape), 2 * shape.inner if shape.is_gated else shape.inner
    for row in range(first, last):
        for slot in range(slots):
            numbers = room.numbers[row, slot * outputs : (slot + 1) * outputs]
            if shape.is_gated:
                gate(numbers, shape.inner, shape.activation)
            else:
                activate(numbers, shape.activation)
            cut_row(numbers[: shape.inner], row * slots + slot, count * slots, room.digits)
