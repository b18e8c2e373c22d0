"""Saves the open project under another name when something happened to its file."""

from __future__ import annotations

import contextlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from quire.domain.manuscript.manuscript import Document
from quire.errors import SaveElsewhere
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire.ui.file_dialogs import SaveProjectDialog

if TYPE_CHECKING:  # imported once the window is shown: SQLAlchemy is slow to import
    from quire.app import App

    pass


class ElsewhereController:
    """Asks for a name, writes everything there, and goes on working in that file."""

    def __init__(self, app: App) -> None:
        self._app, self.current = app, app.current
        self._window, self._tasks = app.window, app.tasks
        app.window.action_chosen.connect(self._act_on)

    def _act_on(self, action: NoticeAction) -> None:
        if action is NoticeAction.SAVE_ELSEWHERE:
            self.ask()

    def ask(self) -> None:
        """Ask for the new name."""
        from quire.services.transactions.saving_elsewhere import free_name

        dialog = SaveProjectDialog(free_name(self.current.require_session().path), self._window)
        dialog.fileSelected.connect(self._chosen)
        dialog.open()

    def _chosen(self, path: str) -> None:
        self._tasks.enqueue_exclusive(partial(self.save, Path(path)))

    async def save(self, path: Path) -> None:
        """Write what the window and the storage hold to a new project, and open that."""
        from quire.services.project.project_session import ProjectSession

        session = self.current.require_session()
        is_shown = self.current.shown_id == session.document_id
        text = self._window.editor.text() if is_shown else session.text
        shown = Document(session.document_id, session.document.title, text)
        saved = await session.save_elsewhere(path, shown)
        opened = await ProjectSession.open(saved.path)
        self.current.autosave.reset()  # all of it is in the other file
        with contextlib.suppress(SaveElsewhere):  # what the first file lacks is in the other one
            await self._app.opener.adopt(opened)
        self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, saved.message))
