"""Holds the open project for the window: opens and stores it, and keeps what cannot be stored."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from quire.domain.manuscript.manuscript import Project
from quire.errors import WriterProblem
from quire.projects.new_project import NewProject
from quire.projects.shutdown import not_stored
from quire.shell.main_window import MainWindow
from quire.shell.project_status import ProjectStatus, SaveState
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:  # the real imports wait until the window is on the screen: SQLAlchemy takes its time
    from quire.domain.manuscript.chapter_splitting import TextSection
    from quire.services.project.project_session import ProjectSession

_ANOTHER_TEXT = UserMessage(
    "What stands in the window is not the text that is open. Copy it, then open the text again."
)
_TRIES = 5
_log = logging.getLogger(__name__)


class CurrentProject:
    """The project that the window shows, and whether what is typed into it is on the disk.

    session: the open project; None while none is open. shown_id: the text of it that the window shows.
    store_edit: stores a text that a draft is growing in, changed by the writer.
    """

    def __init__(self, window: MainWindow, status: ProjectStatus) -> None:
        self._editor = window.editor
        self._status = status
        self._save_due = False
        self._storing = False
        self._turn = asyncio.Lock()
        self.store_edit: Callable[[int, str], Awaitable[None]] | None = None
        self.session: ProjectSession | None = None
        self.shown_id: int | None = None

    @property
    def is_unstored(self) -> bool:
        """Whether something waits to be stored."""
        if self.session is None:
            return False
        waits = self._save_due or self._storing or self._editor.is_dirty
        return waits or not self.session.everything_stored

    @property
    def shows_unstored(self) -> bool:
        """Whether something that the writer sees is not known to be on the disk."""
        return self.is_unstored or self._status.save_state is not SaveState.SAVED

    def is_open(self, path: Path) -> bool:
        """Whether this is the project that is open."""
        return self.session is not None and path.resolve() == self.session.path.resolve()

    def ask_to_store(self) -> None:
        """Have the next store_text() look at the text."""
        self._save_due = True

    async def store_text(self) -> None:
        """Store the manuscript as it is now; NotStored when that fails."""
        async with self._turn:
            await self._store_text()

    async def _store_text(self) -> None:
        self._editor.flush()
        if self.session is None or not (self._save_due or not self.session.everything_stored):
            return
        self._save_due, self._storing = False, True
        try:
            await self._store_shown(self.session)
        except BaseException as error:
            self._save_due = True
            if not isinstance(error, Exception):
                raise
            raise not_stored(error) from error
        finally:
            self._storing = False
        if self._save_due or self._editor.is_dirty:
            return
        if self.session.draft_target is None:
            self._status.saved()
        else:
            self._status.text_saved()

    async def _store_shown(self, session: ProjectSession) -> None:
        """Store what the window shows, in the text that it belongs to by then."""
        from quire.services.project.draft_target import ChapterAdvanced, DraftInProgressError

        for _ in range(_TRIES):
            if self.shown_id is None or self.shown_id != session.document_id:
                raise WriterProblem(_ANOTHER_TEXT)  # it would take the place of that one
            target = session.draft_target
            grows = target is not None and target.document.document_id == self.shown_id
            try:
                if grows and self.store_edit is not None:
                    await self.store_edit(self.shown_id, self._editor.text())
                else:
                    await session.save_text(self._editor.text())
            except (ChapterAdvanced, DraftInProgressError):
                continue  # a draft began, ended or went on elsewhere at this very moment
            return
        raise WriterProblem("A draft is being written into this text. Pause it, then try again.")

    def require_session(self) -> ProjectSession:
        """Return the open project; WriterProblem where none is open."""
        if self.session is None:
            raise WriterProblem("There is no project open. Open one, or make a new one.")
        return self.session

    async def opened(self, path: Path) -> ProjectSession:
        """Return a project opened to be worked on, or else to be read; BackupThere when it is damaged."""
        from quire.services.project.project_session import ProjectSession

        await self.store_text()
        return await ProjectSession.open_as_can_be(path)

    async def imported(
        self, project: Path, title: str, author: str, pieces: Sequence[TextSection]
    ) -> ProjectSession:
        """Return a new project of the pieces of a text."""
        from quire.services.project.project_session import ProjectSession

        await self.store_text()
        _make_folder(project.parent)
        return await ProjectSession.create_cut(project, title, pieces, author)

    async def created(self, project: NewProject) -> ProjectSession:
        """Return a new project."""
        from quire.services.project.project_session import ProjectSession
        from quire.services.transactions.project_creation import create

        await self.store_text()
        _make_folder(project.path.parent)
        about = Project(project.title, datetime.now(UTC), project.language, project.author)
        await asyncio.to_thread(create, project.path, about, project.opening, project.outline)
        return await ProjectSession.open(project.path)

    async def take(self, session: ProjectSession) -> ProjectSession | None:
        """Hold another project in place of the one before, which is returned to be closed.

        NotStored when that one must stay; then the other one is closed.
        """
        try:
            while self.is_unstored:  # from the last look to the other text nothing is awaited
                await self.store_text()
        except BaseException:
            await session.close()
            raise
        before, self.session = self.session, session
        return before

    async def close(self) -> bool:
        """Close the project; whether everything in it was stored."""
        try:
            if self.session is not None:
                await self.session.close()
        except Exception:  # noqa: BLE001  whatever it was, the writer does not get stuck in Quire
            _log.exception("the project could not be closed as it should")
            return False
        return not self._save_due


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriterProblem(
            "The folder {folder} cannot be made ({reason}). Choose another one.",
            folder=folder,
            reason=error.strerror,
        ) from error
