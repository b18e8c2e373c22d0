"""What was counted in texts, so that drafts need not count it again, over SQLAlchemy."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence

from sqlalchemy import Integer, delete, literal_column, select
from sqlalchemy.orm import Session

from quire.domain.drafting.phrase_table import PhraseTable
from quire.storage.codec import now
from quire.storage.packing import packed_bytes, unpacked_bytes
from quire.storage.row_digests import is_sound
from quire.storage.tables import PhraseTableRow

_ROWID = literal_column("phrase_table.rowid", Integer)


class PhraseRepository:
    """Tables of phrases, in one open transaction. They are derived data: a damaged one is as good as none."""

    def __init__(self, orm: Session) -> None:
        self._orm = orm

    def of(self, tokenizer: str, sources: Collection[str]) -> dict[str, bytes]:
        """Return the stored entries of texts, by the digest of the text; damaged ones are left out.

        Args:
            tokenizer: digest of the one that they were counted with.
        """
        query = select(PhraseTableRow).where(PhraseTableRow.tokenizer == tokenizer)
        found = ((row.source, _data(row)) for row in self._orm.scalars(query) if row.source in sources)
        return {source: data for source, data in found if data is not None}

    def save(self, tables: Sequence[PhraseTable]) -> None:
        """Insert tables, or replace those of the same text and tokenizer, damaged or not."""
        for table in tables:
            of_this = (PhraseTableRow.source == table.source, PhraseTableRow.tokenizer == table.tokenizer)
            self._orm.execute(delete(PhraseTableRow).where(*of_this))
        for table in tables:
            row = PhraseTableRow(
                source=table.source,
                tokenizer=table.tokenizer,
                max_context=table.max_context,
                num_tokens=table.num_tokens,
                data=packed_bytes(table.data),
                checksum=hashlib.sha256(table.data).hexdigest(),
                created=now(),
            )
            self._orm.add(row)
        self._orm.flush()

    def keep_only(self, sources: Collection[str]) -> bool:
        """Delete the tables of all other texts, and damaged ones; return whether there were any."""
        rows = self._orm.execute(select(_ROWID, PhraseTableRow)).all()
        doomed = [number for number, row in rows if row.source not in sources or _data(row) is None]
        for number in doomed:  # by this number: what else would name a damaged row may be damaged
            self._orm.execute(
                delete(PhraseTableRow)
                .where(_ROWID.in_([number]))
                .execution_options(synchronize_session=False)
            )
        return bool(doomed)


def _data(row: PhraseTableRow) -> bytes | None:
    """Return what is stored, checked; None where it is damaged."""
    if not is_sound(row):
        return None
    try:
        data = unpacked_bytes(row.data)
    except ValueError:
        return None
    return data if hashlib.sha256(data).hexdigest() == row.checksum else None
