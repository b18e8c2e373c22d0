from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QPushButton, QSpinBox, QVBoxLayout, QWidget

from quire.ui.tab_order import tab_first, tab_last_in


@pytest.fixture
def window(qtbot: Any) -> QWidget:
    """A window with two frames: a, b and c, d."""
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    for names in ("ab", "cd"):
        frame = QFrame(window)
        for name in names:
            button(frame, name)
        layout.addWidget(frame)
    window.show()
    return window


def button(parent: QWidget, name: str) -> QPushButton:
    made = QPushButton(name, parent)
    made.setObjectName(name)
    return made


def order(window: QWidget) -> str:
    """What Tab reaches, one after another."""
    names, one = "", window.nextInFocusChain()
    while one is not None and one is not window:
        if one.focusPolicy() & Qt.FocusPolicy.TabFocus and one.focusProxy() is None:
            names += one.objectName()
        one = one.nextInFocusChain()
    return names


def test_a_bar_is_reached_first_with_its_controls_in_their_order(window: QWidget) -> None:
    bar = QFrame(window)
    button(bar, "x")
    QSpinBox(bar).setObjectName("y")  # it has a field inside of it
    button(bar, "z")
    assert order(window) == "abcdxyz"
    tab_first(bar)
    assert order(window) == "xyzabcd"


def test_a_panel_comes_last_in_its_container(window: QWidget) -> None:
    container = window.findChildren(QFrame, options=Qt.FindChildOption.FindDirectChildrenOnly)[0]
    panel = QFrame(container)
    button(panel, "x")
    button(panel, "y")
    assert order(window) == "abcdxy"
    tab_last_in(panel, container)
    assert order(window) == "abxycd"
