"""The composition root: creates and connects everything, and is the only module that imports qasync."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QStandardPaths
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from quire.app import App
from quire.client.local_engine import real_backend
from quire.diagnostics.crash_reporting import Reporting
from quire.errors import WriterProblem
from quire.features import build_at_start, build_rest, import_all
from quire.launch_options import Options, parse
from quire.projects.shutdown import Deadline, NotStored
from quire.services.model_library.kernel_compilation import KernelCompilation
from quire.settings.interface_language import install_language
from quire.settings.settings import SettingsFile
from quire.settings.settings_store import SettingsStore
from quire.shell.draft_progress import ProgressModel
from quire.shell.main_window import MainWindow
from quire.shell.notices import NoticeAction
from quire.shell.project_status import ProjectStatus
from quire.shell.task_queue import TaskLoop, TaskQueue
from quire.system.app_folders import portable_folder
from quire.system.gc_guard import GcGuard
from quire.system.process import EndRequests, FirstPaint, seconds_since_start
from quire.theme.fonts import install_fonts
from quire.theme.motion import MotionSwitch
from quire.theme.theme_switch import ThemeSwitch

if TYPE_CHECKING:  # imported once the window is shown: SQLAlchemy is slow to import
    from quire_engine.runtime.engine_thread import Backend


def run(arguments: Sequence[str]) -> int:
    """Open the window, run until it is closed, and return the exit code."""
    options = parse(arguments)
    app = QApplication(["quire"])
    app.setApplicationName("Quire")
    app.setApplicationDisplayName("Quire")
    app.setDesktopFileName("quire")
    app.setStyle("Fusion")
    app.setQuitOnLastWindowClosed(False)  # the loop ends when everything is saved, not before
    install_fonts()
    projects = _projects_folder()
    reporting = Reporting()
    reporting.start()
    settings_file = SettingsFile()
    install_language(app, settings_file.load().language)
    may_be_fast = options.dtype in ("auto", "int8") and not options.measure_start
    quire = Application(
        app, settings_file, options, projects, real_backend, reporting,
        KernelCompilation() if may_be_fast else None,
    )  # fmt: skip
    quire.window.show()
    # asyncio.Runner is the one form that works on Python 3.11, 3.12 and 3.13 alike
    with asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
        reporting.watch_loop(runner.get_loop())
        code = runner.run(quire.run())
    reporting.finish()
    return code


def _projects_folder() -> Path:
    """Return where new projects go unless the writer chooses another place.

    In portable mode Qt's own settings, such as those of its file dialog, go to the portable folder as well.
    """
    if (portable := portable_folder()) is not None:
        user = QSettings.Scope.UserScope
        for kind in (QSettings.Format.NativeFormat, QSettings.Format.IniFormat):
            QSettings.setPath(kind, user, str(portable / "settings"))
        return portable / "projects"
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return Path(documents) / "Quire"


class Application:
    """Runs the window: handles the writer's requests in order, one at a time, until everything is saved.

    Only a pause does not wait its turn.
    """

    def __init__(
        self,
        qapp: QApplication,
        settings_file: SettingsFile,
        options: Options,
        projects_folder: Path,
        make_backend: Callable[[], Backend] = real_backend,
        reporting: Reporting | None = None,
        kernels: KernelCompilation | None = None,
    ) -> None:
        settings = SettingsStore(settings_file)
        themes = ThemeSwitch(qapp, settings.settings.theme, settings.settings.interface_size)
        self.window = MainWindow(ProjectStatus(), ProgressModel(), themes)
        self._status, self._options = self.window.status, options
        self._guard = GcGuard(self.window)
        self._requests = TaskLoop(lambda error: self.app.problems.report(error))
        tasks = TaskQueue(
            lambda action: self.app.navigation.switch(action), self._requests.run_now, self._requests.enqueue
        )
        self.app = App(
            self.window, tasks, settings, options, projects_folder, make_backend, reporting, kernels
        )
        self.app.motion = MotionSwitch(qapp)
        self.app.events.draft.model_ready.subscribe("guard", self._guard.freeze)
        build_at_start(self.app)
        self._autosave = self.app.current.autosave
        self._models_wanted = False
        self._exit_code: int | None = None
        self._deadline = Deadline(lambda: self._autosave.shows_unstored, self.app.reporting.finish)
        self._first_paint = FirstPaint(self.window.editor.viewport())
        self._wire()

    async def run(self) -> int:
        """Open the last project, handle the writer's requests, and return when everything is saved."""
        end_requests = EndRequests(self.leave, self.window)
        self._requests.enqueue(self._open_first)
        self.app.backups.watch()
        try:
            while self._exit_code is None:
                await self._requests.run_next()
            self.window.hide()
            await self.app.drafts.close()
        finally:
            end_requests.close()
            self.close()
        return self._exit_code

    def close(self) -> None:
        """Stop background work, and close the window."""
        self.app.events.closing()
        self._deadline.cancel()
        self._guard.stop()
        self.app.settings.close()
        self.window.leave()

    # ------------------------------------------------------------ requests of the window
    def leave(self) -> None:
        """Quit as soon as everything is saved; an engine that hangs does not delay it."""
        if self._status.leaving:
            return
        self.app.preferences.keep()
        self.app.manuscript.panel.flush()
        self._status.show_leaving(leaving=True)
        self._deadline.start()
        self.app.starter.stop()
        self.app.drafts.pause()
        self._requests.enqueue(self._finish)

    def _show_models(self) -> None:
        """Show the list of models, as soon as it is built after the first text was shown."""
        self._models_wanted = not self.app.is_complete
        if self.app.is_complete:
            self.app.model_library.show_dialog()

    def _act_on(self, action: NoticeAction) -> None:
        if action is NoticeAction.LEAVE:
            self.leave()

    # ------------------------------------------------------------ tasks, one at a time
    async def _open_first(self) -> None:
        """Open the requested or the last project; on the very first start show the welcome page."""
        try:
            await self.app.welcome.open_first(self._options.project, opens_sample=self._options.measure_start)
        except WriterProblem as problem:
            self.app.problems.report_first(problem)
        finally:
            if self._options.measure_start:
                self._measure_start()
            self._requests.enqueue(self._build_rest)

    async def _build_rest(self) -> None:
        """Build the other features, and let them follow the text that is shown by now."""
        await asyncio.to_thread(import_all)
        await self.app.opener.built(partial(build_rest, self.app))
        self.app.drafts.expect_reader()
        if self._models_wanted:
            self._show_models()
        self._guard.freeze()  # these features live as long as the window

    async def _finish(self) -> None:
        """Save and close the project; if that fails stay open, once."""
        self.window.editor.set_locked(locked=True)  # what is typed from here on could not be saved
        may_leave = self._autosave.may_leave_unstored
        try:
            await self._autosave.store()
        except NotStored as problem:
            if not may_leave:
                self._stay(problem)
                return
        self._exit_code = 0 if await self.app.current.close() else 1

    # ------------------------------------------------------------ inside
    def _stay(self, problem: NotStored) -> None:
        self._autosave.warned_before_leaving()
        self.window.editor.set_locked(locked=False)
        self._deadline.cancel()
        self._status.show_leaving(leaving=False)
        self.app.problems.report_closing(problem)

    def _measure_start(self) -> None:
        if self.app.current.session is None:
            sys.stderr.write(f"{self.window.message_page.sentence.text() or 'No project was opened.'}\n")
            self._exit_code = 1
        else:
            self._first_paint.painted.connect(self._report_start)
            self._first_paint.arm()

    def _report_start(self) -> None:
        sys.stdout.write(f"{seconds_since_start():.3f}\n")
        self.leave()

    def _wire(self) -> None:
        window = self.window
        window.models_asked.connect(self._show_models)
        window.action_chosen.connect(self._act_on)
        window.leave_asked.connect(self.leave)
        self.app.appearance.set_geometry(self.app.settings.settings.geometry)
        self.app.chosen_model.show()
