"""Trains the drafter of a model in the background."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from quire.errors import WriterProblem
from quire.projects.current_project import CurrentProject
from quire.services.model_library.drafter_training import (
    PrepareState,
    PrepareVerdict,
    Preparing,
    forget_text,
    has_text,
    keep_text,
)
from quire.services.model_library.model_library import KnownModel, ModelLibrary
from quire.system.app_folders import cache_folder
from quire.system.number_text import number_text
from quire.ui.translated import translated
from quire_engine.catalog.trained_drafters import STARTED_AGAIN, Prepared, minutes_begun


class DrafterTrainingController(QObject):
    """Trains one at a time.

    Signals:
        began: the name of the model.
        progressed: its name, and a PrepareState.
        ended: what came of it, in a sentence.

    Attributes:
        name: of the model.

    Args:
        options: further arguments of the training command.
        is_adding_to: whether draft heads are being added to the model in a folder, to the same file.
        say: shows a sentence.
    """

    began = Signal(str)
    progressed = Signal(str, object)
    ended = Signal(object)

    def __init__(
        self,
        current: CurrentProject,
        library: ModelLibrary,
        options: Sequence[str],
        is_adding_to: Callable[[Path], bool],
        say: Callable[[str], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._current, self._library, self._options = current, library, tuple(options)
        self._is_adding_to, self._say = is_adding_to, say
        self._folder: Path | None = None
        self._preparing: Preparing | None = None
        self.name = ""

    @property
    def is_running(self) -> bool:
        """Whether the command is running."""
        return self._preparing is not None

    def is_training(self, folder: Path) -> bool:
        """Return whether the model in a folder is being trained for, or is about to be."""
        return self._folder == folder

    @Slot()
    def stop(self) -> None:
        """Stop; it is resumed the next time."""
        if self._preparing is not None:
            self._preparing.stop()

    async def train(
        self, known: KnownModel, texts: tuple[Path, ...], with_book: bool, minutes: float
    ) -> None:
        """Train, or resume what was begun.

        Args:
            texts: to learn from.
            with_book: learn from the open book as well.
            minutes: 0 for as long as it takes.
        """
        if self._folder is not None or known.facts is None:
            return
        if self._is_adding_to(known.path):
            said = self.tr("Draft heads are being added to {0}. Wait for that to finish, then speed it up.")
            self._say(said.format(translated(known.title)))
            return
        self._folder, self.name = known.path, translated(known.title)
        try:
            said = await self._train(known, texts, with_book, minutes)
        except WriterProblem as problem:
            said = problem.message
        finally:
            self._folder = self._preparing = None
        self.ended.emit(said)

    async def _train(
        self, known: KnownModel, texts: tuple[Path, ...], with_book: bool, minutes: float
    ) -> str:
        """Run the command; return what came of it."""
        place = self._library.drafters_place(known.path)
        if known.prepared is Prepared.BEGUN:
            minutes = await asyncio.to_thread(minutes_begun, place)
        learned = await self._texts_for(place, texts, with_book)
        timed = ("--minutes", f"{minutes:g}") if minutes else ()
        options = (*timed, "--cache", str(cache_folder()), *self._options)
        preparing = self._preparing = Preparing(known.path, (learned,), place, options)
        self.began.emit(translated(known.title))
        loop = asyncio.get_running_loop()

        def tell(state: PrepareState) -> None:  # on the thread that reads the output
            loop.call_soon_threadsafe(self._tell, state)

        if not await asyncio.to_thread(preparing.run, tell):
            return self.tr("Stopped. Choose Speed Up again to resume where it left off.")
        await asyncio.to_thread(forget_text, place)
        return self._done_sentence(translated(known.title), preparing.verdict)

    def _tell(self, state: PrepareState) -> None:
        if self._preparing is not None:
            if state.started_again:
                self._say(STARTED_AGAIN)
            self.progressed.emit(self.name, state)

    def _done_sentence(self, name: str, verdict: PrepareVerdict | None) -> str:
        if verdict is None:
            return self.tr("{0} is now accelerated. Reload the model to use it.").format(name)
        return self.tr(
            "{0} is now accelerated: {1} tokens/s (before: {2}), {3} tokens per pass (before: {4})."
            " Reload the model to use it."
        ).format(
            name,
            number_text(verdict.speed_now, 1),
            number_text(verdict.speed_before, 1),
            number_text(verdict.per_pass_now, 2),
            number_text(verdict.per_pass_before, 2),
        )

    async def _texts_for(self, place: Path, texts: tuple[Path, ...], with_book: bool) -> Path:
        """Return one file with all texts to train on, which exists until training is done."""
        from quire.services.transactions import project_text

        book = ""
        if with_book and self._current.session is not None:
            await self._current.autosave.store()
            book = await self._current.session.read(project_text.story)
        elif not texts and has_text(place):
            return await asyncio.to_thread(keep_text, place, (), "", as_it_is=True)
        return await asyncio.to_thread(keep_text, place, texts, book)
