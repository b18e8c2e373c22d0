"""Holds the open project for the window, and opens another in its place."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from quire.domain.manuscript.manuscript import Project
from quire.errors import WriterProblem
from quire.projects.autosave import Autosave
from quire.projects.new_project import NewProject
from quire.shell.main_window import MainWindow
from quire.shell.project_status import ProjectStatus

if TYPE_CHECKING:  # the real imports wait until the window is on the screen: SQLAlchemy takes its time
    from quire.domain.manuscript.chapter_splitting import TextSection
    from quire.services.project.project_session import ProjectSession

_log = logging.getLogger(__name__)


class CurrentProject:
    """The project that the window shows.

    session: the open project; None while none is open. shown_id: the text of it that the window shows.
    autosave: stores what is changed in it.
    """

    def __init__(self, window: MainWindow, status: ProjectStatus) -> None:
        self.session: ProjectSession | None = None
        self.shown_id: int | None = None
        self.autosave = Autosave(window.editor, status, self)

    def is_open(self, path: Path) -> bool:
        """Whether this is the project that is open."""
        return self.session is not None and path.resolve() == self.session.path.resolve()

    def require_session(self) -> ProjectSession:
        """Return the open project; WriterProblem where none is open."""
        if self.session is None:
            raise WriterProblem("No project is open. Open one, or start a new one.")
        return self.session

    async def opened(self, path: Path) -> ProjectSession:
        """Return a project opened to be worked on, or else to be read; BackupThere when it is damaged."""
        from quire.services.project.project_session import ProjectSession

        await self.autosave.store()
        return await ProjectSession.open_as_can_be(path)

    async def imported(
        self, project: Path, title: str, author: str, pieces: Sequence[TextSection]
    ) -> ProjectSession:
        """Return a new project of the pieces of a text."""
        from quire.services.project.project_session import ProjectSession

        await self.autosave.store()
        _make_folder(project.parent)
        return await ProjectSession.create_cut(project, title, pieces, author)

    async def created(self, project: NewProject) -> ProjectSession:
        """Return a new project."""
        from quire.services.project.project_session import ProjectSession
        from quire.services.transactions.project_creation import create

        await self.autosave.store()
        _make_folder(project.path.parent)
        about = Project(project.title, datetime.now(UTC), project.language, project.author)
        await asyncio.to_thread(create, project.path, about, project.opening, project.outline)
        return await ProjectSession.open(project.path)

    async def take(self, session: ProjectSession) -> ProjectSession | None:
        """Hold another project in place of the one before, which is returned to be closed.

        NotStored when that one must stay; then the other one is closed.
        """
        try:
            await self.autosave.store_everything()  # nothing is awaited before the other project is held
        except BaseException:
            await session.close()
            raise
        before, self.session = self.session, session
        self.autosave.reset()
        return before

    async def let_go(self) -> ProjectSession | None:
        """Hold no project any more; return the one before, to be closed. NotStored when it must stay."""
        await self.autosave.store_everything()
        before, self.session, self.shown_id = self.session, None, None
        self.autosave.reset()
        return before

    async def close(self) -> bool:
        """Close the project; whether everything in it was stored."""
        try:
            if self.session is not None:
                await self.session.close()
        except Exception:  # noqa: BLE001  whatever it was, the writer does not get stuck in Quire
            _log.exception("the project could not be closed as it should")
            return False
        return not self.autosave.is_unstored


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriterProblem(
            "The folder {folder} can't be created ({reason}). Choose another one.",
            folder=folder,
            reason=error.strerror,
        ) from error
