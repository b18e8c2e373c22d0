"""What a window or a terminal shows of a project that is being drafted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from quire.domain.drafting.run_metrics import StepRecord


class DraftState(Enum):
    """What Quire is doing; always visible to the writer."""

    NO_MODEL = "no model"
    IDLE = "idle"
    LOADING = "loading"
    READING = "reading"
    DRAFTING = "drafting"
    PAUSING = "pausing"
    PAUSED = "paused"
    FINISHED = "finished"
    FAILED = "failed"


class DraftProblem(Enum):
    """A problem that paused a draft and that the writer can do something about."""

    MEMORY = "memory"
    DEVICE = "device"
    MODEL = "model"
    SERVER = "server"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class DraftStatus:
    """A state and its message.

    Attributes:
        sentence: a notice, or what went wrong and what to do; fit to show.
        read_fraction: while READING, how much of the manuscript the model has read, from 0 to 1.
        load_fraction: while LOADING, how much of the weights was read.
        is_preparing: while LOADING, what computes is made for this processor; load_fraction is of that.
        is_checking: while LOADING, the weights are read and a model that is new here is tested.
        read_left_s: how long the rest of the reading will take at this speed; None while unknown.
        trouble: why it paused, if for lack of memory, or for a GPU, a model, a server or a project file that
            failed.
        is_waiting: a server is being tried again; the sentence passes with that.
    """

    state: DraftState
    sentence: str = ""
    read_fraction: float = 0.0
    read_left_s: float | None = None
    trouble: DraftProblem | None = None
    load_fraction: float = 0.0
    is_checking: bool = False
    is_preparing: bool = False
    is_waiting: bool = False


@dataclass(frozen=True, slots=True)
class DraftProgress:
    """How far a run is.

    Attributes:
        num_words, tokens: in the run so far, including those before earlier pauses, and the last word, which
            may not be whole.
        steps: every step since the last report.
        drafting_s: time spent drafting since the run was started or resumed, without reading.
        run_id: which run it is.
    """

    num_words: int
    goal_words: int
    tokens: int
    drafting_s: float
    steps: tuple[StepRecord, ...] = ()
    run_id: int = 0
