"""Makes the starter model ready for the first draft: imported once, chosen, and shown to work on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from quire.errors import WriterProblem
from quire.services.model_library.starter_model import NAME, starter_file
from quire.settings.settings import ModelChoice
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:  # imported when it is needed: the services read model files
    from quire.app import App
    from quire.services.model_library.model_imports import ImportState, ModelImports


def not_set_up(problem: str) -> UserMessage:
    """Show why Quire writes with the built-in model after all."""
    return UserMessage(
        "{name} could not be set up. {problem} Quire writes with its built-in model.",
        name=NAME,
        problem=problem,
    )


_NO_MEMORY = UserMessage("There is not enough free memory for it. Close other programs and choose it later.")


class StarterSetup:
    """Imports the starter model when it is needed first, and makes it the model of new projects.

    It is done once: after that, or when the writer stops it or chooses a model, it never comes back by
    itself; the list of models keeps offering it.

    Args:
        find: returns the file; None where it was not fetched.
        make_imports: returns what imports it.
    """

    def __init__(
        self,
        app: App,
        find: Callable[[], Path | None] = starter_file,
        make_imports: Callable[[], ModelImports] | None = None,
    ) -> None:
        self._app, self._settings, self._find = app, app.settings, find
        self._is_named = bool(app.options.named_model)
        self._make_imports = _usual_imports if make_imports is None else make_imports
        self._imports: ModelImports | None = None
        self._running: asyncio.Future[bool] | None = None
        self._watchers: list[Callable[[float], None]] = []
        self._is_stopped = self._is_declined = False
        app.controls.bar.pause_asked.connect(self.stop)

    @property
    def is_due(self) -> bool:
        """Whether the model is there, and neither set up nor declined."""
        settings = self._settings.settings
        if self._is_named or settings.model_folder or settings.starter_done:
            return False
        return self.file is not None

    @property
    def file(self) -> Path | None:
        """The file of the starter model; None where it was not fetched."""
        return self._find()

    async def ready(self, on_share: Callable[[float], None]) -> bool:
        """Set the model up; return whether it is in use now. WriterProblem when it cannot be.

        Args:
            on_share: called with the progress, from 0 to 1; whoever asks meanwhile waits for the same work.
        """
        self._watchers.append(on_share)
        try:
            if self._running is None:
                self._is_stopped = False
                self._running = asyncio.ensure_future(self._set_up())
                self._running.add_done_callback(self._ended)
            return await asyncio.shield(self._running)
        finally:
            self._watchers.remove(on_share)

    def give_up(self) -> None:
        """Use the built-in model from now on: this computer cannot load the starter model."""
        self._settings.change(model_folder="", starter_done=True)
        self._use()

    def stop(self, *, for_good: bool = False) -> None:
        """Stop the import. for_good: the writer does not want it; the built-in model is used from then on."""
        if self._running is None:
            return
        self._is_stopped, self._is_declined = True, for_good
        if self._imports is not None:
            self._imports.stop()

    # ------------------------------------------------------------ inside
    def _use(self) -> None:
        """Draft with the model that the settings name."""
        settings = self._settings.settings
        self._app.drafts.use_for_project(ModelChoice.of(settings, settings.model_folder))

    def _ended(self, _done: asyncio.Future[bool]) -> None:
        self._running = None

    async def _set_up(self) -> bool:
        file = self._find()
        if not self.is_due or file is None:
            return False
        if self._imports is None:
            self._imports = await asyncio.to_thread(self._make_imports)
        try:
            folder = None if self._is_stopped else await self._imports.bring(file, self._show)
            if folder is not None and not await asyncio.to_thread(_has_room, folder):
                raise WriterProblem(_NO_MEMORY)
        except WriterProblem:
            self._settings.change(starter_done=True)
            raise
        if folder is None:
            self._settings.change(starter_done=self._is_declined)
            return False
        if self._settings.settings.model_folder:  # another was chosen meanwhile
            return False
        self._settings.change(model_folder=str(folder), starter_done=True)
        self._use()
        return True

    def _show(self, state: ImportState) -> None:
        for show in self._watchers:
            show(state.share)


def _usual_imports() -> ModelImports:
    from quire.services.model_library.model_imports import ModelImports
    from quire.system.app_folders import cache_folder

    return ModelImports(cache_folder=cache_folder())


def _has_room(folder: Path) -> bool:
    """Return whether the model and the beginning of a text fit into the free memory, if that is known."""
    from quire.services.model_library.model_library import ModelLibrary
    from quire_engine.catalog.memory_fit import free_memory

    memory = free_memory()
    fit = ModelLibrary().look_at(folder, memory).fit
    return not memory.ram or fit is None or fit.largest_goal > 0
