from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QWidget

from quire.projects.new_project import NewProject, templates
from quire.projects.new_project_dialog import NewProjectDialog, StartFrom
from quire.theme.theme_switch import ThemeSwitch


@pytest.fixture
def dialog(qtbot: Any, themes: ThemeSwitch, tmp_path: Path) -> NewProjectDialog:
    dialog = NewProjectDialog(tmp_path)
    qtbot.addWidget(dialog)
    dialog.open()
    return dialog


def test_a_title_is_enough(dialog: NewProjectDialog, qtbot: Any, tmp_path: Path) -> None:
    assert not dialog.create_button.isEnabled()
    qtbot.keyClicks(dialog.title_edit, "The Salt Road")
    with qtbot.waitSignal(dialog.project_wanted) as wanted:
        qtbot.mouseClick(dialog.create_button, Qt.MouseButton.LeftButton)
    assert wanted.args == [NewProject(tmp_path / "The Salt Road.quire", "The Salt Road", "")]
    assert not dialog.isVisible()


def test_an_opening_keeps_its_no_break_spaces(dialog: NewProjectDialog, qtbot: Any) -> None:
    qtbot.keyClicks(dialog.title_edit, "A")
    dialog.opening_edit.setPlainText("Il pleut\u00a0!\n\nEncore.\n")
    with qtbot.waitSignal(dialog.project_wanted) as wanted:
        dialog.create_button.click()
    assert wanted.args[0].opening == "Il pleut\u00a0!\n\nEncore."


def test_a_project_that_is_there_is_not_written_over(
    dialog: NewProjectDialog, qtbot: Any, tmp_path: Path
) -> None:
    (tmp_path / "Old.quire").write_bytes(b"")
    qtbot.keyClicks(dialog.title_edit, "Old")
    assert not dialog.create_button.isEnabled()
    assert "already" in dialog.problem_label.text()
    qtbot.keyClicks(dialog.title_edit, "er")
    assert dialog.create_button.isEnabled()
    assert dialog.problem_label.text() == ""


def test_escape_makes_nothing(dialog: NewProjectDialog, qtbot: Any) -> None:
    qtbot.keyClicks(dialog.title_edit, "A")
    with qtbot.assertNotEmitted(dialog.project_wanted):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_author_and_language_go_with_it(dialog: NewProjectDialog, qtbot: Any) -> None:
    qtbot.keyClicks(dialog.title_edit, "A")
    qtbot.keyClicks(dialog.author_edit, " Ann Orrin ")
    dialog.language_box.setCurrentIndex(dialog.language_box.findData("fr"))
    with qtbot.waitSignal(dialog.project_wanted) as wanted:
        dialog.create_button.click()
    assert (wanted.args[0].author, wanted.args[0].language) == ("Ann Orrin", "fr")


def test_a_short_opening_gets_a_suggestion_and_is_taken(dialog: NewProjectDialog, qtbot: Any) -> None:
    label = dialog.opening_start.length_label
    assert label.text() == ""
    qtbot.keyClicks(dialog.title_edit, "A")
    dialog.opening_edit.setPlainText("It rained.")
    assert label.text().startswith("2 words. A page or more")
    assert dialog.create_button.isEnabled()
    dialog.opening_edit.setPlainText("word " * 1000)
    assert label.text() == "1,000 words."


def test_a_blank_page_forgets_an_opening_that_was_written(dialog: NewProjectDialog, qtbot: Any) -> None:
    qtbot.keyClicks(dialog.title_edit, "A")
    dialog.opening_edit.setPlainText("It rained.")
    qtbot.mouseClick(dialog.starts[StartFrom.BLANK], Qt.MouseButton.LeftButton)
    assert not dialog.opening_edit.isVisible()
    with qtbot.waitSignal(dialog.project_wanted) as wanted:
        dialog.create_button.click()
    assert (wanted.args[0].opening, wanted.args[0].outline) == ("", None)


def test_an_outline_is_shown_before_it_is_taken(dialog: NewProjectDialog, qtbot: Any) -> None:
    qtbot.keyClicks(dialog.title_edit, "A")
    qtbot.mouseClick(dialog.starts[StartFrom.OUTLINE], Qt.MouseButton.LeftButton)
    start = dialog.outline_start
    for index, outline in enumerate(templates()):
        start.box.setCurrentIndex(index)
        view = start.view
        tops = [view.topLevelItem(row) for row in range(view.topLevelItemCount())]
        shown = sum(1 + item.childCount() for item in tops if item is not None)
        assert shown == len(outline.entries)
        assert start.about_label.text() == outline.about
    with qtbot.waitSignal(dialog.project_wanted) as wanted:
        dialog.create_button.click()
    assert wanted.args[0].outline == templates()[-1]


def test_a_text_to_import_leads_to_the_preview(dialog: NewProjectDialog, qtbot: Any, tmp_path: Path) -> None:
    qtbot.mouseClick(dialog.starts[StartFrom.IMPORT], Qt.MouseButton.LeftButton)
    assert not dialog.title_edit.isEnabled()
    assert not dialog.create_button.isEnabled()
    assert dialog.create_button.text() == "Next"
    dialog.import_start.take(str(tmp_path / "Novel.docx"))
    assert dialog.import_start.file_label.whole_text == "Novel.docx"
    with qtbot.waitSignal(dialog.import_wanted) as wanted, qtbot.assertNotEmitted(dialog.project_wanted):
        dialog.create_button.click()
    assert wanted.args == [tmp_path / "Novel.docx", tmp_path]
    assert not dialog.isVisible()


def test_it_fits_into_the_smallest_window(dialog: NewProjectDialog) -> None:
    for start in StartFrom:
        dialog.start_from(start)
        hint = dialog.minimumSizeHint()
        assert hint.width() <= 900
        assert hint.height() <= 600
        assert (dialog.width(), dialog.height()) <= (900, 600)


def test_every_control_has_a_name(dialog: NewProjectDialog) -> None:
    for start, control in product(StartFrom, dialog.findChildren(QWidget)):
        dialog.start_from(start)
        if control.isVisible() and control.focusPolicy() & Qt.FocusPolicy.TabFocus:
            name = control.accessibleName() or (
                control.text() if isinstance(control, QAbstractButton) else ""
            )
            assert name, control
