"""The use of the computer by a draft: its speed, its prefill speed, the memory."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from quire.domain.drafting.draft_goal import goal_of
from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.domain.drafting.expected_time import context_length
from quire.domain.drafting.run import Run, RunState
from quire.drafting.memory_bar import MemoryBar
from quire.drafting.memory_usage import MemoryModel, MemoryUse
from quire.errors import WriterProblem

if TYPE_CHECKING:
    from quire.app import App
    from quire.services.project.project_session import ProjectSession
    from quire.settings.settings import Settings
    from quire_engine.api.messages import ModelLoaded
    from quire_engine.api.queries import MemoryMeasured

LOOK_EVERY_MS = 1_000
_LEAST_S, _LEAST_TOKENS = 0.5, 500
"""A shorter prefill is too inaccurate to measure its speed."""


class ResourceMonitor:
    """Keeps the speed, the prefill speed and the memory usage up to date.

    Args:
        clock: returns seconds.
    """

    def __init__(self, app: App, clock: Callable[[], float] = time.monotonic) -> None:
        window = app.window
        self._window, self._current, self._tasks = window, app.current, app.tasks
        self._settings, self._engine, self._clock = app.settings, app.drafts, clock
        self._controls, self._events = app.controls, app.events
        self.memory = MemoryModel(window)
        self.memory_bar = MemoryBar(self.memory, window.themes, window.status_line)
        window.status_line.add_before_model(self.memory_bar)
        self._state = DraftState.IDLE
        self._reading: list[tuple[float, float]] = []
        self._is_looking = False
        self._timer = QTimer(window)
        self._timer.setInterval(LOOK_EVERY_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()
        self._settings.follow(self._take)
        self._events.text_followed.subscribe("resources", self._follow)
        self._events.draft.status_changed.subscribe("resources", self.status_changed)
        self._events.closing.subscribe("resources", self.close)

    def _take(self, settings: Settings) -> None:
        self.memory_bar.set_research(on=settings.research_view)

    async def _follow(self, session: ProjectSession) -> None:
        """Show the speed of the open text's last run; while drafting nothing changes."""
        if session.draft_target is not None:
            return
        run = await session.resting_run()
        if run is None or not run.started:
            self._controls.pace.clear()
            self._controls.strip.show_goal(None)
            return
        steps = await session.steps(run.run_id)
        self._know(run)
        self._controls.pace.show_run(steps, run.num_prompt, _context_of(run))

    def close(self) -> None:
        """Stop measuring."""
        self._timer.stop()

    # ------------------------------------------------------------ during a draft
    def status_changed(self, status: DraftStatus) -> None:
        """Record the progress of a prefill; once the draft starts, load what is known of its model."""
        before, self._state = self._state, status.state
        if status.state is DraftState.READING:
            if before is not DraftState.READING:
                self._reading.clear()
            if status.read_fraction > 0:  # the first report includes what the model still had in memory
                self._reading.append((self._clock(), status.read_fraction))
        elif status.state is DraftState.DRAFTING and before is not DraftState.DRAFTING:
            run = self._running()
            if run is not None:
                self._know(run)
                self._take_reading(run)
            self._reading.clear()

    # ------------------------------------------------------------ speed and prefill
    def _running(self) -> Run | None:
        session = self._current.session
        if session is None:
            return None
        return next((run for run in reversed(session.runs) if run.state is RunState.RUNNING), None)

    def _know(self, run: Run) -> None:
        """Load what is known of a run and its model."""
        self._controls.pace.look_at(run.num_prompt, _context_of(run))
        self._controls.strip.show_goal(goal_of(run.asked, run.goal_words))
        if run.model is not None and run.model.fingerprint in self._settings.settings.reading_speeds:
            self._events.reading_speed_known(self._settings.settings.reading_speeds[run.model.fingerprint])

    def _take_reading(self, run: Run) -> None:
        """Store the speed of the last prefill."""
        if run.model is None or run.model.is_on_server or len(self._reading) < 2:
            return
        (began_s, first), (ended_s, last) = self._reading[0], self._reading[-1]
        in_view = context_length(run.num_prompt + run.num_tokens, run.model.context_length)
        tokens, seconds = (last - first) * in_view, ended_s - began_s
        if tokens < _LEAST_TOKENS or seconds < _LEAST_S:
            return
        settings = self._settings.settings
        self._settings.apply(settings.with_reading_speed(run.model.fingerprint, tokens / seconds))
        self._events.reading_speed_known(tokens / seconds)

    # ------------------------------------------------------------ memory
    def look(self) -> None:
        """Measure the memory in the background, once at a time."""
        if self._is_looking or self._window.status.leaving or not self._window.isVisible():
            return
        if self._window.isMinimized():
            return
        self._is_looking = True
        self._tasks.run_now(self._look)

    async def _look(self) -> None:
        try:
            self.memory.show(await self._measured())
        except WriterProblem:  # the engine is stopping or restarting: it is measured again soon
            return
        finally:
            self._is_looking = False

    async def _measured(self) -> MemoryUse:
        model, questions = self._engine.loaded_model, self._engine.questions_now
        if model is not None and questions is not None:
            return use_of(await questions.memory(), model, self._tokens_at_goal())
        from quire_engine.catalog.computer_memory import read_memory

        now = await asyncio.to_thread(read_memory)
        return MemoryUse(max(now.total - now.free, 0) if now.free else now.own, now.own, now.total)

    def _tokens_at_goal(self) -> int:
        left = self._window.progress.words_left
        return self._controls.pace.tokens_after(left) if left else 0


def _context_of(run: Run) -> int:
    return 0 if run.model is None else run.model.context_length


def use_of(measured: MemoryMeasured, model: ModelLoaded, tokens_at_goal: int) -> MemoryUse:
    """Return the usage of the model's memory now and at the goal; without a goal there is no peak."""
    own = measured.device_own_bytes if measured.is_on_gpu else measured.process_bytes
    total, free = measured.device_total_bytes, measured.device_free_bytes
    used = max(total - free, 0) if free else own
    peak = 0
    if tokens_at_goal and model.cache_bytes_per_token:
        held = measured.weight_bytes + measured.cache_bytes
        needed = model.memory_bytes(tokens_at_goal) - model.workspace_bytes
        peak = used + max(needed - held, 0)
    return MemoryUse(used, own, total, peak, measured.is_on_gpu)
