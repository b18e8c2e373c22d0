"""The composition root: creates and connects everything, and is the only module that imports qasync."""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QStandardPaths
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from quire.app_context import AppContext
from quire.client.local_engine import real_backend
from quire.diagnostics.crash_reporting import Reporting
from quire.drafting.chosen_model import ChosenModel
from quire.drafting.controller import DraftingController
from quire.drafting.draft_controls import DraftControls
from quire.drafting.draft_display import DraftDisplay
from quire.editor.search_matches import select_place
from quire.errors import WriterProblem
from quire.launch_options import Options, parse
from quire.projects.current_project import CurrentProject
from quire.projects.new_project import NewProject
from quire.projects.problem_notices import ProblemNotices
from quire.projects.project_opener import ProjectOpener
from quire.projects.safe_mode import SafeMode
from quire.projects.shutdown import Deadline, NotStored
from quire.services.model_library.kernel_compilation import KernelCompilation
from quire.services.model_library.server_keys import ServerKeys
from quire.settings.interface_language import install_language
from quire.settings.settings import ModelChoice, SettingsFile
from quire.settings.settings_store import SettingsStore
from quire.shell.draft_progress import ProgressModel
from quire.shell.main_window import MainWindow
from quire.shell.notices import NoticeAction
from quire.shell.project_status import ProjectStatus
from quire.shell.task_queue import Action, TaskLoop, TaskQueue
from quire.startup_features import StartupFeatures
from quire.system.app_folders import portable_folder
from quire.system.gc_guard import GcGuard
from quire.system.process import EndRequests, FirstPaint, seconds_since_start
from quire.theme.fonts import install_fonts
from quire.theme.motion import MotionSwitch
from quire.theme.theme_switch import ThemeSwitch

if TYPE_CHECKING:  # imported once the window is shown: SQLAlchemy is slow to import
    from quire.deferred_features import DeferredFeatures
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
    """Connects signals to services and services to views.

    Requests of the writer are handled in order, one at a time; only a pause does not wait its turn.
    """

    def __init__(
        self,
        app: QApplication,
        settings_file: SettingsFile,
        options: Options,
        projects_folder: Path,
        make_backend: Callable[[], Backend] = real_backend,
        reporting: Reporting | None = None,
        kernels: KernelCompilation | None = None,
    ) -> None:
        self._options = options
        self._settings = SettingsStore(settings_file)
        settings, noted = self._settings.settings, reporting or Reporting()
        themes = ThemeSwitch(app, settings.theme, settings.interface_size)
        self.window = MainWindow(ProjectStatus(), ProgressModel(), themes)
        self._status = self.window.status
        self._guard = GcGuard(self.window)
        self._current = CurrentProject(self.window, self._status)
        self._autosave = self._current.autosave
        self._problems = ProblemNotices(self.window)
        self._requests = TaskLoop(self._problems.report)
        tasks = TaskQueue(self._switch, self._requests.run_now, self._requests.enqueue)
        keys = ServerKeys()
        safe_mode = SafeMode(is_on=noted.last_time.calls_for_care)
        self.controls = DraftControls(self.window)
        self._display = DraftDisplay(self.window, self.controls.pace, self._autosave, self._model_is_ready)
        chosen = ModelChoice.of(settings, options.model_folder or settings.model_folder)
        self._model = ChosenModel(self.window, chosen, options.dtype, safe_mode.why_off, keys)
        self.drafts = DraftingController(
            self.window, self._current, self.controls, self._display, tasks, self._model, make_backend
        )
        self._opener = self._make_opener()
        self._context = AppContext(
            self.window, self._current, self._opener, tasks, self._settings, self._go_to_text,
            projects_folder, settings_file.path.with_name("presets.json"), keys,
            options.model_folder or str(options.model_file or ""), options.model_file, kernels,
        )  # fmt: skip
        self.startup = StartupFeatures(
            self._context, self.controls, self.drafts, safe_mode, noted, MotionSwitch(app),
            None if reporting is None else reporting.folder,
        )  # fmt: skip
        self.deferred: DeferredFeatures | None = None
        self._models_wanted = False
        self._showing = asyncio.Lock()
        self._switches_due = 0
        self._exit_code: int | None = None
        self._deadline = Deadline(lambda: self._autosave.shows_unstored, noted.finish)
        self._first_paint = FirstPaint(self.window.editor.viewport())
        self._show_settings()
        self._wire()

    def _make_opener(self) -> ProjectOpener:
        model = self._model
        opener = ProjectOpener(
            self.window, self._current, self._display, lambda: model.is_usable, model.say_it_is_missing,
            self._taken, lambda: model.choice.name if model.choice.chosen else "",
        )  # fmt: skip
        opener.followed.append(self._problems.note_damage)  # first of all: before there is a notice
        return opener

    async def run(self) -> int:
        """Open the last project, handle the writer's requests, and return when everything is saved."""
        end_requests = EndRequests(self.leave, self.window)
        self._requests.enqueue(self._open_first)
        self.startup.backups.watch()
        try:
            while self._exit_code is None:
                await self._requests.run_next()
            self.window.hide()
            await self.drafts.close()
        finally:
            end_requests.close()
            self.close()
        return self._exit_code

    def close(self) -> None:
        """Stop background work, and close the window."""
        self.startup.backups.stop()
        if self.deferred is not None:
            self.deferred.close()
        self._deadline.cancel()
        self._guard.stop()
        self._settings.close()
        self.window.leave()

    # ------------------------------------------------------------ requests of the window
    def leave(self) -> None:
        """Quit as soon as everything is saved; an engine that hangs does not delay it."""
        if self._status.leaving:
            return
        self.startup.preferences.keep()
        self.startup.manuscript.panel.flush()
        self._status.show_leaving(leaving=True)
        self._deadline.start()
        self.startup.starter.stop()
        self.drafts.pause()
        self._requests.enqueue(self._finish)

    def _go_to_text(self, document_id: int, place: int) -> None:
        """Show a place of a text, in characters."""
        self._open_text(document_id, place)

    def _go_to_newest(self) -> None:
        """Show the text that a draft grows in."""
        session = self._current.session
        if session is not None and session.draft_target is not None:
            self._open_text(session.draft_target.document.document_id)

    def _store_now(self) -> None:
        """Save the changed text, during a draft or before any later request."""
        if self.drafts.is_writing:
            self._requests.run_now(self._store_text)
        else:
            self._requests.enqueue(self._store_text)

    def _new(self, project: NewProject) -> None:
        self._switch(partial(self._opener.create, project))

    def _open(self, path: Path) -> None:
        if self._switches_due or not self._current.is_open(path):
            self._switch(partial(self._opener.open, path))

    def _open_text(self, document_id: int, place: int | None = None) -> None:
        if self._current.shown_id == document_id:
            self._select(place)
        elif self.drafts.is_writing:
            self._requests.run_now(partial(self._show_text_beside, document_id, place))
        else:
            self._switch(partial(self._show_text, document_id, place))

    def _switch(self, action: Action) -> None:
        """Lock the text until the other project is open, or cannot be opened.

        What is typed meanwhile would belong to neither.
        """
        self.startup.manuscript.panel.flush()
        self.drafts.pause()
        self._autosave.store_soon()  # in its turn, which is before that of the other project
        self._switches_due += 1
        self._show_switching()
        self._requests.enqueue(partial(self._switched, action))

    def _choose_model(self, folder: str) -> None:
        self._settings.change(model_folder=folder, starter_done=True)
        self.drafts.choose_model(ModelChoice.of(self._settings.settings, folder))

    def _show_models(self) -> None:
        """Show the list of models, as soon as it is built after the first text was shown."""
        self._models_wanted = self.deferred is None
        if self.deferred is not None:
            self.deferred.model_library.show_dialog()

    def _act_on(self, action: NoticeAction) -> None:
        match action:
            case NoticeAction.RESUME if not self._model.is_usable:
                self._model.say_it_is_missing()
            case NoticeAction.RESUME:
                self.controls.bar.ask_to_continue()
            case NoticeAction.LOAD_AGAIN:
                self.drafts.look_for_model()
                self.drafts.start_in_turn()
            case NoticeAction.LEAVE:
                self.leave()
            case NoticeAction.CHOOSE_MODEL:
                self.startup.dialogs.ask_for_model()
            case NoticeAction.SAVE_AGAIN:
                self._requests.enqueue(self._store_text)
            case NoticeAction.REWIND:
                self.startup.takes.rewind(self.startup.charts.rewound())
            case NoticeAction.OPEN_BACKUP if self._problems.damaged is not None:
                self._switch(partial(self.startup.backups.open_backup, self._problems.damaged))
            case NoticeAction.OPEN_BACKUP:
                pass

    # ------------------------------------------------------------ tasks, one at a time
    async def _open_first(self) -> None:
        """Open the requested or the last project; on the very first start show the welcome page."""
        try:
            await self.startup.welcome.open_first(
                self._options.project, opens_sample=self._options.measure_start
            )
        except WriterProblem as problem:
            self._problems.report_first(problem)
        finally:
            if self._options.measure_start:
                self._measure_start()
            self._requests.enqueue(self._build_deferred)

    async def _build_deferred(self) -> None:
        """Create the deferred features, and let them follow the text that is shown by now."""
        await asyncio.to_thread(importlib.import_module, "quire.deferred_features")
        self.deferred = await self._opener.built(self._deferred_features)
        if self._models_wanted:
            self._show_models()
        self._guard.freeze()  # these features live as long as the window

    def _deferred_features(self) -> DeferredFeatures:
        from quire.deferred_features import DeferredFeatures

        return DeferredFeatures(self._context, self.startup, self.controls, self.drafts)

    def _taken(self, path: Path) -> None:
        """Follow a project that was opened."""
        self._problems.damaged = path  # a backup is offered as well where its log has lost something
        self.drafts.forget()
        self._settings.apply(self._settings.settings.with_recent(path))
        self.window.show_recent(self._settings.settings.recent)

    async def _switched(self, action: Action) -> None:
        try:
            await action()
        finally:
            self._switches_due -= 1
            self._show_switching()

    def _show_switching(self) -> None:
        switching = self._switches_due > 0
        self.window.editor.set_locked(locked=switching or not self._may_write)
        self._status.show_switching(switching=switching)

    async def _show_text(self, document_id: int, place: int | None) -> None:
        await self._opener.open_document(document_id)
        self._select(place)

    async def _show_text_beside(self, document_id: int, place: int | None) -> None:
        """Show another text while a draft is running."""
        async with self._showing:
            drafting, session = self.drafts.drafting, self._current.session
            generation = None if drafting is None else drafting.generation
            if generation is None or session is None:  # it has ended meanwhile
                self._switch(partial(self._show_text, document_id, place))
                return
            await self.drafts.pages.show_text(session, document_id, generation)
            await self._opener.follow(session)
        self._select(place)

    def _select(self, place: int | None) -> None:
        if place is not None:
            select_place(self.window.editor, place, place)

    async def _store_text(self) -> None:
        """Save the current manuscript; raise NotStored if that fails."""
        await self._autosave.store()
        self.startup.manuscript.count_open()

    async def _finish(self) -> None:
        """Save and close the project; if that fails stay open, once."""
        self.window.editor.set_locked(locked=True)  # what is typed from here on could not be saved
        may_leave = self._autosave.may_leave_unstored
        try:
            await self._store_text()
        except NotStored as problem:
            if not may_leave:
                self._stay(problem)
                return
        self._exit_code = 0 if await self._current.close() else 1

    # ------------------------------------------------------------ inside
    def _model_is_ready(self) -> None:
        self._guard.freeze()  # what was imported with the model lives as long as the program
        loaded = self.drafts.loaded_model
        if loaded is not None:
            self._status.show_model(self._model.choice.name, loaded.identity.dtype)

    def _stay(self, problem: NotStored) -> None:
        self._autosave.warned_before_leaving()
        self.window.editor.set_locked(locked=False)
        self._deadline.cancel()
        self._status.show_leaving(leaving=False)
        self._problems.report_closing(problem)

    @property
    def _may_write(self) -> bool:
        return self._current.session is not None and not self._current.session.read_only

    def _measure_start(self) -> None:
        if self._current.session is None:
            sys.stderr.write(f"{self.window.message_page.sentence.text() or 'No project was opened.'}\n")
            self._exit_code = 1
        else:
            self._first_paint.painted.connect(self._report_start)
            self._first_paint.arm()

    def _report_start(self) -> None:
        sys.stdout.write(f"{seconds_since_start():.3f}\n")
        self.leave()

    def _show_settings(self) -> None:
        self.startup.appearance.set_geometry(self._settings.settings.geometry)
        self.window.show_recent(self._settings.settings.recent)
        self._model.show()

    def _wire(self) -> None:
        window = self.window
        self.startup.dialogs.new_asked.connect(self._new)
        window.open_asked.connect(self._open)
        window.document_asked.connect(self._open_text)
        window.models_asked.connect(self._show_models)
        window.model_chosen.connect(self._choose_model)
        window.action_chosen.connect(self._act_on)
        window.leave_asked.connect(self.leave)
        window.editor.newest_asked.connect(self._go_to_newest)
        window.editor.edited.connect(self._display.edited)
        self._autosave.text_read.connect(self._display.count)
        self._autosave.due.connect(self._store_now)
