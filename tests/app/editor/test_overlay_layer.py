"""Marks of an overlay on a real text area: where they are, how they follow edits, what a pointer finds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QTextCursor
from PySide6.QtWidgets import QApplication, QToolTip

from quire.domain.text_quality.overlays import OverlaySpan, SpanKind
from quire.editor.manuscript_editor import ManuscriptEditor
from quire.editor.overlay_layer import OverlayLayer, SpanTable, position_under
from quire.theme.colour_tokens import DARK, LIGHT
from quire.theme.overlay_colours import kind_look

TEXT = "It rained 😀 all night.\nThe ferry came.\nNobody sang."
FERRY = TEXT.index("ferry")
NIGHT = TEXT.index("night")
SPANS = (
    OverlaySpan(NIGHT, FERRY + 5, SpanKind.ECHOED, (0, 2)),
    OverlaySpan(TEXT.index("sang"), TEXT.index("sang") + 4, SpanKind.ECHO, (NIGHT, NIGHT + 5)),
)


@pytest.fixture
def editor(qtbot: Any) -> ManuscriptEditor:
    editor = ManuscriptEditor()
    qtbot.addWidget(editor)
    editor.resize(700, 400)
    editor.show()
    editor.show_text(TEXT)
    return editor


@pytest.fixture
def layer(editor: ManuscriptEditor) -> OverlayLayer:
    layer = OverlayLayer(editor, editor)
    layer.show_spans(SPANS, TEXT)
    return layer


def marked(editor: ManuscriptEditor) -> list[str]:
    """The words that carry a mark, block by block."""
    found, block = list[str](), editor.document().begin()
    while block.isValid():
        units = block.text().encode("utf-16-le")
        for part in block.layout().formats():
            piece = units[2 * part.start : 2 * (part.start + part.length)]
            found.append(piece.decode("utf-16-le"))
        block = block.next()
    return found


def type_at(editor: ManuscriptEditor, place: int, text: str, removed: int = 0) -> None:
    cursor = QTextCursor(editor.document())
    cursor.setPosition(place)
    cursor.setPosition(place + removed, QTextCursor.MoveMode.KeepAnchor)
    cursor.insertText(text)


def settled(editor: ManuscriptEditor, qtbot: Any) -> list[str]:
    """The marks once everything that waits has had its turn."""
    QApplication.processEvents()
    qtbot.waitUntil(lambda: editor.layers.is_done)
    return marked(editor)


def test_spans_are_marked_block_by_block_in_positions_of_the_document(
    editor: ManuscriptEditor, layer: OverlayLayer, qtbot: Any
) -> None:
    assert settled(editor, qtbot) == ["night.", "The ferry", "sang"]
    assert layer.num_spans == 2
    assert not editor.document().isModified()
    assert editor.text() == TEXT


def test_marks_differ_in_their_underline_and_follow_the_theme(
    editor: ManuscriptEditor, layer: OverlayLayer
) -> None:
    parts = editor.document().lastBlock().layout().formats()
    look = kind_look(SpanKind.ECHO, LIGHT)
    assert parts[0].format.underlineStyle() is look.underline
    assert parts[0].format.underlineColor() == look.colour
    layer.set_tokens(DARK)
    parts = editor.document().lastBlock().layout().formats()
    assert parts[0].format.underlineColor() == kind_look(SpanKind.ECHO, DARK).colour


def test_nothing_is_marked_after_it_was_cleared(
    editor: ManuscriptEditor, layer: OverlayLayer, qtbot: Any
) -> None:
    layer.clear()
    layer.clear()
    assert settled(editor, qtbot) == []
    layer.show_spans(SPANS[1:], TEXT)
    assert settled(editor, qtbot) == ["sang"]


def test_kinds_without_a_look_take_no_room(editor: ManuscriptEditor, layer: OverlayLayer, qtbot: Any) -> None:
    layer.show_spans([OverlaySpan(0, 5, SpanKind.WRITTEN)], TEXT)
    assert settled(editor, qtbot) == []


def test_marks_stay_on_their_words_while_the_writer_types(
    editor: ManuscriptEditor, layer: OverlayLayer, qtbot: Any
) -> None:
    type_at(editor, 0, "Yes, ")
    assert settled(editor, qtbot) == ["night.", "The ferry", "sang"]
    type_at(editor, editor.document().lastBlock().position() + 2, "XX")
    assert settled(editor, qtbot) == ["night.", "The ferry", "sang"]
    assert layer.span_at(editor.document().toPlainText().index("ferry") + 1) == SPANS[0]
    type_at(editor, editor.document().characterCount() - 1, " More.")
    assert settled(editor, qtbot) == ["night.", "The ferry", "sang"]


def test_an_edit_of_many_paragraphs_is_marked_anew_as_a_whole(
    editor: ManuscriptEditor, layer: OverlayLayer, qtbot: Any
) -> None:
    type_at(editor, 0, "Line.\n" * 40)
    assert settled(editor, qtbot) == ["night.", "The ferry", "sang"]
    type_at(editor, 0, "", removed=len("Line.\n" * 40))
    assert settled(editor, qtbot) == ["night.", "The ferry", "sang"]


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), max_size=8),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 12), st.integers(0, 12)), max_size=6),
)
def test_a_table_stays_in_order_and_inside_the_text(
    gaps: list[tuple[int, int]], edits: list[tuple[int, int, int]]
) -> None:
    spans, at = list[OverlaySpan](), 0
    for gap, length in gaps:
        spans.append(OverlaySpan(at + gap, at + gap + length, SpanKind.DRAFTED))
        at += gap + length
    length = at + 5
    table = SpanTable(spans, "x" * length)
    for place, removed, added in edits:
        place = min(place, length)
        removed = min(removed, length - place)
        table.edited(place, removed, added)
        length += added - removed
    found = table.between(0, length)
    assert [stretch[:2] for stretch in found] == sorted(stretch[:2] for stretch in found)
    end = 0
    for first, last, _ in found:
        assert end <= first < last <= length
        end = last


@given(st.integers(0, 30), st.text("xy", max_size=5))
def test_words_behind_an_edit_keep_their_marks_and_words_before_it_too(place: int, typed: str) -> None:
    text = "0123456789abcdefghijklmnopqrst"
    spans = [OverlaySpan(3, 8, SpanKind.DRAFTED), OverlaySpan(15, 20, SpanKind.PASTED)]
    table = SpanTable(spans, text)
    table.edited(place, 0, len(typed))
    after = text[:place] + typed + text[place:]
    found = [after[first:last] for first, last, _ in table.between(0, len(after))]
    for span, words in zip(spans, found, strict=True):
        inside = span.start < place < span.end
        before = text[span.start : span.end]
        assert words.replace(typed, "", 1) == before if inside and typed else words == before


# ---------------------------------------------------------------- pointer
def middle_of(editor: ManuscriptEditor, place: int) -> QPoint:
    cursor = QTextCursor(editor.document())
    cursor.setPosition(place)
    left = editor.cursorRect(cursor)
    cursor.setPosition(place + 1)
    right = editor.cursorRect(cursor)
    return QPoint((left.left() + right.left()) // 2, left.center().y())


def test_a_point_is_on_the_character_under_it(editor: ManuscriptEditor) -> None:
    for place in (0, 5, 13, 30, 45):
        assert position_under(editor, middle_of(editor, place)) == place
    right_of = middle_of(editor, 5) + QPoint(400, 0)
    below = QPoint(middle_of(editor, 5).x(), editor.viewport().height() - 4)
    assert position_under(editor, right_of) is None
    assert position_under(editor, below) is None


@pytest.mark.qt_log_ignore("raise", extend=True)  # the offscreen platform says it about every tooltip
def test_the_pointer_over_an_echo_shows_its_twin(
    editor: ManuscriptEditor, layer: OverlayLayer, qtbot: Any
) -> None:
    sang = editor.document().toRawText().index("sang") + 1  # one for the emoji's second unit is in it already
    at = middle_of(editor, sang)
    event = QHelpEvent(QEvent.Type.ToolTip, at, editor.viewport().mapToGlobal(at))
    QApplication.sendEvent(editor.viewport(), event)
    assert QToolTip.text() == "Also appears earlier: “night”. Ctrl+click to go there."
    assert layer.repeat_text(0) == ""
    night = layer.repeat_text(editor.document().toRawText().index("night") + 1)
    assert night == "Repeated later: “It”. Ctrl+click to go there."
    QToolTip.hideText()


def test_a_control_click_goes_to_the_twin_and_a_click_alone_does_not(
    editor: ManuscriptEditor, layer: OverlayLayer, qtbot: Any
) -> None:
    twins, places = list[tuple[int, int]](), list[int]()
    layer.repeat_chosen.connect(lambda start, end: twins.append((start, end)))
    layer.place_chosen.connect(places.append)
    raw = editor.document().toRawText()
    at = middle_of(editor, raw.index("sang") + 2)
    left, control = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
    qtbot.mouseClick(editor.viewport(), left, pos=at)
    assert (twins, places) == ([], [])
    qtbot.mouseClick(editor.viewport(), left, control, pos=at)
    assert twins == [(NIGHT, NIGHT + 5)]
    qtbot.mouseClick(editor.viewport(), left, control, pos=middle_of(editor, 1))
    assert places == [1]
    layer.clear()
    qtbot.mouseClick(editor.viewport(), left, control, pos=at)
    assert (len(twins), len(places)) == (1, 1)


def test_a_long_twin_is_shortened(editor: ManuscriptEditor, layer: OverlayLayer) -> None:
    text = "long words " * 60
    editor.show_text(text)
    layer.show_spans([OverlaySpan(0, 4, SpanKind.ECHO, (0, len(text)))], text)
    assert len(layer.repeat_text(1)) < 300
    assert "…" in layer.repeat_text(1)


def test_marks_are_never_copied(editor: ManuscriptEditor, layer: OverlayLayer) -> None:
    editor.selectAll()
    data = editor.createMimeDataFromSelection()
    assert data.formats() == ["text/plain"]
    assert data.text() == TEXT


def test_a_whole_chapter_is_marked(editor: ManuscriptEditor, layer: OverlayLayer, qtbot: Any) -> None:
    text = "The ferry crossed a black river while nobody sang.\n" * 1_180
    editor.show_text(text)
    kinds = (SpanKind.MODEL, SpanKind.GUESSER, SpanKind.PHRASES)
    spans = [OverlaySpan(at, at + 5, kinds[at // 5 % 3]) for at in range(0, 60_000, 5)]
    layer.show_spans(spans, text)
    assert len("".join(settled(editor, qtbot))) == 60_000 - text[:60_000].count("\n")
