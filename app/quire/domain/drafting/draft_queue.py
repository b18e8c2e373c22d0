"""Wishes for drafts that are worked off one after another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Self

from quire.domain.drafting.presets import DEFAULT, Preset
from quire.domain.drafting.run import Run, RunState
from quire.errors import WriterProblem
from quire_engine.api.user_message import UserMessage

MAX_WISHES = 500
CUT_OFF = UserMessage(
    "Quire ended while this was being drafted. What was written is kept; start the queue to go on."
)


class WishState(Enum):
    """Where a wish stands; the values are what the project file stores."""

    WAITING = "waiting"
    WORKING = "working"
    DONE = "done"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class QueuedDraft:
    """One draft to be written at the end of a text.

    direction: a stage direction for its run; empty: the text's next beat, if there is one, says what comes.
    run_id: the run that it led to. sentence: what there is to say about how it went.
    """

    wish_id: int
    document_id: int
    goal_words: int
    preset: Preset = DEFAULT
    direction: str = ""
    state: WishState = WishState.WAITING
    run_id: int | None = None
    sentence: str = ""

    def __post_init__(self) -> None:
        if self.goal_words < 1:
            raise WriterProblem(
                "A draft needs a goal of at least 1 word, not {words}.", words=self.goal_words
            )

    @property
    def is_due(self) -> bool:
        """Whether it is still to be done."""
        return self.state in (WishState.WAITING, WishState.STOPPED)

    def ended(self, run: Run, alarm: str = "") -> Self:
        """Return the wish as the run that it led to leaves it; alarm: a sentence of what paused the run."""
        if run.state is RunState.FINISHED:
            return replace(self, state=WishState.DONE, run_id=run.run_id, sentence="")
        sentence = alarm or run.error or UserMessage("The draft was paused.")
        return replace(self, state=WishState.STOPPED, run_id=run.run_id, sentence=sentence)


@dataclass(frozen=True, slots=True)
class Queue:
    """Wishes in the order in which they are worked off."""

    wishes: tuple[QueuedDraft, ...] = field(default=())

    @property
    def next_id(self) -> int:
        """A number that no wish has."""
        return max((wish.wish_id for wish in self.wishes), default=0) + 1

    @property
    def next_due(self) -> QueuedDraft | None:
        """The wish that is worked off next; None when nothing is left to do."""
        return next((wish for wish in self.wishes if wish.is_due), None)

    @property
    def num_due(self) -> int:
        """How many wishes are left to do."""
        return sum(wish.is_due for wish in self.wishes)

    def wish(self, wish_id: int) -> QueuedDraft | None:
        """Return a wish; None when it is not there any more."""
        return next((wish for wish in self.wishes if wish.wish_id == wish_id), None)

    def added(self, wish: QueuedDraft) -> Self:
        """Return the queue with a wish at its end, under a number of its own."""
        if len(self.wishes) >= MAX_WISHES:
            raise WriterProblem("The queue holds at most {most} drafts. Remove some first.", most=MAX_WISHES)
        return replace(self, wishes=(*self.wishes, replace(wish, wish_id=self.next_id)))

    def without(self, wish_id: int) -> Self:
        """Return the queue without a wish; one that is being drafted stays."""
        kept = (wish for wish in self.wishes if wish.wish_id != wish_id or wish.state is WishState.WORKING)
        return replace(self, wishes=tuple(kept))

    def without_done(self) -> Self:
        """Return the queue with what is left to do."""
        return replace(self, wishes=tuple(one for one in self.wishes if one.state is not WishState.DONE))

    def moved(self, wish_id: int, steps: int) -> Self:
        """Return the queue with a wish so many places further down, or up; at an end it stays."""
        wishes = list(self.wishes)
        place = next((place for place, wish in enumerate(wishes) if wish.wish_id == wish_id), None)
        if place is None:
            return self
        wish = wishes.pop(place)
        wishes.insert(min(max(place + steps, 0), len(wishes)), wish)
        return replace(self, wishes=tuple(wishes))

    def with_wish(self, wish: QueuedDraft) -> Self:
        """Return the queue with another wish of the same number; one that was removed stays away."""
        changed = (wish if one.wish_id == wish.wish_id else one for one in self.wishes)
        return replace(self, wishes=tuple(changed))

    def recovered(self) -> Self:
        """Return the queue as it is found again: what was being drafted was cut off."""
        return replace(self, wishes=tuple(_recovered(self.wishes)))


def _recovered(wishes: Iterable[QueuedDraft]) -> Iterable[QueuedDraft]:
    for wish in wishes:
        if wish.state is WishState.WORKING:
            yield replace(wish, state=WishState.STOPPED, sentence=CUT_OFF)
        else:
            yield wish
