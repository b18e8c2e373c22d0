"""Adds published draft heads to the model that is selected in the list."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from quire.errors import WriterProblem
from quire.services.model_library.model_library import KnownModel, ModelLibrary
from quire.services.model_library.published_heads import add_heads
from quire.shell.task_queue import TaskQueue
from quire.ui.translated import translated


class DraftHeadsController(QObject):
    """Runs one at a time.

    Args:
        say: shows a sentence.
        look: lists the models again.
        is_training: whether the model in a folder is being trained for, which writes the same file.
    """

    def __init__(
        self,
        tasks: TaskQueue,
        library: ModelLibrary,
        say: Callable[[str], None],
        look: Callable[[], Awaitable[None]],
        is_training: Callable[[Path], bool],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._tasks, self._library, self._say, self._look = tasks, library, say, look
        self._is_training = is_training
        self._adding_to: Path | None = None

    def is_adding_to(self, folder: Path) -> bool:
        """Return whether heads are being added to the model in a folder."""
        return self._adding_to == folder

    @Slot(object, Path)
    def add(self, known: KnownModel, source: Path) -> None:
        """Add the heads in a folder to a model."""
        if self._adding_to is not None:
            self._say(self.tr("Draft heads are already being added. Wait for that to finish."))
            return
        if self._is_training(known.path):
            said = self.tr("{0} is being sped up. Wait for that to finish, or stop it, then add the heads.")
            self._say(said.format(translated(known.title)))
            return
        self._adding_to = known.path
        self._say(self.tr("Adding draft heads to {0}…").format(translated(known.title)))
        self._tasks.run_now(partial(self._add, known, source))

    async def _add(self, known: KnownModel, source: Path) -> None:
        place = self._library.drafters_place(known.path)
        try:
            added = await asyncio.to_thread(add_heads, known.path, source, place)
        except WriterProblem as problem:
            self._say(problem.message)
            return
        finally:
            self._adding_to = None
        await self._look()
        said = self.tr("{0} now has {1} {2} draft heads. Reload the model to use them.")
        said = said.format(translated(known.title), added.count, added.kind)
        if added.replaced:
            said += " " + self.tr("They replace those from {0}.").format(added.replaced)
        self._say(said)
