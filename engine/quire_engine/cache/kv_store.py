"""The full KV cache: written in place, never copied on a step."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from quire_engine.api.errors import EngineBug
from quire_engine.cache.cache_store import SavedPart
from quire_engine.cache.kv_formats import Cached, MakeCached, make_full
from quire_engine.cache.kv_growth import grow


class KVStore:
    """Keys and values of every layer, (kv_heads, capacity, head_dim) per layer.

    A pass writes its rows after the committed ones; `commit` keeps the rows of the accepted path and the next
    pass overwrites the others. Layers take their shape from the first keys, so one store serves every
    architecture. make: the storage format (`quire_engine.cache.kv_formats`).
    """

    def __init__(self, num_layers: int, initial_capacity: int, make: MakeCached = make_full) -> None:
        self._keys: list[Cached | None] = [None] * num_layers
        self._values: list[Cached | None] = [None] * num_layers
        self._make = make
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
        """Changes whenever a layer is reallocated, which invalidates stored addresses."""
        return self._generation

    @property
    def num_bytes(self) -> int:
        """Memory of the store."""
        return sum(t.nbytes for t in (*self._keys, *self._values) if t is not None)

    @property
    def bytes_per_position(self) -> int:
        """Memory of one position in all layers; 0 before the first pass."""
        return sum(t.nbytes // t.shape[1] for t in self.held())

    @torch.inference_mode()
    def reserve(self, slots: int) -> None:
        """Make room for `slots` positions; growth doubles, so its copies cost O(1) per token.

        Where memory is short, less is allocated, down to what is needed (`quire_engine.cache.kv_growth`).
        """
        if slots > self._capacity:
            self._generation += 1  # first: growth that fails may have moved some layers
            self._capacity = grow((self._keys, self._values), self.length, slots, self._capacity)

    def write(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Cached, Cached]:
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
        """Write the rows of a pass into these slots, (rows,) on the device; otherwise like `write`.

        Only in the full form: what is decoded on access has no place that a recorded pass could remember.
        """
        stored_keys = self._layer(self._keys, layer, keys)
        stored_values = self._layer(self._values, layer, values)
        if not isinstance(stored_keys, Tensor) or not isinstance(stored_values, Tensor):
            raise EngineBug("a pass of fixed shape over a cache that is not kept as computed")
        stored_keys.index_copy_(1, slots, keys)
        stored_values.index_copy_(1, slots, values)
        return stored_keys, stored_values

    def move(self, sources: Tensor, targets: Tensor) -> None:
        """Copy these slots of every layer to those, all at once. Both: (rows,) on the device."""
        for tensor in self.tensors():
            tensor.index_copy_(1, targets, tensor.index_select(1, sources))

    @torch.inference_mode()
    def commit(self, nodes: Sequence[int]) -> None:
        """Keep these rows of the last pass, in this order; row i is i slots behind the committed ones."""
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
        """Copy the first positions of another store of the same model, and forget everything else."""
        self.length = 0
        self.reserve(length)
        for layer, (keys, values) in enumerate(zip(other._keys, other._values, strict=True)):
            if keys is not None and values is not None:
                self.write(layer, keys[:, :length], values[:, :length])
        self.length = length

    @torch.inference_mode()
    def release(self) -> None:
        """Forget everything and free the memory; the shapes of the layers are kept."""
        self.length = 0
        self._capacity = min(self._capacity, self._initial_capacity)
        self._generation += 1
        for tensors in (self._keys, self._values):
            for layer, old in enumerate(tensors):
                if old is not None:
                    tensors[layer] = old.new_zeros((old.shape[0], self._capacity, old.shape[2]))

    def held(self) -> tuple[Cached, ...]:
        """Return the keys of all layers, then their values, whole: (kv_heads, capacity, head_dim) each."""
        return tuple(t for t in (*self._keys, *self._values) if t is not None)

    def saved_parts(self, length: int) -> dict[str, SavedPart]:
        """Return keys and values of the first layer, then of the next; see CacheStore."""
        return {
            name: SavedPart((held.shape[0], length, held.shape[2]), held.dtype)
            for name, held in self._by_name().items()
        }

    def saved(self, name: str, length: int) -> Tensor:
        """Return the first positions of one of them, (kv_heads, length, head_dim)."""
        return self._by_name()[name][:, :length]

    @torch.inference_mode()
    def fill(self, parts: Iterable[tuple[str, Tensor]], length: int) -> None:
        """Write all of them into an empty store that was used before; nothing is committed yet."""
        self.reserve(length)
        held = self._by_name()
        for name, tensor in parts:
            held[name][:, :length] = tensor

    def _by_name(self) -> dict[str, Cached]:
        held = self.held()
        layers = len(held) // 2
        return {
            f"{kind}.{layer}": held[place * layers + layer]
            for layer in range(layers)
            for place, kind in enumerate(("keys", "values"))
        }

    def tensors(self) -> tuple[Tensor, ...]:
        """Return the same as tensors; in forms that are none, as copies of what is read."""
        return tuple(t if isinstance(t, Tensor) else t[:, :] for t in self.held())

    def snapshot(self) -> tuple[Tensor, ...]:
        """Return copies of the committed keys and values of all layers, for comparison."""
        return tuple(t[:, : self.length].clone() for t in self.held())

    def _layer(self, tensors: list[Cached | None], layer: int, like: Tensor) -> Cached:
        held = tensors[layer]
        if held is None:
            held = tensors[layer] = self._make(like, self._capacity)
            self._generation += 1
        return held
