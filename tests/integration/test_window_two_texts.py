"""A second text beside the manuscript: what it shows, and that nothing is lost or written twice by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from quire.application import Application
from quire.domain.manuscript.tree_requests import Rename, Trash
from quire.manuscript import beside_controller
from quire.manuscript.beside_controller import BesideController
from quire.services.drafting import run_recorder
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import Desktop, ended, press, seed_of, stored
from tests.integration.test_window_beside import let_go, steps
from tests.integration.test_window_target import BOOK, go_to, made, texts

CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def beside(quire: Application) -> BesideController:
    return quire.app.beside


def number(quire: Application, title: str) -> int:
    session = quire.app.current.session
    assert session is not None
    return next(node.node_id for node in session.tree.nodes if node.title == title)


async def shows(quire: Application, start: str) -> None:
    await turns_until(lambda: beside(quire).pane.page.text.startswith(start))


def test_it_shows_the_text_before_by_keys_and_any_other_by_name(desktop: Desktop, qtbot: Any) -> None:
    path = made(desktop)

    async def scenario(quire: Application) -> None:
        window, pane, actions = quire.window, beside(quire).pane, quire.window.commands
        await go_to(quire, "CHAPTER II")
        assert not pane.isVisible()
        qtbot.keyClick(window.editor, Qt.Key.Key_B, CTRL_SHIFT)
        await shows(quire, "CHAPTER I\n\nOne.")
        assert pane.isVisible()
        assert actions.beside.isChecked()
        assert pane.page.accessibleName() == "CHAPTER I (read-only)"
        names = [pane.text_box.itemText(row) for row in range(pane.text_box.count())]
        assert names == ["CHAPTER I", "CHAPTER II", "Blank", "Character: Anne"]
        qtbot.keyClick(pane.text_box, Qt.Key.Key_Down)
        pane.text_box.activated.emit(pane.text_box.currentIndex())
        await shows(quire, "CHAPTER II")
        assert not pane.edit_button.isEnabled()  # it is on the left, where it is edited
        actions.go_to_beside.trigger()
        assert pane.page.hasFocus()
        panel = quire.app.manuscript.panel
        panel.choose(number(quire, "CHAPTER I"))
        panel.view.setFocus()
        panel.commands.open_beside.trigger()
        await shows(quire, "CHAPTER I\n")
        panel.edit_asked.emit(Rename(number(quire, "CHAPTER I"), "The wreck"))
        await turns_until(lambda: pane.text_box.currentText() == "The wreck")
        qtbot.mouseClick(pane.close_button, Qt.MouseButton.LeftButton)
        assert not pane.isVisible()
        assert not actions.beside.isChecked()

    desktop.start(ScriptedBackend(), scenario, path)


def test_what_is_typed_on_the_left_is_seen_and_the_texts_change_places(desktop: Desktop, qtbot: Any) -> None:
    path = made(desktop)

    async def scenario(quire: Application) -> None:
        editor, pane = quire.window.editor, beside(quire).pane
        first, second = number(quire, "CHAPTER I"), number(quire, "CHAPTER II")
        await go_to(quire, "CHAPTER I")
        beside(quire).show_text(first)
        await shows(quire, "CHAPTER I")
        editor.moveCursor(QTextCursor.MoveOperation.End)
        qtbot.keyClicks(editor, "Mine.")
        await turns_until(lambda: pane.page.text.endswith("One.\n\nMine."))
        beside(quire).show_text(second)
        await shows(quire, "CHAPTER II")
        qtbot.keyClicks(editor, " And this.")
        qtbot.mouseClick(pane.edit_button, Qt.MouseButton.LeftButton)
        await turns_until(lambda: quire.app.current.shown_id == second and quire.window.status.is_at_rest)
        await turns_until(lambda: pane.page.text == "CHAPTER I\n\nOne.\n\nMine. And this.")
        editor.moveCursor(QTextCursor.MoveOperation.End)
        qtbot.keyClicks(editor, "Too.")
        await stored(quire)

    desktop.start(ScriptedBackend(), scenario, path)
    after = texts(desktop, path)
    assert after["CHAPTER I"] == "CHAPTER I\n\nOne.\n\nMine. And this."
    assert after["CHAPTER II"].startswith("CHAPTER II\n\nTwo.")
    assert after["CHAPTER II"].endswith("Too.")

    async def again(quire: Application) -> None:
        await shows(quire, "CHAPTER I\n\nOne.\n\nMine. And this.")  # it is remembered
        quire.app.manuscript.panel.edit_asked.emit(Trash(number(quire, "CHAPTER I")))
        await turns_until(lambda: not beside(quire).pane.isVisible())

    desktop.start(ScriptedBackend(), again, path)


def test_a_draft_grows_in_it_while_another_text_is_written(
    desktop: Desktop, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_recorder, "STORE_EVERY_S", 0.005)
    monkeypatch.setattr(beside_controller, "_FOLLOW_MS", 1)
    backend, goal = ScriptedBackend(gated=True), 40
    path: Path = desktop.folder / "night.quire"
    made(desktop)

    async def scenario(quire: Application) -> None:
        editor, pane = quire.window.editor, beside(quire).pane
        first, second = number(quire, "CHAPTER I"), number(quire, "CHAPTER II")
        quire.app.manuscript.panel.edit_asked.emit(Trash(number(quire, "Blank")))
        await turns_until(lambda: quire.window.status.is_at_rest)
        await go_to(quire, "CHAPTER II")
        quire.app.controls.bar.goal_box.set_goal(goal)
        press(qtbot, quire, "continue")
        await steps(backend, 10)
        await turns_until(lambda: editor.is_drafting)
        beside(quire).show_text(second)
        quire.window.document_asked.emit(first)
        await turns_until(lambda: quire.app.current.shown_id == first and not editor.isReadOnly())
        before = len(pane.page.text)
        await steps(backend, 10)
        await turns_until(lambda: len(pane.page.text) > before)
        editor.moveCursor(QTextCursor.MoveOperation.End)
        qtbot.keyClicks(editor, "Mine.")
        backend.gate.release(10_000)
        await ended(quire)
        await stored(quire)
        session = quire.app.current.session
        assert session is not None
        await turns_until(lambda: "Mine." in session.text)

    desktop.start(backend, let_go(backend, scenario), path)
    after = texts(desktop, path)
    written = backend.text_of(BOOK, seed_of(path), goal)
    assert after["CHAPTER II"] == f"CHAPTER II\n\nTwo.\n\n{written}"
    assert after["CHAPTER I"] == "CHAPTER I\n\nOne.\n\nMine."


def test_a_narrow_page_is_for_the_manuscript_alone(desktop: Desktop) -> None:
    path = made(desktop)

    async def scenario(quire: Application) -> None:
        window, pane, dock = quire.window, beside(quire).pane, quire.app.steering.dock
        session = quire.app.current.session
        assert session is not None
        await quire.app.steering.follow(session)  # else its panel may be shown or hidden behind this
        dock.set_wanted(wanted=False)
        window.resize(960, 540)
        beside(quire).show_text(number(quire, "CHAPTER I"))
        await turns_until(pane.isVisible)
        dock.set_wanted(wanted=True)
        await turns_until(lambda: not pane.isVisible())
        assert quire.window.commands.beside.isChecked()
        beside(quire).show_text(number(quire, "CHAPTER II"))
        notice = window.notice_bar.notice
        assert notice is not None
        assert "too narrow" in notice.text
        dock.set_wanted(wanted=False)
        await turns_until(pane.isVisible)

    desktop.start(ScriptedBackend(), scenario, path)


def test_a_take_is_read_beside_the_one_in_the_text(desktop: Desktop, qtbot: Any) -> None:
    path = made(desktop)

    async def scenario(quire: Application) -> None:
        editor, status, panel = quire.window.editor, quire.window.status, quire.app.takes.panel
        quire.app.manuscript.panel.edit_asked.emit(Trash(number(quire, "Blank")))
        await turns_until(lambda: status.is_at_rest)
        await go_to(quire, "CHAPTER II")
        quire.app.controls.bar.goal_box.set_goal(5)
        press(qtbot, quire, "continue")
        await ended(quire)
        first = editor.text()
        retry = quire.window.commands.retry
        await turns_until(lambda: quire.app.result.bar.isVisible() and retry.isEnabled())
        retry.trigger()
        await turns_until(
            lambda: editor.text() not in (first, "CHAPTER II\n\nTwo.\n\n") and status.is_at_rest
        )
        rows = panel.list
        await turns_until(lambda: sum(panel._line_at(row) is not None for row in range(rows.count())) == 2)
        lines = [(row, panel._line_at(row)) for row in range(rows.count())]
        rows.setCurrentRow(next(row for row, line in lines if line is not None and not line.stands))
        panel.commands.open_beside.trigger()
        pane = beside(quire).pane
        await turns_until(lambda: pane.page.text == first)
        assert pane.isVisible()
        assert pane.text_box.placeholderText() == "Take 1 \u2013 CHAPTER II"
        assert not pane.edit_button.isEnabled()
        assert pane.page.textCursor().position() == len("CHAPTER II\n\nTwo.\n\n")
        beside(quire).show_text(number(quire, "CHAPTER I"))
        await shows(quire, "CHAPTER I\n")

    desktop.start(ScriptedBackend(), scenario, path)
