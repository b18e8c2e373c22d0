"""The takes of a text as they are listed: grouped by their start, with nested takes after their parent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby

from quire.domain.manuscript.takes import KEPT_DAYS, TakeSummary


@dataclass(frozen=True, slots=True)
class TakeLine:
    """One take.

    Attributes:
        take_id: its number in the project.
        number: its number among those with the same start, from 1.
        num_words: its length.
        opening: its first words.
        stands: whether it is part of the current text.
        seeds: the seeds of its runs.
        title: the name given by the writer.
        depth: how many takes contain it.
        days_left: until it is deleted; None unless it is in the trash.
        has_run: whether a model wrote in it.
    """

    take_id: int
    number: int
    num_words: int
    opening: str
    stands: bool
    seeds: tuple[int, ...] = ()
    title: str = ""
    depth: int = 0
    days_left: int | None = None
    has_run: bool = False


@dataclass(frozen=True, slots=True)
class TakeGroup:
    """The takes with the same start.

    Attributes:
        start: where they begin.
        after: the words before them, empty at the beginning of the text.
        lines: the takes, each followed by the takes nested in it.
        depth: how many takes contain the start.
    """

    start: int
    after: str
    lines: tuple[TakeLine | TakeGroup, ...]
    depth: int = 0


def groups_of(takes: Sequence[TakeSummary], now: datetime | None = None) -> tuple[TakeGroup, ...]:
    """Return the takes that are not in the trash, in nested groups."""
    by_parent: dict[int | None, list[TakeSummary]] = {}
    for take in takes:
        by_parent.setdefault(take.parent_id, []).append(take)
    return tuple(_groups(by_parent, None, now or datetime.now(UTC)))


def trashed_lines(takes: Sequence[TakeSummary], now: datetime | None = None) -> tuple[TakeLine, ...]:
    """Return the takes in the trash with those nested in them, the last deleted first."""
    now = now or datetime.now(UTC)
    by_id = {take.take_id: take for take in takes}
    found = []
    for take in takes:
        parent = None if take.parent_id is None else by_id.get(take.parent_id)
        if take.trashed is not None and (parent is None or parent.trashed is None):
            found.append((take.trashed, _line(take, _number_of(take, takes), now)))
    return tuple(line for _, line in sorted(found, key=lambda one: one[0], reverse=True))


def lines_in(groups: Sequence[TakeGroup]) -> Iterator[TakeLine]:
    """Yield every take of groups in the order of the list."""
    for group in groups:
        for line in group.lines:
            if isinstance(line, TakeLine):
                yield line
            else:
                yield from lines_in((line,))


def neighbour(takes: Sequence[TakeSummary], steps: int) -> int | None:
    """Return the take a number of steps after the last current one, in a circle; None without others."""
    others, place = _last_alternatives(takes)
    return others[(place + steps) % len(others)] if others else None


def place_among(takes: Sequence[TakeSummary]) -> tuple[int, int]:
    """Return the number of the last current take, from 1, and of how many it is one."""
    others, place = _last_alternatives(takes)
    return (place + 1, len(others)) if others else (1, 1)


def _last_alternatives(takes: Sequence[TakeSummary]) -> tuple[list[int], int]:
    """Return the takes that can stand in place of the last one that has alternatives, and its place there."""
    texts = list(dict.fromkeys(take.document_id for take in takes))
    standing = sorted(
        (take for take in takes if take.stands),
        key=lambda take: (texts.index(take.document_id), take.depth, take.start),
        reverse=True,
    )
    for last in standing:
        others = [take.take_id for take in takes if _place(take) == _place(last) and take.trashed is None]
        if len(others) > 1:
            return others, others.index(last.take_id)
    return [], 0


def _groups(
    by_parent: dict[int | None, list[TakeSummary]], parent_id: int | None, now: datetime
) -> Iterator[TakeGroup]:
    for (_, _, start), found in groupby(by_parent.get(parent_id, ()), key=_place):
        lines: list[TakeLine | TakeGroup] = []
        siblings = list(found)
        for number, take in enumerate(siblings, start=1):
            if take.trashed is None:
                lines.append(_line(take, number, now))
                lines += _groups(by_parent, take.take_id, now)
        if lines:
            yield TakeGroup(start, siblings[0].after, tuple(lines), siblings[0].depth)


def _line(take: TakeSummary, number: int, now: datetime) -> TakeLine:
    days_left = None if take.trashed is None else max(KEPT_DAYS - (now - take.trashed).days, 0)
    return TakeLine(
        take.take_id,
        number,
        take.num_words,
        take.opening,
        take.stands,
        take.seeds,
        take.title,
        take.depth,
        days_left,
        bool(take.run_ids),
    )


def _number_of(take: TakeSummary, takes: Sequence[TakeSummary]) -> int:
    siblings = [one.take_id for one in takes if _place(one) == _place(take)]
    return siblings.index(take.take_id) + 1


def _place(take: TakeSummary) -> tuple[int, int | None, int]:
    """Return where a take begins, which it has in common with its alternatives."""
    return take.document_id, take.parent_id, take.start
