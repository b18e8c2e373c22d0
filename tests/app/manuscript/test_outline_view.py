from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from quire.domain.manuscript.tree import Status
from quire.domain.manuscript.tree_edits import Spot, changed, moved, trashed
from quire.domain.manuscript.tree_requests import BookEdit, SetStatus, SetSynopsis
from quire.domain.manuscript.word_counts import Words
from quire.manuscript.outline_model import OutlineColumn
from quire.manuscript.outline_view import OutlineView
from quire.manuscript.synopsis_panel import StatusBox
from quire.manuscript.tree_model import BookTreeModel
from quire.theme.theme_switch import ThemeSwitch
from tests.app.domain.manuscript.test_tree_edits import (
    CALM,
    FERRY,
    HARBOUR,
    LETTERS,
    NOW,
    PART_ONE,
    PART_TWO,
    STORM,
    TREE,
)

CTRL = Qt.KeyboardModifier.ControlModifier
COLUMN = OutlineColumn


@pytest.fixture
def book(themes: ThemeSwitch) -> BookTreeModel:
    """The small book: Part One with Harbour and Letters (Storm, Calm), Part Two with Ferry."""
    book = BookTreeModel()
    book.open_tree(TREE)
    return book


@pytest.fixture
def outline(book: BookTreeModel, qtbot: Any) -> Iterator[OutlineView]:
    outline = OutlineView(book)
    tester = QAbstractItemModelTester(outline.table, QAbstractItemModelTester.FailureReportingMode.Warning)
    outline.resize(1000, 500)
    outline.show()
    outline.view.setFocus()
    yield outline
    tester.deleteLater()
    outline.close()
    outline.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.clipboard().clear()


@pytest.fixture
def asked(outline: OutlineView) -> list[BookEdit]:
    edits: list[BookEdit] = []
    outline.edit_asked.connect(edits.append)
    return edits


def cell(outline: OutlineView, node_id: int, column: OutlineColumn) -> QModelIndex:
    row = outline.table.row_of(node_id)
    assert row is not None
    return outline.table.index(row, column)


def column(outline: OutlineView, column: OutlineColumn) -> list[Any]:
    return [outline.table.index(row, column).data() for row in range(outline.table.rowCount())]


def edit(outline: OutlineView, index: QModelIndex, kind: type[QWidget]) -> Any:
    outline.view.setCurrentIndex(index)
    outline.view.edit(index)
    return next(field for field in outline.view.viewport().findChildren(kind) if field.isVisible())


def test_the_book_is_shown_in_reading_order(outline: OutlineView) -> None:
    assert [title.strip() for title in column(outline, COLUMN.TITLE)] == [
        "Part One", "Harbour", "Letters", "Storm", "Calm", "Part Two", "Ferry",
    ]  # fmt: skip
    depths = [len(title) - len(title.lstrip()) for title in column(outline, COLUMN.TITLE)]
    assert depths == [0, 4, 4, 8, 8, 0, 4]


def test_words_goals_and_status_are_shown(outline: OutlineView, book: BookTreeModel) -> None:
    book.show_words({HARBOUR: Words(1200, 34), FERRY: Words(5, 0)})
    outline.table.show_goals({HARBOUR: 2000})
    assert cell(outline, HARBOUR, COLUMN.WRITTEN).data() == "1,200"
    assert cell(outline, HARBOUR, COLUMN.DRAFTED).data() == "34"
    assert cell(outline, PART_ONE, COLUMN.WRITTEN).data() == "1,200"
    assert column(outline, COLUMN.GOAL) == ["", "2,000", "", "", "", "", ""]
    book.show_tree(changed(TREE, [replace(TREE.node(FERRY), status=Status.DONE)]))
    assert cell(outline, FERRY, COLUMN.STATUS).data() == "Done"


def test_a_synopsis_can_be_typed_in_several_lines(outline: OutlineView, asked: list[BookEdit]) -> None:
    field = edit(outline, cell(outline, LETTERS, COLUMN.SYNOPSIS), QPlainTextEdit)
    QTest.keyClicks(field, "A letter.")
    QTest.keyClick(field, Qt.Key.Key_Return)
    QTest.keyClicks(field, "Nobody reads it.")
    assert asked == []
    QTest.keyClick(field, Qt.Key.Key_Return, CTRL)
    assert asked == [SetSynopsis(LETTERS, "A letter.\nNobody reads it.")]


def test_esc_in_a_synopsis_changes_nothing(outline: OutlineView, asked: list[BookEdit], qtbot: Any) -> None:
    field = edit(outline, cell(outline, LETTERS, COLUMN.SYNOPSIS), QPlainTextEdit)
    QTest.keyClicks(field, "x")
    with qtbot.assertNotEmitted(outline.left):
        QTest.keyClick(field, Qt.Key.Key_Escape)
    assert asked == []


def test_what_is_stored_is_shown(outline: OutlineView, book: BookTreeModel) -> None:
    outline.view.setCurrentIndex(cell(outline, FERRY, COLUMN.SYNOPSIS))
    book.show_tree(changed(TREE, [replace(TREE.node(FERRY), synopsis="They  leave.\nAll.")]))
    assert cell(outline, FERRY, COLUMN.SYNOPSIS).data() == "They leave. All."
    assert cell(outline, FERRY, COLUMN.SYNOPSIS).data(Qt.ItemDataRole.EditRole) == "They  leave.\nAll."
    assert outline.view.currentIndex().row() == cell(outline, FERRY, COLUMN.SYNOPSIS).row()


def test_a_status_can_be_chosen(outline: OutlineView, asked: list[BookEdit]) -> None:
    box = edit(outline, cell(outline, FERRY, COLUMN.STATUS), StatusBox)
    box.setCurrentIndex(box.findData("revised"))
    box.activated.emit(box.currentIndex())
    assert asked == [SetStatus(FERRY, Status.REVISED)]


def test_what_is_as_it_was_is_not_asked_for(outline: OutlineView, asked: list[BookEdit]) -> None:
    table = outline.table
    assert not table.setData(cell(outline, FERRY, COLUMN.SYNOPSIS), "")
    assert not table.setData(cell(outline, FERRY, COLUMN.STATUS), "")
    assert not table.setData(cell(outline, FERRY, COLUMN.TITLE), "Other")
    assert asked == []


def test_a_project_that_can_only_be_read_is_not_changed(
    outline: OutlineView, book: BookTreeModel, asked: list[BookEdit]
) -> None:
    book.set_read_only(read_only=True)
    index = cell(outline, FERRY, COLUMN.SYNOPSIS)
    assert not index.flags() & Qt.ItemFlag.ItemIsEditable
    assert not outline.table.setData(index, "x")
    assert asked == []


def test_it_follows_the_tree(outline: OutlineView, book: BookTreeModel, qtbot: Any) -> None:
    def titles() -> list[str]:
        return [title.strip() for title in column(outline, COLUMN.TITLE)]

    tree = changed(TREE, moved(TREE, PART_TWO, Spot(1, PART_ONE)))
    book.show_tree(tree)
    qtbot.waitUntil(lambda: titles()[:2] == ["Part Two", "Ferry"])
    tree = changed(tree, [], [LETTERS, STORM, CALM])
    book.show_tree(tree)
    qtbot.waitUntil(lambda: titles() == ["Part Two", "Ferry", "Part One", "Harbour"])
    book.show_tree(changed(tree, trashed(tree, PART_ONE, NOW)))
    qtbot.waitUntil(lambda: titles() == ["Part Two", "Ferry"])


def test_it_is_copied_as_a_table(outline: OutlineView, book: BookTreeModel) -> None:
    book.show_tree(
        changed(TREE, [replace(TREE.node(FERRY), synopsis='=They "go",\nall', status=Status.DRAFT)])
    )
    book.show_words({FERRY: Words(1200, 34)})
    outline.copy_button.click()
    rows = list(csv.reader(QApplication.clipboard().text().splitlines(keepends=True)))
    assert rows[0] == ["Kind", "Title", "Synopsis", "Status", "Written", "Drafted", "Goal"]
    assert len(rows) == 8
    assert rows[7] == ["Chapter", "Ferry", '\'=They "go",\nall', "Draft", "1200", "34", ""]


def test_the_rows_that_are_chosen_are_copied_alone(outline: OutlineView) -> None:
    outline.view.selectRow(1)
    outline.view.setSelectionMode(outline.view.SelectionMode.MultiSelection)
    outline.view.selectRow(6)
    QTest.keyClick(outline.view, Qt.Key.Key_C, CTRL)
    rows = list(csv.reader(QApplication.clipboard().text().splitlines()))
    assert [row[1] for row in rows[1:]] == ["Harbour", "Ferry"]


def test_return_or_a_double_click_on_a_title_opens_the_text(outline: OutlineView, qtbot: Any) -> None:
    outline.go_to(LETTERS)
    with qtbot.waitSignal(outline.document_chosen) as chosen:
        QTest.keyClick(outline.view, Qt.Key.Key_Return)
    assert chosen.args == [LETTERS]
    with qtbot.waitSignal(outline.document_chosen) as chosen:
        outline.view.doubleClicked.emit(cell(outline, FERRY, COLUMN.TITLE))
    assert chosen.args == [FERRY]
    with qtbot.assertNotEmitted(outline.document_chosen):
        outline.view.doubleClicked.emit(cell(outline, FERRY, COLUMN.STATUS))


def test_esc_leaves(outline: OutlineView, qtbot: Any) -> None:
    with qtbot.waitSignal(outline.left):
        QTest.keyClick(outline.view, Qt.Key.Key_Escape)
    with qtbot.waitSignal(outline.left):
        outline.back_button.click()


def test_every_cell_can_be_told(outline: OutlineView) -> None:
    assert outline.view.accessibleName()
    index = cell(outline, HARBOUR, COLUMN.TITLE)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "Title: Harbour"


def test_without_a_book_it_is_empty(themes: ThemeSwitch, qtbot: Any) -> None:
    outline = OutlineView(BookTreeModel())
    qtbot.addWidget(outline)
    outline.go_to(3)
    assert outline.table.rowCount() == 0
    assert len(outline.table.as_csv().splitlines()) == 1
