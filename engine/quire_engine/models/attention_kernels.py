"""Attention over one set of keys, with its log-sum-exp, so that results over several sets can be merged."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

FLASH_DEVICES = frozenset({"cpu"})
"""Kinds of device whose flash kernel is used; on the others attention is matrix products in float32."""
KEY_CHUNK = 4096
"""Keys per matrix product where there is no flash kernel: bounds the scores that are held at once."""


class Scoring(NamedTuple):
    """How a layer scores a key: its product with the query times `scale`.

    Attributes:
        softcap: the score then becomes softcap * tanh(score / softcap), as in Gemma 2.
        flash: use the GPU's flash kernel, which multiplies in half precision; it knows no softcap.
        sinks: (heads,) a score of each head for no key at all, as in GPT-OSS. The functions here leave it
            out: whoever merges sets of keys counts it with one of them.
    """

    scale: float
    softcap: float | None = None
    flash: bool = False
    sinks: Tensor | None = None

    def sink_scores(self, kv_heads: int) -> Tensor | None:
        """Return the sinks in float32 as (kv_heads, group, 1), if there are any."""
        return None if self.sinks is None else self.sinks.float().view(kv_heads, -1, 1)


def attend(
    query: Tensor, keys: Tensor, values: Tensor, scoring: Scoring, *, causal: bool = False
) -> tuple[Tensor, Tensor]:
    """Attend by the fastest kernel of the device.

    Args:
        query: (batch, heads, rows, dim).
        keys, values: (batch, heads, num_keys, dim).
        causal: row i sees the keys up to i (as many rows as keys).

    Returns:
        The output, of the query's shape, and its log-sum-exp, float32 (batch, heads, rows).
    """
    if query.device.type in FLASH_DEVICES and scoring.softcap is None:
        out, lse = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu(
            query, keys, values, 0.0, causal, scale=scoring.scale
        )
        return out, lse
    if scoring.flash and scoring.softcap is None:
        return _attend_on_gpu(query, keys, values, scoring.scale, causal)
    ahead = None
    if causal:
        ahead = torch.ones(query.shape[2], keys.shape[2], dtype=torch.bool, device=query.device).triu_(1)
    out, lse = attend_by_products(query, keys, values, scoring, hidden=ahead)
    return out.to(query.dtype), lse


def _attend_on_gpu(
    query: Tensor, keys: Tensor, values: Tensor, scale: float, causal: bool
) -> tuple[Tensor, Tensor]:
    """`attend` by the flash kernel of a CUDA GPU: half precision, heads of a multiple of 8, up to 256."""
    results = torch.ops.aten._scaled_dot_product_flash_attention(
        query, keys, values, 0.0, causal, False, scale=scale
    )
    return results[0], results[1]


def attend_by_products(
    query: Tensor, keys: Tensor, values: Tensor, scoring: Scoring, *, hidden: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Attend by matrix products in float32, on any device and with any mask.

    The keys are taken in chunks counted from the first, whatever the rows are: a row's result depends on the
    keys and on the number of rows, never on the other rows. hidden: bool (rows, num_keys), True where a row
    may not look; every row must see at least one key of the first chunk.
    Returns float32 output (batch, heads, rows, dim) and log-sum-exp (batch, heads, rows).
    """
    rows = query.float().mul(scoring.scale)
    out = total = top = None
    for start in range(0, keys.shape[2], KEY_CHUNK):
        chunk = slice(start, start + KEY_CHUNK)
        scores = capped(torch.matmul(rows, keys[:, :, chunk].float().transpose(-1, -2)), scoring)
        if hidden is not None:
            scores.masked_fill_(hidden[:, chunk], -torch.inf)
        here = scores.amax(-1, keepdim=True)
        new_top = here if top is None else torch.maximum(top, here)
        weights = scores.sub_(new_top).exp_()
        new_total = weights.sum(-1, keepdim=True)
        new_out = torch.matmul(weights, values[:, :, chunk].float())
        if out is not None and total is not None and top is not None:
            shrink = top.sub(new_top).exp_()
            new_total.addcmul_(total, shrink)
            new_out.addcmul_(out, shrink)
        out, total, top = new_out, new_total, new_top
    if out is None or total is None or top is None:
        raise ValueError("attention needs at least one key")
    return out.div_(total), (total.log_().add_(top))[..., 0]


def capped(scores: Tensor, scoring: Scoring) -> Tensor:
    """Apply the softcap in place, if there is one."""
    softcap = scoring.softcap
    return scores if softcap is None else scores.div_(softcap).tanh_().mul_(softcap)


def with_sinks(out: Tensor, lse: Tensor, scoring: Scoring) -> tuple[Tensor, Tensor]:
    """Count the sinks, if there are any, with a set of keys.

    Args:
        out: (kv_heads, group, rows, dim).
        lse: (kv_heads, group, rows).
    """
    sinks = scoring.sink_scores(out.shape[0])
    if sinks is None:
        return out, lse
    share = torch.sigmoid(lse - sinks)[..., None]
    return out.float().mul_(share).to(out.dtype), torch.logaddexp(lse, sinks)


def merge(a: Tensor, a_lse: Tensor, b: Tensor, b_lse: Tensor) -> Tensor:
    """Join two results over disjoint keys, in float32. a, b: (..., rows, dim); lse: (..., rows)."""
    weight = torch.sigmoid(a_lse - b_lse)[..., None]
    return torch.lerp(b.float(), a.float(), weight)
