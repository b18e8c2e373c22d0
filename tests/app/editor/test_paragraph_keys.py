"""Enter is a paragraph, Shift+Enter a line break, and the gap between paragraphs is one step."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from quire.book_formats.paragraphs import habits, paragraphs, plain, tidied
from quire.editor.manuscript_editor import ManuscriptEditor

RETURN, BACK, DELETE = Qt.Key.Key_Return, Qt.Key.Key_Backspace, Qt.Key.Key_Delete


@pytest.fixture
def editor(qtbot: Any) -> ManuscriptEditor:
    editor = ManuscriptEditor()
    qtbot.addWidget(editor)
    editor.show()
    return editor


def pressed(editor: ManuscriptEditor, qtbot: Any, before: str, *keys: Qt.Key | str) -> str:
    """Return the text with | at the caret, after keys in a text with | at the caret."""
    editor.show_text(before.replace("|", ""))
    cursor = editor.textCursor()
    cursor.setPosition(before.index("|"))
    editor.setTextCursor(cursor)
    for key in keys:
        if isinstance(key, str):
            qtbot.keyClicks(editor, key)
        else:
            qtbot.keyClick(editor, key)
    text, place = editor.text(), editor.textCursor().position()
    return f"{text[:place]}|{text[place:]}"


@pytest.mark.parametrize(
    ("before", "keys", "after"),
    [
        ("One.|", (RETURN, "Two."), "One.\n\nTwo.|"),
        ("One.|", (RETURN, RETURN, "Two."), "One.\n\nTwo.|"),
        ("One.\n\nTwo.|", (RETURN, "Three."), "One.\n\nTwo.\n\nThree.|"),
        ("One.|\n\nThree.", (RETURN, "Two."), "One.\n\nTwo.|\n\nThree."),
        ("One.|Two.", (RETURN,), "One.\n\n|Two."),
        ("One.\n\n|Two.", (BACK,), "One.|Two."),
        ("One.|\n\nTwo.", (DELETE,), "One.|Two."),
        ("One.\n\n|", (BACK, BACK), "One|"),
        ("One.\n|\nThree.", ("Two.",), "One.\n\nTwo.|\n\nThree."),
        ("One.\n|\nThree.", (RETURN, "Two."), "One.\n\nTwo.|\n\nThree."),
        ("One.\n|\nTwo.", (BACK,), "One.|\n\nTwo."),
        ("One.\n|\nTwo.", (DELETE,), "One.\n\n|Two."),
        ("One.\n|", ("Two.",), "One.\n\nTwo.|"),
        ("One.\nTwo.\nThree.|", (RETURN, "Four."), "One.\nTwo.\nThree.\nFour.|"),
        ("One.\nTwo.\n|Three.", (BACK,), "One.\nTwo.|Three."),
        ("|", (RETURN, "One."), "\n\nOne.|"),
    ],
)
def test_the_gap_is_one_step(
    editor: ManuscriptEditor, qtbot: Any, before: str, keys: tuple[Qt.Key | str, ...], after: str
) -> None:
    assert pressed(editor, qtbot, before, *keys) == after


def test_a_selection_is_parted_and_one_undo_brings_it_back(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("One. Two.")
    editor.selectAll()
    qtbot.keyClick(editor, RETURN)
    assert editor.text() == "\n\n"
    editor.undo()
    assert editor.text() == "One. Two."


def test_shift_and_enter_break_the_line_within_a_paragraph(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("Dear Anne,")
    qtbot.keyClick(editor, RETURN, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(editor, "come home.")
    qtbot.keyClick(editor, RETURN)
    qtbot.keyClicks(editor, "She did.")
    assert editor.text() == "Dear Anne,\ncome home.\n\nShe did."
    exported = [plain(one) for one in paragraphs(tidied(editor.text(), habits(editor.text())))]
    assert exported == ["Dear Anne,\ncome home.", "She did."]


def test_beside_a_draft_no_key_joins_what_the_model_writes(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("One.\n\nTwo.\n\n")
    editor.begin_drafting()
    editor.append_drafted("Three")
    cursor = editor.textCursor()
    cursor.setPosition(len("One.\n\nTwo."))
    editor.setTextCursor(cursor)
    qtbot.keyClick(editor, DELETE)
    assert editor.text() == "One.\n\nTwo.\n\nThree"
    qtbot.keyClick(editor, RETURN)
    qtbot.keyClicks(editor, "More.")
    editor.append_drafted(" came.")
    assert editor.text() == "One.\n\nTwo.\n\nMore.\n\nThree came."
