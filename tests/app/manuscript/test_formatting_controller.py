from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from quire.domain.manuscript.emphasis import Style
from quire.manuscript.formatting_controller import TextStyle
from quire.shell.draft_progress import ProgressModel
from quire.shell.main_window import MainWindow
from quire.shell.project_status import ProjectStatus
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch
from tests.app.bare_app import bare_app

CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


class Parts:
    """A window with its settings."""

    def __init__(self, qapp: QApplication, folder: Path) -> None:
        themes = ThemeSwitch(qapp, ThemeChoice.LIGHT)
        self.window = MainWindow(ProjectStatus(), ProgressModel(), themes)
        app = bare_app(self.window, folder)
        self.settings, self.part = app.settings, TextStyle(app)
        self.part.set_language("en")
        self.editor = self.window.editor


@pytest.fixture
def parts(qapp: QApplication, qtbot: Any, tmp_path: Path) -> Iterator[Parts]:
    palette = qapp.palette()
    parts = Parts(qapp, tmp_path)
    parts.window.show()
    parts.window.show_project("It rained")
    qtbot.waitActive(parts.window)
    yield parts
    parts.settings.close()
    parts.window.leave()
    parts.window.deleteLater()
    qapp.setPalette(palette)


def test_keys_format_the_word_at_the_caret(parts: Parts, qtbot: Any) -> None:
    qtbot.keyClick(parts.editor, Qt.Key.Key_Left)
    qtbot.keyClick(parts.editor, Qt.Key.Key_I, CONTROL)
    assert parts.editor.text() == "It *rained*"
    qtbot.keyClick(parts.editor, Qt.Key.Key_B, CONTROL)
    assert parts.editor.text() == "It ***rained***"
    qtbot.keyClick(parts.editor, Qt.Key.Key_2, CONTROL | ALT)
    assert parts.editor.text() == "## It ***rained***"
    qtbot.keyClick(parts.editor, Qt.Key.Key_0, CONTROL | ALT)
    qtbot.keyClick(parts.editor, Qt.Key.Key_End)
    qtbot.keyClick(parts.editor, Qt.Key.Key_Return, CONTROL | ALT)
    assert parts.editor.text() == "It ***rained***\n\n***\n\n"


def test_marks_that_nothing_was_typed_between_go_with_the_caret(parts: Parts, qtbot: Any) -> None:
    for key, marks in ((Qt.Key.Key_I, "**"), (Qt.Key.Key_B, "****")):
        qtbot.keyClick(parts.editor, key, CONTROL)
        assert parts.editor.text() == f"It rained{marks}"
        qtbot.keyClick(parts.editor, Qt.Key.Key_Home)
        assert parts.editor.text() == "It rained"
        qtbot.keyClick(parts.editor, Qt.Key.Key_End)
    qtbot.keyClick(parts.editor, Qt.Key.Key_I, CONTROL)
    qtbot.keyClicks(parts.editor, " hard")
    qtbot.keyClick(parts.editor, Qt.Key.Key_Home)
    assert parts.editor.text() == "It rained* hard*"


def test_a_locked_text_is_not_offered(parts: Parts) -> None:
    bold = parts.part.actions.styles[Style.BOLD]
    assert bold.isEnabled()
    parts.editor.set_locked(locked=True)
    assert not bold.isEnabled()
    assert not parts.part.actions.scene_break.isEnabled()
    parts.editor.set_locked(locked=False)
    assert bold.isEnabled()


def test_the_settings_decide_about_typing(parts: Parts, qtbot: Any) -> None:
    qtbot.keyClicks(parts.editor, "...")
    assert parts.editor.text() == "It rained…"
    parts.settings.change(smart_typing=False)
    qtbot.keyClicks(parts.editor, "...")
    assert parts.editor.text() == "It rained…..."


def test_the_typewriter_is_kept(parts: Parts) -> None:
    action = parts.part.actions.typewriter
    assert not action.isChecked()
    action.trigger()
    assert parts.editor.typewriter.is_on
    assert parts.settings.settings.typewriter
    parts.settings.change(typewriter=False)
    assert not parts.editor.typewriter.is_on
    assert not action.isChecked()
