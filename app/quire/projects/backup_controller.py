"""The File menu beyond opening: backups, import, export of run data."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from quire.domain.manuscript.backup_rotation import Reason
from quire.projects.current_project import CurrentProject
from quire.shell.main_window import MainWindow
from quire.shell.notices import Notice, NoticeKind
from quire.shell.task_queue import TaskQueue
from quire.system.file_sizes import size_text
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:
    from quire.services.drafting.fast_resume import FastResume
    from quire.services.project.project_session import ProjectSession

DAILY_AFTER_S = 60.0
LOOK_AGAIN_AFTER_S = 3600.0
"""Delay after opening a project, and interval from then on, of the check for a daily backup."""


class BackupController:
    """Connects the File menu to the open project.

    Args:
        adopt: opens a project in place of the current one.
        fast_resume: returns what the last draft left in memory, or None.
    """

    def __init__(
        self,
        window: MainWindow,
        current: CurrentProject,
        tasks: TaskQueue,
        adopt: Callable[[ProjectSession], Awaitable[None]],
        fast_resume: Callable[[], FastResume | None],
    ) -> None:
        self._window = window
        self._current = current
        self._tasks = tasks
        self._adopt, self._fast_resume = adopt, fast_resume
        self._timer: asyncio.TimerHandle | None = None
        window.commands.back_up.triggered.connect(self._ask_for_backup)
        window.run_data_asked.connect(self._ask_for_run_data)
        window.commands.fast_resume.triggered.connect(self._ask_for_fast_resume)

    def watch(self) -> None:
        """Start checking for the daily backup."""
        self._look_in(DAILY_AFTER_S)

    def stop(self) -> None:
        """Stop checking."""
        if self._timer is not None:
            self._timer.cancel()

    async def open_backup(self, damaged: Path) -> None:
        """Create a new project from the last good backup of a damaged one, and open it."""
        from quire.services.transactions.closed_projects import restored

        new, backup = await asyncio.to_thread(restored, damaged)
        await self._adopt(await self._current.opened(new))
        self._say(
            UserMessage(
                "{project} was restored from the backup {backup}. {damaged} is unchanged.",
                project=new.name,
                backup=backup.name,
                damaged=damaged.name,
            )
        )

    def _look_in(self, seconds: float) -> None:
        self.stop()
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
        resume = self._fast_resume()
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
