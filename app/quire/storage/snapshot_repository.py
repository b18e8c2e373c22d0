"""Snapshots of the manuscript, over SQLAlchemy."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, select

from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.project_records import Snapshot, SnapshotReason
from quire.storage.codec import digest_of_parts
from quire.storage.packing import packed_spans, unpacked_spans
from quire.storage.problems import damaged, read_from
from quire.storage.rows import EPOCH, Rows, nearest
from quire.storage.tables import CONTENT, RUN, SNAPSHOT, SNAPSHOT_TEXT


class SnapshotRepository:
    """Snapshots of the manuscript, in one open transaction."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def all(self) -> tuple[Snapshot, ...]:
        """Return every snapshot, the newest first."""
        held: dict[int, list[int]] = {}
        row = SNAPSHOT_TEXT.c
        for snapshot_id, document_id in self._rows.all(
            select(row.snapshot_id, row.document_id).order_by(row.document_id)
        ):
            held.setdefault(snapshot_id, []).append(document_id)
        rows = self._rows.all(select(SNAPSHOT).order_by(SNAPSHOT.c.snapshot_id.desc()))
        with read_from(self._rows.path, "a snapshot"):
            return tuple(
                Snapshot(
                    found.snapshot_id,
                    found.title,
                    self._rows.read_or(SNAPSHOT, found, _reason(found), SnapshotReason, found.reason),
                    self._rows.read_or(SNAPSHOT, found, EPOCH, datetime.fromisoformat, found.created),
                    tuple(held.get(found.snapshot_id, ())),
                )
                for found in rows
            )

    def take(self, snapshot: Snapshot, documents: Sequence[Document]) -> None:
        """Store the texts as they are; a text that is stored already takes no space."""
        values = {
            "snapshot_id": snapshot.snapshot_id,
            "title": snapshot.title,
            "reason": snapshot.reason.value,
            "created": snapshot.created.isoformat(),
        }
        self._rows.write(SNAPSHOT, values)
        for document in documents:
            digest = self._rows.put_content(document.text.encode())
            spans = packed_spans(document.provenance)
            values = {
                "snapshot_id": snapshot.snapshot_id,
                "document_id": document.document_id,
                "title": document.title,
                "text_digest": digest,
                "spans": spans,
                "checksum": _checksum(digest, spans),
            }
            self._rows.write(SNAPSHOT_TEXT, values)

    def documents(self, snapshot_id: int) -> tuple[Document, ...]:
        """Return the texts of a snapshot, checked."""
        rows = self._rows.all(
            select(SNAPSHOT_TEXT)
            .where(SNAPSHOT_TEXT.c.snapshot_id == snapshot_id)
            .order_by(SNAPSHOT_TEXT.c.document_id)
        )
        return tuple(self._document(row) for row in rows)

    def document(self, snapshot_id: int, document_id: int) -> Document:
        """Return one text of a snapshot, checked; KeyError when it only has other ones."""
        row = self._rows.get(SNAPSHOT_TEXT, snapshot_id, document_id)
        if row is None:
            raise KeyError(document_id)
        return self._document(row)

    def next_id(self) -> int:
        """Return an unused number."""
        return (self._rows.scalar(select(func.max(SNAPSHOT.c.snapshot_id))) or 0) + 1

    def remove(self, snapshot_ids: Collection[int]) -> None:
        """Remove snapshots, and texts that nothing else keeps."""
        rows = select(SNAPSHOT_TEXT.c.text_digest).where(SNAPSHOT_TEXT.c.snapshot_id.in_(snapshot_ids))
        digests = set(self._rows.scalars(rows))
        for table in (SNAPSHOT_TEXT, SNAPSHOT):
            self._rows.delete(table, table.c.snapshot_id.in_(snapshot_ids))
        kept = set(
            self._rows.scalars(
                select(SNAPSHOT_TEXT.c.text_digest).where(SNAPSHOT_TEXT.c.text_digest.in_(digests))
            )
        )
        if unkept := digests - kept - self._prompt_blocks():
            self._rows.delete(CONTENT, CONTENT.c.digest.in_(unkept))

    def _prompt_blocks(self) -> set[str]:
        """Return the digests that runs hold; a text may by chance be equal to a block of one."""
        prompts = self._rows.scalars(select(RUN.c.prompt))
        return {prompt[at : at + 32].hex() for prompt in prompts for at in range(0, len(prompt), 32)}

    def _document(self, row: Row[Any]) -> Document:
        if _checksum(row.text_digest, row.spans) != row.checksum or not self._rows.is_sound(
            SNAPSHOT_TEXT, row
        ):
            raise damaged(self._rows.path, f"the checksum of snapshot {row.snapshot_id} does not match")
        with read_from(self._rows.path, f"snapshot {row.snapshot_id}"):
            text = self._rows.content(row.text_digest).decode()
            return Document(row.document_id, row.title, text, unpacked_spans(row.spans))


def _reason(row: Row[Any]) -> SnapshotReason:
    return nearest(SnapshotReason, row.reason, SnapshotReason.BY_HAND)


def _checksum(text_digest: str, spans: bytes) -> str:
    return digest_of_parts(text_digest.encode(), spans)
