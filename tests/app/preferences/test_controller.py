from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

import quire.preferences.controller
from quire.manuscript.manuscript_panel import ManuscriptPanel
from quire.preferences.controller import PreferencesController
from quire.preferences.shortcuts import keys_of, shortcut_lines
from quire.preferences.shortcuts_dialog import ShortcutsDialog
from quire.settings.settings import Settings, SettingsFile
from quire.shell.draft_progress import ProgressModel
from quire.shell.main_window import MainWindow
from quire.shell.project_status import ProjectStatus
from quire.theme.fonts import install_fonts
from quire.theme.motion import MotionPreference, MotionSwitch
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch
from tests.app.bare_app import bare_app


class Parts:
    """A window with its settings, and what was asked to be done."""

    def __init__(self, qapp: QApplication, folder: Path) -> None:
        self.themes = ThemeSwitch(qapp, ThemeChoice.LIGHT)
        self.motion = MotionSwitch(qapp)
        self.window = MainWindow(ProjectStatus(), ProgressModel(), self.themes)
        self.manuscript_panel = ManuscriptPanel(self.themes, self.window.commands, self.window)
        self.asked: list[Callable[[], Awaitable[None]]] = []
        app = bare_app(
            self.window, folder, "controls", "appearance", do=self.asked.append, motion=self.motion
        )
        self.settings, self.appearance, self.goal_box = (
            app.settings,
            app.appearance,
            app.controls.bar.goal_box,
        )
        self.part = PreferencesController(app)


@pytest.fixture
def parts(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Parts]:
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "digests.json").write_bytes(b"x" * 2_000_000)
    monkeypatch.setattr(quire.preferences.controller, "cache_folder", lambda: cache)
    install_fonts()
    palette, flash_ms = qapp.palette(), qapp.cursorFlashTime()
    parts = Parts(qapp, tmp_path)
    parts.window.show()
    yield parts
    parts.settings.close()
    parts.window.leave()
    parts.window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qapp.setStyleSheet("")
    qapp.setPalette(palette)
    qapp.setCursorFlashTime(flash_ms)


def test_the_window_looks_as_the_settings_say(parts: Parts, qapp: QApplication) -> None:
    parts.settings.change(theme=ThemeChoice.DARK, text_px=27, motion=MotionPreference.REDUCED)
    assert parts.themes.choice is ThemeChoice.DARK
    assert parts.appearance.text_px == 27
    assert qapp.cursorFlashTime() == 0


def test_the_page_follows_the_settings(parts: Parts) -> None:
    editor, change = parts.window.editor, parts.settings.change
    parts.window.show_project("It rained all night and the ferry had gone without him. " * 20)
    paragraph = editor.document().firstBlock

    change(text_width=90)
    assert (few := paragraph().layout().lineCount()) > 1
    change(text_width=50)
    assert paragraph().layout().lineCount() > few
    change(line_height=1.2)
    low = paragraph().blockFormat().lineHeight()
    change(line_height=2.0)
    assert paragraph().blockFormat().lineHeight() > 1.5 * low
    change(font_family="Inter")
    assert editor.document().defaultFont().families()[0] == "Inter"


def test_what_is_chosen_in_the_window_is_kept(parts: Parts, tmp_path: Path) -> None:
    parts.window.commands.themes[ThemeChoice.DARK].trigger()
    parts.window.commands.zoom_in.trigger()
    parts.settings.flush()
    stored = SettingsFile(tmp_path / "settings.json").load()
    assert (stored.theme, stored.text_px) == (ThemeChoice.DARK, 21)


def test_the_shortcuts_are_shown_without_blocking(parts: Parts) -> None:
    parts.window.commands.shortcuts.trigger()
    (dialog,) = parts.window.findChildren(ShortcutsDialog)
    assert dialog.isVisible()
    dialog.reject()


def test_the_preferences_open_once_and_work_at_once(parts: Parts, qtbot: Any) -> None:
    parts.window.commands.preferences.trigger()
    dialog = parts.part.open()
    assert parts.part.open() is dialog
    dialog.appearance.size_field.setValue(29)
    assert parts.appearance.text_px == 29
    parts.window.commands.zoom_in.trigger()
    assert dialog.appearance.size_field.value() == 31
    with qtbot.waitSignal(dialog.destroyed):
        dialog.close()
    again = parts.part.open()
    assert again.appearance.size_field.value() == 31
    again.close()


def test_a_key_that_was_given_works_in_the_window_at_once(parts: Parts, qtbot: Any) -> None:
    parts.settings.change(shortcuts={"window.side_panel": ("Ctrl+F12",)})
    action = parts.window.commands.side_panel
    qtbot.waitActive(parts.window)
    with qtbot.waitSignal(action.toggled):
        QTest.keyClick(parts.window, Qt.Key.Key_F12, Qt.KeyboardModifier.ControlModifier)
    with qtbot.assertNotEmitted(action.toggled, wait=0):
        QTest.keyClick(parts.window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    parts.settings.change(shortcuts={})
    assert keys_of(action) == ("Ctrl+1",)


def test_every_action_of_the_menus_has_a_name_of_its_own(parts: Parts) -> None:
    names = [line.name for line in parts.part.book.lines()]
    assert len(names) == len(set(names))
    assert {"window.go_on", "window.pause", "manuscript.split", "manuscript.new.chapter"} <= set(names)
    assert "preference.preferences" in names
    nameless = [
        action.text()
        for action in parts.window.findChildren(QAction)
        if action.shortcuts() and not action.objectName()
    ]
    assert nameless == []


def test_the_keys_that_quire_gives_are_all_different(parts: Parts) -> None:
    used = [key for line in parts.part.book.lines() for key in parts.part.book.keys(line.name)]
    assert [key for key in set(used) if used.count(key) > 1] == []


def test_the_list_of_shortcuts_has_what_is_on_now(parts: Parts) -> None:
    parts.settings.change(shortcuts={"window.retry": ("Ctrl+F12",)})
    lines = {line.text: line.keys for line in shortcut_lines(parts.window.menuBar())}
    assert lines["Retry"] == "Ctrl+F12"
    assert lines["Split Here"] == "Ctrl+K"
    assert "About Quire" not in lines  # it has none


def test_the_cache_is_counted_then_cleared(
    parts: Parts, run_async: Callable[..., Any], tmp_path: Path
) -> None:
    dialog = parts.part.open()
    run_async(parts.asked.pop()())
    assert "2" in dialog.advanced.size_label.text()
    dialog.advanced.clear_button.click()
    run_async(parts.asked.pop()())
    assert list((tmp_path / "cache").iterdir()) == []
    assert not dialog.advanced.clear_button.isEnabled()
    dialog.close()


def test_settings_of_another_start_are_on_when_it_begins(qapp: QApplication, tmp_path: Path) -> None:
    SettingsFile(tmp_path / "settings.json").save(
        Settings(text_px=30, goal_words=2500, shortcuts={"window.retry": ("Ctrl+F12",)})
    )
    palette = qapp.palette()
    parts = Parts(qapp, tmp_path)
    assert (parts.appearance.text_px, parts.goal_box.goal_words) == (30, 2500)
    assert keys_of(parts.window.commands.retry) == ("Ctrl+F12",)
    parts.settings.close()
    parts.window.leave()
    parts.window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qapp.setStyleSheet("")
    qapp.setPalette(palette)
