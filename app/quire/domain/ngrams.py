"""How far back every n-gram of a text stood last: Distinct-n, Echoes and loops all follow from it.

Nothing but exact integers is compared, so two different n-grams are never taken for one.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

ORDERS = (1, 2, 3, 4, 6)
"""Lengths of the n-grams that the measures of this package need."""
NEVER = 2**31 - 1
"""The gap of an n-gram that is new; larger than any text is long."""
_UNIT_BITS = 32
_FEW = 256


@dataclass(frozen=True, slots=True)
class _Order:
    """The n-grams of one length. mask: the bits of a key that hold one. last: where each ended last.

    gaps: by start, how far back it stood last.
    """

    length: int
    mask: int
    last: dict[int, int] = field(default_factory=dict[int, int])
    gaps: array[int] = field(default_factory=lambda: array("i"))


class NgramIndex:
    """Knows of every n-gram of a growing text where it stood last; each new unit costs the same."""

    def __init__(self, orders: Iterable[int] = ORDERS) -> None:
        lengths = sorted(set(orders))
        if not lengths or lengths[0] < 1:
            raise ValueError(f"orders must be 1 or more, got {lengths}")
        self._orders = {length: _Order(length, (1 << length * _UNIT_BITS) - 1) for length in lengths}
        self._longest = self._orders[lengths[-1]]
        self._numbers: dict[str, int] = {}
        self._units = array("I")
        self._key = 0

    def __len__(self) -> int:
        return len(self._units)

    @property
    def units(self) -> Sequence[int]:
        """A number for each unit, the same for the same unit; not to be changed."""
        return self._units

    def gaps(self, order: int) -> array[int]:
        """Return for each n-gram, by start, how far back it stood last, or NEVER; not to be changed."""
        return self._orders[order].gaps

    def num_different(self) -> Mapping[int, int]:
        """Return how many different n-grams of each length there are."""
        return {length: len(order.last) for length, order in self._orders.items()}

    def repeats(self, order: int, first: int, reach: int) -> list[int]:
        """Return which n-grams, by start and from first on, stood at most so far back before."""
        new = self._orders[order].gaps[first:]
        if len(new) < _FEW:  # numpy takes longer to begin
            return [place for place, gap in enumerate(new, start=first) if gap <= reach]
        return (np.flatnonzero(np.asarray(new) <= reach) + first).tolist()

    def add_all(self, units: Iterable[str]) -> None:
        """Take the next units."""
        numbers = self._numbers
        self._add([numbers.setdefault(unit, len(numbers)) for unit in units])

    def cut(self, num_units: int) -> None:
        """Forget all units but the first ones, as if they had never been there."""
        if not 0 <= num_units <= len(self._units):
            raise ValueError(f"cannot keep {num_units} of {len(self._units)} units")
        if num_units < len(self._units) // 2:
            self._begin_again(num_units)
            return
        for place in range(len(self._units) - 1, num_units - 1, -1):
            key = self._key_of(place + 1)
            for order in self._orders.values():
                if place + 1 >= order.length:
                    _forget(order, key & order.mask, place)
        del self._units[num_units:]
        self._key = self._key_of(num_units)

    def _begin_again(self, num_units: int) -> None:
        """Take the first units anew: less work than to take back all the others."""
        kept = self._units[:num_units]
        for order in self._orders.values():
            order.last.clear()
            del order.gaps[:]
        del self._units[:]
        self._key = 0
        self._add(kept)

    def _add(self, units: Sequence[int]) -> None:
        orders = tuple(self._orders.values())
        key, longest = self._key, self._longest.mask
        for place, unit in enumerate(units, start=len(self._units)):
            key = (key << _UNIT_BITS | unit) & longest
            for order in orders:
                if place + 1 < order.length:
                    break
                ngram = key & order.mask
                before = order.last.get(ngram)
                order.last[ngram] = place
                order.gaps.append(NEVER if before is None else place - before)
        self._units.extend(units)
        self._key = key

    def _key_of(self, end: int) -> int:
        """Return the last units before a place as one number."""
        key = 0
        for number in self._units[max(end - self._longest.length, 0) : end]:
            key = key << _UNIT_BITS | number
        return key


def _forget(order: _Order, ngram: int, place: int) -> None:
    gap = order.gaps.pop()
    if gap == NEVER:
        del order.last[ngram]
    else:
        order.last[ngram] = place - gap
