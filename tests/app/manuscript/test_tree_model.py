from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester

from quire.domain.manuscript import tree_edits
from quire.domain.manuscript.tree import Node, NodeKind, Status, Tree
from quire.domain.manuscript.tree_edits import Spot, changed
from quire.domain.manuscript.tree_requests import BookEdit, Move, Rename, Trash
from quire.domain.manuscript.tree_rows import Group, kept_in_order
from quire.domain.manuscript.word_counts import Words
from quire.errors import WriterProblem
from quire.manuscript.tree_model import BookTreeModel, Column, TreeRole
from tests.app.domain.manuscript.test_tree_edits import (
    BOOK,
    CALM,
    FERRY,
    HARBOUR,
    LETTERS,
    MARA,
    NOTE,
    NOW,
    PART_ONE,
    PART_TWO,
    STORM,
    TREE,
    edited,
)

MOVE = Qt.DropAction.MoveAction


@pytest.fixture
def model(qapp: Any) -> Iterator[BookTreeModel]:
    """The small book; whatever Qt finds wrong with the model is a warning, which fails the test."""
    model = BookTreeModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.open_tree(TREE)
    yield model
    tester.deleteLater()


def shown(model: BookTreeModel, parent: QModelIndex | None = None) -> list[Any]:
    """Return the titles as they are shown, what lies in each behind it."""
    parent = QModelIndex() if parent is None else parent
    found = []
    for row in range(model.rowCount(parent)):
        index = model.index(row, 0, parent)
        below = shown(model, index)
        found.append((index.data(), below) if below else index.data())
    return found


def wishes(model: BookTreeModel) -> list[BookEdit]:
    asked: list[BookEdit] = []
    model.edit_asked.connect(asked.append)
    return asked


def dragged(model: BookTreeModel, node_id: int) -> QMimeData:
    return model.mimeData([model.index_of(node_id)])


BOOK_ROWS = (
    "Book",
    [("Part One", ["Harbour", ("Letters", ["Storm", "Calm"])]), ("Part Two", ["Ferry"])],
)
ALL_ROWS = [BOOK_ROWS, ("Notes", ["Ideas"]), ("Characters", ["Mara"]), ("Places", ["Port"]), "Trash"]


def test_the_book_stands_first_and_the_trash_last(model: BookTreeModel) -> None:
    assert shown(model) == ALL_ROWS
    assert model.node_at(model.index_of(STORM)) == TREE.node(STORM)
    assert model.group_at(model.index_of_group(Group.TRASH)) is Group.TRASH
    assert model.parent(model.index_of(STORM)) == model.index_of(LETTERS)


def test_without_a_book_there_is_nothing(qapp: Any) -> None:
    model = BookTreeModel()
    assert shown(model) == []
    assert not model.index_of(BOOK).isValid()
    assert not model.index_of_group(Group.NOTES).isValid()


def test_an_edit_keeps_what_is_selected(model: BookTreeModel) -> None:
    kept = QPersistentModelIndex(model.index_of(STORM))
    tree = changed(TREE, tree_edits.moved(TREE, LETTERS, Spot(PART_TWO, FERRY)))
    model.show_tree(tree)
    assert shown(model)[0] == (
        "Book",
        [("Part One", ["Harbour"]), ("Part Two", [("Letters", ["Storm", "Calm"]), "Ferry"])],
    )
    assert kept.data(TreeRole.NODE) == tree.node(STORM)


def test_the_trash_holds_what_was_put_there_the_latest_first(model: BookTreeModel) -> None:
    tree = changed(TREE, tree_edits.trashed(TREE, LETTERS, NOW))
    model.show_tree(tree)
    tree = changed(tree, tree_edits.trashed(tree, MARA, NOW + timedelta(hours=1)))
    model.show_tree(tree)
    assert shown(model)[4] == ("Trash", ["Mara", ("Letters", ["Storm", "Calm"])])
    assert model.index_of(STORM).data(TreeRole.IN_TRASH)
    model.show_tree(changed(tree, [], [CALM, STORM, LETTERS]))
    assert shown(model)[4] == ("Trash", ["Mara"])
    assert model.node_at(model.index_of(LETTERS)) is None


def test_another_book_takes_the_place_of_the_one_before(model: BookTreeModel) -> None:
    model.show_words({FERRY: Words(10)})
    model.open_tree(Tree([Node(1, NodeKind.BOOK, "Other"), Node(2, NodeKind.CHAPTER, "One", 1)]))
    assert shown(model)[0] == ("Other", ["One"])
    assert model.index_of(2).data(TreeRole.WORDS) == Words()


def test_words_add_up_without_the_trash(model: BookTreeModel) -> None:
    model.show_words({LETTERS: Words(10, 5), STORM: Words(0, 20), FERRY: Words(7), MARA: Words(100)})
    assert model.index_of(LETTERS).data(TreeRole.WORDS) == Words(10, 25)
    assert model.index_of(BOOK).data(TreeRole.WORDS) == Words(17, 25)
    assert model.index_of(BOOK).siblingAtColumn(Column.DRAFTED).data() == "25"
    model.show_tree(changed(TREE, tree_edits.trashed(TREE, STORM, NOW)))
    assert model.index_of(BOOK).data(TreeRole.WORDS) == Words(17, 5)


def test_only_rows_whose_words_changed_are_drawn_again(model: BookTreeModel) -> None:
    model.show_words({FERRY: Words(7), STORM: Words(3)})
    told: list[object] = []
    model.dataChanged.connect(lambda first, last: told.append(first.data()))
    model.show_words({FERRY: Words(8), STORM: Words(3)})
    assert Counter(told) == Counter(["Book", "Part Two", "Ferry"])


def test_a_row_says_everything_in_words(model: BookTreeModel) -> None:
    node = replace(TREE.node(FERRY), status=Status.REVISED, synopsis="They cross.", exported=False)
    model.show_tree(changed(TREE, [node]))
    model.show_words({FERRY: Words(1200, 34)})
    index = model.index_of(FERRY)
    assert index.data(Qt.ItemDataRole.ToolTipRole) == (
        "Ferry\n1,234 words: 1,200 written, 34 drafted\nThey cross."
    )
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == (
        "Ferry, Chapter, 1,234 words: 1,200 written, 34 drafted, Revised, not exported"
    )
    assert index.siblingAtColumn(Column.STATUS).data() == "Revised"
    assert model.index_of(HARBOUR).siblingAtColumn(Column.STATUS).data() == ""
    assert model.index_of_group(Group.NOTES).data(Qt.ItemDataRole.AccessibleTextRole) == "Notes"
    headers = [model.headerData(column, Qt.Orientation.Horizontal) for column in Column]
    assert headers == ["Title", "Written", "Drafted", "Status"]


def test_the_open_text_is_known(model: BookTreeModel) -> None:
    model.show_open(HARBOUR)
    model.show_open(FERRY)
    assert not model.index_of(HARBOUR).data(TreeRole.IS_OPEN)
    assert model.index_of(FERRY).data(TreeRole.IS_OPEN)


def test_a_title_is_asked_for_and_shown_once_it_is_stored(model: BookTreeModel) -> None:
    asked, index = wishes(model), model.index_of(FERRY)
    assert index.data(Qt.ItemDataRole.EditRole) == "Ferry"
    assert model.setData(index, "  The  Ferry ")
    assert asked == [Rename(FERRY, "The Ferry")]
    assert index.data() == "Ferry"
    for unchanged in ("Ferry", "  ", ""):
        assert not model.setData(index, unchanged)
    assert not model.setData(model.index_of_group(Group.NOTES), "x")


def test_what_can_be_done_with_a_row(model: BookTreeModel) -> None:
    editable, drag, drop = (
        Qt.ItemFlag.ItemIsEditable,
        Qt.ItemFlag.ItemIsDragEnabled,
        Qt.ItemFlag.ItemIsDropEnabled,
    )
    assert model.index_of(FERRY).flags() & (editable | drag | drop) == editable | drag | drop
    assert model.index_of(BOOK).flags() & (editable | drag | drop) == editable | drop
    assert model.index_of_group(Group.TRASH).flags() & (editable | drag | drop) == drop
    model.show_tree(changed(TREE, tree_edits.trashed(TREE, FERRY, NOW)))
    assert model.index_of(FERRY).flags() & (editable | drag | drop) == drag
    model.set_read_only(read_only=True)
    assert not model.index_of(HARBOUR).flags() & (editable | drag | drop)


@pytest.mark.parametrize(
    ("node_id", "row", "parent_id", "spot"),
    [
        (LETTERS, 0, PART_TWO, Spot(PART_TWO, FERRY)),
        (LETTERS, 1, PART_TWO, Spot(PART_TWO)),
        (LETTERS, -1, PART_TWO, Spot(PART_TWO)),
        (LETTERS, -1, FERRY, Spot(PART_TWO)),
        (FERRY, -1, HARBOUR, Spot(PART_ONE, LETTERS)),
        (CALM, -1, STORM, Spot(LETTERS, CALM)),
        (STORM, -1, FERRY, Spot(FERRY)),
        (PART_TWO, 0, BOOK, Spot(BOOK, PART_ONE)),
        (PART_ONE, -1, PART_TWO, Spot(BOOK)),
        (FERRY, 0, BOOK, Spot(BOOK, PART_ONE)),
    ],
)
def test_what_is_dropped_is_asked_to_lie_there(
    model: BookTreeModel, node_id: int, row: int, parent_id: int, spot: Spot
) -> None:
    asked, data, parent = wishes(model), dragged(model, node_id), model.index_of(parent_id)
    assert model.canDropMimeData(data, MOVE, row, 0, parent)
    assert model.dropMimeData(data, MOVE, row, 0, parent)
    assert asked == [Move(node_id, spot)]
    assert shown(model) == ALL_ROWS


@pytest.mark.parametrize(
    ("node_id", "row", "parent_id"),
    [
        (STORM, -1, PART_ONE),
        (STORM, 0, BOOK),
        (LETTERS, 0, LETTERS),
        (PART_ONE, -1, HARBOUR),
        (PART_ONE, 0, PART_TWO),
        (MARA, -1, FERRY),
        (MARA, -1, NOTE),
        (FERRY, -1, MARA),
    ],
)
def test_what_may_not_lie_there_is_not_taken(
    model: BookTreeModel, node_id: int, row: int, parent_id: int
) -> None:
    asked, data, parent = wishes(model), dragged(model, node_id), model.index_of(parent_id)
    assert not model.canDropMimeData(data, MOVE, row, 0, parent)
    assert not model.dropMimeData(data, MOVE, row, 0, parent)
    assert asked == []


def test_what_is_dropped_on_the_trash_goes_there_once(model: BookTreeModel) -> None:
    asked, trash = wishes(model), model.index_of_group(Group.TRASH)
    model.dropMimeData(dragged(model, LETTERS), MOVE, -1, 0, trash)
    assert asked == [Trash(LETTERS)]
    model.show_tree(changed(TREE, tree_edits.trashed(TREE, LETTERS, NOW)))
    trash = model.index_of_group(Group.TRASH)
    assert not model.canDropMimeData(dragged(model, STORM), MOVE, -1, 0, trash)
    assert not model.canDropMimeData(dragged(model, HARBOUR), MOVE, -1, 0, model.index_of(LETTERS))
    assert model.dropMimeData(dragged(model, LETTERS), MOVE, 0, 0, model.index_of(PART_TWO))
    assert asked[1:] == [Move(LETTERS, Spot(PART_TWO, FERRY))]


def test_notes_are_dropped_among_their_kind(model: BookTreeModel) -> None:
    asked = wishes(model)
    people = model.index_of_group(Group.CHARACTERS)
    assert model.dropMimeData(dragged(model, MARA), MOVE, 0, 0, people)
    assert asked == [Move(MARA, Spot(None, MARA))]
    assert not model.canDropMimeData(dragged(model, NOTE), MOVE, 0, 0, people)
    assert not model.canDropMimeData(dragged(model, MARA), MOVE, 0, 0, QModelIndex())


def test_what_comes_from_elsewhere_is_not_taken(model: BookTreeModel) -> None:
    other = BookTreeModel()
    other.open_tree(TREE)
    assert not model.canDropMimeData(dragged(other, LETTERS), MOVE, 0, 0, model.index_of(PART_TWO))
    text = QMimeData()
    text.setText("words")
    assert not model.canDropMimeData(text, MOVE, 0, 0, model.index_of(PART_TWO))
    data = dragged(model, LETTERS)
    assert not model.dropMimeData(data, Qt.DropAction.CopyAction, 0, 0, model.index_of(PART_TWO))
    model.set_read_only(read_only=True)
    assert not model.canDropMimeData(data, MOVE, 0, 0, model.index_of(PART_TWO))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(draw=st.data())
def test_after_any_edits_the_rows_are_those_of_a_new_model(draw: st.DataObject, model: BookTreeModel) -> None:
    tree = TREE
    model.open_tree(tree)
    for turn in range(draw.draw(st.integers(1, 12))):
        try:
            tree, _ = edited(tree, draw, NOW + timedelta(hours=turn))
        except WriterProblem:
            continue
        if draw.draw(st.booleans()):  # now and then several edits arrive together
            model.show_tree(tree)
    model.show_tree(tree)
    fresh = BookTreeModel()
    fresh.open_tree(tree)
    assert shown(model) == shown(fresh)


def test_one_change_of_a_large_book_is_told_as_one(qapp: Any) -> None:
    model, told = BookTreeModel(), list[str]()
    chapters = [Node(number, NodeKind.CHAPTER, f"Chapter {number}", 1, number) for number in range(2, 2002)]
    tree = Tree([Node(1, NodeKind.BOOK, "Long"), *chapters])
    model.open_tree(tree)
    model.modelReset.connect(lambda: told.append("reset"))
    model.rowsMoved.connect(lambda *_: told.append("moved"))
    model.rowsInserted.connect(lambda *_: told.append("inserted"))
    model.rowsRemoved.connect(lambda *_: told.append("removed"))
    for nodes in (
        tree_edits.moved(tree, 1500, Spot(1, 2)),
        tree_edits.moved(tree, 2, Spot(1)),
        tree_edits.shifted(tree, 700, 1),
        tree_edits.trashed(tree, 900, NOW),
    ):
        model.show_tree(changed(tree, nodes))
        assert told == ["moved"]
        model.show_tree(tree)
        told.clear()
    model.show_tree(changed(tree, tree_edits.added(tree, NodeKind.CHAPTER, "New", Spot(1, 900))))
    model.show_tree(tree)
    assert told == ["inserted", "removed"]


@given(st.permutations(range(9)), st.lists(st.integers(0, 12), unique=True))
def test_as_many_rows_as_can_stay_where_they_are(current: list[int], wanted: list[int]) -> None:
    kept = kept_in_order(current, wanted)
    assert [key for key in current if key in kept] == [key for key in wanted if key in kept]
    both = [key for key in wanted if key in current]
    longest = 0
    for chosen in range(2 ** len(both)):
        part = [key for place, key in enumerate(both) if chosen >> place & 1]
        if part == [key for key in current if key in part]:
            longest = max(longest, len(part))
    assert len(kept) == longest


def test_times_in_the_trash_do_not_matter_to_the_rows(model: BookTreeModel) -> None:
    node = replace(TREE.node(STORM), trashed=datetime(2026, 6, 1, tzinfo=UTC))
    tree = changed(TREE, [node, replace(TREE.node(LETTERS), trashed=NOW)])
    model.show_tree(tree)
    assert shown(model)[4] == ("Trash", ["Storm", ("Letters", ["Calm"])])
