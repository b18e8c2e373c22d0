"""The welcome page, shown without an open project, and messages about the last start."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from quire.errors import WriterProblem
from quire.projects.new_project import blank_project
from quire.projects.recent_projects import RecentNotes
from quire.projects.starter_setup import not_set_up
from quire.projects.welcome_page import WelcomePage
from quire.services.model_library.starter_model import NAME, is_starter
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire.system.file_sizes import size_text
from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.computer_memory import read_memory

if TYPE_CHECKING:
    from quire.app import App
    from quire.services.project.project_session import ProjectSession

STOPPED = UserMessage("Quire stopped unexpectedly last time. Your text is saved.")
STOPPED_TWICE = UserMessage(
    "Quire stopped unexpectedly soon after its last two starts. Your text is saved. This time no "
    "project was opened, and drafting is turned off."
)
RECOVERED_ONE = UserMessage(
    "A text had lost its place in the book. It is now at the end, in the part “Recovered”, which is "
    "not exported."
)
DISCARDED = UserMessage(
    "The last draft was removed from the text. It is kept under Takes, where you can restore it."
)


def missing(file: str) -> UserMessage:
    """Show that the last project is missing, perhaps with its drive."""
    return UserMessage(
        "{file} can't be found. Connect its drive, or open the project from where it is now.", file=file
    )


def recovered(number: int) -> UserMessage:
    """Show that texts without a place were found."""
    return UserMessage(
        "{number:,} texts had lost their place in the book. They are now at the end, in the part "
        "“Recovered”, which is not exported.",
        number=number,
    )


class WelcomeController:
    """Connects the welcome page to the open project, and the actions that lead back to it."""

    def __init__(self, app: App) -> None:
        window = app.window
        self._app, self._window, self._status = app, window, window.status
        self._current, self._tasks, self._settings = app.current, app.tasks, app.settings
        self._opener, self._dialogs, self._starter = app.opener, app.dialogs, app.starter
        self._last_time = app.reporting.last_time
        self._free_memory = ""
        self._notes = RecentNotes(app.notes_folder)
        self._followed: ProjectSession | None = None
        self.page = WelcomePage(window)
        window.add_view(self.page)
        self._wire()
        window.show_recent(self._recent())
        self._refresh()

    @property
    def starts_with_care(self) -> bool:
        """Return whether to open no project automatically, because recent starts crashed early."""
        return self._last_time.calls_for_care

    async def open_first(self, asked: Path | None, *, opens_sample: bool = False) -> None:
        """Open the requested or the last project, or show the page.

        Args:
            asked: the requested project.
            opens_sample: open the sample instead of the page; measuring a start needs a text.
        """
        await asyncio.to_thread(_import_services)
        last = next(iter(self._notes.look(self._recent()[:1])), None)
        try:
            if asked is not None:
                await self._opener.open(asked)
            elif last is not None and last.exists and not self.starts_with_care:
                await self._opener.open(last.path)
            elif opens_sample:
                await self._opener.open_sample(self._app.projects_folder)
            else:
                self.show()
                if last is not None and not last.exists:
                    self._say(NoticeKind.WARNING, missing(last.path.name))
        finally:
            self._say_how_it_ended()

    async def _follow(self, session: ProjectSession) -> None:
        """Record which project is open, for the list, and show what was recovered in it."""
        from quire.services.transactions.damage_notice import damage_notice, notice_shown
        from quire.services.transactions.maintenance import recovered_texts, recovered_told

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
                await session.write(recovered_told)
        damage = await session.read(damage_notice)
        if damage is not None:
            has_backup = "made" in damage.arguments
            self._say(NoticeKind.WARNING, damage, *([NoticeAction.OPEN_BACKUP] if has_backup else []))
            if not session.read_only:
                await session.write(notice_shown)

    def show(self) -> None:
        """Show the page; the files in the list are checked in the background."""
        self.page.show_recent(self._notes.known(self._recent()))
        self._window.show_view(self.page)
        self._window.side_panel.hide()
        self._show_model()
        self.page.take_focus()
        self._tasks.run_now(self._look)

    def _say_how_it_ended(self) -> None:
        """Show that the last start crashed, in addition to the message about a crashed draft."""
        last_time = self._last_time
        report = (NoticeAction.SHOW_REPORT,) if last_time.report else ()
        if not last_time.unexpectedly:
            return
        said = self._window.notice_bar.notice
        if self.starts_with_care:
            self._say(NoticeKind.WARNING, STOPPED_TWICE, NoticeAction.SWITCH_ON, *report)
        elif said is None:
            self._say(NoticeKind.WARNING, STOPPED, *report)
        elif said.action is NoticeAction.RESUME and report:
            self._say(said.kind, said.text, *said.actions, *report)

    # ------------------------------------------------------------ actions
    def _wire(self) -> None:
        page, do, window, dialogs = self.page, self._window.commands, self._window, self._dialogs
        page.try_clicked.connect(self._ask_for_sample)
        page.setup_stopped.connect(self._stop_setup)
        page.write_clicked.connect(self._ask_to_write)
        page.new_clicked.connect(dialogs.ask_for_new_project)
        page.open_clicked.connect(dialogs.ask_for_project)
        page.import_clicked.connect(dialogs.ask_for_import)
        page.model_clicked.connect(dialogs.ask_for_model)
        page.project_chosen.connect(window.open_asked)
        page.open_dropped.connect(window.open_asked)
        page.import_dropped.connect(self._import)
        page.forget_asked.connect(self._forget)
        do.sample.triggered.connect(self._ask_for_sample)
        do.welcome.triggered.connect(self._ask_to_close)
        do.close_project.triggered.connect(self._ask_to_close)
        window.action_chosen.connect(self._act_on)
        self._status.changed.connect(self._refresh)
        self._app.events.project_opened.subscribe("welcome", self._note_opened)
        self._app.events.text_followed.subscribe("welcome", self._follow)

    def _note_opened(self, path: Path) -> None:
        """Put the project first in the list."""
        self._settings.apply(self._settings.settings.with_recent(path))
        self._window.show_recent(self._recent())

    def _refresh(self) -> None:
        self._window.commands.close_project.setEnabled(self._status.is_open)
        if self.page.isVisible():
            self._show_model()  # another one may have been chosen

    def _ask_for_sample(self) -> None:
        self._tasks.enqueue_exclusive(self._open_sample)

    def _stop_setup(self) -> None:
        self._starter.stop(for_good=True)

    def _ask_to_write(self) -> None:
        self._tasks.enqueue_exclusive(self._write)

    def _ask_to_close(self) -> None:
        self._tasks.enqueue_exclusive(self._close)

    def _import(self, path: Path) -> None:
        self._window.import_asked.emit(path, self._app.projects_folder)

    def _forget(self, path: Path) -> None:
        self._settings.change(recent=tuple(known for known in self._recent() if known != str(path)))
        self._window.show_recent(self._recent())
        self.page.show_recent(self._notes.known(self._recent()))
        self.page.take_focus()
        self._tasks.run_now(partial(self._forget_notes, path))

    def _act_on(self, action: NoticeAction) -> None:
        match action:
            case NoticeAction.SWITCH_ON:
                self._app.safe_mode.leave()
                self._app.drafts.look_for_model()
            case NoticeAction.DISCARD_TAKE:
                self._tasks.enqueue_exclusive(self._discard)
            case _:
                pass

    # ------------------------------------------------------------ the sample and its model
    async def _open_sample(self) -> None:
        """Open the sample, with the starter model if it is there; without it the built-in one writes."""
        problem: WriterProblem | None = None
        if self._starter.is_due and self.page.isVisible():
            self.page.begin_setup(NAME)
            try:
                await self._starter.ready(self.page.show_setup)
            except WriterProblem as caught:
                problem = caught
            finally:
                self.page.end_setup()
        if self._status.leaving:
            return
        await self._opener.open_sample(self._app.projects_folder)
        if problem is not None:
            self._say(NoticeKind.WARNING, not_set_up(problem.message), NoticeAction.CHOOSE_MODEL)

    async def _write(self) -> None:
        """Open an empty page; its title and its place can be changed later."""
        await self._opener.create(blank_project(self._app.projects_folder, self.page.untitled))

    def _show_model(self) -> None:
        """Show the model that the next new project is written with."""
        chosen, is_due = self._app.drafts.model, self._starter.is_due
        writes_with_starter = is_due or is_starter(chosen.folder)
        self.page.show_model(
            NAME if writes_with_starter else (chosen.name if chosen.chosen else ""),
            is_small=writes_with_starter or not chosen.chosen,
            is_set_up=not is_due,
            free_memory=self._free_memory,
        )

    # ------------------------------------------------------------ closing and discarding
    async def _look(self) -> None:
        if not self._free_memory:
            free = (await asyncio.to_thread(read_memory)).free
            self._free_memory = size_text(free) if free else ""
            self._show_model()
        recent = self._recent()
        found = await asyncio.to_thread(self._notes.look, recent)
        if self.page.isVisible() and recent == self._recent():
            self.page.show_recent(found)

    async def _note(self, session: ProjectSession) -> None:
        """Record the book's word count and time in the background."""
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
        """Save and close the open project, and show the page; raise NotStored if it must stay open."""
        session = await self._current.let_go()
        # no await before the text is locked: later typing could not be saved any more
        self._followed = None
        self._window.editor.set_locked(locked=True)
        self._window.editor.show_text("")
        self._window.notice_bar.clear()
        # what reading view and focus mode hide comes back first: then it hides itself, without a project
        self._window.commands.focus.setChecked(False)
        self._window.show_page()
        self._status.close()
        self._app.events.project_closed()
        self.show()
        if session is not None:
            await session.close()
            await self._look()

    async def _discard(self) -> None:
        """Set aside what the last run wrote since its last request."""
        from quire.services.project.text_history import TextHistory

        await self._current.autosave.store()
        session = self._current.session
        run = None if session is None else await session.resting_run()
        if session is None or run is None or not run.num_tokens:
            raise WriterProblem("This text no longer ends with a draft. Nothing was changed.")
        history = TextHistory(session)
        await history.begin_again(run.run_id)
        await self._opener.show_text(session)
        self._say(NoticeKind.NOTE, DISCARDED)

    # ------------------------------------------------------------ inside
    def _recent(self) -> tuple[str, ...]:
        return self._settings.settings.recent

    def _say(self, kind: NoticeKind, text: str, *actions: NoticeAction) -> None:
        first, more = (actions[0], actions[1:]) if actions else (None, ())
        self._window.notice_bar.show_notice(Notice(kind, text, first, more))


def _import_services() -> None:
    import quire.services.drafting.drafting
    import quire.services.project.project_session  # noqa: F401
