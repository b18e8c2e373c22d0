"""The cache of integer passes: bytes and their scales by position, kept, saved and read back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.cache.cache_store import SavedPart
from quire_engine.integer.attention_kernel import POSITIONS
from quire_engine.integer.pass_data import Cache, NewRows, Shape, key_parts, new_cache
from quire_engine.integer.pass_kernel import keep_all_layers


class IntegerStore:
    """Keys and values of every layer in one byte a number: a scale for each 32 numbers of a key, and for each
    value.

    Attributes:
        cache: as the kernels read it; another one after growth.
        length: positions that are committed.
    """

    def __init__(self, shape: Shape, num_layers: int) -> None:
        self._shape = shape
        self._num_layers = num_layers
        self.cache = new_cache(shape, num_layers, POSITIONS)
        self.length = 0

    @property
    def capacity(self) -> int:
        """Positions that there is room for."""
        return int(self.cache.value_scales.shape[2])

    @property
    def num_bytes(self) -> int:
        """Memory of the store."""
        return sum(part.nbytes for part in self.cache)

    @property
    def bytes_per_position(self) -> int:
        """Memory of one position in all layers."""
        return self.num_bytes // self.capacity

    def reserve(self, positions: int) -> None:
        """Make room for this many positions and a pass; the capacity doubles as it grows."""
        if positions + POSITIONS <= self.capacity:
            return
        wanted = -(-max(positions + POSITIONS, 2 * self.capacity) // POSITIONS) * POSITIONS
        grown = new_cache(self._shape, self._num_layers, wanted)
        for name in Cache._fields:
            old = getattr(self.cache, name)
            getattr(grown, name)[tuple(slice(size) for size in old.shape)] = old
        self.cache = grown

    def truncate(self, length: int) -> None:
        """Forget every position from `length` on; ValueError when fewer are held."""
        if not 0 <= length <= self.length:
            raise ValueError(f"length must be from 0 to {self.length}, got {length}")
        self.length = length

    def release(self) -> None:
        """Forget everything and free the memory."""
        self.length = 0
        self.cache = new_cache(self._shape, self._num_layers, POSITIONS)

    def copy_from(self, other: IntegerStore, length: int) -> None:
        """Copy the first positions of another store of the same model, and forget everything else."""
        self.length = 0
        self.fill(((name, other.saved(name, length)) for name in other.saved_parts(length)), length)
        self.length = length

    def snapshot(self) -> tuple[Tensor, ...]:
        """Return copies of what is committed: (kv_heads, positions, head) of each layer; its scales have the
        first two dimensions as well."""
        return tuple(self.saved(name, self.length) for name in self.saved_parts(self.length))

    def saved_parts(self, length: int) -> dict[str, SavedPart]:
        """Return digits and scales of the first layer, then of the next; see CacheStore."""
        heads = self._shape.kv_heads
        digits = SavedPart((heads, length, self._shape.head), torch.int8)
        kinds = {
            "keys": digits,
            "values": digits,
            "key_scales": SavedPart((heads, length, key_parts(self._shape.head)), torch.float32),
            "value_scales": SavedPart((heads, length), torch.float32),
        }
        return {f"{kind}.{layer}": kinds[kind] for layer in range(self._num_layers) for kind in Cache._fields}

    def saved(self, name: str, length: int) -> Tensor:
        """Return a copy of one of them, for the first positions."""
        kind, _, layer = name.partition(".")
        part = getattr(self.cache, kind)[int(layer)]
        if kind == "keys":
            part = part.transpose(0, 1, 3, 2, 4).reshape(part.shape[0], self.capacity, -1)
        elif kind == "values":
            part = part.transpose(0, 1, 2, 4, 3).reshape(part.shape[0], self.capacity, -1)
            part = part[:, :, : self._shape.head]
        elif kind == "key_scales":
            part = part.transpose(0, 2, 1)
        return torch.from_numpy(part[:, :length].copy())

    def fill(self, parts: Iterable[tuple[str, Tensor]], length: int) -> None:
        """Write all of them into an empty store, one after another; nothing is committed yet."""
        self.reserve(length)
        rows = np.arange(length, dtype=np.int64)
        layer: dict[str, npt.NDArray[Any]] = {}
        for name, tensor in parts:
            kind, _, number = name.partition(".")
            layer[kind] = np.ascontiguousarray(tensor.numpy())[None]
            if len(layer) == len(Cache._fields):
                here = slice(int(number), int(number) + 1)
                cache = Cache(**{each: getattr(self.cache, each)[here] for each in Cache._fields})
                keep_all_layers(cache, NewRows(**layer), rows, 0)
                layer.clear()
