"""Alternative continuations, over SQLAlchemy."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, func, select

from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.takes import Take, Takes
from quire.storage.codec import digest_of_parts, now
from quire.storage.packing import packed_spans, packed_text, unpacked_spans, unpacked_text
from quire.storage.problems import damaged, read_from
from quire.storage.rows import EPOCH, Rows
from quire.storage.tables import CHUNK, RUN, TAKE


class TakeRepository:
    """Alternative continuations, in one open transaction."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def of(self, document_id: int) -> Takes:
        """Return the takes of a document."""
        rows = self._rows.all(select(TAKE).where(TAKE.c.document_id == document_id))
        with read_from(self._rows.path, "a take"):
            return Takes(_with_parents([_take(self._rows, row) for row in rows]))

    def document_of(self, take_id: int) -> int:
        """Return the document that a take begins in."""
        row = self._rows.get(TAKE, take_id)
        if row is None:
            raise damaged(self._rows.path, f"take {take_id} is missing")
        return int(row.document_id)

    def save(self, take: Take) -> None:
        """Insert a take in the text, or overwrite one of the same number; a text put aside stays."""
        if take.stands:
            self._write(take, text=None, spans=None, checksum=_checksum(b"", b""))
            return
        row = self._rows.get(TAKE, take.take_id)
        if row is None or row.text is None:
            raise ValueError(f"take {take.take_id} does not stand and has no text")
        self._write(take)

    def put_aside(self, take: Take, text: Document) -> None:
        """Save a take that is not in the text, with its text; the document's number and title do not
        matter."""
        spans = packed_spans(text.provenance)
        checksum = _checksum(text.text.encode(), spans)
        self._write(take, text=packed_text(text.text), spans=spans, checksum=checksum)

    def text(self, take_id: int) -> Document:
        """Return the text of a take that was put aside, checked."""
        row = self._rows.get(TAKE, take_id)
        if row is None or row.text is None or row.spans is None:
            raise damaged(self._rows.path, f"the text of take {take_id} is missing")
        with read_from(self._rows.path, f"the text of take {take_id}"):
            text = unpacked_text(row.text)
            if _checksum(text.encode(), row.spans) != row.checksum:
                raise damaged(self._rows.path, f"the checksum of take {take_id} does not match")
            return Document(row.document_id, row.title, text, unpacked_spans(row.spans))

    def next_id(self) -> int:
        """Return an unused number."""
        return (self._rows.scalar(select(func.max(TAKE.c.take_id))) or 0) + 1

    def purge(self, take_ids: Collection[int]) -> None:
        """Remove takes for good, with their runs and the takes in them."""
        levels = [set(take_ids)]
        while more := set(self._rows.scalars(select(TAKE.c.take_id).where(TAKE.c.parent_id.in_(levels[-1])))):
            levels.append(more)
        doomed: set[int] = set().union(*levels)
        runs = select(RUN.c.run_id).where(RUN.c.take_id.in_(doomed))
        self._rows.delete(CHUNK, CHUNK.c.run_id.in_(runs))
        self._rows.delete(RUN, RUN.c.take_id.in_(doomed))
        for level in reversed(levels):  # a take's parent may be younger than the take
            self._rows.delete(TAKE, TAKE.c.take_id.in_(level))

    def _write(self, take: Take, **text: object) -> None:
        values = {
            "take_id": take.take_id,
            "document_id": take.document_id,
            "parent_id": take.parent_id,
            "place": take.place,
            "stands": take.stands,
            "title": take.title,
            "trashed": None if take.trashed is None else take.trashed.isoformat(),
            "updated": now(),
        }
        self._rows.write(TAKE, values | text, new={"created": now()})


def _take(rows: Rows, row: Row[Any]) -> Take:
    damaged_row = not rows.is_sound(TAKE, row)
    if row.place < 0 and not damaged_row:
        raise ValueError(f"take {row.take_id} begins at {row.place}")
    return Take(
        row.take_id,
        row.document_id,
        row.parent_id,
        max(row.place, 0),
        row.stands,
        row.title,
        rows.read_or(TAKE, row, None, datetime.fromisoformat, row.created),
        rows.read_or(TAKE, row, None, datetime.fromisoformat, row.updated),
        None if row.trashed is None else rows.read_or(TAKE, row, EPOCH, datetime.fromisoformat, row.trashed),
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
