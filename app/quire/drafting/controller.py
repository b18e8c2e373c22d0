"""Drafting: the engine, and one draft at a time into the open project."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from quire.domain.drafting.chapter_advance_rules import TurnRules
from quire.domain.drafting.resume_decision import RestartKind, RunRequest
from quire.domain.drafting.run import RunState
from quire.drafting.chapter_advance_controller import ChapterAdvanceController
from quire.drafting.model_config import acceleration_of
from quire.drafting.prompt_queries import view_prompt
from quire.errors import WriterProblem
from quire.settings.settings import ModelChoice, Settings
from quire.shell.notices import NoticeAction
from quire.system.heap_trim import trim_heap
from quire.system.keep_awake import SleepInhibitor
from quire_engine.api.messages import LoadProgressed, ModelLoaded
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:  # imported once the window is shown: SQLAlchemy is slow to import
    from collections.abc import Callable
    from pathlib import Path

    from quire.app import App
    from quire.client.engine_client import EngineClient
    from quire.domain.drafting.run import Run
    from quire.services.drafting.drafting import Drafting
    from quire.services.drafting.engine_queries import EngineQuestions
    from quire.services.drafting.fast_resume import FastResume
    from quire.services.project.project_session import ProjectSession


class DraftingController:
    """Starts drafts, pauses them, and unloads the model.

    Attributes:
        chosen_model: writes the next draft.
    """

    def __init__(self, app: App) -> None:
        self._app, self._window, self._status, self._current = app, app.window, app.window.status, app.current
        self._bar, self._display, self._tasks = app.controls.bar, app.display, app.tasks
        self._events, self._make_backend = app.events.draft, app.make_backend
        self.chosen_model = app.chosen_model
        self._awake = SleepInhibitor()
        self._keep_awake = True
        self._acceleration = acceleration_of(Settings())
        self._drafting: Drafting | None = None
        self._client: EngineClient | None = None
        self._starting = asyncio.Lock()
        self._pause_wanted = False
        self._questions: EngineQuestions | None = None
        self._in_memory: ModelLoaded | None = None
        self._is_on_gpu = False  # as far as a loaded model has said
        self.pages = ChapterAdvanceController(app)
        app.current.autosave.store_edit = self._store_edit
        self._bar.pause_asked.connect(self.pause)
        app.window.commands.free_memory.triggered.connect(self._pause_and_free)
        app.window.action_chosen.connect(self._act_on)
        app.window.model_chosen.connect(self._choose)
        app.events.project_opened.subscribe("drafts", self._forget)
        self._events.model_ready.subscribe("drafts", self._show_model)
        app.settings.follow(self._take)

    # ------------------------------------------------------------ actions
    @property
    def model(self) -> ModelChoice:
        """Return the chosen model."""
        return self.chosen_model.choice

    @property
    def drafting(self) -> Drafting | None:
        """Return what drafts the open project; None before the first draft."""
        return self._drafting

    @property
    def loaded_model(self) -> ModelLoaded | None:
        """Return the model that is in memory, or None."""
        return self._in_memory

    @property
    def fast_resume(self) -> FastResume | None:
        """Return what the last draft left in memory, or None."""
        return None if self._drafting is None else self._drafting.fast_resume

    @property
    def unused_settings(self) -> tuple[str, ...]:
        """Return the names of the writer's settings that the chosen server does not take; () at home."""
        if not self._app.is_complete:
            return ()
        return self.chosen_model.unused_settings(self._app.steering.sampling)

    @property
    def questions_now(self) -> EngineQuestions | None:
        """Return the engine's query interface; None before the first draft or query."""
        return self._questions

    async def questions(self) -> EngineQuestions:
        """Return the engine's query interface, starting the engine if necessary."""
        from quire.services.drafting.engine_queries import EngineQuestions

        client = await self._engine()
        if self._questions is None:
            self._questions = EngineQuestions(client, self._load)
        return self._questions

    @property
    def is_writing(self) -> bool:
        """Return whether a draft is running or requested: typing is then saved in parallel, not after it."""
        grows = self._drafting is not None and self._drafting.generation is not None
        return grows or self._status.is_busy

    def pause(self) -> None:
        """Stop drafting at the next word."""
        self._pause_wanted = True
        if self._drafting is not None:
            self._drafting.pause()

    def continue_here(self, goal_words: int) -> None:
        """Draft at the end of the open text, after what has to be asked or shown first."""
        request = self.request(goal_words)
        if not self._status.can_continue:
            return
        if not (self._app.is_complete and self._app.preflight.takes_over(request)):
            self.start(request)

    def request(self, goal_words: int | None = None) -> RunRequest:
        """Return a request to draft to the chosen goal; goal_words: replaces its words."""
        goal = self._bar.goal_box.goal
        if goal.words is not None and goal_words is not None:
            goal = replace(goal, words=goal_words)
        return RunRequest.towards(goal)

    def start(self, request: RunRequest, done: asyncio.Future[Run] | None = None) -> None:
        """Draft at the end of the open text; done: set when the draft has ended."""
        if not self._status.can_continue:  # a notice's button may be pressed after its cause is gone
            return
        self._pause_wanted = False
        self._display.begin(request.goal_words, unread=request.unread)
        # most novels are longer than a model's context: its newest part is read, and a note says so
        request = replace(request, document_id=self._current.shown_id, read_tail=True)
        self._tasks.enqueue(partial(self._draft, self._current.session, request, done))

    async def drafted(self, goal_words: int) -> Run:
        """Draft at the end of the open text and return the run as it ended; raise WriterProblem if none
        started.
        """
        if not self._status.can_continue:
            raise WriterProblem("Another draft is running. Start the queue again when it is finished.")
        done: asyncio.Future[Run] = asyncio.get_running_loop().create_future()
        self.start(RunRequest(goal_words, extend=True), done)
        return await done

    def draft_like(self, run: Run) -> None:
        """Draft at the end of the text with the seed, settings and length of a run."""
        self._tasks.enqueue(partial(self._start_like, run))

    def draft_again(self, careful: bool) -> None:
        """Start another draft at the end of the text, when it can be drafted into again."""
        restart = RestartKind.CAREFUL if careful else RestartKind.AS_USUAL
        self._tasks.enqueue(partial(self._start_chosen, None, restart))

    def _choose(self, folder: str) -> None:
        settings = self._app.settings
        settings.change(model_folder=folder, starter_done=True)
        self.choose_model(ModelChoice.of(settings.settings, folder))

    def choose_model(self, model: ModelChoice) -> None:
        """Use another model from now on."""
        self.chosen_model.choice = model
        self.look_for_model()

    def use_for_project(self, model: ModelChoice) -> None:
        """Use another model for the project that was opened."""
        self.chosen_model.choice, self._drafting = model, None
        self.chosen_model.show()
        self.expect_reader()
        if not self._status.is_busy:
            self._display.rest(has_model=self.chosen_model.is_usable)

    def expect_reader(self) -> None:
        """Look again at how the chosen model will read a prompt."""
        self._tasks.enqueue(self._expect_reader)

    def _take(self, settings: Settings) -> None:
        """Apply the settings from the next draft on."""
        self._keep_awake = settings.keep_awake
        self._acceleration = acceleration_of(settings)
        self.pages.rules = TurnRules(settings.chapter_at_headings, settings.chapter_words)
        model = ModelChoice.of(settings, self.model.chosen)
        if model != self.model:
            self.choose_model(model)

    def start_in_turn(self, goal_words: int | None = None) -> None:
        """Draft after earlier tasks; None: to the chosen goal."""
        self._tasks.enqueue(partial(self._start_chosen, goal_words))

    def look_for_model(self) -> None:
        """Check again whether there is a model to draft with."""
        self._tasks.enqueue(self._take_model)

    def _forget(self, _path: Path) -> None:
        """Reset for another project."""
        if self._drafting is not None:
            self._tasks.run_now(self._drafting.fast_resume.settle)
        self._drafting = None  # the model stays in memory

    async def close(self) -> None:
        """Stop the engine."""
        if self._drafting is not None:
            await self._drafting.fast_resume.settle()
        if self._client is not None:
            await self._client.close()

    # ------------------------------------------------------------ tasks, one at a time
    def _act_on(self, action: NoticeAction) -> None:
        match action:
            case NoticeAction.RESUME if not self.chosen_model.is_usable:
                self.chosen_model.say_it_is_missing()
            case NoticeAction.RESUME:
                self._bar.ask_to_continue()
            case NoticeAction.LOAD_AGAIN:
                self.look_for_model()
                self.start_in_turn()
            case _:
                pass

    def _show_model(self) -> None:
        if self._in_memory is not None:
            self._status.show_model(self.chosen_model.choice.name, self._in_memory.identity.dtype)

    def _pause_and_free(self) -> None:
        self.pause()
        self._tasks.enqueue(self._free_model)

    async def _free_model(self) -> None:
        if self._drafting is None:
            return
        await self._drafting.free()
        self._in_memory = None
        await self._expect_reader()
        self.chosen_model.show()
        self._status.show_fast_resume(0)
        self._display.say(
            UserMessage("The model was unloaded. Continue loads it again and rereads the text.")
        )

    async def _start_like(self, run: Run) -> None:
        goal_words = run.goal_words if run.state is RunState.FINISHED else max(run.num_words, 1)
        self.start(RunRequest(goal_words, extend=True, like=run))

    async def _start_chosen(
        self, goal_words: int | None = None, restart: RestartKind = RestartKind.NO
    ) -> None:
        self.start(replace(self.request(goal_words), restart=restart))

    async def _take_model(self) -> None:
        self._drafting = None
        self._window.notice_bar.clear()
        self.chosen_model.show()
        self._display.rest(has_model=self.chosen_model.is_usable)
        if not self.chosen_model.is_usable:
            self.chosen_model.say_it_is_missing()
        await self._expect_reader()

    async def _expect_reader(self) -> None:
        """Set the context that the chosen model will get; until one is loaded, no GPU is known of."""
        from quire.domain.drafting.prompt_composition import PromptReader

        if not self._app.is_complete:
            return
        if self._drafting is not None and self._in_memory is not None:  # it has said how it reads
            self._loaded(self._in_memory)
            return
        reader = await self.chosen_model.reader(lambda: self._is_on_gpu)
        self._app.steering.set_reader(reader or PromptReader(), None)

    async def _draft(
        self, session: ProjectSession | None, request: RunRequest, done: asyncio.Future[Run] | None
    ) -> None:
        run: Run | None = None
        try:
            if session is None or session is not self._current.session:
                return  # it was requested for a project that is no longer open
            await self._current.autosave.store()
            await self._events.choosing(session)
            drafting = await self._drafting_of(session)
            await self._events.starting(session)
            if not self._pause_wanted:
                if self._keep_awake:
                    self._awake.start()
                run = await drafting.draft(request)
        finally:
            self._awake.stop()
            try:
                await self._show_end(run)
            finally:
                _notify(done, run)
                await asyncio.to_thread(trim_heap)

    async def _show_end(self, run: Run | None) -> None:
        session, resume = self._current.session, self.fast_resume
        self._current.autosave.draft_ended()
        self._display.end(run, everything_stored=session is None or session.everything_stored)
        self._status.show_fast_resume(0 if resume is None else resume.num_bytes)
        if session is None:
            return
        if run is not None and run.document_id != self._current.shown_id:
            await self.pages.show_where_it_ended(session, run)
        await self._events.ended(session, run)

    async def _drafting_of(self, session: ProjectSession) -> Drafting:
        from quire.services.drafting.drafting import Drafting

        client = await self._engine()
        if self._drafting is None:
            config = await self.chosen_model.config()
            steering = self._app.steering if self._app.is_complete else None
            self._drafting = Drafting(
                client, session, self._events, config,
                pages=self.pages, steering=steering, on_loaded=self._loaded,
            )  # fmt: skip
        self._drafting.acceleration = self._acceleration
        return self._drafting

    async def _engine(self) -> EngineClient:
        from quire.client.engine_client import EngineClient

        async with self._starting:
            if self._client is None:
                client = EngineClient(await asyncio.to_thread(self._make_backend))
                self._client = await client.__aenter__()
            return self._client

    async def _load(self, show: Callable[[LoadProgressed], None]) -> ModelLoaded:
        """Load the model for a query."""
        session = self._current.session
        if session is None:
            raise WriterProblem("No project is open. Open one, or start a new one.")
        if (off := self.chosen_model.why_off()) is not None:
            raise WriterProblem(off.text)
        return await (await self._drafting_of(session)).loaded(show)

    def _loaded(self, loaded: ModelLoaded) -> None:
        from quire.domain.drafting.prompt_composition import PromptReader

        self._in_memory, self._is_on_gpu = loaded, loaded.is_on_gpu
        if self._app.is_complete and self._client is not None:
            reader = PromptReader(loaded.context_length, loaded.has_chat_template)
            self._app.steering.set_reader(reader, partial(view_prompt, self._client))

    async def _store_edit(self, document_id: int, text: str) -> None:
        generation = None if self._drafting is None else self._drafting.generation
        if generation is None:
            await self._until_begun()
        else:
            await generation.store_edit(document_id, text)

    async def _until_begun(self) -> None:
        """Wait until a starting draft writes or fails, so that ChapterAdvanced is up to date.

        Until then the text is locked.
        """
        from quire.services.project.draft_target import ChapterAdvanced

        if self._current.session is not None:
            async with self._current.session.text_lock:
                pass
        raise ChapterAdvanced


def _notify(done: asyncio.Future[Run] | None, run: Run | None) -> None:
    """Report the end of a draft to whoever is waiting."""
    if done is None or done.done():
        return
    if run is None:
        done.set_exception(WriterProblem("The draft could not start; the reason is shown above the text."))
    else:
        done.set_result(run)
