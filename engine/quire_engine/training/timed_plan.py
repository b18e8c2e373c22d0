"""A preparation by time as data: how long, how far, what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from quire_engine.api.config import SamplingConfig
from quire_engine.drafting.drafter_file import TrainedDrafters

Stage = Literal["given text", "own text", "feature", "evaluation"]

_ENDS = (2.0, 5.0, 20.0)  # minutes after which something useful is there; then every tripling


@dataclass(frozen=True, slots=True)
class TimedPlan:
    """How long to learn, stops not counted, and with which settings the model will mostly be asked to write.

    reserved: minutes at the end that are for something else.
    """

    minutes: float
    reserved: float = 0.0
    sampling: SamplingConfig = field(default_factory=SamplingConfig)
    vocabulary: int | None = None
    window: int = 64
    seed: int = 1


@dataclass(frozen=True, slots=True)
class TimedAdvance:
    """How far it is.

    Attributes:
        stage: what is being done.
        done: tokens read or written in this round, or steps learnt in it.
        seconds, total_seconds: of the whole.
        loss: of the last step, if any.
    """

    stage: Stage
    done: int
    seconds: float
    total_seconds: float
    loss: float | None = None


@dataclass(frozen=True, slots=True)
class TimedResult:
    """What came of it: tokens per pass expected of a chain of first guesses, on text that it did not see.

    Attributes:
        before: of the drafters that were there; 1 without any.
        after: of those that are there now, which are never worse.
        drafters: what is there now; None if nothing is.
        previous: what was there before.
    """

    before: float
    after: float
    drafters: TrainedDrafters | None
    previous: TrainedDrafters | None


def round_ends(minutes: float) -> list[float]:
    """Return the minutes at which rounds end, the last of them at the end of the time."""
    ends = [end for end in _ENDS if end < minutes / 1.5]
    while ends and ends[-1] >= _ENDS[-1] and 3 * ends[-1] < minutes / 1.5:
        ends.append(3 * ends[-1])
    return [*ends, minutes]
