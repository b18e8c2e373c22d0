"""Downloads models from the hub: looked up, asked about, fetched, resumed."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from quire.errors import WriterProblem
from quire.model_library.model_import_controller import ModelImportController
from quire.model_library.models_dialog import ModelsDialog
from quire.services.model_library.download_choices import DownloadChoice, download_choices, free_disk_at
from quire.services.model_library.model_download import DownloadState, ModelDownloads, TokenNeeded
from quire.services.model_library.model_imports import ImportWish
from quire.services.model_library.model_library import KnownModel
from quire.shell.main_window import MainWindow
from quire.shell.notices import Notice, NoticeKind
from quire.shell.task_queue import TaskQueue
from quire_engine.catalog.repositories import Repository

if TYPE_CHECKING:
    from quire.model_library.controller import ModelLibraryController


class ModelDownloadController(QObject):
    """Connects the download box of the list to the hub; a download goes on while the list is closed.

    Args:
        models: the list.
        importing: imports what was downloaded in GGUF files.
    """

    def __init__(
        self,
        window: MainWindow,
        tasks: TaskQueue,
        downloads: ModelDownloads,
        models: ModelLibraryController,
        importing: ModelImportController,
    ) -> None:
        super().__init__(window)
        self._window, self._tasks, self._downloads = window, tasks, downloads
        self._models, self._importing = models, importing
        self._dialog: ModelsDialog | None = None

    def show_in(self, dialog: ModelsDialog | None) -> None:
        """Show downloads in a dialog that was opened; None: it was closed."""
        self._dialog = dialog
        if dialog is None:
            return
        dialog.resume_asked.connect(self._ask_to_resume)
        dialog.downloads.look_up_asked.connect(self._ask_to_look_up)
        dialog.downloads.download_asked.connect(self._ask_to_download)
        dialog.downloads.pause_asked.connect(self.pause)
        if self._downloads.is_running:
            dialog.downloads.begin("")

    @Slot()
    def pause(self) -> None:
        """Pause the download; it is resumed from the list."""
        self._downloads.pause()

    # ------------------------------------------------------------ requests of the dialog
    @Slot(object)
    def _ask_to_resume(self, known: KnownModel) -> None:
        self._tasks.run_now(partial(self._resume, known))

    @Slot(str, str)
    def _ask_to_look_up(self, name: str, token: str) -> None:
        self._tasks.run_now(partial(self._look_up, name, token))

    @Slot(object, str, bool)
    def _ask_to_download(self, repository: Repository, token: str, keep: bool) -> None:
        self._tasks.run_now(partial(self._download, repository, token, keep))

    # ------------------------------------------------------------ tasks
    async def _look_up(self, name: str, token: str) -> None:
        try:
            found = await self._downloads.look_up(name, token)
            choices = await self._choices(found)
        except TokenNeeded as needed:
            self._ask_for_token(needed)
        except WriterProblem as problem:
            if self._dialog is not None:
                self._dialog.downloads.say(problem.message)
        else:
            if self._dialog is not None:
                self._dialog.downloads.offer(choices)

    async def _choices(self, found: Repository) -> tuple[DownloadChoice, ...]:
        memory = await self._models.free_memory()
        free = await asyncio.to_thread(free_disk_at, self._downloads.home)
        return download_choices(found, memory, free)

    async def _resume(self, known: KnownModel) -> None:
        try:
            repository = await asyncio.to_thread(self._downloads.unfinished, known.path)
        except WriterProblem as problem:
            self._say(problem.message)
            return
        await self._download(repository, "", False)

    async def _download(self, repository: Repository, token: str, keep: bool) -> None:
        if self._downloads.is_running:
            self._say(self.tr("Another model is downloading. Wait for it to finish, or pause it."))
            return
        if self._dialog is not None:
            self._dialog.downloads.begin(repository.title)
        try:
            folder = await self._downloads.fetch(repository, self._show, token, keep_token=keep)
        except TokenNeeded as needed:
            self._ask_for_token(needed)
            return
        except WriterProblem as problem:
            self._report(problem.message)
            await self._models.look_again()
            return
        await self._models.look_again()
        if folder is None:
            self._report(self.tr("Download paused. To resume it, select it in the list and choose Resume."))
            return
        self._choose(folder)
        if repository.variant:
            await self._import(repository, folder)
        else:
            self._report(self.tr("{0} is downloaded. Choose Use to draft with it.").format(repository.name))

    async def _import(self, repository: Repository, downloaded: Path) -> None:
        """Import the quantisation that was downloaded; if that fails, the download stays in the list."""
        self._report("")
        known = await self._models.look_at(downloaded)
        try:
            folder = await self._importing.bring_known(known, ImportWish(licence=repository.licence))
        except WriterProblem as problem:
            self._report(problem.message)
            return
        if folder is None:
            said = self.tr("{0} is downloaded, but not imported yet. Choose Import to draft with it.")
            self._report(said.format(repository.title))
            return
        await self._models.look_again()
        self._choose(folder)
        said = self.tr("{0} is downloaded and imported. Choose Use to draft with it.")
        self._report(said.format(repository.title))

    # ------------------------------------------------------------ display
    def _choose(self, folder: Path) -> None:
        if self._dialog is not None:
            self._dialog.choose(folder)

    def _ask_for_token(self, needed: TokenNeeded) -> None:
        if self._dialog is not None:
            box = self._dialog.downloads
            box.row.end()
            box.ask_for_token(str(needed), can_keep=self._downloads.can_keep_token)

    def _show(self, state: DownloadState) -> None:
        if self._dialog is not None:
            self._dialog.downloads.show_state(state)

    def _say(self, sentence: str) -> None:
        if self._dialog is not None:
            self._dialog.say(sentence)

    def _report(self, sentence: str) -> None:
        if self._dialog is None:
            if not sentence:
                return
            self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, sentence))
        else:
            self._dialog.downloads.end(sentence)
