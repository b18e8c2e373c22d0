"""The words that the writer wants to write each day."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from quire.services.project.project_session import ProjectSession
from quire.services.project.writing_log import daily_target_of
from quire.writing_statistics.controller import StatisticsController
from quire.writing_statistics.statistics_dialog import WritingDialog
from tests.app.project_window import ProjectWindow, play

LEFT = Qt.MouseButton.LeftButton
RunAsync = Callable[..., Any]


def test_the_target_of_a_day_is_kept_shown_and_reached(
    qapp: QApplication, run_async: RunAsync, tmp_path: Path, qtbot: Any
) -> None:
    path = tmp_path / "novel.quire"
    run_async(_made(path))

    def make(shown: ProjectWindow) -> None:
        shown.parts.append(StatisticsController(shown.app))

    async def scenario(shown: ProjectWindow) -> None:
        window, label = shown.window, shown.window.status_line.today_label
        assert label.isHidden()
        window.commands.statistics.trigger()
        await shown.settle()
        (dialog,) = window.findChildren(WritingDialog)
        form = dialog.target_form
        assert not form.set_button.isEnabled()
        qtbot.keyClicks(form.words_edit, "50")
        qtbot.mouseClick(form.set_button, LEFT)
        await shown.settle()
        assert form.remove_button.isVisible()
        assert await shown.session.read(daily_target_of) == 50
        assert label.text() == "Today: 0 of 50 written"
        await shown.session.save_text("It rained. " + "word " * 49)
        await shown.settle()
        assert label.text() == "Today: 49 of 50 written"
        assert not window.toast.isVisible()
        await shown.session.save_text("It rained. " + "word " * 50)
        await shown.settle()
        assert window.toast.label.text() == "You have written the 50 words of today's target."
        qtbot.mouseClick(form.remove_button, LEFT)
        await shown.settle()
        assert await shown.session.read(daily_target_of) == 0
        assert label.text() == "Today: 50 written"
        dialog.accept()

    play(qapp, run_async, path, scenario, make)


async def _made(path: Path) -> None:
    await (await ProjectSession.create(path, "Night", "It rained. ")).close()
