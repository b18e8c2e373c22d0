from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from quire.book_formats.blocks import BlockKind
from quire.reading.passages import ReadingPassage
from quire.reading.reading_page import ReadingPage
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch

LEFT = Qt.MouseButton.LeftButton
NO_KEYS = Qt.KeyboardModifier.NoModifier
SHIFT, CTRL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
NUM_CHAPTERS = 40
EACH = 12
"""Pieces of a chapter, its heading among them."""


def a_book() -> tuple[ReadingPassage, ...]:
    passages = [
        ReadingPassage(BlockKind.TITLE, 2, 0, "The Crossing"),
        ReadingPassage(BlockKind.AUTHOR, 2, 0, "Ann Lee"),
    ]
    for number in range(NUM_CHAPTERS):
        node_id, start = number + 2, 0
        passages.append(ReadingPassage(BlockKind.CHAPTER, node_id, start, f"Chapter {number + 1}"))
        for place in range(EACH - 1):
            text = (
                f"Paragraph {place} of {number + 1} *says* {'rain and wind and ' * (3 + 5 * (place % 3))}all."
            )
            passages.append(ReadingPassage(BlockKind.PARAGRAPH, node_id, start, text, is_first=place == 0))
            start += len(text) + 2
    return tuple(passages)


BOOK = a_book()


def first_of(chapter: int) -> int:
    return 2 + EACH * (chapter - 1)


@pytest.fixture
def page(themes: ThemeSwitch) -> Iterator[ReadingPage]:
    """The book on the screen, at its beginning."""
    page = ReadingPage(themes)
    page.resize(900, 600)
    page.show()
    page.show_book(BOOK, 2, 0)
    page.view.setFocus()
    yield page
    page.close()
    page.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.clipboard().clear()


def seen(page: ReadingPage) -> list[int]:
    return [index for index, _ in page.view.flow.visible()]


def press(page: ReadingPage, key: Qt.Key, keys: Qt.KeyboardModifier = NO_KEYS) -> None:
    QTest.keyClick(page.view, key, keys)


def point_of(page: ReadingPage, index: int, x: int = 0) -> QPoint:
    """Return a point in the first line of a paragraph that is seen, from the left edge of the column."""
    tops = dict(page.view.flow.visible())
    left = (page.view.viewport().width() - page.view.column_px) // 2
    return QPoint(left + x, tops[index] + 12)


def test_it_begins_with_the_title(page: ReadingPage) -> None:
    assert seen(page)[:4] == [0, 1, 2, 3]
    assert page.view.place == (2, 0)
    assert page.chapters.currentText() == "The Crossing"


def test_it_opens_where_the_caret_was(page: ReadingPage) -> None:
    passage = BOOK[first_of(9) + 4]
    page.show_book(BOOK, passage.node_id, passage.start + 3)
    assert page.view.place == (passage.node_id, passage.start)
    assert page.chapters.currentText() == "Chapter 9"
    assert page.view.flow.num_measured < 40


def test_space_and_page_keys_turn_pages(page: ReadingPage) -> None:
    height = page.view.viewport().height()
    for key, keys, back, back_keys in (
        (Qt.Key.Key_Space, NO_KEYS, Qt.Key.Key_Space, SHIFT),
        (Qt.Key.Key_PageDown, NO_KEYS, Qt.Key.Key_PageUp, NO_KEYS),
    ):
        last = seen(page)[-1]
        press(page, key, keys)
        assert height / 2 < page.view.flow.top < height
        assert last in seen(page)
        press(page, back, back_keys)
        assert page.view.flow.top == 0


def test_home_and_end_go_to_the_ends(page: ReadingPage) -> None:
    press(page, Qt.Key.Key_End)
    assert seen(page)[-1] == len(BOOK) - 1
    bar = page.view.verticalScrollBar()
    assert bar.value() == bar.maximum()
    press(page, Qt.Key.Key_Up)
    assert bar.value() < bar.maximum()
    press(page, Qt.Key.Key_Home)
    assert (page.view.flow.top, bar.value()) == (0, 0)
    press(page, Qt.Key.Key_Down)
    assert page.view.flow.top > 0


def test_the_bar_and_the_wheel_scroll(page: ReadingPage) -> None:
    bar = page.view.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    middle = seen(page)[0]
    assert len(BOOK) // 3 < middle < len(BOOK) * 2 // 3
    top = page.view.flow.top
    bar.setValue(bar.value() - 200)
    assert page.view.flow.top == bar.value()
    assert seen(page)[0] <= middle
    assert abs(top - 200 - page.view.flow.top) < 400  # guesses above were corrected


def test_scrolling_up_into_what_was_never_seen_moves_nothing_else(page: ReadingPage) -> None:
    page.show_book(BOOK, BOOK[first_of(20)].node_id, 0)
    tops = dict(page.view.flow.visible())
    bar = page.view.verticalScrollBar()
    bar.setValue(bar.value() - 150)
    now = dict(page.view.flow.visible())
    assert {index: y + 150 for index, y in tops.items() if index in now}.items() <= now.items()


def test_the_text_that_is_read_is_told(page: ReadingPage) -> None:
    told = list[int]()
    page.view.text_read.connect(told.append)
    page.view.go_to(first_of(5))
    page.view.go_to(first_of(5) + 2)
    page.view.go_to(first_of(6))
    assert told == [6, 7]


def test_a_chapter_can_be_chosen(page: ReadingPage, qtbot: Any) -> None:
    assert page.chapters.count() == NUM_CHAPTERS + 1
    page.chapters.activated.emit(7)
    assert seen(page)[0] == first_of(7)
    assert page.view.hasFocus()
    assert page.chapters.currentText() == "Chapter 7"


def test_words_are_found_and_selected(page: ReadingPage) -> None:
    QTest.keyClick(page.view, Qt.Key.Key_F, CTRL)
    assert page.field.hasFocus()
    QTest.keyClicks(page.field, "5 of 31 says  RAIN")
    QTest.keyClick(page.field, Qt.Key.Key_Return)
    assert page.view.selected_text() == "5 of 31 says rain"
    assert first_of(31) + 6 in seen(page)
    assert page.answer.whole_text == ""
    page.field.setText("never said")
    QTest.keyClick(page.field, Qt.Key.Key_Return)
    assert page.answer.whole_text == "Not found"
    page.field.clear()
    assert page.answer.whole_text == ""
    QTest.keyClick(page.field, Qt.Key.Key_Escape)
    assert page.view.hasFocus()


def test_the_next_and_the_one_before_are_found_all_around(page: ReadingPage) -> None:
    page.field.setText("paragraph 3 of")
    found = list[int]()
    for backwards in (False, False, True, True, True):
        page.find_next(backwards=backwards)
        found.append(page.view.place[0] - 1)
    assert found == [1, 2, 1, NUM_CHAPTERS, NUM_CHAPTERS - 1]


def test_what_is_selected_is_copied_as_plain_text(page: ReadingPage) -> None:
    page.view.go_to(first_of(2))
    view = page.view.viewport()
    first, last = first_of(2) + 1, first_of(2) + 2
    start, end = point_of(page, first), point_of(page, last, 4000)
    QTest.mousePress(view, LEFT, NO_KEYS, start)
    QTest.mouseMove(view, end)
    QTest.mouseRelease(view, LEFT, NO_KEYS, end)
    press(page, Qt.Key.Key_C, CTRL)
    whole = f"{BOOK[first].text}\n\n{BOOK[last].text}"
    copied = QApplication.clipboard().text()
    assert whole.startswith(copied)
    assert copied.startswith(f"{BOOK[first].text}\n\nParagraph 1 of 2")
    assert "*" not in copied


def test_a_chapter_is_selected_as_a_whole(page: ReadingPage) -> None:
    page.view.go_to(first_of(3) + 4)
    press(page, Qt.Key.Key_A, CTRL)
    assert page.view.selected_text() == "\n\n".join(
        passage.text for passage in BOOK[first_of(3) : first_of(4)]
    )


def test_a_click_forgets_the_selection(page: ReadingPage) -> None:
    page.view.select_chapter()
    QTest.mouseClick(page.view.viewport(), LEFT, NO_KEYS, point_of(page, 3))
    assert page.view.selected_text() == ""
    page.view.copy()
    assert QApplication.clipboard().text() == ""


def test_a_double_click_or_return_goes_to_the_place(page: ReadingPage, qtbot: Any) -> None:
    page.view.go_to(first_of(4))
    index = first_of(4) + 1
    with qtbot.waitSignal(page.place_chosen) as chosen:
        QTest.mouseDClick(page.view.viewport(), LEFT, NO_KEYS, point_of(page, index))
    assert chosen.args == [BOOK[index].node_id, BOOK[index].start]
    page.field.setText("2 of 4 says")
    page.find_next()
    with qtbot.waitSignal(page.place_chosen) as chosen:
        press(page, Qt.Key.Key_Return)
    found = BOOK[first_of(4) + 3]
    assert chosen.args == [found.node_id, found.start + found.source.index(" rain")]


def test_esc_leaves(page: ReadingPage, qtbot: Any) -> None:
    with qtbot.waitSignal(page.left):
        press(page, Qt.Key.Key_Escape)
    with qtbot.waitSignal(page.left):
        page.back_button.click()


def test_another_size_or_width_keeps_the_place(page: ReadingPage) -> None:
    page.view.go_to(first_of(12) + 5)
    place = page.view.place
    page.view.set_text_px(28)
    assert page.view.place == place
    page.resize(1400, 700)
    assert page.view.place == place
    page.resize(700, 500)
    assert page.view.place == place


def test_ctrl_and_the_wheel_ask_for_another_size(page: ReadingPage, qtbot: Any) -> None:
    middle = QPointF(page.view.viewport().rect().center())
    turned = QWheelEvent(
        middle,
        middle,
        QPoint(),
        QPoint(0, 120),
        Qt.MouseButton.NoButton,
        CTRL,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    with qtbot.waitSignal(page.view.zoom_asked) as asked:
        QApplication.sendEvent(page.view.viewport(), turned)
    assert asked.args == [1]
    assert page.view.flow.top == 0


def test_a_selection_grows_beyond_the_edge(page: ReadingPage) -> None:
    view = page.view.viewport()
    QTest.mousePress(view, LEFT, NO_KEYS, point_of(page, 3))
    for _ in range(30):
        QTest.mouseMove(view, QPoint(200, view.height() + 40))
        QTest.mouseMove(view, QPoint(210, view.height() + 41))
    QTest.mouseRelease(view, LEFT, NO_KEYS, QPoint(210, view.height() + 41))
    assert page.view.flow.top > 0
    assert page.view.selected_text().count("\n\n") > 5


def test_only_some_of_the_book_is_laid_out(page: ReadingPage) -> None:
    for chapter in range(1, NUM_CHAPTERS):
        page.view.go_to(first_of(chapter))
        page.view.viewport().repaint()
    assert page.view.flow.num_measured > 100
    assert page.view.num_laid <= 400


def test_a_book_without_words_is_shown(page: ReadingPage) -> None:
    page.show_book((), 2, 0)
    for key in (Qt.Key.Key_End, Qt.Key.Key_Space, Qt.Key.Key_Return):
        press(page, key)
    press(page, Qt.Key.Key_A, CTRL)
    QTest.mouseClick(page.view.viewport(), LEFT, NO_KEYS, QPoint(100, 100))
    QTest.mouseDClick(page.view.viewport(), LEFT, NO_KEYS, QPoint(100, 100))
    page.field.setText("x")
    page.find_next()
    assert page.view.selected_text() == ""
    assert not page.chapters.isEnabled()


def test_the_page_has_the_colours_of_the_theme(page: ReadingPage, themes: ThemeSwitch) -> None:
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        themes.choose(choice)
        picture = page.view.viewport().grab().toImage()
        paper = QColor(themes.tokens.paper)
        assert picture.pixelColor(3, 300) == paper
        colours = {picture.pixelColor(x, y).name() for x in range(100, 700, 2) for y in range(80, 400, 3)}
        assert themes.tokens.ink in colours


def test_everything_has_a_name(page: ReadingPage) -> None:
    for widget in (page.view, page.chapters, page.field):
        assert widget.accessibleName()
