"""The runs on one model: what they tell, and what stays of the last one, so that it can go on at once."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

from quire_engine.beginning import Beginning, LastRun, begin, keep, prompt_of
from quire_engine.errors import EnvironmentProblem, is_out_of_memory
from quire_engine.loaded import LoadedModel
from quire_engine.messages import (
    CacheKept,
    CacheNotKept,
    DraftingTroubled,
    FinishReason,
    GenerationFinished,
    GenerationStarted,
    KeepCache,
    ReadingProgressed,
    ResumeChecked,
    ResumeGeneration,
    StepCompleted,
)
from quire_engine.session import DraftingSession, SessionStep
from quire_engine.text import Detokenizer, GoalWatch
from quire_engine.worker import Begin, RunEvent


class Runs:
    """Runs on one model, one at a time; the last one stays, so that its text need not be read again."""

    def __init__(self, loaded: LoadedModel) -> None:
        self._loaded = loaded
        self._last: LastRun | None = None

    def run(self, command: Begin) -> Iterator[RunEvent]:
        """Yield what happens in a run, until its goal is reached; it may be left at any event."""
        try:
            yield from self._run(command)
        except GeneratorExit:  # paused: the model holds the text up to the last event
            raise
        except BaseException:
            self._last = None
            raise

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
        prompt = prompt_of(self._loaded, command)
        generated = command.generated_ids if isinstance(command, ResumeGeneration) else ()
        writer = _Writer(Detokenizer(self._loaded.tokenizer, prompt.token_ids), GoalWatch(command.goal))
        if writer.has_all(generated):
            reading = command.reading if isinstance(command, ResumeGeneration) else ()
            yield GenerationStarted(command.run_id, prompt.token_ids, prompt.num_left_out, reading)
            yield GenerationFinished(command.run_id, len(generated), FinishReason.GOAL)
            return
        last, self._last = self._last, None  # a beginning that fails leaves the model in no certain state
        with _memory_told():
            begun = begin(self._loaded, command, prompt.token_ids, last)
        self._last = begun.run
        yield GenerationStarted(
            command.run_id,
            prompt.token_ids,
            prompt.num_left_out,
            begun.reading,
            begun.num_reused,
            begun.notice,
        )
        yield from self._write(command.run_id, begun, writer)

    def _write(self, run_id: int, begun: Beginning, writer: _Writer) -> Iterator[RunEvent]:
        session, run = begun.run.session, begun.run
        must_check = begun.must_check
        while True:
            if session.must_read:
                with _memory_told():
                    for num_read, num_total in session.read():
                        yield ReadingProgressed(run_id, num_read, num_total)
            if must_check:
                checked = session.decided_again()
                yield ResumeChecked(run_id, checked.num_checked, checked.first_difference)
                must_check = False
            yield from _troubles(run_id, session)
            with _memory_told():
                step = session.step()
            kept, text, done = writer.kept_of(step)
            run.num_written += len(kept)
            yield _completed(run_id, step, kept, text, writer.num_words)
            if done or step.ended:
                reason = FinishReason.GOAL if done else FinishReason.END_OF_TEXT
                yield from _troubles(run_id, session)
                yield GenerationFinished(run_id, run.num_written, reason)
                return


@dataclass(slots=True)
class _Writer:
    """Turns a run's tokens into text, and knows where it ends."""

    detokenizer: Detokenizer
    goal: GoalWatch

    @property
    def num_words(self) -> int:
        return self.goal.num_words

    def has_all(self, generated_ids: tuple[int, ...]) -> bool:
        """Take the tokens of a run that goes on; True when its goal is reached among them."""
        return any(self.goal.add(self.detokenizer.add((token_id,))) for token_id in generated_ids)

    def kept_of(self, step: SessionStep) -> tuple[tuple[int, ...], str, bool]:
        """Return a step's tokens up to the goal, their text, and whether the goal is reached.

        Stop rules look at one token at a time; what a pass wrote beyond the goal is thrown away, and so is
        the mark that ends a text.
        """
        tokens = step.token_ids[:-1] if step.ended else step.token_ids
        text = ""
        for count, token_id in enumerate(tokens, start=1):
            piece = self.detokenizer.add((token_id,))
            text += piece
            if self.goal.add(piece):
                return tokens[:count], text, True
        return tokens, text, False


def _troubles(run_id: int, session: DraftingSession) -> Iterator[RunEvent]:
    for message in session.take_troubles():
        yield DraftingTroubled(run_id, message)


def _completed(
    run_id: int, step: SessionStep, kept: tuple[int, ...], text: str, num_words: int
) -> StepCompleted:
    """Describe a step by what was kept of it; drafts beyond the goal were neither accepted nor kept."""
    accepted = step.accepted_sources[: len(kept)]
    return StepCompleted(
        run_id=run_id,
        token_ids=kept,
        text=text,
        num_words=num_words,
        draft_depth=step.draft_depth,
        num_accepted=len(accepted),
        step_ms=step.draft_ms + step.verify_ms + step.rest_ms,
        margin=step.margin,
        num_drafted=step.num_drafted,
        accepted_sources=accepted,
        draft_ms=step.draft_ms,
        verify_ms=step.verify_ms,
    )


@contextlib.contextmanager
def _memory_told() -> Iterator[None]:
    """Turn what libraries raise when memory runs out into a sentence; they have no one name for it."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        raise EnvironmentProblem(
            "There is not enough memory to go on with a text of this length. Everything written is kept. "
            "Close other programs or choose a smaller model, then continue."
        ) from error
