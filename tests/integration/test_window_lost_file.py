"""The file of the open project is deleted: the window says so, and saves everything under another name."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from quire.application import Application
from quire.services.transactions.closed_projects import read_project
from quire.shell.notices import NoticeAction
from quire.shell.project_status import SaveState
from quire.ui.file_dialogs import SaveProjectDialog
from tests.benchmarks.app.latency_probes import turns_until, until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import LEFT, TEXT, Desktop, ended, press, stored

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps open files where they are")


async def saved_elsewhere(quire: Application, qtbot: Any, path: str) -> None:
    """Answer the notice, and the dialog that it opens."""
    window = quire.window
    notice = window.notice_bar.notice
    assert notice is not None
    assert notice.actions == (NoticeAction.SAVE_ELSEWHERE, NoticeAction.SAVE_AGAIN)
    assert "was moved, replaced or deleted" in notice.text
    qtbot.mouseClick(window.notice_bar.action_button, LEFT)
    await turns_until(lambda: bool(window.findChildren(SaveProjectDialog)))
    (dialog,) = window.findChildren(SaveProjectDialog)
    dialog.fileSelected.emit(path)
    dialog.close()
    current = quire.app.elsewhere.current
    await turns_until(lambda: current.session is not None and str(current.session.path) == path)
    await turns_until(lambda: not window.status.switching)


def test_what_was_typed_is_saved_under_another_name(desktop: Desktop, qtbot: Any) -> None:
    other = desktop.folder / "Other.quire"

    async def scenario(quire: Application) -> None:
        window = quire.window
        window.editor.insertPlainText("First. ")
        await stored(quire)
        desktop.sample.unlink()
        window.editor.insertPlainText("Second. ")
        await until(window.status.saved, lambda: window.status.save_state is SaveState.NOT_SAVED)
        await turns_until(lambda: window.notice_bar.notice is not None)
        await saved_elsewhere(quire, qtbot, str(other))
        window.editor.insertPlainText("Third. ")
        await stored(quire)

    assert desktop.start(ScriptedBackend(), scenario) == 0
    text = read_project(other).text
    assert all(word in text for word in ("First. ", "Second. ", "Third. "))


def test_a_draft_whose_file_is_deleted_goes_on_in_another(desktop: Desktop, qtbot: Any) -> None:
    other = desktop.folder / "Other.quire"
    backend = ScriptedBackend(gated=True)

    async def scenario(quire: Application) -> None:
        quire.app.controls.bar.goal_box.set_goal(20)
        press(qtbot, quire, "continue")
        backend.gate.release(5)
        await until(quire.window.progress.changed, lambda: quire.window.progress.num_words == 5)
        desktop.sample.unlink()
        backend.gate.release(1_000)
        await ended(quire)
        drafted.append(quire.window.editor.text())
        await saved_elsewhere(quire, qtbot, str(other))

    drafted: list[str] = []
    assert desktop.start(backend, scenario) == 0
    saved = read_project(other)
    assert saved.text == drafted[0]
    assert saved.text.startswith(TEXT)
    assert saved.runs[-1].num_words >= 5
