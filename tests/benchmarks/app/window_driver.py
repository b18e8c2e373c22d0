"""Drives the window over a big book as a writer does, and measures what the writer would feel."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import cycle, islice
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QTextCursor
from PySide6.QtWidgets import QApplication

from quire.application import Application
from quire.domain.drafting.draft_status import DraftState
from quire.domain.text_quality.overlays import Overlay
from quire.launch_options import Options
from quire.manuscript.tree_model import TreeRole
from quire.search.search_panel import SearchPanel
from quire.settings.settings import SettingsFile
from quire_engine.catalog.computer_memory import read_memory
from quire_engine.runtime.engine_thread import Backend
from tests.benchmarks.app.latency_probes import (
    Keyboard,
    Lag,
    LagWatch,
    Moment,
    Paints,
    Took,
    turns_until,
    until,
    until_any,
)
from tests.benchmarks.app.synthetic_book import LONG_TITLE, PacedBackend

_TYPED = "the water rose along the wall and nobody in the house said a word "
_ENDED = (DraftState.PAUSED, DraftState.FINISHED, DraftState.FAILED)
_REST_S = 0.15
"""What a hand needs at least from one chapter to the next."""
_QUERIES = ("the", "water", "and then", "zyzzyva")
_SIZES = 8
_TIDY_S = 0.5  # in which the window hands free memory back after a draft
_LOOK_EVERY_S = 0.002
"""Less often than at every turn: looking must not take the time that is measured."""


@asynccontextmanager
async def open_window(
    app: QApplication, folder: Path, make_backend: Callable[[], Backend], model_folder: str
) -> AsyncIterator[Application]:
    """Start Quire without a project; when it is left everything is stored and closed."""
    options = Options(model_folder=model_folder)
    settings = SettingsFile(folder / "settings.json")
    settings.save(replace(settings.load(), preflight_words=0))  # no estimate takes a draft's place
    quire = Application(app, settings, options, folder / "Quire", make_backend)
    quire.window.show()
    running = asyncio.ensure_future(quire.run())
    try:
        await turns_until(lambda: quire.app.is_complete or running.done(), _LOOK_EVERY_S)
        yield quire
    finally:
        quire.window.close()
        await running


@dataclass(frozen=True, slots=True)
class ProcessMemory:
    """Bytes of the process, and of the text in it, after so many tokens."""

    num_tokens: int
    process: int
    text: int


class Desk:
    """A window over a book, with everything that watches it."""

    def __init__(self, quire: Application) -> None:
        self.quire, self.window, self.editor = quire, quire.window, quire.window.editor
        self._model = quire.window.status
        self._paints = Paints(self.window, self.editor.viewport())
        self._keys = Keyboard(self.editor, self._paints)
        self._lag = LagWatch(self.window)

    # ------------------------------------------------------------ opening and switching
    async def open(self, path: Path) -> Took:
        """Open a book; return how long it took until the first key stood in it."""
        began = Moment.now()
        self.window.open_asked.emit(path)
        await until(self._model.changed, lambda: self._model.is_open and not self._model.switching)
        await self._keys.type("a", 0)
        return Moment.now().since(began)

    @property
    def chapters(self) -> tuple[int, ...]:
        """The texts of the book in reading order, without the long one."""
        tree = self.quire.app.manuscript.panel.model.tree
        nodes = () if tree is None else tree.reading_order()
        return tuple(node.node_id for node in nodes if node.title != LONG_TITLE)

    @property
    def long_chapter(self) -> int:
        """The text of 60,000 characters."""
        tree = self.quire.app.manuscript.panel.model.tree
        return next(n.node_id for n in tree.reading_order() if n.title == LONG_TITLE) if tree else 0

    async def switch(self, document_id: int) -> Took:
        """Click on a text in the tree; return how long it took until it was painted."""
        view, document = self.quire.app.manuscript.panel.view, self.editor.document()
        index = self.quire.app.manuscript.panel.model.index_of(document_id)
        view.scrollTo(index)
        place = QPointF(view.visualRect(index).center())
        shown: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def changed(_position: int, removed: int, _added: int) -> None:
            if removed and not shown.done():
                shown.set_result(None)

        document.contentsChange.connect(changed)
        began = Moment.now()
        for kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease):
            click = _click(kind, place, view.viewport().mapToGlobal(place))
            QCoreApplication.postEvent(view.viewport(), click)
        ended = await self._painted_after(shown)
        document.contentsChange.disconnect(changed)
        await until(self._model.changed, lambda: not self._model.switching)
        return ended.since(began)

    async def _painted_after(self, shown: asyncio.Future[None]) -> Moment:
        while True:
            now = await self._paints.next()
            if shown.done():
                return now

    async def switches(self, times: int) -> list[Took]:
        """Go from chapter to chapter, up and down the book."""
        chapters, took = self.chapters, list[Took]()
        others = cycle((*chapters[1:], *reversed(chapters[:-1])))
        while len(took) < times and len(chapters) > 1:
            document_id = next(others)
            if not self._is_open(document_id):
                took.append(await self.switch(document_id))
                await asyncio.sleep(_REST_S)
        return took

    async def go_to(self, document_id: int) -> None:
        """Show a text, unless it is shown already."""
        if not self._is_open(document_id):
            await self.switch(document_id)
            await asyncio.sleep(_REST_S)

    async def show_long_text(self) -> tuple[Took, Took, Lag]:
        """Show 60,000 characters with every layer on: until it is painted, until every mark is there."""
        extras = self.quire.app
        if extras is not None:
            extras.overlays.show_overlay(Overlay.ECHOES)
        await self.go_to(self.chapters[0])
        self._lag.start()
        began = Moment.now()
        painted = await self.switch(self.long_chapter)
        await turns_until(lambda: self.editor.layers.is_done, _LOOK_EVERY_S)
        marked = Moment.now().since(began)
        await asyncio.sleep(1)
        lag = self._lag.stop()
        if extras is not None:
            extras.overlays.show_overlay(Overlay.NONE)
        return painted, marked, lag

    # ------------------------------------------------------------ typing and finding
    async def type(self, num_keys: int, every_s: float, *, at_start: bool) -> list[Took]:
        """Type into the open text, at its beginning or in its middle."""
        place = len(self.editor.text().partition("\n\n")[0]) + 2 if at_start else len(self.editor.text()) // 2
        caret = QTextCursor(self.editor.document())
        caret.setPosition(place)
        self.editor.setTextCursor(caret)
        self.editor.ensureCursorVisible()
        await asyncio.sleep(_REST_S)
        return await self._keys.type("".join(islice(cycle(_TYPED), num_keys)), every_s)

    async def find(self) -> list[Took]:
        """Look for something in all of the book; return how long each took until it was listed."""
        panel, took = self.quire.app.search.panel, list[Took]()
        self.window.commands.find_in_book.trigger()
        for text in _QUERIES:
            panel.query_field.field.setText(text)
            began = Moment.now()
            panel.find_button.click()
            await turns_until(partial(_has_found, panel), _LOOK_EVERY_S)
            took.append(Moment.now().since(began))
            await asyncio.sleep(_REST_S)
        self.window.side_panel.show_panel(self.quire.app.manuscript.panel)
        return took

    # ------------------------------------------------------------ drafting
    async def begin_draft(self, num_words: int) -> None:
        """Let the model write into the open text."""
        self.quire.app.controls.bar.continue_asked.emit(num_words)
        await self._state(DraftState.DRAFTING, *_ENDED)

    async def pause(self) -> Took:
        """Press Pause; return how long it took until it said that it is paused."""
        began = Moment.now()
        self.quire.app.controls.bar.pause_button.click()
        await self._state(*_ENDED)
        took = Moment.now().since(began)
        await self.given_back()
        return took

    async def whole_run(self, num_words: int) -> Lag:
        """Draft so many words into the last chapter; return how late the window was meanwhile."""
        self._lag.start()
        self.quire.app.controls.bar.continue_asked.emit(num_words)
        await self._state(DraftState.LOADING, DraftState.DRAFTING)
        await self._state(*_ENDED)
        await self.given_back()
        return self._lag.stop()

    @property
    def is_at_work(self) -> bool:
        """Whether a draft is loading, reading or drafting."""
        return self._model.status.state not in _ENDED

    async def draft_to(self, num_words: int) -> tuple[Lag, int]:
        """Wait until the draft reaches this many words or ends; return the lag and the words it has."""
        self._lag.start()
        progress = self.window.progress

        def reached() -> bool:
            return progress.num_words >= num_words or not self.is_at_work

        await until_any((progress.changed, self._model.changed), reached)
        return self._lag.stop(), progress.num_words

    async def memory(self, num_tokens: int, backend: PacedBackend) -> list[ProcessMemory]:
        """Draft as fast as can be; return the memory before and after each eighth of it."""
        backend.tokens_per_s = 0
        sizes = list[ProcessMemory]()
        for part in range(_SIZES + 1):
            if part:
                await self.whole_run(num_tokens // _SIZES)
            gc.collect()
            await asyncio.sleep(_TIDY_S)
            sizes.append(ProcessMemory(part * (num_tokens // _SIZES), read_memory().own, backend.num_chars))
        return sizes

    async def pauses(self, times: int) -> list[Took]:
        """Draft and pause again and again, at places that differ."""
        took = list[Took]()
        for number in range(times):
            await self.begin_draft(5_000)
            await asyncio.sleep(0.05 + 0.37 * number % 0.6)
            took.append(await self.pause())
        return took

    def _is_open(self, document_id: int) -> bool:
        return self.quire.app.manuscript.panel.model.index_of(document_id).data(TreeRole.IS_OPEN) is True

    async def _state(self, *states: DraftState) -> None:
        await until(self._model.changed, lambda: self._model.status.state in states)

    async def given_back(self) -> None:
        """Wait until the editor has the text of a draft that is over."""
        await until(self._model.changed, lambda: not self.editor.is_drafting)
        await asyncio.sleep(0)  # what follows the end of a draft comes right behind it


def growth_per_100k(sizes: Sequence[ProcessMemory]) -> tuple[float, float]:
    """Return by how many bytes the process and its text grew per 100,000 tokens, without the first part."""
    known = sizes[1:]
    tokens = known[-1].num_tokens - known[0].num_tokens
    factor = 100_000 / max(tokens, 1)
    return (
        (known[-1].process - known[0].process) * factor,
        (known[-1].text - known[0].text) * factor,
    )


def paragraphs(texts: Sequence[str]) -> Iterator[str]:
    """Yield the lines of some texts that hold something."""
    for text in texts:
        for line in text.split("\n"):
            if line.strip():
                yield " ".join(line.lstrip("# ").split())


def _has_found(panel: SearchPanel) -> bool:
    said = panel.summary_label.text()
    return bool(said) and not said.startswith("Searching")


def _click(kind: QEvent.Type, place: QPointF, on_screen: QPointF) -> QMouseEvent:
    button = Qt.MouseButton.LeftButton
    held = button if kind is QEvent.Type.MouseButtonPress else Qt.MouseButton.NoButton
    return QMouseEvent(kind, place, on_screen, button, held, Qt.KeyboardModifier.NoModifier)
