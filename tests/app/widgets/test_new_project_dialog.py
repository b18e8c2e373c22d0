from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from quire.models.new_project import NewProject
from quire.theme.keeper import ThemeKeeper
from quire.widgets.new_project_dialog import NewProjectDialog


@pytest.fixture
def dialog(qtbot: Any, themes: ThemeKeeper, tmp_path: Path) -> NewProjectDialog:
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
