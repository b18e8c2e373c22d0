"""Notifications outside the window: a goal reached, an error, a pause, an alarm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.domain.text_quality.alarms import SEVERITIES, Alarm, AlarmKind
from quire.drafting.desktop_notifications import DesktopNotifier
from quire.settings.settings import Settings
from tests.app.run_stage import Play, Stage, playing


@pytest.fixture
def run(qapp: QApplication, run_async: Callable[..., Any], tmp_path: Path) -> Play:
    return playing(qapp, run_async, tmp_path)


@pytest.fixture
def heard(run: Play) -> Callable[[Callable[[DesktopNotifier, Stage], None]], list[tuple[str, str]]]:
    def listen(happen: Callable[[DesktopNotifier, Stage], None]) -> list[tuple[str, str]]:
        said: list[tuple[str, str]] = []

        async def scenario(stage: Stage) -> None:
            notifying = DesktopNotifier(
                stage.parts,
                lambda title, text: said.append((title, text)),
            )
            notifying.is_watched = lambda: False  # type: ignore[method-assign]  # the test's window may be active
            happen(notifying, stage)

        run(scenario)
        return said

    return listen


def ends(notifying: DesktopNotifier, status: DraftStatus) -> None:
    for state in (DraftState.LOADING, DraftState.READING, DraftState.DRAFTING):
        notifying._status_changed(DraftStatus(state))
    notifying._status_changed(status)


def test_a_goal_that_is_reached_is_told(heard: Any) -> None:
    def happen(notifying: DesktopNotifier, stage: Stage) -> None:
        stage.shown.window.progress.show(2_004, 2_000, 2_000)
        ends(notifying, DraftStatus(DraftState.FINISHED))

    assert heard(happen) == [("Goal reached", "2,004 words drafted.")]


def test_an_error_is_told_and_so_is_a_pause_that_nobody_asked_for(heard: Any) -> None:
    def happen(notifying: DesktopNotifier, _stage: Stage) -> None:
        ends(notifying, DraftStatus(DraftState.FAILED, "The model ran out of memory."))
        ends(notifying, DraftStatus(DraftState.PAUSED, "The time is over."))
        ends(notifying, DraftStatus(DraftState.PAUSED))

    assert heard(happen) == [
        ("Draft stopped", "The model ran out of memory."),
        ("Draft paused", "The time is over."),
    ]


def test_an_alarm_is_told_once(heard: Any) -> None:
    def happen(notifying: DesktopNotifier, _stage: Stage) -> None:
        notifying._status_changed(DraftStatus(DraftState.DRAFTING))
        for kind, sentence in (
            (AlarmKind.ECHOES, "The text repeats itself."),
            (AlarmKind.LOW_VARIETY, "Dull."),
        ):
            notifying._alarm(Alarm(kind, SEVERITIES[kind], 0, 9, sentence))
        notifying._status_changed(DraftStatus(DraftState.PAUSED, "Something was said before."))

    assert heard(happen) == [("Your draft needs attention", "The text repeats itself.")]


def test_opening_a_project_is_no_news(heard: Any) -> None:
    def happen(notifying: DesktopNotifier, _stage: Stage) -> None:
        notifying._status_changed(DraftStatus(DraftState.FINISHED))
        notifying._status_changed(DraftStatus(DraftState.FAILED, "An old error."))

    assert heard(happen) == []


def test_nothing_is_told_to_who_looks_or_wants_no_notices(heard: Any) -> None:
    def happen(notifying: DesktopNotifier, _stage: Stage) -> None:
        notifying._take(replace(Settings(), notify=False))
        ends(notifying, DraftStatus(DraftState.FINISHED))
        notifying._take(Settings())
        notifying.is_watched = lambda: True  # type: ignore[method-assign]  # see above
        ends(notifying, DraftStatus(DraftState.FINISHED))

    assert heard(happen) == []
