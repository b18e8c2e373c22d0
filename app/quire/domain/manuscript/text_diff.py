"""How two texts differ, word by word."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import takewhile

_PIECE = re.compile(r"\w+(?:['\u2019-]\w+)*|\s+|[^\w\s]")
_WORD = re.compile(r"\w+(?:['\u2019-]\w+)*")
_MAX_PIECES = 20_000
"""Of longer stretches that differ it is only said that they do: comparing them would take minutes."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A stretch of one text and its counterpart in the other, in characters; equal where `same`."""

    same: bool
    left_start: int
    left_end: int
    right_start: int
    right_end: int


def differences(left: str, right: str) -> tuple[Difference, ...]:
    """Return the stretches of two texts in order; together they cover both texts, without a gap.

    Two consecutive stretches are never both the same, or both different.
    """
    lefts, rights = _PIECE.findall(left), _PIECE.findall(right)
    before = _num_equal(lefts, rights)
    after = min(_num_equal(lefts[::-1], rights[::-1]), len(lefts) - before, len(rights) - before)
    middle_left = lefts[before : len(lefts) - after]
    middle_right = rights[before : len(rights) - after]
    pieces = [(True, lefts[:before], rights[:before])]
    pieces += _compared(middle_left, middle_right)
    pieces += [(True, lefts[len(lefts) - after :], rights[len(rights) - after :])]
    return tuple(_placed(pieces))


def for_reading(left: str, right: str, found: Sequence[Difference]) -> tuple[Difference, ...]:
    """Return how two texts differ with fewer and larger stretches, for display.

    Two passages with nothing in common still share an "and the" here and there. What two differing stretches
    have between them counts as different, too, where both have more than twice its words; so do mere spaces
    and marks. A line end always separates stretches.
    """
    words = _Words(left, right)
    joined: list[Difference] = []
    for one in found:
        joined.append(one)
        while len(joined) > 2 and words.is_chance(*joined[-3:]):
            first, _, last = joined[-3:]
            joined[-3:] = [
                Difference(False, first.left_start, last.left_end, first.right_start, last.right_end)
            ]
    return tuple(joined)


class _Words:
    """Where the words of two texts begin, so that the words of any stretch are counted at once."""

    def __init__(self, left: str, right: str) -> None:
        self._left = left
        self._starts = tuple([word.start() for word in _WORD.finditer(text)] for text in (left, right))

    def is_chance(self, before: Difference, between: Difference, after: Difference) -> bool:
        """Return whether the common text between two differing stretches is a coincidence."""
        if before.same or not between.same or after.same:
            return False
        shared = self._count(between)
        is_little = shared == 0 or 2 * shared < min(self._count(before), self._count(after))
        return is_little and "\n" not in self._left[between.left_start : between.left_end]

    def _count(self, one: Difference) -> int:
        """Return how many words begin in a stretch, on the longer side."""
        spans = (one.left_start, one.left_end), (one.right_start, one.right_end)
        return max(
            bisect_left(starts, end) - bisect_left(starts, start)
            for starts, (start, end) in zip(self._starts, spans, strict=True)
        )


_Pieces = tuple[bool, list[str], list[str]]


def _num_equal(lefts: list[str], rights: list[str]) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(lefts, rights, strict=False)))


def _compared(lefts: list[str], rights: list[str]) -> Iterator[_Pieces]:
    if max(len(lefts), len(rights)) > _MAX_PIECES:
        yield False, lefts, rights
        return
    for kind, left_start, left_end, right_start, right_end in SequenceMatcher(
        None, lefts, rights, autojunk=len(lefts) > 2_000
    ).get_opcodes():
        yield kind == "equal", lefts[left_start:left_end], rights[right_start:right_end]


def _placed(pieces: list[_Pieces]) -> Iterator[Difference]:
    """Convert words to places, joining stretches of a kind and leaving out empty ones."""
    waiting: Difference | None = None
    left = right = 0
    for same, lefts, rights in pieces:
        if not lefts and not rights:
            continue
        left_end, right_end = left + sum(map(len, lefts)), right + sum(map(len, rights))
        if waiting is not None and waiting.same == same:
            waiting = Difference(same, waiting.left_start, left_end, waiting.right_start, right_end)
        else:
            if waiting is not None:
                yield waiting
            waiting = Difference(same, left, left_end, right, right_end)
        left, right = left_end, right_end
    if waiting is not None:
        yield waiting
