"""How far back each n-gram of a text last occurred: the basis of Distinct-n, echoes and loops.

Each n-gram is stored as one place in the text, in a table with linear probing. A hash selects the slot;
whether two n-grams are equal is always decided by their units, so that two different ones are never confused.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

ORDERS = (1, 2, 3, 4, 6)
"""Lengths of the n-grams that the measures of this package need."""
NEVER = 2**31 - 1
"""The gap of an n-gram that is new; larger than any text is long."""

_FEW = 256
"""Fewer values than that are quicker gone through one by one: numpy takes longer to begin."""
_SLOWER = 4
"""A unit that is taken alone costs about so many times what it costs when everything is sorted at once."""
_EMPTY, _GONE = -1, -2
"""What a slot holds that never held a place, and one whose place was taken back."""
_LEAST_BITS = 4
_HASH_BITS = 64
_HASH_MASK = 2**_HASH_BITS - 1
_FACTOR = 0x9E3779B97F4A7C15
"""Odd, so that no two hashes become one when they are multiplied; 2^64 over the golden ratio."""

_Places = npt.NDArray[np.int64]
_Hashes = npt.NDArray[np.uint64]


@dataclass(slots=True)
class _NgramOrder:
    """The n-grams of one length.

    Attributes:
        slots: for each different one the place of the last unit of its last occurrence, at or after the slot
            that the highest bits of its hash select; the last slot is always empty.
        num_used: slots that are not empty.
        gaps: by start, how far back it last occurred.
    """

    length: int
    bits: int = _LEAST_BITS
    slots: array[int] = field(default_factory=lambda: array("i", [_EMPTY]) * (2**_LEAST_BITS + 1))
    num_used: int = 0
    num_different: int = 0
    gaps: array[int] = field(default_factory=lambda: array("i"))


class NgramIndex:
    """The last occurrence of every n-gram of a growing text; each new unit is O(1)."""

    def __init__(self, orders: Iterable[int] = ORDERS) -> None:
        lengths = sorted(set(orders))
        if not lengths or lengths[0] < 1:
            raise ValueError(f"orders must be 1 or more, got {lengths}")
        self._orders = {length: _NgramOrder(length) for length in lengths}
        self._by_length = [self._orders.get(length) for length in range(1, lengths[-1] + 1)]
        self._numbers: dict[str, int] = {}
        self._units = array("i")

    def __len__(self) -> int:
        return len(self._units)

    @property
    def units(self) -> Sequence[int]:
        """A number for each unit, equal for equal units; read-only."""
        return self._units

    def gaps(self, order: int) -> array[int]:
        """Return for each n-gram, by start, how far back it last occurred, or NEVER; read-only."""
        return self._orders[order].gaps

    def num_different(self) -> Mapping[int, int]:
        """Return how many different n-grams of each length there are."""
        return {length: order.num_different for length, order in self._orders.items()}

    def repeats(self, order: int, first: int, reach: int) -> list[int]:
        """Return which n-grams, by start and from `first` on, last occurred at most a given distance back."""
        new = self._orders[order].gaps[first:]
        if len(new) < _FEW:
            return [place for place, gap in enumerate(new, start=first) if gap <= reach]
        return (np.flatnonzero(np.asarray(new) <= reach) + first).tolist()

    def add_all(self, units: Iterable[str]) -> None:
        """Append units."""
        numbers = self._numbers
        self._add(array("i", [numbers.setdefault(unit, len(numbers)) for unit in units]))

    def cut(self, num_units: int) -> None:
        """Forget all units but the first ones, as if the others had never been added."""
        if not 0 <= num_units <= len(self._units):
            raise ValueError(f"cannot keep {num_units} of {len(self._units)} units")
        if _is_many(len(self._units) - num_units, num_units):
            self._begin_again(num_units)
            return
        for place in range(len(self._units) - 1, num_units - 1, -1):
            for order, hashed in self._hashes_at(place):
                _forget(order, self._units, hashed, place)
        del self._units[num_units:]

    def _begin_again(self, num_units: int) -> None:
        """Add the first units again: cheaper than removing all the others."""
        kept = self._units[:num_units]
        del self._units[:]
        for order in self._orders.values():
            del order.gaps[:]
            _fill(order, np.empty(0, np.int64), np.empty(0, np.uint64))
        self._add(kept)

    def _add(self, units: array[int]) -> None:
        first = len(self._units)
        if _is_many(len(units), first):
            self._units.extend(units)
            for order in self._orders.values():
                _take_many(order, self._units, first)
            return
        for place, unit in enumerate(units, start=first):
            self._units.append(unit)
            for order, hashed in self._hashes_at(place):
                _take(order, self._units, hashed, place)

    def _hashes_at(self, place: int) -> Iterable[tuple[_NgramOrder, int]]:
        """Yield the orders with an n-gram that ends at a place, with the hash of that n-gram."""
        hashed, units = 0, self._units
        for start, order in zip(range(place, -1, -1), self._by_length, strict=False):
            hashed = (hashed ^ units[start]) * _FACTOR & _HASH_MASK
            if order is not None:
                yield order, hashed


def _is_many(num_units: int, num_before: int) -> bool:
    """Return whether it is cheaper to sort all these units again than to add them one by one."""
    return num_units >= _FEW and num_units * _SLOWER >= num_before


# ---------------------------------------------------------------- one n-gram
def _take(order: _NgramOrder, units: array[int], hashed: int, place: int) -> None:
    """Add the n-gram that ends at a place."""
    slot = _slot_of(order, units, hashed, place)
    before = order.slots[slot]
    order.slots[slot] = place
    if before != _EMPTY:
        order.gaps.append(place - before)
        return
    order.gaps.append(NEVER)
    order.num_different += 1
    order.num_used += 1
    if slot + 1 == len(order.slots):
        order.slots.append(_EMPTY)
    if 2 * order.num_used > 1 << order.bits:
        _take_many(order, units, len(units))


def _forget(order: _NgramOrder, units: array[int], hashed: int, place: int) -> None:
    """Remove the n-gram that ends at a place, the last one of all."""
    slot = _slot_of(order, units, hashed, place)
    gap = order.gaps.pop()
    if gap == NEVER:
        order.num_different -= 1
        order.slots[slot] = _GONE  # others may have been probed past it
    else:
        order.slots[slot] = place - gap


def _slot_of(order: _NgramOrder, units: array[int], hashed: int, place: int) -> int:
    """Return the slot of the n-gram that ends at a place, or the empty slot for it."""
    slots, reach = order.slots, order.length - 1
    ngram = units[place - reach : place + 1]
    slot = hashed >> (_HASH_BITS - order.bits)
    while (known := slots[slot]) != _EMPTY:
        if known >= 0 and units[known - reach : known + 1] == ngram:
            break
        slot += 1
    return slot


# ---------------------------------------------------------------- many n-grams at once
def _take_many(order: _NgramOrder, units: array[int], first: int) -> None:
    """Add every n-gram that ends at a unit from `first` on, and rebuild the table.

    Sorted by their hashes, equal ones are adjacent, each after its earlier occurrence.
    """
    numbers = np.array(units, dtype=np.int32)
    slots = np.array(order.slots, dtype=np.int64)
    new = np.arange(max(first, order.length - 1), len(units))
    places = np.concatenate((slots[slots >= 0], new))
    hashes = _hashes(numbers, places, order.length)
    by_hash = np.argsort(hashes, kind="stable")
    is_same = np.diff(hashes[by_hash]) == 0
    if not _same(numbers, places[by_hash], order.length)[is_same].all():  # two different ones share a hash
        by_hash = np.lexsort([numbers[places - back] for back in range(order.length)])
        is_same = _same(numbers, places[by_hash], order.length)
    at = places[by_hash]
    gaps = np.full(len(new), NEVER, np.int32)
    gaps[by_hash[1:][is_same] - (len(places) - len(new))] = np.diff(at)[is_same]
    order.gaps.frombytes(gaps.tobytes())
    is_last = np.append(~is_same, True)[: len(at)]
    _fill(order, at[is_last], hashes[by_hash][is_last])


def _fill(order: _NgramOrder, places: _Places, hashes: _Hashes) -> None:
    """Rebuild the table, at most half full; `places` are the last occurrences of different n-grams."""
    order.num_used = order.num_different = len(places)
    order.bits = max((2 * len(places)).bit_length(), _LEAST_BITS)
    homes = (hashes >> np.uint64(_HASH_BITS - order.bits)).astype(np.int64)
    by_home, numbers = np.argsort(homes, kind="stable"), np.arange(len(places))
    # each goes to its home slot or, where that is taken, right after the one before it
    found = np.maximum.accumulate(homes[by_home] - numbers) + numbers
    num_slots = max(1 << order.bits, int(found[-1]) + 1 if len(found) else 0)
    slots = np.full(num_slots + 1, _EMPTY, np.int32)
    slots[found] = places[by_home]
    order.slots = array("i", slots.tobytes())


def _hashes(numbers: npt.NDArray[np.int32], places: _Places, length: int) -> _Hashes:
    """Return the hashes of n-grams, by the places where they end, equal to those of `NgramIndex`."""
    hashes = np.zeros(len(places), np.uint64)
    for back in range(length):
        hashes = (hashes ^ numbers[places - back].astype(np.uint64)) * np.uint64(_FACTOR)
    return hashes


def _same(numbers: npt.NDArray[np.int32], places: _Places, length: int) -> npt.NDArray[np.bool_]:
    """Return for each n-gram but the first whether it equals the one before it, by the places where they
    end."""
    is_same = np.ones(max(len(places) - 1, 0), np.bool_)
    for back in range(length):
        is_same &= np.diff(numbers[places - back]) == 0
    return is_same
