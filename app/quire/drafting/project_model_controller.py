"""Lets a project continue with the model that it was drafted with, whatever the settings name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from quire.domain.drafting.run import RunState
from quire.drafting.controller import DraftingController
from quire.errors import WriterProblem
from quire.projects.starter_setup import StarterSetup, not_set_up
from quire.services.model_library.starter_model import NAME, is_starter
from quire.settings.settings import ModelChoice
from quire.settings.settings_store import SettingsStore
from quire.shell.main_window import MainWindow
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire_engine.api.user_message import UserMessage
from quire_resources import BUILT_IN_MODEL

if TYPE_CHECKING:  # imported once the window is shown: SQLAlchemy is slow to import
    from quire.domain.drafting.run import Run
    from quire.services.project.project_session import ProjectSession


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


_SETTING_UP = UserMessage("Setting up {name}, once. This takes a few seconds.", name=NAME)


class ProjectModelController:
    """Chooses the model when another project is opened; a choice of the writer's holds from then on.

    Attributes:
        chosen: called with the folder of the model in use when a project changes it.

    Args:
        named: the model on the command line, which counts for every project; empty for none.
    """

    def __init__(
        self,
        window: MainWindow,
        settings: SettingsStore,
        drafts: DraftingController,
        starter: StarterSetup,
        named: str,
    ) -> None:
        self._window, self._settings, self._drafts = window, settings, drafts
        self._starter, self._is_named = starter, bool(named)
        self._followed: ProjectSession | None = None
        self.chosen: list[Callable[[Path], None]] = []

    async def follow(self, session: ProjectSession) -> None:
        """Take the model of the project's newest draft, or the usual one for a project without a draft."""
        if session is self._followed or self._is_named:
            return
        self._followed = session
        runs = [run for run in session.runs if run.started and run.model is not None]
        usual = ModelChoice.of(self._settings.settings, self._settings.settings.model_folder)
        if not runs or runs[-1].model is None:
            self._use(usual)
            return
        name = runs[-1].model.name
        if name == usual.folder.name and usual.exists:
            self._use(usual)
            return
        folder = await asyncio.to_thread(_find, name)
        if session is not self._followed or session.read_only:
            return
        if folder is None:
            self._use(usual)
            self._say(NoticeKind.WARNING, model_gone(name, usual.name))
            return
        own = "" if folder == BUILT_IN_MODEL else str(folder)
        self._use(ModelChoice.of(self._settings.settings, own))
        self._say(NoticeKind.NOTE, continued_with(self._drafts.model.name))

    async def before_draft(self, session: ProjectSession) -> None:
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

    async def draft_ended(self, _session: ProjectSession, run: Run | None) -> None:
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
            for tell in self.chosen:
                tell(model.folder)

    def _say(self, kind: NoticeKind, text: UserMessage) -> None:
        """Show a notice, unless there is one that matters more."""
        shown = self._window.notice_bar.notice
        lacks_model = shown is not None and NoticeAction.LOAD_AGAIN in shown.actions
        if (shown is None or lacks_model) and self._drafts.has_model:
            self._window.notice_bar.show_notice(Notice(kind, text, NoticeAction.CHOOSE_MODEL))


def _ignore(_share: float) -> None:
    """Show no progress: the draft shows that the model is loaded."""


def _find(name: str) -> Path | None:
    from quire.services.model_library.model_by_name import find_by_name

    return find_by_name(name)
