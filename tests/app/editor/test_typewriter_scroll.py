from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QPoint, Qt
from PySide6.QtTest import QTest

from quire.editor.manuscript_editor import ManuscriptEditor

LONG = "\n\n".join(f"Paragraph {n} of a text that is longer than the window." for n in range(80))


@pytest.fixture
def editor(qtbot: Any) -> ManuscriptEditor:
    editor = ManuscriptEditor()
    qtbot.addWidget(editor)
    editor.resize(900, 600)
    editor.show()
    editor.typewriter.switch(on=True)
    editor.show_text(LONG)
    return editor


def is_held(editor: ManuscriptEditor) -> bool:
    return abs(editor.cursorRect().top() - 0.4 * editor.viewport().height()) <= 2


def test_off_by_itself(qtbot: Any) -> None:
    editor = ManuscriptEditor()
    qtbot.addWidget(editor)
    assert not editor.typewriter.is_on


def test_the_last_line_is_held(editor: ManuscriptEditor, qtbot: Any) -> None:
    qtbot.keyClicks(editor, "So")
    assert is_held(editor)
    for _ in range(5):
        qtbot.keyClick(editor, Qt.Key.Key_Return)
        assert is_held(editor)
        QCoreApplication.processEvents()
        assert is_held(editor)


def test_moving_by_keyboard_moves_the_paper(editor: ManuscriptEditor, qtbot: Any) -> None:
    for _ in range(30):
        qtbot.keyClick(editor, Qt.Key.Key_Up)
        assert is_held(editor)


def test_a_click_moves_nothing(editor: ManuscriptEditor, qtbot: Any) -> None:
    qtbot.keyClick(editor, Qt.Key.Key_PageUp)
    before = editor.verticalScrollBar().value()
    QTest.mouseClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, 60))
    assert not is_held(editor)
    qtbot.keyClick(editor, Qt.Key.Key_Shift)
    assert editor.verticalScrollBar().value() == before
    qtbot.keyClicks(editor, "x")
    assert is_held(editor)


def test_first_lines_come_down_from_the_top(editor: ManuscriptEditor, qtbot: Any) -> None:
    qtbot.keyClick(editor, Qt.Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    assert editor.verticalScrollBar().value() == 0


def test_a_draft_goes_on_where_the_line_is_held(editor: ManuscriptEditor) -> None:
    editor.begin_drafting()
    for word in range(200):
        editor.append_drafted(f" word {word}\n")
    assert editor.is_at_bottom
    editor.end_drafting()
    assert editor.textCursor().atEnd()
    assert is_held(editor)


def test_another_size_of_the_view(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.resize(700, 400)
    QCoreApplication.processEvents()
    qtbot.keyClicks(editor, "x")
    assert is_held(editor)


def test_switched_off_the_room_below_goes(editor: ManuscriptEditor) -> None:
    editor.typewriter.switch(on=False)
    height = editor.document().size().height()
    assert editor.verticalScrollBar().maximum() == round(height) - editor.viewport().height()
