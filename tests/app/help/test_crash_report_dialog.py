from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from quire.help.crash_report_dialog import ReportDialog
from quire.theme.theme_switch import ThemeSwitch

REPORT = "Quire report\n\nError:\nValueError\n"


@pytest.fixture
def dialog(qtbot: Any, themes: ThemeSwitch) -> ReportDialog:
    dialog = ReportDialog(REPORT)
    qtbot.addWidget(dialog)
    dialog.open()
    return dialog


def test_the_report_is_shown_word_for_word_and_copied(dialog: ReportDialog, qtbot: Any) -> None:
    assert dialog.text_edit.toPlainText() == REPORT
    qtbot.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    assert QApplication.clipboard().text() == REPORT
    assert dialog.said_label.text() == "Copied."
    QApplication.clipboard().clear()


def test_it_is_saved_where_the_writer_says(dialog: ReportDialog, tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    files = dialog.ask_where_to_save()
    files.fileSelected.emit(str(path))
    files.close()
    assert path.read_text(encoding="utf-8") == REPORT
    assert dialog.said_label.text() == "Saved."


def test_a_place_that_cannot_be_written_to_is_said(dialog: ReportDialog, tmp_path: Path) -> None:
    files = dialog.ask_where_to_save()
    files.fileSelected.emit(str(tmp_path))  # a folder
    files.close()
    assert "Choose another folder" in dialog.said_label.text()


def test_the_keyboard_alone_copies_and_closes(dialog: ReportDialog, qtbot: Any) -> None:
    qtbot.keyClick(dialog, Qt.Key.Key_Return)
    assert QApplication.clipboard().text() == REPORT
    QApplication.clipboard().clear()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
