"""A real window over a real project file, with nothing that drafts: for the parts of the window."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget

from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.domain.drafting.run import Chunk, Run, RunState
from quire.editor.search_matches import select_place
from quire.reading.controller import ReadingController
from quire.services.project.project_session import ProjectSession
from quire.shell.draft_progress import ProgressModel
from quire.shell.main_window import MainWindow
from quire.shell.notices import Notice
from quire.shell.project_status import ProjectStatus
from quire.shell.task_queue import Action
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch
from quire_engine.api.config import SamplingConfig
from tests.app.bare_app import bare_app
from tests.app.started_runs import start_run


class ProjectWindow:
    """The window, what it shows, and the ways to have something done; problems are raised by settle().

    parts: what must live as long as the window.
    """

    def __init__(self, app: QApplication, folder: Path) -> None:
        themes = ThemeSwitch(app, ThemeChoice.LIGHT)
        self.window = MainWindow(ProjectStatus(), ProgressModel(), themes)
        self.app = bare_app(
            self.window, folder, "controls", "display", "safe_mode", "chosen_model", "opener", "appearance",
            "manuscript", do=self._do, navigation=self,
        )  # fmt: skip
        self.controls, self.appearance, self.tasks = self.app.controls, self.app.appearance, self.app.tasks
        self.current, self.opener, self.manuscript = self.app.current, self.app.opener, self.app.manuscript
        self.actions = self.window.commands
        self.parts: list[object] = []
        self._tasks: list[asyncio.Task[None]] = []
        self.window.document_asked.connect(self._open)
        self.window.show()

    @property
    def session(self) -> ProjectSession:
        session = self.current.session
        assert session is not None
        return session

    @property
    def said(self) -> str:
        notice: Notice | None = self.window.notice_bar.notice
        return "" if notice is None else notice.text

    async def settle(self) -> None:
        """Wait until everything that was asked for is done."""
        while self._tasks:
            await self._tasks.pop(0)

    async def written(self, path: Path) -> None:
        """Let the loop turn until a file is there."""
        while not _is_there(path):
            await asyncio.sleep(0)
            await self.settle()

    async def close(self) -> None:
        await self.settle()
        await self.current.close()

    def go_to(self, document_id: int, place: int) -> None:
        """Show a place of a text."""

        async def go() -> None:
            await self.opener.open_document(document_id)
            select_place(self.window.editor, place, place)

        self._do(go)

    async def begin_draft(self, document_id: int, text: str) -> Run:
        """Let a run go on that has written a text at the end of another one, which must be open."""
        run = Run(1, document_id, SamplingConfig(), 50, "", "", state=RunState.RUNNING, num_prompt=1)
        chunk = Chunk((5, 6), text, 2, 2, 2.0)
        await start_run(self.session, run, (1,))
        await self.session.append(run.run_id, chunk)
        self.window.status.show_status(DraftStatus(DraftState.DRAFTING))
        return self.session.run(run.run_id)

    async def end_draft(self, run: Run) -> None:
        """Let it rest."""
        await self.session.end_run(run.run_id, RunState.PAUSED)
        self.window.status.show_status(DraftStatus(DraftState.PAUSED))

    def _do(self, action: Action) -> None:
        self._tasks.append(asyncio.ensure_future(action()))

    def _open(self, document_id: int) -> None:
        self._do(lambda: self.opener.open_document(document_id))


def _is_there(path: Path) -> bool:
    return path.exists()


def reading_in(shown: ProjectWindow) -> ReadingController:
    """Return the reading view of a window, with something beside the text for focus mode to hide."""
    app: Any = shown.app
    app.charts = SimpleNamespace(deck=QWidget(shown.window))
    app.steering = SimpleNamespace(dock=QWidget(shown.window))
    return ReadingController(app)


Scenario = Callable[[ProjectWindow], Coroutine[Any, Any, None]]


def play(
    qapp: QApplication,
    run_async: Callable[..., Any],
    path: Path,
    scenario: Scenario,
    make: Callable[..., None],
) -> None:
    """Open a project in a window, let a scenario happen in it, and close both; make: builds the parts."""
    palette = qapp.palette()

    async def run() -> None:
        shown = ProjectWindow(qapp, path.parent)
        try:
            make(shown)
            await shown.opener.open(path)
            await scenario(shown)
            await shown.close()
        finally:
            shown.window.leave()
            shown.window.deleteLater()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
            qapp.setStyleSheet("")
            qapp.setPalette(palette)
            QApplication.clipboard().clear()

    run_async(run())
