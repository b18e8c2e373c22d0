"""Which words have marks, with many comments that overlap, and while the text changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from PySide6.QtGui import QTextCursor

from quire.comments.comment_layer import NEW, CommentLayer
from quire.domain.manuscript.comments import Comment, anchored, unplaced
from quire.editor.manuscript_editor import ManuscriptEditor
from quire.editor.utf16_positions import Utf16Positions
from quire.theme.colour_tokens import LIGHT

TEXT = "\n\n".join(f"Paragraph {number}: the gulls slept on the roofs." for number in range(9))
LONG = (TEXT.index("Paragraph 1"), TEXT.index("Paragraph 7"))
GULLS = TEXT.index("gulls", TEXT.index("Paragraph 5"))


@pytest.fixture
def editor(qapp: Any) -> Iterator[ManuscriptEditor]:
    editor = ManuscriptEditor()
    editor.show_text(TEXT)
    yield editor
    editor.deleteLater()


def comments_on(*ranges: tuple[int, int]) -> list[Comment]:
    return [
        anchored(unplaced(number, "Why?", "", datetime.now(UTC)), TEXT, start, end)
        for number, (start, end) in enumerate(ranges, start=1)
    ]


def marked(editor: ManuscriptEditor, layer: CommentLayer) -> list[tuple[str, str]]:
    """Return the marked words of each paragraph that has marks, beside its beginning."""
    found, block = [], editor.document().begin()
    while block.isValid():
        found += [
            (block.text()[:11], block.text()[mark.start : mark.start + mark.length])
            for mark in layer.marks_of(block)
        ]
        block = block.next()
    return found


def test_a_long_comment_is_marked_behind_short_ones_that_begin_in_it(editor: ManuscriptEditor) -> None:
    layer = CommentLayer(editor, LIGHT, editor)
    layer.show_comments(comments_on(LONG, (LONG[0], LONG[0] + 9), (GULLS, GULLS + 5)), TEXT)

    def check(place: Callable[[int], int]) -> None:
        lines = [line for line in editor.text().split("\n") if line]
        wanted = [(line[:11], line) for line in lines[1:7]]
        wanted.insert(1, (lines[1][:11], "Paragraph"))
        wanted.insert(6, (lines[5][:11], "gulls"))
        assert marked(editor, layer) == wanted
        places = Utf16Positions(editor.text())
        asked = (LONG[0], GULLS + 5, GULLS + 6, LONG[0] - 1)
        assert [layer.comment_at(places.to_document(place(at))) for at in asked] == [2, 3, 1, None]

    check(lambda at: at)
    caret = QTextCursor(editor.document())
    caret.insertText("Once. ")
    check(lambda at: at + 6)
    caret.setPosition(Utf16Positions(editor.text()).to_document(LONG[0] + 6 + 20))  # in the long one
    caret.insertText("all ")
    check(lambda at: at + 6 if at <= LONG[0] else at + 10)
    for _ in range(4):
        caret.deletePreviousChar()
    check(lambda at: at + 6)


def test_a_new_comment_is_marked_until_it_ends(editor: ManuscriptEditor) -> None:
    layer = CommentLayer(editor, LIGHT, editor)
    layer.show_comments(comments_on((GULLS, GULLS + 5)), TEXT)
    here = ("Paragraph 5", "gulls")
    assert marked(editor, layer) == [here]
    layer.begin(0, 9)
    assert marked(editor, layer) == [("Paragraph 0", "Paragraph"), here]
    assert layer.comment_at(4) == NEW
    layer.end()
    assert marked(editor, layer) == [here]
    layer.show_comments((), TEXT)
    assert marked(editor, layer) == []
