"""What happens to the takes of a text that is split or merged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from quire.domain.manuscript.takes import Take, Takes


@dataclass(frozen=True, slots=True)
class SplitTakes:
    """The takes of a text that was split.

    Attributes:
        gone: those that begin in the second half, with their places there.
        reaching: put aside and beginning before it, so they stay, though their text overlaps the second half.
    """

    gone: tuple[Take, ...]
    reaching: tuple[Take, ...]


def split_takes(takes: Takes, place: int, new_id: int) -> SplitTakes:
    """Return what happens to the takes of a text that is split at a place, where a second document begins.

    A take that begins right at the place begins the second half.
    """
    starts = takes.standing()
    gone: list[Take] = []
    for take_id, start in starts.items():
        take = takes[take_id]
        if start < place:
            continue
        if take.parent_id is None or starts[take.parent_id] < place:
            # its parent ends at the place, so here it begins in the text that has no take
            gone.append(replace(take, document_id=new_id, parent_id=None, place=start - place))
        else:
            gone.append(replace(take, document_id=new_id))
    gone_ids = {take.take_id for take in gone}
    hidden = [take for take in takes.all if take.take_id not in starts]
    gone += [replace(take, document_id=new_id) for take in hidden if _lies_in(takes, take, gone_ids)]
    gone_ids = {take.take_id for take in gone}
    stays = [take for take in takes.all if take.take_id not in gone_ids]
    return SplitTakes(tuple(gone), tuple(take for take in stays if not take.stands))


def merged_takes(takes: Takes, into: Takes, into_id: int, offset: int) -> tuple[Take, ...]:
    """Return the takes of a text as they are after it was appended to another one of `offset` characters.

    The take that the first one ends with extends to the end of both; what begins in the second begins in it.
    """
    last = into.last
    start = 0 if last is None else into.standing()[last.take_id]
    parent_id = None if last is None else last.take_id
    return tuple(_in_text(takes, into_id, parent_id, offset - start))


def _in_text(takes: Takes, into_id: int, parent_id: int | None, offset: int) -> Iterator[Take]:
    for take in takes.all:
        if take.parent_id is None:
            yield replace(take, document_id=into_id, parent_id=parent_id, place=take.place + offset)
        else:
            yield replace(take, document_id=into_id)


def _lies_in(takes: Takes, take: Take, outer_ids: set[int]) -> bool:
    return any(link.take_id in outer_ids for link in takes.chain(take.take_id))
