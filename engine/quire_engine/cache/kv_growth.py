"""Room for more positions: twice as many, or where memory does not give that, as many as are needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from torch import Tensor

from quire_engine.api.errors import is_out_of_memory
from quire_engine.cache.kv_formats import Cached, CachedRows

SPARE = 64
"""Positions beyond those that are needed, when memory gives no more; without them every pass would grow."""


def capacities(slots: int, capacity: int) -> tuple[int, ...]:
    """Return the capacities to try for `slots` positions, the largest first.

    Twice as many as before costs O(1) copies per token; an eighth more is what a text can live with whose
    memory is nearly used up; the last one is what is needed and a little.
    """
    most = max(slots, 2 * capacity)
    smaller = (max(slots + SPARE, capacity + capacity // 8), slots + SPARE)
    return tuple(dict.fromkeys((most, *(each for each in smaller if each < most))))


def grow(layers: Sequence[list[Cached | None]], length: int, slots: int, capacity: int) -> int:
    """Make room for `slots` positions in all layers, in place; return the new capacity.

    length: positions that are committed, and kept. What memory does not give at all is raised as it comes;
    then every layer has room for what it held before.
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
