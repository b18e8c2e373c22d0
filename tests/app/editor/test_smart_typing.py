from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication

from quire.editor.manuscript_editor import ManuscriptEditor

BACKSPACE = Qt.Key.Key_Backspace


@pytest.fixture
def editor(qtbot: Any) -> Iterator[ManuscriptEditor]:
    editor = ManuscriptEditor()
    qtbot.addWidget(editor)
    editor.smart_typing.switch(on=True)
    editor.show()
    yield editor
    QApplication.clipboard().clear()


def test_what_is_typed_becomes_typographic(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("😀 ")
    qtbot.keyClicks(editor, "\"It's '90s rain,\" she said--no...")
    assert editor.text() == "😀 “It’s ’90s rain,” she said–no…"
    assert editor.textCursor().atEnd()


def test_every_line_stands_for_itself(editor: ManuscriptEditor, qtbot: Any) -> None:
    qtbot.keyClicks(editor, 'So "')
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.keyClicks(editor, '"A')
    qtbot.keyClick(editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(editor, '"B"')
    assert editor.text() == "So “\n\n“A\n“B”"


def test_off_by_itself(qtbot: Any) -> None:
    editor = ManuscriptEditor()
    qtbot.addWidget(editor)
    qtbot.keyClicks(editor, '"--')
    assert editor.text() == '"--'


def test_undo_right_after_takes_back_only_the_change(editor: ManuscriptEditor, qtbot: Any) -> None:
    qtbot.keyClicks(editor, "Rain--")
    assert editor.text() == "Rain–"
    editor.undo()
    assert editor.text() == "Rain--"
    qtbot.keyClicks(editor, " or")
    assert editor.text() == "Rain-- or"


def test_what_is_typed_next_is_a_step_of_its_own(editor: ManuscriptEditor, qtbot: Any) -> None:
    qtbot.keyClicks(editor, 'So "rain')
    assert editor.text() == "So “rain"
    editor.undo()
    assert editor.text() == "So “"
    editor.undo()
    assert editor.text() == 'So "'
    editor.redo()
    editor.redo()
    assert editor.text() == "So “rain"


def test_backspace_right_after_takes_the_change_back_and_then_deletes(
    editor: ManuscriptEditor, qtbot: Any
) -> None:
    qtbot.keyClicks(editor, "Rain...")
    qtbot.keyClick(editor, BACKSPACE)
    assert editor.text() == "Rain..."
    assert editor.textCursor().atEnd()
    qtbot.keyClick(editor, BACKSPACE)
    assert editor.text() == "Rain.."


def test_backspace_later_deletes(editor: ManuscriptEditor, qtbot: Any) -> None:
    qtbot.keyClicks(editor, "Rain...")
    qtbot.keyClick(editor, Qt.Key.Key_Left)
    qtbot.keyClick(editor, Qt.Key.Key_Right)
    qtbot.keyClick(editor, BACKSPACE)
    assert editor.text() == "Rain"


def test_pasted_and_drafted_text_stays_as_it_is(editor: ManuscriptEditor, qtbot: Any) -> None:
    data = QMimeData()
    data.setText('"--')
    editor.insertFromMimeData(data)
    editor.begin_drafting()
    editor.append_drafted(' "It...')
    editor.end_drafting()
    assert editor.text() == '"-- "It...'
    QApplication.clipboard().setText('"')
    editor.show_text("")
    qtbot.keyClick(editor, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    assert editor.text() == '"'


def test_composed_quotes_are_typed_as_well(editor: ManuscriptEditor) -> None:
    event = QInputMethodEvent("", [])
    event.setCommitString('"')
    QApplication.sendEvent(editor, event)
    assert editor.text() == "“"


def test_a_language_has_its_own(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.smart_typing.set_language("de_DE")
    qtbot.keyClicks(editor, '"Ja"')
    assert editor.text() == "„Ja“"


def test_a_change_is_handed_over_like_any_other(editor: ManuscriptEditor, qtbot: Any) -> None:
    texts: list[str] = []
    editor.edited.connect(lambda: texts.append(editor.text()))
    qtbot.keyClicks(editor, '"')
    assert texts[-1] == "“"


def test_beside_a_draft_it_can_be_taken_back_as_well(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("So\n\nIt grows")
    editor.begin_drafting()
    cursor = editor.textCursor()
    cursor.setPosition(2)
    editor.setTextCursor(cursor)
    qtbot.keyClicks(editor, ' "')
    editor.append_drafted(" and")
    assert editor.text() == "So “\n\nIt grows and"
    qtbot.keyClick(editor, BACKSPACE)
    assert editor.text() == 'So "\n\nIt grows and'
    editor.undo()
    editor.undo()
    editor.append_drafted(" grows")
    assert editor.text() == 'So "\n\nIt grows and grows'
    editor.end_drafting()
