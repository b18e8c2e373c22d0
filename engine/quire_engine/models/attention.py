"""The attention function that every model runs through, and the shape of a pass.

One pass shape (engine design, section 1): a row's result depends on its absolute position alone, never on
how many other rows of the pass are real. So plain steps, trees and re-read text give the same bits.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

from quire_engine.cache.store import KVStore
from quire_engine.errors import EngineBug

ATTENTION_NAME = "quire_one_pass"
BLOCK = 64
"""Positions per block: full blocks go through flash attention, the open one is gathered row by row."""


@dataclass(frozen=True, slots=True)
class DecodePass:
    """A pass of the run's fixed width over a tree of tokens that all lie in one block.

    tail_slots: (nodes, BLOCK) store slots of the open block for each real row: committed ones, then the row's
    ancestors and itself, in position order. tail_bias: (nodes, BLOCK) float32, 0 for them, -inf for padding.
    The other rows of the pass are padding and see nothing but the full blocks.
    """

    store: KVStore
    tail_slots: Tensor
    tail_bias: Tensor


@dataclass(frozen=True, slots=True)
class PrefillPass:
    """A chunk of consecutive tokens behind everything that is committed."""

    store: KVStore


class _Current(threading.local):
    """The pass in flight on this thread; not every model hands keyword arguments through to its attention."""

    value: DecodePass | PrefillPass | None = None


_current = _Current()


class running:  # lower case, because it reads as a statement: `with running(pass_):`
    """Make a pass the one in flight for the duration of a block."""

    def __init__(self, pass_: DecodePass | PrefillPass) -> None:
        self._pass = pass_

    def __enter__(self) -> None:
        _current.value = self._pass

    def __exit__(self, *_: object) -> None:
        _current.value = None


def quire_attention(
    module: torch.nn.Module,
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attention_mask: Tensor | None,
    scaling: float | None = None,
    **_: Any,
) -> tuple[Tensor, None]:
    """Attend over the store. query: (1, heads, rows, dim); key, value: (1, kv_heads, rows, dim), rotated.

    Returns (1, rows, heads, dim), the form that every model of the library expects.
    """
    scale = key.shape[-1] ** -0.5 if scaling is None else scaling
    number: Any = module.layer_idx
    return attend_in_pass(int(number), query[0], key[0], value[0], scale)[None], None


def attend_in_pass(layer: int, query: Tensor, key: Tensor, value: Tensor, scale: float) -> Tensor:
    """Store a layer's keys and values and attend over all that its rows may see in the pass in flight.

    query: (heads, rows, dim); key, value: (kv_heads, rows, dim), rotated. Returns (rows, heads, dim).
    """
    pass_ = _current.value
    if pass_ is None:
        raise EngineBug("attention called outside of a pass")
    kv_heads, rows, dim = key.shape
    heads = query.shape[0]
    keys, values = pass_.store.write(layer, key, value)
    grouped = query.reshape(kv_heads, heads // kv_heads, rows, dim)
    if isinstance(pass_, DecodePass):
        out = _decode_attention(pass_, grouped, keys, values, scale)
    else:
        out = _prefill_attention(pass_.store.length, grouped, keys, values, scale)
    return out.reshape(heads, rows, dim).transpose(0, 1)


def _decode_attention(pass_: DecodePass, query: Tensor, keys: Tensor, values: Tensor, scale: float) -> Tensor:
    """query: (kv_heads, group, width, dim) -> same shape. Full blocks and tail, merged in float32."""
    kv_heads, _, _, dim = query.shape
    nodes = pass_.tail_slots.shape[0]
    flat = pass_.tail_slots.view(-1)
    tail_shape = (kv_heads, nodes, BLOCK, dim)
    tail_keys = keys.index_select(1, flat).view(tail_shape).float()
    tail_values = values.index_select(1, flat).view(tail_shape).float()
    # A product per node: its shape is the same for one node and for many, so only real rows need it.
    rows = query[:, :, :nodes].transpose(1, 2).float().mul(scale)  # (kv_heads, nodes, group, dim)
    scores = torch.matmul(rows, tail_keys.transpose(-1, -2)).add_(pass_.tail_bias[:, None, :])
    top = scores.amax(-1, keepdim=True)  # (kv_heads, nodes, group, 1); finite, a row sees at least itself
    weights = scores.sub_(top).exp_()
    total = weights.sum(-1, keepdim=True)
    tail = torch.matmul(weights, tail_values)
    out = torch.zeros_like(query)
    blocks = pass_.store.length // BLOCK * BLOCK
    if blocks == 0:
        out[:, :, :nodes] = tail.div_(total).transpose(1, 2)
        return out
    prefix, lse = _attend_blocks(query, keys[:, :blocks], values[:, :blocks], scale)
    # softmax over the union of two key sets: the prefix counts exp(lse), the tail total * exp(top)
    prefix_lse = lse[..., None][:, :, :nodes]
    prefix_mass = prefix_lse.transpose(1, 2).sub(top).exp_()
    prefix_rows = prefix[:, :, :nodes].transpose(1, 2).float()
    merged = tail.addcmul_(prefix_rows, prefix_mass).div_(total.add_(prefix_mass))
    out[:, :, :nodes] = merged.transpose(1, 2)
    return out


def _attend_blocks(query: Tensor, keys: Tensor, values: Tensor, scale: float) -> tuple[Tensor, Tensor]:
    """Attend over full blocks. query: (kv_heads, group, width, dim) -> that shape; log-sum-exp without dim.

    The kernel cuts the rows into blocks of 32, or 64 when there are many. A rest of a few rows would go
    through other arithmetic than the rest of the pass, so the rows are padded to whole blocks.
    """
    kv_heads, group, width, dim = query.shape
    count = group * width
    unit = 64 if count > 160 else 32
    padding = -count % unit if count > 32 else 0
    packed = query.reshape(1, kv_heads, count, dim)
    if padding:
        packed = torch.nn.functional.pad(packed, (0, 0, 0, padding))
    out, lse = _attend(packed, keys[None], values[None], scale, causal=False)
    shape = (kv_heads, group, width)
    return out[0, :, :count].reshape(*shape, dim), lse[0, :, :count].reshape(shape)


def _prefill_attention(start: int, query: Tensor, keys: Tensor, values: Tensor, scale: float) -> Tensor:
    """query: (kv_heads, group, rows, dim) -> same shape. What lies before the chunk, then itself."""
    kv_heads, group, rows, dim = query.shape
    end = start + rows
    # one causal problem per query head; the chunk is short, so repeating its keys costs little
    own_keys = keys[:, None, start:end].expand(kv_heads, group, rows, dim)
    own_values = values[:, None, start:end].expand(kv_heads, group, rows, dim)
    out, lse = _attend(query, own_keys, own_values, scale, causal=True)
    if start == 0:
        return out
    packed = query.reshape(1, kv_heads, group * rows, dim)
    prefix, prefix_lse = _attend(packed, keys[None, :, :start], values[None, :, :start], scale, causal=False)
    merged = _merge(prefix.view(query.shape), prefix_lse.view(kv_heads, group, rows, 1), out, lse[..., None])
    return merged.to(query.dtype)


def _merge(a: Tensor, a_lse: Tensor, b: Tensor, b_lse: Tensor) -> Tensor:
    """Join two attention results over disjoint keys, in float32. a, b: (..., dim); lse: (..., 1)."""
    weight = torch.sigmoid(a_lse - b_lse)
    return torch.lerp(b.float(), a.float(), weight)


def _attend(
    query: Tensor, keys: Tensor, values: Tensor, scale: float, *, causal: bool
) -> tuple[Tensor, Tensor]:
    """Attention and its log-sum-exp. query: (batch, heads, rows, dim) -> that shape, (batch, heads, rows)."""
    if query.device.type == "cpu":
        out, lse = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
            query, keys, values, 0.0, causal, scale=scale
        )
        return out, lse
    scores = torch.matmul(query.float(), keys.float().transpose(-1, -2)).mul_(scale)
    if causal:
        ahead = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).triu_(1)
        scores.masked_fill_(ahead, -torch.inf)
    lse = scores.logsumexp(-1)
    return torch.matmul((scores - lse[..., None]).exp(), values.float()).to(query.dtype), lse


ALL_ATTENTION_FUNCTIONS.register(ATTENTION_NAME, quire_attention)
