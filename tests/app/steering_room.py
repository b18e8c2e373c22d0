"""A window with the parts that steer, wired to a real project."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication

from quire.app import App
from quire.domain.drafting.run import Run, RunState
from quire.drafting.draft_controls import DraftControls
from quire.drafting.queue_controller import QueueController
from quire.projects.current_project import CurrentProject
from quire.services.project.project_session import ProjectSession
from quire.shell.draft_progress import ProgressModel
from quire.shell.main_window import MainWindow
from quire.shell.project_status import ProjectStatus
from quire.steering.controller import SteeringController
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch
from quire_engine.api.config import SamplingConfig
from tests.app.bare_app import bare_app
from tests.fakes import IDENTITY

LEFT = Qt.MouseButton.LeftButton
Action = Callable[[], Coroutine[Any, Any, None]]
RunAsync = Callable[[Any], Any]


@dataclass
class Room:
    """A window with the parts that steer, and what they had done and said."""

    app: App
    window: MainWindow
    controls: DraftControls
    current: CurrentProject
    steering: SteeringController
    queue: QueueController
    tasks: list[asyncio.Task[None]]
    status: ProjectStatus
    opened: list[int] = field(default_factory=list)
    draft: Callable[[int], Awaitable[Run]] | None = None

    async def show(self, session: ProjectSession) -> None:
        self.current.session = session
        await self.steering.follow(session)
        await self.queue.follow(session)

    async def done(self) -> None:
        """Wait until everything that was asked for is done."""
        while waiting := [task for task in self.tasks if not task.done()]:
            await asyncio.wait(waiting)
        for task in self.tasks:
            task.result()
        self.tasks.clear()


@contextmanager
def open_room(qapp: QApplication, folder: Path) -> Iterator[Room]:
    """Show a window with these parts, and close it."""
    palette = qapp.palette()
    themes = ThemeSwitch(qapp, ThemeChoice.LIGHT)
    window = MainWindow(ProjectStatus(), ProgressModel(), themes)
    window.show()
    running: list[asyncio.Task[None]] = []
    opened: list[int] = []

    def do(action: Action) -> None:
        running.append(asyncio.ensure_future(action()))

    async def open_document(document_id: int) -> None:
        opened.append(document_id)
        if current.session is not None:
            await current.session.open_document(document_id)
            await steering.follow(current.session)

    async def draft(goal_words: int) -> Run:
        assert room.draft is not None
        return await room.draft(goal_words)

    app = bare_app(
        window, folder, "controls", do=do, opener=SimpleNamespace(open_document=open_document),
        drafts=SimpleNamespace(is_writing=False, drafted=draft), target=SimpleNamespace(place=_open_text),
        manuscript=SimpleNamespace(show_added=_ignore, panel=SimpleNamespace(edit_asked=_ignore)),
    )  # fmt: skip
    app.settings.change(right_panel=True)
    current, controls = app.current, app.controls
    app.steering = steering = SteeringController(app)
    queue = QueueController(app)
    window.status.open("Night")
    room = Room(app, window, controls, current, steering, queue, running, window.status, opened=opened)
    yield room
    window.leave()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qapp.setStyleSheet("")
    qapp.setPalette(palette)


async def _open_text(session: ProjectSession) -> int:
    return session.document_id


def _ignore(*_arguments: object) -> None:
    """Do nothing."""


@asynccontextmanager
async def project(room: Room, path: Path, text: str = "Mara came.") -> AsyncIterator[ProjectSession]:
    session = await ProjectSession.create(path, "Night", text)
    try:
        await room.show(session)
        yield session
        await room.done()
    finally:
        await session.close()


def run_of(session: ProjectSession, state: RunState, steering: str = "", run_id: int = 5) -> Run:
    return Run(
        run_id,
        session.document_id,
        SamplingConfig(),
        50,
        "",
        "",
        state,
        model=IDENTITY,
        num_prompt=3,
        steering=steering,
    )
