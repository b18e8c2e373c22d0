from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QTreeWidget, QTreeWidgetItem

from quire.book_formats.importer import read_manuscript
from quire.book_formats.importing.import_plan import Division, ImportDecision, ImportPlan
from quire.book_formats.importing.left_out import KINDS
from quire.import_export.import_dialog import ImportDialog
from quire.theme.theme_switch import ThemeSwitch

TEXT = (
    "Front.\n\n# Part One\n\n## Dawn\n\nIt rained.\n\n* * *\n\nIt stopped at last.\n\n## Dusk\n\nThe end.\n\n"
    "![a](b.png)"
)


@pytest.fixture
def plan(tmp_path: Path) -> ImportPlan:
    path = tmp_path / "The Ferry.md"
    path.write_text(TEXT)
    return read_manuscript(path)


@pytest.fixture
def dialog(qtbot: Any, themes: ThemeSwitch) -> ImportDialog:
    dialog = ImportDialog("The Ferry.md")
    qtbot.addWidget(dialog)
    dialog.open()
    return dialog


def lines(item: QTreeWidgetItem | None, depth: int = 0) -> list[str]:
    if item is None:
        return []
    here = " ".join(filter(None, (item.text(column) for column in range(3))))
    below = [line for place in range(item.childCount()) for line in lines(item.child(place), depth + 1)]
    return ["  " * depth + here, *below]


def shown(view: QTreeWidget) -> list[str]:
    return [line for place in range(view.topLevelItemCount()) for line in lines(view.topLevelItem(place))]


def test_nothing_can_be_decided_while_it_is_read(dialog: ImportDialog) -> None:
    dialog.show_share(0.25)
    assert dialog.work_row.isVisible()
    assert dialog.work_row.bar.value() == dialog.work_row.bar.maximum() / 4
    assert dialog.work_row.label.whole_text == "Reading The Ferry.md"
    assert not dialog.import_button.isEnabled()
    assert not dialog.division_box.isEnabled()


def test_the_preview_follows_the_division(dialog: ImportDialog, plan: ImportPlan) -> None:
    dialog.show_plan(plan)
    assert not dialog.work_row.isVisible()
    assert shown(dialog.pieces_view) == [
        "Untitled Chapter 1",
        "Part One Part 2",
        "  Dawn Chapter 7",
        "  Dusk Chapter 3",
    ]
    assert dialog.summary_label.text() == (
        "4 texts, 13 words. Only the text is imported. Left out: 1 picture. Words in it: 1. "
        "Your file is not changed."
    )
    dialog.division_box.setCurrentIndex(dialog.division_box.findData(Division.SCENES.value))
    assert shown(dialog.pieces_view)[2:4] == ["  Dawn Chapter 3", "    It stopped at last. Scene 4"]
    dialog.division_box.setCurrentIndex(dialog.division_box.findData(Division.WHOLE.value))
    assert len(shown(dialog.pieces_view)) == 1
    assert dialog.summary_label.text().startswith("1 text, ")


def test_a_decision_is_given_back(dialog: ImportDialog, plan: ImportPlan, qtbot: Any) -> None:
    dialog.show_plan(plan)
    assert dialog.title_edit.text() == "The Ferry"
    dialog.title_edit.setText(" ")
    assert not dialog.import_button.isEnabled()
    dialog.title_edit.setText(" The Boat ")
    dialog.author_edit.setText("Ann")
    with qtbot.waitSignal(dialog.import_wanted) as wanted:
        qtbot.mouseClick(dialog.import_button, Qt.MouseButton.LeftButton)
    assert wanted.args == [ImportDecision(plan, Division.CHAPTERS, "The Boat", "Ann")]
    assert not dialog.isVisible()


def test_a_problem_is_said(dialog: ImportDialog, qtbot: Any) -> None:
    dialog.show_problem("It is damaged.")
    assert dialog.problem_label.text() == "It is damaged."
    assert not dialog.import_button.isEnabled()
    with qtbot.assertNotEmitted(dialog.stop_wanted):
        dialog.cancel_button.click()
    assert not dialog.isVisible()


def test_escape_stops_reading(dialog: ImportDialog, qtbot: Any) -> None:
    with qtbot.waitSignal(dialog.stop_wanted):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_stop_is_told_once(dialog: ImportDialog, qtbot: Any) -> None:
    with qtbot.waitSignal(dialog.stop_wanted):
        dialog.work_row.stop_button.click()
    assert not dialog.work_row.stop_button.isEnabled()
    assert dialog.isVisible()


def test_everything_has_a_name(dialog: ImportDialog) -> None:
    for kind in (QComboBox, QLineEdit, QTreeWidget):
        assert all(widget.accessibleName() for widget in dialog.findChildren(kind))


def test_words_that_are_left_out_may_come_along_as_a_note(
    dialog: ImportDialog, tmp_path: Path, qtbot: Any
) -> None:
    path = tmp_path / "a.md"
    path.write_text("It rained.[^1]\n\n[^1]: As it often did.\n")
    dialog.show_plan(read_manuscript(path))
    assert "Left out: 1 footnote. Words in it: 4." in dialog.summary_label.text()
    assert dialog.rest_box.isVisible()
    assert dialog.rest_box.isChecked()
    with qtbot.waitSignal(dialog.import_wanted) as decided:
        dialog.import_button.click()
    assert decided.args[0].keeps_rest


def test_the_encoding_of_a_text_can_be_chosen(dialog: ImportDialog, tmp_path: Path, qtbot: Any) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("Čeština".encode("cp1250"))
    dialog.show_plan(read_manuscript(path, encoding="cp1252"))
    assert dialog.encoding_box.currentText() == "Western European (Windows-1252)"
    dialog.encoding_box.setCurrentIndex(dialog.encoding_box.findData("cp1250"))
    with qtbot.waitSignal(dialog.encoding_wanted) as wanted:
        dialog.encoding_box.activated.emit(dialog.encoding_box.currentIndex())
    assert not dialog.import_button.isEnabled()
    plan = read_manuscript(path, encoding=wanted.args[0])
    dialog.show_plan(plan)
    assert (plan.manuscript.text, dialog.encoding_box.currentData()) == ("Čeština", "cp1250")
    assert dialog.import_button.isEnabled()


def test_files_that_say_their_encoding_offer_none(dialog: ImportDialog, plan: ImportPlan) -> None:
    unknown = replace(plan, manuscript=replace(plan.manuscript, encoding="", left_out_text=""))
    dialog.show_plan(unknown)
    assert not dialog.encoding_box.isVisible()
    assert not dialog.rest_box.isVisible()


def test_every_kind_of_what_is_left_out_has_a_word(dialog: ImportDialog, plan: ImportPlan) -> None:
    counts = tuple((kind, number) for number, kind in enumerate(KINDS, start=1))
    dialog.show_plan(replace(plan, manuscript=replace(plan.manuscript, left_out=counts)))
    said = dialog.summary_label.text().partition("Left out: ")[2].partition(". ")[0]
    assert len(said.split(", ")) == len(KINDS)
