"""Holds the open project for the window, and replaces it by another."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from quire.domain.manuscript.comments import Comment
from quire.domain.manuscript.manuscript import Project
from quire.errors import WriterProblem
from quire.projects.autosave import Autosave
from quire.projects.new_project import NewProject

if TYPE_CHECKING:  # imported once the window is shown: SQLAlchemy is slow to import
    from quire.app import App
    from quire.domain.drafting.steering import NewCard
    from quire.domain.manuscript.chapter_splitting import TextSection
    from quire.services.project.project_session import ProjectSession

_log = logging.getLogger(__name__)


class CurrentProject:
    """The project that the window shows.

    Attributes:
        session: the open project, or None.
        autosave: saves changes to it.
    """

    def __init__(self, app: App) -> None:
        self.session: ProjectSession | None = None
        self._history = app.window.editor.history
        self._shown_id: int | None = None
        self.autosave = Autosave(app, self)

    @property
    def shown_id(self) -> int | None:
        """Return the text that the window shows."""
        return self._shown_id

    @shown_id.setter
    def shown_id(self, document_id: int | None) -> None:
        self._shown_id = document_id
        self._history.switch_to(document_id)

    def is_open(self, path: Path) -> bool:
        """Return whether this project is open."""
        return self.session is not None and path.resolve() == self.session.path.resolve()

    def require_session(self) -> ProjectSession:
        """Return the open project; raise WriterProblem if there is none."""
        if self.session is None:
            raise WriterProblem("No project is open. Open one, or start a new one.")
        return self.session

    async def opened(self, path: Path) -> ProjectSession:
        """Open a project for editing, or else read-only; raise BackupThere if it is damaged."""
        from quire.services.project.project_session import ProjectSession

        await self.autosave.store()
        return await ProjectSession.open_as_can_be(path)

    async def imported(
        self,
        project: Path,
        title: str,
        author: str,
        pieces: Sequence[TextSection],
        comments: Sequence[Comment] = (),
        note: NewCard | None = None,
    ) -> ProjectSession:
        """Return a new project with the sections of an imported text, the comments on it, and a note."""
        from quire.services.project.project_session import ProjectSession

        await self.autosave.store()
        _make_folder(project.parent)
        return await ProjectSession.create_cut(project, title, pieces, author, comments, note)

    async def created(self, project: NewProject) -> ProjectSession:
        """Return a new project."""
        from quire.services.project.project_session import ProjectSession
        from quire.services.transactions.project_creation import create

        await self.autosave.store()
        _make_folder(project.path.parent)
        about = Project(project.title, datetime.now(UTC), project.language, project.author)
        notices = await asyncio.to_thread(create, project.path, about, project.opening, project.outline)
        session = await ProjectSession.open(project.path)
        session.notices = (*notices, *session.notices)
        return session

    async def take(self, session: ProjectSession) -> ProjectSession | None:
        """Replace the open project, and return the previous one to be closed.

        Raises:
            NotStored: the previous project must stay; the new one is closed.
        """
        try:
            await self.autosave.store_everything()  # no await before the other project is set
        except BaseException:
            await session.close()
            raise
        before, self.session = self.session, session
        self._history.forget()
        self.autosave.reset()
        return before

    async def let_go(self) -> ProjectSession | None:
        """Release the project and return it to be closed; raise NotStored if it must stay open."""
        await self.autosave.store_everything()
        before, self.session, self.shown_id = self.session, None, None
        self._history.forget()
        self.autosave.reset()
        return before

    async def close(self) -> bool:
        """Close the project; return whether everything in it was saved."""
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
