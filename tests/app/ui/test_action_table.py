from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QAction, QHelpEvent
from PySide6.QtWidgets import QApplication, QMenu, QToolTip

from quire.ui.action_table import ActionTable, HintedMenu, add_to_menu


class LampActions(ActionTable):
    """Two actions of a lamp."""

    def __init__(self, parent: QMenu) -> None:
        super().__init__(parent)
        self.on = self._action("&On", "F3", "Ctrl+3", tip="Lights it", checked=True)
        self.off = self._action("O&ff...", role=QAction.MenuRole.NoRole, data=5)


@pytest.fixture
def menu(qapp: object) -> Iterator[QMenu]:
    menu = QMenu()
    yield menu
    menu.deleteLater()


def _shown(menu: QMenu) -> list[str]:
    return ["---" if action.isSeparator() else action.text() for action in menu.actions()]


def test_a_row_says_everything_about_an_action(menu: QMenu) -> None:
    on = LampActions(menu).on
    assert [key.toString() for key in on.shortcuts()] == ["F3", "Ctrl+3"]
    assert (on.text(), on.toolTip()) == ("&On", "Lights it")
    assert on.isCheckable()
    assert on.isChecked()


def test_what_a_row_leaves_out_stays_as_qt_has_it(menu: QMenu) -> None:
    off = LampActions(menu).off
    assert off.shortcuts() == []
    assert off.toolTip() == "Off"
    assert not off.isCheckable()
    assert (off.menuRole(), off.data()) == (QAction.MenuRole.NoRole, 5)


def test_rows_are_added_at_the_end_or_before_an_action(menu: QMenu) -> None:
    lamp = LampActions(menu)
    colours = QMenu("&Colours", menu)
    add_to_menu(menu, lamp.off)
    add_to_menu(menu, lamp.on, None, colours, before=lamp.off)
    add_to_menu(menu, None)
    assert _shown(menu) == ["&On", "---", "&Colours", "O&ff...", "---"]


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
