from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QTreeWidget, QTreeWidgetItem

from quire.book_formats.export_settings import (
    ExportSettings,
    ExportStyle,
    Format,
    Numbering,
    Paper,
    Scope,
    Separator,
)
from quire.domain.manuscript.tree import Node, NodeKind
from quire.import_export.export_dialog import ExportDialog, ExportStart
from quire.theme.theme_switch import ThemeSwitch

NODES = (
    Node(2, NodeKind.PART, "One", 1, 0),
    Node(3, NodeKind.CHAPTER, "A", 2, 1),
    Node(4, NodeKind.CHAPTER, "B", 2, 2),
    Node(5, NodeKind.PART, "Two", 1, 3),
    Node(6, NodeKind.CHAPTER, "", 5, 4),
    Node(7, NodeKind.CHAPTER, "Afterwards", 1, 5),
)


def opened(qtbot: Any, folder: Path, recipe: ExportSettings | None = None) -> ExportDialog:
    dialog = ExportDialog(ExportStart(NODES, recipe or ExportSettings(), folder, "The Ferry"))
    qtbot.addWidget(dialog)
    dialog.open()
    return dialog


@pytest.fixture
def dialog(qtbot: Any, themes: ThemeSwitch, tmp_path: Path) -> ExportDialog:
    return opened(qtbot, tmp_path)


def choose(box: QComboBox, value: str) -> None:
    box.setCurrentIndex(box.findData(value))


@pytest.mark.parametrize(
    "recipe",
    [
        ExportSettings(),
        ExportSettings(
            Format.EPUB, ExportStyle.EBOOK, False, Numbering.NUMBERS, Separator.ASTERISM, Paper.LETTER, (2, 7)
        ),
        ExportSettings(chosen=(3, 5)),
        ExportSettings(chosen=()),
        ExportSettings(closing_page=True),
    ],
)
def test_a_recipe_is_shown_and_given_back(
    recipe: ExportSettings, qtbot: Any, themes: ThemeSwitch, tmp_path: Path
) -> None:
    assert opened(qtbot, tmp_path, recipe).recipe == recipe


def test_a_part_whose_chapters_are_all_chosen_is_chosen(
    qtbot: Any, themes: ThemeSwitch, tmp_path: Path
) -> None:
    assert opened(qtbot, tmp_path, ExportSettings(chosen=(3, 6))).recipe.chosen == (3, 5)


def test_export_gives_a_recipe_and_a_place(dialog: ExportDialog, qtbot: Any, tmp_path: Path) -> None:
    choose(dialog.format_box, "epub")
    choose(dialog.look_box, "ebook")
    dialog.name_edit.setText("Draft: 2")
    with qtbot.waitSignal(dialog.export_wanted) as wanted:
        qtbot.mouseClick(dialog.do_button, Qt.MouseButton.LeftButton)
    recipe, path = wanted.args
    assert recipe == ExportSettings(Format.EPUB, ExportStyle.EBOOK)
    assert path.parent == tmp_path
    assert path.suffix == ".epub"
    assert dialog.isVisible()


def row(dialog: ExportDialog, part: int, chapter: int | None = None) -> QTreeWidgetItem:
    item = dialog.picker.topLevelItem(part)
    assert item is not None
    found = item if chapter is None else item.child(chapter)
    assert found is not None
    return found


def test_a_part_ticks_its_chapters(dialog: ExportDialog) -> None:
    chosen = list[tuple[int, ...] | None]()
    for item, state in (
        (row(dialog, 0), Qt.CheckState.Unchecked),
        (row(dialog, 0, 1), Qt.CheckState.Checked),
        (row(dialog, 0), Qt.CheckState.Checked),
    ):
        item.setCheckState(0, state)
        chosen.append(dialog.recipe.chosen)
    assert chosen == [(5, 7), (4, 5, 7), None]


def test_nothing_is_not_exported(dialog: ExportDialog) -> None:
    dialog.none_button.click()
    assert dialog.recipe.chosen == ()
    assert not dialog.do_button.isEnabled()
    assert "at least one" in dialog.problem_label.text()
    dialog.all_button.click()
    assert dialog.recipe.chosen is None
    assert dialog.do_button.isEnabled()


def test_a_chapter_without_a_title_can_be_told(dialog: ExportDialog) -> None:
    assert row(dialog, 1, 0).text(0) == "Untitled"


def test_choices_that_mean_nothing_are_off(dialog: ExportDialog) -> None:
    boxes = (dialog.look_box, dialog.paper_box, dialog.separator_box)
    for value, enabled in (
        ("docx", [True, True, True]),
        ("epub", [True, False, True]),
        ("md", [False, False, False]),
        ("txt", [False, False, True]),
    ):
        choose(dialog.format_box, value)
        assert [box.isEnabled() for box in boxes] == enabled
        assert dialog.hint_label.text()


def test_a_file_that_is_there_is_named(dialog: ExportDialog, tmp_path: Path) -> None:
    (tmp_path / "The Ferry.docx").touch()
    dialog.name_edit.setText("The Ferry ")
    assert "exists" in dialog.problem_label.text()
    assert dialog.do_button.isEnabled()
    dialog.name_edit.setText(" ")
    assert dialog.problem_label.text() == ""
    assert not dialog.do_button.isEnabled()


def test_work_can_be_stopped_and_not_closed(dialog: ExportDialog, qtbot: Any) -> None:
    dialog.begin_work()
    dialog.show_share(0.5)
    assert dialog.work_row.isVisible()
    assert dialog.work_row.bar.value() == dialog.work_row.bar.maximum() / 2
    assert not dialog.do_button.isEnabled()
    assert not dialog.picker.isEnabled()
    with qtbot.waitSignal(dialog.stop_wanted):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert not dialog.work_row.stop_button.isEnabled()
    with qtbot.assertNotEmitted(dialog.stop_wanted):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    dialog.end_work()
    assert not dialog.work_row.isVisible()
    assert dialog.do_button.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_a_problem_is_said_and_another_try_is_possible(dialog: ExportDialog) -> None:
    choose(dialog.format_box, "txt")
    dialog.begin_work()
    dialog.end_work("The disk is full.")
    assert dialog.problem_label.text() == "The disk is full."
    assert dialog.do_button.isEnabled()
    assert not dialog.look_box.isEnabled()


def test_return_in_the_list_exports_nothing(dialog: ExportDialog, qtbot: Any) -> None:
    dialog.picker.setFocus()
    with qtbot.assertNotEmitted(dialog.export_wanted):
        qtbot.keyClick(dialog.picker, Qt.Key.Key_Return)


def test_everything_has_a_name(dialog: ExportDialog) -> None:
    for kind in (QComboBox, QLineEdit, QTreeWidget):
        assert all(widget.accessibleName() for widget in dialog.findChildren(kind))


@pytest.fixture
def with_pieces(qtbot: Any, themes: ThemeSwitch, tmp_path: Path) -> ExportDialog:
    """A dialog with a selection and a take beside the book; nothing of the book is ticked."""
    pieces = {Scope.SELECTION: 1, Scope.TAKE: 1200}
    start = ExportStart(
        NODES, ExportSettings(chosen=()), tmp_path, "The Ferry", pieces, "A draft is running."
    )
    dialog = ExportDialog(start)
    qtbot.addWidget(dialog)
    dialog.open()
    return dialog


def test_a_piece_can_be_exported_in_place_of_the_book(with_pieces: ExportDialog) -> None:
    dialog = with_pieces
    shown = [dialog.scope_box.itemText(row) for row in range(dialog.scope_box.count())]
    assert shown[1:] == ["Its last take (1,200 words)", "The selection (1 word)"]
    assert not dialog.do_button.isEnabled()
    choose(dialog.scope_box, "selection")
    assert dialog.recipe.scope is Scope.SELECTION
    assert dialog.do_button.isEnabled()
    assert not dialog.picker.isEnabled()
    assert not dialog.all_button.isEnabled()
    choose(dialog.scope_box, "book")
    assert dialog.picker.isEnabled()


def test_work_on_a_piece_leaves_the_list_off(with_pieces: ExportDialog) -> None:
    choose(with_pieces.scope_box, "take")
    with_pieces.begin_work()
    with_pieces.end_work()
    assert not with_pieces.picker.isEnabled()
    assert with_pieces.do_button.isEnabled()


def test_a_draft_that_is_not_finished_is_said(with_pieces: ExportDialog, dialog: ExportDialog) -> None:
    assert with_pieces.check_label.text() == "A draft is running."
    assert with_pieces.check_label.isVisible()
    assert not dialog.check_label.isVisible()


def test_a_scope_that_is_not_there_is_the_book(qtbot: Any, themes: ThemeSwitch, tmp_path: Path) -> None:
    assert opened(qtbot, tmp_path, ExportSettings(scope=Scope.TAKE)).recipe.scope is Scope.BOOK
