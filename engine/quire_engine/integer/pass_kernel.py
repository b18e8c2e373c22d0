"""One pass through all layers in a single call of each thread, which holds no lock of Python's."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

from quire_engine.integer.kernel_kinds import kernel, kernel_part
from quire_engine.integer.pass_data import Cache, Layers, NewRows, Norms, Products, Room, Shape
from quire_engine.integer.pass_stages import (
    Rows,
    activate_rows,
    add_numbers,
    attend,
    count_attention_chunks,
    count_chunks,
    cut_heads,
    keep_row,
    mix_rows,
    multiply,
    multiply_experts,
    norm_rows,
    past_of,
    route_rows,
)
from quire_engine.integer.product_groups import groups_in
from quire_engine.integer.shared_stages import (
    CLOSED,
    claim,
    finish,
    open_stage,
    stage_of,
    wait,
    wait_for_chunks,
)

Floats = npt.NDArray[np.float32]
Int64s = npt.NDArray[np.int64]

STAGES = 10
"""Stages of a layer."""
_NORM, _QKV, _HEADS, _ATTEND, _MIX, _OUT, _NORM_AGAIN, _GATE_UP, _GATE, _DOWN = range(STAGES)
_ADD, _SCORE = STAGES, STAGES + 1
"""Stages behind the layers, with a norm between them."""
ADD_STAGES, SCORE_STAGES = 1, 2
"""How many of them end a pass through the layers, and how many score its rows."""


@kernel_part
def _product_of(stage: int, layers: Layers) -> Products:
    """Return the weights of a stage that is a product."""
    layer, kind = stage // STAGES, stage % STAGES
    if layer == len(layers.windows):
        return layers.head
    if kind == _QKV:
        return layers.qkv
    if kind == _OUT:
        return layers.out
    return layers.gate_up if kind == _GATE_UP else layers.down


@kernel_part
def _kind_of(stage: int, num_layers: int) -> int:
    """Return what a stage does: the stages behind the layers are like some of a layer."""
    kind = stage % STAGES
    if stage // STAGES < num_layers:
        return kind
    return _ADD if kind == 0 else (_NORM if kind == 1 else _SCORE)


@kernel_part
def _count(stage: int, layers: Layers, shape: Shape, rows: Rows) -> int:
    """Return the chunks of a stage."""
    kind = _kind_of(stage, len(layers.windows))
    if kind in (_QKV, _OUT, _GATE_UP, _DOWN, _SCORE):
        return count_chunks(groups_in(_product_of(stage, layers)), rows.threads)
    if kind == _ATTEND:
        return count_attention_chunks(shape, rows, layers.windows[stage // STAGES])
    return count_chunks(len(rows.x), rows.threads)


@njit(inline="always", error_model="numpy")
def _compute(
    stage: int,
    chunk: int,
    thread: int,
    layers: Layers,
    shape: Shape,
    rows: Rows,
    cache: Cache,
    new: NewRows,
    room: Room,
    logits: Floats,
) -> None:
    """Compute one chunk of a stage."""
    kind = _kind_of(stage, len(layers.windows))
    layer = stage // STAGES if stage // STAGES < len(layers.windows) else 0
    if shape.chosen and kind in (_GATE_UP, _DOWN):
        products = _product_of(stage, layers)
        multiply_experts(products, layer, shape, rows, room, thread, chunk, kind == _DOWN)
    elif kind in (_QKV, _OUT, _GATE_UP, _DOWN, _SCORE):
        out = logits if kind == _SCORE else room.numbers
        multiply(_product_of(stage, layers), layer, rows, room, chunk, out)
    elif kind == _HEADS:
        cut_heads(layers, layer, shape, rows, cache, new, room, chunk)
    elif kind == _ATTEND:
        attend(shape, cache, layer, layers.windows[layer], rows, room, thread, chunk)
    elif kind == _MIX:
        mix_rows(shape, layers.windows[layer], rows, room, chunk)
    elif kind == _GATE:
        activate_rows(rows, shape, room, chunk)
    else:
        has_more = kind in (_ADD, _NORM_AGAIN) or (kind == _NORM and stage > 0 and stage % STAGES == 0)
        is_late = shape.is_parallel and kind == _NORM_AGAIN  # the MLP reads what the attention read
        of_attention = kind == _NORM_AGAIN
        after = layers.after_attention if of_attention else layers.after_mlp
        added_to = layer if of_attention else stage // STAGES - 1
        if has_more and not is_late:
            add_numbers(rows, after, added_to, shape, room, chunk)
        if kind != _ADD:
            norm_rows(rows, _norms_of(stage, layers), layer, shape, room, chunk)
        if shape.chosen and kind == _NORM_AGAIN:
            route_rows(layers, layer, shape, rows, room, chunk)
        if is_late:
            add_numbers(rows, after, added_to, shape, room, chunk)


@kernel_part
def _norms_of(stage: int, layers: Layers) -> Norms:
    """Return the norms of a stage that norms."""
    if stage // STAGES == len(layers.windows):
        return layers.last_norm
    return layers.attention_norm if stage % STAGES == _NORM else layers.mlp_norm


@kernel
def run_stages(
    word: Int64s,
    number: int,
    thread: int,
    first: int,
    last: int,
    layers: Layers,
    shape: Shape,
    rows: Rows,
    cache: Cache,
    new: NewRows,
    room: Room,
    logits: Floats,
) -> None:
    """Run the stages [first, last) of a pass, or help with them; the first one is open already.

    Args:
        word: as from `new_word`.
        number: of the pass, below 2^23 and another one than of the pass before.
        thread: 0 opens the stages; others compute chunks of those that are open, until the pass is over.
        logits: (rows, ids), written by the last stage.
    """
    stage, turns = first, 0
    while True:
        if thread == 0:
            if stage == last:
                break
            if stage > first:
                open_stage(word, number, stage)
        else:
            stage = stage_of(word, number)
            if stage == CLOSED:
                return
        chunks = _count(stage, layers, shape, rows)
        chunk = claim(word, number, stage, chunks)
        turns = 0 if chunk >= 0 else turns
        while chunk >= 0:
            _compute(stage, chunk, thread, layers, shape, rows, cache, new, room, logits)
            finish(word)
            chunk = claim(word, number, stage, chunks)
        if thread == 0:
            wait_for_chunks(word, chunks)
            stage += 1
        else:
            turns = wait(turns)
    open_stage(word, number, CLOSED)


@kernel
def keep_all_layers(cache: Cache, new: NewRows, rows: Int64s, first_slot: int) -> None:
    """Write rows of a pass into the cache of every layer, one after another."""
    for layer in range(new.keys.shape[0]):
        past = past_of(cache, layer)
        for head in range(new.keys.shape[1]):
            for place in range(len(rows)):
                keep_row(past, new, layer, head, rows[place], first_slot + place)
