"""Goals, the pre-flight panel and the questions before a draft, in the whole window."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from PySide6.QtGui import QTextCursor

from quire.application import Application
from quire.charts.chart_kinds import ChartKind
from quire.domain.drafting.draft_goal import DraftGoal, goal_of
from quire.domain.drafting.draft_status import DraftState
from quire.services.transactions.closed_projects import read_project
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import Desktop, ended, press


def test_a_goal_reaches_the_engine_and_is_stored_with_the_run(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend(end_at=40)
    goal = DraftGoal(minutes=30, phrase="The End")

    async def scenario(quire: Application) -> None:
        quire.app.controls.bar.goal_box.show_goal(goal)
        press(qtbot, quire, "continue")
        await ended(quire)
        assert quire.app.controls.strip.words_label.text() == "40 words"

    desktop.start(backend, scenario)
    told = backend.begins[-1].goal
    assert (told.minutes, told.stop_phrase, told.stop_at_heading) == (30, "The End", False)
    stored = read_project(desktop.sample).runs[-1]
    assert goal_of(stored.asked, stored.goal_words) == goal


def _has_begun(backend: ScriptedBackend, number: int) -> bool:
    return len(backend.begins) == number


def test_words_to_avoid_are_in_the_next_run_and_another_list_begins_another(
    desktop: Desktop, qtbot: Any
) -> None:
    backend = ScriptedBackend()
    notices: list[str] = []

    async def scenario(quire: Application) -> None:
        steering = quire.app.steering
        status = quire.window.status
        status.changed.connect(lambda: notices.append(status.status.sentence))
        steering.actions.avoided.trigger()
        edit = steering.panel.avoided_edit
        assert quire.window.focusWidget() is edit
        for number, typed in enumerate(("a testament to", "", "\nsuddenly"), start=1):
            edit.moveCursor(QTextCursor.MoveOperation.End)
            edit.insertPlainText(typed)
            quire.app.controls.bar.goal_box.show_goal(DraftGoal(words=20 * number))
            press(qtbot, quire, "continue")
            await turns_until(partial(_has_begun, backend, number))
            await ended(quire)

    desktop.start(backend, scenario)
    told = [command.sampling.banned for command in backend.begins]
    assert told == [("a testament to",), ("a testament to",), ("a testament to", "suddenly")]
    runs = read_project(desktop.sample).runs
    assert [run.sampling.banned for run in runs][-1] == told[-1]
    assert any("You changed the words to avoid, so" in notice for notice in notices)


def test_a_long_draft_begins_from_the_panel_and_the_pace_is_that_of_the_chart(
    desktop: Desktop, qtbot: Any
) -> None:
    backend = ScriptedBackend(end_at=2_000)

    async def scenario(quire: Application) -> None:
        panel = quire.app.preflight.panel
        quire.app.controls.bar.goal_box.show_goal(DraftGoal(words=20_000))
        press(qtbot, quire, "continue")
        await turns_until(panel.isVisible)
        await turns_until(lambda: "of 75,000 words" in panel.values["space"].text())
        assert not backend.begins
        panel.start_button.click()
        await ended(quire)
        assert quire.window.status.status.state is DraftState.FINISHED
        pace = quire.app.run_charts.chart(ChartKind.PACE).series[0].y[-1]
        assert quire.app.controls.pace.words_per_min == pytest.approx(pace)

    desktop.start(backend, scenario)
    assert backend.begins[-1].goal.words == 20_000
