"""Where no project is open, and what helps along: the welcome page, manual, report, what a crash left."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from quire.diagnostics.crash_reporting import Reporting
from quire.errors import WriterProblem
from quire.help.crash_report_dialog import ReportDialog
from quire.help.help_actions import HelpActions
from quire.projects.current_project import CurrentProject
from quire.projects.new_project_dialog import StartFrom
from quire.projects.project_opener import ProjectOpener
from quire.projects.recent_projects import RecentNotes
from quire.projects.welcome_page import WelcomePage
from quire.settings.settings_store import SettingsStore
from quire.shell.main_window import MainWindow
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire.shell.project_status import ProjectStatus
from quire.shell.task_queue import TaskQueue
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:
    from quire.help.manual_dialog import ManualDialog
    from quire.services.project.project_session import ProjectSession

STOPPED = UserMessage("Quire stopped unexpectedly last time. Your text is stored.")
STOPPED_TWICE = UserMessage(
    "Quire stopped unexpectedly soon after its last two starts. Your text is stored. This "
    "time no project was opened and drafting is switched off."
)
IS_OFF = UserMessage(
    "Drafting is switched off, because Quire stopped soon after its last two starts. You can write."
)
TROUBLE = UserMessage("Something in Quire went wrong. Your text is stored as you type.")
RECOVERED_ONE = UserMessage(
    "A text had lost its place in the book. It is now at the end, in the part “Recovered”, which is "
    "not exported."
)
DISCARDED = UserMessage(
    "The last draft was taken out of the text. It is kept under Takes, where you can take it back."
)


def missing(file: str) -> UserMessage:
    """Say that the last project is gone, perhaps with its drive."""
    return UserMessage(
        "{file} can't be found. Connect its drive, or open the project from where it is now.", file=file
    )


def recovered(number: int) -> UserMessage:
    """Say that texts without a place were found."""
    return UserMessage(
        "{number:,} texts had lost their place in the book. They are now at the end, in the part "
        "“Recovered”, which is not exported.",
        number=number,
    )


@dataclass(frozen=True, slots=True)
class WelcomeDependencies:
    """What the welcome page needs of the rest of Quire.

    reporting: None where nothing is to be noted on the disk. model_wanted: looks again whether there is a
    model to draft with.
    """

    settings: SettingsStore
    opener: ProjectOpener
    projects_folder: Path
    model_wanted: Callable[[], None]
    reporting: Reporting | None = None


class WelcomeController:
    """Wires the welcome page and the Help menu.

    drafts: whether a model may be loaded; after two early ends not before the writer says so.
    """

    def __init__(
        self,
        window: MainWindow,
        status: ProjectStatus,
        current: CurrentProject,
        tasks: TaskQueue,
        around: WelcomeDependencies,
    ) -> None:
        self._window, self._status, self._current, self._tasks = window, status, current, tasks
        self._settings, self._opener = around.settings, around.opener
        self._projects_folder, self._model_wanted = around.projects_folder, around.model_wanted
        self._reporting = around.reporting or Reporting()
        self._notes = RecentNotes(None if around.reporting is None else around.reporting.folder)
        self._manual: ManualDialog | None = None
        self._followed: ProjectSession | None = None
        self._told_of_trouble = False
        self.drafts = not self.starts_with_care
        self.page = WelcomePage(window)
        self.actions = HelpActions(window)
        window.add_view(self.page)
        self.actions.fill_help(window.commands.help_menu)
        self.actions.fill_file(window.commands.file_menu, window.commands.quit)
        self._wire()

    @property
    def starts_with_care(self) -> bool:
        """Whether to open no project by itself, because the last starts ended so soon."""
        return self._reporting.last_time.calls_for_care

    async def open_first(self, asked: Path | None, *, opens_sample: bool = False) -> None:
        """Open what was asked for, or the last project, or show the page.

        opens_sample: where the page would be shown; to measure a start there must be a text.
        """
        await asyncio.to_thread(_import_services)
        last = next(iter(self._notes.look(self._recent()[:1])), None)
        try:
            if asked is not None:
                await self._opener.open(asked)
            elif last is not None and last.exists and not self.starts_with_care:
                await self._opener.open(last.path)
            elif opens_sample:
                await self._opener.open_sample(self._projects_folder)
            else:
                self.show()
                if last is not None and not last.exists:
                    self._say(NoticeKind.WARNING, missing(last.path.name))
        finally:
            self._say_how_it_ended()

    def why_off(self) -> Notice | None:
        """Return why no model may be loaded now, and how to change that; None where one may."""
        return None if self.drafts else Notice(NoticeKind.WARNING, IS_OFF, NoticeAction.SWITCH_ON)

    async def follow(self, session: ProjectSession) -> None:
        """Note which project is open, for the list, and tell what was recovered in it."""
        from quire.services.transactions.recovered_texts import recovered_texts, told

        if session is self._followed:
            return
        self._followed = session
        self._tasks.run_now(partial(self._note, session))
        session.before_close(partial(self._note, session))  # with what was written meanwhile
        number = await session.read(recovered_texts)
        if number:
            one = number == 1
            self._say(NoticeKind.WARNING, RECOVERED_ONE if one else recovered(number))
            if not session.read_only:
                await session.write(told)

    def show(self) -> None:
        """Show the page; what the list says of files is looked up meanwhile."""
        self.page.show_recent(self._notes.known(self._recent()))
        self._window.show_view(self.page)
        self._window.side_panel.hide()
        self.page.take_focus()
        self._tasks.run_now(self._look)

    def _say_how_it_ended(self) -> None:
        """Say that the last start was cut off, beside what a draft that was cut off says of itself."""
        last_time = self._reporting.last_time
        report = (NoticeAction.SHOW_REPORT,) if last_time.report else ()
        if not last_time.unexpectedly:
            return
        said = self._window.notice_bar.notice
        if self.starts_with_care:
            self._say(NoticeKind.WARNING, STOPPED_TWICE, NoticeAction.SWITCH_ON, *report)
        elif said is None:
            self._say(NoticeKind.WARNING, STOPPED, *report)
        elif said.remedy is NoticeAction.RESUME and report:
            self._say(said.kind, said.text, *said.remedies, *report)

    # ------------------------------------------------------------ what the window asks for
    def _wire(self) -> None:
        page, do, window = self.page, self.actions, self._window
        page.try_clicked.connect(self._ask_for_sample)
        page.write_clicked.connect(self._ask_to_write)
        page.new_clicked.connect(window.dialogs.ask_for_new_project)
        page.open_clicked.connect(window.dialogs.ask_for_project)
        page.import_clicked.connect(window.dialogs.ask_for_import)
        page.model_clicked.connect(window.dialogs.ask_for_model)
        page.project_chosen.connect(window.open_asked)
        page.open_dropped.connect(window.open_asked)
        page.import_dropped.connect(self._import)
        page.forget_asked.connect(self._forget)
        do.manual.triggered.connect(self._show_manual)
        do.sample.triggered.connect(self._ask_for_sample)
        do.report.triggered.connect(self._show_report)
        do.welcome.triggered.connect(self._ask_to_close)
        do.close_project.triggered.connect(self._ask_to_close)
        window.remedy_chosen.connect(self._act_on)
        self._status.changed.connect(self._refresh)
        self._reporting.troubled.connect(self._tell_of_trouble)

    def _refresh(self) -> None:
        self.actions.set_open(is_open=self._status.is_open)

    def _ask_for_sample(self) -> None:
        self._tasks.enqueue_exclusive(partial(self._opener.open_sample, self._projects_folder))

    def _ask_to_write(self) -> None:
        self._window.dialogs.ask_for_new_project().start_from(StartFrom.BLANK)

    def _ask_to_close(self) -> None:
        self._tasks.enqueue_exclusive(self._close)

    def _import(self, path: Path) -> None:
        self._window.import_asked.emit(path, self._projects_folder)

    def _forget(self, path: Path) -> None:
        self._settings.change(recent=tuple(known for known in self._recent() if known != str(path)))
        self._window.show_recent(self._recent())
        self.page.show_recent(self._notes.known(self._recent()))
        self.page.take_focus()
        self._tasks.run_now(partial(self._forget_notes, path))

    def _act_on(self, remedy: NoticeAction) -> None:
        match remedy:
            case NoticeAction.SHOW_REPORT:
                self._show_report()
            case NoticeAction.SWITCH_ON:
                self.drafts = True
                self._model_wanted()
            case NoticeAction.DISCARD_TAKE:
                self._tasks.enqueue_exclusive(self._discard)
            case _:
                pass

    # ------------------------------------------------------------ what is done
    async def _look(self) -> None:
        recent = self._recent()
        found = await asyncio.to_thread(self._notes.look, recent)
        if self.page.isVisible() and recent == self._recent():
            self.page.show_recent(found)

    async def _note(self, session: ProjectSession) -> None:
        """Note how many words the book has and that it was open now; nothing waits for it."""
        from quire.services.transactions.tree_changes import word_counts

        with contextlib.suppress(WriterProblem):
            words = await session.read(word_counts, None)
            book = sum(
                words[node.node_id].total for node in session.tree.reading_order() if node.node_id in words
            )
            await asyncio.to_thread(self._notes.note, session.path, session.title, book)

    async def _forget_notes(self, path: Path) -> None:
        await asyncio.to_thread(self._notes.forget, path)
        await self._look()

    async def _close(self) -> None:
        """Store and close the project that is open, and show the page; NotStored when it must stay open."""
        while self._current.is_unstored:
            await self._current.store_text()
        # from the last look on nothing is awaited: what is typed could not be stored any more
        session, self._current.session, self._current.shown_id = self._current.session, None, None
        self._followed = None
        self._window.editor.set_locked(locked=True)
        self._window.editor.show_text("")
        self._window.notice_bar.clear()
        self._window.book_panel.set_read_only(read_only=True)
        self._status.close()
        self.show()
        if session is not None:
            await session.close()
            await self._look()

    async def _discard(self) -> None:
        """Put aside what the last run wrote when it was last asked for more."""
        from quire.services.project.text_history import TextHistory

        await self._current.store_text()
        session = self._current.session
        run = None if session is None else await session.resting_run()
        if session is None or run is None or not run.num_tokens:
            raise WriterProblem("There is no draft at the end of this text any more. Nothing was changed.")
        history = TextHistory(session)
        await history.begin_take(await history.start_of_last_stretch(run.run_id))
        await self._opener.show_text(session)
        self._say(NoticeKind.NOTE, DISCARDED)

    # ------------------------------------------------------------ inside
    def _recent(self) -> tuple[str, ...]:
        return self._settings.settings.recent

    def _show_manual(self) -> None:
        from quire.help.manual_dialog import ManualDialog

        if self._manual is None:
            self._manual = ManualDialog(self._window)
        self._manual.show()
        self._manual.activateWindow()

    def _show_report(self) -> None:
        dialog = ReportDialog(self._reporting.report(), self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _tell_of_trouble(self) -> None:
        """Say it once: what goes wrong at every move of the mouse would leave no room for anything else."""
        if not self._told_of_trouble and self._window.notice_bar.notice is None:
            self._told_of_trouble = True
            self._say(NoticeKind.ERROR, TROUBLE, NoticeAction.SHOW_REPORT)

    def _say(self, kind: NoticeKind, text: str, *remedies: NoticeAction) -> None:
        first, more = (remedies[0], remedies[1:]) if remedies else (None, ())
        self._window.notice_bar.show_notice(Notice(kind, text, first, more))


def _import_services() -> None:
    import quire.services.drafting.drafting
    import quire.services.project.project_session  # noqa: F401
