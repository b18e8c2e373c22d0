"""Snapshots of the manuscript, over SQLAlchemy."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from pathlib import Path

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.project_records import Snapshot, SnapshotReason
from quire.storage.codec import digest_of_parts
from quire.storage.damaged_values import EPOCH, nearest, read_or
from quire.storage.packing import packed_spans, unpacked_spans
from quire.storage.problems import damaged, read_from
from quire.storage.row_digests import is_sound
from quire.storage.shared_contents import Contents
from quire.storage.tables import ContentRow, RunRow, SnapshotRow, SnapshotTextRow


class SnapshotRepository:
    """Snapshots of the manuscript, in one open transaction."""

    def __init__(self, orm: Session, path: Path) -> None:
        self._orm = orm
        self._path = path
        self._contents = Contents(orm, path)

    def all(self) -> tuple[Snapshot, ...]:
        """Return every snapshot, the newest first."""
        held: dict[int, list[int]] = {}
        row = SnapshotTextRow
        for snapshot_id, document_id in self._orm.execute(
            select(row.snapshot_id, row.document_id).order_by(row.document_id)
        ):
            held.setdefault(snapshot_id, []).append(document_id)
        rows = self._orm.scalars(select(SnapshotRow).order_by(SnapshotRow.snapshot_id.desc()))
        with read_from(self._path, "a snapshot"):
            return tuple(
                Snapshot(
                    found.snapshot_id,
                    found.title,
                    read_or(found, _reason(found), SnapshotReason, found.reason),
                    read_or(found, EPOCH, datetime.fromisoformat, found.created),
                    tuple(held.get(found.snapshot_id, ())),
                )
                for found in rows
            )

    def take(self, snapshot: Snapshot, documents: Sequence[Document]) -> None:
        """Store the texts as they are; a text that is stored already takes no space."""
        self._orm.add(
            SnapshotRow(
                snapshot_id=snapshot.snapshot_id,
                title=snapshot.title,
                reason=snapshot.reason.value,
                created=snapshot.created.isoformat(),
            )
        )
        self._orm.flush()
        for document in documents:
            digest, spans = self._contents.put(document.text.encode()), packed_spans(document.provenance)
            self._orm.add(
                SnapshotTextRow(
                    snapshot_id=snapshot.snapshot_id,
                    document_id=document.document_id,
                    title=document.title,
                    text_digest=digest,
                    spans=spans,
                    checksum=_checksum(digest, spans),
                )
            )
        self._orm.flush()

    def documents(self, snapshot_id: int) -> tuple[Document, ...]:
        """Return the texts of a snapshot, checked."""
        rows = self._orm.scalars(
            select(SnapshotTextRow)
            .where(SnapshotTextRow.snapshot_id == snapshot_id)
            .order_by(SnapshotTextRow.document_id)
        )
        return tuple(self._document(row) for row in rows)

    def document(self, snapshot_id: int, document_id: int) -> Document:
        """Return one text of a snapshot, checked; KeyError when it only has other ones."""
        row = self._orm.get(SnapshotTextRow, (snapshot_id, document_id))
        if row is None:
            raise KeyError(document_id)
        return self._document(row)

    def next_id(self) -> int:
        """Return an unused number."""
        return (self._orm.scalar(select(func.max(SnapshotRow.snapshot_id))) or 0) + 1

    def remove(self, snapshot_ids: Collection[int]) -> None:
        """Remove snapshots, and texts that nothing else keeps."""
        rows = select(SnapshotTextRow.text_digest).where(SnapshotTextRow.snapshot_id.in_(snapshot_ids))
        digests = set(self._orm.scalars(rows))
        for table in (SnapshotTextRow, SnapshotRow):
            self._orm.execute(delete(table).where(table.snapshot_id.in_(snapshot_ids)))
        kept = set(
            self._orm.scalars(
                select(SnapshotTextRow.text_digest).where(SnapshotTextRow.text_digest.in_(digests))
            )
        )
        if unkept := digests - kept - self._prompt_blocks():
            self._orm.execute(delete(ContentRow).where(ContentRow.digest.in_(unkept)))

    def _prompt_blocks(self) -> set[str]:
        """Return the digests that runs hold; a text may by chance be equal to a block of one."""
        prompts = self._orm.scalars(select(RunRow.prompt))
        return {prompt[at : at + 32].hex() for prompt in prompts for at in range(0, len(prompt), 32)}

    def _document(self, row: SnapshotTextRow) -> Document:
        if _checksum(row.text_digest, row.spans) != row.checksum or not is_sound(row):
            raise damaged(self._path, f"the checksum of snapshot {row.snapshot_id} does not match")
        with read_from(self._path, f"snapshot {row.snapshot_id}"):
            text = self._contents.get(row.text_digest).decode()
            return Document(row.document_id, row.title, text, unpacked_spans(row.spans))


def _reason(row: SnapshotRow) -> SnapshotReason:
    return nearest(SnapshotReason, row.reason, SnapshotReason.BY_HAND)


def _checksum(text_digest: str, spans: bytes) -> str:
    return digest_of_parts(text_digest.encode(), spans)
