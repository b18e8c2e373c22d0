"""Retry, takes and snapshots in a real window."""

from __future__ import annotations

import asyncio
from typing import Any

from PySide6.QtGui import QTextCursor

from quire.application import Application
from quire.domain.drafting.draft_status import DraftState
from quire.presets.preset_dialog import PresetDialog
from quire.services.transactions.closed_projects import read_project
from quire.takes.compare_dialog import CompareDialog
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import OPENING, Desktop, ended, press


async def say(quire: Application, name: str) -> None:
    action = getattr(quire.window.commands, name)
    await turns_until(action.isEnabled)
    action.trigger()


async def drafted(quire: Application, before: str) -> str:
    """Wait until another text was drafted to its goal; return it."""
    status = quire.window.status
    await turns_until(
        lambda: (
            status.status.state is DraftState.FINISHED
            and not status.switching
            and quire.window.editor.text() not in ("", before, TEXT_BEFORE)
            and not quire.window.editor.is_drafting
        )
    )
    return quire.window.editor.text()


TEXT_BEFORE = OPENING.partition("\n\n")[2]


def test_retry_and_the_way_back(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        assert quire.app.takes.panel.hint.isVisibleTo(quire.app.takes.panel)
        press(qtbot, quire, "continue")
        await ended(quire)
        first = quire.window.editor.text()
        await say(quire, "retry")
        second = await drafted(quire, first)
        assert second.startswith(TEXT_BEFORE)
        await turns_until(lambda: quire.app.takes.panel.list.count() == 3)
        await say(quire, "previous_take")
        await turns_until(lambda: quire.window.editor.text() == first)
        await turns_until(lambda: quire.window.commands.next_take.isEnabled())
        await say(quire, "next_take")
        await turns_until(lambda: quire.window.editor.text() == second)

    assert desktop.start(ScriptedBackend(), scenario) == 0
    assert len(read_project(desktop.sample).runs) == 2


def test_redraft_from_the_caret_and_compare(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        cursor = quire.window.editor.textCursor()
        cursor.setPosition(7)
        quire.window.editor.setTextCursor(cursor)
        await say(quire, "redraft")
        text = await drafted(quire, "")
        assert text.startswith(TEXT_BEFORE[:7])
        assert not text.startswith(TEXT_BEFORE)
        panel = quire.app.takes.panel
        await turns_until(lambda: panel.list.count() == 3)
        panel.list.setCurrentRow(1)
        panel.compare_button.click()
        await turns_until(lambda: quire.window.findChild(CompareDialog) is not None)
        shown = quire.window.findChild(CompareDialog)
        assert isinstance(shown, CompareDialog)
        assert shown.right.toPlainText() == TEXT_BEFORE.replace("\u00a0", " ")
        shown.close()
        quire.window.editor.moveCursor(QTextCursor.MoveOperation.Start)
        await say(quire, "redraft")
        await turns_until(lambda: quire.window.notice_bar.notice is not None)
        notice = quire.window.notice_bar.notice
        assert notice is not None
        assert "There is no text to continue before" in notice.text

    assert desktop.start(ScriptedBackend(), scenario) == 0


def test_a_snapshot_is_taken_and_restored(desktop: Desktop) -> None:
    async def scenario(quire: Application) -> None:
        panel = quire.app.takes.snapshots_panel
        await say(quire, "snapshot")
        await turns_until(lambda: panel.list.count() == 1)
        quire.window.editor.selectAll()
        quire.window.editor.insertPlainText("All gone.")
        panel.list.setCurrentRow(0)
        panel.restore_button.click()
        await turns_until(lambda: quire.window.editor.text() == TEXT_BEFORE)
        await turns_until(lambda: panel.list.count() == 2)

    assert desktop.start(ScriptedBackend(), scenario) == 0


def test_pause_and_free_the_memory(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario(quire: Application) -> None:
        assert not quire.window.commands.free_memory.isEnabled()
        press(qtbot, quire, "continue")
        await asyncio.to_thread(backend.asked.acquire)
        await say(quire, "free_memory")
        backend.gate.release(1_000)
        await ended(quire)
        await turns_until(lambda: backend.num_unloads == 1 and not quire.window.status.dtype)
        press(qtbot, quire, "continue")
        await turns_until(lambda: quire.window.status.status.state is DraftState.FINISHED)

    assert desktop.start(backend, scenario) == 0
    assert len(read_project(desktop.sample).runs) == 1


def test_a_take_is_made_again_word_for_word(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        press(qtbot, quire, "continue")
        await ended(quire)
        first = quire.window.editor.text()
        await say(quire, "retry")
        second = await drafted(quire, first)
        panel = quire.app.takes.panel
        await turns_until(lambda: panel.list.count() == 3)
        panel.list.setCurrentRow(1)
        panel.commands.again.trigger()
        await turns_until(lambda: quire.window.notice_bar.notice is not None)
        notice = quire.window.notice_bar.notice
        assert notice is not None
        assert notice.text == "The new take is the same, word for word."
        assert quire.window.editor.text() == first != second
        assert panel.list.count() == 4

    assert desktop.start(ScriptedBackend(), scenario) == 0
    seeds = [run.sampling.seed for run in read_project(desktop.sample).runs]
    assert (len(seeds), seeds[0]) == (3, seeds[2])


def test_a_take_says_which_preset_of_the_writers_own_it_was_drafted_with(
    desktop: Desktop, qtbot: Any
) -> None:
    async def scenario(quire: Application) -> None:
        presets = quire.app.steering.presets
        presets.show_dialog()
        (dialog,) = quire.window.findChildren(PresetDialog)
        dialog.form.boxes["temperature"].setValue(1.4)
        dialog.name_edit.setText("Gothic")
        dialog.save_button.click()
        await turns_until(lambda: presets.named("Gothic") is not None)
        dialog.use_button.click()
        dialog.close_button.click()
        press(qtbot, quire, "continue")
        await ended(quire)
        await say(quire, "retry")
        await drafted(quire, quire.window.editor.text())
        panel = quire.app.takes.panel
        quire.window.side_panel.show_panel(panel)
        await turns_until(lambda: panel.list.count() == 3)
        panel.list.setCurrentRow(1)
        await turns_until(lambda: any("Gothic" in value.accessibleName() for value in panel.rows.values))

    assert desktop.start(ScriptedBackend(), scenario) == 0
