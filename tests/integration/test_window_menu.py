"""The menu at the words, and the estimate and the caret where the writer expects them."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QMenu

from quire.application import Application
from quire.steering.card_dialog import CardDialog
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import Desktop
from tests.integration.test_window_target import go_to, made

MOUSE = QContextMenuEvent.Reason.Mouse


def place_of(quire: Application, word: str) -> QPoint:
    """Return a point on a word of the open text."""
    editor = quire.window.editor
    cursor = QTextCursor(editor.document())
    cursor.setPosition(editor.text().index(word) + 1)
    return editor.cursorRect(cursor).center()


def menu_at(quire: Application, qtbot: Any, word: str) -> dict[str, Any]:
    """Open the menu of a word with the right mouse button; return its actions by their texts."""
    view, place = quire.window.editor.viewport(), place_of(quire, word)
    qtbot.mouseClick(view, Qt.MouseButton.RightButton, pos=place)
    QApplication.sendEvent(view, QContextMenuEvent(MOUSE, place, view.mapToGlobal(place)))
    (menu,) = (child for child in quire.window.editor.findChildren(QMenu) if child.isVisible())
    found = {action.text().replace("&", ""): action for action in menu.actions()}
    menu.close()
    return found


@pytest.mark.qt_log_ignore("raise", "grabbing", "propagateSizeHints", extend=True)  # offscreen, of menus
def test_the_menu_at_a_word_acts_on_that_word(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        editor = quire.window.editor
        actions = menu_at(quire, qtbot, "nobody")
        assert list(actions)[:11] == [
            "Cut", "Copy", "Paste", "Paste as Plain Text", "",
            "Comment", "Rewrite Selection…", "Alternatives for This Word…", "Redraft From Here", "Split Here",
            "Add to Lorebook…",
        ]  # fmt: skip
        assert all(action.isEnabled() for action in list(actions.values())[5:11])
        assert editor.textCursor().position() == editor.text().index("nobody")
        actions["Add to Lorebook…"].trigger()
        (dialog,) = quire.window.findChildren(CardDialog)
        assert dialog.name_edit.text() == "nobody"
        dialog.reject()
        menu_at(quire, qtbot, "sang")["Split Here"].trigger()
        session = quire.app.current.session
        assert session is not None
        await turns_until(lambda: len(session.tree.reading_order()) == 2)
        await turns_until(lambda: quire.window.status.is_at_rest)
        assert session.text == "sang."

    desktop.start(ScriptedBackend(), scenario)


def test_the_estimate_is_about_the_text_in_which_continue_writes(desktop: Desktop, qtbot: Any) -> None:
    path = made(desktop)

    async def scenario(quire: Application) -> None:
        await go_to(quire, "CHAPTER I")
        preflight = quire.app.preflight
        quire.window.commands.before_start.trigger()
        await turns_until(preflight.panel.isVisible)
        session = quire.app.current.session
        assert session is not None
        assert session.document.title == "CHAPTER II"
        preflight.panel.cancel()

    desktop.start(ScriptedBackend(), scenario, path)
