"""A real window over a real project, with what controls a run in it; only the engine is made up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication

from quire.app import App
from quire.client.engine_client import Progressed
from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.domain.drafting.resume_decision import RunRequest
from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.drafting.run_metrics import StepRecord
from quire.drafting.acceleration_controller import AccelerationController
from quire.drafting.preflight_controller import PreflightController
from quire.drafting.resource_monitor import ResourceMonitor
from quire.drafting.self_check_controller import SelfCheckController
from quire.errors import WriterProblem
from quire.settings.settings_store import SettingsStore
from quire_engine.api.config import SamplingConfig
from quire_engine.api.messages import ModelLoaded
from quire_engine.api.queries import (
    AgreementChecked,
    MemoryMeasured,
    TokenScore,
)
from tests.app.project_window import ProjectWindow, play
from tests.app.services.books import HARBOUR, make_book
from tests.app.started_runs import start_run
from tests.fakes import IDENTITY

MB = 1_000_000
LOADED = ModelLoaded(
    IDENTITY,
    16_384,
    1,
    reproducible=True,
    load_s=1.0,
    cache_bytes_per_token=1_000,
    weight_bytes=50 * MB,
    workspace_bytes=10 * MB,
)
MEASURED = MemoryMeasured(1, 90 * MB, 500 * MB, 1_000 * MB, 0, 50 * MB, 4 * MB, is_on_gpu=False)
SHAPE = f"{IDENTITY.dtype}/{IDENTITY.width}"
STEPS = tuple(StepRecord(2, number + 1, 1, 1, 1, 100.0, 0.0, 0.0, 1.0) for number in range(100))


@dataclass
class Engine:
    """A model that answers at once, unless a question is to wait; what was asked for is kept."""

    loaded_model: ModelLoaded | None = None
    questions_now: Any = None
    problem: str = ""
    is_writing: bool = False
    unused_settings: tuple[str, ...] = ()
    agreement: AgreementChecked = AgreementChecked(1, 256, 256, None, 10.0, 4.0)  # noqa: RUF009  it is frozen
    waits: asyncio.Event | None = None
    started: list[tuple[int, bool]] = field(default_factory=list)

    # ------------------------------------------------------------ Drafts
    async def questions(self) -> Any:
        if self.problem:
            raise WriterProblem(self.problem)
        self.questions_now = self
        return self

    def start(self, request: RunRequest) -> None:
        assert (request.read_tail, request.extend) == (None, True)
        self.started.append((request.goal_words, request.unread))

    def request(self, goal_words: int | None = None) -> RunRequest:
        return RunRequest(goal_words or 500, extend=True)

    def start_in_turn(self, goal_words: int | None = None) -> None:
        self.start(self.request(goal_words))

    # ------------------------------------------------------------ EngineQuestions
    async def ready(self) -> ModelLoaded:
        self.loaded_model = LOADED
        return LOADED

    async def check_agreement(
        self, prompt_text: str, sampling: SamplingConfig, progressed: Progressed
    ) -> AgreementChecked:
        assert prompt_text
        progressed(0.5)
        if self.waits is not None:
            self.waits.set()
            await asyncio.Event().wait()
        return self.agreement

    async def memory(self) -> MemoryMeasured:
        return MEASURED

    async def score(
        self, prompt_text: str, text: str, progressed: Callable[[float], None]
    ) -> list[TokenScore]:
        progressed(1.0)
        return [TokenScore(text, 0, len(text), 1.0, 1, ())]


@dataclass
class Stage:
    """The window, its parts, and what they work with."""

    shown: ProjectWindow
    parts: App
    engine: Engine
    settings: SettingsStore

    @property
    def panel_says(self) -> dict[str, str]:
        return {name: label.text() for name, label in self.parts.preflight.panel.values.items()}

    async def drafted(self, text: str = " He sang.", **details: Any) -> Run:
        """Let a run write at the end of the open text, and rest."""
        shown = self.shown
        run = Run(
            1,
            HARBOUR,
            SamplingConfig(),
            50,
            "",
            "",
            state=RunState.RUNNING,
            num_prompt=1_000,
            model=replace(IDENTITY, context_length=16_384),
        )
        run = replace(run, **details)
        await start_run(shown.session, run, (1,) * run.num_prompt)
        ids = tuple(range(1, 1 + sum(step.num_tokens for step in STEPS)))
        chunk = Chunk(ids, text, 100, len(STEPS), 10_000.0, STEPS)
        await shown.session.append(run.run_id, chunk)
        self.see(DraftState.DRAFTING)
        run = await shown.session.end_run(run.run_id, RunState.PAUSED)
        await shown.opener.show_text(shown.session)
        self.see(DraftState.PAUSED)
        await shown.settle()
        return run

    def see(self, *states: DraftState, sentence: str = "") -> None:
        """Tell window and parts what the draft does."""
        for state in states:
            status = DraftStatus(state, sentence)
            self.shown.window.status.show_status(status)
            self.parts.events.draft.status_changed(status)

    def type(self, place: int, text: str) -> None:
        """Write something into the text."""
        cursor = QTextCursor(self.shown.window.editor.document())
        cursor.setPosition(place)
        cursor.insertText(text)

    async def press_continue(self) -> bool:
        """Press Continue; whether the parts took it over."""
        taken = self.parts.preflight.takes_over(RunRequest.towards(self.shown.controls.bar.goal_box.goal))
        await self.shown.settle()
        return taken

    def dialog(self, kind: Any) -> Any:
        found: list[Any] = self.shown.window.findChildren(kind)
        return next((one for one in found if one.isVisible()), None)


Play = Callable[..., None]


async def _unknown(_session: object) -> None:
    return None


def _at_once(act: Callable[[], None]) -> None:
    act()


def playing(qapp: QApplication, run_async: Callable[..., Any], folder: Path) -> Play:
    """Return what plays a scenario on a stage."""
    path = folder / "novel.quire"
    make_book(path)

    def go(scenario: Callable[[Stage], Any], **details: Any) -> None:
        stages: list[Stage] = []

        def make(shown: ProjectWindow) -> None:
            engine, app = Engine(**details), shown.app
            parts: Any = app
            parts.drafts, parts.target = engine, SimpleNamespace(at_target=_at_once)
            parts.steering = SimpleNamespace(preview=_unknown)
            app.preflight, app.resources = PreflightController(app), ResourceMonitor(app)
            app.self_check, app.acceleration = SelfCheckController(app), AccelerationController(app)
            app.resources.close()  # the test says when the memory is looked at
            stages.append(Stage(shown, app, engine, app.settings))

        async def whole(_shown: ProjectWindow) -> None:
            try:
                await scenario(stages[0])
            finally:
                stages[0].parts.events.closing()

        play(qapp, run_async, path, whole, make)

    return go
