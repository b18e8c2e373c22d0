"""The File menu beyond opening: backups, import, export of run data."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from quire.domain.manuscript.backup_rotation import Reason
from quire.errors import WriterProblem
from quire.projects.restore_dialog import RestoreDialog
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire.system.file_sizes import size_text
from quire.ui.file_dialogs import SaveProjectDialog
from quire.ui.translated import translated
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:
    from quire.app import App

DAILY_AFTER_S = 60.0
LOOK_AGAIN_AFTER_S = 3600.0
"""Delay after opening a project, and interval from then on, of the check for a daily backup."""


class BackupController:
    """Connects the File menu to the open project."""

    def __init__(self, app: App) -> None:
        window = app.window
        self._app, self._window, self._current, self._tasks = app, window, app.current, app.tasks
        self._timer: asyncio.TimerHandle | None = None
        self._dialog: RestoreDialog | None = None
        self._reading = asyncio.Lock()
        app.events.closing.subscribe("backups", self._stop)
        window.commands.back_up.triggered.connect(self._ask_for_backup)
        window.commands.restore_backup.triggered.connect(self._ask_which)
        window.commands.save_copy.triggered.connect(self._ask_for_copy)
        window.action_chosen.connect(self._act_on)
        window.run_data_asked.connect(self._ask_for_run_data)
        window.commands.fast_resume.triggered.connect(self._ask_for_fast_resume)

    def watch(self) -> None:
        """Start checking for the daily backup."""
        self._look_in(DAILY_AFTER_S)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    async def open_backup(self, damaged: Path, backup: Path | None = None) -> None:
        """Create a new project from a backup of another, and open it; None: from the last good one."""
        from quire.services.transactions.closed_projects import restored

        new, used = await asyncio.to_thread(restored, damaged, backup)
        await self._app.opener.adopt(await self._current.opened(new))
        self._say(
            UserMessage(
                "{project} was restored from the backup {backup}. {damaged} is unchanged.",
                project=new.name,
                backup=used.name,
                damaged=damaged.name,
            )
        )

    # ------------------------------------------------------------ an older backup, a copy
    def _ask_which(self) -> None:
        self._tasks.run_now(self._show_backups)

    async def _show_backups(self) -> None:
        """List the backups of the open project, and count the words of each."""
        from quire.services.transactions.closed_projects import kept_backups

        await self._current.autosave.store()
        session = self._current.require_session()
        project = session.backup_of or session.path
        backups = await asyncio.to_thread(kept_backups, project)
        if not backups:
            self._say(UserMessage("There are no backups of this project yet. Back Up Now makes one."))
            return
        dialog = self._dialog = RestoreDialog(backups, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.restore_asked.connect(partial(self._restore, project))
        dialog.look_asked.connect(self._ask_to_look)
        dialog.finished.connect(self._forget_dialog)
        dialog.open()
        dialog.list.setCurrentRow(0)
        for row, backup in enumerate(backups):
            if self._dialog is not dialog:
                return
            num_words: int | None = None
            with contextlib.suppress(WriterProblem):
                num_words, _ = await self._contents(backup.path)
            if self._dialog is dialog:
                dialog.show_words(row, num_words)

    def _ask_to_look(self, row: int) -> None:
        if self._dialog is not None:
            self._tasks.run_now(partial(self._look_into, self._dialog, row))

    async def _look_into(self, dialog: RestoreDialog, row: int) -> None:
        try:
            _, text = await self._contents(dialog.backups[row].path)
        except WriterProblem as problem:
            text = translated(problem.message)
        if self._dialog is dialog:
            dialog.show_text(row, text)

    async def _contents(self, backup: Path) -> tuple[int, str]:
        """Return how many words a backup has, and its text; one backup at a time, for each is locked."""
        from quire.services.transactions.closed_projects import contents_of

        async with self._reading:
            return await asyncio.to_thread(contents_of, backup)

    def _forget_dialog(self) -> None:
        self._dialog = None

    def _restore(self, project: Path, backup: Path) -> None:
        self._tasks.enqueue_exclusive(partial(self.open_backup, project, backup))

    def _act_on(self, action: NoticeAction) -> None:
        session = self._current.session
        if action is NoticeAction.RESTORE_BACKUP and session is not None and session.backup_of is not None:
            self._restore(session.backup_of, session.path)

    def _ask_for_copy(self) -> None:
        from quire.services.transactions.saving_elsewhere import free_name

        offered = free_name(self._current.require_session().path)
        dialog = SaveProjectDialog(offered, self._window, is_copy=True)
        dialog.fileSelected.connect(self._take_copy_name)
        dialog.open()

    def _take_copy_name(self, path: str) -> None:
        self._tasks.run_now(partial(self.save_copy, Path(path)))

    async def save_copy(self, path: Path) -> None:
        """Write the project to a new file, and go on working in this one."""
        await self._current.autosave.store()
        session = self._current.require_session()
        await session.copy_to(path)
        self._say(
            UserMessage(
                "A copy was saved as {file} in {folder}. You are still working in {project}.",
                file=path.name,
                folder=path.parent,
                project=session.path.name,
            )
        )

    def _look_in(self, seconds: float) -> None:
        self._stop()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        self._tasks.run_now(self._back_up_daily)
        self._look_in(LOOK_AGAIN_AFTER_S)

    def _ask_for_backup(self) -> None:
        self._tasks.run_now(self._back_up)

    def _ask_for_run_data(self, path: Path) -> None:
        self._tasks.run_now(partial(self._export_run_data, path))

    def _ask_for_fast_resume(self) -> None:
        self._tasks.enqueue(self._keep_fast_resume)

    async def _keep_fast_resume(self) -> None:
        resume = self._app.drafts.fast_resume
        if resume is None or not resume.num_bytes:
            return
        self._say(UserMessage("Saving the fast resume file…"))
        kept = await resume.keep()
        self._say(
            UserMessage(
                "{name} ({size}) was saved next to the project. The next Continue uses it instead of "
                "rereading the text, then deletes it.",
                name=Path(kept.path).name,
                size=size_text(kept.num_bytes),
            )
        )

    async def _back_up(self) -> None:
        from quire.services.transactions.closed_projects import damage_in

        await self._current.autosave.store()
        made = await self._current.require_session().back_up(Reason.ASKED)
        if made is None:
            return
        if damage := await asyncio.to_thread(damage_in, made):
            self._say(
                UserMessage(
                    "Backup made: {name} in {folder}. It is an exact copy, but something in the project is "
                    "damaged: {what}.",
                    name=made.name,
                    folder=made.parent,
                    what=damage[0],
                )
            )
            return
        self._say(
            UserMessage("Backup made and verified: {name} in {folder}.", name=made.name, folder=made.parent)
        )

    async def _back_up_daily(self) -> None:
        if self._current.session is not None and not self._current.session.read_only:
            await self._current.session.back_up(Reason.DAILY)

    async def _export_run_data(self, path: Path) -> None:
        num_runs = await self._current.require_session().export_runs(path)
        counted = (
            UserMessage("1 run") if num_runs == 1 else UserMessage("{num_runs:,} runs", num_runs=num_runs)
        )
        self._say(UserMessage("The data of {counted} was exported to {path}.", counted=counted, path=path))

    def _say(self, sentence: str) -> None:
        self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, sentence))
