"""Lets a project continue with the model that it was drafted with, whatever the settings name."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from quire.domain.drafting.prompt_composition import PromptReader
from quire.domain.drafting.run import RunState
from quire.errors import WriterProblem
from quire.projects.starter_setup import not_set_up
from quire.services.model_library.model_names import plain_name
from quire.services.model_library.starter_model import CONTEXT_LENGTH, NAME, is_starter
from quire.settings.settings import ModelChoice, Settings
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire_engine.api.context_rules import context_here
from quire_engine.api.user_message import UserMessage
from quire_resources import BUILT_IN_MODEL

if TYPE_CHECKING:  # imported once the window is shown: SQLAlchemy is slow to import
    from quire.app import App
    from quire.domain.drafting.run import Run
    from quire.services.project.project_session import ProjectSession
    from quire_engine.api.model_identity import ModelIdentity


def continued_with(name: str) -> UserMessage:
    """Show that the project has a model of its own."""
    return UserMessage("This project was drafted with {name}, so Quire continues with it.", name=name)


def model_gone(name: str, other: str) -> UserMessage:
    """Show which model is missing, and what Continue will do."""
    return UserMessage(
        "This project was drafted with {name}, which is not on this computer. Continue will start a new "
        "draft with {other}.",
        name=name,
        other=other,
    )


def server_gone(name: str, other: str) -> UserMessage:
    """Show that the project's server is not in the list, and what Continue will do."""
    return UserMessage(
        "This project was drafted with {name} on a server that is not in your list. Continue will start a "
        "new draft with {other}.",
        name=name,
        other=other,
    )


SET_UP_FIRST = UserMessage("{name}, set up with the first draft", name=NAME)
_SETTING_UP = UserMessage("Setting up {name}, once. This takes a few seconds.", name=NAME)


class ProjectModelController:
    """Chooses the model when another project is opened; a choice of the writer's holds from then on.

    A model on the command line counts for every project.
    """

    def __init__(self, app: App) -> None:
        self._window, self._settings, self._drafts = app.window, app.settings, app.drafts
        self._starter, self._events = app.starter, app.events
        self._followed: ProjectSession | None = None
        self._is_named, self._named_file = bool(app.options.named_model), app.options.model_file
        self._upcoming, self._was_open = "", False
        app.chosen_model.upcoming = self.upcoming
        app.chosen_model.upcoming_reader = self._upcoming_reader
        app.window.status.changed.connect(self._follow_status)
        app.settings.follow(self._take)
        app.events.text_followed.subscribe("project_model", self._follow)
        app.events.draft.choosing.subscribe("project_model", self._before_draft)
        app.events.draft.ended.subscribe("project_model", self._draft_ended)

    def upcoming(self) -> str:
        """Return the name of the model that is set up before the next draft; empty for none."""
        if self._named_file is not None:
            return plain_name(self._named_file.stem)
        if not self._starter.is_due:
            return ""
        session = self._followed if self._window.status.is_open else None
        has_drafts = session is not None and any(run.started for run in session.runs)
        return "" if has_drafts else SET_UP_FIRST

    def _upcoming_reader(self) -> PromptReader | None:
        """Return how the starter model will read a prompt, while it is the one that is set up next."""
        if self.upcoming() is not SET_UP_FIRST:
            return None
        limit = self._settings.settings.model_context
        return PromptReader(context_here(CONTEXT_LENGTH, limit, on_gpu=False), has_chat=True)

    @property
    def folder_shown(self) -> Path:
        """Return the folder or file of the model that writes next."""
        starter = self._starter.file if self.upcoming() is SET_UP_FIRST else None
        return self._named_file or starter or self._drafts.model.folder

    def _take(self, _settings: Settings) -> None:
        """Show whether the starter model is still to be set up."""
        self._show_upcoming()

    def use_named(self, folder: Path | None) -> str:
        """Use the imported model of the command line; return the name of the model in use.

        Args:
            folder: None if it could not be imported.
        """
        self._named_file = None
        if folder is not None:
            self._use(ModelChoice.of(self._settings.settings, str(folder)))
            if _lacks_model(self._window.notice_bar.notice):
                self._window.notice_bar.clear()
        self._show_upcoming()
        return self._drafts.model.name

    async def _follow(self, session: ProjectSession) -> None:
        """Take the model of the project's newest draft, or the usual one for a project without a draft."""
        if session is self._followed or self._is_named:
            return
        self._followed = session
        self._show_upcoming()
        runs = [run for run in session.runs if run.started and run.model is not None]
        usual = ModelChoice.of(self._settings.settings, self._settings.settings.model_folder)
        if not runs or runs[-1].model is None:
            self._use(usual)
            return
        drafted_with = runs[-1].model
        name = drafted_with.name
        is_usual = usual.server is None and not drafted_with.is_on_server and name == usual.folder.name
        if is_usual and usual.exists:
            self._use(usual)
            return
        folder = await asyncio.to_thread(_find, drafted_with)
        if session is not self._followed or session.read_only:
            return
        if folder is None:
            self._use(usual)
            gone = server_gone if drafted_with.is_on_server else model_gone
            self._say(NoticeKind.WARNING, gone(plain_name(name), usual.name))
            return
        if folder == usual.folder:
            self._use(usual)
            return
        own = "" if folder == BUILT_IN_MODEL else str(folder)
        self._use(ModelChoice.of(self._settings.settings, own))
        self._say(NoticeKind.NOTE, continued_with(self._drafts.model.name))

    async def _before_draft(self, session: ProjectSession) -> None:
        """Set up the starter model before the first draft of a new project, unless it was declined."""
        if not self._starter.is_due or any(run.started for run in session.runs):
            return
        bar = self._window.notice_bar
        bar.show_notice(Notice(NoticeKind.NOTE, _SETTING_UP))
        try:
            await self._starter.ready(_ignore)
        except WriterProblem as problem:
            text = not_set_up(problem.message)
            bar.show_notice(Notice(NoticeKind.WARNING, text, NoticeAction.CHOOSE_MODEL))
        else:
            if bar.notice is not None and bar.notice.text == _SETTING_UP:
                bar.clear()

    async def _draft_ended(self, _session: ProjectSession, run: Run | None) -> None:
        """Go back to the built-in model if the starter model, which nobody chose, can't be loaded here."""
        usual = self._settings.settings.model_folder
        if run is None or run.state is not RunState.FAILED or run.model is not None:
            return
        if usual and is_starter(Path(usual)) and self._drafts.model.chosen == usual:
            self._starter.give_up()
            text = not_set_up(run.error)
            self._window.notice_bar.show_notice(
                Notice(NoticeKind.WARNING, text, NoticeAction.RESUME, (NoticeAction.CHOOSE_MODEL,))
            )

    def _use(self, model: ModelChoice) -> None:
        if model != self._drafts.model:
            self._drafts.use_for_project(model)
            self._events.model_changed(model.folder)

    def _say(self, kind: NoticeKind, text: UserMessage) -> None:
        """Show a notice, unless there is one that matters more."""
        shown = self._window.notice_bar.notice
        if (shown is None or _lacks_model(shown)) and self._drafts.chosen_model.is_usable:
            self._window.notice_bar.show_notice(Notice(kind, text, NoticeAction.CHOOSE_MODEL))

    def _follow_status(self) -> None:
        is_open = self._window.status.is_open
        if is_open != self._was_open:
            self._was_open = is_open
            self._show_upcoming()

    def _show_upcoming(self) -> None:
        upcoming = self.upcoming()
        if upcoming != self._upcoming:
            self._upcoming = upcoming
            self._drafts.chosen_model.show()
            self._drafts.expect_reader()
            self._events.model_changed(self.folder_shown)


def _lacks_model(notice: Notice | None) -> bool:
    return notice is not None and NoticeAction.LOAD_AGAIN in notice.actions


def _ignore(_share: float) -> None:
    """Show no progress: the draft shows that the model is loaded."""


def _find(drafted_with: ModelIdentity) -> Path | None:
    from quire.services.model_library.model_by_name import find_by_name, find_server

    if drafted_with.is_on_server:
        return find_server(drafted_with)
    return find_by_name(drafted_with.name, drafted_with.fingerprint)
