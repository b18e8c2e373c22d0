"""Index cards: what a card shows, where one can be dropped, and the keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragMoveEvent, QDropEvent, QPainter
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QStyleOptionViewItem

from quire.domain.manuscript.tree import Node, NodeKind, Status, Tree
from quire.domain.manuscript.tree_edits import Spot, changed, moved
from quire.domain.manuscript.tree_requests import BookEdit, Move, SetSynopsis
from quire.domain.manuscript.word_counts import Words
from quire.manuscript.card_delegate import CardDelegate, Index
from quire.manuscript.cards_view import CardsView
from quire.manuscript.outline_view import OutlineView
from quire.manuscript.tree_model import BookTreeModel, TreeRole
from quire.theme.theme_switch import ThemeSwitch
from tests.app.domain.manuscript.test_tree_edits import (
    BOOK,
    FERRY,
    HARBOUR,
    LETTERS,
    PART_ONE,
    PART_TWO,
    STORM,
    TREE,
)

CTRL = Qt.KeyboardModifier.ControlModifier
NONE = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def book(themes: ThemeSwitch) -> BookTreeModel:
    book = BookTreeModel()
    book.open_tree(TREE)
    return book


@pytest.fixture
def cards(book: BookTreeModel, themes: ThemeSwitch) -> Iterator[CardsView]:
    outline = OutlineView(book)
    cards = CardsView(outline.table, book, themes)
    tester = QAbstractItemModelTester(cards.table, QAbstractItemModelTester.FailureReportingMode.Warning)
    cards.resize(800, 500)
    cards.show()
    cards.view.setFocus()
    QApplication.processEvents()
    yield cards
    tester.deleteLater()
    for view in (cards, outline):
        view.close()
        view.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def asked(cards: CardsView) -> list[BookEdit]:
    edits: list[BookEdit] = []
    cards.edit_asked.connect(edits.append)
    cards.outline.edit_asked.connect(edits.append)
    return edits


def drag(cards: CardsView, node_id: int) -> QMimeData:
    return cards.table.mimeData([cards.table.card(node_id)])


def place(cards: CardsView, node_id: int, *, after: bool) -> QPoint:
    rect = cards.view.visualRect(cards.table.card(node_id))
    return QPoint(rect.right() - 8 if after else rect.left() + 8, rect.center().y())


def hover(cards: CardsView, data: QMimeData, at: QPoint) -> bool:
    event = QDragMoveEvent(at, Qt.DropAction.MoveAction, data, LEFT, NONE)
    cards.view.dragMoveEvent(event)  # sent to the viewport it would need a drag that is under way
    return event.isAccepted()


def drop(cards: CardsView, data: QMimeData, at: QPoint) -> bool:
    event = QDropEvent(QPointF(at), Qt.DropAction.MoveAction, data, LEFT, NONE)
    cards.view.dropEvent(event)
    return event.isAccepted()


def test_a_card_says_what_it_is(cards: CardsView, book: BookTreeModel) -> None:
    book.show_words({HARBOUR: Words(1_200, 34)})
    node = replace(TREE.node(HARBOUR), synopsis="They  arrive.\nIt rains.", status=Status.DRAFT)
    book.show_tree(changed(TREE, [node]))
    card = cards.table.card(HARBOUR)
    assert card.data(TreeRole.NODE) == node
    assert card.data(TreeRole.WORDS) == Words(1_200, 34)
    said = card.data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "Harbour, Chapter, 1,234 words: 1,200 written, 34 drafted, Draft. They arrive. It rains."
    assert cards.view.accessibleName() == "Index cards"
    assert cards.grab().width() == 800  # painting it fails nowhere


def test_a_card_is_dropped_before_or_after_another(cards: CardsView, asked: list[BookEdit]) -> None:
    ferry = drag(cards, FERRY)
    assert hover(cards, ferry, place(cards, HARBOUR, after=False))
    assert drop(cards, ferry, place(cards, HARBOUR, after=False))
    assert drop(cards, ferry, place(cards, HARBOUR, after=True))
    assert drop(cards, drag(cards, STORM), place(cards, FERRY, after=True))
    assert asked == [
        Move(FERRY, Spot(PART_ONE, HARBOUR)),
        Move(FERRY, Spot(PART_ONE, LETTERS)),
        Move(STORM, Spot(FERRY)),
    ]


def test_behind_the_last_card_is_the_end_of_the_book(cards: CardsView, asked: list[BookEdit]) -> None:
    below = QPoint(20, cards.view.visualRect(cards.table.card(FERRY)).bottom() + 40)
    assert drop(cards, drag(cards, PART_ONE), below)
    assert asked == [Move(PART_ONE, Spot(BOOK))]


def test_where_a_card_cannot_lie_nothing_is_dropped(
    cards: CardsView, book: BookTreeModel, asked: list[BookEdit]
) -> None:
    between = place(cards, LETTERS, after=True)  # a chapter is not read among the scenes of another
    assert not hover(cards, drag(cards, FERRY), between)
    assert not drop(cards, drag(cards, FERRY), between)
    assert not drop(cards, QMimeData(), place(cards, HARBOUR, after=True))
    ferry = drag(cards, FERRY)
    book.set_read_only(read_only=True)
    assert not drop(cards, ferry, place(cards, HARBOUR, after=True))
    assert not cards.table.flags(cards.table.card(FERRY)) & Qt.ItemFlag.ItemIsDragEnabled
    assert asked == []


def test_a_row_of_the_tree_can_be_dropped_among_the_cards(
    cards: CardsView, book: BookTreeModel, asked: list[BookEdit]
) -> None:
    assert drop(cards, book.mimeData([book.index_of(FERRY)]), place(cards, HARBOUR, after=False))
    assert asked == [Move(FERRY, Spot(PART_ONE, HARBOUR))]


def test_the_same_card_is_selected_after_a_move(cards: CardsView, book: BookTreeModel, qtbot: Any) -> None:
    cards.go_to(FERRY)
    book.show_tree(changed(TREE, moved(TREE, FERRY, Spot(PART_ONE, HARBOUR))))
    qtbot.waitUntil(lambda: cards.table.card(FERRY).row() == 1)
    qtbot.waitUntil(lambda: cards.view.currentIndex() == cards.table.card(FERRY))


def test_keys_move_open_edit_and_leave(cards: CardsView, asked: list[BookEdit], qtbot: Any) -> None:
    cards.go_to(FERRY)
    steps, opened = list[int](), list[int]()
    cards.shift_asked.connect(steps.append)
    cards.document_chosen.connect(opened.append)
    QTest.keyClick(cards.view, Qt.Key.Key_Left, CTRL)
    QTest.keyClick(cards.view, Qt.Key.Key_Right, CTRL)
    assert steps == [-1, 1]
    QTest.keyClick(cards.view, Qt.Key.Key_F2)
    field = next(one for one in cards.view.viewport().findChildren(QPlainTextEdit) if one.isVisible())
    QTest.keyClicks(field, "They leave.")
    QTest.keyClick(field, Qt.Key.Key_Return, CTRL)
    assert asked == [SetSynopsis(FERRY, "They leave.")]
    QTest.keyClick(cards.view, Qt.Key.Key_Return)
    assert opened == [FERRY]
    with qtbot.waitSignal(cards.left):
        QTest.keyClick(cards.view, Qt.Key.Key_Escape)


def test_a_double_click_opens_and_arrows_choose(cards: CardsView, qtbot: Any) -> None:
    cards.go_to(HARBOUR)
    with qtbot.waitSignal(cards.chosen) as chosen:
        QTest.keyClick(cards.view, Qt.Key.Key_Right)
    assert chosen.args == [LETTERS]
    cards.go_to(FERRY)
    at = cards.view.visualRect(cards.table.card(FERRY)).center()
    qtbot.mouseClick(cards.view.viewport(), LEFT, pos=at)
    with qtbot.waitSignal(cards.document_chosen) as opened:
        qtbot.mouseDClick(cards.view.viewport(), LEFT, pos=at)
    assert opened.args == [FERRY]


class CountingDelegate(CardDelegate):
    """Notes which cards are painted."""

    painted: list[int]

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        self.painted.append(index.row())
        super().paint(painter, option, index)


def test_of_a_thousand_chapters_only_those_in_sight_are_painted(
    cards: CardsView, book: BookTreeModel
) -> None:
    chapters = [Node(100 + n, NodeKind.CHAPTER, f"Chapter {n}", PART_TWO, 1 + n) for n in range(1_000)]
    counting = CountingDelegate(book.texts, cards)
    counting.painted = []
    counting.set_width(240)
    cards.view.setItemDelegate(counting)
    book.open_tree(Tree([*TREE.nodes, *chapters]))
    cards.go_to(1_099)
    cards.grab()
    assert cards.table.rowCount() == 1_007
    assert 0 < len(set(counting.painted)) < 60
    assert max(counting.painted) == 1_006
