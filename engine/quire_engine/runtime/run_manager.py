"""The runs on one model, their events, and what is kept of the last run so that it can resume at once."""

from __future__ import annotations

import math
import time
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import replace

from quire_engine.api.config import Goal
from quire_engine.api.context_rules import context_rule
from quire_engine.api.errors import EnvironmentProblem, OutOfMemory, is_out_of_memory
from quire_engine.api.known_texts import TextsCounted
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
from quire_engine.api.user_message import UserMessage, joined
from quire_engine.decoding.prefill_plan import CachedText
from quire_engine.decoding.token_stream import Step
from quire_engine.drafting.planner import Planner
from quire_engine.prompt.tokenization import Detokenizer
from quire_engine.runtime.engine_thread import RunEvent, StartCommand
from quire_engine.runtime.loaded_model import LoadedModel
from quire_engine.runtime.run_start import PreviousRun, RunStart, keep, prompt_of, start_run
from quire_engine.runtime.session import DraftingSession
from quire_engine.runtime.stop_conditions import GoalMonitor

_MEMORY_RAN_OUT = UserMessage(
    "There isn't enough memory to continue a text of this length, so the draft was paused. Your text "
    "is saved. Close other programs, or choose a shorter goal or a smaller model."
)
_MOST_PLANNERS = 4


class Runs:
    """Runs on one model, one at a time; the last one keeps its KV cache, so that it need not be prefilled
    again."""

    def __init__(self, loaded: LoadedModel) -> None:
        self._loaded = loaded
        self._last: PreviousRun | None = None
        self._planners: list[
            Planner
        ] = []  # of earlier drafts, one of each drafting settings, the newest last

    def run(self, command: StartCommand) -> Iterator[RunEvent]:
        """Yield the events of a run until it ends; the caller may stop at any event.

        Raises OutOfMemory when memory runs out; the run's KV cache is released by then.
        """
        try:
            yield from self._run(command)
        except GeneratorExit:  # paused: the model holds the text up to the last event
            raise
        except BaseException as error:
            self._last = None
            if is_out_of_memory(error):
                # what is on the stack of the failed pass is most of what it took
                traceback.clear_frames(error.__traceback__)
                self._loaded.target.release()
                if self._loaded.draft_model is not None:
                    self._loaded.draft_model.release()
                raise OutOfMemory(_out_of_memory_message(command)) from None
            raise

    @property
    def last_text(self) -> CachedText | None:
        """The text in the KV cache, as token ids; None if it is not certain."""
        return None if self._last is None else self._last.session.cached_text(rows_repeat=False)

    def keep_cache(self, command: KeepCache) -> CacheKept | CacheNotKept:
        """Write the KV cache of the last run to a file."""
        if self._last is None or self._last.run_id != command.run_id:
            return CacheNotKept(
                command.run_id, UserMessage("The model is no longer loaded, so there is nothing to save.")
            )
        try:
            num_bytes = keep(self._loaded, self._last, command.path)
        except EnvironmentProblem as problem:
            return CacheNotKept(command.run_id, problem.message)
        return CacheKept(command.run_id, command.path, num_bytes)

    def _run(self, command: StartCommand) -> Iterator[RunEvent]:
        deadline_s = _deadline(command.goal)
        prompt = prompt_of(self._loaded, command)
        generated = command.generated_ids if isinstance(command, ResumeGeneration) else ()
        goal = GoalMonitor(command.goal)
        detokenizer = Detokenizer(self._loaded.tokenizer, prompt.token_ids)
        writer = _StepWriter(command.run_id, detokenizer, goal)
        rule = context_rule(prompt.num_front) if prompt.num_front else ""
        if writer.resume(generated):
            prefill_plan = command.prefill_plan if isinstance(command, ResumeGeneration) else ()
            yield GenerationStarted(
                command.run_id, prompt.token_ids, prompt.num_left_out, prefill_plan, rollover=rule
            )
            yield GenerationFinished(command.run_id, len(generated), goal.reason or FinishReason.GOAL)
            return
        last, self._last = self._last, None  # a start that fails leaves the model in no certain state
        if last is not None and last.session.planner is not None:
            self._remember(last.session.planner)
        before = next((one for one in self._planners if one.config == command.drafting), None)
        started = start_run(self._loaded, command, prompt, last, before)
        del last  # and with it the memory of its drafters
        self._last = started.run
        yield GenerationStarted(
            command.run_id,
            prompt.token_ids,
            prompt.num_left_out,
            started.prefill_plan,
            started.num_reused,
            started.notice,
            prompt.counts,
            rule,
            writer.after_return,
        )
        if started.counted:
            yield TextsCounted(command.run_id, started.counted)
        yield from self._write(command.run_id, started, writer, deadline_s)

    def _remember(self, planner: Planner) -> None:
        """Keep what a draft has measured, also while others are plain or drafted with other settings."""
        others = [one for one in self._planners if one.config != planner.config]
        self._planners = [*others, planner.without_drafters()][-_MOST_PLANNERS:]

    def _write(
        self, run_id: int, started: RunStart, writer: _StepWriter, deadline_s: float
    ) -> Iterator[RunEvent]:
        session, run = started.run.session, started.run
        must_check = started.must_check
        while True:
            if session.must_read:
                for num_read, num_total in session.read():
                    yield ReadingProgressed(run_id, num_read, num_total)
            if must_check:
                checked = session.verify_resume()
                yield ResumeChecked(run_id, checked.num_checked, checked.first_difference)
                must_check = False
            yield from _warnings(run_id, session)
            step = session.step()
            completed, reason = writer.add(step)
            for event in completed:
                run.num_written += len(event.token_ids)
                yield event
            if reason is not None:
                yield from _warnings(run_id, session)
                yield GenerationFinished(run_id, run.num_written, reason)
                return
            if time.monotonic() >= deadline_s:
                yield GenerationPaused(run_id, run.num_written, PauseReason.TIME)
                return
            if not completed:
                yield StepWithheld(run_id, len(step.token_ids))


class _StepWriter:
    """Turns the steps of a run into StepCompleted, and finds where the run ends.

    Steps whose text may be the heading at which the run ends are withheld until that is decided.

    Attributes:
        after_return: the stored text of a resumed run ends with a carriage return.
    """

    def __init__(self, run_id: int, detokenizer: Detokenizer, goal: GoalMonitor) -> None:
        self._run_id = run_id
        self._detokenizer = detokenizer
        self._goal = goal
        self._num_tokens = 0
        self._withheld: list[StepCompleted] = []
        self._num_words: list[int] = []  # whole words in the run after each withheld token
        self.after_return = False

    def resume(self, generated_ids: tuple[int, ...]) -> bool:
        """Add the stored tokens of a resumed run; True when its goal is reached among them."""
        self._num_tokens = len(generated_ids)
        return any(self._goal.skip(self._read_again(token_id)) for token_id in generated_ids)

    def add(self, step: Step) -> tuple[list[StepCompleted], FinishReason | None]:
        """Add a step; return the steps that are certain by now, in order, and why the run ends if it does.

        Stop rules look at one token at a time; what a pass wrote beyond the goal is dropped, and so is the
        token that ends a text.
        """
        texts: list[str] = []
        for token_id in step.token_ids[:-1] if step.ended else step.token_ids:
            texts.append(self._detokenizer.add((token_id,)))
            is_end = self._goal.add(texts[-1])
            self._num_words.append(self._goal.num_words)
            if is_end:
                break
        self._num_tokens += len(texts)
        self._withheld.append(_completed(self._run_id, step, texts, self._goal.num_words))
        reason = self._goal.reason
        heading = self._goal.heading
        if reason is FinishReason.HEADING:
            return self._released(heading.first, cut=True), reason
        if reason is None and step.ended:
            reason = FinishReason.END_OF_TEXT
        num_open = heading.num_open if reason is None else 0
        return self._released(self._num_tokens - num_open), reason

    def _read_again(self, token_id: int) -> str:
        """Return the text of a stored token, and note whether it leaves half a line end behind."""
        text = self._detokenizer.add((token_id,))
        if text:
            self.after_return = text.endswith("\r")
        return text

    def _released(self, end: int, *, cut: bool = False) -> list[StepCompleted]:
        """Return the withheld steps up to a token of the run; cut: with the first part of the one it is
        in."""
        released: list[StepCompleted] = []
        num_left = end - (self._num_tokens - len(self._num_words))
        while self._withheld and len(self._withheld[0].token_ids) <= num_left:
            step = self._withheld.pop(0)
            del self._num_words[: len(step.token_ids)]
            num_left -= len(step.token_ids)
            released.append(step)
        if cut and num_left and self._withheld:
            released.append(_first_part(self._withheld[0], num_left, self._num_words[num_left - 1]))
        return released


def _warnings(run_id: int, session: DraftingSession) -> Iterator[RunEvent]:
    for message in session.pop_warnings():
        yield DraftingTroubled(run_id, message)


def _completed(run_id: int, step: Step, texts: Sequence[str], num_words: int) -> StepCompleted:
    """Return a step with the text of its tokens; texts is shorter where the goal is among them."""
    accepted = step.accepted_sources[: len(texts)]
    return StepCompleted(
        run_id=run_id,
        token_ids=step.token_ids[: len(texts)],
        text="".join(texts),
        num_words=num_words,
        draft_depth=step.draft_depth,
        num_accepted=len(accepted),
        step_ms=step.draft_ms + step.verify_ms + step.rest_ms,
        margin=step.margin,
        num_drafted=step.num_drafted,
        accepted_sources=accepted,
        draft_ms=step.draft_ms,
        verify_ms=step.verify_ms,
        token_chars=tuple(map(len, texts)),
    )


def _first_part(step: StepCompleted, num_tokens: int, num_words: int) -> StepCompleted:
    """Return a step without the tokens after the first ones."""
    token_chars = step.token_chars[:num_tokens]
    accepted = step.accepted_sources[:num_tokens]
    return replace(
        step,
        token_ids=step.token_ids[:num_tokens],
        text=step.text[: sum(token_chars)],
        num_words=num_words,
        num_accepted=len(accepted),
        accepted_sources=accepted,
        token_chars=token_chars,
    )


def _deadline(goal: Goal) -> float:
    return math.inf if goal.minutes is None else time.monotonic() + 60 * goal.minutes


def _out_of_memory_message(command: StartCommand) -> UserMessage:
    """Return what happened and what to do."""
    drafting = command.drafting
    if drafting.method == "tokenswift" and (not drafting.drafters or "partial" in drafting.drafters):
        return joined(_MEMORY_RAN_OUT, UserMessage("A smaller partial cache helps, too."))
    return _MEMORY_RAN_OUT
