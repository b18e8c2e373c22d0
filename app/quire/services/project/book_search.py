"""Finds and replaces in all texts of a project: plain functions for a storage thread, and a controller."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from quire.domain.drafting.run import RunState
from quire.domain.manuscript.find_replace import (
    Change,
    Context,
    Match,
    Query,
    Replacement,
    check,
    context,
    edited_by,
    effective,
    matches,
    shortened,
)
from quire.domain.manuscript.manuscript import Document, cleaned, digest_of
from quire.domain.manuscript.project_records import Snapshot, SnapshotReason
from quire.domain.manuscript.takes import Takes
from quire.domain.manuscript.tree import Node
from quire.errors import WriterProblem
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:  # it imports SQLAlchemy, and the widgets for hits are there before that
    from quire.services.project.project_session import ProjectSession
    from quire.storage.project_file import ProjectFile
    from quire.storage.unit_of_work import UnitOfWork

MAX_HITS = 5_000
"""More than anybody reads; the search ends there."""
_TITLE_CHARS = 40

Progressed = Callable[[int, int], None]
"""Is told how many texts were searched, and how many there are."""


class StaleSearch(WriterProblem):
    """A text is no longer the one that was searched."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A match and its line."""

    match: Match
    context: Context


@dataclass(frozen=True, slots=True)
class TextHits:
    """The matches in one text; `digest` is that of the text that was searched."""

    document_id: int
    title: str
    digest: str
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class BookHits:
    """The matches text by text in reading order; `more`: there are more than MAX_HITS."""

    query: Query
    texts: tuple[TextHits, ...]
    more: bool = False

    @property
    def num_hits(self) -> int:
        """How many matches there are."""
        return sum(len(text.hits) for text in self.texts)


@dataclass(frozen=True, slots=True)
class ChosenMatches:
    """The matches of one text to replace; `digest` is that of the text they were found in."""

    document_id: int
    title: str
    digest: str
    matches: tuple[Match, ...]


@dataclass(frozen=True, slots=True)
class BookReplacement:
    """What to replace in the book, and with what; see `Replacement.of`."""

    query: Query
    replacement: str
    texts: tuple[ChosenMatches, ...]


@dataclass(frozen=True, slots=True)
class Replaced:
    """The result of a replacement.

    Attributes:
        documents: the changed ones.
        snapshot: the book before.
    """

    num_replaced: int
    documents: tuple[Document, ...]
    snapshot: Snapshot | None


def find_in_book(
    file: ProjectFile, query: Query, progressed: Progressed, is_stopped: Callable[[], bool]
) -> BookHits | None:
    """Search all texts, the book in reading order and then the notes; None when it was stopped."""
    check(query)
    found: list[TextHits] = []
    room = MAX_HITS + 1
    with file.reading() as unit:
        nodes = unit.manuscript.tree().texts()
        for number, node in enumerate(nodes):
            if is_stopped():
                return None
            progressed(number, len(nodes))
            document = unit.manuscript.document(node.node_id)
            if hits := _hits(document.text, query, room):
                found.append(TextHits(node.node_id, node.title, digest_of(document.text), hits))
                room -= len(hits)
            if room <= 0:
                break
        progressed(len(nodes), len(nodes))
    return BookHits(query, _without_the_last(found) if room <= 0 else tuple(found), more=room <= 0)


def replace_in_book(file: ProjectFile, order: BookReplacement) -> Replaced:
    """Replace matches in several texts, after a snapshot of them and the book; all of them or none.

    WriterProblem while a draft is written. StaleSearch when a text is no longer the one that was searched.
    """
    template = Replacement.of(cleaned(order.replacement), order.query)
    with file.unit() as unit:
        _refuse_while_drafting(unit)
        nodes = unit.manuscript.tree().texts()
        before, after = list[Document](), list[Document]()
        for text in order.texts:
            document = _unchanged(unit, nodes, text)
            wanted = (Change(match.start, match.end, template.for_match(match)) for match in text.matches)
            if real := effective(document.text, wanted):
                before.append(document)
                after.append(_replace(unit, document, real))
        num_replaced = sum(len(text.matches) for text in order.texts)
        if not after:
            return Replaced(num_replaced, (), None)
        snapshot = _keep(unit, nodes, before, order.query)
        for document in after:
            unit.manuscript.save(document)
        unit.commit()
    return Replaced(num_replaced, tuple(after), snapshot)


def replace_in_text(file: ProjectFile, document_id: int, digest: str, changes: Sequence[Change]) -> Document:
    """Store a replacement of several matches in the open text, so that the rest keeps its authors.

    StaleSearch when the stored text is another one.

    Args:
        digest: of the text before.
    """
    with file.unit() as unit:
        _refuse_while_drafting(unit)
        before = unit.manuscript.document(document_id)
        if digest_of(before.text) != digest:
            raise StaleSearch(_stale(before.title))
        document = _replace(unit, before, effective(before.text, changes))
        unit.manuscript.save(document)
        unit.commit()
    return document


class BookSearch:
    """Searches an open project on its reading thread, and replaces on the writing one.

    A new search does not wait for the one before.
    """

    def __init__(self, session: ProjectSession) -> None:
        self._session = session
        self._stopped = threading.Event()

    async def find(self, query: Query, progressed: Progressed) -> BookHits | None:
        """Search all texts; None when it was stopped. progressed: called on the event loop's thread."""
        self.stop()
        self._stopped = stopped = threading.Event()
        loop = asyncio.get_running_loop()

        def tell(done: int, total: int) -> None:
            loop.call_soon_threadsafe(_unless(stopped, progressed), done, total)

        try:
            return await self._session.read(find_in_book, query, tell, stopped.is_set)
        finally:
            stopped.set()  # a stopped search has no listener for its progress

    def stop(self) -> None:
        """Stop the running search, if there is one."""
        self._stopped.set()

    async def replace(self, order: BookReplacement) -> Replaced:
        """Replace in the book; the open text of the project is then as it is stored."""
        done: list[Replaced] = []

        def work(file: ProjectFile) -> Document:
            done.append(replace_in_book(file, order))
            now = self._session.document
            return next((text for text in done[0].documents if text.document_id == now.document_id), now)

        await self._session.change_text(work)
        return done[0]

    async def replace_here(self, digest: str, changes: Sequence[Change]) -> None:
        """Store a replacement in the open text; StaleSearch when it is not the text of this digest."""
        await self._session.change_text(replace_in_text, self._session.document_id, digest, changes)


def _unless(stopped: threading.Event, progressed: Progressed) -> Progressed:
    def tell(done: int, total: int) -> None:
        if not stopped.is_set():
            progressed(done, total)

    return tell


def _hits(text: str, query: Query, most: int) -> tuple[Hit, ...]:
    return tuple(Hit(match, context(text, match)) for match in matches(text, query, most=most))


def _without_the_last(found: Sequence[TextHits]) -> tuple[TextHits, ...]:
    """Return the matches without the one that only shows that there are more."""
    last = found[-1]
    if len(last.hits) == 1:
        return tuple(found[:-1])
    return (*found[:-1], TextHits(last.document_id, last.title, last.digest, last.hits[:-1]))


def _refuse_while_drafting(unit: UnitOfWork) -> None:
    if any(run.state is RunState.RUNNING for run in unit.runs.all()):
        raise WriterProblem("Pause the draft before replacing text.")


def _unchanged(unit: UnitOfWork, nodes: Sequence[Node], text: ChosenMatches) -> Document:
    if all(node.node_id != text.document_id for node in nodes):
        raise StaleSearch(
            "“{title}” is no longer in the project, so nothing was replaced. Search again.",
            title=shortened(text.title, _TITLE_CHARS),
        )
    document = unit.manuscript.document(text.document_id)
    if digest_of(document.text) != text.digest:
        raise StaleSearch(_stale(document.title))
    return document


def _stale(title: str) -> str:
    return UserMessage(
        "“{title}” has changed since the search, so nothing was replaced. Search again before replacing.",
        title=shortened(title, _TITLE_CHARS),
    )


def _replace(unit: UnitOfWork, document: Document, changes: Sequence[Change]) -> Document:
    """Return a text after changes, and store where its takes begin then."""
    takes = unit.takes.of(document.document_id)
    moved = {take.take_id: take for take in takes.all}
    for change in reversed(changes) if moved else ():
        length = change.end - change.start
        moved |= {
            take.take_id: take
            for take in Takes(moved.values()).after_edit(change.start, length, len(change.text))
        }
    for take in takes.all:
        if moved[take.take_id] != take:
            unit.takes.save(moved[take.take_id])
    return edited_by(document, changes)


def _keep(unit: UnitOfWork, nodes: Sequence[Node], changed: Sequence[Document], query: Query) -> Snapshot:
    """Take a snapshot of the book, and of notes that are about to change."""
    wanted = {document.document_id for document in changed}
    documents = [
        unit.manuscript.document(node.node_id)
        for node in nodes
        if node.kind.in_manuscript or node.node_id in wanted
    ]
    snapshot = Snapshot(
        unit.snapshots.next_id(),
        f"Before replacing “{shortened(query.text, _TITLE_CHARS)}”",
        SnapshotReason.BEFORE_REPLACE,
        datetime.now(UTC),
        tuple(document.document_id for document in documents),
    )
    unit.snapshots.take(snapshot, documents)
    return snapshot
