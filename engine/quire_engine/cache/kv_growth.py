"""Growth of the KV cache: double it, or where memory is short, allocate as much as is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from torch import Tensor

from quire_engine.api.errors import is_out_of_memory
from quire_engine.cache.kv_formats import Cached, CachedRows

SPARE = 64
"""Extra positions when memory is short; without them every pass would reallocate."""


def capacities(slots: int, capacity: int) -> tuple[int, ...]:
    """Return the capacities to try for `slots` positions, the largest first.

    Doubling costs O(1) copies per token; an eighth more works when memory is nearly full; the last one is
    what is needed plus a little.
    """
    most = max(slots, 2 * capacity)
    smaller = (max(slots + SPARE, capacity + capacity // 8), slots + SPARE)
    return tuple(dict.fromkeys((most, *(each for each in smaller if each < most))))


def grow(layers: Sequence[list[Cached | None]], length: int, slots: int, capacity: int) -> int:
    """Make room for `slots` positions in all layers, in place; return the new capacity.

    length: committed positions, which are kept. If even the smallest capacity fails, the exception is raised
    and every layer still has its old content.
    """
    attempts = capacities(slots, capacity)
    for attempt in attempts:
        try:
            _resize(layers, length, attempt)
        except (MemoryError, RuntimeError) as error:
            if attempt == attempts[-1] or not is_out_of_memory(error):
                raise
        else:
            return attempt
    raise AssertionError("the last attempt returned or raised")


def _resize(layers: Sequence[list[Cached | None]], length: int, capacity: int) -> None:
    """Give every layer so much room; those that an attempt before has made larger get smaller first."""
    for tensors, layer in sorted(_places(layers), key=lambda place: -_size(place)):
        old = tensors[layer]
        if old is not None and old.shape[1] != capacity:
            tensors[layer] = _resized(old, length, capacity)


def _resized(old: Cached, length: int, capacity: int) -> Cached:
    shape = (old.shape[0], capacity, old.shape[2])
    if isinstance(old, CachedRows):
        held = old.new_zeros(shape)
        held.take(old, length)
        return held
    grown: Tensor = old.new_zeros(shape)
    grown[:, :length] = old[:, :length]
    return grown


def _places(layers: Sequence[list[Cached | None]]) -> Iterator[tuple[list[Cached | None], int]]:
    return ((tensors, layer) for tensors in layers for layer in range(len(tensors)))


def _size(place: tuple[list[Cached | None], int]) -> int:
    held = place[0][place[1]]
    return 0 if held is None else int(held.shape[1])
