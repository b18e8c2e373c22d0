"""Says above the text what went wrong, with the buttons that help."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from quire.errors import BackupThere, SaveElsewhere, WriterProblem
from quire.projects.shutdown import NotStored
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:  # imported once the window is shown: SQLAlchemy is slow to import
    from quire.app import App
    from quire.services.project.project_session import ProjectSession


class ProblemNotices:
    """Chooses the buttons by what went wrong.

    Attributes:
        damaged: the project whose backup is offered; None for none.
    """

    def __init__(self, app: App) -> None:
        self._app, self._window = app, app.window
        self.damaged: Path | None = None
        app.events.project_opened.subscribe("problems", self._note_opened)
        app.events.text_followed.subscribe("problems", self._note_damage)
        app.window.action_chosen.connect(self._act_on)

    def _act_on(self, action: NoticeAction) -> None:
        if action is NoticeAction.OPEN_BACKUP and self.damaged is not None:
            self._app.tasks.enqueue_exclusive(partial(self._app.backups.open_backup, self.damaged))
        elif action is NoticeAction.SAVE_AGAIN:
            self._app.tasks.enqueue(self._app.current.autosave.store)

    def _note_opened(self, path: Path) -> None:
        self.damaged = path  # a backup is offered as well where its log has lost something

    async def _note_damage(self, session: ProjectSession) -> None:
        """Remember which project's backup a notice about damage offers."""
        self.damaged = session.path if session.has_damage else None

    def report(self, error: Exception) -> None:
        """Show why a request of the writer failed."""
        match error:
            case NotStored():
                self._show_unstored(error, error.message)
            case SaveElsewhere():
                self._show(error.message, NoticeAction.SAVE_ELSEWHERE)
            case BackupThere():
                self.damaged = error.damaged
                self._show(error.message, NoticeAction.OPEN_BACKUP)
            case WriterProblem():
                self._show(error.message)
            case _:
                self._show(
                    UserMessage(
                        "That didn't work because of a bug in Quire ({error}). Your text is safe.",
                        error=repr(error),
                    )
                )

    def report_closing(self, problem: NotStored) -> None:
        """Show why Quire stays open, and how to close it all the same."""
        self._show_unstored(
            problem,
            UserMessage("{problem} To quit without saving, close Quire again.", problem=problem.message),
        )

    def _show_unstored(self, problem: NotStored, sentence: str) -> None:
        """Show that the manuscript is not saved, in the sentence given."""
        if problem.elsewhere:
            self._show(sentence, NoticeAction.SAVE_ELSEWHERE, NoticeAction.SAVE_AGAIN)
        else:
            self._show(sentence, NoticeAction.SAVE_AGAIN)

    def report_first(self, problem: WriterProblem) -> None:
        """Show in place of the text why no project is open."""
        if isinstance(problem, BackupThere):
            self.damaged = problem.damaged
            title = UserMessage("This project is damaged")
            self._window.show_message(title, problem.message, has_backup=True)
        else:
            self._window.show_message(UserMessage("No project is open"), problem.message)

    def _show(self, sentence: str, action: NoticeAction | None = None, *more: NoticeAction) -> None:
        self._window.notice_bar.show_notice(Notice(NoticeKind.ERROR, sentence, action, more))
