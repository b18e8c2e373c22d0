"""The full KV cache: written in place, never copied on a step."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


class KVStore:
    """Keys and values of every layer, per layer of shape (kv_heads, capacity, head_dim).

    A pass writes its rows behind the committed ones; `commit` keeps the rows of the accepted path and
    the next pass overwrites the others. Layers take their shape from the first keys they are given, so
    that one store serves every architecture.
    """

    def __init__(self, num_layers: int, initial_capacity: int) -> None:
        self._keys: list[Tensor | None] = [None] * num_layers
        self._values: list[Tensor | None] = [None] * num_layers
        self._capacity = initial_capacity
        self._initial_capacity = initial_capacity
        self._generation = 0
        self.length = 0

    @property
    def capacity(self) -> int:
        """Slots per layer."""
        return self._capacity

    @property
    def generation(self) -> int:
        """Changes whenever a layer gets other memory; what remembers addresses is void then."""
        return self._generation

    @property
    def num_bytes(self) -> int:
        """Memory that the store holds."""
        return sum(t.nbytes for t in (*self._keys, *self._values) if t is not None)

    @property
    def bytes_per_position(self) -> int:
        """Memory of one position in all layers; 0 before the first pass told their shapes."""
        return sum(t.shape[0] * t.shape[2] * t.element_size() for t in self.tensors())

    @torch.inference_mode()
    def reserve(self, slots: int) -> None:
        """Make room for `slots` positions; growth doubles, so its copies cost O(1) per token."""
        if slots <= self._capacity:
            return
        capacity = max(slots, 2 * self._capacity)
        for tensors in (self._keys, self._values):
            for layer, old in enumerate(tensors):
                if old is not None:
                    grown = old.new_zeros((old.shape[0], capacity, old.shape[2]))
                    grown[:, : self.length] = old[:, : self.length]
                    tensors[layer] = grown
        self._capacity = capacity
        self._generation += 1

    def write(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Write the rows of a pass behind the committed ones; return the layer's whole keys and values.

        keys, values: (kv_heads, rows, head_dim). Returned: (kv_heads, capacity, head_dim) each.
        """
        stored_keys = self._layer(self._keys, layer, keys)
        stored_values = self._layer(self._values, layer, values)
        rows = slice(self.length, self.length + keys.shape[1])
        stored_keys[:, rows] = keys
        stored_values[:, rows] = values
        return stored_keys, stored_values

    def write_at(self, layer: int, slots: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Write the rows of a pass into these slots, (rows,) on the device; otherwise like `write`."""
        stored_keys = self._layer(self._keys, layer, keys)
        stored_values = self._layer(self._values, layer, values)
        stored_keys.index_copy_(1, slots, keys)
        stored_values.index_copy_(1, slots, values)
        return stored_keys, stored_values

    def move(self, sources: Tensor, targets: Tensor) -> None:
        """Copy these slots of every layer to those, all at once. Both: (rows,) on the device."""
        for tensor in self.tensors():
            tensor.index_copy_(1, targets, tensor.index_select(1, sources))

    @torch.inference_mode()
    def commit(self, nodes: Sequence[int]) -> None:
        """Keep these rows of the last pass, in this order; row i lies i slots behind the committed ones."""
        if list(nodes) != list(range(len(nodes))):
            for tensor in (*self._keys, *self._values):
                if tensor is not None:
                    slots = torch.tensor(nodes, device=tensor.device) + self.length
                    tensor[:, self.length : self.length + len(nodes)] = tensor[:, slots]
        self.length += len(nodes)

    def truncate(self, length: int) -> None:
        """Forget every position from `length` on."""
        if not 0 <= length <= self.length:
            raise ValueError(f"length must be from 0 to {self.length}, got {length}")
        self.length = length

    @torch.inference_mode()
    def copy_from(self, other: KVStore, length: int) -> None:
        """Hold what another store of the same model holds at its first positions, and nothing else."""
        self.length = 0
        self.reserve(length)
        for layer, (keys, values) in enumerate(zip(other._keys, other._values, strict=True)):
            if keys is not None and values is not None:
                self.write(layer, keys[:, :length], values[:, :length])
        self.length = length

    @torch.inference_mode()
    def release(self) -> None:
        """Forget everything and give the memory back; the shapes of the layers stay known."""
        self.length = 0
        self._capacity = min(self._capacity, self._initial_capacity)
        self._generation += 1
        for tensors in (self._keys, self._values):
            for layer, old in enumerate(tensors):
                if old is not None:
                    tensors[layer] = old.new_zeros((old.shape[0], self._capacity, old.shape[2]))

    def tensors(self) -> tuple[Tensor, ...]:
        """Return the keys of all layers, then their values, whole: (kv_heads, capacity, head_dim) each."""
        return tuple(t for t in (*self._keys, *self._values) if t is not None)

    def snapshot(self) -> tuple[Tensor, ...]:
        """Return copies of the committed keys and values of all layers, for comparison."""
        return tuple(t[:, : self.length].clone() for t in self.tensors())

    def _layer(self, tensors: list[Tensor | None], layer: int, like: Tensor) -> Tensor:
        tensor = tensors[layer]
        if tensor is None:
            # zeros, not empty: slots that a mask hides are multiplied by 0, and 0 * NaN is NaN
            tensor = like.new_zeros((like.shape[0], self._capacity, like.shape[2]))
            tensors[layer] = tensor
            self._generation += 1
        return tensor
