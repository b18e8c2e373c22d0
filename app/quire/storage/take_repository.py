"""Alternative continuations, over SQLAlchemy."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from pathlib import Path

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.takes import Take, Takes
from quire.storage.codec import digest_of_parts, now
from quire.storage.damaged_values import EPOCH, read_or
from quire.storage.packing import packed_spans, packed_text, unpacked_spans, unpacked_text
from quire.storage.problems import damaged, read_from
from quire.storage.row_digests import is_sound
from quire.storage.tables import ChunkRow, RunRow, TakeRow


class TakeRepository:
    """Alternative continuations, in one open transaction."""

    def __init__(self, orm: Session, path: Path) -> None:
        self._orm = orm
        self._path = path

    def of(self, document_id: int) -> Takes:
        """Return the takes of a document."""
        rows = self._orm.scalars(select(TakeRow).where(TakeRow.document_id == document_id))
        with read_from(self._path, "a take"):
            return Takes(_with_parents([_take(row) for row in rows]))

    def save(self, take: Take) -> None:
        """Insert a take in the text, or overwrite one of the same number; a text put aside stays."""
        row = self._saved(take)
        if take.stands:
            row.text = row.spans = None
            row.checksum = _checksum(b"", b"")
        elif row.text is None:
            raise ValueError(f"take {take.take_id} does not stand and has no text")
        self._orm.flush()

    def put_aside(self, take: Take, text: Document) -> None:
        """Save a take that is not in the text, with its text; the document's number and title do not
        matter."""
        row = self._saved(take)
        spans = packed_spans(text.provenance)
        row.text, row.spans = packed_text(text.text), spans
        row.checksum = _checksum(text.text.encode(), spans)
        self._orm.flush()

    def text(self, take_id: int) -> Document:
        """Return the text of a take that was put aside, checked."""
        row = self._orm.get(TakeRow, take_id)
        if row is None or row.text is None or row.spans is None:
            raise damaged(self._path, f"the text of take {take_id} is missing")
        with read_from(self._path, f"the text of take {take_id}"):
            text = unpacked_text(row.text)
            if _checksum(text.encode(), row.spans) != row.checksum:
                raise damaged(self._path, f"the checksum of take {take_id} does not match")
            return Document(row.document_id, row.title, text, unpacked_spans(row.spans))

    def next_id(self) -> int:
        """Return an unused number."""
        return (self._orm.scalar(select(func.max(TakeRow.take_id))) or 0) + 1

    def purge(self, take_ids: Collection[int]) -> None:
        """Remove takes for good, with their runs and the takes in them."""
        levels = [set(take_ids)]
        while more := set(
            self._orm.scalars(select(TakeRow.take_id).where(TakeRow.parent_id.in_(levels[-1])))
        ):
            levels.append(more)
        doomed: set[int] = set().union(*levels)
        runs = select(RunRow.run_id).where(RunRow.take_id.in_(doomed))
        self._orm.execute(delete(ChunkRow).where(ChunkRow.run_id.in_(runs)))
        self._orm.execute(delete(RunRow).where(RunRow.take_id.in_(doomed)))
        for level in reversed(levels):  # a take's parent may be younger than the take
            self._orm.execute(delete(TakeRow).where(TakeRow.take_id.in_(level)))

    def _saved(self, take: Take) -> TakeRow:
        row = self._orm.get(TakeRow, take.take_id)
        if row is None:
            row = TakeRow(take_id=take.take_id, created=now(), checksum=_checksum(b"", b""))
            self._orm.add(row)
        row.document_id = take.document_id
        row.parent_id = take.parent_id
        row.place = take.place
        row.stands = take.stands
        row.title = take.title
        row.trashed = None if take.trashed is None else take.trashed.isoformat()
        row.updated = now()
        return row


def _take(row: TakeRow) -> Take:
    damaged_row = not is_sound(row)
    if row.place < 0 and not damaged_row:
        raise ValueError(f"take {row.take_id} begins at {row.place}")
    return Take(
        row.take_id,
        row.document_id,
        row.parent_id,
        max(row.place, 0),
        row.stands,
        row.title,
        read_or(row, None, datetime.fromisoformat, row.created),
        read_or(row, None, datetime.fromisoformat, row.updated),
        None if row.trashed is None else read_or(row, EPOCH, datetime.fromisoformat, row.trashed),
        damaged_row,
    )


def _with_parents(takes: Sequence[Take]) -> list[Take]:
    """Return takes without the damaged ones that lie in no take, and those in them."""
    found = list(takes)
    while any(take.damaged for take in takes):
        known = {None, *(take.take_id for take in found)}
        left = [take for take in found if take.parent_id in known and take.parent_id != take.take_id]
        if len(left) == len(found):
            break
        found = left
    return found


def _checksum(text: bytes, spans: bytes) -> str:
    return digest_of_parts(text, spans)
