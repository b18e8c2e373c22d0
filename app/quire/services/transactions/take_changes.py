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
from quire.errors import WriterProblem
from quire.services.transactions import project_text
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
    """A document after its text was cut for another continuation, and the take that begins there."""

    document: Document
    take: Take


def takes_of(file: ProjectFile, document_id: int) -> Takes:
    """Return the takes of a document."""
    with file.reading() as unit:
        return unit.takes.of(document_id)


def branch(file: ProjectFile, document_id: int, place: int) -> Branched:
    """Put aside everything from a place on, as a take, and begin a new take there.

    Args:
        place: in characters of the document, from 0 to its length.
    """
    with file.unit() as unit:
        document = unit.manuscript.document(document_id)
        if not 0 <= place <= len(document.text):
            raise ValueError(f"a take cannot begin at {place} of {len(document.text)} characters")
        takes = unit.takes.of(document_id)
        parent_id, start = takes.innermost(place)
        siblings = takes.beginning_at(parent_id, place - start)
        if place == len(document.text) and (empty := next((t for t in siblings if t.stands), None)):
            return Branched(document, empty)
        document = put_aside(unit, document, parent_id, place - start, place)
        take = Take(unit.takes.next_id(), document_id, parent_id, place - start, stands=True)
        unit.takes.save(take)
        unit.manuscript.save(document)
        unit.commit()
    return Branched(document, take)


def choose(file: ProjectFile, take_id: int, document_id: int) -> Document:
    """Put a take into the document's text; what was in its place is put aside."""
    with file.unit() as unit:
        document = unit.manuscript.document(document_id)
        start = 0
        for link in unit.takes.of(document_id).chain(take_id):
            if link.damaged:
                raise WriterProblem(_TAKE_DAMAGED)
            start += link.place
            if not link.stands:
                document = put_aside(unit, document, link.parent_id, link.place, start)
                text = unit.takes.text(link.take_id)
                document = document.followed_by(text.text, text.provenance)
                unit.takes.save(replace(link, stands=True, trashed=None))
        unit.manuscript.save(document)
        unit.commit()
    return document


def rename(file: ProjectFile, take_id: int, document_id: int, title: str) -> None:
    """Give a take a name; empty: none."""
    with file.unit() as unit:
        take = unit.takes.of(document_id)[take_id]
        unit.takes.save(replace(take, title=" ".join(title.split())[:MAX_TITLE_CHARS]))
        unit.commit()


def put_in_trash(file: ProjectFile, take_id: int, document_id: int) -> None:
    """Move a take that is not in the text to the trash, with everything in it; it is kept for 30 days."""
    with file.unit() as unit:
        takes = unit.takes.of(document_id)
        if all(link.stands for link in takes.chain(take_id)):
            raise WriterProblem("This take is in the text. Use another one in its place first.")
        if takes[take_id].stands:
            raise WriterProblem("This take belongs to a larger take. Move that one to the trash.")
        unit.takes.save(replace(takes[take_id], trashed=datetime.now(UTC)))
        unit.commit()


def take_from_trash(file: ProjectFile, take_id: int, document_id: int) -> None:
    """Restore a take from the trash, with its ancestors."""
    with file.unit() as unit:
        for link in unit.takes.of(document_id).chain(take_id):
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
    lost, kept = set[int](), list[Document]()
    for node in unit.manuscript.tree().nodes:
        if not node.kind.has_text:
            continue
        takes = unit.takes.of(node.node_id)
        going = {
            take.take_id
            for take in takes.all
            if any(link.take_id in doomed for link in takes.chain(take.take_id))
        }
        lost |= going
        kept.append(unit.manuscript.document(node.node_id))
        kept += [
            unit.takes.text(take.take_id)
            for take in takes.all
            if not take.stands and take.take_id not in going
        ]
    needed = {run_id for text in kept for run_id in runs_in(text, 0)}
    for run in unit.runs.all():
        if run.take_id in lost and run.run_id in needed:
            unit.runs.save(replace(run, take_id=None))
    unit.takes.purge(doomed)


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
    unit: UnitOfWork, document: Document, parent_id: int | None, place: int, start: int
) -> Document:
    """Cut a document at a place, in its own characters `start`, and keep the rest as a take.

    Takes of the same parent that begin further on are in that text, and from now on in that take.
    """
    takes = unit.takes.of(document.document_id)
    standing = next((take for take in takes.beginning_at(parent_id, place) if take.stands), None)
    rest = document.part(start, len(document.text))
    if standing is None and not rest.text:
        return document
    if standing is None:
        standing = Take(unit.takes.next_id(), document.document_id, parent_id, place, stands=False)
        unit.takes.put_aside(standing, rest)
        for take in takes.all:
            if take.parent_id == parent_id and take.place > place:
                unit.takes.save(replace(take, parent_id=standing.take_id, place=take.place - place))
    else:
        unit.takes.put_aside(replace(standing, stands=False), rest)
    return document.part(0, start)
