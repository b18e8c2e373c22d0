"""The writer writes while a draft grows: above it, in another chapter, and while it turns the page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from quire.application import Application
from quire.domain.drafting.chapter_advance_rules import TurnRules
from quire.services.drafting import run_recorder
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.closed_projects import read_project
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ChapterBackend, ScriptedBackend, unnumbered
from tests.integration.desktop import TEXT, Desktop, Scenario, ended, press, seed_of, stored

GOAL = 60


@pytest.fixture(autouse=True)
def stored_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_recorder, "STORE_EVERY_S", 0.005)


async def steps(backend: ScriptedBackend, number: int) -> None:
    for _ in range(number):
        await asyncio.to_thread(backend.asked.acquire)
        backend.gate.release()


async def begun(quire: Application, qtbot: Any, backend: ScriptedBackend, number: int) -> None:
    """Begin a draft and wait until its first words stand in the window."""
    quire.app.controls.bar.goal_box.set_goal(GOAL)
    press(qtbot, quire, "continue")
    before = len(quire.window.editor.text())
    await steps(backend, number)
    await turns_until(lambda: len(quire.window.editor.text()) > before)


def let_go(backend: ScriptedBackend, scenario: Scenario) -> Scenario:
    """Let the engine end, whatever becomes of the scenario."""

    async def guarded(quire: Application) -> None:
        try:
            await scenario(quire)
        finally:
            backend.gate.release(10_000)

    return guarded


async def finished(quire: Application, backend: ScriptedBackend) -> None:
    backend.gate.release(10_000)
    await ended(quire)


def go_to(quire: Application, move: QTextCursor.MoveOperation) -> None:
    quire.window.editor.moveCursor(move)


async def changes_stored(quire: Application, path: Path, holds: Callable[[str], bool]) -> None:
    await turns_until(lambda: quire.app.current.session is not None and holds(quire.app.current.session.text))


async def two_chapters(path: Path) -> None:
    session = await ProjectSession.create_cut(path, "Night", "CHAPTER I\n\nOne.\n\nCHAPTER II\n\nTwo.")
    await session.open_document(session.tree.reading_order()[-1].node_id)
    await session.close()


def test_what_is_typed_above_the_draft_stays_and_so_does_every_drafted_word(
    desktop: Desktop, qtbot: Any
) -> None:
    backend = ScriptedBackend(gated=True, paragraphs=True)

    async def scenario(quire: Application) -> None:
        editor = quire.window.editor
        await begun(quire, qtbot, backend, 30)
        go_to(quire, QTextCursor.MoveOperation.End)
        assert editor.isReadOnly()
        go_to(quire, QTextCursor.MoveOperation.Start)
        assert not editor.isReadOnly()
        qtbot.keyClicks(editor, "First of all. ")
        await changes_stored(quire, desktop.sample, lambda text: "First of all. " in text)
        qtbot.keyClicks(editor, "Gone")
        quire.window.commands.undo.trigger()
        await steps(backend, 5)
        assert editor.unread.paragraphs == (0,)
        await finished(quire, backend)
        await stored(quire)

    desktop.start(backend, let_go(backend, scenario))
    seed = seed_of(desktop.sample)
    whole = backend.text_of(TEXT, seed, GOAL)
    assert (
        read_project(desktop.sample).text == f"First of all.{TEXT}{whole}"
    )  # a word is undone with the space before it


def test_the_end_of_the_last_dry_paragraph_cannot_be_taken_away(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend(gated=True, paragraphs=True)

    async def scenario(quire: Application) -> None:
        editor = quire.window.editor
        await begun(quire, qtbot, backend, 30)
        while editor.document().blockCount() < 2:  # no sentence has ended yet
            await steps(backend, 1)
        caret = editor.textCursor()
        caret.setPosition(editor.document().lastBlock().position() - 1)
        editor.setTextCursor(caret)
        before = editor.text()
        qtbot.keyClick(editor, Qt.Key.Key_Delete, Qt.KeyboardModifier.ControlModifier)
        qtbot.keyClick(editor, Qt.Key.Key_Delete)
        assert editor.text() == before
        editor.selectAll()
        assert editor.isReadOnly()
        await finished(quire, backend)

    desktop.start(backend, let_go(backend, scenario))
    whole = backend.text_of(TEXT, seed_of(desktop.sample), GOAL)
    assert read_project(desktop.sample).text == TEXT + whole


def test_another_chapter_is_written_while_the_draft_goes_on(
    desktop: Desktop, qtbot: Any, tmp_path: Path
) -> None:
    path = tmp_path / "two.quire"
    desktop.run_async(two_chapters(path))
    backend = ScriptedBackend(gated=True)

    async def scenario(quire: Application) -> None:
        session = quire.app.current.session
        assert session is not None
        first, second = (node.node_id for node in session.tree.reading_order())
        editor = quire.window.editor
        await begun(quire, qtbot, backend, 10)
        quire.app.manuscript.panel.document_chosen.emit(first)
        await turns_until(lambda: quire.app.current.shown_id == first and not editor.isReadOnly())
        assert editor.newest_button.isVisible()
        go_to(quire, QTextCursor.MoveOperation.End)
        qtbot.keyClicks(editor, " Mine.")
        await steps(backend, 10)
        assert editor.text() == "CHAPTER I\n\nOne.\n\n Mine."
        await changes_stored(quire, path, lambda text: "Mine." in text)
        qtbot.mouseClick(editor.newest_button, Qt.MouseButton.LeftButton)
        await turns_until(lambda: quire.app.current.shown_id == second)
        assert editor.is_drafting
        assert not editor.newest_button.isVisible()
        await steps(backend, 10)
        quire.app.manuscript.panel.document_chosen.emit(first)
        await turns_until(lambda: quire.app.current.shown_id == first)
        await finished(quire, backend)
        await turns_until(lambda: quire.window.notice_bar.notice is not None)
        assert not editor.newest_button.isVisible()
        assert quire.window.notice_bar.notice is not None
        assert "CHAPTER II" in quire.window.notice_bar.notice.text

    desktop.start(backend, let_go(backend, scenario), path)
    text = read_project(path).text
    written = backend.text_of("CHAPTER I\n\nOne.\n\nCHAPTER II\n\nTwo.", seed_of(path), GOAL)
    assert text.startswith("CHAPTER I\n\nOne.")
    assert " Mine." in text.partition("CHAPTER II")[0]
    assert text.endswith(f"CHAPTER II\n\nTwo.{written}")


@pytest.mark.parametrize("follows", [True, False])
def test_the_draft_turns_the_page(desktop: Desktop, qtbot: Any, follows: bool) -> None:
    backend = ScriptedBackend(gated=True, chapters=True)
    goal = 900

    async def scenario(quire: Application) -> None:
        quire.window.resize(1_024, 640)  # so that the first words fill it
        quire.app.drafts.pages.rules = TurnRules(at_headings=False)
        editor = quire.window.editor
        quire.app.controls.bar.goal_box.set_goal(goal)
        press(qtbot, quire, "continue")
        first = quire.app.current.shown_id
        await steps(backend, 100)
        if not follows:
            await turns_until(lambda: editor.verticalScrollBar().maximum() > 0)
            editor.verticalScrollBar().setValue(0)
        quire.app.drafts.pages.rules = TurnRules(after_chars=1_200)
        session = quire.app.current.session
        assert session is not None
        while len(session.tree.reading_order()) < 3:
            await steps(backend, 20)
            await turns_until(
                lambda: session.draft_target is not None and session.draft_target.num_stored > 0
            )
        assert (quire.app.current.shown_id == first) is not follows
        assert editor.is_drafting is follows
        if follows:
            assert editor.drafted_ranges[0][0] == 0  # the whole of the new chapter is tinted
            assert editor.textCursor().position() == 0  # where its draft begins, not among the words
        assert editor.newest_button.isVisible() is not follows
        await finished(quire, backend)

    desktop.start(backend, let_go(backend, scenario))
    written = backend.text_of(TEXT, seed_of(desktop.sample), goal)
    assert unnumbered(read_project(desktop.sample).text) == unnumbered(TEXT + written)
    assert len(read_project(desktop.sample).tree.reading_order()) >= 3


def test_a_finished_draft_over_two_chapters_is_undone_and_redone_as_one(desktop: Desktop, qtbot: Any) -> None:
    backend = ChapterBackend()
    goal = backend.HEADING_AT + backend.WORDS_IN_SENTENCE
    written = backend.text_of(TEXT, 0, goal)
    heading = written.index("CHAPTER II")

    async def scenario(quire: Application) -> None:
        session, editor = quire.app.current.session, quire.window.editor
        assert session is not None
        quire.app.controls.bar.goal_box.set_goal(goal)
        press(qtbot, quire, "continue")
        await ended(quire)
        assert [node.title for node in session.tree.reading_order()][1:] == ["CHAPTER II"]
        chapter = session.tree.reading_order()[-1]
        await turns_until(lambda: quire.app.current.shown_id == chapter.node_id)
        assert editor.text() == written[heading:]
        bar, undo, redo = quire.app.result.bar, quire.window.commands.undo, quire.window.commands.redo
        await turns_until(lambda: bar.isVisible() and undo.isEnabled())
        undo.trigger()
        await turns_until(lambda: editor.text() == TEXT and quire.window.status.is_at_rest)
        assert len(session.tree.reading_order()) == 1
        await turns_until(redo.isEnabled)
        redo.trigger()
        await turns_until(lambda: editor.text() == written[heading:] and quire.window.status.is_at_rest)
        await turns_until(lambda: undo.isEnabled() and quire.app.controls.bar.continue_button.isEnabled())
        press(qtbot, quire, "continue")
        await turns_until(lambda: len(editor.text()) > len(written) - heading)
        await ended(quire)

    desktop.start(backend, scenario)
    assert read_project(desktop.sample).text == TEXT + backend.text_of(TEXT, 0, 2 * goal)
    assert len(read_project(desktop.sample).runs) == 1


def test_the_queue_drafts_one_wish_after_another(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend()

    async def scenario(quire: Application) -> None:
        queue = quire.app.queue
        quire.app.controls.bar.goal_box.set_goal(30)
        await queue._add_drafts(1, "")
        await queue._add_drafts(1, "")
        await queue._work()
        assert quire.window.notice_bar.notice is not None

    desktop.start(backend, scenario)
    (run,) = read_project(desktop.sample).runs
    assert run.num_words >= 60
    written = backend.text_of(TEXT, run.sampling.seed, run.goal_words)
    assert read_project(desktop.sample).text == TEXT + written
