"""From the start to an exported file without a mouse."""

from __future__ import annotations

import docx
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from quire.application import Application
from quire.domain.drafting.draft_status import DraftState
from quire.import_export.export_dialog import ExportDialog
from quire.projects.new_project_dialog import NewProjectDialog
from quire.projects.welcome_page import WelcomePage
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import Desktop, ended, state, stored
from tests.integration.test_window_beside import let_go, steps

KEY, CONTROL = Qt.Key, Qt.KeyboardModifier.ControlModifier
MOST_STOPS = 60
GOAL = 400


async def in_use(window: QWidget) -> None:
    """Wait until keys would arrive at a window; off the screen nobody else brings it to the front."""
    await turns_until(window.isVisible)
    window.activateWindow()
    await turns_until(window.isActiveWindow)


async def reached(wanted: QWidget) -> None:
    """Press Tab until a widget has the focus; each press must move it on."""
    window = wanted.window()
    await in_use(window)
    await turns_until(lambda: wanted.isVisible() and wanted.isEnabled())
    for _ in range(MOST_STOPS):
        here = window.focusWidget()
        assert here is not None
        if here is wanted:
            return
        QTest.keyClick(here, KEY.Key_Tab)
        assert window.focusWidget() is not here, f"Tab does not lead on from {here.accessibleName() or here}"
    raise AssertionError(f"Tab does not reach {wanted.accessibleName() or wanted}")


async def press_space(button: QPushButton) -> None:
    await reached(button)
    QTest.keyClick(button, KEY.Key_Space)


async def replace_with(field: QWidget, typed: str) -> None:
    """Type over what a field holds; keys go to what has the focus, as those of a keyboard do."""
    await reached(field)
    QTest.keyClick(field, KEY.Key_A, CONTROL)
    QTest.keyClicks(field, typed)


async def begin_book(quire: Application, title: str) -> None:
    window = quire.window
    (page,) = window.findChildren(WelcomePage)
    await press_space(page.new_button)
    await turns_until(lambda: bool(window.findChildren(NewProjectDialog)))
    (dialog,) = window.findChildren(NewProjectDialog)
    await in_use(dialog)
    assert dialog.focusWidget() is dialog.title_edit
    await replace_with(dialog.title_edit, title)
    await press_space(dialog.create_button)
    del dialog
    await turns_until(lambda: not window.findChildren(NewProjectDialog))
    await turns_until(lambda: window.status.is_open and window.status.is_at_rest)
    await turns_until(lambda: window.focusWidget() is window.editor)


def go_on(backend: ScriptedBackend) -> bool:
    """Let the engine take a step if it asks for one; it does until it hears of the pause."""
    if backend.asked.acquire(blocking=False):
        backend.gate.release()
    return True


async def draft_and_pause(quire: Application, backend: ScriptedBackend) -> None:
    window, editor, bar = quire.window, quire.window.editor, quire.app.controls.bar
    await in_use(window)
    QTest.keyClick(editor, KEY.Key_D, CONTROL)
    await turns_until(lambda: bar.isAncestorOf(window.focusWidget()))
    await replace_with(bar.goal_box, str(GOAL))
    QTest.keyClick(bar.goal_box, KEY.Key_Return)
    assert bar.goal_box.goal.words == GOAL
    QTest.keyClick(bar.goal_box, KEY.Key_D, CONTROL)
    before = editor.text()
    await press_space(bar.continue_button)
    await steps(backend, 5)
    await turns_until(lambda: len(editor.text()) > len(before))
    assert window.focusWidget() is bar.pause_button  # Space pauses what Space began
    await press_space(bar.pause_button)
    await state(quire, DraftState.PAUSING, DraftState.PAUSED)
    await turns_until(lambda: go_on(backend) and not editor.is_drafting)
    await ended(quire)
    assert window.status.status.state is DraftState.PAUSED
    await stored(quire)


async def export(quire: Application, desktop: Desktop, name: str) -> None:
    window = quire.window
    await in_use(window)
    here = window.focusWidget()
    assert here is not None
    QTest.keyClick(here, KEY.Key_F5)
    await turns_until(lambda: bool(window.findChildren(ExportDialog)))
    (dialog,) = window.findChildren(ExportDialog)
    dialog._folder = desktop.folder
    await replace_with(dialog.name_edit, name)
    await press_space(dialog.do_button)
    del dialog
    await turns_until(lambda: not window.findChildren(ExportDialog))


def test_a_book_is_begun_drafted_and_exported_with_the_keyboard(desktop: Desktop) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario(quire: Application) -> None:
        await begin_book(quire, "Night")
        await in_use(quire.window)
        QTest.keyClicks(quire.window.editor, "It rained.")
        await stored(quire)
        await draft_and_pause(quire, backend)
        await export(quire, desktop, "Night")
        exported = docx.Document(str(desktop.folder / "Night.docx"))
        words = "\n".join(paragraph.text for paragraph in exported.paragraphs)
        written = quire.window.editor.text().strip().rpartition("\n")[2]
        assert written.startswith("It rained. ")
        assert written in words

    desktop.start(backend, let_go(backend, scenario), tries=False)
