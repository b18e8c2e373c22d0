"""The folder of plain text files beside a project, written on request or after each change."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QAction

from quire.errors import WriterProblem
from quire.projects.current_project import CurrentProject
from quire.shell.main_window import MainWindow
from quire.shell.notices import Notice, NoticeKind
from quire.shell.task_queue import TaskQueue
from quire_engine.api.user_message import UserMessage, joined

if TYPE_CHECKING:
    from quire.domain.manuscript.manuscript import Document
    from quire.services.project.project_session import ProjectSession
    from quire.services.project.text_mirror import Mirrored
    from quire.system.throttle import Throttle

EVERY_S = 30.0
"""Minimum interval between updates while the writer works."""
_log = logging.getLogger(__name__)


class MirrorController:
    """Connects the text files to the open project.

    Args:
        write_now: the action that writes them now.
        keep: the action that keeps them up to date.
    """

    def __init__(
        self,
        window: MainWindow,
        write_now: QAction,
        keep: QAction,
        current: CurrentProject,
        tasks: TaskQueue,
        every_s: float = EVERY_S,
    ) -> None:
        self._window, self._current, self._tasks = window, current, tasks
        self._keep_action, self._status = keep, window.status
        self._every_s = every_s
        self._session: ProjectSession | None = None
        self._throttle: Throttle | None = None
        self._is_on = False
        self._was_busy = False
        self._written: int | None = None  # the revision of the project in the files
        self._lock = asyncio.Lock()
        write_now.triggered.connect(self._ask_to_write)
        keep.toggled.connect(self._ask_to_keep)
        window.status.changed.connect(self._look)

    async def follow(self, session: ProjectSession) -> None:
        """Load whether the files of another project are kept up to date."""
        if session is self._session:
            self.write_soon()  # the book may have been rearranged
            return
        from quire.services.project.text_mirror import is_kept
        from quire.system.throttle import Throttle

        if self._throttle is not None:
            self._throttle.cancel()
        self._session, self._written = session, None
        self._is_on = await session.read(is_kept) and not session.read_only
        self._throttle = Throttle(self._every_s, self._write_now)
        with QSignalBlocker(self._keep_action):
            self._keep_action.setChecked(self._is_on)
        session.when_saved(self._saved)
        session.before_close(partial(self._last, session))
        self.write_soon()

    # ------------------------------------------------------------ triggers
    def _saved(self, _before: Document, _after: Document) -> None:
        self.write_soon()

    def _look(self) -> None:
        """Write the files when a draft is over."""
        was_busy, self._was_busy = self._was_busy, self._status.is_busy
        if was_busy and not self._was_busy:
            self.write_soon()

    def write_soon(self) -> None:
        """Write the files soon, if they are kept up to date; the book has changed."""
        if self._is_on and self._throttle is not None:
            self._throttle.request()

    def _write_now(self) -> None:
        if self._session is not None and self._session is self._current.session:
            self._tasks.run_now(partial(self._write_quietly, self._session))

    def _ask_to_write(self) -> None:
        self._tasks.run_now(self._write_and_say)

    def _ask_to_keep(self, kept: bool) -> None:
        self._tasks.run_now(partial(self._keep, kept))

    # ------------------------------------------------------------ writing
    async def _write_and_say(self) -> None:
        from quire.services.project.text_mirror import folder_of

        await self._current.autosave.store()
        session = self._current.require_session()
        self._written = None
        done = await self._write(session)
        if done is not None:
            folder = folder_of(session.path)
            said = (
                UserMessage("1 text was written to {folder}.", folder=folder)
                if done.num_files == 1
                else UserMessage(
                    "{number:,} texts were written to {folder}.", number=done.num_files, folder=folder
                )
            )
            self._say(joined(said, _kept(done)))

    async def _keep(self, kept: bool) -> None:
        from quire.services.project.text_mirror import folder_of, set_kept

        session = self._current.require_session()
        await session.write(set_kept, kept=kept)
        self._is_on = kept
        if kept:
            await self._current.autosave.store()
            await self._write(session)
            self._say(
                UserMessage(
                    "From now on, your texts are also kept as files in {path}.", path=folder_of(session.path)
                )
            )

    async def _write_quietly(self, session: ProjectSession) -> None:
        await self._write(session)

    async def _write(self, session: ProjectSession) -> Mirrored | None:
        """Write what changed; return None if nothing changed since the last time."""
        from quire.services.project.text_mirror import folder_of, read_texts, write_files

        async with self._lock:
            texts = await session.read(read_texts)
            if texts.revision == self._written and session is self._session:
                return None
            done = await asyncio.to_thread(write_files, folder_of(session.path), texts.files)
            self._written = texts.revision if session is self._session else None
            return done

    async def _last(self, session: ProjectSession) -> None:
        """Write once more before a project is closed; an error does not keep it open."""
        was_on = self._is_on if session is self._session else await self._is_kept(session)
        if self._throttle is not None and session is self._session:
            self._throttle.cancel()
        try:
            if was_on and not session.read_only:
                await self._write(session)
        except WriterProblem:
            _log.exception("the text files could not be written before the project was closed")

    async def _is_kept(self, session: ProjectSession) -> bool:
        from quire.services.project.text_mirror import is_kept

        return await session.read(is_kept)

    def _say(self, sentence: str) -> None:
        self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, sentence))


def _kept(done: Mirrored) -> str:
    if not done.kept:
        return ""
    names = ", ".join(done.kept[:3]) + (" …" if len(done.kept) > 3 else "")
    return UserMessage(
        "{names} was changed outside Quire. It was left as it is, and the new text was written next to it.",
        names=names,
    )
