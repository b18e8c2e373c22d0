"""What a writer wants to know before a long draft begins."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from quire.domain.drafting.draft_goal import DraftGoal
from quire.domain.drafting.reread_decision import PrefillEstimate
from quire.domain.drafting.time_left import TimeLeft

SHOW_FROM_WORDS = 5_000
"""Default goal, in words, from which the estimate is shown."""
_TIGHT = 0.9
"""What takes more of the free memory than this may not be there any more when it is needed."""


class RoomFit(Enum):
    """Whether there is enough room for something."""

    UNKNOWN = "unknown"
    FITS = "fits"
    TIGHT = "tight"
    TOO_LARGE = "too large"


@dataclass(frozen=True, slots=True)
class MemoryNeed:
    """Memory in bytes.

    Attributes:
        needed: by the model at the goal.
        free: for the model, including what it already uses.
    """

    needed: int
    free: int
    is_on_gpu: bool = False

    @property
    def fit(self) -> RoomFit:
        """Whether there is enough."""
        if self.needed <= 0 or self.free <= 0:
            return RoomFit.UNKNOWN
        if self.needed > self.free:
            return RoomFit.TOO_LARGE
        return RoomFit.TIGHT if self.needed > self.free * _TIGHT else RoomFit.FITS


@dataclass(frozen=True, slots=True)
class Preflight:
    """A draft before it begins.

    Attributes:
        tokens_now, tokens_at_goal: of the text, estimated.
        context: the model's context in tokens; 0 unknown.
        memory: None while unknown.
        time: of drafting, by earlier drafts; None without any.
        reading: what is read before the first word; 0 tokens: the model has it cached.
        place: where the words go.
        snapshot: name of the one that is taken; empty for none, when the run is resumed.
        words_go_to: who gets the words, for the screen; empty while they stay in Quire.
        unused: names of the writer's settings that have no effect there.
    """

    goal: DraftGoal
    tokens_now: int
    tokens_at_goal: int
    reading: PrefillEstimate
    place: str
    context: int = 0
    memory: MemoryNeed | None = None
    time: TimeLeft | None = None
    snapshot: str = ""
    words_go_to: str = ""
    unused: tuple[str, ...] = ()

    @property
    def space(self) -> RoomFit:
        """Whether the text up to the goal fits the model's context."""
        if not self.context:
            return RoomFit.UNKNOWN
        return RoomFit.FITS if self.tokens_at_goal <= self.context else RoomFit.TOO_LARGE


def is_due(goal: DraftGoal, from_words: int) -> bool:
    """Whether the panel is shown by itself; `from_words` is 0 for never."""
    words = 0 if goal.words is None and goal.minutes is not None else goal.words_at_most
    return from_words > 0 and words >= from_words
