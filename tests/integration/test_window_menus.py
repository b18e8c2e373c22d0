"""The menus are whole from the first moment."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from quire.application import Application
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import Desktop

Entries = dict[str, list[str]]
SMALL_SCREEN_PX = 540


def entries(menu: QMenu) -> list[str]:
    """Return the texts of a menu and of its submenus, but for lists that belong to the writer."""
    found = list[str]()
    for action in menu.actions():
        found.append(action.text())
        submenu = action.menu()
        if isinstance(submenu, QMenu) and submenu.title() not in ("Open &Recent", "&Language"):
            found += entries(submenu)
    return found


def all_entries(quire: Application) -> Entries:
    menus = (action.menu() for action in quire.window.menuBar().actions())
    return {menu.title(): entries(menu) for menu in menus if isinstance(menu, QMenu)}


def test_no_entry_arrives_later(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    first: list[Entries] = []
    usual = Application.run

    async def run(quire: Application) -> int:
        assert not quire.app.is_complete
        first.append(all_entries(quire))
        late = quire.window.commands
        assert not late.presets.isEnabled()
        return await usual(quire)

    async def scenario(quire: Application) -> None:
        await turns_until(lambda: quire.app.is_complete)
        await asyncio.sleep(0)
        now = all_entries(quire)
        alternatives = [text for text in now["&Inspect"] if "for This Word" in text]
        assert now["&Inspect"].count("Alternati&ves for Selection…") + len(alternatives) == 1
        for title, texts in now.items():
            assert len(texts) == len(first[0][title]), title
        late = quire.window.commands
        for bar_action in quire.window.menuBar().actions():
            menu = bar_action.menu()
            assert isinstance(menu, QMenu)
            assert menu.sizeHint().height() < SMALL_SCREEN_PX, menu.title()
        for action in (late.presets, late.memory, late.outline, late.models):
            assert action.isEnabled(), action.text()

    monkeypatch.setattr(Application, "run", run)
    desktop.start(ScriptedBackend(), scenario)


def test_reading_view_is_the_page_alone(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        window, do, page = quire.window, quire.window.commands, quire.app.reading.page
        around = (window.side_panel, quire.app.steering.dock, quire.app.charts.deck, window.status_line)
        bar = quire.app.controls.bar
        do.right_panel.setChecked(True)
        do.charts.setChecked(True)
        await turns_until(lambda: all(part.isVisible() for part in (*around, bar)))
        do.reading_view.trigger()
        await turns_until(page.isVisible)
        assert not any(part.isVisible() for part in (*around, bar))
        qtbot.keyClick(page.view, Qt.Key.Key_Escape)
        assert all(part.isVisible() for part in (*around, bar))
        do.reading_view.trigger()
        await turns_until(page.isVisible)
        do.go_to_tree.trigger()  # what moves to something that is hidden shows it
        assert window.side_panel.isVisible()
        assert not page.isVisible()
        do.reading_view.trigger()
        await turns_until(page.isVisible)
        do.close_project.trigger()
        await turns_until(lambda: not window.status.is_open and bar.isVisible())
        assert not any(part.isVisible() for part in around)  # nothing of it on the welcome page

    desktop.start(ScriptedBackend(), scenario)
