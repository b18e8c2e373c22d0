"""A draft that goes on in chapters of its own is one draft: in the window, after a restart and a crash."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from quire.application import Application
from quire.domain.drafting.draft_status import DraftState
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.project_text import read_document
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import Desktop, ended, press, stored
from tests.integration.test_window_result import CONTROL, SHIFT

OPENING = "CHAPTER XXX\n\n" + "It was a dark night, and nobody sang. " * 20 + "Then it rained."
Book = list[tuple[str, str]]


@pytest.fixture
def path(desktop: Desktop, tmp_path: Path) -> Path:
    path = tmp_path / "Rain.quire"

    async def make() -> None:
        session = await ProjectSession.create_cut(path, "Rain", OPENING)
        await session.close()

    desktop.run_async(make())
    return path


def session_of(quire: Application) -> ProjectSession:
    session = quire.app.current.session
    assert session is not None
    return session


async def book(quire: Application) -> Book:
    """The titles and texts of the book as stored; the open one is what the window shows."""
    session = session_of(quire)
    await stored(quire)
    await turns_until(lambda: quire.window.status.is_at_rest)
    texts = [await session.read(read_document, one.node_id) for one in session.tree.reading_order()]
    shown = next(one for one in texts if one.document_id == quire.app.current.shown_id)
    assert quire.window.editor.text() == shown.text == session.text
    assert _rows(quire) == [one.node_id for one in session.tree.reading_order()]
    return [(text.title, text.text) for text in texts]


def _rows(quire: Application) -> list[int]:
    tree = quire.app.manuscript.panel.model._tree
    assert tree is not None
    return [node.node_id for node in tree.reading_order()]


async def drafted(quire: Application, qtbot: Any, words: int = 400) -> Book:
    quire.app.controls.bar.goal_box.set_goal(words)
    press(qtbot, quire, "continue")
    await turns_until(lambda: quire.window.status.is_busy)
    await ended(quire)
    return await book(quire)


async def asked(quire: Application, qtbot: Any, *, redo: bool = False, again: Book) -> None:
    """Undo or redo with the keyboard until the book is what it was."""
    action = quire.window.commands.redo if redo else quire.window.commands.undo
    await turns_until(lambda: action.isEnabled() and quire.window.status.is_at_rest)
    qtbot.keyClick(quire.window.editor, Qt.Key.Key_Z, CONTROL | SHIFT if redo else CONTROL)
    for _ in range(1_000):
        if await book(quire) == again:
            return
    assert await book(quire) == again


def type_at_end(quire: Application, qtbot: Any, words: str) -> None:
    quire.window.editor.moveCursor(QTextCursor.MoveOperation.End)
    qtbot.keyClicks(quire.window.editor, words)


def test_undo_and_redo_take_the_whole_draft_with_its_chapters(
    desktop: Desktop, qtbot: Any, path: Path
) -> None:
    async def scenario(quire: Application) -> None:
        type_at_end(quire, qtbot, " Snow")
        before = await book(quire)
        whole = await drafted(quire, qtbot)
        assert [title for title, _ in whole[:3]] == ["CHAPTER XXX", "CHAPTER XXXI", "CHAPTER XXXII"]
        type_at_end(quire, qtbot, " Mine")
        typed = await book(quire)
        steps = [typed, whole, before]
        for one in steps[1:]:
            await asked(quire, qtbot, again=one)
        assert "The last draft was undone" in quire.window.notice_bar.notice.text  # type: ignore[union-attr]
        await asked(quire, qtbot, again=[("CHAPTER XXX", OPENING)])
        for one in reversed(steps):
            await asked(quire, qtbot, redo=True, again=one)
        assert not quire.window.commands.redo.isEnabled()

    desktop.start(ScriptedBackend(chapters=True), scenario, path)


def test_retry_is_another_take_of_all_of_it(desktop: Desktop, qtbot: Any, path: Path) -> None:
    async def scenario(quire: Application) -> None:
        first, panel = await drafted(quire, qtbot), quire.app.takes.panel
        run = session_of(quire).runs[0]
        quire.window.commands.retry.trigger()
        await turns_until(lambda: len(session_of(quire).runs) == 2 and quire.window.status.is_busy)
        await ended(quire)
        second = await book(quire)
        assert first[0][1][: len(OPENING)] == second[0][1][: len(OPENING)]
        assert len(second) > 2
        assert second != first
        await turns_until(
            lambda: panel.list.count() == 3
        )  # a place with two takes, seen from the last chapter
        quire.window.commands.previous_take.trigger()
        await turns_until(lambda: session_of(quire).document_id == run.texts[0])
        assert await book(quire) == first
        await turns_until(quire.window.commands.next_take.isEnabled)
        quire.window.commands.next_take.trigger()
        await turns_until(lambda: _rows(quire)[1] not in run.texts)
        assert await book(quire) == second

    desktop.start(ScriptedBackend(chapters=True), scenario, path)


def test_after_a_restart_it_is_still_one_draft(desktop: Desktop, qtbot: Any, path: Path) -> None:
    books: list[Book] = []

    async def draft(quire: Application) -> None:
        books.append(await drafted(quire, qtbot))

    async def undo(quire: Application) -> None:
        assert await book(quire) == books[0]
        await asked(quire, qtbot, again=[("CHAPTER XXX", OPENING)])

    async def redo(quire: Application) -> None:
        assert await book(quire) == [("CHAPTER XXX", OPENING)]
        await asked(quire, qtbot, redo=True, again=books[0])

    for scenario in (draft, undo, redo):
        desktop.start(ScriptedBackend(chapters=True), scenario, path)


def test_a_draft_that_is_paused_in_a_later_chapter_goes_on_as_if_it_had_not_been(
    desktop: Desktop, qtbot: Any, path: Path
) -> None:
    backend = ScriptedBackend(chapters=True)

    async def scenario(quire: Application) -> None:
        await drafted(quire, qtbot, 250)
        await drafted(quire, qtbot, 250)
        (run,) = session_of(quire).runs
        expected = OPENING + backend.text_of(OPENING, run.sampling.seed, run.num_words)
        texts = [text for _, text in await book(quire)]
        assert len(texts) > 2
        assert _without_numbers("".join(texts)) == _without_numbers(expected)
        assert quire.window.status.status.state is DraftState.FINISHED

    desktop.start(backend, scenario, path)


def _without_numbers(text: str) -> list[str]:
    return [line for line in text.split("\n") if not line.startswith("CHAPTER")]
