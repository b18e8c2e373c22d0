"""What a project remembers beside its texts and runs: snapshots, goals, sittings at the desk."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum


class SnapshotReason(Enum):
    """Why a snapshot was taken; the values are what the project file stores."""

    BY_HAND = "by hand"
    BEFORE_DRAFT = "before draft"
    BEFORE_RESTORE = "before restore"
    BEFORE_IMPORT = "before import"

    @property
    def is_automatic(self) -> bool:
        """Whether Quire took it by itself; such ones are thinned out with age, the others never."""
        return self is not SnapshotReason.BY_HAND


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The texts of some documents as they were. created: in UTC."""

    snapshot_id: int
    title: str
    reason: SnapshotReason
    created: datetime
    document_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class WritingGoal:
    """Words that the book, or a part of it, shall have; node_id None: all of the book."""

    goal_id: int
    words: int
    node_id: int | None = None
    due: date | None = None


@dataclass(frozen=True, slots=True)
class WritingSession:
    """A stretch of work on the project, from opening to closing it; times in UTC.

    active_s: seconds in which something was written or drafted. words_written: negative where the writer cut.
    """

    session_id: int
    started: datetime
    ended: datetime
    active_s: float = 0.0
    words_written: int = 0
    words_drafted: int = 0
