"""Changes of takes and snapshots. Plain functions for a storage thread."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from quire.domain.drafting.take_metrics import runs_in
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.paragraph_merge import ParagraphCopy
from quire.domain.manuscript.project_records import Snapshot, SnapshotReason
from quire.domain.manuscript.takes import KEPT_DAYS, Take, Takes
from quire.domain.manuscript.tree import Tree
from quire.errors import WriterProblem
from quire.services.transactions import draft_chapters, project_text, tree_changes
from quire.storage.project_file import ProjectFile
from quire.storage.unit_of_work import UnitOfWork
from quire_engine.api.user_message import UserMessage

MAX_TITLE_CHARS = 80
_TAKE_DAMAGED = UserMessage(
    "The record of this take is damaged, so its place in the text is not known. The text was not changed; "
    "restore a backup to get the take back."
)
MAX_AUTOMATIC_SNAPSHOTS = 50
"""Of those that Quire takes by itself the newest are kept, and of older ones one for each day."""


@dataclass(frozen=True, slots=True)
class Branched:
    """A document after its text was cut for another continuation, and the take that begins there.

    Attributes:
        tree: the book then; chapters that continued what was cut are no longer in it.
    """

    document: Document
    take: Take
    tree: Tree


@dataclass(frozen=True, slots=True)
class TakeChosen:
    """The text that a take begins in, with the take in it; `tree` is the book then, with its chapters."""

    document: Document
    tree: Tree


def takes_of(file: ProjectFile, document_id: int) -> Takes:
    """Return the takes of a document."""
    with file.reading() as unit:
        return unit.takes.of(document_id)


def branch(file: ProjectFile, document_id: int, place: int) -> Branched:
    """Put aside everything from a place on, as a take, and begin a new take there.

    Chapters in which a draft continued from there belong to the take that is put aside.

    Args:
        place: in characters of the document, from 0 to its length.
    """
    with file.unit() as unit:
        document = unit.manuscript.document(document_id)
        if not 0 <= place <= len(document.text):
            raise ValueError(f"a take cannot begin at {place} of {len(document.text)} characters")
        last = document.provenance.spans[-1:] if place == len(document.text) else ()
        branched = branch_in(unit, document, place, [span.run_id for span in last])
        unit.commit()
    return branched


def branch_in(unit: UnitOfWork, document: Document, place: int, run_ids: Collection[int] = ()) -> Branched:
    """Do that within a transaction; `run_ids` wrote there, if only into later chapters."""
    takes = unit.takes.of(document.document_id)
    parent_id, start = takes.innermost(place)
    empty = next((one for one in takes.beginning_at(parent_id, place - start) if one.stands), None)
    if (
        empty is not None
        and place == len(document.text)
        and not draft_chapters.following(unit, document, place, run_ids, empty)
    ):
        return Branched(document, empty, unit.manuscript.tree())
    document, _ = put_aside(unit, document, parent_id, place - start, place, run_ids)
    take = Take(unit.takes.next_id(), document.document_id, parent_id, place - start, stands=True)
    unit.takes.save(take)
    unit.manuscript.save(document)
    return Branched(document, take, unit.manuscript.tree())


def choose(file: ProjectFile, take_id: int) -> TakeChosen:
    """Put a take into its text; what was in its place is put aside, with the chapters that continued it."""
    with file.unit() as unit:
        chosen = choose_in(unit, take_id)
        unit.commit()
    return chosen


def choose_in(unit: UnitOfWork, take_id: int) -> TakeChosen:
    """Do that within a transaction."""
    document = unit.manuscript.document(unit.takes.document_of(take_id))
    start = 0
    for link in unit.takes.of(document.document_id).chain(take_id):
        if link.damaged:
            raise WriterProblem(_TAKE_DAMAGED)
        start += link.place
        if not link.stands:
            document, _ = put_aside(unit, document, link.parent_id, link.place, start)
            text = unit.takes.text(link.take_id)
            document = document.followed_by(text.text, text.provenance)
            unit.takes.save(replace(link, stands=True, trashed=None))
            unit.manuscript.save(document)
            draft_chapters.bring_back(unit, link.take_id, document.document_id)
    return TakeChosen(document, unit.manuscript.tree())


def rename(file: ProjectFile, take_id: int, title: str) -> None:
    """Give a take a name; empty: none."""
    with file.unit() as unit:
        take = _take(unit, take_id)
        unit.takes.save(replace(take, title=" ".join(title.split())[:MAX_TITLE_CHARS]))
        unit.commit()


def put_in_trash(file: ProjectFile, take_id: int) -> None:
    """Move a take that is not in the text to the trash, with everything in it; it is kept for 30 days."""
    with file.unit() as unit:
        takes = unit.takes.of(unit.takes.document_of(take_id))
        if all(link.stands for link in takes.chain(take_id)):
            raise WriterProblem("This take is in the text. Use another one in its place first.")
        if takes[take_id].stands:
            raise WriterProblem("This take belongs to a larger take. Move that one to the trash.")
        unit.takes.save(replace(takes[take_id], trashed=datetime.now(UTC)))
        unit.commit()


def take_from_trash(file: ProjectFile, take_id: int) -> None:
    """Restore a take from the trash, with its ancestors."""
    with file.unit() as unit:
        for link in unit.takes.of(unit.takes.document_of(take_id)).chain(take_id):
            if link.trashed is not None:
                unit.takes.save(replace(link, trashed=None))
        unit.commit()


def tidy_trash(file: ProjectFile) -> None:
    """Delete the takes that have been in the trash for 30 days."""
    oldest = datetime.now(UTC) - timedelta(days=KEPT_DAYS)
    with file.unit() as unit:
        doomed = set[int]()
        for node in unit.manuscript.tree().nodes:
            if node.kind.has_text:
                doomed |= {
                    take.take_id
                    for take in _in_trash(unit, node.node_id)
                    if take.trashed is not None and take.trashed < oldest
                }
        if doomed:
            _delete(unit, doomed)
            unit.commit()


def delete_for_good(
    file: ProjectFile, document_id: int, take_ids: Collection[int] | None = None
) -> tuple[int, ...]:
    """Delete takes in the trash of a document, with everything in them; None: all of them.

    Returns the runs that were deleted with them; a run whose words are needed elsewhere is kept.
    """
    with file.unit() as unit:
        doomed = {take.take_id for take in _in_trash(unit, document_id)}
        if take_ids is not None:
            doomed &= set(take_ids)
        if not doomed:
            return ()
        before = {run.run_id for run in unit.runs.all()}
        _delete(unit, doomed)
        gone = before - {run.run_id for run in unit.runs.all()}
        unit.commit()
    return tuple(sorted(gone))


def _in_trash(unit: UnitOfWork, document_id: int) -> list[Take]:
    """Return the takes of a document that were moved to the trash themselves, not with another one."""
    takes = unit.takes.of(document_id).all
    return [take for take in takes if take.trashed is not None and not take.stands]


def _delete(unit: UnitOfWork, doomed: Collection[int]) -> None:
    """Delete takes and everything in them, except runs whose words are needed in any text."""
    tree = unit.manuscript.tree()
    known = {node.node_id: unit.takes.of(node.node_id) for node in tree.nodes if node.kind.has_text}
    lost = [
        take
        for takes in known.values()
        for take in takes.all
        if any(link.take_id in doomed for link in takes.chain(take.take_id))
    ]
    chapters, lost_ids = draft_chapters.gone_with(unit, lost), {take.take_id for take in lost}
    kept = list[Document]()
    for number in known.keys() - set(chapters):
        kept.append(unit.manuscript.document(number))
        aside = [take.take_id for take in known[number].all if not take.stands]
        kept += [unit.takes.text(take_id) for take_id in aside if take_id not in lost_ids]
    needed = {run_id for text in kept for run_id in runs_in(text, 0)}
    for run in unit.runs.all():
        if run.take_id in lost_ids and run.run_id in needed:
            unit.runs.save(replace(run, take_id=None))
    unit.takes.purge(doomed)
    tree_changes.delete_texts(unit, tree, chapters)
    for take in lost:
        unit.aside.put(take.take_id, ())


def credit(file: ProjectFile, document_id: int, copied: ParagraphCopy, source: Document) -> Document:
    """Store who wrote a paragraph that was copied from another text; nothing if it is no longer there.

    Args:
        copied: as it was copied into the document, which has it already.
    """
    with file.unit() as unit:
        document = unit.manuscript.document(document_id)
        start = copied.start + copied.body_at
        end = start + copied.source_end - copied.source
        if document.text[start:end] != source.text[copied.source : copied.source_end]:
            return document
        origin, whole = source.provenance.part(copied.source, copied.source_end), document.provenance
        provenance = whole.part(0, start) + origin + whole.part(end, whole.num_chars)
        document = replace(document, provenance=provenance)
        unit.manuscript.save(document)
        unit.commit()
    return document


def keep_snapshot(file: ProjectFile, title: str, reason: SnapshotReason) -> Snapshot:
    """Take a snapshot of every text of the book."""
    with file.unit() as unit:
        order = unit.manuscript.tree().reading_order()
        documents = [unit.manuscript.document(node.node_id) for node in order]
        snapshot = Snapshot(
            unit.snapshots.next_id(),
            title,
            reason,
            datetime.now(UTC),
            tuple(document.document_id for document in documents),
        )
        unit.snapshots.take(snapshot, documents)
        unit.commit()
    return snapshot


def snapshots(file: ProjectFile) -> tuple[Snapshot, ...]:
    """Return every snapshot, the newest first."""
    with file.reading() as unit:
        return unit.snapshots.all()


def restore_text(file: ProjectFile, snapshot_id: int, document_id: int) -> Document:
    """Restore a document's text from a snapshot; the current text is kept in another one."""
    with file.unit() as unit:
        now = unit.manuscript.document(document_id)
        kept = unit.snapshots.document(snapshot_id, document_id)
        before = Snapshot(
            unit.snapshots.next_id(), "Before restoring", SnapshotReason.BEFORE_RESTORE, datetime.now(UTC)
        )
        unit.snapshots.take(before, [now])
        document = replace(kept, document_id=document_id, title=now.title)
        project_text.replace_text(unit, now, document)
        unit.commit()
    return document


def thin_snapshots(file: ProjectFile) -> None:
    """Remove automatic snapshots that are no longer needed."""
    with file.unit() as unit:
        if doomed := superfluous(unit.snapshots.all()):
            unit.snapshots.remove(doomed)
            unit.commit()


def superfluous(snapshots: tuple[Snapshot, ...]) -> set[int]:
    """Return which of the snapshots, the newest first, are automatic and no longer needed."""
    automatic = [snapshot for snapshot in snapshots if snapshot.reason.is_automatic]
    doomed, days = set[int](), set[object]()
    for snapshot in automatic[MAX_AUTOMATIC_SNAPSHOTS:]:
        day = (snapshot.created.date(), snapshot.document_ids)
        if day in days:
            doomed.add(snapshot.snapshot_id)
        days.add(day)
    return doomed


def put_aside(
    unit: UnitOfWork,
    document: Document,
    parent_id: int | None,
    place: int,
    start: int,
    run_ids: Collection[int] = (),
) -> tuple[Document, int | None]:
    """Cut a document at a place, in its own characters `start`; keep the rest, and the chapters that
    continue it, as a take, and return that.

    Takes of the same parent that begin further on are in that text, and from now on in that take.

    Args:
        run_ids: runs that wrote there, if only into later chapters.
    """
    takes = unit.takes.of(document.document_id)
    standing = next((take for take in takes.beginning_at(parent_id, place) if take.stands), None)
    rest = document.part(start, len(document.text))
    chapters = draft_chapters.following(unit, document, start, run_ids, standing)
    if standing is None and not rest.text and not chapters:
        return document, None
    if standing is None:
        standing = Take(unit.takes.next_id(), document.document_id, parent_id, place, stands=False)
        unit.takes.put_aside(standing, rest)
        for take in takes.all:
            if take.parent_id == parent_id and take.place > place:
                unit.takes.save(replace(take, parent_id=standing.take_id, place=take.place - place))
    else:
        unit.takes.put_aside(replace(standing, stands=False), rest)
    if chapters:
        draft_chapters.put_aside(unit, standing.take_id, document.document_id, chapters)
    return document.part(0, start), standing.take_id


def _take(unit: UnitOfWork, take_id: int) -> Take:
    return unit.takes.of(unit.takes.document_of(take_id))[take_id]
