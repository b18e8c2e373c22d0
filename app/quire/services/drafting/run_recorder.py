"""Stores what a run generates while it keeps generating."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from quire.domain.drafting.run import Chunk, Run, RunState, joined
from quire.domain.drafting.run_metrics import StepRecord
from quire.errors import WriterProblem
from quire.services.project.project_session import ProjectSession
from quire.storage.storage_thread import until_done
from quire.system.throttle import Throttle
from quire_engine.api.messages import FinishReason, GenerationStarted

STORE_EVERY_S = 0.2
"""How often a commit begins; with the time it takes, text is stored within 250 ms of being shown."""


class RunRecorder:
    """Collects the steps of a run and commits them in groups, one commit at a time, while events are read.

    saved: called after each commit. failed: called once, when storing failed; what is not stored is kept
    and nothing more is tried until end().
    """

    def __init__(
        self,
        store: ProjectSession,
        run_id: int,
        saved: Callable[[], None],
        failed: Callable[[WriterProblem], None],
    ) -> None:
        self._store = store
        self._run_id = run_id
        self._saved = saved
        self._failed = failed
        self._broken = False
        self._token_ids: list[int] = []
        self._texts: list[str] = []
        self._steps: list[StepRecord] = []
        self._refused: Chunk | None = None  # by the disk; before the steps
        self._commit: asyncio.Task[None] | None = None
        self._clock = Throttle(STORE_EVERY_S, self._begin_commit)

    async def begin(self, started: GenerationStarted) -> None:
        """Store the prompt as the model reads it, before any step: a resume needs it."""
        await self._try_to_store(self._store.save_prompt(started))

    def add(self, step: StepRecord, token_ids: Sequence[int], text: str) -> None:
        """Add a step, which is stored soon."""
        self._token_ids += token_ids
        self._texts.append(text)
        self._steps.append(step)
        if not self._broken:
            self._clock.request()

    async def store_now(self) -> None:
        """Store every step so far; when storing has failed, do nothing."""
        for _ in range(2):  # a commit in progress holds what came before it, the next one the rest
            self._begin_commit()
            if self._commit is not None:
                await until_done(self._commit)

    async def end(self, state: RunState, reason: FinishReason | None, error: str) -> Run:
        """Store the rest and how the run ended; WriterProblem when that fails, and the store then keeps
        both."""
        self._clock.cancel()
        while self._commit is not None:  # a commit that ends may have requested the next one
            await until_done(self._commit)  # one that raised has put back what it did not store
            self._clock.cancel()
        run = await self._store.end_run(self._run_id, state, self._next_chunk(), reason=reason, error=error)
        self._saved()
        return run

    def _begin_commit(self) -> None:
        if self._commit is not None or self._broken:
            return  # the commit in progress requests again when done; after a failure all waits for end()
        # taken now, not when the task first runs: a step in between checks the clock again, and
        # nothing may be left to store when that request comes due
        if (chunk := self._next_chunk()) is not None:
            self._commit = asyncio.ensure_future(self._append(chunk))

    async def _append(self, chunk: Chunk) -> None:
        stored = False
        try:
            stored = await self._try_to_store(self._store.append(self._run_id, chunk))
        finally:
            self._commit = None
            if not stored:
                self._refused = chunk
        if stored:
            if self._steps:
                self._clock.request()
            self._saved()

    def _next_chunk(self) -> Chunk | None:
        """Return what is not stored, which from here on the caller has to store or put back."""
        chunks = [] if self._refused is None else [self._refused]
        if self._steps:
            steps = tuple(self._steps)
            step_ms = sum(step.step_ms for step in steps)
            text = "".join(self._texts)
            chunks.append(
                Chunk(tuple(self._token_ids), text, steps[-1].num_words, len(steps), step_ms, steps)
            )
        self._refused = None
        for pending in (self._token_ids, self._texts, self._steps):
            pending.clear()
        return joined(chunks) if chunks else None

    async def _try_to_store(self, storing: Coroutine[Any, Any, None]) -> bool:
        try:
            await storing
        except WriterProblem as problem:
            self._give_up(problem)
        except Exception as error:  # noqa: BLE001  drafting must not run on past what cannot be stored
            self._give_up(
                WriterProblem(
                    "The draft could not be saved because of a bug in Quire ({error}).", error=repr(error)
                )
            )
        else:
            return True
        return False

    def _give_up(self, problem: WriterProblem) -> None:
        self._broken = True
        self._failed(problem)
