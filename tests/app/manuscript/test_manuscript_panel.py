from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, QModelIndex, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLineEdit,
    QMenu,
    QMenuBar,
    QMessageBox,
)

from quire.domain.manuscript import tree_edits
from quire.domain.manuscript import tree_requests as wish
from quire.domain.manuscript.tree import Node, NodeKind, Status, Tree
from quire.domain.manuscript.tree_edits import Spot, changed
from quire.domain.manuscript.tree_requests import BookEdit
from quire.domain.manuscript.tree_rows import Group
from quire.domain.manuscript.word_counts import Words
from quire.manuscript.manuscript_panel import ManuscriptPanel
from quire.shell.actions import Actions
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch
from tests.app.domain.manuscript.test_tree_edits import (
    BOOK,
    FERRY,
    HARBOUR,
    LETTERS,
    MARA,
    NOW,
    PART_TWO,
    STORM,
    TREE,
)

CTRL = Qt.KeyboardModifier.ControlModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(themes: ThemeSwitch, qtbot: Any) -> Iterator[ManuscriptPanel]:
    """The small book on the screen, Harbour open in it, the keys in the tree."""
    bar = QMenuBar()
    commands = Actions(bar)
    commands.fill(bar)
    panel = ManuscriptPanel(themes, commands)
    tester = QAbstractItemModelTester(panel.model, QAbstractItemModelTester.FailureReportingMode.Warning)
    panel.resize(280, 700)
    panel.show()
    panel.show_book(TREE, HARBOUR)
    panel.view.setFocus()
    qtbot.waitUntil(panel.view.hasFocus)
    yield panel
    tester.deleteLater()
    panel.close()
    panel.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.fixture
def asked(panel: ManuscriptPanel) -> list[BookEdit]:
    """What the writer asked for."""
    edits: list[BookEdit] = []
    panel.edit_asked.connect(edits.append)
    return edits


def go_to(panel: ManuscriptPanel, node_id: int) -> None:
    panel.view.setCurrentIndex(panel.model.index_of(node_id))


def at(panel: ManuscriptPanel, node_id: int) -> QPoint:
    return panel.view.visualRect(panel.model.index_of(node_id)).center()


def put_away(panel: ManuscriptPanel, node_id: int) -> None:
    panel.show_tree(changed(TREE, tree_edits.trashed(TREE, node_id, NOW)), HARBOUR)
    panel.view.expandAll()


@pytest.mark.parametrize(("height_px", "has_details"), [(700, True), (200, False)])
def test_a_low_panel_is_the_trees(panel: ManuscriptPanel, height_px: int, has_details: bool) -> None:
    panel.resize(280, height_px)
    QCoreApplication.processEvents()
    assert panel.details.isVisible() == has_details
    assert panel.height() == height_px
    assert panel.view.height() > 100
    if has_details:
        assert panel.details.status_box.geometry().bottom() < panel.details.synopsis.y()


# ---------------------------------------------------------------- choosing
def test_a_click_opens_a_text(panel: ManuscriptPanel, qtbot: Any) -> None:
    with qtbot.waitSignal(panel.document_chosen) as chosen:
        qtbot.mouseClick(panel.view.viewport(), LEFT, pos=at(panel, STORM))
    assert chosen.args == [STORM]


def test_return_opens_what_the_keys_chose(panel: ManuscriptPanel, qtbot: Any) -> None:
    qtbot.keyClick(panel.view, Qt.Key.Key_Down)
    assert panel.view.currentIndex() == panel.model.index_of(LETTERS)
    with qtbot.waitSignal(panel.document_chosen) as chosen:
        qtbot.keyClick(panel.view, Qt.Key.Key_Return)
    assert chosen.args == [LETTERS]


def test_a_title_that_is_typed_is_found(panel: ManuscriptPanel, qtbot: Any) -> None:
    qtbot.keyClicks(panel.view, "fer")
    assert panel.view.currentIndex() == panel.model.index_of(FERRY)


def test_neither_the_book_nor_what_is_open_is_opened(panel: ManuscriptPanel, qtbot: Any) -> None:
    with qtbot.assertNotEmitted(panel.document_chosen):
        for node_id in (BOOK, HARBOUR):
            qtbot.mouseClick(panel.view.viewport(), LEFT, pos=at(panel, node_id))


def test_an_edit_leaves_the_open_rows_open(panel: ManuscriptPanel) -> None:
    panel.view.collapse(panel.model.index_of(LETTERS))
    go_to(panel, FERRY)
    panel.show_tree(changed(TREE, tree_edits.moved(TREE, LETTERS, Spot(PART_TWO, FERRY))), HARBOUR)
    assert not panel.view.isExpanded(panel.model.index_of(LETTERS))
    assert panel.view.isExpanded(panel.model.index_of(PART_TWO))
    assert panel.view.currentIndex() == panel.model.index_of(FERRY)


# ---------------------------------------------------------------- keys
def test_f2_renames(panel: ManuscriptPanel, asked: list[BookEdit], qtbot: Any) -> None:
    qtbot.keyClick(panel.view, Qt.Key.Key_F2)
    line = panel.view.findChild(QLineEdit)
    assert line is not None
    assert line.text() == "Harbour"
    qtbot.keyClicks(line, "The Quay")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(asked))
    assert asked == [wish.Rename(HARBOUR, "The Quay")]


def test_escape_keeps_the_title(panel: ManuscriptPanel, asked: list[BookEdit], qtbot: Any) -> None:
    panel.edit_title(FERRY)
    line = panel.view.findChild(QLineEdit)
    assert line is not None
    qtbot.keyClicks(line, "x")
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: panel.view.findChild(QLineEdit) is None)
    assert asked == []


def test_delete_puts_into_the_trash(panel: ManuscriptPanel, asked: list[BookEdit], qtbot: Any) -> None:
    go_to(panel, MARA)
    qtbot.keyClick(panel.view, Qt.Key.Key_Delete)
    assert asked == [wish.Trash(MARA)]


def test_ctrl_and_arrows_move(panel: ManuscriptPanel, asked: list[BookEdit], qtbot: Any) -> None:
    qtbot.keyClick(panel.view, Qt.Key.Key_Down, CTRL)
    qtbot.keyClick(panel.view, Qt.Key.Key_Up, CTRL)
    assert asked == [wish.Shift(HARBOUR, 1), wish.Shift(HARBOUR, -1)]


def test_these_keys_do_nothing_to_the_book_itself(
    panel: ManuscriptPanel, asked: list[BookEdit], qtbot: Any
) -> None:
    go_to(panel, BOOK)
    for key, modifier in (
        (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Up, CTRL),
        (Qt.Key.Key_Down, CTRL),
    ):
        qtbot.keyClick(panel.view, key, modifier)
    assert asked == []


def test_in_the_synopsis_the_keys_belong_to_the_text(
    panel: ManuscriptPanel, asked: list[BookEdit], qtbot: Any
) -> None:
    go_to(panel, FERRY)
    panel.details.synopsis.setFocus()
    qtbot.keyClick(panel.details.synopsis, Qt.Key.Key_Delete)
    qtbot.keyClick(panel.details.synopsis, Qt.Key.Key_Up, CTRL)
    assert asked == []


# ---------------------------------------------------------------- drag and drop
def test_the_mouse_picks_a_row_up(
    panel: ManuscriptPanel, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewport, window, make_data = panel.view.viewport(), panel.windowHandle(), panel.model.mimeData
    start, dragged = at(panel, LETTERS), list[Node | None]()

    def data_of(indexes: list[QModelIndex]) -> QMimeData:
        dragged.extend(map(panel.model.node_at, indexes[:1]))
        return make_data(indexes)

    monkeypatch.setattr(panel.model, "mimeData", data_of)
    QTest.mousePress(window, LEFT, pos=viewport.mapTo(panel, start))
    for step in (4, 6, 2 * QApplication.startDragDistance()):
        QTest.mouseMove(window, viewport.mapTo(panel, start + QPoint(0, step)))
    QTest.mouseRelease(window, LEFT, pos=viewport.mapTo(panel, start))
    assert dragged == [TREE.node(LETTERS)]


@pytest.mark.parametrize(
    ("node_id", "onto", "above", "expected"),
    [
        (HARBOUR, PART_TWO, 0, [wish.Move(HARBOUR, Spot(PART_TWO))]),
        (LETTERS, FERRY, -13, [wish.Move(LETTERS, Spot(PART_TWO, FERRY))]),
        (HARBOUR, STORM, 0, []),
        (MARA, FERRY, 0, []),
    ],
)
def test_a_row_is_dropped_on_one_or_between_two(
    panel: ManuscriptPanel,
    asked: list[BookEdit],
    node_id: int,
    onto: int,
    above: int,
    expected: list[BookEdit],
) -> None:
    panel.view.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)  # a drag made by hand has no source
    data = panel.model.mimeData([panel.model.index_of(node_id)])
    where, keys, move = (
        at(panel, onto) + QPoint(0, above),
        Qt.KeyboardModifier.NoModifier,
        Qt.DropAction.MoveAction,
    )
    for event in (
        QDragEnterEvent(where, move, data, LEFT, keys),
        QDragMoveEvent(where, move, data, LEFT, keys),
        QDropEvent(QPointF(where), move, data, LEFT, keys),
    ):
        QApplication.sendEvent(panel.view.viewport(), event)
    assert asked == expected


# ---------------------------------------------------------------- commands
@pytest.mark.parametrize("kind", [NodeKind.CHAPTER, NodeKind.SCENE, NodeKind.PART, NodeKind.CHARACTER])
def test_something_new_is_made_beside_what_is_chosen(
    panel: ManuscriptPanel, asked: list[BookEdit], kind: NodeKind
) -> None:
    go_to(panel, LETTERS)
    panel.commands.new_texts[kind].trigger()
    assert asked == [wish.AddText(kind, f"New {kind.value.capitalize()}", LETTERS)]


def test_away_from_the_tree_the_open_text_is_meant(
    panel: ManuscriptPanel, asked: list[BookEdit], qtbot: Any
) -> None:
    go_to(panel, FERRY)
    panel.details.synopsis.setFocus()
    panel.commands.manuscript_menu.aboutToShow.emit()
    panel.commands.statuses[Status.DONE].trigger()
    panel.commands.merge.trigger()
    panel.commands.cut_long.trigger()
    assert asked == [wish.SetStatus(HARBOUR, Status.DONE), wish.Merge(HARBOUR), wish.CutLong(HARBOUR)]


def test_a_split_is_made_where_the_cursor_stands(
    panel: ManuscriptPanel, asked: list[BookEdit], qtbot: Any
) -> None:
    with qtbot.waitSignal(panel.split_asked):
        panel.commands.split.trigger()
    panel.ask_to_split(17)
    assert asked == [wish.Split(HARBOUR, 17)]


@pytest.mark.qt_log_ignore("raise", "grabbing the keyboard", extend=True)
def test_every_row_has_a_menu_of_what_can_be_done_there(panel: ManuscriptPanel, qtbot: Any) -> None:
    put_away(panel, LETTERS)

    def menu_at(place: QPoint) -> list[str]:
        panel.view.customContextMenuRequested.emit(place)
        menu = panel.findChildren(QMenu, options=Qt.FindChildOption.FindDirectChildrenOnly)[-1]
        texts = [action.text().replace("&", "") for action in menu.actions() if action.text()]
        menu.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return texts

    trash = panel.view.visualRect(panel.model.index_of_group(Group.TRASH)).center()
    notes = panel.view.visualRect(panel.model.index_of_group(Group.NOTES)).center()
    assert menu_at(trash) == ["Empty Trash…"]
    assert menu_at(at(panel, LETTERS)) == ["Restore", "Delete Permanently…"]
    assert menu_at(notes) == ["New Note", "New Character", "New Place"]
    chapter = menu_at(at(panel, FERRY))
    assert chapter[:4] == ["New Chapter", "New Scene", "New Part", "Rename"]
    assert chapter[-3:] == ["Merge with Previous Text", "Divide Long Text", "Move to Trash"]
    assert menu_at(at(panel, BOOK))[3:] == ["Rename", "Status"]
    assert panel.view.currentIndex() == panel.model.index_of(BOOK)


def test_what_is_in_the_trash_comes_back_or_is_deleted_after_a_question(
    panel: ManuscriptPanel, asked: list[BookEdit], qtbot: Any
) -> None:
    put_away(panel, LETTERS)
    go_to(panel, LETTERS)
    panel.commands.restore.trigger()
    assert asked == [wish.Restore(LETTERS)]
    for button, expected in (("Cancel", []), ("Delete Permanently", [wish.EmptyTrash((LETTERS,))])):
        asked.clear()
        go_to(panel, LETTERS)
        panel.view.setFocus()
        qtbot.keyClick(panel.view, Qt.Key.Key_Delete)
        press(panel, button)
        assert asked == expected
    panel.commands.empty.trigger()
    press(panel, "Delete Permanently")
    assert asked[-1] == wish.EmptyTrash()


def press(panel: ManuscriptPanel, text: str) -> None:
    box = panel.findChild(QMessageBox)
    assert box is not None
    button: QAbstractButton = next(one for one in box.buttons() if one.text() == text)
    button.click()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_a_project_that_is_only_read_is_only_read(
    panel: ManuscriptPanel, asked: list[BookEdit], qtbot: Any
) -> None:
    panel.set_read_only(read_only=True)
    for key in (Qt.Key.Key_Delete, Qt.Key.Key_F2):
        qtbot.keyClick(panel.view, key)
    for action in (*panel.commands.new_texts.values(), panel.commands.split, panel.commands.empty):
        assert not action.isEnabled()
    panel.ask_to_split(3)
    assert panel.details.synopsis.isReadOnly()
    assert panel.view.findChild(QLineEdit) is None
    assert asked == []
    with qtbot.waitSignal(panel.document_chosen):
        qtbot.mouseClick(panel.view.viewport(), LEFT, pos=at(panel, FERRY))


# ---------------------------------------------------------------- details
def test_the_details_follow_the_chosen_row(panel: ManuscriptPanel) -> None:
    nodes = (
        *tree_edits.with_status(TREE, FERRY, Status.REVISED),
        *tree_edits.with_synopsis(TREE, LETTERS, "A letter comes."),
    )
    panel.show_tree(changed(TREE, nodes), HARBOUR)
    panel.show_words({FERRY: Words(800, 434)})
    go_to(panel, FERRY)
    details = panel.details
    assert (details.title.whole_text, details.status_box.status) == ("Ferry", Status.REVISED)
    assert details.words.whole_text == "1,234 words: 800 written, 434 drafted"
    go_to(panel, LETTERS)
    assert details.synopsis.toPlainText() == "A letter comes."
    assert details.exported_box.isVisible()
    go_to(panel, MARA)
    assert not details.exported_box.isVisible()
    panel.view.setCurrentIndex(panel.model.index_of_group(Group.NOTES))
    assert not details.status_box.isEnabled()


def test_status_and_export_are_chosen(panel: ManuscriptPanel, asked: list[BookEdit], qtbot: Any) -> None:
    box = panel.details.status_box
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_End)
    panel.details.exported_box.click()
    assert asked == [wish.SetStatus(HARBOUR, Status.DONE), wish.SetExported(HARBOUR, exported=False)]


def test_a_synopsis_is_stored_soon_or_when_the_writer_goes_elsewhere(
    panel: ManuscriptPanel, asked: list[BookEdit], qtbot: Any
) -> None:
    synopsis = panel.details.synopsis
    synopsis.setFocus()
    qtbot.keyClicks(synopsis, "Rain")
    qtbot.waitUntil(lambda: bool(asked))
    assert asked == [wish.SetSynopsis(HARBOUR, "Rain")]
    panel.show_tree(changed(TREE, tree_edits.with_synopsis(TREE, HARBOUR, "Rain")), HARBOUR)
    qtbot.keyClicks(synopsis, ".")
    go_to(panel, FERRY)
    assert asked[1:] == [wish.SetSynopsis(HARBOUR, "Rain.")]
    assert synopsis.toPlainText() == ""
    go_to(panel, FERRY)
    panel.flush()
    assert len(asked) == 2


def test_what_was_typed_about_one_book_is_never_asked_for_in_another(
    panel: ManuscriptPanel, asked: list[BookEdit], qtbot: Any
) -> None:
    qtbot.keyClicks(panel.details.synopsis, "Rain")
    panel.show_book(
        Tree([Node(1, NodeKind.BOOK, "Other"), Node(HARBOUR, NodeKind.CHAPTER, "One", 1)]), HARBOUR
    )
    panel.flush()
    assert asked == []
    assert panel.details.synopsis.toPlainText() == ""


def test_what_is_being_typed_is_not_written_over(panel: ManuscriptPanel, qtbot: Any) -> None:
    synopsis = panel.details.synopsis
    synopsis.setFocus()
    qtbot.keyClicks(synopsis, "Rain fa")
    panel.show_tree(changed(TREE, tree_edits.with_synopsis(TREE, HARBOUR, "Rain")), HARBOUR)
    assert synopsis.toPlainText() == "Rain fa"


def test_everything_has_a_name_for_a_screen_reader(panel: ManuscriptPanel) -> None:
    for widget in (panel.view, panel.add_button, panel.details.status_box, panel.details.synopsis):
        assert widget.accessibleName()


def test_a_book_of_forty_chapters_is_drawn_in_both_themes(
    panel: ManuscriptPanel, themes: ThemeSwitch
) -> None:
    chapters = [
        Node(
            number,
            NodeKind.CHAPTER,
            f"Chapter {number}: a long title that has to be cut",
            1,
            number,
            status=list(Status)[number % 5],
        )
        for number in range(2, 42)
    ]
    panel.show_book(Tree([Node(1, NodeKind.BOOK, "Long"), *chapters]), 2)
    panel.show_words({number: Words(1000 + number, 100) for number in range(2, 42)})
    shots = []
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        themes.choose(choice)
        shots.append(panel.grab().toImage())
    assert shots[0] != shots[1]
    assert panel.sizeHint().width() <= panel.maximumWidth()
