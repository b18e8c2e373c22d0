"""A writer's day: start, draft, pause, edit, close, come back."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from quire.application import Application
from quire.domain.drafting.run import RunState
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.closed_projects import read_project
from quire.settings.settings import SettingsFile
from quire.theme.theme_switch import ThemeChoice
from tests.benchmarks.app.latency_probes import until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import (
    TEXT,
    Desktop,
    ended,
    press,
    seed_of,
    stored,
)


def test_the_first_start_drafts_and_the_next_one_goes_on(desktop: Desktop, qtbot: Any) -> None:
    async def first(quire: Application) -> None:
        window = quire.window
        assert window.editor.text() == TEXT
        assert window.windowTitle() == "Low Water - Quire"
        assert window.notice_bar.notice is not None  # what the sample is
        quire.app.controls.bar.goal_box.set_goal(20)
        press(qtbot, quire, "continue")
        assert window.editor.isReadOnly()
        await ended(quire)
        assert quire.app.controls.strip.state_label.text() == "Goal reached"
        assert window.editor.text() != TEXT
        assert window.status_line.saved_label.text() == "Saved"
        assert window.status_line.dtype_label.text() == "float32"

    async def second(quire: Application) -> None:
        shown = quire.window.editor.text()
        assert shown == read_after_first
        assert quire.app.controls.strip.state_label.text() == "Goal reached"
        quire.app.controls.bar.goal_box.set_goal(30)
        press(qtbot, quire, "continue")
        await ended(quire)
        assert quire.window.editor.text().startswith(shown)
        assert quire.app.controls.strip.words_label.text().endswith("/ 30 words")

    assert desktop.start(ScriptedBackend(), first) == 0
    read_after_first = read_project(desktop.sample).text
    num_words = read_project(desktop.sample).runs[-1].num_words
    assert desktop.start(ScriptedBackend(), second) == 0
    project = read_project(desktop.sample)
    assert [run.state for run in project.runs] == [RunState.FINISHED]
    goal = max(num_words, 20) + 30
    uninterrupted = ScriptedBackend().text_of(TEXT, seed_of(desktop.sample), goal)
    assert project.text == TEXT + uninterrupted


def test_escape_pauses_and_continue_goes_on_with_the_same_words(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario(quire: Application) -> None:
        window = quire.window
        quire.app.controls.bar.goal_box.set_goal(20)
        qtbot.keyClick(window.editor, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        backend.gate.release(5)
        await until(quire.window.progress.changed, lambda: quire.window.progress.num_words == 5)
        qtbot.keyClick(window.editor, Qt.Key.Key_Escape)
        backend.gate.release()
        await ended(quire)
        assert quire.app.controls.strip.state_label.text() == "Paused"
        assert quire.app.controls.strip.words_label.text() == "6 / 20 words"
        backend.gate.release(200)
        press(qtbot, quire, "continue")
        await ended(quire)
        assert quire.app.controls.strip.state_label.text() == "Goal reached"

    desktop.start(backend, scenario)
    assert read_project(desktop.sample).text == TEXT + backend.text_of(TEXT, seed_of(desktop.sample), 20)


@pytest.mark.parametrize("how", ["close", "quit", "SIGTERM", "SIGINT"])
def test_leaving_while_drafting_stores_everything(desktop: Desktop, qtbot: Any, how: str) -> None:
    if how.startswith("SIG") and sys.platform == "win32":
        pytest.skip("no such signals there")
    backend = ScriptedBackend(gated=True)
    shown: list[str] = []

    async def scenario(quire: Application) -> None:
        press(qtbot, quire, "continue")
        backend.gate.release(8)
        await until(quire.window.progress.changed, lambda: quire.window.progress.num_words == 8)
        if how == "close":
            quire.window.close()
        elif how == "quit":
            quire.window.commands.quit.trigger()
        else:
            os.kill(os.getpid(), getattr(signal, how))
        await until(quire.window.status.changed, lambda: quire.window.status.leaving)
        assert quire.window.isVisible()
        backend.gate.release()
        await ended(quire)
        shown.append(quire.window.editor.text())

    assert desktop.start(backend, scenario, leave=False) == 0
    project = read_project(desktop.sample)
    assert [project.text] == shown
    assert [run.state for run in project.runs] == [RunState.PAUSED]
    whole = TEXT + backend.text_of(TEXT, seed_of(desktop.sample), 500)
    assert whole.startswith(project.text)
    assert project.runs[-1].num_words == 9


def test_leaving_while_the_model_loads_does_not_wait_for_it(desktop: Desktop, qtbot: Any) -> None:
    let_it_load = threading.Event()
    backend = ScriptedBackend(load_gate=let_it_load)

    async def scenario(quire: Application) -> None:
        press(qtbot, quire, "continue")
        await until(quire.window.status.changed, lambda: backend.configs or quire.window.status.is_busy)
        quire.window.close()
        await ended_or_idle(quire)
        let_it_load.set()

    async def ended_or_idle(quire: Application) -> None:
        await until(quire.window.status.changed, lambda: not quire.window.status.is_busy)

    assert desktop.start(backend, scenario, leave=False) == 0
    assert read_project(desktop.sample).text == TEXT


def test_typing_is_stored_and_a_new_run_begins_on_it(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        window = quire.window
        quire.app.controls.bar.goal_box.set_goal(10)
        press(qtbot, quire, "continue")
        await ended(quire)
        window.editor.moveCursor(QTextCursor.MoveOperation.Start)
        qtbot.keyClicks(window.editor, "Yes.\u00a0")
        assert window.status_line.saved_label.text() == "Saving…"
        await stored(quire)
        assert quire.app.controls.strip.state_label.text() == "Ready"
        press(qtbot, quire, "continue")
        await ended(quire)
        qtbot.keyClicks(window.editor, "Last")  # closing comes before the timer

    assert desktop.start(ScriptedBackend(), scenario) == 0
    project = read_project(desktop.sample)
    assert project.text.startswith("Yes.\u00a0LastIt rained\u00a0all night")
    assert [run.state for run in project.runs] == [RunState.FINISHED, RunState.FINISHED]


def test_typing_between_the_last_key_and_continue_is_part_of_what_is_read(
    desktop: Desktop, qtbot: Any
) -> None:
    backend = ScriptedBackend()

    async def scenario(quire: Application) -> None:
        qtbot.keyClicks(quire.window.editor, " And then")
        press(qtbot, quire, "continue")
        qtbot.keyClicks(quire.window.editor, "lost")  # locked already
        await ended(quire)

    desktop.start(backend, scenario)
    assert len(backend.begins) == 1
    assert read_project(desktop.sample).text.startswith(TEXT + " And then ")


def test_opening_another_project_stores_the_one_before(desktop: Desktop, qtbot: Any) -> None:
    other = desktop.folder / "Other.quire"

    async def make(quire: Application) -> None:
        session = await ProjectSession.create(other, "Other", "Somewhere else.")
        await session.close()
        qtbot.keyClicks(quire.window.editor, " First.")
        quire.window.show_recent([str(other)])
        quire.window.commands.recent_menu.actions()[0].trigger()
        await until(quire.window.status.changed, lambda: quire.window.status.title == "Other")
        assert quire.window.editor.text() == "Somewhere else."
        qtbot.keyClicks(quire.window.editor, " Second.")

    desktop.start(ScriptedBackend(), make)
    assert read_project(desktop.sample).text == TEXT + " First."
    assert read_project(other).text == "Somewhere else. Second."
    assert SettingsFile(desktop.ini).load().recent == (str(other), str(desktop.sample))


def test_choices_are_remembered(desktop: Desktop, qtbot: Any) -> None:
    async def choose(quire: Application) -> None:
        quire.window.commands.themes[ThemeChoice.DARK].trigger()
        quire.window.commands.zoom_in.trigger()
        quire.app.controls.bar.goal_box.setEditText("2k")
        quire.app.controls.bar.goal_box.commit()

    async def look(quire: Application) -> None:
        assert quire.window.themes.tokens.is_dark
        assert quire.app.appearance.text_px == 21
        assert quire.app.controls.bar.goal_words == 2000

    desktop.start(ScriptedBackend(), choose)
    desktop.start(ScriptedBackend(), look)
