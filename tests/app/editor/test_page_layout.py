from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import QPoint

from quire.editor.manuscript_editor import ManuscriptEditor
from quire.editor.page_layout import PageLayout
from quire.theme.fonts import install_fonts

LONG = "\n\n".join(f"Paragraph {n} of a text that is longer than the window. " * 4 for n in range(80))


@pytest.fixture
def editor(qtbot: Any) -> ManuscriptEditor:
    install_fonts()
    editor = ManuscriptEditor()
    qtbot.addWidget(editor)
    editor.resize(1300, 600)
    editor.show()
    editor.show_text(LONG)
    return editor


def line_step(editor: ManuscriptEditor) -> float:
    layout = editor.document().firstBlock().layout()
    return layout.lineAt(1).y() - layout.lineAt(0).y()


def test_lines_stand_as_far_apart_as_one_wants(editor: ManuscriptEditor) -> None:
    for line_height in (1.2, 1.56, 2.2):
        editor.set_line_height(line_height)
        assert line_step(editor) == pytest.approx(line_height * 19, rel=0.04)


def test_line_height_holds_for_what_comes_later(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.set_line_height(2.0)
    editor.show_text("")
    qtbot.keyClicks(editor, "It rained all day and all night. " * 5)
    assert line_step(editor) == pytest.approx(38, rel=0.04)


def test_another_font_keeps_the_line_height(editor: ManuscriptEditor) -> None:
    editor.set_text_font("Inter")
    assert editor.document().defaultFont().families()[0] == "Inter"
    assert line_step(editor) == pytest.approx(1.56 * 19, rel=0.04)
    editor.set_text_font("")
    assert editor.document().defaultFont().families()[0] != "Inter"


def test_a_line_holds_as_many_characters_as_one_wants(editor: ManuscriptEditor) -> None:
    widths = []
    for characters in (40, 80):
        editor.set_text_width(characters)
        line = editor.document().firstBlock().layout().lineAt(0)
        assert characters * 0.7 <= line.textLength() <= characters * 1.3
        widths.append(editor.viewport().width())
    assert widths[0] < widths[1]


def test_looks_are_no_edit(editor: ManuscriptEditor, qtbot: Any) -> None:
    with qtbot.assertNotEmitted(editor.edited):
        editor.set_line_height(1.3)
        editor.set_text_width(55)
        editor.set_text_font("Inter")
        editor.set_text_px(23)
    assert not editor.document().isModified()
    assert not editor.can_undo
    assert editor.text() == LONG


def test_sizes_can_be_undone_around_but_not_as_steps(editor: ManuscriptEditor, qtbot: Any) -> None:
    qtbot.keyClicks(editor, "x")
    editor.set_text_px(23)
    editor.set_text_width(60)
    editor.undo()
    assert editor.text() == LONG
    assert editor.document().defaultFont().pixelSize() == 23


def test_a_draft_goes_on_while_looks_change(editor: ManuscriptEditor) -> None:
    editor.begin_drafting()
    editor.append_drafted(" One")
    editor.set_line_height(1.3)
    assert not editor.document().isUndoRedoEnabled()
    editor.append_drafted(" two.\n\nThree")
    editor.end_drafting()
    assert editor.text() == LONG + " One two.\n\nThree"
    assert editor.is_at_bottom


def test_what_is_read_stays_in_view(editor: ManuscriptEditor) -> None:
    bar = editor.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    top = editor.cursorForPosition(QPoint(0, 0)).position()
    editor.set_line_height(2.0)
    assert abs(editor.cursorForPosition(QPoint(0, 0)).position() - top) <= 100
    editor.set_text_width(45)
    assert abs(editor.cursorForPosition(QPoint(0, 0)).position() - top) <= 100
    editor.set_text_px(27)
    assert abs(editor.cursorForPosition(QPoint(0, 0)).position() - top) <= 100


def test_a_look_says_what_is_wrong() -> None:
    with pytest.raises(ValueError, match=r"line_height_em.*0\.2"):
        PageLayout(19, line_height_em=0.2)
    with pytest.raises(ValueError, match=r"text_width.*3"):
        PageLayout(19, text_width=3)
    with pytest.raises(ValueError, match="text_px"):
        PageLayout(0)
