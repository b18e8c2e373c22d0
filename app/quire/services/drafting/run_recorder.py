"""Stores what a run generates while it goes on generating."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import Any, Protocol

from quire.domain.drafting.run import Chunk, Run, RunState, joined
from quire.domain.drafting.run_metrics import StepRecord, record_of
from quire.errors import WriterProblem
from quire.storage.storage_thread import until_done
from quire.system.throttle import Throttle
from quire_engine.api.messages import FinishReason, GenerationStarted, StepCompleted

STORE_EVERY_S = 0.2
"""How often a commit begins; with the time it takes, text is stored within 250 ms of being shown."""


class RunStore(Protocol):
    """Where a run is stored; a ProjectSession."""

    async def save_prompt(self, run: Run, prompt_ids: Sequence[int]) -> None:
        """Store the text that a run begins on as the model reads it."""
        ...

    async def append(self, run: Run, chunk: Chunk) -> None:
        """Store what a run generated last; run carries the counters as they are with it."""
        ...

    async def merge_drafted_text(
        self, run: Run, chunk: Chunk | None, prompt_ids: Sequence[int] | None
    ) -> Run:
        """Store how a run ended, its last words and, if need be, its prompt; when that fails all are kept."""
        ...


class DraftRecorder:
    """Collects steps and commits them in groups, one commit at a time, beside the reading of events.

    saved: called after each commit. failed: called once, when storing failed; what is not stored is kept
    and nothing more is tried until end().
    """

    def __init__(
        self, session: RunStore, run: Run, saved: Callable[[], None], failed: Callable[[WriterProblem], None]
    ) -> None:
        self._session = session
        self._run = run
        self._saved = saved
        self._failed = failed
        self._broken = False
        self._unstored_prompt: tuple[int, ...] | None = None
        self._pending: list[Chunk] = []
        self._commit: asyncio.Task[None] | None = None
        self._clock = Throttle(STORE_EVERY_S, self._begin_commit)

    async def begun(self, started: GenerationStarted) -> None:
        """Store the prompt as the model reads it, before any step: a resume needs it."""
        self._run = replace(
            self._run,
            num_prompt=len(started.prompt_ids),
            num_left_out=started.num_left_out,
            reading=started.reading,
        )
        if started.rollover and self._run.model is not None:
            model = replace(self._run.model, rollover=started.rollover)
            self._run = replace(self._run, model=model)
        if not await self._try_to_store(self._session.save_prompt(self._run, started.prompt_ids)):
            self._unstored_prompt = started.prompt_ids

    def changed_at(self, num_tokens: int) -> None:
        """Keep that from this token on the run goes on where its past would have been another one."""
        self._run = replace(self._run, changed_at=(*self._run.changed_at, num_tokens))

    def add(self, step: StepCompleted) -> StepRecord:
        """Take a step, which is stored soon; return what is kept of it."""
        record = record_of(step)
        chunk = Chunk(step.token_ids, step.text, step.num_words, 1, step.step_ms, (record,))
        self._pending.append(chunk)
        if not self._broken:
            self._clock.request()
        return record

    async def store_now(self) -> None:
        """Store every step so far; when storing has failed, do nothing."""
        for _ in range(2):  # a commit that goes on holds what came before it, the next one the rest
            self._begin_commit()
            if self._commit is not None:
                await until_done(self._commit)

    async def end(self, state: RunState, reason: FinishReason | None, error: str) -> Run:
        """Store the rest and how the run ended; WriterProblem when that fails; the session then keeps
        both."""
        self._clock.cancel()
        while self._commit is not None:  # a commit that ends may have asked for the next one
            await until_done(self._commit)  # one that raised has put back what it did not store
            self._clock.cancel()
        chunk = self._taken()
        run = self._run if chunk is None else self._run.grown_by(chunk)
        ended = run.moved_to(state, reason=reason, error=error)
        run = await self._session.merge_drafted_text(ended, chunk, self._unstored_prompt)
        self._saved()
        return run

    def _begin_commit(self) -> None:
        if self._commit is not None or self._broken:
            return  # the commit that is going on asks again when it is done; a broken one waits for end()
        # taken now and not when the task has its first turn: a step in between asks the clock again, and
        # nothing may be left to store when that request comes due
        if (chunk := self._taken()) is not None:
            self._commit = asyncio.ensure_future(self._store(chunk))

    async def _store(self, chunk: Chunk) -> None:
        run, stored = self._run.grown_by(chunk), False
        try:
            stored = await self._try_to_store(self._session.append(run, chunk))
        finally:
            self._commit = None
            if stored:
                self._run = run
            else:
                self._pending.insert(0, chunk)
        if stored:
            if self._pending:
                self._clock.request()
            self._saved()

    def _taken(self) -> Chunk | None:
        """Return what is not stored, which from here on the caller has to store or put back."""
        if not self._pending:
            return None
        chunk = joined(self._pending)
        self._pending.clear()
        return chunk

    async def _try_to_store(self, storing: Coroutine[Any, Any, None]) -> bool:
        try:
            await storing
        except WriterProblem as problem:
            self._give_up(problem)
        except Exception as error:  # noqa: BLE001  drafting must not run on past what cannot be stored
            self._give_up(
                WriterProblem(
                    "The draft could not be stored because of a fault in Quire ({error}).", error=repr(error)
                )
            )
        else:
            return True
        return False

    def _give_up(self, problem: WriterProblem) -> None:
        self._broken = True
        self._failed(problem)
