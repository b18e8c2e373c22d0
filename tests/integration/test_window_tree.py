"""The tree of the book in a real window: split, merge, new, rename, trash, and notes beside a draft."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QLineEdit

from quire.application import Application
from quire.domain.drafting.draft_status import DraftState
from quire.domain.manuscript.tree import NodeKind, Status, Tree
from quire.domain.manuscript.word_counts import Words
from quire.manuscript.tree_model import TreeRole
from quire.services.drafting import generation_session
from quire.services.transactions.closed_projects import read_project
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import Desktop, ended, press, state, stored
from tests.integration.test_window_files import NOVEL, import_novel

FIRST = NOVEL.partition("CHAPTER II")[0]
PLACE = FIRST.index("It rained. ") + len("It rained. ")


def run(desktop: Desktop, then: Callable[[Application], Any], backend: ScriptedBackend | None = None) -> Tree:
    """Import the novel, do something with it, close; return the tree as it is stored then."""
    (desktop.folder / "novel.txt").write_text(NOVEL, encoding="utf-8")
    project = desktop.projects / "novel.quire"

    async def scenario(quire: Application) -> None:
        await import_novel(quire, desktop)
        await then(quire)

    assert desktop.start(backend or ScriptedBackend(), scenario) == 0
    return read_project(Path(project)).tree


def titles(tree: Tree) -> list[str]:
    return [node.title for node in tree.reading_order()]


def test_a_text_is_split_at_the_caret_and_merged_again(desktop: Desktop, qtbot: Any) -> None:
    async def then(quire: Application) -> None:
        window, panel = quire.window, quire.app.manuscript.panel
        caret = window.editor.textCursor()
        caret.setPosition(PLACE)
        window.editor.setTextCursor(caret)
        qtbot.keyClick(window.editor, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
        await turns_until(lambda: window.editor.text() == FIRST[PLACE:])
        await turns_until(lambda: not window.editor.isReadOnly())
        assert panel.model.tree is not None
        assert titles(panel.model.tree) == ["CHAPTER I", "CHAPTER I (2)", "CHAPTER II"]
        panel.commands.merge.trigger()
        await turns_until(lambda: window.editor.text().startswith("CHAPTER I\n"))

    tree = run(desktop, then)
    assert titles(tree) == ["CHAPTER I", "CHAPTER II"]
    assert len(tree.nodes) == 4, "the second half lies in the trash"


def test_after_a_click_in_the_tree_the_keys_are_for_its_rows(desktop: Desktop, qtbot: Any) -> None:
    async def then(quire: Application) -> None:
        window, panel = quire.window, quire.app.manuscript.panel
        assert panel.model.tree is not None
        second = panel.model.tree.reading_order()[1]
        row = panel.view.visualRect(panel.model.index_of(second.node_id))
        qtbot.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=row.center())
        await turns_until(
            lambda: quire.app.current.shown_id == second.node_id and not window.status.switching
        )
        assert window.focusWidget() is panel.view
        text = window.editor.text()
        qtbot.keyClick(panel.view, Qt.Key.Key_Return)
        assert window.focusWidget() is window.editor
        panel.view.setFocus()
        qtbot.keyClick(panel.view, Qt.Key.Key_Delete)
        await turns_until(lambda: quire.app.current.shown_id != second.node_id)
        assert panel.model.tree is not None
        assert quire.app.current.session is not None
        assert second not in quire.app.current.session.tree.reading_order()
        assert (await quire.app.current.session.story()) + text == NOVEL

    run(desktop, then)


def test_a_new_chapter_gets_its_title_its_words_and_the_trash(desktop: Desktop, qtbot: Any) -> None:
    async def then(quire: Application) -> None:
        window, panel = quire.window, quire.app.manuscript.panel
        panel.commands.new_texts[NodeKind.CHAPTER].trigger()
        await turns_until(lambda: panel.view.findChild(QLineEdit) is not None)
        line = panel.view.findChild(QLineEdit)
        assert line is not None
        qtbot.keyClicks(line, "The Quay")
        qtbot.keyClick(line, Qt.Key.Key_Return)
        await turns_until(lambda: panel.view.currentIndex().data() == "The Quay")
        assert "The Quay" in (quire.window.status.title or "")
        await turns_until(lambda: not window.editor.isReadOnly())
        qtbot.keyClicks(window.editor, "Two words")
        await stored(quire)
        await turns_until(lambda: panel.view.currentIndex().data(TreeRole.WORDS) == Words(4))
        panel.view.setFocus()
        qtbot.keyClick(panel.view, Qt.Key.Key_Delete)
        await turns_until(lambda: window.editor.text().startswith("CHAPTER I\n"))

    tree = run(desktop, then)
    assert titles(tree) == ["CHAPTER I", "CHAPTER II"]
    assert [node.title for node in tree.nodes if node.trashed is not None] == ["The Quay"]


def test_moves_are_undone_one_by_one_from_the_cards_too(desktop: Desktop, qtbot: Any) -> None:
    async def then(quire: Application) -> None:
        panel, cards = quire.app.manuscript.panel, quire.app.outline.cards
        undo, session = quire.window.commands.undo, quire.app.current.session
        assert session is not None
        first, second = session.tree.reading_order()
        in_order, turned = ["CHAPTER I", "CHAPTER II"], ["CHAPTER II", "CHAPTER I"]

        async def until_order(order: list[str]) -> None:
            await turns_until(lambda: titles(session.tree) == order and quire.window.status.is_at_rest)

        quire.window.commands.cards.trigger()
        assert cards.isVisible()
        cards.go_to(first.node_id)
        qtbot.keyClick(cards.view, Qt.Key.Key_Right, Qt.KeyboardModifier.ControlModifier)
        await until_order(turned)
        await turns_until(lambda: cards.view.currentIndex() == cards.table.card(first.node_id))
        qtbot.keyClick(
            cards.view, Qt.Key.Key_Up, Qt.KeyboardModifier.ControlModifier
        )  # the action of the tree
        await until_order(in_order)
        assert undo.text() == panel.model.texts.undo_move()
        undo.trigger()
        await until_order(turned)
        undo.trigger()
        await until_order(in_order)
        assert undo.text() != panel.model.texts.undo_move()
        assert cards.isVisible()
        cards.go_to(second.node_id)
        target = panel.target().node
        assert target is not None
        assert target.node_id == second.node_id
        cards.open_chosen()
        await turns_until(lambda: quire.app.current.shown_id == second.node_id)
        assert not cards.isVisible()

    assert titles(run(desktop, then)) == ["CHAPTER I", "CHAPTER II"]


def test_the_words_of_a_text_are_counted_while_a_draft_grows_in_it(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend(gated=True)

    async def then(quire: Application) -> None:
        panel = quire.app.manuscript.panel
        quire.app.controls.bar.goal_box.set_goal(2_000)
        press(qtbot, quire, "continue")
        while panel.view.currentIndex().data(TreeRole.WORDS).drafted == 0:
            await asyncio.to_thread(backend.asked.acquire)
            backend.gate.release()
            assert quire.window.status.is_busy  # counted at its end it would be anyway
        press(qtbot, quire, "pause")
        backend.gate.release(1000)
        await ended(quire)

    run(desktop, then, backend)


def test_the_tree_and_the_bottom_line_show_the_same_words_at_every_moment(
    desktop: Desktop, qtbot: Any
) -> None:
    backend = ScriptedBackend(gated=True)

    async def then(quire: Application) -> None:
        panel, status, editor = quire.app.manuscript.panel, quire.window.status, quire.window.editor
        moments: set[tuple[int, int]] = set()

        def look() -> None:
            moments.add((status.num_words, panel.view.currentIndex().data(TreeRole.WORDS).total))

        await turns_until(lambda: panel.view.currentIndex().data(TreeRole.WORDS).total > 0)
        before = status.num_words
        status.counted.connect(look)  # after the tree, as whatever is painted
        quire.app.controls.bar.goal_box.set_goal(2_000)
        press(qtbot, quire, "continue")
        while status.num_words < before + 5:
            await asyncio.to_thread(backend.asked.acquire)
            backend.gate.release()
        press(qtbot, quire, "pause")
        backend.gate.release(1000)
        await ended(quire)
        editor.moveCursor(QTextCursor.MoveOperation.End)
        qtbot.keyClicks(editor, " and two words more ")
        await stored(quire)
        assert all(line == tree for line, tree in moments)
        assert max(line for line, _ in moments) == status.num_words > before + 4

    run(desktop, then, backend)


def test_strip_tree_bottom_line_and_today_count_the_same_words_through_a_pause(
    desktop: Desktop, qtbot: Any
) -> None:
    backend = ScriptedBackend(gated=True)

    async def then(quire: Application) -> None:
        panel, status, progress = quire.app.manuscript.panel, quire.window.status, quire.window.progress
        loop, moments = asyncio.get_running_loop(), set[tuple[int, int, int, int]]()
        await turns_until(lambda: panel.view.currentIndex().data(TreeRole.WORDS).total > 0)
        before = status.num_words

        def look() -> None:
            words = panel.view.currentIndex().data(TreeRole.WORDS)
            moments.add(
                (status.num_words - before, words.drafted, progress.num_words, status.today.words_drafted)
            )

        for signal in (status.counted, progress.changed):
            signal.connect(lambda: loop.call_soon(look))  # when all have heard of it, as what is painted
        quire.app.controls.bar.goal_box.set_goal(2_000)
        for words in (5, 12):
            press(qtbot, quire, "continue")
            while status.num_words < before + words:
                await asyncio.to_thread(backend.asked.acquire)
                backend.gate.release()
            press(qtbot, quire, "pause")
            backend.gate.release(1)
            await ended(quire)
        assert len(moments) > 2
        assert all(len(set(moment)) == 1 for moment in moments), sorted(moments)

    run(desktop, then, backend)


def test_counters_change_a_few_times_a_second_and_never_with_each_word(
    desktop: Desktop, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generation_session, "REPORT_EVERY_S", 3_600)
    reports, rows, states = list[int](), list[object](), list[object]()

    async def then(quire: Application) -> None:
        panel, status = quire.app.manuscript.panel, quire.window.status
        await turns_until(lambda: panel.view.currentIndex().data(TreeRole.WORDS).total > 0)
        quire.window.progress.changed.connect(lambda: reports.append(quire.window.progress.num_words))
        panel.model.dataChanged.connect(lambda *_: rows.append(None))
        quire.app.controls.bar.goal_box.set_goal(60)
        press(qtbot, quire, "continue")
        await state(quire, DraftState.DRAFTING)
        reports.clear()
        rows.clear()
        status.changed.connect(lambda: states.append(status.status.state))
        await ended(quire)

    run(desktop, then, ScriptedBackend())
    assert reports[-1] >= 60
    assert len(reports) <= 3  # after the first word, at the end, and settled
    assert len(rows) <= 8  # the text and the book each time
    assert len(states) <= 6


def test_a_status_and_a_synopsis_are_stored_beside_a_draft(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend(gated=True)

    async def then(quire: Application) -> None:
        window, panel = quire.window, quire.app.manuscript.panel
        caret = window.editor.textCursor()
        caret.movePosition(QTextCursor.MoveOperation.End)
        quire.app.controls.bar.goal_box.set_goal(20)
        quire.app.controls.bar.here_action.trigger()
        press(qtbot, quire, "continue")
        await turns_until(lambda: quire.window.status.is_busy)
        panel.commands.statuses[Status.REVISED].trigger()
        qtbot.keyClicks(panel.details.synopsis, "Rain.")
        panel.flush()
        index = panel.view.currentIndex()
        await turns_until(lambda: index.data(TreeRole.NODE).synopsis == "Rain.")
        assert index.data(TreeRole.NODE).status is Status.REVISED
        assert quire.window.status.is_busy
        backend.gate.release(1000)
        await ended(quire)
        assert len(window.editor.text()) > len(FIRST)

    tree = run(desktop, then, backend)
    first = tree.reading_order()[0]
    assert (first.status, first.synopsis) == (Status.REVISED, "Rain.")


def test_what_is_typed_last_is_stored_on_the_way_out(desktop: Desktop, qtbot: Any) -> None:
    async def then(quire: Application) -> None:
        qtbot.keyClicks(quire.app.manuscript.panel.details.synopsis, "Rain.")

    assert run(desktop, then).reading_order()[0].synopsis == "Rain."
