from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from quire import __version__
from quire.help.about_dialog import AboutDialog
from quire.preferences.shortcuts import ShortcutLine
from quire.preferences.shortcuts_dialog import ShortcutsDialog
from quire.theme.theme_switch import ThemeSwitch

LINES = [
    ShortcutLine("window.open", "File", "Open", "Ctrl+O"),
    ShortcutLine("window.quit", "File", "Quit", "Ctrl+Q"),
    ShortcutLine("window.go_on", "Draft", "Continue", "Ctrl+Return"),
]


@pytest.fixture
def dialog(themes: ThemeSwitch, qtbot: Any) -> Iterator[ShortcutsDialog]:
    dialog = ShortcutsDialog(LINES)
    dialog.show()
    yield dialog
    dialog.close()


def listed(dialog: ShortcutsDialog) -> dict[str, list[tuple[str, str]]]:
    every = dialog.list.findItems("", Qt.MatchFlag.MatchContains)
    lines: dict[str, list[tuple[str, str]]] = {}
    for group in every:
        children = (group.child(row) for row in range(group.childCount()))
        lines[group.text(0)] = [(one.text(0), one.text(1)) for one in children if one is not None]
    return lines


def test_shortcuts_stand_under_their_menus(dialog: ShortcutsDialog) -> None:
    assert listed(dialog) == {
        "File": [("Open", "Ctrl+O"), ("Quit", "Ctrl+Q")],
        "Draft": [("Continue", "Ctrl+Return")],
    }
    assert not dialog.nothing.isVisible()


@pytest.mark.parametrize(
    ("wanted", "texts"),
    [
        ("quit", ["Quit"]),
        ("ctrl+o", ["Open"]),
        ("FILE", ["Open", "Quit"]),
        ("file q", ["Quit"]),
        ("zebra", []),
    ],
)
def test_they_can_be_searched_by_name_menu_and_key(
    dialog: ShortcutsDialog, wanted: str, texts: list[str]
) -> None:
    dialog.search.setText(wanted)
    assert [text for lines in listed(dialog).values() for text, _ in lines] == texts
    assert dialog.nothing.isVisible() == (not texts)


def test_it_fits_a_small_screen(dialog: ShortcutsDialog) -> None:
    assert dialog.width() <= 1024
    assert dialog.height() <= 640


def test_everything_has_a_name(dialog: ShortcutsDialog) -> None:
    assert dialog.search.accessibleName()
    assert dialog.list.accessibleName()


def test_about_says_the_version(themes: ThemeSwitch, qtbot: Any) -> None:
    about = AboutDialog()
    about.show()
    assert any(__version__ in label.text() for label in about.findChildren(QLabel))
    about.close()
