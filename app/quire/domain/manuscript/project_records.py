"""What a project remembers beside its texts and runs: snapshots, goals, writing sessions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum

MAX_WORDS = 1_000_000_000
"""More than any book has: a larger number was not counted."""
MAX_ACTIVE_S = 1e9
_YEARS = range(1970, 3000)  # times that every system can convert to local time
_UTC_OFFSET = timedelta(0)


class SnapshotReason(Enum):
    """Why a snapshot was taken; the values are what the project file stores."""

    BY_HAND = "by hand"
    BEFORE_DRAFT = "before draft"
    BEFORE_RESTORE = "before restore"
    BEFORE_IMPORT = "before import"
    BEFORE_REPLACE = "before replace"

    @property
    def is_automatic(self) -> bool:
        """Whether Quire took it by itself; automatic ones are thinned out with age, the others never."""
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
    """The target word count of the book or a part of it; node_id None: the whole book."""

    goal_id: int
    words: int
    node_id: int | None = None
    due: date | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.words <= MAX_WORDS:
            raise ValueError(f"a goal of {self.words} words")


@dataclass(frozen=True, slots=True)
class WritingSession:
    """A session of work on the project on one day, from the first to the last activity; times in UTC.

    Attributes:
        active_s: seconds in which something was written or drafted.
        words_written: negative where the writer cut.
        words_drafted: by the model meanwhile, whatever became of them.
    """

    session_id: int
    started: datetime
    ended: datetime
    active_s: float = 0.0
    words_written: int = 0
    words_drafted: int = 0

    def __post_init__(self) -> None:
        for time in (self.started, self.ended):
            if time.utcoffset() != _UTC_OFFSET or time.year not in _YEARS:
                raise ValueError(f"{time.isoformat()} is no time in UTC of these centuries")
        if self.ended < self.started:
            raise ValueError(f"it ended {self.ended.isoformat()}, before it began")
        if not 0 <= self.active_s <= MAX_ACTIVE_S:
            raise ValueError(f"{self.active_s} seconds of work")
        if abs(self.words_written) > MAX_WORDS or not 0 <= self.words_drafted <= MAX_WORDS:
            raise ValueError(f"{self.words_written} words written, {self.words_drafted} drafted")
