"""Between Continue and the draft: the estimate, and whether changed text is read again."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from quire.domain.drafting.draft_goal import DraftGoal
from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.domain.drafting.expected_time import fit_of, time_to, tokens_of_words
from quire.domain.drafting.preflight import SHOW_FROM_WORDS, MemoryNeed, Preflight, is_due
from quire.domain.drafting.prompt_composition import chars_per_token
from quire.domain.drafting.reread_decision import Edit, PrefillEstimate, must_ask, reading_after, reading_of
from quire.domain.drafting.resume_decision import RunRequest
from quire.domain.drafting.time_left import FIRST_TOKENS, TimeFit
from quire.domain.manuscript.headings import all_headings
from quire.domain.manuscript.provenance import change_between
from quire.drafting.preflight_panel import PreflightPanel
from quire.drafting.reread_dialog import ReadingDialog
from quire.settings.settings import ReadingChoice

if TYPE_CHECKING:
    from quire.app import App
    from quire.domain.drafting.run import Run
    from quire.services.drafting.engine_queries import EngineQuestions
    from quire.services.project.project_session import ProjectSession
    from quire.settings.settings import Settings
    from quire_engine.api.messages import ModelLoaded
    from quire_engine.api.model_identity import ModelIdentity

_RESTED = (DraftState.PAUSED, DraftState.FINISHED)
_SNAPSHOT = "Before drafting"


@dataclass(frozen=True, slots=True)
class _Left:
    """The story at the end of a run, which the model still has in memory."""

    run_id: int
    story: str


class PreflightController(QObject):
    """Shows the estimate for a long draft, and asks before changed text is read again."""

    def __init__(self, app: App) -> None:
        window, bar = app.window, app.controls.bar
        super().__init__(window)
        self._app, self._window, self._current, self._tasks = app, window, app.current, app.tasks
        self._settings, self._drafts, self._bar = app.settings, app.drafts, bar
        self._shown_from = SHOW_FROM_WORDS
        self._session: ProjectSession | None = None
        self._left: _Left | None = None
        self._state = DraftState.IDLE
        self._dialog: ReadingDialog | None = None
        self.panel = PreflightPanel(window.themes, bar.continue_button)
        self.panel.start_asked.connect(self._start)
        self.panel.shown_from_changed.connect(self._keep_shown_from)
        window.commands.before_start.triggered.connect(self._show_for_target)
        window.commands.free_memory.triggered.connect(self._forget_model)
        window.model_chosen.connect(self._forget_model)
        window.status.changed.connect(self._refresh)
        app.settings.follow(self._take)
        app.events.text_followed.subscribe("preflight", self._follow)
        app.events.draft.status_changed.subscribe("preflight", self._status_changed)
        self._refresh()

    # ------------------------------------------------------------ input
    async def _follow(self, session: ProjectSession) -> None:
        """Discard what belongs to another project, and drafts about to start elsewhere."""
        self.panel.cancel()
        if session is not self._session:
            self._session, self._left = session, None

    def _take(self, settings: Settings) -> None:
        self._shown_from = settings.preflight_words
        self.panel.set_shown_from(self._shown_from)

    def takes_over(self, request: RunRequest) -> bool:
        """Return whether something must be shown or asked before a draft, which then starts with the
        answer.
        """
        if self.panel.isVisible():
            self.panel.cancel()
            self._ask_to_start(request)
            return True
        if is_due(request.ends_at, self._shown_from):
            self.show_panel()
            return True
        if self._left is None:
            return False
        self._ask_to_start(request)
        return True

    def _status_changed(self, status: DraftStatus) -> None:
        """Remember the story at the end of a draft."""
        before, self._state = self._state, status.state
        if status.state is DraftState.LOADING:
            self._left = None
        elif status.state in _RESTED and before not in _RESTED:
            self._tasks.enqueue(self._remember)  # after the draft itself, before anything is typed

    # ------------------------------------------------------------ the panel
    def show_panel(self) -> None:
        """Show the estimate for a draft to the chosen goal."""
        if self._window.status.can_continue:
            self._bar.goal_box.commit()
            self._tasks.run_now(self._fill_panel)

    def _show_for_target(self) -> None:
        self._app.target.at_target(self.show_panel)

    async def _fill_panel(self) -> None:
        """Show what is known at once; values from the model follow when it is loaded."""
        session = self._current.session
        if session is None:
            return
        await self._current.autosave.store()
        model = self._drafts.loaded_model
        self.panel.show_preflight(await self._preflight(session, model), is_loading=model is None)
        self.panel.open()
        questions: EngineQuestions | None = None
        try:
            questions = await self._drafts.questions()
            model = await questions.ready()
        finally:
            if self.panel.isVisible() and session is self._current.session:
                self.panel.show_preflight(await self._preflight(session, model, questions))

    async def _preflight(
        self, session: ProjectSession, model: ModelLoaded | None, questions: EngineQuestions | None = None
    ) -> Preflight:
        goal, story, last = self._goal, await session.story(), await session.resting_run()
        last = last if last is not None and last.started else None
        counted = None if last is None or _is_on_server(last.model) else last
        seen = await self._app.steering.preview(session)
        sent = 0 if seen is None else seen[1].use.used
        tokens = sent if counted is None else counted.num_prompt + counted.num_tokens
        written = (0, 0) if counted is None else (counted.num_tokens, counted.num_words)
        at_goal = tokens + tokens_of_words(goal.words_at_most, *written)
        context = 0 if model is None else model.context_length
        known = await self._expected(session, model)
        return Preflight(
            goal,
            tokens,
            at_goal,
            self._reading(story, sent, counted, model),
            self._place(session),
            context,
            await _need(model, questions, at_goal),
            None if known is None else time_to(known, tokens, at_goal, context),
            "" if last is not None else _SNAPSHOT,
            self._window.status.words_go_to,
            self._drafts.unused_settings,
        )

    async def _expected(self, session: ProjectSession, model: ModelLoaded | None) -> TimeFit | None:
        """Return the speed curve of the model's newest run in the project; None without one that tells."""
        if model is None or model.identity.is_on_server:  # its steps have no tokens
            return None
        for run in reversed(session.runs):
            if run.model == model.identity and run.num_tokens >= FIRST_TOKENS:
                steps = await session.steps(run.run_id)
                fit = await asyncio.to_thread(fit_of, steps, run.num_prompt, model.context_length)
                if fit.curve() is not None:
                    return fit
        return None

    def _reading(self, story: str, sent: int, last: Run | None, model: ModelLoaded | None) -> PrefillEstimate:
        if last is not None and self._left is not None:
            return PrefillEstimate(0, 0.0)
        speed = 0.0 if model is None else self._speed(model.identity.fingerprint)
        context = 0 if model is None else model.context_length
        if self._left is not None:
            return reading_after(self._edit(self._left, story), chars_per_token(story), speed, context)
        return reading_of(sent, 1.0, speed, context)

    def _place(self, session: ProjectSession) -> str:
        title = " ".join(session.document.title.split())
        return self.tr("The end of “{0}”").format(title or self._window.status.title or "")

    def _start(self) -> None:
        self._ask_to_start(RunRequest.towards(self._goal))

    def _keep_shown_from(self, words: int) -> None:
        self._settings.change(preflight_words=words)

    # ------------------------------------------------------------ rereading
    def _ask_to_start(self, request: RunRequest) -> None:
        self._tasks.enqueue(partial(self._start_or_ask, request))

    async def _start_or_ask(self, request: RunRequest) -> None:
        """Start the draft, or ask first; includes what was typed until now."""
        await self._current.autosave.store()
        session, left = self._current.session, self._left
        if session is None:
            return
        run = session.run_at_end
        if left is None or run is None or run.run_id != left.run_id or _is_on_server(run.model):
            self._drafts.start(request)
            return
        story = await session.story()
        if story.startswith(left.story):  # what was written after it has to be read anyway
            self._drafts.start(request)
            return
        edit = self._edit(left, story)
        context = 0 if run.model is None else run.model.context_length
        speed = 0.0 if run.model is None else self._speed(run.model.fingerprint)
        reading = reading_after(edit, chars_per_token(story), speed, context)
        match self._settings.settings.reading_choice:
            case ReadingChoice.WITHOUT:
                self._drafts.start(replace(request, unread=True))
            case ReadingChoice.ASK if must_ask(edit, reading):
                self._ask(request, place_name(story, edit.place, session), reading)
            case _:
                self._drafts.start(request)

    def _ask(self, request: RunRequest, place: str, reading: PrefillEstimate) -> None:
        dialog = self._dialog = ReadingDialog(place, reading, self._window)
        dialog.answered.connect(partial(self._take_answer, request))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _take_answer(self, request: RunRequest, again: bool, remember: bool) -> None:
        if remember:
            choice = ReadingChoice.AGAIN if again else ReadingChoice.WITHOUT
            self._settings.change(reading_choice=choice)
        self._drafts.start(replace(request, unread=not again))

    def _edit(self, left: _Left, story: str) -> Edit:
        return Edit(change_between(left.story, story)[0], len(story), is_held=True)

    def _speed(self, fingerprint: str) -> float:
        return self._settings.settings.reading_speeds.get(fingerprint, 0.0)

    async def _remember(self) -> None:
        session = self._current.session
        run = None if session is None else await session.resting_run()
        if session is not None and run is not None and run.started:
            self._left = _Left(run.run_id, await session.story())

    # ------------------------------------------------------------ inside
    @property
    def _goal(self) -> DraftGoal:
        return self._bar.goal_box.goal

    def _forget_model(self) -> None:
        self._left = None

    def _refresh(self) -> None:
        can_continue = self._window.status.can_continue
        self._window.commands.before_start.setEnabled(can_continue)
        if not can_continue:
            self.panel.cancel()


def place_name(story: str, place: int, session: ProjectSession) -> str:
    """Return the title of the chapter at a position of the story, or an empty string."""
    headings = [heading for heading in all_headings(story) if heading.start <= place and heading.title]
    if headings:
        return headings[-1].title
    here = place >= len(story) - len(session.text)
    return " ".join(session.document.title.split()) if here else ""


def _is_on_server(model: ModelIdentity | None) -> bool:
    return model is not None and model.is_on_server


async def _need(
    model: ModelLoaded | None, questions: EngineQuestions | None, at_goal: int
) -> MemoryNeed | None:
    """Return the memory needed at the goal and what is free; None while the model is not loaded."""
    if model is None or questions is None or not model.cache_bytes_per_token:
        return None
    now = await questions.memory()
    free = now.device_free_bytes
    held = now.weight_bytes + now.cache_bytes
    return MemoryNeed(model.memory_bytes(at_goal), free + held if free else 0, now.is_on_gpu)
