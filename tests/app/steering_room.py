"""A window with the parts that steer, wired to a real project."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QApplication

from quire.charts.run_charts import RunCharts
from quire.domain.drafting.run import Run, RunState
from quire.drafting.pace_model import PaceModel
from quire.drafting.queue_controller import QueueDesk
from quire.projects.current_project import ManuscriptKeeper
from quire.services.project.project_session import ProjectDesk
from quire.shell.draft_progress import ProgressModel
from quire.shell.main_window import MainWindow
from quire.shell.project_status import DeskModel
from quire.shell.task_queue import Doing
from quire.shell.window_models import WindowModels
from quire.steering.controller import SteeringDesk
from quire.theme.theme_switch import ThemeChoice, ThemeKeeper
from quire_engine.api.config import SamplingConfig
from tests.fakes import IDENTITY

LEFT = Qt.MouseButton.LeftButton
Action = Callable[[], Coroutine[Any, Any, None]]
RunAsync = Callable[[Any], Any]


@dataclass
class Room:
    """A window with the parts that steer, and what they had done and said."""

    window: MainWindow
    keeper: ManuscriptKeeper
    steering: SteeringDesk
    queue: QueueDesk
    presets_path: Path
    tasks: list[asyncio.Task[None]]
    desk_model: DeskModel
    opened: list[int] = field(default_factory=list)

    async def show(self, desk: ProjectDesk) -> None:
        self.keeper.desk = desk
        await self.steering.follow(desk)
        await self.queue.follow(desk)

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
    themes = ThemeKeeper(qapp, ThemeChoice.LIGHT)
    models = WindowModels(DeskModel(), ProgressModel(), PaceModel(), themes, RunCharts())
    window = MainWindow(models, folder)
    window.show()
    tasks: list[asyncio.Task[None]] = []
    opened: list[int] = []

    def do(action: Action) -> None:
        tasks.append(asyncio.ensure_future(action()))

    doing = Doing(do, do, do)
    keeper = ManuscriptKeeper(window, models.desk)
    path = folder / "presets.json"
    steering = SteeringDesk(window, models, keeper, doing, path)

    async def open_document(document_id: int) -> None:
        opened.append(document_id)
        if keeper.desk is not None:
            await keeper.desk.open_document(document_id)
            await steering.follow(keeper.desk)

    queue = QueueDesk(window, keeper, doing, steering, open_document)
    models.desk.open("Night")
    yield Room(window, keeper, steering, queue, path, tasks, models.desk, opened=opened)
    window.leave()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qapp.setStyleSheet("")
    qapp.setPalette(palette)


@asynccontextmanager
async def project(room: Room, path: Path, text: str = "Mara came.") -> AsyncIterator[ProjectDesk]:
    desk = await ProjectDesk.create(path, "Night", text)
    try:
        await room.show(desk)
        yield desk
        await room.done()
    finally:
        await desk.close()


def run_of(desk: ProjectDesk, state: RunState, steering: str = "", run_id: int = 5) -> Run:
    return Run(
        run_id,
        desk.document_id,
        SamplingConfig(),
        50,
        "",
        "",
        state,
        model=IDENTITY,
        num_prompt=3,
        steering=steering,
    )
