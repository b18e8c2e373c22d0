"""Logs the work on the open project, and shows statistics about it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Coroutine
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from quire.domain.drafting.draft_status import DraftProgress, DraftState
from quire.domain.manuscript.project_file_names import file_stem_of
from quire.errors import WriterProblem
from quire.shell.notices import Notice, NoticeKind
from quire.writing_statistics.statistics_dialog import WritingDialog
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:  # imported when the window is shown: SQLAlchemy is slow to import
    from quire.app import App
    from quire.domain.drafting.run import Run
    from quire.services.project.project_session import ProjectSession
    from quire.services.project.writing_log import WritingLog


class StatisticsController:
    """Logs the events of the window for the open project, and shows the statistics."""

    def __init__(self, app: App) -> None:
        window = app.window
        self._window, self._tasks = window, app.tasks
        self._session: ProjectSession | None = None
        self._log: WritingLog | None = None
        self._dialog: WritingDialog | None = None
        self._was_reached = False
        window.editor.edited.connect(self._typed)
        window.commands.statistics.triggered.connect(self._ask)
        window.status.changed.connect(self._look)
        app.events.text_followed.subscribe("statistics", self._follow)
        app.events.draft.progressed.subscribe("statistics", self._progressed)
        app.events.draft.ended.subscribe("statistics", self._draft_ended)

    async def _follow(self, session: ProjectSession) -> None:
        """Log events of the open project from now on."""
        from quire.services.project.writing_log import WritingLog

        if self._window.progress.goal_words:  # of a draft that rests
            await self._draft_ended(session, await session.resting_run())
        if session is self._session:
            self._show_today()  # another text of the same project is shown, or this one with another take
            return
        self._session, self._log = (
            session,
            None,
        )  # what is typed before it is loaded belongs to no other project
        self._log = await WritingLog.of(session, self._show_today)
        self._was_reached = 0 < self._log.daily_target <= self._log.today.words_written
        self._show_today()

    async def _draft_ended(self, session: ProjectSession, run: Run | None) -> None:
        """Count the words of a draft as those of any text: with the last one, which nothing follows."""
        from quire.services.project.writing_log import words_of_run

        if run is None:
            return
        with contextlib.suppress(WriterProblem):  # its record may be damaged
            num_words = await session.read(words_of_run, run.run_id)
            self._window.progress.settle(num_words)
            if self._log is not None and session is self._session:
                self._log.rested(run.run_id, num_words)

    def _progressed(self, progress: DraftProgress) -> None:
        if self._log is not None and progress.steps:
            self._log.drafted(progress.run_id, progress.num_words)

    def _typed(self) -> None:
        if self._log is not None:
            self._log.wrote()

    def _look(self) -> None:
        if self._log is not None:
            self._log.drafting(is_on=self._window.status.status.state is DraftState.DRAFTING)

    def _show_today(self) -> None:
        if self._log is None:
            return
        today, target = self._log.today, self._log.daily_target
        self._window.status.show_today(today, target)
        is_reached = 0 < target <= today.words_written
        if is_reached and not self._was_reached:
            said = UserMessage("You have written the {words:,} words of today's target.", words=target)
            self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, said))
        self._was_reached = is_reached

    def _ask(self) -> None:
        self._tasks.run_now(self._show)

    async def _show(self) -> None:
        """Open the dialog, or update it."""
        if self._log is None:
            raise WriterProblem("No project is open. Open one, or start a new one.")
        statistics = await self._log.statistics()
        if self._dialog is not None:
            self._dialog.show_statistics(statistics)
            return
        stem = file_stem_of(self._window.status.title or "")
        dialog = WritingDialog(statistics, self._window.themes, stem, parent=self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.goal_wanted.connect(self._ask_for_goal)
        dialog.removal_wanted.connect(self._ask_for_removal)
        dialog.export_wanted.connect(self._ask_for_table)
        dialog.target_wanted.connect(self._ask_for_target)
        dialog.finished.connect(self._closed)
        dialog.open()
        self._dialog = dialog

    def _ask_for_goal(self, words: int, due: date | None) -> None:
        if self._log is not None:
            self._tasks.run_now(partial(self._change, partial(self._log.set_goal, words, due)))

    def _ask_for_target(self, words: int) -> None:
        if self._log is not None:
            self._tasks.run_now(partial(self._change, partial(self._log.set_daily_target, words)))

    def _ask_for_removal(self, goal_id: int) -> None:
        if self._log is not None:
            self._tasks.run_now(partial(self._change, partial(self._log.remove_goal, goal_id)))

    def _ask_for_table(self, path: Path) -> None:
        if self._log is not None:
            self._tasks.run_now(partial(self._export, self._log, path))

    async def _change(self, change: Callable[[], Coroutine[Any, Any, None]]) -> None:
        await change()
        if self._dialog is not None:
            await self._show()

    async def _export(self, log: WritingLog, path: Path) -> None:
        number = await log.export(path)
        said = (
            UserMessage("1 session was exported to {path}.", path=path)
            if number == 1
            else UserMessage("{number:,} sessions were exported to {path}.", number=number, path=path)
        )
        self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, said))

    def _closed(self) -> None:
        self._dialog = None
