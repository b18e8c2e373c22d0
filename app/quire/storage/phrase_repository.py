"""What was counted in texts, so that drafts need not count it again, over SQLAlchemy."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, Row, literal_column, select

from quire.storage.codec import now
from quire.storage.packing import packed_bytes, unpacked_bytes
from quire.storage.rows import Rows
from quire.storage.tables import PHRASES

_ROWID = literal_column("phrase_table.rowid", Integer)


@dataclass(frozen=True, slots=True)
class PhraseTable:
    """The n-grams of a text that came twice or more.

    Attributes:
        source: digest of the text.
        tokenizer: digest of the tokenizer.
        max_context: tokens of the longest context.
        num_tokens: of the text.
        data: the entries as the engine packed them.
    """

    source: str
    tokenizer: str
    max_context: int
    num_tokens: int
    data: bytes


class PhraseRepository:
    """Tables of phrases, in one open transaction. They are derived data: a damaged one is as good as none."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def of(self, tokenizer: str, sources: Collection[str]) -> dict[str, bytes]:
        """Return the stored entries of texts, by the digest of the text; damaged ones are left out.

        Args:
            tokenizer: digest of the one that they were counted with.
        """
        query = select(PHRASES).where(PHRASES.c.tokenizer == tokenizer)
        found = ((row.source, self._data(row)) for row in self._rows.all(query) if row.source in sources)
        return {source: data for source, data in found if data is not None}

    def save(self, tables: Sequence[PhraseTable]) -> None:
        """Insert tables, or replace those of the same text and tokenizer, damaged or not."""
        for table in tables:
            values = {
                "source": table.source,
                "tokenizer": table.tokenizer,
                "max_context": table.max_context,
                "num_tokens": table.num_tokens,
                "data": packed_bytes(table.data),
                "checksum": hashlib.sha256(table.data).hexdigest(),
                "created": now(),
            }
            self._rows.write(PHRASES, values, mended=True)

    def keep_only(self, sources: Collection[str]) -> bool:
        """Delete the tables of all other texts, and damaged ones; return whether there were any."""
        rows = self._rows.all(select(_ROWID.label("number"), PHRASES))
        doomed = [row.number for row in rows if row.source not in sources or self._data(row) is None]
        for number in doomed:  # by this number: what else would name a damaged row may be damaged
            self._rows.delete(PHRASES, number == _ROWID)
        return bool(doomed)

    def _data(self, row: Row[Any]) -> bytes | None:
        """The stored entry, checked; None for a damaged one."""
        if not self._rows.is_sound(PHRASES, row):
            return None
        try:
            data = unpacked_bytes(row.data)
        except ValueError:
            return None
        return data if hashlib.sha256(data).hexdigest() == row.checksum else None
