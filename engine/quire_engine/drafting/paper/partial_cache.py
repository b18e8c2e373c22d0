"""The dynamic partial KV cache (TokenSwift, arXiv 2502.18890, section 3.2) that a draft pass attends to.

Per layer and KV head: the first positions of the text (sinks), the positions whose keys score highest with
the last accepted token's query, and everything newer as it comes. When the budget is full, the selection is
repeated. While the text fits into the budget, the partial cache is the full one and nothing is copied.

Two other rules exist to be compared with it: a selection that is made once, and the newest positions alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

from quire_engine.cache.kv_formats import Cached
from quire_engine.cache.kv_store import KVStore

Selection = Literal["dynamic", "static", "newest"]
"""Which positions are kept. "dynamic": the best ones, chosen again whenever the budget is full (the paper's).
"static": those that were the best when the text outgrew the budget, and of what follows the newest.
"newest": a window on the end of the text (StreamingLLM, arXiv 2309.17453). Sinks are always kept."""
NUM_SINKS = 16
"""First positions that are always kept (the paper's choice)."""
MIN_BUDGET = 2 * NUM_SINKS


class PartialCache:
    """Selected keys and values of a store, gathered into tensors of their own, once per selection.

    Args:
        budget: positions per layer and KV head. An eighth is left free at each selection for the positions
            that follow, so that appending only costs the new positions.
        selection: which positions to choose, and when.
    """

    def __init__(self, budget: int, selection: Selection = "dynamic") -> None:
        if budget < MIN_BUDGET:
            raise ValueError(f"budget must be at least {MIN_BUDGET}, got {budget}")
        self._budget = budget
        self._selection: Selection = selection
        self._num_selected = budget - budget // 8
        self._keys: list[Tensor] = []
        self._values: list[Tensor] = []
        self._positions: list[Tensor] = []
        self._filled = 0
        self._taken = 0

    @property
    def budget(self) -> int:
        """Positions per layer and KV head."""
        return self._budget

    @property
    def num_selected(self) -> int:
        """Positions that a selection chooses; the rest of the budget is for what follows."""
        return self._num_selected

    @property
    def num_bytes(self) -> int:
        """Memory of its own; none while the text fits into the budget."""
        return sum(tensor.nbytes for tensor in (*self._keys, *self._values))

    @property
    def positions(self) -> list[Tensor]:
        """Cached positions, per layer (kv_heads, cached), in the order of their keys; empty while all are."""
        return [positions[:, : self._filled] for positions in self._positions] if self._filled else []

    def reset(self) -> None:
        """Forget the selection; the store is about to be filled from the start."""
        self._filled = 0
        self._taken = 0

    def release(self) -> None:
        """Let go of its memory; the next selection takes it again."""
        self.reset()
        self._keys, self._values, self._positions = [], [], []

    def will_select(self, length: int) -> bool:
        """Say whether `update` chooses positions anew behind `length` tokens, by the queries that it gets."""
        if length <= self._budget or self._selection == "newest":
            return False
        fresh = length - self._taken
        is_full = self._filled + fresh > self._budget
        return self._filled == 0 or fresh < 0 or (is_full and self._selection != "static")

    @torch.inference_mode()
    def update(self, store: KVStore, queries: Sequence[Tensor]) -> tuple[list[Tensor], list[Tensor]]:
        """Add the positions committed to the store since the last call; return keys and values per layer.

        queries: rotated queries of the last accepted token, per layer (heads, dim); none: select the newest
        positions. Returns (kv_heads, cached positions, dim) each; valid until the next change.
        """
        tensors, length = store.held(), store.length
        layers = len(tensors) // 2
        keys, values = tensors[:layers], tensors[layers:]
        if length <= self._budget:
            self.reset()
            return [key[:, :length] for key in keys], [value[:, :length] for value in values]
        fresh = length - self._taken
        is_full = self._filled + fresh > self._budget
        if self._filled == 0 or fresh < 0 or (is_full and self._selection != "static"):
            self._select(keys, values, length, () if self._selection == "newest" else queries)
        elif is_full:
            self._make_room(length)
            self._append(keys, values, length)
        elif fresh:
            self._append(keys, values, length)
        self._taken = length
        held = self._filled
        return [key[:, :held] for key in self._keys], [value[:, :held] for value in self._values]

    def _select(
        self, keys: Sequence[Cached], values: Sequence[Cached], length: int, queries: Sequence[Tensor]
    ) -> None:
        """Choose the positions of every layer and gather them."""
        if not self._keys:
            self._allocate(keys, values)
        count = self._num_selected
        for layer, held in enumerate(keys):
            key, value = held[:, :length], values[layer][:, :length]
            scores = position_scores(key, queries[layer] if queries else None)
            chosen = select(scores, count)
            index = chosen[..., None]
            self._positions[layer][:, :count] = chosen
            self._keys[layer][:, :count] = key.gather(1, index.expand(-1, -1, key.shape[-1]))
            self._values[layer][:, :count] = value.gather(1, index.expand(-1, -1, value.shape[-1]))
        self._filled = count

    def _make_room(self, length: int) -> None:
        """Drop what was appended, so that the newest positions can be appended again, half of what fits."""
        self._filled = self._num_selected
        self._taken = length - (self._budget - self._num_selected + 1) // 2

    def _append(self, keys: Sequence[Cached], values: Sequence[Cached], length: int) -> None:
        """Copy the positions committed since the last update behind the others."""
        new = slice(self._taken, length)
        place = slice(self._filled, self._filled + length - self._taken)
        for layer, key in enumerate(keys):
            self._positions[layer][:, place] = torch.arange(self._taken, length, device=key.device)
            self._keys[layer][:, place] = key[:, new]
            self._values[layer][:, place] = values[layer][:, new]
        self._filled = place.stop

    def _allocate(self, keys: Sequence[Cached], values: Sequence[Cached]) -> None:
        for key, value in zip(keys, values, strict=True):
            heads = key.shape[0]
            # a selection is small: stored as computed, whatever the format of the store
            self._keys.append(key[:, :1].new_zeros((heads, self._budget, key.shape[-1])))
            self._values.append(value[:, :1].new_zeros((heads, self._budget, value.shape[-1])))
            self._positions.append(torch.zeros((heads, self._budget), dtype=torch.long, device=key.device))


def position_scores(keys: Tensor, query: Tensor | None) -> Tensor:
    """Return how much each position matters: q . k, summed over the query heads that share a KV head.

    Args:
        keys: (kv_heads, length, dim).
        query: (heads, dim); None: newer positions score higher.

    Returns:
        Float32 (kv_heads, length).
    """
    kv_heads, length, dim = keys.shape
    if query is None:
        newer = torch.arange(length, dtype=torch.float32, device=keys.device)
        return newer.expand(kv_heads, length)
    # the sum over the group is one product with the sum of its queries
    summed = query.reshape(kv_heads, -1, dim).float().sum(1)
    if keys.dtype != torch.float32:
        return torch.matmul(keys, summed.to(keys.dtype)[..., None])[..., 0].float()
    return torch.matmul(keys, summed[..., None])[..., 0]


def select(scores: Tensor, count: int) -> Tensor:
    """Return the sinks and the highest scores, `count` in all, ascending. scores: (kv_heads, length)."""
    best = scores[:, NUM_SINKS:].topk(count - NUM_SINKS, sorted=False).indices + NUM_SINKS
    sinks = torch.arange(NUM_SINKS, device=scores.device).expand(scores.shape[0], NUM_SINKS)
    return torch.cat([sinks, best.sort().values], dim=1)
