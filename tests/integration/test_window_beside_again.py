"""In the window: what is typed as a draft is loaded, begins or turns a page is neither lost nor doubled."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QTextCursor

from quire.application import Application
from quire.domain.drafting.chapter_advance_rules import TurnRules
from quire.domain.drafting.resume_decision import RunRequest
from quire.editor.manuscript_editor import ManuscriptEditor
from quire.services.drafting import generation_session, run_recorder
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.closed_projects import read_project
from tests.benchmarks.app.latency_probes import turns_until, until
from tests.fakes import ScriptedBackend, unnumbered
from tests.integration.desktop import TEXT, Desktop, ended, press, seed_of, stored
from tests.integration.test_window_beside import begun, finished, go_to, let_go, steps, two_chapters

GOAL = 60
ABOVE = "First of all. "


@pytest.fixture(autouse=True)
def stored_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_recorder, "STORE_EVERY_S", 0.005)


def typed_above(quire: Application, qtbot: Any) -> None:
    go_to(quire, QTextCursor.MoveOperation.Start)
    qtbot.keyClicks(quire.window.editor, ABOVE)


# ---------------------------------------------------------------- before the first word
def test_what_is_typed_while_the_model_is_loaded_is_stored_at_once_and_read(
    desktop: Desktop, qtbot: Any
) -> None:
    load_gate = threading.Event()
    backend = ScriptedBackend(paragraphs=True, load_gate=load_gate)

    async def scenario(quire: Application) -> None:
        quire.app.controls.bar.goal_box.set_goal(GOAL)
        await paragraph_first(quire, qtbot)
        press(qtbot, quire, "continue")
        await turns_until(lambda: backend.configs)
        typed_above(quire, qtbot)
        session = quire.app.current.session
        assert session is not None
        try:
            await until(quire.window.status.saved, lambda: session.text.startswith(ABOVE))
        finally:
            load_gate.set()
        await ended(quire)
        await stored(quire)

    desktop.start(backend, scenario)
    whole = f"{ABOVE}{TEXT}\n\n"
    assert read_project(desktop.sample).text == whole + backend.text_of(whole, seed_of(desktop.sample), GOAL)


async def paragraph_first(quire: Application, qtbot: Any) -> None:
    """Have the text end with a paragraph that nothing stands in, so that what is above can be changed."""
    go_to(quire, QTextCursor.MoveOperation.End)
    quire.window.editor.textCursor().insertText("\n\n")
    quire.app.current.autosave.store_soon()
    await stored(quire)


def test_what_is_typed_as_a_draft_begins_is_stored_without_a_word(
    desktop: Desktop, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = ScriptedBackend(gated=True, paragraphs=True)
    begin_run = ProjectSession.begin_run

    async def scenario(quire: Application) -> None:
        async def begun_slowly(session: ProjectSession, run: Any) -> Any:
            run = await begin_run(session, run)
            typed_above(quire, qtbot)
            quire.app.current.autosave.store_soon()
            for _ in range(50):
                await asyncio.sleep(0)
            return run

        await paragraph_first(quire, qtbot)
        monkeypatch.setattr(ProjectSession, "begin_run", begun_slowly)
        await begun(quire, qtbot, backend, 5)
        session = quire.app.current.session
        assert session is not None
        await turns_until(lambda: session.text.startswith(ABOVE))
        assert quire.window.notice_bar.notice is None
        assert session.text.startswith(ABOVE)
        await finished(quire, backend)
        await stored(quire)

    desktop.start(backend, let_go(backend, scenario))
    written = backend.text_of(f"{TEXT}\n\n", seed_of(desktop.sample), GOAL)
    assert read_project(desktop.sample).text == f"{ABOVE}{TEXT}\n\n{written}"


# ---------------------------------------------------------------- while the page is turned
async def until_page_turned(quire: Application, backend: ScriptedBackend, num_texts: int = 2) -> None:
    session = quire.app.current.session
    assert session is not None
    while len(session.tree.reading_order()) < num_texts:
        await steps(backend, 20)
        await turns_until(lambda: session.draft_target is not None and session.draft_target.num_stored > 0)


def test_a_writer_who_stays_on_the_page_can_change_it_and_sees_no_words_of_the_next(
    desktop: Desktop, qtbot: Any
) -> None:
    backend = ScriptedBackend(gated=True, chapters=True)
    goal = 600

    async def scenario(quire: Application) -> None:
        quire.app.drafts.pages.rules = TurnRules(at_headings=False)
        quire.window.resize(1_024, 640)  # little text fills it
        editor = quire.window.editor
        quire.app.controls.bar.goal_box.set_goal(goal)
        press(qtbot, quire, "continue")
        await steps(backend, 100)
        await turns_until(lambda: editor.verticalScrollBar().maximum() > 0)
        editor.verticalScrollBar().setValue(0)
        quire.app.drafts.pages.rules = TurnRules(after_chars=1_200)
        await until_page_turned(quire, backend)
        session = quire.app.current.session
        assert session is not None
        page = session.text
        assert editor.text() == page
        await steps(backend, 30)
        await asyncio.sleep(2 * generation_session.SHOW_EVERY_S)
        assert editor.text() == page
        typed_above(quire, qtbot)
        await turns_until(lambda: session.text.startswith(ABOVE))
        await finished(quire, backend)
        await stored(quire)

    desktop.start(backend, let_go(backend, scenario))
    written = backend.text_of(TEXT, seed_of(desktop.sample), goal)
    assert unnumbered(read_project(desktop.sample).text) == unnumbered(ABOVE + TEXT + written)


@pytest.mark.parametrize("follows", [True, False])
def test_a_page_is_turned_only_where_its_end_is_shown(
    desktop: Desktop, qtbot: Any, monkeypatch: pytest.MonkeyPatch, follows: bool
) -> None:
    backend = ScriptedBackend(gated=True, chapters=True)
    goal = 600
    monkeypatch.setattr(generation_session, "SHOW_EVERY_S", 0.5)

    async def scenario(quire: Application) -> None:
        quire.app.drafts.pages.rules = TurnRules(at_headings=False)
        quire.window.resize(1_024, 640)  # little text fills it
        quire.app.controls.bar.goal_box.set_goal(goal)
        press(qtbot, quire, "continue")
        session, editor = quire.app.current.session, quire.window.editor
        assert session is not None
        await steps(backend, 100)
        await turns_until(lambda: editor.verticalScrollBar().maximum() > 0)
        if not follows:
            editor.verticalScrollBar().setValue(0)
        quire.app.drafts.pages.rules = TurnRules(after_chars=1_200)
        while len(session.tree.reading_order()) < 3:
            await steps(backend, 1)
            await asyncio.sleep(0.001)
            growing = session.draft_target
            if growing is not None and quire.app.current.shown_id == growing.document.document_id:
                assert len(editor.text()) > 0
        await finished(quire, backend)
        await stored(quire)
        assert quire.app.drafts.drafting is not None

    desktop.start(backend, let_go(backend, scenario))
    written = backend.text_of(TEXT, seed_of(desktop.sample), goal)
    assert unnumbered(read_project(desktop.sample).text) == unnumbered(TEXT + written)


def test_a_change_of_the_newest_words_as_the_page_is_turned_is_stored(
    desktop: Desktop, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = ScriptedBackend(gated=True, chapters=True)
    goal = 600
    advance_chapter = ProjectSession.advance_chapter
    changed: list[str] = []

    async def scenario(quire: Application) -> None:
        async def changed_meanwhile(session: ProjectSession, *args: Any) -> Any:
            turned = await advance_chapter(session, *args)
            if turned is not None and not changed:
                changed.append("changed")
                quire.window.editor.append_drafted("")
                last = QTextCursor(quire.window.editor.document())
                last.movePosition(QTextCursor.MoveOperation.End)
                last.insertText("MINE")
            return turned

        monkeypatch.setattr(ProjectSession, "advance_chapter", changed_meanwhile)
        quire.app.drafts.pages.rules = TurnRules(after_chars=1_200)
        quire.window.resize(1_024, 640)  # little text fills it
        quire.app.controls.bar.goal_box.set_goal(goal)
        press(qtbot, quire, "continue")
        await until_page_turned(quire, backend)
        session = quire.app.current.session
        assert session is not None
        await turns_until(lambda: "MINE" in session.text)
        assert "MINE" in session.text
        await finished(quire, backend)

    desktop.start(backend, let_go(backend, scenario))
    text = read_project(desktop.sample).text
    assert text.count("MINE") == 1
    written = backend.text_of(TEXT, seed_of(desktop.sample), goal)
    assert unnumbered(text.replace("MINE", "")) == unnumbered(TEXT + written)


# ---------------------------------------------------------------- another text, and Continue at once
def test_a_draft_is_asked_for_while_another_text_is_on_its_way(
    desktop: Desktop, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "two.quire"
    desktop.run_async(two_chapters(path))
    backend = ScriptedBackend(gated=True)
    open_document = ProjectSession.open_document

    async def scenario(quire: Application) -> None:
        session, editor = quire.app.current.session, quire.window.editor
        assert session is not None
        first = session.tree.reading_order()[0].node_id
        free, asked = asyncio.Event(), asyncio.Event()

        async def opened_slowly(session: ProjectSession, document_id: int) -> None:
            asked.set()
            await free.wait()
            await open_document(session, document_id)

        await begun(quire, qtbot, backend, 10)
        monkeypatch.setattr(ProjectSession, "open_document", opened_slowly)
        quire.app.manuscript.panel.document_chosen.emit(first)
        await asked.wait()
        quire.app.drafts.pause()
        await finished(quire, backend)
        quire.app.drafts.start(RunRequest(GOAL, extend=True))
        free.set()
        await turns_until(lambda: quire.app.current.shown_id == first)
        await turns_until(lambda: not quire.window.status.is_busy and not editor.is_drafting)
        assert editor.text() == session.text

    desktop.start(backend, let_go(backend, scenario), path)


def test_every_change_above_a_draft_is_undone_and_made_again_exactly(qtbot: Any) -> None:
    editor = ManuscriptEditor()
    qtbot.addWidget(editor)
    editor.show_text("One \ufeff\U0001f600two.\n\nThree.\n\n")
    editor.begin_drafting()
    before = editor.text()
    states = [before]
    for start, end, new in ((4, 8, "X"), (0, 0, "-\U0001f600"), (3, 9, ""), (3, 4, "a\nb")):
        cursor = QTextCursor(editor.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(new)
        states.append(editor.text())
        editor.append_drafted(" words\n")
    told: list[bool] = []
    editor.redoAvailable.connect(told.append)
    grown = " words\n" * 4
    for known in reversed(states[:-1]):
        editor.undo()
        assert editor.text().removesuffix(grown) == known.replace(" words\n", "")
    assert told
    assert told[-1]
    for known in states[1:]:
        editor.redo()
        assert editor.text().removesuffix(grown) == known.replace(" words\n", "")
