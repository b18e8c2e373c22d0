"""The attention function that every model runs through, and the shape of a pass.

One pass shape (engine design, section 1): a row's result depends on its absolute position alone, never on
how many other rows of the pass are real. So plain steps, trees and re-read text give the same bits.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from quire_engine.api.errors import EngineBug
from quire_engine.cache.kv_formats import Cached
from quire_engine.cache.kv_store import KVStore
from quire_engine.models.attention_kernels import (
    Scoring,
    attend,
    attend_by_products,
    capped,
    merge,
    with_sinks,
)

ATTENTION_NAME = "quire_one_pass"
BLOCK = 64
"""Positions per block: full blocks go through flash attention, the open one is gathered row by row."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """The keys that are gathered per row; between them and the open block are those that every row sees.

    Attributes:
        slots: (nodes, keys) store slots in position order.
        bias: (nodes, keys) float32, 0 for what the row sees, -inf for the rest.
        first: position of the first key that every row sees.
    """

    slots: Tensor
    bias: Tensor
    first: int


@dataclass(frozen=True, slots=True)
class DecodePass:
    """A pass of the run's fixed width over a tree of tokens that all are in one block.

    Attributes:
        tail_slots: (nodes, BLOCK) store slots of the open block for each real row: committed ones, then the
            row's ancestors and itself, in position order.
        tail_bias: (nodes, BLOCK) float32, 0 for them, -inf for padding. The other rows of the pass, if it has
            more rows than nodes, are padding and see nothing.
        queries: when it is a list, every layer appends the rotated queries of its rows, (heads, rows, dim).
    """

    store: KVStore
    tail_slots: Tensor
    tail_bias: Tensor
    queries: list[Tensor] | None = None
    _gathered: dict[tuple[int | None, torch.device], Gathered] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def num_nodes(self) -> int:
        """Rows that are not padding."""
        return self.tail_slots.shape[0]

    @property
    def block_start(self) -> int:
        """Position of the first slot of the open block."""
        return self.store.length // BLOCK * BLOCK

    def gathered(self, window: int | None, device: torch.device | None = None) -> Gathered:
        """Return what a layer gathers per row.

        The positions that only some rows of the open block could see, at their windows' edges, are gathered
        with the tail. Which ones they are depends on the open block alone, not on the rows that are there.

        Args:
            window: positions that a row sees, itself included; None: all.
            device: the layer's own; the layers of a large model are on several cards. None: that of the rows.
        """
        start, device = self.block_start, device or self.tail_slots.device
        if window is None or start + BLOCK <= window:
            window = None
        if (window, device) not in self._gathered:
            found = Gathered(self.tail_slots, self.tail_bias, 0)
            found = found if window is None else self._at_window_edge(start, window)
            self._gathered[window, device] = Gathered(
                found.slots.to(device), found.bias.to(device), found.first
            )
        return self._gathered[window, device]

    def _at_window_edge(self, start: int, window: int) -> Gathered:
        nodes, device = self.tail_slots.shape[0], self.tail_slots.device
        first = min(start, start + BLOCK - window)  # the last row of the block sees just this far
        edge = torch.arange(max(0, start - window + 1), first, device=device)
        seen = torch.cat([edge, torch.arange(start, start + BLOCK, device=device)])
        own = self.tail_bias.eq(0).sum(-1, keepdim=True).add_(start - 1)  # (nodes, 1) positions of the rows
        slots = torch.cat([edge.expand(nodes, -1), self.tail_slots], dim=1)
        bias = torch.cat([self.tail_bias.new_zeros(nodes, len(edge)), self.tail_bias], dim=1)
        return Gathered(slots, bias.masked_fill_(seen <= own - window, -torch.inf), first)


@dataclass(frozen=True, slots=True)
class PrefillPass:
    """A chunk of consecutive tokens behind everything that is committed. flash: see `Scoring`."""

    store: KVStore
    flash: bool = False


@dataclass(frozen=True, slots=True)
class PartialPass:
    """A chain of draft tokens over selected keys of the store (TokenSwift, arXiv 2502.18890, section 3.2).

    Attributes:
        keys, values: per layer (kv_heads, budget, dim), gathered by the caller; every row sees all of them,
            then the rows of the chain up to itself. Nothing is written to the store. Sliding layers see what
            they are given.
        flash: see `Scoring`.
    """

    store: KVStore
    keys: Sequence[Tensor]
    values: Sequence[Tensor]
    flash: bool = False


class FixedPass(ABC):
    """A decode pass that writes and attends in its own way (see static_attention)."""

    @property
    @abstractmethod
    def num_nodes(self) -> int:
        """Rows that are not padding, or all where the host does not tell."""

    @abstractmethod
    def attend(
        self, layer: int, query: Tensor, key: Tensor, value: Tensor, scoring: Scoring, window: int | None
    ) -> Tensor:
        """Store a layer's keys and values and attend. Shapes as in `attend_in_pass`; same shape as query."""


Pass = DecodePass | PrefillPass | PartialPass | FixedPass


class _Current(threading.local):
    """The pass in flight on this thread; not every model hands keyword arguments through to its attention."""

    value: Pass | None = None


_current = _Current()


class running:  # lower case, because it reads as a statement: `with running(pass_):`
    """Make a pass the one in flight for the duration of a block."""

    def __init__(self, pass_: Pass) -> None:
        self._pass = pass_

    def __enter__(self) -> None:
        _current.value = self._pass

    def __exit__(self, *_: object) -> None:
        _current.value = None


def pass_in_flight() -> Pass | None:
    """Return the pass that this thread is running, if any."""
    return _current.value


def quire_attention(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    sliding_window: int | None = None,
    softcap: float | None = None,
    s_aux: Tensor | None = None,
    **_: Any,
) -> tuple[Tensor, None]:
    """Attend over the store.

    Returns (1, rows, heads, dim), the form that every model of the library expects.

    Args:
        query: (1, heads, rows, dim).
        key, value: (1, kv_heads, rows, dim), rotated.
        s_aux: the library's name for the sinks of `Scoring`.
    """
    scale = key.shape[-1] ** -0.5 if scaling is None else scaling
    number: Any = module.layer_idx
    out = attend_in_pass(
        int(number), query[0], key[0], value[0], scale, window=sliding_window, softcap=softcap, sinks=s_aux
    )
    return out[None], None


def attend_in_pass(
    layer: int,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    scale: float,
    *,
    window: int | None = None,
    softcap: float | None = None,
    sinks: Tensor | None = None,
) -> Tensor:
    """Store a layer's keys and values and attend over all that its rows may see in the pass in flight.

    Args:
        query: (heads, rows, dim).
        key, value: (kv_heads, rows, dim), rotated.
        window: a row at position p sees the positions in (p - window, p].
        softcap, sinks: see `Scoring`.

    Returns:
        (rows, heads, dim).
    """
    pass_ = _current.value
    if pass_ is None:
        raise EngineBug("attention called outside of a pass")
    if isinstance(pass_, FixedPass):
        fixed = pass_.attend(layer, query, key, value, Scoring(scale, softcap, sinks=sinks), window)
        return fixed.transpose(0, 1)
    kv_heads, rows, dim = key.shape
    heads = query.shape[0]
    grouped = query.reshape(kv_heads, heads // kv_heads, rows, dim)
    scoring = Scoring(scale, softcap, not isinstance(pass_, DecodePass) and pass_.flash, sinks)
    if isinstance(pass_, PartialPass):
        selected = pass_.keys[layer], pass_.values[layer]
        out = _partial_attention(selected, grouped, key, value, scoring)
    else:
        keys, values = pass_.store.write(layer, key, value)
        if isinstance(pass_, DecodePass):
            if pass_.queries is not None:
                pass_.queries.append(query)
            out = _decode_attention(pass_, grouped, keys, values, scoring, window)
        elif window is None or pass_.store.length + rows <= window:
            out = _prefill_attention(pass_.store.length, grouped, keys, values, scoring)
        else:
            out = _sliding_prefill(pass_.store.length, grouped, keys, values, scoring, window)
    return out.reshape(heads, rows, dim).transpose(0, 1)


def _decode_attention(
    pass_: DecodePass,
    query: Tensor,
    keys: Cached,
    values: Cached,
    scoring: Scoring,
    window: int | None,
) -> Tensor:
    """query: (kv_heads, group, rows, dim) -> same shape. Full blocks and gathered keys, merged in float32."""
    gathered = pass_.gathered(window, keys.device)
    nodes = gathered.slots.shape[0]
    tail, total, top = attend_gathered(query[:, :, :nodes], keys, values, scoring, gathered)
    add_sinks(total, top, scoring)
    out = torch.zeros_like(query)
    full = slice(gathered.first, pass_.block_start)
    if full.start == full.stop:
        out[:, :, :nodes] = tail.div_(total).transpose(1, 2)
        return out
    prefix, lse = _attend_blocks(query, keys[:, full], values[:, full], scoring)
    # softmax over the union of two key sets: the prefix counts exp(lse), the tail total * exp(top)
    prefix_lse = lse[..., None][:, :, :nodes]
    prefix_mass = prefix_lse.transpose(1, 2).sub(top).exp_()
    prefix_rows = prefix[:, :, :nodes].transpose(1, 2).float()
    merged = tail.addcmul_(prefix_rows, prefix_mass).div_(total.add_(prefix_mass))
    out[:, :, :nodes] = merged.transpose(1, 2)
    return out


def attend_gathered(
    query: Tensor, keys: Cached, values: Cached, scoring: Scoring, gathered: Gathered
) -> tuple[Tensor, Tensor, Tensor]:
    """Attend over what is gathered per row, in float32. query: (kv_heads, group, nodes, dim).

    Returns the values weighted by exp(score - top), (kv_heads, nodes, group, dim), the sum of these weights
    and the largest score, (kv_heads, nodes, group, 1) each.
    """
    kv_heads, _, _, dim = query.shape
    nodes, num_keys = gathered.slots.shape
    flat = gathered.slots.view(-1)
    tail_shape = (kv_heads, nodes, num_keys, dim)
    tail_keys = keys.index_select(1, flat).view(tail_shape).float()
    tail_values = values.index_select(1, flat).view(tail_shape).float()
    # A product per node: its shape is the same for one node and for many, so only real rows need it.
    rows = query.transpose(1, 2).float().mul(scoring.scale)  # (kv_heads, nodes, group, dim)
    scores = capped(torch.matmul(rows, tail_keys.transpose(-1, -2)), scoring).add_(gathered.bias[:, None, :])
    top = scores.amax(-1, keepdim=True)  # (kv_heads, nodes, group, 1); finite, a row sees at least itself
    weights = scores.sub_(top).exp_()
    total = weights.sum(-1, keepdim=True)
    return torch.matmul(weights, tail_values), total, top


def add_sinks(total: Tensor, top: Tensor, scoring: Scoring) -> None:
    """Count the sinks, if there are any, with the sum that `attend_gathered` returned, in place."""
    sinks = scoring.sink_scores(total.shape[0])
    if sinks is not None:
        total.add_(sinks[:, None].sub(top).exp_())


def _attend_blocks(query: Tensor, keys: Tensor, values: Tensor, scoring: Scoring) -> tuple[Tensor, Tensor]:
    """Attend over full blocks. query: (kv_heads, group, rows, dim) -> that shape; log-sum-exp without dim.

    The kernel cuts the rows into blocks of 32, of 64 from 192 on, and of 256 from 768 on. A rest of a few
    rows might go through other arithmetic than the rest of the pass, so the rows are padded to whole blocks.
    """
    kv_heads, group, rows, dim = query.shape
    count = group * rows
    unit = 64 if count > 160 else 32
    if rows > 64 and count > 704:  # passes of fewer rows keep the bits that they always had
        unit = 256
    padding = -count % unit if count > 32 else 0
    packed = query.reshape(1, kv_heads, count, dim)
    if padding:
        packed = torch.nn.functional.pad(packed, (0, 0, 0, padding))
    out, lse = attend(packed, keys[None], values[None], scoring)
    shape = (kv_heads, group, rows)
    return out[0, :, :count].reshape(*shape, dim), lse[0, :, :count].reshape(shape)


def _prefill_attention(start: int, query: Tensor, keys: Cached, values: Cached, scoring: Scoring) -> Tensor:
    """query: (kv_heads, group, rows, dim) -> same shape. What is before the chunk, then itself."""
    rows = query.shape[2]
    own = slice(start, start + rows)
    out, lse = _attend_chain(query, keys[:, own], values[:, own], scoring)
    if start == 0:
        return out
    before, before_lse = _attend_all(query, keys[:, :start], values[:, :start], scoring)
    return merge(before, before_lse, out, lse).to(query.dtype)


def _partial_attention(
    selected: tuple[Tensor, Tensor],
    query: Tensor,
    key: Tensor,
    value: Tensor,
    scoring: Scoring,
) -> Tensor:
    """query: (kv_heads, group, rows, dim) -> same shape. All selected keys, then the chain of the rows."""
    out, lse = _attend_chain(query, key, value, scoring)
    keys, values = selected
    if keys.shape[1] == 0:
        return out
    before, before_lse = _attend_all(query, keys, values, scoring)
    return merge(before, before_lse, out, lse).to(query.dtype)


def _attend_chain(query: Tensor, keys: Tensor, values: Tensor, scoring: Scoring) -> tuple[Tensor, Tensor]:
    """Attend causally among the rows; the sinks count here.

    Args:
        query: (kv_heads, group, rows, dim).
        keys: (kv_heads, rows, dim).
    """
    # one causal problem per query head; a chunk is short, so repeating its keys costs little
    own_keys, own_values = keys[:, None].expand_as(query), values[:, None].expand_as(query)
    return with_sinks(*attend(query, own_keys, own_values, scoring, causal=True), scoring)


def _attend_all(query: Tensor, keys: Tensor, values: Tensor, scoring: Scoring) -> tuple[Tensor, Tensor]:
    """Attend over keys that every row sees.

    Args:
        query: (kv_heads, group, rows, dim).
        keys: (kv_heads, n, dim).
    """
    kv_heads, group, rows, dim = query.shape
    packed = query.reshape(1, kv_heads, group * rows, dim)
    out, lse = attend(packed, keys[None], values[None], scoring)
    return out.view(query.shape), lse.view(kv_heads, group, rows)


def _sliding_prefill(
    start: int,
    query: Tensor,
    keys: Cached,
    values: Cached,
    scoring: Scoring,
    window: int,
) -> Tensor:
    """query: (kv_heads, group, rows, dim) -> same shape, for a chunk that is longer than what a row sees.

    Taken in pieces of BLOCK rows: the keys that all rows of a piece see need no mask, and the others, at its
    window's edge and in the piece itself, are fewer than 2 * BLOCK.
    """
    pieces = [
        _sliding_piece(start + done, query[:, :, done : done + BLOCK], keys, values, scoring, window)
        for done in range(0, query.shape[2], BLOCK)
    ]
    return torch.cat(pieces, dim=2)


def _sliding_piece(
    start: int,
    query: Tensor,
    keys: Cached,
    values: Cached,
    scoring: Scoring,
    window: int,
) -> Tensor:
    kv_heads, group, rows, dim = query.shape
    end = start + rows
    full = slice(max(0, end - window), start)  # seen whole by every row; empty when the window is short
    edge = torch.arange(max(0, start - window + 1), min(full.start, start), device=query.device)
    masked = torch.cat([edge, torch.arange(start, end, device=query.device)])
    own = torch.arange(start, end, device=query.device).repeat(group)[:, None]
    hidden = (masked > own) | (masked <= own - window)
    packed = query.reshape(1, kv_heads, group * rows, dim)
    out, lse = attend_by_products(
        packed,
        keys[:, masked][None],
        values[:, masked][None],
        scoring,
        hidden=hidden,
    )
    out, lse = with_sinks(out.view(query.shape), lse.view(kv_heads, group, rows), scoring)
    if full.start >= full.stop:
        return out.to(query.dtype)
    before, before_lse = _attend_all(query, keys[:, full], values[:, full], scoring)
    return merge(before, before_lse, out, lse).to(query.dtype)


ALL_ATTENTION_FUNCTIONS.register(ATTENTION_NAME, quire_attention)
