"""The takes of a text and their figures. Plain functions for a storage thread."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass, replace
from datetime import datetime

from quire.domain.drafting.take_metrics import Stretch, runs_in, stretch_of
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.takes import Take, Takes, TakeSummary
from quire.services.transactions import draft_chapters
from quire.storage.project_file import ProjectFile
from quire.storage.unit_of_work import UnitOfWork
from quire_engine.metrics.word_count import count_words

_OPENING_CHARS = 90
_AFTER_WORDS = 5
_AFTER_CHARS = 200

Counted = MutableMapping[tuple[int, datetime | None], tuple[int, str, tuple[int, ...]]]
"""Words, opening and runs of takes that were put aside, by number and when they were stored last."""


@dataclass(frozen=True, slots=True)
class TakeSource:
    """A text with a take in it, or from a snapshot, and the drafted parts of it from a place on.

    Attributes:
        document: with the chapters that continue a take, as one text.
        pages: where each text begins in it, and its number.
    """

    document: Document
    start: int
    stretches: tuple[Stretch, ...]
    pages: tuple[tuple[int, int], ...] = ()


def summaries(file: ProjectFile, document_id: int, known: Counted | None = None) -> tuple[TakeSummary, ...]:
    """Return every take of a document, by where it would begin, each followed by those inside it.

    Takes in an earlier text whose chapter this one is come first: they are alternatives to it, too.

    Args:
        known: a cache of counts, which is added to.
    """
    known = {} if known is None else known
    with file.reading() as unit:
        earlier = [
            reader.summary(take)
            for text_id in _earlier_texts(unit, document_id)
            if (reader := _Reader(unit, text_id, known)).reaches(document_id)
            for take in reader.in_order(reaching=document_id)
        ]
        reader = _Reader(unit, document_id, known)
        return (*earlier, *(reader.summary(take) for take in reader.in_order()))


def source_of_take(file: ProjectFile, take_id: int) -> TakeSource:
    """Return the text as it would read with a take in it, and how the take was drafted."""
    with file.reading() as unit:
        found = _with_take(unit, take_id)
        return replace(found, stretches=_stretches(unit, found.document, found.start))


def source_of_text(file: ProjectFile, document_id: int, start: int | None = None) -> TakeSource:
    """Return a document as it is, and how it was drafted; from a place on, with the chapters that continue
    it from there.
    """
    with file.reading() as unit:
        document = unit.manuscript.document(document_id)
        if start is None:
            return TakeSource(document, 0, _stretches(unit, document, 0), ((0, document_id),))
        start = min(start, len(document.text))
        last = unit.takes.of(document_id).last
        chapters = draft_chapters.following(unit, document, start, take=last)
        found = _with_chapters(unit, document, start, chapters)
        return replace(found, stretches=_stretches(unit, found.document, start))


def source_of_snapshot(file: ProjectFile, snapshot_id: int, document_id: int) -> TakeSource:
    """Return the document of a snapshot; KeyError when the snapshot only has other ones."""
    with file.reading() as unit:
        kept = unit.snapshots.document(snapshot_id, document_id)
        return TakeSource(kept, 0, _stretches(unit, kept, 0))


def words_of_snapshot(file: ProjectFile, snapshot_id: int, document_id: int) -> int:
    """Return how many words a text has in a snapshot; KeyError when the snapshot only has other ones."""
    with file.reading() as unit:
        return count_words(unit.snapshots.document(snapshot_id, document_id).text)


def _with_take(unit: UnitOfWork, take_id: int) -> TakeSource:
    """Return the text as it would read with a take in it, with its chapters, and where the take begins."""
    document_id = unit.takes.document_of(take_id)
    document, chain = unit.manuscript.document(document_id), unit.takes.of(document_id).chain(take_id)
    start, aside = 0, None
    for link in chain:
        start += link.place
        if not link.stands:
            text, aside = unit.takes.text(link.take_id), link
            document = document.part(0, start).followed_by(text.text, text.provenance)
    if aside is None:
        chapters = draft_chapters.following(unit, document, start, take=chain[-1])
    else:
        chapters = tuple(number for number, _ in unit.aside.of(aside.take_id))
    return _with_chapters(unit, document, start, chapters)


def _with_chapters(unit: UnitOfWork, document: Document, start: int, chapters: Iterable[int]) -> TakeSource:
    whole, pages = document, [(0, document.document_id)]
    for chapter in (unit.manuscript.document(number) for number in chapters):
        whole = draft_chapters.as_one((whole, chapter))
        pages.append((len(whole.text) - len(chapter.text), chapter.document_id))
    return TakeSource(whole, start, (), tuple(pages))


def _earlier_texts(unit: UnitOfWork, document_id: int) -> tuple[int, ...]:
    """Return the texts in which drafts began that went on into this one, in reading order."""
    found = set[int]()
    for run in unit.runs.all():
        if document_id in run.texts:
            found |= set(run.texts[: run.texts.index(document_id)])
    return tuple(one.node_id for one in unit.manuscript.tree().reading_order() if one.node_id in found)


def _stretches(unit: UnitOfWork, document: Document, start: int) -> tuple[Stretch, ...]:
    runs = {run.run_id: run for run in unit.runs.all() if run.started}
    wanted = [runs[run_id] for run_id in runs_in(document, start) if run_id in runs]
    return tuple(
        stretch_of(run, unit.runs.steps(run.run_id), unit.runs.text(run.run_id), document, start)
        for run in wanted
    )


class _Reader:
    """Reads the takes of one document; each text once."""

    def __init__(self, unit: UnitOfWork, document_id: int, known: Counted) -> None:
        self._unit, self._known = unit, known
        self._document = unit.manuscript.document(document_id)
        self._takes: Takes = unit.takes.of(document_id)
        self._seeds = {run.run_id: run.sampling.seed for run in unit.runs.all()}
        self._starts = {
            take.take_id: sum(link.place for link in self._takes.chain(take.take_id))
            for take in self._takes.all
        }
        self._texts: dict[int, Document] = {}
        self._reached: dict[int, tuple[int, ...]] = {}

    def reaches(self, document_id: int) -> bool:
        """Return whether a take that is in the text continues in another one."""
        return any(document_id in self._chapters(take) for take in self._takes.all)

    def in_order(self, reaching: int | None = None) -> tuple[Take, ...]:
        """Return the top-level takes by place, each followed by those that begin in it.

        Args:
            reaching: only takes that continue in this other text, their alternatives, and those in them.
        """
        by_parent: dict[int | None, list[Take]] = {}
        for take in self._takes.all:
            by_parent.setdefault(take.parent_id, []).append(take)
        if reaching is not None:
            chains = [
                self._takes.chain(one.take_id) for one in self._takes.all if reaching in self._chapters(one)
            ]
            places = {chain[0].place for chain in chains}
            by_parent[None] = [take for take in by_parent.get(None, []) if take.place in places]
        for found in by_parent.values():
            found.sort(key=lambda take: (take.place, take.take_id))
        order: list[Take] = []
        waiting = by_parent.get(None, [])[::-1]
        while waiting:
            order.append(waiting.pop())
            waiting += by_parent.get(order[-1].take_id, [])[::-1]
        return tuple(order)

    def summary(self, take: Take) -> TakeSummary:
        """Return the list entry of a take."""
        num_words, opening, run_ids = self._counted(take)
        chain = self._takes.chain(take.take_id)
        return TakeSummary(
            take.take_id,
            self._starts[take.take_id],
            take.stands and all(link.stands for link in chain),
            num_words,
            opening,
            tuple(dict.fromkeys(self._seeds[run_id] for run_id in run_ids if run_id in self._seeds)),
            take.parent_id,
            len(chain) - 1,
            self._after(take),
            take.title,
            self._takes.trashed(take.take_id),
            run_ids,
            take.document_id,
        )

    def _counted(self, take: Take) -> tuple[int, str, tuple[int, ...]]:
        key = None if take.stands else (take.take_id, take.updated)
        if key in self._known and key is not None:
            return self._known[key]
        text = self._text(take)
        found = count_words(text.text), _first_words(text.text), runs_in(text, 0)
        if key is not None:
            self._known[key] = found
        return found

    def _text(self, take: Take) -> Document:
        """Return the text of a take, from where it begins to its end."""
        if take.take_id not in self._texts:
            self._texts[take.take_id] = self._read(take)
        return self._texts[take.take_id]

    def _read(self, take: Take) -> Document:
        if not take.stands:
            text = self._unit.takes.text(take.take_id)
        elif take.parent_id is not None:  # whose chapters are its own
            parent = self._text(self._takes[take.parent_id])
            return parent.part(take.place, len(parent.text))
        else:
            text = self._document.part(take.place, len(self._document.text))
        chapters = self._chapters(take)
        return draft_chapters.as_one((text, *(self._unit.manuscript.document(one) for one in chapters)))

    def _chapters(self, take: Take) -> tuple[int, ...]:
        """Return the chapters that continue a take, in the book or aside with it."""
        if take.take_id not in self._reached:
            chain = self._takes.chain(take.take_id)
            if all(link.stands for link in chain):
                start = self._starts[take.take_id]
                found = draft_chapters.following(self._unit, self._document, start, take=take)
            else:
                found = tuple(number for number, _ in self._unit.aside.of(take.take_id))
            self._reached[take.take_id] = found
        return self._reached[take.take_id]

    def _after(self, take: Take) -> str:
        """Return the words before a take, which may come from its ancestors."""
        text, link = "", take
        while len(text) < _AFTER_CHARS:
            parent = None if link.parent_id is None else self._takes[link.parent_id]
            whole = self._document if parent is None else self._text(parent)
            text = whole.text[max(link.place - _AFTER_CHARS, 0) : link.place] + text
            if parent is None:
                break
            link = parent
        return " ".join(text.split()[-_AFTER_WORDS:])


def _first_words(text: str) -> str:
    words = text[: _OPENING_CHARS + 1].split()
    if len(text) > _OPENING_CHARS and not text[_OPENING_CHARS].isspace() and len(words) > 1:
        words.pop()  # half a word
    return " ".join(words) + ("…" if len(text) > _OPENING_CHARS else "")
