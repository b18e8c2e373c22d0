"""Attention of a decode pass in which no shape and no branch depends on the text's length.

So the device can repeat the pass by itself: what changes from pass to pass is in tensors on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from quire_engine.cache.kv_store import KVStore
from quire_engine.gpu.segmented_attention import (
    LARGEST_PART,
    SegmentKernel,
    Segments,
    part_bounds,
    steady_sum,
)
from quire_engine.models.attention import BLOCK, FixedPass, Gathered, attend_gathered
from quire_engine.models.attention_kernels import Scoring


@dataclass(frozen=True, slots=True)
class Places:
    """Where the rows of a pass are; all int64 on the device.

    Attributes:
        positions: (rows,), the root's first.
        tail_slots: (rows, BLOCK) store slots of the open block as each row sees it, in position order.
        tail_lengths: (rows,) how many of them it sees, itself included.
    """

    positions: Tensor
    tail_slots: Tensor
    tail_lengths: Tensor


@dataclass(frozen=True, slots=True)
class _Seen:
    """What layers of one window see.

    Attributes:
        key_bounds: of the parts.
        is_empty: (parts, 1, 1, 1) bool.
    """

    gathered: Gathered
    key_bounds: Tensor
    is_empty: Tensor


class StaticPass(FixedPass):
    """One pass over the places; every row is real to it, those that the host ignores too.

    Args:
        part_bounds: int64 (parts + 1,) on the device, of the store's capacity (see `bounds_of`).

    Attributes:
        queries: as of DecodePass.
    """

    def __init__(self, store: KVStore, places: Places, part_bounds: Tensor, kernel: SegmentKernel) -> None:
        self._store = store
        self._places = places
        self._part_bounds = part_bounds
        self._kernel = kernel
        self.queries: list[Tensor] = []
        rows, device = len(places.positions), places.positions.device
        root = places.positions[:1]
        self._slots = root + torch.arange(rows, device=device)
        self._start = root // BLOCK * BLOCK  # (1,) first position of the open block
        self._in_block = torch.arange(BLOCK, device=device)
        hidden = self._in_block >= places.tail_lengths[:, None]
        self._bias = torch.zeros(rows, BLOCK, device=device).masked_fill_(hidden, -torch.inf)
        self._seen: dict[int | None, _Seen] = {}
        self._query_bounds: dict[int, Tensor] = {}

    @property
    def num_nodes(self) -> int:
        """All rows: which of them are padding, only the host knows."""
        return len(self._places.positions)

    def attend(
        self, layer: int, query: Tensor, key: Tensor, value: Tensor, scoring: Scoring, window: int | None
    ) -> Tensor:
        """Store a layer's keys and values and attend. Shapes as in `attend_in_pass`; same shape as query."""
        if scoring.softcap is not None:
            raise ValueError("the kernel knows no softcap")
        keys, values = self._store.write_at(layer, self._slots, key, value)
        self.queries.append(query)
        kv_heads, rows, dim = key.shape
        grouped = query.reshape(kv_heads, -1, rows, dim)
        seen = self._seen_by(window)
        tail, total, top = (
            part.permute(1, 0, 2, 3)  # (rows, kv_heads, group, ...)
            for part in attend_gathered(grouped, keys, values, scoring, seen.gathered)
        )
        if scoring.sinks is not None:
            sinks = scoring.sinks.float().view(1, kv_heads, -1, 1)
            total.add_(sinks.sub(top).exp_())
        parts, lse = self._attend_parts(grouped, keys, values, scoring.scale, seen)
        new_top = torch.maximum(lse.amax(0), top)
        masses = lse.sub(new_top).exp_()  # of each part beside the largest score of all
        own = top.sub(new_top).exp_()
        out = (tail * own).add_(steady_sum(parts * masses))
        out.div_((total * own).add_(steady_sum(masses)))
        return out.to(query.dtype).reshape(rows, -1, dim).transpose(0, 1)

    def _attend_parts(
        self, query: Tensor, keys: Tensor, values: Tensor, scale: float, seen: _Seen
    ) -> tuple[Tensor, Tensor]:
        """Attend over the full blocks, part by part. query: (kv_heads, group, rows, dim).

        Returns (parts, rows, kv_heads, group, dim), and the log-sum-exp with 1 for dim, -inf for empty parts.
        """
        kv_heads, group, rows, dim = query.shape
        num_parts, packed = len(self._part_bounds) - 1, rows * group
        every = query.permute(2, 1, 0, 3).expand(num_parts, rows, group, kv_heads, dim)
        segments = Segments(self._bounds_for(packed), seen.key_bounds, packed, LARGEST_PART)
        out, lse = self._kernel(
            every.reshape(num_parts * packed, kv_heads, dim),
            keys.transpose(0, 1),
            values.transpose(0, 1),
            segments,
            scale,
        )
        parts = out.view(num_parts, rows, group, kv_heads, dim).transpose(2, 3)
        masses = lse.view(kv_heads, num_parts, rows, group).permute(1, 2, 0, 3)[..., None]
        empty = seen.is_empty[..., None]
        return parts.masked_fill(empty, 0), masses.masked_fill(empty, -torch.inf)

    def _bounds_for(self, packed: int) -> Tensor:
        if packed not in self._query_bounds:
            end = len(self._part_bounds) * packed
            device = self._start.device
            self._query_bounds[packed] = torch.arange(0, end, packed, dtype=torch.int32, device=device)
        return self._query_bounds[packed]

    def _seen_by(self, window: int | None) -> _Seen:
        """Return what rows see through a window: the same positions as DecodePass.gathered."""
        if window not in self._seen:
            first = torch.zeros_like(self._start)
            gathered = Gathered(self._places.tail_slots, self._bias, 0)
            if window is not None:
                # the last row of the block sees just this far
                first = (self._start + (BLOCK - window)).clamp_(min=0).minimum(self._start)
                gathered = self._at_window_edge(window)
            bounds = self._part_bounds.clamp(first, self._start).to(torch.int32)
            empty = bounds[1:].eq(bounds[:-1]).view(-1, 1, 1, 1)
            self._seen[window] = _Seen(gathered, bounds, empty)
        return self._seen[window]

    def _at_window_edge(self, window: int) -> Gathered:
        """Gather the positions before the block that only some of its rows can see, with the tail."""
        rows, device = self.num_nodes, self._start.device
        count = min(window, BLOCK) - 1
        edge = self._start + (1 - window) + torch.arange(count, device=device)
        seen = torch.cat([edge, self._start + self._in_block])
        out_of_view = (seen <= self._places.positions[:, None] - window) | (seen < 0)
        slots = torch.cat([edge.clamp(min=0).expand(rows, -1), self._places.tail_slots], dim=1)
        bias = torch.cat([self._bias.new_zeros(rows, count), self._bias], dim=1)
        return Gathered(slots, bias.masked_fill_(out_of_view, -torch.inf), 0)


def bounds_of(store: KVStore, device: torch.device) -> Tensor:
    """Return the bounds of the parts that a store of its present capacity has, for StaticPass."""
    last = (store.capacity - 1) // BLOCK * BLOCK  # no full block ends behind this
    return torch.tensor(part_bounds(last), device=device)
