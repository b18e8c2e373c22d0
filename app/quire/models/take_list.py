"""The takes of a text as a list shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from quire.domain.takes import TakeSummary

_WORDS_BEFORE = 5


@dataclass(frozen=True, slots=True)
class TakeLine:
    """One take. number: counted from 1 in its group. stands: it is what the text reads."""

    take_id: int
    number: int
    num_words: int
    opening: str
    stands: bool
    seeds: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TakeGroup:
    """The takes that begin at one place. after: the words before it, empty at the beginning of the text."""

    start: int
    after: str
    lines: tuple[TakeLine, ...]


def groups_of(takes: Sequence[TakeSummary], text: str) -> tuple[TakeGroup, ...]:
    """Return takes, ordered by where they begin in a text, in groups."""
    groups = []
    for start, found in groupby(takes, key=lambda take: take.start):
        lines = tuple(
            TakeLine(take.take_id, number, take.num_words, take.opening, take.stands, take.seeds)
            for number, take in enumerate(found, start=1)
        )
        groups.append(TakeGroup(start, " ".join(text[:start].split()[-_WORDS_BEFORE:]), lines))
    return tuple(groups)


def neighbour(groups: Sequence[TakeGroup], steps: int) -> int | None:
    """Return the take so many steps after the one that stands last, in a circle; None without others."""
    for group in reversed(groups):
        places = [place for place, line in enumerate(group.lines) if line.stands]
        if places and len(group.lines) > 1:
            return group.lines[(places[0] + steps) % len(group.lines)].take_id
    return None
