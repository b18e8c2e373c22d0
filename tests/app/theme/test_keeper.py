from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication

from quire.theme.keeper import ThemeChoice, ThemeKeeper
from quire.theme.tokens import DARK, LIGHT


@pytest.fixture
def app(qapp: QApplication) -> Iterator[QApplication]:
    palette = qapp.palette()
    yield qapp
    qapp.setStyleSheet("")
    qapp.setPalette(palette)


def test_a_choice_shows_at_once(app: QApplication, qtbot: Any) -> None:
    keeper = ThemeKeeper(app, ThemeChoice.LIGHT)
    assert keeper.tokens is LIGHT
    with qtbot.waitSignal(keeper.changed):
        keeper.choose(ThemeChoice.DARK)
    assert keeper.tokens is DARK
    assert app.palette().color(QPalette.ColorRole.Base) == QColor(DARK.paper)
    assert DARK.desk in app.styleSheet()
    assert LIGHT.desk not in app.styleSheet()


def test_the_switch_goes_there_and_back(app: QApplication) -> None:
    keeper = ThemeKeeper(app, ThemeChoice.DARK)
    choices = []
    for _ in range(2):
        keeper.toggle()
        choices.append(keeper.choice)
    assert choices == [ThemeChoice.LIGHT, ThemeChoice.DARK]


def test_following_the_system_takes_its_scheme(app: QApplication) -> None:
    keeper = ThemeKeeper(app, ThemeChoice.SYSTEM)
    assert keeper.tokens is LIGHT  # the offscreen platform has no scheme
    keeper.choose(ThemeChoice.DARK)
    keeper.choose(ThemeChoice.SYSTEM)
    assert keeper.tokens is LIGHT
