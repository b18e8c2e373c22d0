"""What a new writer stumbles over in the first minutes: the tree, the caret, small screens, menus."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLocale, QPoint, QRect, QTranslator
from PySide6.QtWidgets import QApplication, QComboBox, QMenu, QWidget

from quire.application import Application
from quire.domain.manuscript.tree import NodeKind
from quire.domain.manuscript.tree_requests import Rename
from quire.services.project.project_session import ProjectSession
from quire.settings.interface_language import install_language
from quire.system.number_text import use_marks
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import Desktop
from tests.integration.test_window_target import go_to

SMALL = 952, 496  # what a frame and a task bar leave of full HD at 200%
NUM_CHAPTERS = 60


def book(desktop: Desktop) -> Path:
    """Create a book of many chapters of some length, of which the last is open."""

    async def create() -> None:
        paragraphs = "\n\n".join(f"Line {line} of it." for line in range(60))
        text = "\n\n".join(f"Chapter {number}\n\n{paragraphs}" for number in range(1, NUM_CHAPTERS + 1))
        session = await ProjectSession.create_cut(path, "Long", text)
        await session.open_document(session.tree.reading_order()[-1].node_id)
        await session.close()

    path = desktop.folder / "long.quire"
    desktop.run_async(create())
    return path


def test_the_tree_shows_the_open_chapter_and_the_caret_comes_back(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        view, editor = quire.app.manuscript.panel.view, quire.window.editor
        row = view.visualRect(view.currentIndex())
        assert view.currentIndex().data() == f"Chapter {NUM_CHAPTERS}"
        assert view.viewport().rect().contains(row)
        await go_to(quire, "Chapter 2")
        assert view.viewport().rect().contains(view.visualRect(view.currentIndex()))
        caret = editor.textCursor()
        caret.setPosition(300)
        editor.setTextCursor(caret)
        editor.ensureCursorVisible()
        scrolled = editor.verticalScrollBar().value()
        await go_to(quire, "Chapter 3")
        await go_to(quire, "Chapter 2")
        assert (editor.textCursor().position(), editor.verticalScrollBar().value()) == (300, scrolled)
        quire.app.manuscript.panel.commands.split.trigger()
        await turns_until(lambda: _is_split(quire))
        assert editor.textCursor().position() == 0

    desktop.start(ScriptedBackend(), scenario, book(desktop))


def _is_split(quire: Application) -> bool:
    session = quire.app.current.session
    assert session is not None
    is_there = len(session.tree.reading_order()) == NUM_CHAPTERS + 1
    return is_there and not quire.window.status.switching


def cut_off(window: QWidget) -> list[str]:
    """Return the visible controls that do not lie in the window as a whole."""
    room = window.rect()
    found = []
    for child in window.findChildren(QWidget):
        if child.isVisible() and child.parent() in (window, window.centralWidget()):  # type: ignore[attr-defined]
            place = QRect(child.mapTo(window, QPoint(0, 0)), child.size())
            if not room.contains(place):
                found.append(f"{child.objectName() or type(child).__name__} {place}")
    return found


def test_everything_is_reached_on_a_screen_of_full_hd_at_200_percent(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        window, app = quire.window, quire.app
        window.resize(*SMALL)
        app.steering.actions.right_panel.setChecked(True)
        app.steering.dock.set_wanted(True)
        await turns_until(app.steering.dock.isVisible)
        assert (window.width(), window.height()) == SMALL
        assert cut_off(window) == []
        assert window.editor.viewport().width() > 200

    desktop.start(ScriptedBackend(), scenario)


def test_a_renamed_character_has_its_name_everywhere(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        panel, app, session = quire.app.manuscript.panel, quire.app, quire.app.current.session
        assert session is not None
        panel.commands.new_texts[NodeKind.CHARACTER].trigger()
        notes = app.steering.notes.list
        await turns_until(lambda: notes.count() == 1 and not quire.window.status.switching)
        panel.edit_asked.emit(Rename(session.document_id, "Anne Lovell"))
        await turns_until(lambda: "Anne Lovell" in notes.item(0).text())
        assert (quire.window.status.title or "").endswith("Anne Lovell")

    desktop.start(ScriptedBackend(), scenario)


def test_no_panel_waits_for_words_on_the_welcome_page(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        assert not quire.window.status.is_open
        assert not quire.app.steering.dock.isVisible()
        quire.app.steering.actions.right_panel.trigger()
        assert not quire.app.steering.dock.isVisible()

    desktop.start(ScriptedBackend(), scenario, tries=False)


@pytest.mark.parametrize("language", ["en", "de"])
def test_names_and_keys_are_there_and_whole(desktop: Desktop, qapp: QApplication, language: str) -> None:
    async def scenario(quire: Application) -> None:
        window = quire.window
        for box in window.findChildren(QComboBox):
            assert box.accessibleName(), box
        for menu in window.menuBar().findChildren(QMenu):
            keys = Counter(_mnemonics(menu))
            assert not [key for key, times in keys.items() if times > 1], (menu.title(), keys)
        tabs = window.side_panel.tabs
        shown = [tabs.fontMetrics().horizontalAdvance(tabs.tabText(n)) for n in range(tabs.count())]
        assert all(tabs.tabRect(n).width() >= width for n, width in enumerate(shown))

    known, before = set(qapp.findChildren(QTranslator)), QLocale()
    install_language(qapp, language)
    try:
        desktop.start(ScriptedBackend(), scenario)
    finally:
        for translator in set(qapp.findChildren(QTranslator)) - known:
            qapp.removeTranslator(translator)
        use_marks(",", ".")
        QLocale.setDefault(before)


def _mnemonics(menu: QMenu) -> list[str]:
    texts = [action.text().replace("&&", "") for action in menu.actions() if action.isVisible()]
    return [text[text.index("&") + 1].lower() for text in texts if "&" in text]


def test_in_the_smallest_window_charts_cover_nothing(desktop: Desktop) -> None:
    async def scenario(quire: Application) -> None:
        window, deck, strip = quire.window, quire.app.charts.deck, quire.app.controls.strip
        window.resize(960, 540)
        window.commands.charts.setChecked(True)
        await turns_until(deck.isVisible)
        assert window.height() == 540
        assert deck.geometry().bottom() < window.status_line.y()
        assert window.status_line.isAncestorOf(strip)
        await turns_until(lambda: quire.app.is_complete)
        deck.height_chosen.emit(400)
        assert quire.app.settings.settings.charts_px == deck.sizeHint().height() == 400

    desktop.start(ScriptedBackend(), scenario)
