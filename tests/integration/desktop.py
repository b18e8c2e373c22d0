"""Starts a real window on a real project file and a real engine thread; only the model is scripted."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QApplication

from quire.application import Application
from quire.diagnostics.crash_reporting import Reporting
from quire.domain.drafting.draft_status import DraftState
from quire.launch_options import Options
from quire.projects.welcome_page import WelcomePage
from quire.services.model_library.kernel_compilation import KernelCompilation
from quire.services.transactions.closed_projects import read_project
from quire.settings.settings import SettingsFile
from quire.shell.main_window import MainWindow
from quire.shell.project_status import SaveState
from tests.benchmarks.app.latency_probes import turns_until, until
from tests.fakes import ScriptedBackend

OPENING = "Low Water\n\nIt rained\u00a0all night, and nobody sang."
TEXT = OPENING.partition("\n\n")[2]
Scenario = Callable[[Application], Awaitable[None]]
LEFT = Qt.MouseButton.LeftButton


class Desktop:
    """Starts Quire as often as a test wants, always with the same settings and documents."""

    def __init__(self, qapp: QApplication, run_async: Callable[..., Any], folder: Path) -> None:
        self.qapp, self.run_async = qapp, run_async
        self.folder = folder
        self.ini = folder / "quire.ini"
        self.projects = folder / "Quire"
        self.model = folder / "model"
        self.model.mkdir()
        (self.model / "config.json").write_text("{}", encoding="utf-8")

    @property
    def sample(self) -> Path:
        return self.projects / "Low Water.quire"

    def start(
        self,
        backend: ScriptedBackend,
        scenario: Scenario,
        project: Path | None = None,
        *,
        leave: bool = True,
        tries: bool = True,
        reporting: Reporting | None = None,
        named: bool = True,
        model_file: Path | None = None,
        kernels: KernelCompilation | None = None,
    ) -> int:
        """Run Quire until the scenario is over; return the exit code.

        tries: from the welcome page try it. named: the command line names a model.
        model_file: it names this one, which is imported first. kernels: compiled beside it.
        """

        windows: list[MainWindow] = []

        async def run() -> int:
            folder = str(self.model) if named and model_file is None else ""
            options = Options(project, folder, model_file)
            quire = Application(
                self.qapp, SettingsFile(self.ini), options, self.projects, lambda: backend, reporting, kernels
            )
            windows.append(quire.window)
            quire.window.show()
            running = asyncio.ensure_future(quire.run())
            try:
                status, window = quire.window.status, quire.window
                (page,) = window.findChildren(WelcomePage)
                await turns_until(
                    lambda: status.is_open or running.done() or page.isVisible() or window.shows_message
                )
                if tries and page.isVisible():
                    page.try_button.click()
                    await until(status.changed, lambda: status.is_open and not status.switching)
                await turns_until(lambda: quire.app.is_complete or running.done())
                await scenario(quire)
            finally:
                backend.gated = False  # whatever became of the scenario, the engine can end
                backend.gate.release(100)
                if leave:
                    quire.window.close()
                code = await running
            assert not quire.window.isVisible()
            return code

        code: int = self.run_async(run())
        for window in windows:  # a theme dresses all that there are, those of tests before, too
            window.deleteLater()
        self.qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        assert not [thread for thread in threading.enumerate() if thread.name in ("engine", "storage_0")]
        return code


async def state(quire: Application, *states: DraftState) -> None:
    status = quire.window.status
    await until(status.changed, lambda: status.status.state in states)


async def ended(quire: Application) -> None:
    """Wait until a draft is over and the writer has the text back."""
    await state(quire, DraftState.PAUSED, DraftState.FINISHED, DraftState.FAILED)
    await until(quire.window.status.changed, lambda: not quire.window.editor.is_drafting)


async def stored(quire: Application) -> None:
    status = quire.window.status
    await until(status.saved, lambda: status.save_state is SaveState.SAVED)


def press(qtbot: Any, quire: Application, name: str) -> None:
    qtbot.mouseClick(getattr(quire.app.controls.bar, f"{name}_button"), LEFT)


def seed_of(path: Path) -> int:
    return read_project(path).runs[-1].sampling.seed
