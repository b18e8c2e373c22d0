"""Alternative continuations of a document, identified by where they begin."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

KEPT_DAYS = 30
"""How long a take lies in the trash."""


@dataclass(frozen=True, slots=True)
class Take:
    """Everything in a document from one place on, as it was written once.

    Attributes:
        parent_id: the take in whose text it begins; None: it begins in the text that has no take.
        place: characters of the parent's text before it.
        stands: whether its text is part of its parent's text; of takes of one parent that begin at one place
            at most one is.
        trashed: when it was moved to the trash, in UTC.
        damaged: its record is not as it was stored, so its place may be wrong.
    """

    take_id: int
    document_id: int
    parent_id: int | None
    place: int
    stands: bool
    title: str = ""
    created: datetime | None = None
    updated: datetime | None = None
    trashed: datetime | None = None
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class TakeSummary:
    """One entry in a list of takes.

    Attributes:
        start: characters of the document before it as it would read with the take in it.
        opening: its first words.
        seeds, run_ids: of the runs whose words it has, in order.
        parent_id: the take that it begins in.
        depth: how many takes contain it.
        after: the words before it.
        trashed: when it, or a take that contains it, was moved to the trash.
        document_id: the text that it begins in.
    """

    take_id: int
    start: int
    stands: bool
    num_words: int
    opening: str
    seeds: tuple[int, ...] = ()
    parent_id: int | None = None
    depth: int = 0
    after: str = ""
    title: str = ""
    trashed: datetime | None = None
    run_ids: tuple[int, ...] = ()
    document_id: int = 0


class Takes:
    """The takes of one document; ValueError when one has a missing parent, or is its own ancestor."""

    def __init__(self, takes: Iterable[Take]) -> None:
        self._takes = {take.take_id: take for take in takes}
        for take in self._takes.values():
            seen = set[int]()
            while take.parent_id is not None:
                if take.parent_id not in self._takes or take.take_id in seen:
                    raise ValueError(f"take {take.take_id} lies in no take of its document")
                seen.add(take.take_id)
                take = self._takes[take.parent_id]

    @property
    def all(self) -> tuple[Take, ...]:
        """Every take, the oldest first."""
        return tuple(self._takes[take_id] for take_id in sorted(self._takes))

    def __getitem__(self, take_id: int) -> Take:
        return self._takes[take_id]

    def chain(self, take_id: int) -> tuple[Take, ...]:
        """Return a take preceded by all its ancestors, the outermost first."""
        chain = [self._takes[take_id]]
        while (parent_id := chain[-1].parent_id) is not None:
            chain.append(self._takes[parent_id])
        return tuple(reversed(chain))

    def standing(self) -> Mapping[int, int]:
        """Return where in the document each take begins whose ancestors are all in the text, by number.

        Those that are not in the text themselves have only a place where they would begin.
        """
        starts: dict[int, int] = {}
        for take in self._takes.values():
            chain = self.chain(take.take_id)
            if all(parent.stands for parent in chain[:-1]):
                starts[take.take_id] = sum(link.place for link in chain)
        return starts

    def trashed(self, take_id: int) -> datetime | None:
        """Return when a take, or its innermost trashed ancestor, was moved to the trash; None when none
        was."""
        return next((link.trashed for link in reversed(self.chain(take_id)) if link.trashed), None)

    @property
    def last(self) -> Take | None:
        """The take that the document ends with; None when its end belongs to none."""
        standing = [self._takes[take_id] for take_id in self.standing() if self._takes[take_id].stands]
        return max(standing, key=lambda take: len(self.chain(take.take_id)), default=None)

    def innermost(self, place: int) -> tuple[int | None, int]:
        """Return the take in the text at a place of the document, and where that take begins.

        A place where a take begins belongs to the take's parent.
        """
        best: tuple[int | None, int] = (None, 0)
        for take_id, start in self.standing().items():
            deeper = len(self.chain(take_id)) > (0 if best[0] is None else len(self.chain(best[0])))
            if self._takes[take_id].stands and start < place and deeper:
                best = (take_id, start)
        return best

    def beginning_at(self, parent_id: int | None, place: int) -> tuple[Take, ...]:
        """Return the takes of a parent that begin at one place of it, the oldest first."""
        return tuple(take for take in self.all if (take.parent_id, take.place) == (parent_id, place))

    def after_edit(self, start: int, removed: int, inserted: int) -> tuple[Take, ...]:
        """Return the takes whose start moves after a change of the document's text.

        The characters from start to start + removed were replaced by `inserted` new ones. A take that began
        in the removed text begins where it was.
        """
        starts = self.standing()
        moved = {take_id: _moved(place, start, removed, inserted) for take_id, place in starts.items()}
        changed = []
        for take_id in starts:
            take = self._takes[take_id]
            place = moved[take_id] - (0 if take.parent_id is None else moved[take.parent_id])
            if place != take.place:
                changed.append(replace(take, place=place))
        return tuple(changed)


def _moved(place: int, start: int, removed: int, inserted: int) -> int:
    if place <= start:
        return place
    if place >= start + removed:
        return place + inserted - removed
    return start


# ------------------------------------------------------------ of a text that is split or merged
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
    """Divide the takes of a text that is split at a place, where a second document begins.

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
