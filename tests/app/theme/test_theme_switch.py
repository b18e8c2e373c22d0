from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from quire.theme.colour_tokens import DARK, HIGH_CONTRAST, LIGHT, SEPIA
from quire.theme.theme_switch import TOKENS_OF, ThemeChoice, ThemeSwitch


@pytest.fixture
def app(qapp: QApplication) -> Iterator[QApplication]:
    palette = qapp.palette()
    yield qapp
    qapp.setStyleSheet("")
    qapp.setPalette(palette)


def test_a_choice_shows_at_once(app: QApplication, qtbot: Any) -> None:
    keeper = ThemeSwitch(app, ThemeChoice.LIGHT)
    assert keeper.tokens is LIGHT
    with qtbot.waitSignal(keeper.changed):
        keeper.choose(ThemeChoice.DARK)
    assert keeper.tokens is DARK
    assert app.palette().color(QPalette.ColorRole.Base) == QColor(DARK.paper)
    assert DARK.desk in app.styleSheet()
    assert LIGHT.desk not in app.styleSheet()


def test_the_switch_goes_there_and_back(app: QApplication) -> None:
    keeper = ThemeSwitch(app, ThemeChoice.DARK)
    choices = []
    for _ in range(2):
        keeper.toggle()
        choices.append(keeper.choice)
    assert choices == [ThemeChoice.LIGHT, ThemeChoice.DARK]


def test_following_the_system_takes_its_scheme(app: QApplication) -> None:
    keeper = ThemeSwitch(app, ThemeChoice.SYSTEM)
    assert keeper.tokens is LIGHT  # the offscreen platform has no scheme
    keeper.choose(ThemeChoice.DARK)
    keeper.choose(ThemeChoice.SYSTEM)
    assert keeper.tokens is LIGHT


@pytest.mark.parametrize("choice", TOKENS_OF)
def test_every_theme_dresses_the_application(app: QApplication, choice: ThemeChoice) -> None:
    keeper = ThemeSwitch(app, choice)
    assert keeper.tokens is TOKENS_OF[choice]
    assert app.palette().color(QPalette.ColorRole.Base) == QColor(keeper.tokens.paper)
    assert keeper.tokens.desk in app.styleSheet()


@pytest.mark.parametrize(("light", "dark"), [(ThemeChoice.SEPIA, ThemeChoice.HIGH_CONTRAST)])
def test_the_switch_comes_back_to_the_one_that_was_on(
    app: QApplication, light: ThemeChoice, dark: ThemeChoice
) -> None:
    keeper = ThemeSwitch(app, dark)
    keeper.choose(light)
    choices = []
    for _ in range(3):
        keeper.toggle()
        choices.append(keeper.choice)
    assert choices == [dark, light, dark]


class _Asking:
    """A system with wishes, in place of Qt's style hints."""

    def __init__(self, scheme: Qt.ColorScheme, contrast: Qt.ContrastPreference) -> None:
        self._scheme, self._contrast = scheme, contrast

    def colorScheme(self) -> Qt.ColorScheme:
        return self._scheme

    def accessibility(self) -> _Asking:
        return self

    def contrastPreference(self) -> Qt.ContrastPreference:
        return self._contrast


@pytest.mark.parametrize("scheme", Qt.ColorScheme)
@pytest.mark.parametrize("contrast", Qt.ContrastPreference)
def test_the_system_is_followed_where_it_says_something(
    app: QApplication,
    monkeypatch: pytest.MonkeyPatch,
    scheme: Qt.ColorScheme,
    contrast: Qt.ContrastPreference,
) -> None:
    keeper = ThemeSwitch(app, ThemeChoice.SEPIA)
    assert keeper.tokens is SEPIA
    monkeypatch.setattr(QGuiApplication, "styleHints", lambda: _Asking(scheme, contrast))
    keeper.choose(ThemeChoice.SYSTEM)
    usual = DARK if scheme is Qt.ColorScheme.Dark else LIGHT
    assert keeper.tokens is (HIGH_CONTRAST if contrast is Qt.ContrastPreference.HighContrast else usual)


def test_a_system_that_changes_its_mind_is_followed(app: QApplication) -> None:
    keeper = ThemeSwitch(app, ThemeChoice.SYSTEM)
    told: list[bool] = []
    keeper.changed.connect(lambda: told.append(True))
    QGuiApplication.styleHints().accessibility().contrastPreferenceChanged.emit(
        Qt.ContrastPreference.NoPreference
    )
    assert told
