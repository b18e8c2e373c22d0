"""A window without features, and nothing behind it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from quire.application import Application
from quire.launch_options import Options
from quire.settings.settings import SettingsFile
from quire.shell.draft_progress import ProgressModel
from quire.shell.main_window import MainWindow
from quire.shell.project_status import ProjectStatus
from quire.theme.fonts import install_fonts
from quire.theme.theme_switch import ThemeChoice, ThemeSwitch


@pytest.fixture(scope="session", autouse=True)
def fonts(qapp: QApplication) -> None:
    """The bundled fonts, once."""
    install_fonts()


@pytest.fixture
def themes(qapp: QApplication) -> Iterator[ThemeSwitch]:
    """The light theme; whatever a test chooses is taken off again."""
    palette = qapp.palette()
    switch = ThemeSwitch(qapp, ThemeChoice.LIGHT)
    yield switch
    # what qtbot has let go of, first: a style is taken off every widget that there is
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    qapp.setStyleSheet("")
    qapp.setPalette(palette)


@pytest.fixture
def window(themes: ThemeSwitch) -> Iterator[MainWindow]:
    """A window on the screen with a project in it."""
    window = MainWindow(ProjectStatus(), ProgressModel(), themes)
    window.show()
    window.status.open("The Ferry")
    window.show_project("It rained all night.")
    yield window
    window.leave()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # before the style is taken off
    QApplication.clipboard().clear()  # the offscreen platform would free a copy after Python has ended


@pytest.fixture
def quire(themes: ThemeSwitch, qapp: QApplication, tmp_path: Path) -> Iterator[Application]:
    """The window with everything that is there when it is first shown, and a project in it."""
    quire = Application(qapp, SettingsFile(tmp_path / "settings.ini"), Options(None, ""), tmp_path)
    window = quire.window
    window.themes.choose(ThemeChoice.LIGHT)
    window.show()
    window.status.open("The Ferry")
    window.show_project("It rained all night.")
    yield quire
    quire.close()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QApplication.clipboard().clear()
