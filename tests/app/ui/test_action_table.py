from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction, QHelpEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip

from quire.ui.action_table import HintedMenu, add_to_menu, new_action


@pytest.fixture
def menu(qapp: object) -> Iterator[QMenu]:
    menu = QMenu()
    yield menu
    menu.deleteLater()


def _shown(menu: QMenu) -> list[str]:
    return ["---" if action.isSeparator() else action.text() for action in menu.actions()]


def test_a_row_says_everything_about_an_action(menu: QMenu) -> None:
    on = new_action(menu, "&On", "F3", "Ctrl+3", tip="Lights it", checked=True)
    assert [key.toString() for key in on.shortcuts()] == ["F3", "Ctrl+3"]
    assert (on.text(), on.toolTip()) == ("&On", "Lights it")
    assert on.isCheckable()
    assert on.isChecked()


def test_what_a_row_leaves_out_stays_as_qt_has_it(menu: QMenu) -> None:
    off = new_action(menu, "O&ff...", role=QAction.MenuRole.NoRole)
    assert off.shortcuts() == []
    assert off.toolTip() == "Off"
    assert not off.isCheckable()
    assert off.menuRole() is QAction.MenuRole.NoRole


def test_rows_are_added_at_the_end(menu: QMenu) -> None:
    colours = QMenu("&Colours", menu)
    add_to_menu(menu, new_action(menu, "&On"), None, colours)
    add_to_menu(menu, None)
    assert _shown(menu) == ["&On", "---", "&Colours", "---"]


def test_a_menu_says_why_an_entry_cannot_be_chosen_and_repeats_no_text(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, text, menu: shown.append(text))
    menu = HintedMenu()
    plain, hindered = menu.addAction("&Measure…"), menu.addAction("&Check…")
    hindered.setEnabled(False)
    hindered.setToolTip("It runs on a server.")
    for action in (plain, hindered):
        place = menu.actionGeometry(action).center()
        qapp.sendEvent(menu, QHelpEvent(QEvent.Type.ToolTip, place, place))
    assert shown == ["It runs on a server."]
    menu.deleteLater()
