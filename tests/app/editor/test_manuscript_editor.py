from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QMouseEvent, QTextCursor, QTextDocument, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from quire.editor.manuscript_editor import ManuscriptEditor
from quire.theme.colour_tokens import DARK

LONG = "\n\n".join(f"Paragraph {n} of a text that is longer than the window." for n in range(80))


@pytest.fixture
def editor(qtbot: Any) -> Iterator[ManuscriptEditor]:
    editor = ManuscriptEditor()
    qtbot.addWidget(editor)
    editor.resize(900, 500)
    editor.show()
    yield editor
    QApplication.clipboard().clear()  # the offscreen platform would free a copy after Python has ended


def place(editor: ManuscriptEditor, anchor: int, position: int) -> None:
    cursor = editor.textCursor()
    cursor.setPosition(anchor)
    cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
    editor.setTextCursor(cursor)


def caret(editor: ManuscriptEditor) -> tuple[int, int]:
    return editor.textCursor().anchor(), editor.textCursor().position()


def test_every_change_is_told_at_once(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("It rained")
    texts: list[str] = []
    editor.edited.connect(lambda: texts.append(editor.text()))
    qtbot.keyClicks(editor, ", a")
    assert texts == ["It rained,", "It rained, ", "It rained, a"]


def test_showing_a_text_is_not_an_edit(editor: ManuscriptEditor, qtbot: Any) -> None:
    with qtbot.assertNotEmitted(editor.edited):
        editor.show_text(LONG)
        editor.show_text("")


def test_a_text_opens_at_its_end(editor: ManuscriptEditor) -> None:
    editor.show_text(LONG)
    assert editor.is_at_bottom
    assert editor.textCursor().atEnd()


@pytest.mark.parametrize(("anchor", "position"), [(3, 3), (2, 8), (8, 2), (9, 9), (0, 9)])
def test_streaming_leaves_caret_and_selection_alone(
    editor: ManuscriptEditor, anchor: int, position: int
) -> None:
    editor.show_text("It rained")
    place(editor, anchor, position)
    editor.begin_drafting()
    for text in (" all", "\n\nnight", "."):
        editor.append_drafted(text)
    assert caret(editor) == (anchor, position)
    assert editor.text() == "It rained all\n\nnight."


def test_a_view_at_the_bottom_follows_the_text(editor: ManuscriptEditor) -> None:
    editor.show_text(LONG)
    editor.begin_drafting()
    for _ in range(30):
        editor.append_drafted("\n\nMore of it.")
        assert editor.is_at_bottom
    assert not editor.newest_button.isVisible()


@pytest.mark.parametrize("caret_at_end", [True, False])
def test_a_view_elsewhere_stays_and_offers_the_newest_words(
    editor: ManuscriptEditor, qtbot: Any, caret_at_end: bool
) -> None:
    editor.show_text(LONG)
    if not caret_at_end:
        place(editor, 5, 5)
    editor.verticalScrollBar().setValue(120)
    editor.begin_drafting()
    for _ in range(30):
        editor.append_drafted("\n\nMore of it.")
    assert editor.verticalScrollBar().value() == 120
    assert editor.newest_button.isVisible()
    qtbot.mouseClick(editor.newest_button, Qt.MouseButton.LeftButton)
    assert editor.is_at_bottom
    assert not editor.newest_button.isVisible()


def test_the_text_is_locked_while_drafting_but_can_be_selected(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("It rained")
    place(editor, 0, 0)
    editor.begin_drafting()
    qtbot.keyClicks(editor, "no")
    qtbot.keyClick(editor, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert editor.text() == "It rained"
    assert editor.textCursor().selectedText() == "I"
    editor.end_drafting()
    place(editor, 9, 9)
    qtbot.keyClicks(editor, "!")
    assert editor.text() == "It rained!"


def test_what_a_draft_writes_is_no_change_of_the_writer(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("It")
    with qtbot.assertNotEmitted(editor.edited):
        drafted(editor, " rained")
    assert editor.text() == "It rained"


def drafted(editor: ManuscriptEditor, text: str) -> None:
    editor.begin_drafting()
    editor.append_drafted(text)
    editor.end_drafting()


def test_a_caret_that_waited_at_the_end_is_at_the_end_again(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("It rained")
    drafted(editor, " all night")
    qtbot.keyClicks(editor, "xy")
    assert editor.text() == "It rained all nightxy"


def test_after_a_page_turn_the_caret_waits_where_the_draft_begins(editor: ManuscriptEditor) -> None:
    editor.show_text(LONG)
    editor.begin_drafting(10)
    assert caret(editor) == (10, 10)
    assert editor.is_at_bottom
    editor.append_drafted(" all night")
    assert caret(editor) == (10, 10)
    editor.end_drafting()
    assert editor.textCursor().atEnd()


def test_a_caret_elsewhere_stays_after_the_draft(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("It rained")
    place(editor, 2, 2)
    drafted(editor, " all night")
    qtbot.keyClicks(editor, "xy")
    assert editor.text() == "Itxy rained all night"


def test_a_caret_stays_where_the_writer_looks(editor: ManuscriptEditor) -> None:
    editor.show_text(LONG)
    editor.verticalScrollBar().setValue(100)
    drafted(editor, " all night")
    assert editor.textCursor().position() == len(LONG)
    assert editor.verticalScrollBar().value() == 100


def test_another_size_is_not_an_edit(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("It rained")
    with qtbot.assertNotEmitted(editor.edited):
        editor.set_text_px(25)


def test_undo_leaves_a_draft_and_goes_back_through_what_was_typed_before_it(
    editor: ManuscriptEditor, qtbot: Any
) -> None:
    editor.show_text("It")
    qtbot.keyClicks(editor, " rained on")
    editor.begin_drafting()
    assert not editor.can_undo
    editor.append_drafted(" all")
    editor.append_drafted(" night")
    editor.end_drafting()
    assert editor.history.draft_is_last
    place(editor, len(editor.text()), len(editor.text()))
    qtbot.keyClicks(editor, "!")
    seen: list[str] = []
    while editor.can_undo:
        editor.undo()
        seen.append(editor.text())
    assert seen == ["It rained on all night", "It rained all night", "It all night"]
    while editor.can_redo:
        editor.redo()
    assert editor.text() == "It rained on all night!"


def test_steps_of_a_text_survive_another_text_and_an_undone_draft(
    editor: ManuscriptEditor, qtbot: Any
) -> None:
    editor.history.switch_to(1)
    editor.show_text("It")
    qtbot.keyClicks(editor, " rained")
    editor.begin_drafting()
    editor.append_drafted(" all night")
    editor.end_drafting()
    editor.history.switch_to(2)
    editor.show_text("It rained all night")
    assert not editor.can_undo  # this is another text, whatever it says
    editor.history.switch_to(1)
    editor.show_text("It rained")  # the draft was undone
    assert editor.history.draft_is_next
    editor.undo()
    assert editor.text() == "It"
    editor.redo()
    editor.show_text("It rained all night")
    assert editor.history.draft_is_last
    assert editor.can_undo
    editor.show_text("Something else")  # as a snapshot would have it
    assert not editor.can_undo


def test_deleting_on_is_one_step(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("One two\n\nthree")
    for _ in range(5):
        qtbot.keyClick(editor, Qt.Key.Key_Backspace)
    assert editor.text() == "One two\n\n"
    editor.undo()
    assert editor.text() == "One two\n\nthree"
    assert editor.textCursor().atEnd()
    assert not editor.can_undo


def test_the_drafted_part_is_known_and_moves_with_edits(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("It rained")
    editor.begin_drafting()
    editor.append_drafted(" all night")
    editor.end_drafting()
    assert list(editor.drafted_ranges) == [(9, 19)]
    place(editor, 19, 19)
    qtbot.keyClicks(editor, " mine")
    place(editor, 0, 0)
    qtbot.keyClicks(editor, "So ")
    assert list(editor.drafted_ranges) == [(12, 22)]
    editor.begin_drafting()
    editor.append_drafted(" again")
    editor.end_drafting()
    assert list(editor.drafted_ranges) == [(12, 22), (27, 33)]
    editor.begin_drafting()
    editor.end_drafting()
    assert len(editor.drafted_ranges) == 2
    editor.show_text("another")
    assert list(editor.drafted_ranges) == []


def colours(editor: ManuscriptEditor) -> set[str]:
    image = editor.viewport().grab().toImage()
    return {image.pixelColor(x, y).name() for x in range(0, 120, 3) for y in range(0, image.height(), 3)}


def test_the_drafted_part_is_marked_in_the_colours_of_the_theme(editor: ManuscriptEditor) -> None:
    editor.set_tokens(DARK)
    editor.show_text(LONG)
    assert DARK.wash not in colours(editor)
    editor.begin_drafting()
    editor.append_drafted("\n\nIt rained all night.\n\nAnd the day after.")
    assert {DARK.wash, DARK.mark} <= colours(editor)


@pytest.mark.parametrize("place_of_it", ["paste", "copy"])
def test_no_break_spaces_survive_the_clipboard(editor: ManuscriptEditor, place_of_it: str) -> None:
    editor.show_text("" if place_of_it == "paste" else "5\u00a0km\nand\u202fon")
    if place_of_it == "paste":
        data = QMimeData()
        data.setText("5\u00a0km\r\nand\u202fon")
        editor.insertFromMimeData(data)
    editor.selectAll()
    assert editor.createMimeDataFromSelection().text() == "5\u00a0km\nand\u202fon"
    assert editor.createMimeDataFromSelection().formats() == ["text/plain"]
    assert editor.text() == "5\u00a0km\nand\u202fon"


def test_pasting_takes_marks_not_looks(editor: ManuscriptEditor) -> None:
    rich = QTextDocument()
    rich.setHtml("<h1>Big</h1><p><b>bold</b></p>")
    data = QMimeData()
    data.setHtml(rich.toHtml())
    data.setText("Big\nbold")
    editor.show_text("")
    editor.insertFromMimeData(data)
    assert editor.text() == "# Big\n\n**bold**"
    assert editor.textCursor().charFormat().fontWeight() != 700


def test_a_dropped_file_or_picture_is_not_text(editor: ManuscriptEditor) -> None:
    data = QMimeData()
    data.setUrls([QUrl("file:///etc/passwd")])
    assert not editor.canInsertFromMimeData(data)
    editor.show_text("")
    editor.insertFromMimeData(data)
    assert editor.text() == ""


def test_a_line_holds_about_as_many_characters_at_every_size(editor: ManuscriptEditor) -> None:
    editor.resize(1600, 500)
    editor.show_text("the quiet river and the boats upon it went on into the dark " * 10)
    for size_px in (15, 19, 27):
        editor.set_text_px(size_px)
        QApplication.processEvents()
        line = editor.document().begin().layout().lineAt(0)
        assert 60 <= line.textLength() <= 76


def test_the_column_stands_in_the_middle_and_its_sides_take_part(
    editor: ManuscriptEditor, qtbot: Any
) -> None:
    editor.resize(1400, 500)
    editor.show_text(LONG)
    column = editor.viewport().geometry()
    assert abs(column.center().x() - 700) <= 1
    editor.verticalScrollBar().setValue(100)
    turned = QWheelEvent(
        QPointF(20, 200),
        QPointF(editor.mapToGlobal(QPoint(20, 200))),
        QPoint(0, 0),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(editor, turned)
    assert editor.verticalScrollBar().value() > 100
    qtbot.mouseClick(editor, Qt.MouseButton.LeftButton, pos=QPoint(10, 200))
    assert editor.textCursor().atBlockStart()


def test_ctrl_and_the_wheel_ask_for_another_size(editor: ManuscriptEditor, qtbot: Any) -> None:
    turned = QWheelEvent(
        QPointF(100, 100),
        QPointF(100, 100),
        QPoint(0, 0),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.ControlModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    with qtbot.waitSignal(editor.zoom_asked) as asked:
        QApplication.sendEvent(editor.viewport(), turned)
    assert asked.args == [1]


def test_a_text_that_is_locked_can_be_selected_but_not_changed(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("It rained")
    qtbot.keyClicks(editor, "!")
    editor.set_locked(locked=True)
    editor.begin_drafting()
    editor.end_drafting()
    qtbot.keyClicks(editor, "no")
    qtbot.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert editor.textCursor().selectedText() == "It rained!"
    editor.set_locked(locked=False)
    qtbot.keyClick(editor, Qt.Key.Key_Right)
    qtbot.keyClicks(editor, "!")
    assert editor.text() == "It rained!!"


def test_nothing_is_pasted_or_dropped_into_a_locked_text(editor: ManuscriptEditor) -> None:
    editor.show_text("It rained")
    editor.begin_drafting()
    data = QMimeData()
    data.setText(" all night")
    editor.insertFromMimeData(data)
    assert editor.text() == "It rained"
    editor.end_drafting()
    editor.insertFromMimeData(data)
    assert editor.text() == "It rained all night"


def mouse(
    widget: QWidget,
    kind: QEvent.Type,
    place: QPoint,
    button: Qt.MouseButton,
    held: Qt.MouseButton = Qt.MouseButton.NoButton,
) -> None:
    """Send what qtbot cannot: moves with a button held, and buttons that nobody accepts."""
    on_screen = QPointF(widget.mapToGlobal(place))
    event = QMouseEvent(kind, QPointF(place), on_screen, button, held, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(widget, event)


@pytest.mark.parametrize("button", [Qt.MouseButton.BackButton, Qt.MouseButton.MiddleButton])
@pytest.mark.parametrize("drafting", [False, True])
@pytest.mark.parametrize("beside", [False, True])
def test_a_button_that_means_nothing_does_nothing(
    editor: ManuscriptEditor, button: Qt.MouseButton, drafting: bool, beside: bool
) -> None:
    QApplication.clipboard().clear()
    editor.show_text("It rained")
    if drafting:
        editor.begin_drafting()
    hit, place = (editor, QPoint(4, 100)) if beside else (editor.viewport(), QPoint(100, 100))
    mouse(hit, QEvent.Type.MouseButtonPress, place, button, button)
    mouse(hit, QEvent.Type.MouseButtonRelease, place, button)
    assert editor.text() == "It rained"


def test_a_selection_can_begin_beside_the_column(editor: ManuscriptEditor, qtbot: Any) -> None:
    editor.show_text("It rained")
    editor.moveCursor(QTextCursor.MoveOperation.Start)
    line = editor.cursorRect().center() + editor.viewport().pos()
    qtbot.mousePress(editor, Qt.MouseButton.LeftButton, pos=QPoint(2, line.y()))
    far = QPoint(editor.viewport().geometry().right() - 2, line.y())
    mouse(editor, QEvent.Type.MouseMove, far, Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton)
    qtbot.mouseRelease(editor, Qt.MouseButton.LeftButton, pos=far)
    assert editor.textCursor().selectedText() == "It rained"
