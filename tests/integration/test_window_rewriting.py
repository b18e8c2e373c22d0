"""Rewriting in a real window: beside the words, kept in one step, never over what the writer changed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from quire.application import Application
from quire.domain.drafting.rewriting import Rewrite
from quire.domain.manuscript.provenance import Origin
from quire.editor.search_matches import select_place
from quire.rewriting.rewrite_bar import RewriteBar
from quire.services.transactions.closed_projects import read_project
from quire_engine.api.queries import EngineQuery, WriteText
from quire_engine.runtime.engine_thread import ReplyEvent
from quire_engine.runtime.written_text import write_text
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import TEXT, Desktop, ended, press

LEFT = Qt.MouseButton.LeftButton
WORDS = "and nobody sang."
PLACE = TEXT.index(WORDS)


class Rewriting(ScriptedBackend):
    """Answers requests with the words of a run."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.queries: list[WriteText] = []

    def answer(self, query: EngineQuery) -> Iterator[ReplyEvent]:
        assert isinstance(query, WriteText)
        self.queries.append(query)
        return write_text(self.run, query, can_ask=False)


async def bar_at(quire: Application, qtbot: Any, start: int, end: int) -> RewriteBar:
    """Select words, press the keys, and return the bar."""
    select_place(quire.window.editor, start, end)
    quire.window.editor.setFocus()
    await turns_until(quire.window.commands.rewrite.isEnabled)
    quire.window.commands.rewrite.trigger()
    bar = quire.app.rewriting.bars[-1]
    await turns_until(bar.isVisible)
    return bar


def test_an_answer_replaces_the_passage_in_one_step_of_the_timeline(desktop: Desktop, qtbot: Any) -> None:
    backend = Rewriting()

    async def scenario(quire: Application) -> None:
        editor = quire.window.editor
        bar = await bar_at(quire, qtbot, PLACE, len(TEXT))
        qtbot.keyClick(bar.wish, Qt.Key.Key_Return)  # two strokes: the keys of the command, Enter
        await turns_until(bar.keep_button.isVisible)
        assert editor.text() == TEXT  # never over the old words
        first = bar.answer.toPlainText()
        qtbot.mouseClick(bar.retry_button, LEFT)
        await turns_until(lambda: bar.count.isVisible())
        second = bar.answer.toPlainText()
        assert first != second
        assert bar.count.text() == "2 of 2"
        qtbot.mouseClick(bar.previous_button, LEFT)
        assert bar.answer.toPlainText() == first
        qtbot.mouseClick(bar.keep_button, LEFT)
        await turns_until(lambda: editor.text() == TEXT[:PLACE] + first)
        await turns_until(
            lambda: Origin.REWRITTEN in {s.origin for s in _session(quire).document.provenance.spans}
        )
        assert not quire.app.rewriting.bars
        editor.undo()
        assert editor.text() == TEXT
        await quire.app.current.autosave.store()
        assert {span.origin for span in _session(quire).document.provenance.spans} == {Origin.WRITTEN}
        editor.redo()
        assert editor.text() == TEXT[:PLACE] + first

    assert desktop.start(backend, scenario) == 0
    seeds = {query.sampling.seed for query in backend.queries}
    assert len(seeds) == len(backend.queries) == 2
    assert read_project(desktop.sample).text.startswith(TEXT[:PLACE])


def test_answers_are_there_again_after_a_restart(desktop: Desktop, qtbot: Any) -> None:
    said: list[str] = []

    async def ask(quire: Application) -> None:
        bar = await bar_at(quire, qtbot, PLACE, len(TEXT))
        qtbot.mouseClick(bar.order_buttons[Rewrite.SHORTEN], LEFT)
        await turns_until(bar.keep_button.isVisible)
        said.append(bar.answer.toPlainText())

    async def look(quire: Application) -> None:
        bar = await bar_at(quire, qtbot, PLACE, len(TEXT))
        await turns_until(bar.keep_button.isVisible)
        assert bar.answer.toPlainText() == said[0]
        qtbot.keyClick(bar, Qt.Key.Key_Escape)
        assert not quire.app.rewriting.bars

    backend = Rewriting()
    assert desktop.start(backend, ask) == 0
    assert desktop.start(backend, look, desktop.sample) == 0
    assert len(backend.queries) == 1


def test_words_that_the_writer_changed_meanwhile_are_never_replaced(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        editor = quire.window.editor
        bar = await bar_at(quire, qtbot, PLACE, len(TEXT))
        qtbot.keyClick(bar.wish, Qt.Key.Key_Return)
        await turns_until(bar.keep_button.isVisible)
        editor.replace_part(0, 0, "Then: ")  # before the passage: it has only moved
        assert bar.keep_button.isEnabled()
        editor.replace_part(len(editor.text()), len(editor.text()), " Later.")  # right behind it
        assert bar.keep_button.isEnabled()
        editor.replace_part(PLACE + 10, PLACE + 12, "XY")  # within it
        assert not bar.keep_button.isEnabled()
        assert "You changed these words" in bar.hint.text()
        changed = editor.text()
        bar.keep_asked.emit(bar.answer.toPlainText())
        await asyncio.sleep(0)
        assert editor.text() == changed

    assert desktop.start(Rewriting(), scenario) == 0


def test_a_passage_that_is_gone_takes_its_bar_along(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        await bar_at(quire, qtbot, PLACE, len(TEXT))
        quire.window.editor.replace_part(PLACE - 1, len(TEXT), "")
        assert not quire.app.rewriting.bars

    assert desktop.start(Rewriting(), scenario) == 0


def test_an_answer_never_takes_the_focus_from_a_writer_who_went_on(desktop: Desktop, qtbot: Any) -> None:
    backend = Rewriting(gated=True)

    async def scenario(quire: Application) -> None:
        editor = quire.window.editor
        bar = await bar_at(quire, qtbot, PLACE, len(TEXT))
        qtbot.keyClick(bar.wish, Qt.Key.Key_Return)
        await turns_until(lambda: len(backend.queries) == 1)
        editor.setFocus()
        editor.moveCursor(QTextCursor.MoveOperation.Start)
        backend.gate.release(10_000)
        await turns_until(bar.keep_button.isVisible)
        assert editor.hasFocus()
        qtbot.keyClick(editor, Qt.Key.Key_Space)
        assert editor.text() == f" {TEXT}"

    assert desktop.start(backend, scenario) == 0


def test_what_is_typed_while_a_question_is_asked_moves_no_passage(desktop: Desktop, qtbot: Any) -> None:
    backend = Rewriting()

    async def scenario(quire: Application) -> None:
        editor = quire.window.editor
        editor.replace_part(0, 0, "🙂 ")  # two units of UTF-16
        bar = await bar_at(quire, qtbot, PLACE + 2, len(TEXT) + 2)
        qtbot.mouseClick(bar.order_buttons[Rewrite.SHORTEN], LEFT)
        editor.replace_part(0, 0, "Then it was ")
        await turns_until(bar.keep_button.isVisible)
        assert WORDS in backend.queries[0].request
        answer = bar.answer.toPlainText()
        qtbot.mouseClick(bar.keep_button, LEFT)
        await turns_until(lambda: editor.text() == f"Then it was 🙂 {TEXT[:PLACE]}{answer}")

    assert desktop.start(backend, scenario) == 0


def test_a_paragraph_break_in_a_passage_is_kept_apart_from_what_follows(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        editor = quire.window.editor
        editor.replace_part(len(TEXT), len(TEXT), "\n\nShe left.\n\nHe stayed.")
        whole = editor.text()
        start, end = PLACE, whole.index("\n\nHe stayed.") + 2
        bar = await bar_at(quire, qtbot, start, end)
        qtbot.keyClick(bar.wish, Qt.Key.Key_Return)
        await turns_until(bar.keep_button.isVisible)
        answer = bar.answer.toPlainText()
        qtbot.mouseClick(bar.keep_button, LEFT)
        await turns_until(lambda: editor.text() == f"{TEXT[:PLACE]}{answer}\n\nHe stayed.")
        editor.undo()
        assert editor.text() == whole

    assert desktop.start(Rewriting(), scenario) == 0


def test_several_passages_wait_for_one_another_and_esc_stops_one(desktop: Desktop, qtbot: Any) -> None:
    backend = Rewriting(gated=True)

    async def scenario(quire: Application) -> None:
        one = await bar_at(quire, qtbot, PLACE, len(TEXT))
        qtbot.mouseClick(one.order_buttons[Rewrite.EXPAND], LEFT)
        await turns_until(lambda: len(backend.queries) == 1)
        two = await bar_at(quire, qtbot, 0, PLACE - 1)
        qtbot.mouseClick(two.order_buttons[Rewrite.REPHRASE], LEFT)
        assert "Waiting" in two.hint.text()
        qtbot.keyClick(one, Qt.Key.Key_Escape)
        await turns_until(lambda: not one.stop_button.isVisible())
        backend.gate.release(10_000)
        await turns_until(two.keep_button.isVisible)
        assert not one.keep_button.isVisible()
        assert quire.window.editor.text() == TEXT

    assert desktop.start(backend, scenario) == 0


def test_a_draft_comes_first_and_says_so(desktop: Desktop, qtbot: Any) -> None:
    backend = Rewriting(gated=True)

    async def scenario(quire: Application) -> None:
        quire.app.controls.bar.goal_box.set_goal(5)
        bar = await bar_at(quire, qtbot, PLACE, len(TEXT))
        qtbot.keyClick(bar.wish, Qt.Key.Key_Return)
        await turns_until(lambda: len(backend.queries) == 1)
        press(qtbot, quire, "continue")
        client = quire.app.drafts._client
        await turns_until(lambda: client is not None and client.num_loads_due > 0)
        backend.gate.release(10_000)
        await ended(quire)
        await turns_until(lambda: not bar.stop_button.isVisible())
        assert "a draft started" in bar.hint.text()
        assert not bar.keep_button.isVisible()
        assert len(quire.window.editor.text()) > len(TEXT)

    assert desktop.start(backend, scenario) == 0


def test_a_fault_ends_the_wait(desktop: Desktop, qtbot: Any) -> None:
    class Broken(Rewriting):
        def answer(self, query: EngineQuery) -> Iterator[ReplyEvent]:
            raise RuntimeError("broken")

    async def scenario(quire: Application) -> None:
        bar = await bar_at(quire, qtbot, PLACE, len(TEXT))
        qtbot.keyClick(bar.wish, Qt.Key.Key_Return)
        await turns_until(lambda: not bar.stop_button.isVisible())
        assert "bug in Quire" in bar.hint.text()

    assert desktop.start(Broken(), scenario) == 0


def _session(quire: Application) -> Any:
    return quire.app.current.require_session()
