from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QInputMethodEvent, QTextBlock, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QApplication

from quire.editor import text_layers
from quire.editor.manuscript_editor import ManuscriptEditor
from quire.editor.text_layers import Mark

LONG = "\n\n".join(f"Paragraph {n} of a rather long text; the word rain stands in it." for n in range(900))


class Words:
    """Marks every place of a word, and counts how often it was asked."""

    def __init__(self, word: str, *, large: bool = False) -> None:
        self.word, self.asked = word, 0
        self.format = QTextCharFormat()
        self.format.setFontUnderline(True)
        if large:
            self.format.setProperty(QTextCharFormat.Property.FontPixelSize.value, 60)

    def marks_of(self, block: QTextBlock) -> Sequence[Mark]:
        self.asked += 1
        found = re.finditer(re.escape(self.word), block.text())
        return [Mark(one.start(), len(self.word), self.format) for one in found]


@pytest.fixture
def editor(qtbot: Any) -> Iterator[ManuscriptEditor]:
    editor = ManuscriptEditor()
    qtbot.addWidget(editor)
    editor.resize(900, 500)
    editor.show()
    yield editor
    QApplication.clipboard().clear()


def marked(editor: ManuscriptEditor) -> list[tuple[int, str]]:
    """Return what is marked, with the number of its block."""
    found = list[tuple[int, str]]()
    block = editor.document().firstBlock()
    while block.isValid():
        for part in block.layout().formats():
            found.append((block.blockNumber(), block.text()[part.start : part.start + part.length]))
        block = block.next()
    return found


def finish(editor: ManuscriptEditor) -> None:
    while not editor.layers.is_done:
        QCoreApplication.processEvents()


def visible_blocks(editor: ManuscriptEditor) -> list[int]:
    view = editor.viewport().rect()
    first = editor.cursorForPosition(view.topLeft()).blockNumber()
    return list(range(first, editor.cursorForPosition(view.bottomRight()).blockNumber() + 1))


def test_marks_are_seen_at_once_and_elsewhere_soon(
    editor: ManuscriptEditor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_layers, "_AT_ONCE_S", 0.0)
    editor.layers.add(Words("rain"))
    editor.show_text(LONG)
    QCoreApplication.processEvents()
    seen = visible_blocks(editor)
    assert {block for block, _ in marked(editor)} >= {block for block in seen if block % 2 == 0}
    finish(editor)
    assert marked(editor) == [(2 * n, "rain") for n in range(900)]


def test_scrolling_to_what_is_not_marked_yet_marks_it(editor: ManuscriptEditor) -> None:
    layer = Words("rain")
    editor.show_text(LONG)
    editor.layers.add(layer)
    assert not editor.layers.is_done
    editor.verticalScrollBar().setValue(editor.verticalScrollBar().maximum() // 2)
    seen = visible_blocks(editor)
    assert {block for block, _ in marked(editor)} >= {block for block in seen if block % 2 == 0}
    finish(editor)


def test_marks_are_no_edit(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("It rained. The rain fell.\n\nRain.")
    finish(editor)
    changes: list[object] = []
    editor.document().contentsChange.connect(lambda *change: changes.append(change))
    editor.document().contentsChanged.connect(lambda: changes.append("changed"))
    editor.textChanged.connect(lambda: changes.append("text"))
    layer = Words("rain", large=True)
    with qtbot.assertNotEmitted(editor.edited):
        editor.layers.add(layer)
        finish(editor)
        editor.layers.refresh(layer)
        editor.layers.refresh_block(editor.document().firstBlock())
        finish(editor)
        editor.layers.remove(layer)
        finish(editor)
    assert changes == []
    assert not editor.document().isModified()
    assert not editor.can_undo
    assert marked(editor) == []


def test_undo_knows_nothing_of_marks(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.layers.add(Words("rain"))
    editor.show_text("It was")
    qtbot.keyClicks(editor, " rain")
    assert marked(editor) == [(0, "rain")]
    editor.layers.refresh()
    editor.undo()
    assert editor.text() == "It was"
    assert marked(editor) == []
    editor.redo()
    assert marked(editor) == [(0, "rain")]


def test_a_drafted_word_is_marked_at_once(editor: ManuscriptEditor) -> None:
    editor.layers.add(Words("rain"))
    editor.show_text("It was")
    editor.begin_drafting()
    editor.append_drafted(" rain\n\nand rai")
    editor.append_drafted("n again")
    assert marked(editor) == [(0, "rain"), (2, "rain")]
    editor.end_drafting()
    assert editor.text() == "It was rain\n\nand rain again"


def test_later_layers_are_merged_over_earlier_ones(editor: ManuscriptEditor) -> None:
    under, over = Words("the rain"), Words("rain fell")
    under.format.setForeground(editor.palette().text())
    over.format.setFontUnderline(False)
    over.format.setFontItalic(True)
    editor.layers.add(under)
    editor.layers.add(over)
    editor.show_text("So the rain fell.")
    parts = editor.document().firstBlock().layout().formats()
    assert [(part.start, part.length) for part in parts] == [(3, 8), (7, 9)]
    assert [part.format.fontUnderline() for part in parts] == [True, False]
    editor.layers.remove(over)
    finish(editor)
    assert marked(editor) == [(0, "the rain")]


def test_only_blocks_that_changed_are_asked_again(editor: ManuscriptEditor, qtbot: Any) -> None:
    layer = Words("rain")
    editor.layers.add(layer)
    editor.show_text(LONG)
    finish(editor)
    layer.asked = 0
    qtbot.keyClicks(editor, "x")
    assert layer.asked == 1


def test_what_is_read_stays_in_place_when_marks_above_make_lines_higher(editor: ManuscriptEditor) -> None:
    editor.show_text(LONG)
    editor.verticalScrollBar().setValue(editor.verticalScrollBar().maximum() // 2)
    top = visible_blocks(editor)[0]
    editor.layers.add(Words("rain", large=True))
    finish(editor)
    assert abs(visible_blocks(editor)[0] - top) <= 1


def test_a_view_at_the_end_stays_there(editor: ManuscriptEditor) -> None:
    editor.show_text(LONG)
    editor.layers.add(Words("rain", large=True))
    finish(editor)
    assert editor.is_at_bottom


def test_marks_make_room_for_what_is_being_composed(editor: ManuscriptEditor) -> None:
    editor.layers.add(Words("rain"))
    editor.show_text("the rain")
    cursor = editor.textCursor()
    cursor.setPosition(4)
    editor.setTextCursor(cursor)
    QApplication.sendEvent(editor, QInputMethodEvent("かな", []))
    parts = editor.document().firstBlock().layout().formats()
    assert (6, 4) in [(part.start, part.length) for part in parts]
    QApplication.sendEvent(editor, QInputMethodEvent("", []))
    (part,) = editor.document().firstBlock().layout().formats()
    assert (part.start, part.length) == (4, 4)


EDITS = st.lists(
    st.tuples(
        st.integers(0, 60), st.integers(0, 12), st.sampled_from(["", "rain", "\n", "ra", "in\nrain", "😀"])
    ),
    max_size=8,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(EDITS)
def test_after_any_edits_all_marks_are_right(
    editor: ManuscriptEditor, edits: list[tuple[int, int, str]]
) -> None:
    layer = Words("rain")
    editor.layers.add(layer)
    editor.show_text("rain\nthe rain\n\nrain and rain\nso")
    for position, removed, text in edits:
        end = editor.document().characterCount() - 1
        cursor = editor.textCursor()
        cursor.setPosition(min(position, end))
        cursor.setPosition(min(position + removed, end), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(text)
    finish(editor)
    wanted = [
        (number, "rain")
        for number, line in enumerate(editor.text().split("\n"))
        for _ in re.finditer("rain", line)
    ]
    assert [one for one in marked(editor) if one[1] == "rain"] == wanted
    while editor.can_undo:
        editor.undo()
    finish(editor)
    assert len(marked(editor)) == 4
    editor.layers.remove(layer)
    finish(editor)
