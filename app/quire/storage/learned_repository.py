"""What draft models learned from a book, over SQLAlchemy."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from sqlalchemy import Integer, delete, literal_column, select
from sqlalchemy.orm import Session

from quire.domain.drafting.learned_drafter import LearnedDrafter
from quire.storage.codec import now
from quire.storage.row_digests import is_sound
from quire.storage.tables import LearnedDrafterRow

MAX_VERSIONS, MAX_ROWS = 2, 4
"""Of one model, and of all models together; the oldest ones are deleted."""
_ROWID = literal_column("learned_drafter.rowid", Integer)


class LearnedRepository:
    """Versions of what was learned, in one open transaction. A damaged one is as good as none."""

    def __init__(self, orm: Session) -> None:
        self._orm = orm

    def newest(self, fingerprint: str) -> LearnedDrafter | None:
        """Return what is in use for a model; None without any, and where that is damaged."""
        query = select(LearnedDrafterRow).where(_ROWID.in_(self._numbers(fingerprint)[:1]))
        row = self._orm.scalars(query).first()
        if row is None or not _is_whole(row):
            return None
        return LearnedDrafter(row.fingerprint, row.version, row.num_tokens, row.data)

    def has_any(self, fingerprint: str) -> bool:
        """Return whether anything is stored for a model, damaged or not."""
        query = select(_ROWID).where(LearnedDrafterRow.fingerprint == fingerprint)
        return self._orm.scalar(query.limit(1)) is not None

    def save(self, learned: LearnedDrafter) -> None:
        """Insert a version in place of itself, later and damaged ones, and delete what is too old to be
        kept.
        """
        for number, row in self._orm.execute(select(_ROWID, LearnedDrafterRow)).all():
            is_replaced = row.fingerprint == learned.fingerprint and row.version >= learned.version
            self._orm.expunge(row)  # one of the same version is added below
            if is_replaced or not is_sound(row):  # its digest covers the data
                self._delete([number])
        row = LearnedDrafterRow(
            fingerprint=learned.fingerprint,
            version=learned.version,
            num_tokens=learned.num_tokens,
            data=learned.data,
            checksum=hashlib.sha256(learned.data).hexdigest(),
            created=now(),
        )
        self._orm.add(row)
        self._orm.flush()
        self._delete([*self._numbers(learned.fingerprint)[MAX_VERSIONS:], *self._numbers()[MAX_ROWS:]])

    def undo(self, fingerprint: str) -> None:
        """Delete the newest version of a model."""
        self._delete(self._numbers(fingerprint)[:1])

    def remove(self, fingerprint: str) -> None:
        """Delete all that was learned with a model."""
        self._delete(self._numbers(fingerprint))

    def _numbers(self, fingerprint: str | None = None) -> list[int]:
        """Return the row numbers of one model or of all, the newest first; damaged rows have one, too."""
        query = select(_ROWID).select_from(LearnedDrafterRow).order_by(_ROWID.desc())
        if fingerprint is not None:
            query = query.where(LearnedDrafterRow.fingerprint == fingerprint)
        return list(self._orm.scalars(query))

    def _delete(self, numbers: Sequence[int]) -> None:
        self._orm.execute(
            delete(LearnedDrafterRow).where(_ROWID.in_(numbers)).execution_options(synchronize_session=False)
        )


def _is_whole(row: LearnedDrafterRow) -> bool:
    return is_sound(row) and hashlib.sha256(row.data).hexdigest() == row.checksum
