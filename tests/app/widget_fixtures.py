"""A window with its models, and nothing behind it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from quire.charts.run_charts import RunCharts
from quire.drafting.pace_model import PaceModel
from quire.shell.draft_progress import ProgressModel
from quire.shell.main_window import MainWindow
from quire.shell.project_status import ProjectStatus
from quire.shell.window_models import WindowModels
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
def models(themes: ThemeSwitch) -> WindowModels:
    """What a window shows."""
    return WindowModels(ProjectStatus(), ProgressModel(), PaceModel(), themes, RunCharts())


@pytest.fixture
def window(models: WindowModels, tmp_path: Path) -> Iterator[MainWindow]:
    """A window on the screen with a project in it."""
    window = MainWindow(models, tmp_path)
    window.show()
    models.status.open("The Ferry")
    window.show_project("It rained all night.")
    yield window
    window.leave()
    window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # before the style is taken off
    QApplication.clipboard().clear()  # the offscreen platform would free a copy after Python has ended
