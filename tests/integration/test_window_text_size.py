"""The size of the interface's text, in the window with everything that a draft needs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QTableView, QWidget

from quire.application import Application
from quire.settings.settings import SettingsFile
from quire.theme.fonts import INTERFACE
from quire.theme.text_size import INTERFACE_PX, TextSize, choose_text_size
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import Desktop
from tests.integration.test_window_desk import SMALL, cut_off

LARGEST_PX = 17
WITHOUT_TEXT = ("qt_scrollarea_hcontainer", "qt_scrollarea_vcontainer", "qt_tableview_cornerbutton")


@pytest.fixture(autouse=True)
def _usual_size() -> Iterator[None]:
    yield
    choose_text_size(TextSize.NORMAL)


def sizes(window: QWidget) -> dict[QWidget, tuple[int, ...]]:
    """Return the size of each widget's text, and what else follows it."""
    return {
        widget: (
            widget.font().pixelSize(),
            widget.minimumHeight(),
            widget.maximumHeight(),
            widget.verticalHeader().defaultSectionSize() if isinstance(widget, QTableView) else 0,
        )
        for widget in window.findChildren(QWidget)
        if widget.font().families()[:1] == [INTERFACE[0]] and widget.objectName() not in WITHOUT_TEXT
    }


def test_all_text_of_the_interface_follows_at_once_and_comes_back(desktop: Desktop) -> None:
    async def scenario(quire: Application) -> None:
        window, app = quire.window, quire.app
        app.steering.actions.right_panel.setChecked(True)
        window.commands.text_sizes[TextSize.NORMAL].trigger()
        before, manuscript = sizes(window), window.editor.document().defaultFont().pixelSize()
        assert len(before) > 200
        window.commands.text_sizes[TextSize.LARGEST].trigger()
        after = sizes(window)
        wrong = [
            (widget, before[widget][0], after[widget][0])
            for widget in before.keys() & after.keys()
            if after[widget][0] != round(before[widget][0] * LARGEST_PX / INTERFACE_PX)
        ]
        assert wrong == []
        assert window.menuBar().font().pixelSize() == LARGEST_PX
        assert window.editor.document().defaultFont().pixelSize() == manuscript
        assert quire.app.settings.settings.interface_size is TextSize.LARGEST
        preferences = quire.app.preferences.open()
        page = preferences.appearance
        assert page.font().pixelSize() == LARGEST_PX
        page.interface_size.setCurrentIndex(page.interface_size.findText("Normal"))
        assert window.commands.text_sizes[TextSize.NORMAL].isChecked()
        preferences.close()
        now = sizes(window)
        assert {widget: now[widget] for widget in before if widget in now} == {
            widget: was for widget, was in before.items() if widget in now
        }
        window.commands.text_sizes[TextSize.LARGER].trigger()

    desktop.start(ScriptedBackend(), scenario)
    assert SettingsFile(desktop.ini).load().interface_size is TextSize.LARGER


def test_the_largest_text_leaves_everything_in_reach_on_a_small_screen(desktop: Desktop) -> None:
    async def scenario(quire: Application) -> None:
        window, app, bar = quire.window, quire.app, quire.app.controls.bar
        window.commands.text_sizes[TextSize.LARGEST].trigger()
        window.resize(*SMALL)
        app.steering.actions.right_panel.setChecked(True)
        app.steering.dock.set_wanted(True)
        await turns_until(app.steering.dock.isVisible)
        assert (window.width(), window.height()) == SMALL
        assert cut_off(window) == []
        assert window.editor.viewport().width() > 200
        buttons = bar.continue_button, bar.pause_button
        await turns_until(lambda: all(button.width() >= button.sizeHint().width() for button in buttons))
        fields, room = app.steering.panel._scroll.widget(), app.steering.panel._scroll.viewport()
        assert fields is not None
        await turns_until(lambda: fields.width() <= room.width())

    desktop.start(ScriptedBackend(), scenario)
