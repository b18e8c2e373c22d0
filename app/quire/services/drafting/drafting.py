"""Use case: draft until the next pause or the goal, losing nothing on the way."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol, get_args

from quire.client.engine_client import EngineClient
from quire.domain.drafting.draft_goal import engine_goal, going_on, with_goal
from quire.domain.drafting.draft_status import DraftProblem, DraftState, DraftStatus
from quire.domain.drafting.presets import careful, for_model, restart_reason
from quire.domain.drafting.prompt_composition import NOTHING, ComposedPrompt, NextPrompt, PromptReader
from quire.domain.drafting.resume_decision import (
    Decision,
    RestartKind,
    ResumeChoice,
    RunRequest,
    ViewLimits,
    cache_of,
    computes_otherwise,
    decide,
)
from quire.domain.drafting.run import Run, RunState
from quire.domain.manuscript.book_quotes import BookQuotes
from quire.domain.manuscript.manuscript import digest_of
from quire.errors import WriterProblem
from quire.services.drafting.chapter_advancer import Pages
from quire.services.drafting.fast_resume import FastResume
from quire.services.drafting.generation_session import CHANGED, DraftObserver, GenerationSession, told
from quire.services.drafting.model_loads import ModelLoads, ignore_loaded
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.last_draft import num_drafted_chars
from quire.services.transactions.project_text import run_text
from quire.storage.storage_thread import until_done
from quire_engine.api.config import DraftingConfig, Dtype, ModelConfig, SamplingConfig, parts_of_format
from quire_engine.api.known_texts import KnownText
from quire_engine.api.load_progress import LoadStage
from quire_engine.api.messages import (
    LoadProgressed,
    ModelLoaded,
    ModelLoadFailed,
    ResumeGeneration,
    StartGeneration,
)
from quire_engine.api.model_identity import ModelIdentity
from quire_engine.api.sampling_scale import SamplingScale
from quire_engine.api.user_message import UserMessage, joined

__all__ = ["ACCELERATED", "DraftObserver", "Drafting"]

NUM_SEEDS = 2**31
"""Seeds that are drawn are short enough to be typed in again."""

_NOTHING_TO_GO_ON = UserMessage(
    "There is no text to continue. Write or paste an opening first; a few sentences are enough."
)
_ANOTHER_TEXT = UserMessage(
    "Another text was opened before the draft could start. Press Continue to draft in this one."
)
_MAY_DIFFER = UserMessage(
    "Results are not reproducible with this model on this computer: after a pause, the draft may "
    "continue differently."
)


ACCELERATED = DraftingConfig(method="tokenswift")
"""Every drafter that the model has, as long as it is measured to be faster than writing plainly."""


class Steerer(Protocol):
    """What the prompt holds around the story, and how words are sampled."""

    @property
    def sampling(self) -> SamplingConfig:
        """How words are sampled in a new run, whose seed is drawn."""
        ...

    async def next_prompt(self, session: ProjectSession, reader: PromptReader) -> NextPrompt:
        """Return what a draft at the end of the open text sends."""
        ...

    async def restart_reason(self, session: ProjectSession, last: Run | None) -> str:
        """Return why the last run cannot be continued, as a sentence for the writer; empty where it can."""
        ...

    async def run_started(self, session: ProjectSession, run_id: int, composed: ComposedPrompt) -> None:
        """Store that a run starts with what was composed."""
        ...

    async def run_cancelled(self, session: ProjectSession, run_id: int) -> None:
        """Store that a run never started."""
        ...


class Drafting:
    """Drafts one project, one run at a time; what it shows is stored within 250 ms.

    fast_resume is the file from which a paused run can be resumed without reading.

    Attributes:
        acceleration: how fast a run is written, and never what; it may differ from draft to draft.

    Args:
        pages: when a draft moves to a text of its own; None: never.
        steering: what the prompt holds around the story; None: nothing.
        on_loaded: called with each model that was loaded.
    """

    def __init__(
        self,
        client: EngineClient,
        session: ProjectSession,
        observer: DraftObserver,
        model: ModelConfig,
        acceleration: DraftingConfig = ACCELERATED,
        pages: Pages | None = None,
        steering: Steerer | None = None,
        on_loaded: Callable[[ModelLoaded], None] = ignore_loaded,
    ) -> None:
        self._pages, self._steering = pages, steering
        self.acceleration = acceleration
        self._client = client
        self._session = session
        self._observer = observer
        self._model = model
        self._draft_task: asyncio.Task[Run] | None = None
        self._generation: GenerationSession | None = None
        self._pause_wanted = asyncio.Event()
        self._loads = ModelLoads(client, self._pause_wanted, on_loaded)
        cache = Path(model.cache_folder) if model.cache_folder else None
        self.fast_resume = FastResume(client, session.path, cache)
        session.before_close(self.stop)

    async def draft(self, request: RunRequest) -> Run:
        """Continue the last run when text and model are its own, else start a new one on the text.

        Returns the run as it ended, paused, finished or failed; one that could not be continued, because its
        model cannot be loaded, is returned as it was. WriterProblem when the request cannot be met; then
        nothing was started. Cancelling pauses the run and stores it first.
        """
        if self._draft_task is not None:
            raise WriterProblem("A draft is already running. Pause it first.")
        if request.document_id is None:
            request = replace(request, document_id=self._session.document_id)
        self._pause_wanted.clear()
        self._draft_task = asyncio.ensure_future(self._draft(request))
        try:
            return await asyncio.shield(self._draft_task)
        except asyncio.CancelledError:
            await self._stop_for_good(self._draft_task)
            raise
        finally:
            self._draft_task = None

    def pause(self) -> None:
        """Ask for a pause; draft() returns when the engine has reached a step boundary."""
        if self._draft_task is None:
            return
        self._pause_wanted.set()
        if self._generation is not None:
            self._generation.pause()

    @property
    def generation(self) -> GenerationSession | None:
        """The draft that is being written; None while none is."""
        return self._generation

    async def loaded(self, show: Callable[[LoadProgressed], None]) -> ModelLoaded:
        """Load the model, unless it is loaded; WriterProblem where it cannot be or a draft is written."""
        if self._draft_task is not None:
            raise WriterProblem("A draft is running. Pause it first.")
        self._pause_wanted.clear()
        config = self._model if self._loads.loaded is None else self._loads.loaded[0]
        match await self._loads.load(config, show):
            case ModelLoaded() as loaded:
                return loaded
            case ModelLoadFailed(message=message, is_bug=is_bug):
                raise WriterProblem(told(message, is_bug=is_bug))
            case _:
                raise WriterProblem("Loading the model was stopped. Try again.")

    async def free(self) -> None:
        """Release the model's memory; the next draft loads it again and reads the text."""
        if self._draft_task is not None:
            raise WriterProblem("A draft is running. Pause it first.")
        self.fast_resume.invalidate()
        await self._loads.free()

    async def stop(self) -> None:
        """Pause, and wait until the run is stored."""
        if self._draft_task is not None:
            self.pause()
            await asyncio.wait({self._draft_task})

    async def _stop_for_good(self, task: asyncio.Task[Run]) -> None:
        self.pause()
        await until_done(task)  # cancelled again or not, what was written is stored first

    async def _draft(self, request: RunRequest) -> Run:
        await self._session.store_waiting()
        self._refuse_another_text(request)
        story = await self._session.story()
        if not story.strip():
            raise WriterProblem(_NOTHING_TO_GO_ON)
        last = self._last(request, story)
        decision = self._decide(request, story, None)
        if decision.course is ResumeChoice.DONE and last is not None:
            self._observer.status_changed(DraftStatus(_resting_state(last), decision.notice))
            return last
        try:
            return await self._load_and_draft(request, decision, story)
        except WriterProblem:
            self._observer.status_changed(DraftStatus(_resting_state(self._session.last_run)))
            raise

    async def _load_and_draft(self, request: RunRequest, decision: Decision, story: str) -> Run:
        last = self._last(request, story) if decision.course is ResumeChoice.RESUME else None
        self._observer.status_changed(DraftStatus(DraftState.LOADING, decision.notice))

        def show(progress: LoadProgressed) -> None:
            checking = progress.stage is LoadStage.CHECKING
            preparing = progress.stage is LoadStage.PREPARING
            status = DraftStatus(
                DraftState.LOADING, decision.notice, is_checking=checking, is_preparing=preparing
            )
            self._observer.status_changed(replace(status, load_fraction=0 if checking else progress.fraction))

        match await self._load_for(last, show):
            case ModelLoaded() as loaded:
                return await self._draft_with(loaded, request)
            case ModelLoadFailed(message=message, is_bug=is_bug) as failed:
                status = DraftStatus(DraftState.FAILED, told(message, is_bug=is_bug))
                status = replace(status, trouble=DraftProblem.DEVICE if failed.needs_restart else None)
            case _:
                status = DraftStatus(DraftState.PAUSED)
        run = last
        if run is None:
            run = self._new_run(request, story)
            if status.state is DraftState.FAILED:
                run = run.moved_to(RunState.RUNNING).moved_to(RunState.FAILED, error=status.sentence)
            await self._session.save_run(run)
        self._observer.status_changed(status)
        return run

    async def _draft_with(self, loaded: ModelLoaded, request: RunRequest) -> Run:
        identity = loaded.identity
        async with self._session.text_lock:  # from the decision on the text must not change
            self._refuse_another_text(request)
            story = await self._session.story()
            decided = self._decide(request, story, identity)
            decision = await self._steered(decided, request, story, loaded.scale)
            last = self._last(request, story)
            run: Run
            command: StartGeneration | ResumeGeneration
            changed: str = ""
            if decision.course is ResumeChoice.RESUME and last is not None:
                run, command = await self._resume(last, request, story, identity)
                changed = CHANGED if run.changed_at != last.changed_at else ""
            else:
                run, command = await self._start(loaded, request, story)
        # with a server this was said when it was added, and the figures of the take say it
        differs = "" if loaded.reproducible or identity.is_on_server else _MAY_DIFFER
        notice = joined(decision.notice, changed, differs, loaded.notice)
        drafted = await self._session.read(run_text, run.run_id) if run.num_tokens else ""
        quotes = BookQuotes.of(story.removesuffix(drafted))  # as the run found the book
        generation = GenerationSession(
            self._client, self._session, self._observer, run, notice, self.fast_resume.discard, self._pages,
            quotes, story[-1:], drafted,
        )  # fmt: skip
        self._generation = generation
        self.fast_resume.invalidate()
        try:
            ended = await generation.run(command, paused=self._pause_wanted.is_set())
        finally:
            self._generation = None
        if ended.state in (RunState.PAUSED, RunState.FINISHED):
            self.fast_resume.run_ended(ended, loaded)
        if not ended.started and self._steering is not None:
            await self._steering.run_cancelled(self._session, ended.run_id)
        return ended

    def _refuse_another_text(self, request: RunRequest) -> None:
        """Refuse to draft into a text that is not shown."""
        if request.document_id != self._session.document_id:
            raise WriterProblem(_ANOTHER_TEXT)

    async def _start(
        self, loaded: ModelLoaded, request: RunRequest, story: str
    ) -> tuple[Run, StartGeneration]:
        """Store that a new run starts; return it and the command for the engine."""
        known_texts = await self._known_texts(loaded.identity.tokenizer)
        reader = PromptReader(loaded.context_length, loaded.has_chat_template)
        prompt = NextPrompt(self._session.document_id, story, NOTHING, reader.context)
        if self._steering is not None:
            prompt = await self._steering.next_prompt(self._session, reader)
        composed = prompt.composed
        new = self._new_run(request, story)
        sampling = new.sampling if request.like is not None else for_model(new.sampling, loaded.scale)
        new = replace(new, model=loaded.identity, steering=composed.steering_digest, sampling=sampling)
        run = await self._session.begin_run(new.moved_to(RunState.RUNNING))
        await self._store_steering(run, composed)
        return run, StartGeneration(
            run.run_id,
            prompt.story,
            run.sampling,
            engine_goal(run),
            run.read_tail,
            drafting=self.acceleration,
            known_texts=known_texts,
            front_text=composed.front_text,
            note_text=composed.note_text,
            chat=composed.chat,
            note_depth=composed.note_depth,
        )

    async def _resume(
        self, last: Run, request: RunRequest, story: str, identity: ModelIdentity
    ) -> tuple[Run, ResumeGeneration]:
        """Store that a run is resumed; return it and the command for the engine."""
        known_texts = await self._known_texts(identity.tokenizer)
        run = last.aiming_at(request.goal_words, more=request.extend).moved_to(RunState.RUNNING)
        if run.goal_start > last.goal_start:
            run = run.asked_for_more(await self._session.read(num_drafted_chars, run.run_id))
        asked = with_goal(run.asked, going_on(last, request.ends_at))
        run = replace(run, diverged=run.diverged or run.end_digest != digest_of(story), asked=asked)
        if not run.changed_at and run.model is not None and computes_otherwise(run.model, identity):
            run = replace(run, changed_at=(run.num_tokens,))  # known here even where no token shows it
        command = ResumeGeneration(
            run.run_id,
            await self._session.prompt_ids(run.run_id),
            await self._session.token_ids(run.run_id),
            run.sampling,
            engine_goal(run),
            drafting=self.acceleration,
            known_texts=known_texts,
            prefill_plan=run.prefill_plan,
            cache_file=await self.fast_resume.file(last, identity),
            rollover="" if run.model is None else run.model.rollover,
        )
        await self._session.save_run(run)
        return run, command

    async def _store_steering(self, run: Run, composed: ComposedPrompt) -> None:
        """Store what the run starts with; when that fails it has not started, and the text can be edited."""
        if self._steering is None:
            return
        try:
            await self._steering.run_started(self._session, run.run_id, composed)
        except BaseException:
            with contextlib.suppress(WriterProblem):  # kept in memory, and stored before anything else
                await self._session.end_run(run.run_id, RunState.PAUSED)
            raise

    async def _steered(
        self, decision: Decision, request: RunRequest, story: str, scale: SamplingScale | None
    ) -> Decision:
        """Return the decision, changed to a new run where what steers it is not what the last run had."""
        last = self._last(request, story)
        if self._steering is None or last is None or decision.course is not ResumeChoice.RESUME:
            return decision
        why = await self._steering.restart_reason(self._session, last)
        why = why or restart_reason(self._steering.sampling, last.sampling, scale)
        return Decision(ResumeChoice.BEGIN, why) if why else decision

    async def _known_texts(self, tokenizer: str) -> tuple[KnownText, ...]:
        try:
            return await self._session.known_texts(tokenizer)
        except WriterProblem:  # they only make a run faster
            return ()

    def _decide(self, request: RunRequest, story: str, identity: ModelIdentity | None) -> Decision:
        last, digest = self._last(request, story), digest_of(story)
        if request.unread and last is not None and last is self._run_at_end():
            digest = last.end_digest  # the run has cached the text it left, whatever the text is now
        limits = ViewLimits(self._model.context, self._model.cache)
        return decide(last, digest, request, self._model.dtype, identity, self._model.weights, limits)

    def _last(self, request: RunRequest, story: str) -> Run | None:
        """Return the run that the request may continue."""
        unread = self._run_at_end() if request.unread else None
        return unread or self._session.run_that_left(digest_of(story))

    def _run_at_end(self) -> Run | None:
        """Return the run whose words the open text ends with, unless it went on in another text."""
        run = self._session.run_at_end
        return run if run is not None and run.document_id == self._session.document_id else None

    async def _load_for(
        self, last: Run | None, show: Callable[[LoadProgressed], None]
    ) -> ModelLoaded | ModelLoadFailed | None:
        """Load the model, as a run was computed only where that very run may be resumed."""
        config = self._model
        if last is not None and not (
            self._steering is not None and await self._steering.restart_reason(self._session, last)
        ):
            config = self._as_computed(last)
        loaded = await self._loads.load(config, show)
        is_other = (
            isinstance(loaded, ModelLoaded)
            and last is not None
            and last.model is not None
            and last.model.fingerprint != loaded.identity.fingerprint
        )
        return await self._loads.load(self._model, show) if is_other and config != self._model else loaded

    def _as_computed(self, run: Run) -> ModelConfig:
        """Return the configuration in which a run keeps writing its own text; "auto" means just that."""
        if run.model is None or run.model.is_on_server or self._model.server is not None:
            return self._model  # how a server computes is not decided here
        if self._loads.loaded is not None:  # to name another dtype for the same thing would load it again
            config, identity = self._loads.loaded
            if _shape_of(identity) == _shape_of(run.model):
                return config
        dtypes: tuple[Dtype, ...] = get_args(Dtype)
        named, weights = parts_of_format(run.model.dtype)
        dtype = next((known for known in dtypes if known == named), self._model.dtype)
        context = run.model.context_length or self._model.context
        config = replace(self._model, dtype=dtype, width=run.model.width, context=context, weights=weights)
        return replace(config, cache=cache_of(run.model, self._model.cache))

    def _new_run(self, request: RunRequest, story: str) -> Run:
        like = request.like
        drafted = any(run.num_tokens for run in self._session.runs) if like is None else like.read_tail
        digest = digest_of(story)
        sampling = SamplingConfig() if self._steering is None else self._steering.sampling
        return Run(
            run_id=self._session.next_run_id,
            document_id=self._session.document_id,
            sampling=replace(
                careful(sampling) if request.restart is RestartKind.CAREFUL else sampling,
                seed=secrets.randbelow(NUM_SEEDS) if request.seed is None else request.seed,
            )
            if like is None
            else like.sampling,
            goal_words=request.goal_words,
            base_digest=digest,
            end_digest=digest,
            read_tail=drafted if request.read_tail is None else request.read_tail,
            asked=with_goal({}, going_on(None, request.ends_at)),
        )


def _shape_of(identity: ModelIdentity) -> tuple[str, int, int, str]:
    return identity.dtype, identity.width, identity.context_length, identity.cache


def _resting_state(run: Run | None) -> DraftState:
    if run is None or run.state in (RunState.NEW, RunState.RUNNING):
        return DraftState.IDLE
    return DraftState(run.state.value)
