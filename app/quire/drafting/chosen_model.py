"""The model that the next draft is written with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from quire.domain.drafting.prompt_composition import PromptReader
from quire.drafting.model_config import model_config, words_go_to
from quire.settings.settings import ModelChoice
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire_engine.api.config import ModelConfig, SamplingConfig
from quire_engine.api.context_rules import context_here
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:
    from quire.app import App


class ChosenModel:
    """Its name in the window, how it is loaded, and what keeps it from drafting.

    Attributes:
        choice: by the writer or the project.
        upcoming: returns the name of the model that will be chosen before the next draft; empty for none.
        upcoming_reader: returns how that model reads a prompt; None for none, or one that is not known yet.
    """

    def __init__(self, app: App) -> None:
        self._app, self._window = app, app.window
        settings = app.settings.settings
        self.choice = ModelChoice.of(settings, app.options.model_folder or settings.model_folder)
        self.upcoming: Callable[[], str] = str
        self.upcoming_reader: Callable[[], PromptReader | None] = lambda: None

    def why_off(self) -> Notice | None:
        """Return why no model may be loaded, or None."""
        return self._app.safe_mode.why_off()

    @property
    def is_usable(self) -> bool:
        """Whether it is there, and drafting is not switched off."""
        return self.choice.exists and self.why_off() is None

    def show(self) -> None:
        """Show the name of the model that writes next; it is not loaded."""
        status, upcoming = self._window.status, self.upcoming()
        status.show_model(upcoming or self.choice.name, "")
        status.show_words_go_to("" if upcoming else words_go_to(self.choice))

    def say_it_is_missing(self) -> None:
        """Show that there is no model, and offer to choose one."""
        folder = self.choice.folder
        text = UserMessage(
            "There is no model in {folder}. You can write; choose a model to draft.", folder=folder
        )
        if self.choice.is_imported:  # its folder means nothing to the writer
            name = self.choice.name
            text = UserMessage(
                "{name} is no longer on this computer. You can write; choose a model to draft.", name=name
            )
        missing = Notice(NoticeKind.ERROR, text, NoticeAction.CHOOSE_MODEL, (NoticeAction.LOAD_AGAIN,))
        self._window.notice_bar.show_notice(self.why_off() or missing)

    def unused_settings(self, sampling: SamplingConfig) -> tuple[str, ...]:
        """Return the names of the writer's settings that the chosen server does not take; () at home."""
        if self.choice.server is None or self.upcoming():
            return ()
        return self.choice.server.abilities.unused(sampling)

    async def config(self) -> ModelConfig:
        """Return how it is loaded; WriterProblem where the key of its server is gone."""
        return await model_config(self.choice, self._app.options.dtype, self._app.keys)

    async def reader(self, is_on_gpu: Callable[[], bool]) -> PromptReader | None:
        """Return how it will read a prompt; None where its folder or server doesn't say.

        is_on_gpu: called once its folder was read, which may take long enough for a model to be loaded.
        """
        from quire_engine.catalog.inspection import ModelFacts, inspect_folder

        if (upcoming := self.upcoming_reader()) is not None:
            return upcoming
        if (server := self.choice.server) is not None:
            context = server.abilities.context_length
            return None if context is None else PromptReader(context)
        facts = await asyncio.to_thread(inspect_folder, self.choice.folder)
        if not isinstance(facts, ModelFacts):
            return None
        context = context_here(facts.context_length, self.choice.context, on_gpu=is_on_gpu())
        return PromptReader(context, facts.is_chat)
