"""Imports models: chosen in the list, dropped onto the window, or named on the command line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from quire.errors import WriterProblem
from quire.model_library.import_bar import ImportBar
from quire.model_library.model_questions import ImportQuestion, UseQuestion
from quire.services.model_library.model_imports import USUAL, ImportState, ImportWish, ModelImports
from quire.services.model_library.model_library import KnownModel, ModelLibrary, ModelOrigin
from quire.services.model_library.model_offers import imported_from, models_in
from quire.shell.main_window import MainWindow
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire.shell.task_queue import TaskQueue
from quire.ui.translated import translated
from quire_engine.api.user_message import UserMessage, joined

if TYPE_CHECKING:
    from quire.services.project.project_session import ProjectSession

_STOPPED = UserMessage("The import was stopped.")


class ModelImportController(QObject):
    """Does one import at a time, and shows it above the manuscript.

    Signals:
        began: the name of a model that is being imported.
        progressed: from 0 to 1.
        ended: no more.
        changed: the folder of a model that was imported, or added to the list.
        several_dropped: a folder with several models.
        chosen: the folder of a model that the writer wants to write with.
    """

    began = Signal(str)
    progressed = Signal(float)
    ended = Signal()
    changed = Signal(Path)
    several_dropped = Signal(Path)
    chosen = Signal(Path)

    def __init__(
        self, window: MainWindow, tasks: TaskQueue, library: ModelLibrary, imports: ModelImports
    ) -> None:
        super().__init__(window)
        self._window, self._tasks, self._library, self._imports = window, tasks, library, imports
        self.name = ""
        self.bar = ImportBar(window)
        self._is_named_due = False
        self._may_draft = asyncio.Event()
        self._may_draft.set()
        window.add_bar(self.bar)
        window.setAcceptDrops(True)
        window.model_dropped.connect(self._take_dropped)
        window.status.changed.connect(self._stop_when_leaving)
        self.bar.row.stop_wanted.connect(self.stop)

    @property
    def is_running(self) -> bool:
        """Whether an import is running."""
        return self._imports.is_running

    @Slot()
    def stop(self) -> None:
        """Stop the import; nothing is left of it."""
        self._imports.stop()

    async def bring(self, path: Path, name: str, wish: ImportWish = USUAL) -> Path | None:
        """Import a model; return its folder, or None when it was stopped. WriterProblem when it fails."""
        if self._imports.is_running:
            raise WriterProblem("Another model is being imported. Wait until it is finished, or stop it.")
        self.name = name
        self.bar.begin(name)
        self.began.emit(name)
        try:
            folder = await self._imports.bring(path, self._show, wish)
        finally:
            self.bar.end()
            self.ended.emit()
        return folder

    async def bring_known(self, known: KnownModel, wish: ImportWish = USUAL) -> Path | None:
        """Import a model of the list; the file of a download becomes part of the imported model."""
        if known.gguf is None:
            raise WriterProblem("{file}: {problem}", file=known.path.name, problem=known.problem)
        folder = await self.bring(known.gguf.path, translated(known.title), wish)
        if folder is not None and known.origin is ModelOrigin.DOWNLOADED:
            await asyncio.to_thread(self._library.take_download, known, folder)
        return folder

    # ------------------------------------------------------------ dropped onto the window
    @Slot(Path)
    def _take_dropped(self, path: Path) -> None:
        self._tasks.run_now(partial(self._ask_about, path))

    async def _ask_about(self, path: Path) -> None:
        """Ask about the model in a file or folder; WriterProblem when there is none."""
        found = await asyncio.to_thread(models_in, self._library, path)
        known, *others = found
        if others:
            self.several_dropped.emit(path)
            return
        there = await asyncio.to_thread(imported_from, self._library, known)
        if known.gguf is None or there is not None:
            known = known if there is None else there
            question = UseQuestion(known, self._window)
            question.agreed.connect(partial(self._ask_to_use, known))
            question.open()
            return
        asking = ImportQuestion(known, known.gguf, self._window, to_use=True)
        asking.agreed.connect(partial(self._ask_to_import, known))
        asking.open()

    def _ask_to_use(self, known: KnownModel) -> None:
        self._tasks.run_now(partial(self._add, known))

    def _ask_to_import(self, known: KnownModel, wish: ImportWish) -> None:
        self._tasks.run_now(partial(self._import_and_use, known, wish))

    async def _add(self, known: KnownModel) -> None:
        added = await asyncio.to_thread(self._library.add, known.path)
        self.changed.emit(added.path)
        self._use(added.path, added.title)

    async def _import_and_use(self, known: KnownModel, wish: ImportWish) -> None:
        folder = await self.bring_known(known, wish)
        if folder is not None:
            self.changed.emit(folder)
            self._use(folder, translated(known.title))

    def _use(self, folder: Path, name: str) -> None:
        self.chosen.emit(folder)
        said = UserMessage("Quire will write with {name} from the next draft on.", name=name)
        self._tasks.enqueue(partial(self._note, said))  # choosing a model takes notices away

    async def _note(self, said: UserMessage) -> None:
        self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, said, NoticeAction.CHOOSE_MODEL))

    # ------------------------------------------------------------ named on the command line
    def bring_named(self, path: Path, use: Callable[[Path | None], str]) -> None:
        """Import the model that the command line names; a draft waits for it.

        Args:
            use: called with the folder of the model, or with None if it was not imported; returns the name
                of the model that is used from then on.
        """
        self._is_named_due = True
        self._tasks.run_now(partial(self._bring_named, path, use))

    async def before_draft(self, _session: ProjectSession) -> None:
        """Wait until the model of the command line is there, or the writer pauses."""
        if self._is_named_due:
            self._may_draft.clear()
            await self._may_draft.wait()

    @Slot()
    def stop_waiting(self) -> None:
        """Let a draft that waits for the model go on or end; the import is not stopped."""
        self._may_draft.set()

    async def _bring_named(self, path: Path, use: Callable[[Path | None], str]) -> None:
        bar, folder = self._window.notice_bar, None
        said, kind = _STOPPED, NoticeKind.NOTE
        try:
            known = await asyncio.to_thread(self._library.look_at, path)
            folder = await self.bring_known(known)
        except WriterProblem as problem:
            said, kind = problem.message, NoticeKind.ERROR
        finally:
            self._is_named_due = False
            name = use(folder)
            self.stop_waiting()
        if folder is not None:
            self.changed.emit(folder)
        elif not self._window.status.leaving:
            text = joined(said, UserMessage("Continue will write with {name}.", name=name))
            bar.show_notice(Notice(kind, text, NoticeAction.CHOOSE_MODEL))

    # ------------------------------------------------------------ inside
    def _show(self, state: ImportState) -> None:
        self.bar.row.show_share(state.share)
        self.progressed.emit(state.share)

    @Slot()
    def _stop_when_leaving(self) -> None:
        if self._window.status.leaving:
            self._imports.stop()
            self.stop_waiting()
