"""A writer's walks through the real window: typing, drafts, chapters, replacing, undo, redo, restarts, kills.

After every step the window, the project file and a plain list of what the book was agree. A process that is
killed is simulated: its files are kept as they are at that moment, and put back after it has closed them.
"""

from __future__ import annotations

import asyncio
import os
import random
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from quire.application import Application
from quire.domain.manuscript.find_replace import Query
from quire.domain.manuscript.tree_requests import Split
from quire.projects import shutdown
from quire.services.project.book_search import BookReplacement, BookSearch, ChosenMatches
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.project_creation import create_cut
from quire.services.transactions.project_text import read_document
from quire.shell.project_status import SaveState
from tests.benchmarks.app.latency_probes import turns_until
from tests.benchmarks.app.window_driver import open_window
from tests.fakes import ScriptedBackend
from tests.proofs.app.outcome import CheckResult

_LENGTH = 14
_WEIGHTS = {
    "type": 10, "erase": 3, "draft": 6, "retry": 2, "split": 2, "merge": 1, "replace": 1, "go": 2, "undo": 12,
    "redo": 8, "restart": 2, "kill": 2,
}  # fmt: skip
_OPENING = "It snowed all night in Umbria, then bells tolled.\n\nHer letter came late."
_OWN = frozenset(_OPENING.split())
_WORDS = ("alder", "bell", "cinder", "dusk", "ember", "frost")
_CONTROL, _SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
_PATIENCE_S = 120.0
_LEAVES = 0.05

Book = tuple[tuple[int, str, str], ...]
"""Number, title and text of every text, in reading order."""


class Wrong(Exception):
    """Window, file and model do not agree."""


@dataclass(slots=True)
class Model:
    """The book as it is now, and as it was before and after each step that can be undone or redone."""

    now: Book
    past: list[Book] = field(default_factory=list)
    future: list[Book] = field(default_factory=list)

    def step(self, book: Book) -> None:
        """Note a step of the writer."""
        if book != self.now:
            self.past.append(self.now)
            self.future.clear()
        self.now = book

    def bar(self, book: Book) -> None:
        """Note a step that can't be undone."""
        self.past.clear()
        self.future.clear()
        self.now = book


def walks(folder: Path, seeds: Sequence[int]) -> Iterator[CheckResult]:
    """Walk once for each seed, with projects in a folder."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QCoreApplication.instance() or QApplication(["quire"])
    assert isinstance(app, QApplication)
    app.setQuitOnLastWindowClosed(False)
    # a busy machine must not end the proof
    patience = patch.object(shutdown, "LEAVE_WITHIN_S", 600.0)
    with patience, asyncio.Runner(loop_factory=lambda: QEventLoop(app)) as runner:
        walker = Walker(app, folder)
        for seed in seeds:
            with patch.object(secrets, "randbelow", random.Random(f"draft {seed}").randrange):
                wrong = runner.run(walker.walk(random.Random(f"desk {seed}")))
            walker.sweep()
            yield CheckResult("a walk", wrong and f"seed {seed}: {wrong}")
        runner.run(walker.leave())
        walker.sweep()


class Walker:
    """A writer at a window; every step ends when it is stored."""

    def __init__(self, app: QApplication, folder: Path) -> None:
        self._app, self._folder = app, folder
        self._model = folder / "model"
        self._model.mkdir(exist_ok=True)
        (self._model / "config.json").write_text("{}", encoding="utf-8")
        self._path = folder
        self._rng = random.Random()
        self._stack = AsyncExitStack()
        self._window: Application | None = None
        self._left = list[Application]()
        self.model = Model(())

    async def walk(self, rng: random.Random) -> str:
        """Walk through a new project; return the steps to what is wrong, and what that is."""
        self._rng = rng
        taken: list[str] = []
        with tempfile.TemporaryDirectory(prefix="walk-", dir=self._folder) as name:
            self._path = Path(name) / "Quire" / "Night.quire"
            self._path.parent.mkdir()
            create_cut(self._path, "Night", _OPENING)
            self.model = Model(())
            try:
                async with asyncio.timeout(_PATIENCE_S):
                    await self._open()
                    for what in rng.choices(list(_WEIGHTS), list(_WEIGHTS.values()), k=_LENGTH):
                        taken.append(what)
                        await getattr(self, what)()
                        await self.check()
                    await self._close()
            except (Wrong, TimeoutError) as wrong:
                await self.leave()
                return f"{' '.join(taken)}: {wrong!r}"
        return ""

    async def leave(self) -> None:
        """Close the window."""
        await self._stack.aclose()
        if self._window is not None:
            self._left.append(self._window)
        self._window = None

    def sweep(self) -> None:
        """Delete the windows that were left; call it while no event loop runs."""
        for quire in self._left:  # a theme dresses all that there are
            for part in (
                quire.window.status,
                *quire.window.findChildren(QObject),
            ):  # nothing hears of another that is gone already
                part.blockSignals(True)
            quire.window.deleteLater()
        self._left.clear()
        self._app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    @property
    def _quire(self) -> Application:
        assert self._window is not None
        return self._window

    @property
    def _session(self) -> ProjectSession:
        session = self._quire.app.current.session
        assert session is not None
        return session

    async def _open(self) -> None:
        if self._window is None:
            backend = ScriptedBackend(chapters=True)
            window = open_window(self._app, self._folder, lambda: backend, str(self._model))
            self._window = await self._stack.enter_async_context(window)
        quire = self._window
        quire.window.open_asked.emit(self._path)
        await turns_until(lambda: quire.window.status.is_open and not quire.window.status.switching)
        await self._settle()
        if self.model.now:
            self.model.bar(self.model.now)
        else:
            self.model.now = await self._book()

    async def _close(self) -> None:
        """Close the project; now and then Quire with it, which takes longer."""
        if self._rng.random() < _LEAVES:
            await self.leave()
        else:
            self._quire.window.commands.close_project.trigger()
            await self._all_done()
            assert self._quire.app.current.session is None

    async def check(self) -> None:
        """Compare window, file and model."""
        book, session = await self._book(), self._session
        stored = next(text for number, _, text in book if number == session.document_id)
        if self._quire.window.editor.text() != stored:
            raise Wrong(f"the window shows {self._quire.window.editor.text()!r}, stored is {stored!r}")
        if book != self.model.now:
            raise Wrong(f"stored is {book!r}, expected {self.model.now!r}")

    # ------------------------------------------------------------ steps
    async def type(self) -> None:
        """Type a word, or begin a paragraph with it, anywhere."""
        editor, word = self._quire.window.editor, self._rng.choice(_WORDS)
        editor_text = editor.text()
        place = self._rng.choice([len(editor_text), *self._gaps()])
        self._put_cursor(place)
        if self._rng.random() < 0.2:
            QTest.keyClick(editor, Qt.Key.Key_Return)
            QTest.keyClicks(editor, word)
            is_begun = editor_text[:place].endswith("\n\n")  # Enter begins no second empty paragraph
            typed = word if is_begun else f"\n\n{word}"
        else:
            QTest.keyClicks(editor, f" {word}")
            typed = f" {word}"
        await self._settle()
        self.model.step(self._with_open(lambda text: text[:place] + typed + text[place:]))

    async def erase(self) -> None:
        """Delete a word with the space before it."""
        gaps = self._gaps()
        if not gaps:
            return
        text, start = self._quire.window.editor.text(), self._rng.choice(gaps)
        end = next((n for n in range(start + 1, len(text)) if text[n].isspace()), len(text))
        self._put_cursor(start, end)
        QTest.keyClick(self._quire.window.editor, Qt.Key.Key_Delete)
        await self._settle()
        self.model.step(self._with_open(lambda text: text[:start] + text[end:]))

    async def draft(self) -> None:
        """Draft at the end of the open text."""
        self._quire.app.controls.bar.continue_asked.emit(self._rng.choice((3, 12, 40)))
        await self._drafted()

    async def retry(self) -> None:
        """Draft the last draft again; it is a step of its own."""
        if self._quire.window.commands.retry.isEnabled():
            self._quire.window.commands.retry.trigger()
            await self._drafted()
            self.model.bar(self.model.now)

    async def split(self) -> None:
        """Split the open text at a word."""
        text = self._quire.window.editor.text()
        gaps = [gap for gap in self._gaps() if text[:gap].strip() and text[gap:].strip()]
        if gaps:
            self._quire.app.manuscript.panel.edit_asked.emit(
                Split(self._session.document_id, self._rng.choice(gaps))
            )
            await self._settle()
            self._steps_of_story(await self._book())

    async def merge(self) -> None:
        """Merge the open text into the one before it."""
        if self._quire.window.commands.merge.isEnabled():
            self._quire.window.commands.merge.trigger()
            await self._settle()
            self._steps_of_story(await self._book())

    async def replace(self) -> None:
        """Replace a word in the whole book."""
        old, new = self._rng.sample((*_WORDS, "the", "ferry"), 2)
        query = Query(old, whole_words=True, match_case=True)
        hits = await BookSearch(self._session).find(query, lambda done, total: None)
        if hits is None or not hits.texts:
            return
        chosen = tuple(
            ChosenMatches(text.document_id, text.title, text.digest, tuple(hit.match for hit in text.hits))
            for text in hits.texts
        )
        self._quire.app.search.panel.replace_asked.emit(BookReplacement(query, new, chosen))
        await self._settle()
        book = await self._book()
        if _story(book).count(old) >= _story(self.model.now).count(old):
            raise Wrong("nothing was replaced")
        self.model.bar(book)

    async def go(self) -> None:
        """Show another text."""
        self._quire.window.document_asked.emit(self._rng.choice(self.model.now)[0])
        await self._settle()
        self.model.bar(self.model.now)

    async def undo(self) -> None:
        """Press Ctrl+Z."""
        await self._move(self.model.past, self.model.future, _CONTROL)

    async def redo(self) -> None:
        """Press Ctrl+Shift+Z."""
        await self._move(self.model.future, self.model.past, _CONTROL | _SHIFT)

    async def restart(self) -> None:
        """Close the project, and open it again."""
        await self._close()
        await self._open()

    async def kill(self) -> None:
        """Open the project after Quire was killed."""
        kept = self._path.parent.with_name("killed")
        shutil.copytree(self._path.parent, kept)
        await self._close()
        shutil.rmtree(self._path.parent)
        kept.rename(self._path.parent)
        await self._open()

    # ------------------------------------------------------------ inside
    async def _move(self, source: list[Book], target: list[Book], keys: Qt.KeyboardModifier) -> None:
        do = self._quire.window.commands
        action = do.undo if keys == _CONTROL else do.redo
        if source and not action.isEnabled():
            raise Wrong(f"{action.text()} is off, and there are {len(source)} steps")
        is_known = bool(source) or not action.isEnabled()
        QTest.keyClick(self._quire.window.editor, Qt.Key.Key_Z, keys)
        await self._settle()
        target.append(self.model.now)
        self.model.now = source.pop() if source else await self._book()
        if keys == _CONTROL and _num_own(self.model.now) < _num_own(target[-1]):
            raise Wrong(f"words of the opening are gone: {self.model.now!r}, before {target[-1]!r}")
        if is_known and not source and target[-1] == self.model.now:
            target.pop()

    async def _drafted(self) -> None:
        for _ in range(3):  # Retry asks for a draft when it is done itself
            await self._settle()
        self.model.step(await self._book())

    def _steps_of_story(self, book: Book) -> None:
        """Note a step that leaves every word of the book in its place."""
        if _story(book).split() != _story(self.model.now).split():
            raise Wrong(f"the story is {_story(book)!r}, expected {_story(self.model.now)!r}")
        self.model.bar(book)

    def _with_open(self, change: Callable[[str], str]) -> Book:
        number = self._session.document_id
        return tuple((n, title, change(text) if n == number else text) for n, title, text in self.model.now)

    def _gaps(self) -> list[int]:
        text = self._quire.window.editor.text()
        return [n for n in range(1, len(text)) if text[n] == " " and text[n - 1].isalnum()]

    def _put_cursor(self, place: int, end: int | None = None) -> None:
        cursor = self._quire.window.editor.textCursor()
        cursor.setPosition(place)
        cursor.setPosition(place if end is None else end, QTextCursor.MoveMode.KeepAnchor)
        self._quire.window.editor.setTextCursor(cursor)

    async def _settle(self) -> None:
        """Wait until all that was asked for is done and stored."""
        await self._all_done()
        status = self._quire.window.status
        editor = self._quire.window.editor
        await turns_until(
            lambda: status.is_at_rest and status.save_state is SaveState.SAVED and not editor.is_drafting
        )
        await asyncio.sleep(0)

    async def _all_done(self) -> None:
        done, app = asyncio.Event(), self._quire.app

        async def last() -> None:
            await app.current.autosave.store()
            done.set()

        app.tasks.enqueue(last)
        await done.wait()

    async def _book(self) -> Book:
        session = self._session
        texts = [
            await session.read(read_document, node.node_id)
            for node in session.tree.reading_order()
            if node.kind.has_text
        ]
        return tuple((text.document_id, text.title, text.text) for text in texts)


def _num_own(book: Book) -> int:
    """Return how many words of the opening there are; no model, no typing and no replacing writes those."""
    return sum(word in _OWN for word in _story(book).split())


def _story(book: Book) -> str:
    return "\n\n".join(text for _, _, text in book)
