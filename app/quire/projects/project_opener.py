"""Opens projects and texts, and shows them in the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor

from quire.editor.reading_place import ReadingPlace
from quire.projects.new_project import NewProject, sample_project
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire_engine.api.user_message import UserMessage, joined
from quire_resources import SAMPLE_OPENING

if TYPE_CHECKING:  # imported once the window is shown: SQLAlchemy is slow to import
    from quire.app import App
    from quire.domain.drafting.run import Run
    from quire.services.project.project_session import ProjectSession


class ProjectOpener:
    """Replaces the open project, or the open text of it; a text is shown where the writer left it."""

    def __init__(self, app: App) -> None:
        self._window, self._current, self._events = app.window, app.current, app.events
        self._status, self._view, self._model = app.window.status, app.display, app.chosen_model
        self._places: dict[int, ReadingPlace] = {}

    async def open_sample(self, projects_folder: Path) -> None:
        """Open the sample project, creating it first if necessary."""
        project = sample_project(projects_folder, SAMPLE_OPENING.read_text(encoding="utf-8"))
        if project.path.exists():  # the settings were lost, the writer's text was not
            await self.open(project.path)
        else:
            await self.adopt(await self._current.created(project), is_new_sample=True)

    async def create(self, project: NewProject) -> None:
        """Create a new project and open it."""
        await self.adopt(await self._current.created(project))

    async def open(self, path: Path) -> None:
        """Open a project, unless it is open already."""
        if not self._current.is_open(path):
            await self.adopt(await self._current.opened(path))

    async def open_document(self, document_id: int) -> None:
        """Open another text of the project."""
        session = self._current.session
        if session is None or document_id == session.document_id:
            return
        if self._current.shown_id is not None:
            self._places[self._current.shown_id] = ReadingPlace.of(self._window.editor)
        await self._current.autosave.store()
        await session.open_document(document_id)
        await self.show_text(session)
        if document_id in self._places:
            self._places[document_id].show(self._window.editor)
        else:
            self._go_to_start(session)

    async def built(self, build: Callable[[], None]) -> None:
        """Build more features, and let them follow the text that is shown."""
        before = self._events.text_followed.handlers
        build()
        for name, follow in self._events.text_followed.handlers.items():
            if name not in before and self._current.session is not None:
                await follow(self._current.session)

    async def adopt(self, session: ProjectSession, *, is_new_sample: bool = False) -> None:
        """Show a project in place of the current one, and close that; raise NotStored if it must stay
        open.
        """
        try:
            last, warning = await session.resting_run(), await session.place_warning()
        except BaseException:
            await session.close()
            raise
        before = await self._current.take(session)
        # no await before the other text is shown: what is typed would be stored in its place
        self._places.clear()
        self._events.project_opened(session.path)
        self._show(session, last)
        self._window.editor.setFocus()
        if not session.read_only:
            self._say_what_matters(session, warning, last)
        if is_new_sample:
            self._view.show_welcome(self._model.choice.name if self._model.choice.chosen else "")
        await self.follow(session)
        if before is not None:
            await before.close()

    async def show_text(self, session: ProjectSession) -> None:
        """Show the open text of a project as it is stored."""
        last, problem = None, None
        try:
            last = await session.resting_run()
        except Exception as error:  # noqa: BLE001  whatever it is, the window must show what is open
            problem = error
        self._show(session, last)
        if problem is not None:
            self._events.text_shown(session)
            raise problem
        await self.follow(session)

    def _show(self, session: ProjectSession, last: Run | None) -> None:
        self._current.shown_id = session.document_id
        self._window.editor.set_right_to_left(is_right_to_left=session.runs_right_to_left)
        self._view.show_project(session.heading, session.text, last, has_model=self._model.is_usable)
        if session.read_only:
            self._show_read_only(session)

    def _go_to_start(self, session: ProjectSession) -> None:
        """Begin a text that was never looked at with its first words; only the book's end is written on."""
        order = session.tree.reading_order()
        if session.document_id != (order[-1].node_id if order else None):
            self._window.editor.moveCursor(QTextCursor.MoveOperation.Start)

    async def follow(self, session: ProjectSession) -> None:
        """Update everything that follows the text that is shown."""
        self._events.text_shown(session)
        await self._events.text_followed(session)

    def _say_what_matters(self, session: ProjectSession, warning: str, last: Run | None) -> None:
        if session.notices:
            action = NoticeAction.OPEN_BACKUP if session.has_lost else None
            self._window.notice_bar.show_notice(Notice(NoticeKind.WARNING, joined(*session.notices), action))
        elif session.recovered_at is not None and session.recovered_words:
            can_discard = last is not None and last.num_tokens > 0
            self._view.show_recovery(can_discard=can_discard)
        elif warning:
            self._window.notice_bar.show_notice(Notice(NoticeKind.WARNING, warning))
        elif not self._model.is_usable:
            self._model.say_it_is_missing()

    def _show_read_only(self, session: ProjectSession) -> None:
        self._window.editor.set_locked(locked=True)
        self._status.show_read_only(read_only=True)
        if session.backup_of is not None:
            text = UserMessage("{read_only} To work on it, restore it.", read_only=session.read_only)
            self._window.notice_bar.show_notice(Notice(NoticeKind.WARNING, text, NoticeAction.RESTORE_BACKUP))
            return
        self._window.notice_bar.show_notice(
            Notice(
                NoticeKind.WARNING,
                UserMessage(
                    "{read_only} Until then you can read it here and copy from it.",
                    read_only=session.read_only,
                ),
            )
        )
