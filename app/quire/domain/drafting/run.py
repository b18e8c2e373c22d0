"""One resumable generation, without Qt, SQL or a model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import Enum

from quire.domain.drafting.run_metrics import StepRecord
from quire_engine.api.config import SamplingConfig
from quire_engine.api.messages import FinishReason, GenerationStarted
from quire_engine.api.model_identity import ModelIdentity


class RunState(Enum):
    """The state of a run; the values are what the project file stores.

    A run found RUNNING when its project is opened was interrupted: it becomes PAUSED.
    """

    NEW = "new"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    FAILED = "failed"


_TEXTS, _STARTS = "texts", "starts"
_NEXT_STATES = {
    RunState.NEW: {RunState.RUNNING},
    RunState.RUNNING: {RunState.PAUSED, RunState.FINISHED, RunState.FAILED},
    RunState.PAUSED: {RunState.RUNNING},
    RunState.FINISHED: {RunState.RUNNING},
    RunState.FAILED: {RunState.RUNNING},
}


@dataclass(frozen=True, slots=True)
class Run:
    """A generation in one document; its tokens, seed and settings let it be resumed anywhere.

    Attributes:
        goal_words: where the run ends by itself, counted from its beginning.
        goal_start: the words the run had when that goal was set by asking for more.
        take_id: the take that it writes; None where the text has no alternative.
        num_prompt: tokens of the text it began on, as the model read it; 0 until the model has begun.
        prefill_plan: how the model read them (see GenerationStarted).
        num_tokens, num_words: generated and stored so far.
        base_digest, end_digest: of the text it began on, and of the text as the run left it last.
        num_left_out: tokens at the front of the text that did not fit the context.
        changed_at: token counts at which it was resumed on a computer that computes differently.
        error: why it FAILED, fit to show.
        diverged: the writer changed text that the model had read, so the run has other words cached.
        steering: digest of the prompt around the text; empty where there was none.
        asked: the writer's other choices, by name, and where earlier requests and chapters began.
        pauses: token counts at which it paused.
        created, updated: when it was stored first and last, in UTC; None before.
        damaged: its record, or what it began on or wrote, is not as it was stored: it cannot be resumed.
    """

    run_id: int
    document_id: int
    sampling: SamplingConfig
    goal_words: int
    base_digest: str
    end_digest: str
    state: RunState = RunState.NEW
    goal_start: int = 0
    model: ModelIdentity | None = None
    take_id: int | None = None
    num_prompt: int = 0
    prefill_plan: tuple[int, ...] = ()
    num_tokens: int = 0
    num_words: int = 0
    read_tail: bool = False
    num_left_out: int = 0
    finish_reason: FinishReason | None = None
    changed_at: tuple[int, ...] = ()
    error: str = ""
    diverged: bool = False
    steering: str = ""
    asked: Mapping[str, str] = field(default_factory=dict)
    pauses: tuple[int, ...] = ()
    created: datetime | None = None
    updated: datetime | None = None
    damaged: bool = False

    def __post_init__(self) -> None:
        if self.goal_words < 1:
            raise ValueError(f"goal_words must be 1 or more, got {self.goal_words}")

    @property
    def texts(self) -> tuple[int, ...]:
        """The texts that it wrote into, in that order: the first, and chapters that it made."""
        return _numbers(self.asked.get(_TEXTS, "")) or (self.document_id,)

    @property
    def starts(self) -> tuple[int, ...]:
        """How many characters it had written when each request for more began, the first one first."""
        return (0, *_numbers(self.asked.get(_STARTS, "")))

    def asked_for_more(self, num_chars: int) -> Run:
        """Return the run with another request, which begins after so many characters."""
        starts = [start for start in self.starts[1:] if start < num_chars]
        return replace(self, asked={**self.asked, _STARTS: " ".join(map(str, [*starts, num_chars]))})

    def wrote_into(self, *texts: int) -> Run:
        """Return the run with other texts that it wrote into."""
        return replace(self, asked={**self.asked, _TEXTS: " ".join(map(str, texts))})

    def turned_to(self, document_id: int) -> Run:
        """Return the run as it continues in a new text, which is part of the same take."""
        return replace(self.wrote_into(*self.texts, document_id), document_id=document_id)

    @property
    def started(self) -> bool:
        """Whether the model has begun; before that the run exists as a request only."""
        return self.num_prompt > 0

    def moved_to(self, state: RunState, *, reason: FinishReason | None = None, error: str = "") -> Run:
        """Return the run in a new state; the only place that decides which transitions are valid."""
        if state not in _NEXT_STATES[self.state]:
            raise ValueError(f"run {self.run_id} cannot go from {self.state.value} to {state.value}")
        pauses = self.pauses
        if state is RunState.RUNNING and self.num_tokens and self.num_tokens not in pauses:
            pauses = (*pauses, self.num_tokens)
        return replace(self, state=state, finish_reason=reason, error=error, pauses=pauses)

    def aiming_at(self, goal_words: int, *, more: bool) -> Run:
        """Return the run with a goal: a total of words or, with more, beyond where the last goal was set.

        A finished run grows from where it ended; an unfinished one keeps the place it grows from, so that
        asking for the same number again after a pause does not move the goal.
        """
        if not more:
            return replace(self, goal_words=goal_words, goal_start=0)
        start = self.goal_start
        if self.state is RunState.FINISHED:
            start = self.num_words if self.ended_early else max(self.num_words, self.goal_words)
        if start + goal_words <= self.num_words:
            start = self.num_words
        return replace(self, goal_words=start + goal_words, goal_start=start)

    @property
    def ended_early(self) -> bool:
        """Whether it ended at a heading or a phrase, before the requested words."""
        return self.finish_reason in (FinishReason.HEADING, FinishReason.PHRASE)

    def has_words(self, goal_words: int) -> bool:
        """Whether it has this many words and nothing is left to write for them.

        A run that was interrupted past its goal still has to finish its sentence.
        """
        complete = self.state is RunState.FINISHED or goal_words < self.goal_words
        return complete and self.num_words >= goal_words

    def started_on(self, started: GenerationStarted) -> Run:
        """Return the run with its prompt as the model read it."""
        model = self.model
        if started.rollover and model is not None:
            model = replace(model, rollover=started.rollover)
        return replace(
            self,
            model=model,
            num_prompt=len(started.prompt_ids),
            num_left_out=started.num_left_out,
            prefill_plan=started.prefill_plan,
        )

    def grown_by(self, chunk: Chunk) -> Run:
        """Return the run with its counters after a chunk."""
        num_tokens = self.num_tokens + len(chunk.token_ids)
        return replace(self, num_tokens=num_tokens, num_words=chunk.num_words)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Steps of a run that are stored together.

    Attributes:
        num_words: whole words in the run after this chunk.
        step_ms: time of all its steps.
        steps: a record of each; empty where none was kept (projects of format 1).
    """

    token_ids: tuple[int, ...]
    text: str
    num_words: int
    num_steps: int
    step_ms: float
    steps: tuple[StepRecord, ...] = ()


def joined(chunks: Sequence[Chunk]) -> Chunk:
    """Return consecutive chunks as one; there must be at least one."""
    return Chunk(
        token_ids=tuple(token for chunk in chunks for token in chunk.token_ids),
        text="".join(chunk.text for chunk in chunks),
        num_words=chunks[-1].num_words,
        num_steps=sum(chunk.num_steps for chunk in chunks),
        step_ms=sum(chunk.step_ms for chunk in chunks),
        steps=tuple(step for chunk in chunks for step in chunk.steps),
    )


def _numbers(text: str) -> tuple[int, ...]:
    """Return the numbers that are stored in a text; none where something else is."""
    words = text.split()
    return tuple(map(int, words)) if all(re.fullmatch("[0-9]{1,18}", word) for word in words) else ()
