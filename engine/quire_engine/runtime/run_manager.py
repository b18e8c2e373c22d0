"""The runs on one model: what they tell, and what stays of the last one, so that it can go on at once."""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Iterator
from dataclasses import dataclass

from quire_engine.api.config import Goal
from quire_engine.api.context_rules import rollover_of
from quire_engine.api.errors import EnvironmentProblem, OutOfMemory, is_out_of_memory
from quire_engine.api.messages import (
    CacheKept,
    CacheNotKept,
    DraftingTroubled,
    FinishReason,
    GenerationFinished,
    GenerationPaused,
    GenerationStarted,
    KeepCache,
    PauseReason,
    ReadingProgressed,
    ResumeChecked,
    ResumeGeneration,
    StepCompleted,
    StepWithheld,
)
from quire_engine.decoding.prefill_plan import CachedText
from quire_engine.prompt.tokenization import Detokenizer
from quire_engine.runtime.engine_thread import Begin, RunEvent
from quire_engine.runtime.loaded_model import LoadedModel
from quire_engine.runtime.run_start import Beginning, PreviousRun, begin, keep, prompt_of
from quire_engine.runtime.session import DraftingSession, SessionStep
from quire_engine.runtime.stop_conditions import GoalMonitor


class Runs:
    """Runs on one model, one at a time; the last one stays, so that its text need not be read again."""

    def __init__(self, loaded: LoadedModel) -> None:
        self._loaded = loaded
        self._last: PreviousRun | None = None

    def run(self, command: Begin) -> Iterator[RunEvent]:
        """Yield what happens in a run, until its goal is reached; it may be left at any event.

        OutOfMemory when memory ran out; what was held of the text has been given back then.
        """
        try:
            yield from self._run(command)
        except GeneratorExit:  # paused: the model holds the text up to the last event
            raise
        except BaseException as error:
            self._last = None
            if is_out_of_memory(error):
                # what stands on the stack of the failed pass is most of what it took
                traceback.clear_frames(error.__traceback__)
                self._loaded.target.release()
                raise OutOfMemory(_told_of_memory(command)) from None
            raise

    @property
    def last_text(self) -> CachedText | None:
        """What the model holds of the last run's text, as token ids; None where that is not certain."""
        return None if self._last is None else self._last.session.held(rows_repeat=False)

    def keep_cache(self, command: KeepCache) -> CacheKept | CacheNotKept:
        """Write what the model holds of the last run to a file."""
        if self._last is None or self._last.run_id != command.run_id:
            return CacheNotKept(command.run_id, "Nothing of this run is in memory that could be kept.")
        try:
            num_bytes = keep(self._loaded, self._last, command.path)
        except EnvironmentProblem as problem:
            return CacheNotKept(command.run_id, str(problem))
        return CacheKept(command.run_id, command.path, num_bytes)

    def _run(self, command: Begin) -> Iterator[RunEvent]:
        deadline_s = _deadline(command.goal)
        prompt = prompt_of(self._loaded, command)
        generated = command.generated_ids if isinstance(command, ResumeGeneration) else ()
        goal = GoalMonitor(command.goal)
        writer = _Writer(Detokenizer(self._loaded.tokenizer, prompt.token_ids), goal)
        rule = rollover_of(prompt.num_front) if prompt.num_front else ""
        if writer.has_all(generated):
            reading = command.reading if isinstance(command, ResumeGeneration) else ()
            yield GenerationStarted(
                command.run_id, prompt.token_ids, prompt.num_left_out, reading, rollover=rule
            )
            yield GenerationFinished(command.run_id, len(generated), goal.reason or FinishReason.GOAL)
            return
        last, self._last = self._last, None  # a beginning that fails leaves the model in no certain state
        begun = begin(self._loaded, command, prompt, last)
        self._last = begun.run
        yield GenerationStarted(
            command.run_id,
            prompt.token_ids,
            prompt.num_left_out,
            begun.reading,
            begun.num_reused,
            begun.notice,
            prompt.counts,
            rule,
        )
        yield from self._write(command.run_id, begun, writer, deadline_s)

    def _write(self, run_id: int, begun: Beginning, writer: _Writer, deadline_s: float) -> Iterator[RunEvent]:
        session, run = begun.run.session, begun.run
        must_check = begun.must_check
        while True:
            if session.must_read:
                for num_read, num_total in session.read():
                    yield ReadingProgressed(run_id, num_read, num_total)
            if must_check:
                checked = session.verify_resume()
                yield ResumeChecked(run_id, checked.num_checked, checked.first_difference)
                must_check = False
            yield from _troubles(run_id, session)
            step = session.step()
            told, reason = writer.take(step)
            for part in told:
                run.num_written += len(part.token_ids)
                yield _completed(run_id, part)
            if reason is not None:
                yield from _troubles(run_id, session)
                yield GenerationFinished(run_id, run.num_written, reason)
                return
            if time.monotonic() >= deadline_s:
                yield GenerationPaused(run_id, run.num_written, PauseReason.TIME)
                return
            if not told:
                yield StepWithheld(run_id, len(step.token_ids))


@dataclass(slots=True)
class _Part:
    """A step and what of its tokens is told. first: place of its first token in the run's generated text.

    texts: what each token adds. num_words: whole words in the run after each.
    """

    step: SessionStep
    first: int
    token_ids: tuple[int, ...]
    texts: list[str]
    num_words: list[int]

    @property
    def end(self) -> int:
        return self.first + len(self.token_ids)

    def up_to(self, place: int) -> _Part:
        """Return the part without what stands from a place on."""
        count = place - self.first
        return _Part(
            self.step, self.first, self.token_ids[:count], self.texts[:count], self.num_words[:count]
        )


class _Writer:
    """Turns a run's tokens into text, and knows where it ends and what must wait to be told."""

    def __init__(self, detokenizer: Detokenizer, goal: GoalMonitor) -> None:
        self._detokenizer = detokenizer
        self._goal = goal
        self._num_taken = 0
        self._waiting: list[_Part] = []

    def has_all(self, generated_ids: tuple[int, ...]) -> bool:
        """Take the tokens of a run that goes on; True when its goal is reached among them."""
        self._num_taken = len(generated_ids)
        return any(self._goal.skip(self._detokenizer.add((token_id,))) for token_id in generated_ids)

    def take(self, step: SessionStep) -> tuple[list[_Part], FinishReason | None]:
        """Take a step; return what is told now, in order, and why the run ends if it does.

        Stop rules look at one token at a time; what a pass wrote beyond the goal is thrown away, and so is
        the mark that ends a text.
        """
        tokens = step.token_ids[:-1] if step.ended else step.token_ids
        part = _Part(step, self._num_taken, (), [], [])
        for count, token_id in enumerate(tokens, start=1):
            text = self._detokenizer.add((token_id,))
            is_end = self._goal.add(text)
            part.texts.append(text)
            part.num_words.append(self._goal.num_words)
            part.token_ids = tokens[:count]
            if is_end:
                break
        self._num_taken = part.end
        self._waiting.append(part)
        reason = self._goal.reason
        heading = self._goal.heading
        if reason is FinishReason.HEADING:
            return [one.up_to(heading.first) for one in self._waiting if one.first < heading.first], reason
        if reason is None and step.ended:
            reason = FinishReason.END_OF_TEXT
        sure = self._num_taken if reason is not None else self._num_taken - heading.num_open
        told = [one for one in self._waiting if one.end <= sure]
        self._waiting = self._waiting[len(told) :]
        return told, reason


def _troubles(run_id: int, session: DraftingSession) -> Iterator[RunEvent]:
    for message in session.pop_warnings():
        yield DraftingTroubled(run_id, message)


def _completed(run_id: int, part: _Part) -> StepCompleted:
    """Describe a step by what was kept of it; drafts beyond the goal were neither accepted nor kept."""
    step = part.step
    accepted = step.accepted_sources[: len(part.token_ids)]
    return StepCompleted(
        run_id=run_id,
        token_ids=part.token_ids,
        text="".join(part.texts),
        num_words=part.num_words[-1] if part.num_words else 0,
        draft_depth=step.draft_depth,
        num_accepted=len(accepted),
        step_ms=step.draft_ms + step.verify_ms + step.rest_ms,
        margin=step.margin,
        num_drafted=step.num_drafted,
        accepted_sources=accepted,
        draft_ms=step.draft_ms,
        verify_ms=step.verify_ms,
        token_chars=tuple(map(len, part.texts)),
    )


def _deadline(goal: Goal) -> float:
    return math.inf if goal.minutes is None else time.monotonic() + 60 * goal.minutes


def _told_of_memory(command: Begin) -> str:
    """Return what happened and what to do."""
    cures = ["close other programs", "choose a smaller goal or a model that is smaller or holds less text"]
    drafting = command.drafting
    if drafting.method == "tokenswift" and (not drafting.drafters or "partial" in drafting.drafters):
        cures.insert(1, "choose a smaller partial cache")
    return (
        "There is not enough memory to go on with a text of this length, so the draft was paused. Everything "
        f"written is kept. To go on, {', or '.join((', '.join(cures[:-1]), cures[-1]))}."
    )
