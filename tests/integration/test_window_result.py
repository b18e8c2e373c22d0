"""The bar at the end of a draft, and Ctrl+Z: a draft is one step, and nothing typed is lost on the way."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from quire.application import Application
from quire.domain.manuscript.tree_requests import Trash
from quire.services.transactions.closed_projects import read_project
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import LEFT, TEXT, Desktop, ended, press, stored

CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


async def drafted(quire: Application, qtbot: Any) -> str:
    """Draft a few words; return the text once the bar shows what can be done with them."""
    quire.app.controls.bar.goal_box.set_goal(8)
    press(qtbot, quire, "continue")
    await turns_until(lambda: quire.window.status.is_busy)
    await ended(quire)
    await turns_until(quire.app.result.bar.isVisible)
    return quire.window.editor.text()


async def shows(quire: Application, text: str) -> None:
    await turns_until(lambda: quire.window.editor.text() == text and quire.window.status.is_at_rest)


def test_what_was_typed_after_a_draft_is_undone_first_then_the_draft(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        window, bar = quire.window, quire.app.result.bar
        with_draft = await drafted(quire, qtbot)
        assert bar.y() >= window.editor.cursorRect().bottom()
        window.editor.moveCursor(QTextCursor.MoveOperation.Start)
        qtbot.keyClicks(window.editor, "Mine. ")
        await stored(quire)
        assert window.commands.undo.text() == "&Undo"
        while window.editor.can_undo:
            qtbot.keyClick(window.editor, Qt.Key.Key_Z, CONTROL)
        assert window.editor.text() == with_draft
        await stored(quire)
        await turns_until(lambda: window.commands.undo.text() == "&Undo Draft")
        qtbot.keyClick(window.editor, Qt.Key.Key_Z, CONTROL)
        await shows(quire, TEXT)
        await turns_until(bar.redo_button.isVisible)
        assert not bar.undo_button.isVisible()
        qtbot.keyClick(window.editor, Qt.Key.Key_Z, CONTROL | SHIFT)
        await shows(quire, with_draft)
        await turns_until(bar.undo_button.isVisible)

    desktop.start(ScriptedBackend(), scenario)


def test_undo_goes_back_through_what_was_typed_before_the_draft(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        editor, commands = quire.window.editor, quire.window.commands
        editor.moveCursor(QTextCursor.MoveOperation.End)
        qtbot.keyClicks(editor, " Then snow.")
        await stored(quire)
        mine = editor.text()
        with_draft = await drafted(quire, qtbot)
        assert with_draft.startswith(mine)
        await turns_until(lambda: commands.undo.text() == "&Undo Draft" and commands.undo.isEnabled())
        qtbot.keyClick(editor, Qt.Key.Key_Z, CONTROL)
        await shows(quire, mine)
        for text in (f"{TEXT} Then", TEXT):
            assert commands.undo.text() == "&Undo"
            qtbot.keyClick(editor, Qt.Key.Key_Z, CONTROL)
            await shows(quire, text)
        for text in (f"{TEXT} Then", mine):
            await stored(quire)
            await turns_until(commands.redo.isEnabled)
            qtbot.keyClick(editor, Qt.Key.Key_Z, CONTROL | SHIFT)
            await shows(quire, text)
        await turns_until(lambda: commands.redo.text() == "&Redo Draft" and commands.redo.isEnabled())
        qtbot.keyClick(editor, Qt.Key.Key_Z, CONTROL | SHIFT)
        await shows(quire, with_draft)

    desktop.start(ScriptedBackend(), scenario)


async def changed_from(quire: Application, text: str) -> None:
    await turns_until(lambda: quire.window.editor.text() != text)


async def undone_and_redone(quire: Application, qtbot: Any) -> None:
    """Type a sentence after a draft, undo everything, redo everything: it is all there again."""
    editor, commands = quire.window.editor, quire.window.commands
    editor.moveCursor(QTextCursor.MoveOperation.End)
    qtbot.keyClicks(editor, " alpha beta gamma delta.")
    await stored(quire)
    written = editor.text()
    for action, key in ((commands.undo, CONTROL), (commands.redo, CONTROL | SHIFT)):
        while True:
            before = editor.text()
            await turns_until(lambda: quire.window.status.is_at_rest)
            await stored(quire)
            if not action.isEnabled():
                break
            qtbot.keyClick(editor, Qt.Key.Key_Z, key)
            await changed_from(quire, before)
        assert editor.text() == (TEXT if action is commands.undo else written)


def test_words_typed_after_a_draft_come_back_with_it(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        await drafted(quire, qtbot)
        await undone_and_redone(quire, qtbot)

    desktop.start(ScriptedBackend(), scenario)
    assert read_project(desktop.sample).text.endswith(" alpha beta gamma delta.")


def test_words_typed_after_a_draft_of_an_earlier_start_come_back_with_it(
    desktop: Desktop, qtbot: Any
) -> None:
    async def draft(quire: Application) -> None:
        await drafted(quire, qtbot)

    async def scenario(quire: Application) -> None:
        await undone_and_redone(quire, qtbot)

    desktop.start(ScriptedBackend(), draft)
    desktop.start(ScriptedBackend(), scenario, desktop.sample)
    assert read_project(desktop.sample).text.endswith(" alpha beta gamma delta.")


def test_drafted_words_keep_their_tint_after_a_restart(desktop: Desktop, qtbot: Any) -> None:
    texts: list[str] = []

    async def draft(quire: Application) -> None:
        texts.append(await drafted(quire, qtbot))
        qtbot.keyClicks(quire.window.editor, " And mine.")
        await stored(quire)

    async def later(quire: Application) -> None:
        await turns_until(lambda: quire.window.editor.drafted_ranges == ((len(TEXT), len(texts[0])),))
        assert not quire.app.result.bar.isVisible()

    desktop.start(ScriptedBackend(), draft)
    desktop.start(ScriptedBackend(), later, desktop.sample)


def test_keeping_a_draft_ends_its_tint_for_good_and_not_that_of_what_it_writes_then(
    desktop: Desktop, qtbot: Any
) -> None:
    texts: list[str] = []

    async def keep(quire: Application) -> None:
        editor, bar = quire.window.editor, quire.app.result.bar
        texts.append(await drafted(quire, qtbot))
        assert editor.drafted_ranges == ((len(TEXT), len(texts[0])),)
        qtbot.mouseClick(bar.keep_button, LEFT)
        await turns_until(lambda: editor.drafted_ranges == ())
        assert not bar.isVisible()

    async def go_on(quire: Application) -> None:
        editor = quire.window.editor
        await turns_until(lambda: quire.window.status.is_at_rest)
        assert editor.drafted_ranges == ()
        texts.append(await drafted(quire, qtbot))
        assert texts[1].startswith(texts[0])
        await turns_until(lambda: editor.drafted_ranges == ((len(texts[0]), len(texts[1])),))

    desktop.start(ScriptedBackend(), keep)
    desktop.start(ScriptedBackend(), go_on, desktop.sample)
    assert len(read_project(desktop.sample).runs) == 1


def test_the_bar_offers_takes_undo_and_keep_where_the_writer_looks(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        bar, editor = quire.app.result.bar, quire.window.editor
        first = await drafted(quire, qtbot)
        assert not bar.next_button.isVisible()
        qtbot.mouseClick(bar.retry_button, LEFT)
        await turns_until(lambda: bar.isVisible() and bar.take_label.text() == "Take 2 of 2")
        second = editor.text()
        assert second != first
        qtbot.mouseClick(bar.previous_button, LEFT)
        await shows(quire, first)
        await turns_until(lambda: bar.take_label.text() == "Take 1 of 2")
        await turns_until(lambda: editor.drafted_ranges == ((len(TEXT), len(first)),))  # still tinted
        qtbot.mouseClick(bar.undo_button, LEFT)
        await shows(quire, TEXT)
        await turns_until(bar.redo_button.isVisible)
        qtbot.mouseClick(bar.redo_button, LEFT)
        await shows(quire, first)
        await turns_until(bar.keep_button.isVisible)
        qtbot.mouseClick(bar.keep_button, LEFT)
        assert not bar.isVisible()
        assert editor.text() == first
        await drafted(quire, qtbot)  # the next draft has a bar of its own

    desktop.start(ScriptedBackend(), scenario)
    assert read_project(desktop.sample).text.startswith(TEXT)


def test_no_undo_goes_beyond_what_the_writer_typed_at_the_end(desktop: Desktop, qtbot: Any) -> None:
    """Where the writer has gone on after a draft, there is no bar, and Ctrl+Z takes nothing but typing."""

    async def scenario(quire: Application) -> None:
        window = quire.window
        await drafted(quire, qtbot)
        window.editor.moveCursor(QTextCursor.MoveOperation.End)
        qtbot.keyClicks(window.editor, " And mine.")
        await stored(quire)
        await turns_until(lambda: not quire.app.result.bar.isVisible())
        assert not quire.app.takes.actions.take_back.isEnabled()

    desktop.start(ScriptedBackend(), scenario)
    assert read_project(desktop.sample).text.endswith(" And mine.")


def test_a_chapter_in_the_trash_comes_back_with_undo(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        window, panel = quire.window, quire.app.manuscript.panel
        panel.commands.new_texts[next(iter(panel.commands.new_texts))].trigger()
        session = quire.app.current.session
        assert session is not None
        await turns_until(lambda: len(session.tree.reading_order()) == 2)
        new_id = session.document_id
        await turns_until(lambda: quire.app.current.shown_id == new_id and not window.status.switching)
        window.editor.setFocus()
        qtbot.keyClicks(window.editor, "A chapter of mine.")
        await stored(quire)
        panel.edit_asked.emit(Trash(new_id))
        await turns_until(lambda: len(session.tree.reading_order()) == 1 and window.status.is_at_rest)
        assert window.commands.undo.text() == "&Undo Move to Trash"
        qtbot.keyClick(window.editor, Qt.Key.Key_Z, CONTROL)
        await turns_until(lambda: len(session.tree.reading_order()) == 2)
        await turns_until(lambda: quire.app.current.shown_id == new_id and window.status.is_at_rest)
        panel.edit_asked.emit(Trash(new_id))
        await turns_until(lambda: len(session.tree.reading_order()) == 1 and window.status.is_at_rest)
        await turns_until(window.toast.isVisible)
        assert not window.notice_bar.isVisible()  # the page does not move
        qtbot.mouseClick(window.toast.action_button, LEFT)
        await turns_until(lambda: len(session.tree.reading_order()) == 2)
        await shows(quire, "A chapter of mine.")

    desktop.start(ScriptedBackend(), scenario)
