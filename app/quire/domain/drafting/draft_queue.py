"""Drafts that are queued and written one after another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Self

from quire.domain.drafting.presets import DEFAULT, Preset
from quire.domain.drafting.run import Run, RunState
from quire.errors import WriterProblem
from quire_engine.api.user_message import UserMessage

MAX_QUEUED = 500
CUT_OFF = UserMessage(
    "Quire closed during this draft. The text so far is saved; start the queue to continue."
)


class QueuedDraftState(Enum):
    """The state of a queued draft; the values are what the project file stores."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class QueuedDraft:
    """One draft to be written at the end of a text.

    Attributes:
        direction: the author's note of this draft; empty: that of the book.
        run_id: the run that wrote it.
        sentence: a message about how it went.
    """

    draft_id: int
    document_id: int
    goal_words: int
    preset: Preset = DEFAULT
    direction: str = ""
    state: QueuedDraftState = QueuedDraftState.WAITING
    run_id: int | None = None
    sentence: str = ""

    def __post_init__(self) -> None:
        if self.goal_words < 1:
            raise WriterProblem("The goal must be at least 1 word, not {words}.", words=self.goal_words)

    @property
    def is_due(self) -> bool:
        """Whether it has yet to be written."""
        return self.state in (QueuedDraftState.WAITING, QueuedDraftState.STOPPED)

    def ended(self, run: Run, alarm: str = "") -> Self:
        """Return the queued draft as its run leaves it; `alarm` is the message of what paused the run."""
        if run.state is RunState.FINISHED:
            return replace(self, state=QueuedDraftState.DONE, run_id=run.run_id, sentence="")
        sentence = alarm or run.error or UserMessage("The draft was paused.")
        return replace(self, state=QueuedDraftState.STOPPED, run_id=run.run_id, sentence=sentence)


@dataclass(frozen=True, slots=True)
class Queue:
    """Drafts in the order in which they are written."""

    drafts: tuple[QueuedDraft, ...] = field(default=())

    @property
    def next_id(self) -> int:
        """An unused number."""
        return max((queued.draft_id for queued in self.drafts), default=0) + 1

    @property
    def next_due(self) -> QueuedDraft | None:
        """The draft that is written next; None when none is left."""
        return next((queued for queued in self.drafts if queued.is_due), None)

    @property
    def num_due(self) -> int:
        """How many drafts are left."""
        return sum(queued.is_due for queued in self.drafts)

    def queued(self, draft_id: int) -> QueuedDraft | None:
        """Return a queued draft; None when it is no longer there."""
        return next((queued for queued in self.drafts if queued.draft_id == draft_id), None)

    def added(self, queued: QueuedDraft) -> Self:
        """Return the queue with a draft appended under a new number."""
        if len(self.drafts) >= MAX_QUEUED:
            raise WriterProblem("The queue holds at most {most} drafts. Remove some first.", most=MAX_QUEUED)
        return replace(self, drafts=(*self.drafts, replace(queued, draft_id=self.next_id)))

    def without(self, draft_id: int) -> Self:
        """Return the queue without a draft; one that is being written stays."""
        kept = (
            queued
            for queued in self.drafts
            if queued.draft_id != draft_id or queued.state is QueuedDraftState.WORKING
        )
        return replace(self, drafts=tuple(kept))

    def without_done(self) -> Self:
        """Return the queue without the finished drafts."""
        return replace(
            self, drafts=tuple(one for one in self.drafts if one.state is not QueuedDraftState.DONE)
        )

    def moved(self, draft_id: int, steps: int) -> Self:
        """Return the queue with a draft moved down by some places, or up for a negative number; it stops at
        the ends.
        """
        drafts = list(self.drafts)
        place = next((place for place, queued in enumerate(drafts) if queued.draft_id == draft_id), None)
        if place is None:
            return self
        queued = drafts.pop(place)
        drafts.insert(min(max(place + steps, 0), len(drafts)), queued)
        return replace(self, drafts=tuple(drafts))

    def with_draft(self, queued: QueuedDraft) -> Self:
        """Return the queue with the draft of the same number replaced, if it is still there."""
        changed = (queued if one.draft_id == queued.draft_id else one for one in self.drafts)
        return replace(self, drafts=tuple(changed))

    def recovered(self) -> Self:
        """Return the queue as it is after a restart: the draft that was being written was interrupted."""
        return replace(self, drafts=tuple(_recovered(self.drafts)))


def _recovered(drafts: Iterable[QueuedDraft]) -> Iterable[QueuedDraft]:
    for queued in drafts:
        if queued.state is QueuedDraftState.WORKING:
            yield replace(queued, state=QueuedDraftState.STOPPED, sentence=CUT_OFF)
        else:
            yield queued
