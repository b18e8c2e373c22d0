"""What a new user does in the first five minutes, with the built-in model and with mouse and keyboard."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docx
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from quire.application import Application
from quire.book_formats.export_settings import Format
from quire.client.local_engine import real_backend
from quire.domain.drafting.draft_status import DraftState
from quire.domain.text_quality.overlays import Overlay
from quire.import_export.export_dialog import ExportDialog
from quire.launch_options import Options
from quire.projects.welcome_page import WelcomePage
from quire.services.transactions.closed_projects import read_project
from quire.settings.settings import SettingsFile
from quire.theme.theme_switch import ThemeChoice
from tests.benchmarks.app.latency_probes import turns_until, until
from tests.integration.desktop import LEFT, ended, press, stored

CONTROL = Qt.KeyboardModifier.ControlModifier
PATIENCE_S = 300


@pytest.fixture
def loop(qapp: QApplication) -> Iterator[QEventLoop]:
    loop = QEventLoop(qapp)
    asyncio.set_event_loop(loop)
    with loop:
        yield loop
    asyncio.set_event_loop(None)
    qapp.setStyleSheet("")


class Visitor:
    """Somebody who has never seen Quire before."""

    def __init__(self, quire: Application, qtbot: Any, folder: Path) -> None:
        self.quire, self.qtbot, self.folder = quire, qtbot, folder
        self.window, self.editor = quire.window, quire.window.editor

    async def tries_it_now(self) -> None:
        (page,) = self.window.findChildren(WelcomePage)
        await turns_until(page.isVisible)
        self.qtbot.mouseClick(page.try_button, LEFT)
        status = self.quire.window.status
        await until(status.changed, lambda: status.is_open and not status.switching)
        await turns_until(lambda: self.quire.app.is_complete)

    async def drafts_a_little(self) -> str:
        before = self.editor.text()
        self.quire.app.controls.bar.goal_box.set_goal(25)
        press(self.qtbot, self.quire, "continue")
        await ended(self.quire)
        assert self.editor.text().startswith(before)
        assert len(self.editor.text()) > len(before)
        return self.editor.text()

    async def undoes_it_and_thinks_again(self) -> None:
        """Use the bar below the draft, and Ctrl+Z."""
        with_draft, bar, end = self.editor.text(), self.quire.app.result.bar, self.editor.text_end
        await turns_until(bar.isVisible)
        assert end.is_target
        assert self.quire.window.commands.undo.text() == "&Undo Draft"
        self.qtbot.keyClick(self.editor, Qt.Key.Key_Z, CONTROL)
        await turns_until(lambda: self.editor.text() != with_draft and bar.redo_button.isVisible())
        assert with_draft.startswith(self.editor.text())
        self.qtbot.mouseClick(bar.redo_button, LEFT)
        await turns_until(lambda: self.editor.text() == with_draft and bar.keep_button.isVisible())
        self.qtbot.mouseClick(bar.keep_button, LEFT)
        assert not bar.isVisible()

    async def pauses_in_the_middle(self) -> None:
        before = len(self.editor.text())
        self.quire.app.controls.bar.goal_box.set_goal(4_000)
        press(self.qtbot, self.quire, "continue")
        await turns_until(lambda: len(self.editor.text()) > before + 40)
        self.window.commands.pause.trigger()
        await ended(self.quire)
        assert self.quire.window.status.status.state is DraftState.PAUSED

    async def writes_above_it(self) -> None:
        self.editor.moveCursor(QTextCursor.MoveOperation.Start)
        self.qtbot.keyClicks(self.editor, "My own first words. ")
        await stored(self.quire)

    async def asks_for_another_take(self) -> None:
        self.quire.app.controls.bar.goal_box.set_goal(20)
        first = self.editor.text()
        await turns_until(self.window.commands.retry.isEnabled)
        self.window.commands.retry.trigger()
        status = self.quire.window.status
        await turns_until(
            lambda: (
                status.status.state is DraftState.FINISHED
                and not self.editor.is_drafting
                and not status.switching
                and self.editor.text() != first
            )
        )
        await turns_until(lambda: self.quire.app.takes.panel.list.count() >= 3)

    async def looks_around(self) -> None:
        for choice in (ThemeChoice.DARK, ThemeChoice.SEPIA, ThemeChoice.LIGHT):
            self.window.commands.themes[choice].trigger()
            assert self.quire.window.themes.choice is choice
        self.qtbot.keyClick(self.editor, Qt.Key.Key_F7)
        assert self.quire.app.page_overlays.picker.overlay is not Overlay.NONE
        assert self.quire.app.charts.deck.isVisible()  # it opened with the draft
        self.window.commands.charts.trigger()
        assert not self.quire.app.charts.deck.isVisible()
        self.qtbot.keyClick(self.editor, Qt.Key.Key_F8)
        assert not self.quire.app.controls.bar.isVisible()
        self.qtbot.keyClick(self.editor, Qt.Key.Key_F8)
        assert self.quire.app.controls.bar.isVisible()

    async def finds_a_word(self) -> None:
        self.qtbot.keyClick(self.editor, Qt.Key.Key_F, CONTROL)
        assert self.quire.app.search.find_bar.isVisible()
        self.qtbot.keyClicks(self.quire.app.search.find_bar.query_field.field, "own")
        await turns_until(lambda: self.editor.textCursor().selectedText() == "own")
        self.qtbot.keyClick(self.quire.app.search.find_bar.query_field.field, Qt.Key.Key_Escape)

    async def exports_it(self) -> Path:
        self.qtbot.keyClick(self.editor, Qt.Key.Key_F5)
        await turns_until(lambda: self.window.findChildren(ExportDialog))
        (dialog,) = self.window.findChildren(ExportDialog)
        dialog._folder = self.folder
        dialog.format_box.setCurrentIndex(dialog.format_box.findData(Format.DOCX.value))
        dialog.name_edit.setText("My Book")
        self.qtbot.mouseClick(dialog.do_button, LEFT)
        made = self.folder / "My Book.docx"
        await turns_until(made.exists)
        await turns_until(lambda: not self.window.findChildren(ExportDialog))
        return made


@pytest.mark.slow
@pytest.mark.timeout(PATIENCE_S + 30)
def test_the_first_five_minutes(qapp: QApplication, qtbot: Any, loop: QEventLoop, tmp_path: Path) -> None:
    projects = tmp_path / "Quire"

    async def visit() -> tuple[str, Path]:
        quire = Application(
            qapp, SettingsFile(tmp_path / "quire.json"), Options(None, ""), projects, real_backend
        )
        quire.window.show()
        running = asyncio.ensure_future(quire.run())
        try:
            visitor = Visitor(quire, qtbot, tmp_path)
            await visitor.tries_it_now()
            await visitor.drafts_a_little()
            await visitor.undoes_it_and_thinks_again()
            await visitor.pauses_in_the_middle()
            await visitor.writes_above_it()
            await visitor.asks_for_another_take()
            await visitor.looks_around()
            await visitor.finds_a_word()
            made = await visitor.exports_it()
            return quire.window.editor.text(), made
        finally:
            quire.window.close()
            assert await running == 0

    text, made = loop.run_until_complete(asyncio.wait_for(visit(), PATIENCE_S))
    (project,) = projects.glob("*.quire")
    assert read_project(project).text == text
    assert text.startswith("My own first words. ")
    exported = "\n".join(paragraph.text for paragraph in docx.Document(str(made)).paragraphs)
    assert "My own first words." in exported
