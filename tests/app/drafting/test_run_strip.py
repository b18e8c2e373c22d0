from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from quire.domain.drafting.draft_goal import DraftGoal
from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.domain.drafting.run_metrics import StepRecord
from quire.drafting.pace_model import PaceModel
from quire.drafting.run_strip import RunStrip
from quire.shell.main_window import MainWindow
from quire.shell.project_status import ProjectStatus
from quire.theme.theme_switch import ThemeChoice


@pytest.fixture
def pace() -> PaceModel:
    return PaceModel()


@pytest.fixture
def strip(window: MainWindow, qtbot: Any, pace: PaceModel) -> RunStrip:
    strip = RunStrip(window.status, window.progress, pace, window.themes)
    qtbot.addWidget(strip)
    strip.resize(1200, 54)
    strip.show()
    window.status.open("The Ferry")
    return strip


@pytest.mark.parametrize(
    ("status", "phrase"),
    [
        (DraftStatus(DraftState.NO_MODEL), "No model"),
        (DraftStatus(DraftState.IDLE), "Ready"),
        (DraftStatus(DraftState.LOADING), "Loading model"),
        (DraftStatus(DraftState.LOADING, load_fraction=0.42), "Loading model 42%"),
        (DraftStatus(DraftState.LOADING, is_checking=True), "Checking model"),
        (
            DraftStatus(DraftState.LOADING, load_fraction=0.4, is_preparing=True),
            "Preparing Quire for this processor 40%",
        ),
        (DraftStatus(DraftState.READING), "Reading manuscript"),
        (DraftStatus(DraftState.READING, read_fraction=0.62), "Reading manuscript 62%"),
        (DraftStatus(DraftState.DRAFTING), "Drafting"),
        (DraftStatus(DraftState.PAUSING), "Pausing"),
        (DraftStatus(DraftState.PAUSED), "Paused"),
        (DraftStatus(DraftState.FINISHED), "Finished"),
        (DraftStatus(DraftState.FAILED), "Stopped"),
    ],
)
def test_every_state_is_one_phrase(
    strip: RunStrip, window: MainWindow, status: DraftStatus, phrase: str
) -> None:
    window.status.show_status(status)
    assert strip.state_label.text() == phrase


def test_a_server_that_is_tried_again_is_waited_for(strip: RunStrip, window: MainWindow) -> None:
    waiting = DraftStatus(DraftState.DRAFTING, "Nothing answers. Quire is trying again.", is_waiting=True)
    window.status.show_status(waiting)
    assert strip.state_label.text() == "Waiting for the server"
    window.status.show_status(DraftStatus(DraftState.DRAFTING))
    assert strip.state_label.text() == "Drafting"


def test_progress_is_shown_in_words(strip: RunStrip, window: MainWindow) -> None:
    assert not strip.bar.isVisible()
    window.progress.show(12_412, 20_000, 20_000)
    assert strip.words_label.text() == "12,412 / 20,000 words"
    assert strip.bar.isVisible()
    assert strip.bar.value() == 621


def test_a_reached_goal_is_called_so(strip: RunStrip, window: MainWindow) -> None:
    window.status.show_status(DraftStatus(DraftState.FINISHED))
    window.progress.show(507, 500, 500)
    assert strip.state_label.text() == "Goal reached"


def drafted(pace: PaceModel, num_words: int, seconds: float) -> None:
    """Report a run of steps of half a second each, all of equal length."""
    count = round(2 * seconds)
    steps = [
        StepRecord(2, num_words * number // count, 1, 1, 1, 500.0, 0.0, 0.0, 1.0)
        for number in range(1, count + 1)
    ]
    pace.report(seconds, num_words, 2 * count, steps)


@pytest.mark.parametrize(
    ("num_words", "goal", "text"),
    [
        (400, 800, "min left"),
        (400, 410, "under a minute left"),
        (400, 20_000, " h left"),
    ],
)
def test_time_left_is_told_while_drafting(
    strip: RunStrip, window: MainWindow, num_words: int, goal: int, text: str, pace: PaceModel
) -> None:
    window.status.show_status(DraftStatus(DraftState.DRAFTING))
    window.progress.show(num_words, goal, goal)
    drafted(pace, num_words, 200.0)
    assert strip.time_label.text().endswith(text)
    assert strip.pace_button.text() == f"{num_words * 60 // 200:,} w/min"
    window.status.show_status(DraftStatus(DraftState.PAUSED))
    assert strip.time_label.text() == ""


def test_time_left_is_a_range_of_minutes(strip: RunStrip, window: MainWindow, pace: PaceModel) -> None:
    window.status.show_status(DraftStatus(DraftState.DRAFTING))
    window.progress.show(400, 2_000, 2_000)
    drafted(pace, 400, 200.0)
    assert re.fullmatch(r"about \d+ to \d+ min left", strip.time_label.text())


def test_boost_is_a_dash_without_plain_steps_to_compare_with(
    strip: RunStrip, window: MainWindow, pace: PaceModel
) -> None:
    window.progress.show(400, 2_000, 2_000)
    drafted(pace, 400, 200.0)  # 250 ms per token
    assert strip.pace_button.isVisible()
    assert not strip.boost_button.isVisible()
    strip.set_research(on=True)
    assert strip.boost_button.isVisible()
    assert strip.boost_button.text() == "Boost –"


def test_boost_is_known_from_the_plain_steps_of_a_draft_and_leads_to_more(
    strip: RunStrip, window: MainWindow, pace: PaceModel, qtbot: Any
) -> None:
    window.progress.show(400, 2_000, 2_000)
    strip.set_research(on=True)
    steps = [
        StepRecord(1, number, 0, 0, 0, 100.0, 0.0, 0.0, 1.0)
        if number % 2
        else StepRecord(3, number, 2, 2, 2, 100.0, 0.0, 0.0, 1.0, ("ngrams", "ngrams"))
        for number in range(1, 101)
    ]
    pace.report(10.0, 100, 200, steps)
    assert strip.boost_button.text() == "Boost 2.0×"
    assert "60 seconds" in strip.boost_button.toolTip()
    with qtbot.waitSignal(strip.boost_clicked):
        strip.boost_button.click()


@pytest.mark.parametrize(
    ("goal", "text"),
    [
        (DraftGoal(at_heading=True), "to the end of the chapter"),
        (DraftGoal(phrase="The End"), "to the phrase"),
        (DraftGoal(minutes=30), "up to 27 min left"),
        (DraftGoal(minutes=4), "under a minute left"),
    ],
)
def test_a_goal_that_is_no_number_of_words_is_named(
    strip: RunStrip, window: MainWindow, goal: DraftGoal, text: str, pace: PaceModel
) -> None:
    window.status.show_status(DraftStatus(DraftState.DRAFTING))
    window.progress.show(400, goal.words_at_most, goal.words_at_most)
    strip.show_goal(goal)
    drafted(pace, 400, 200.0)
    assert strip.words_label.text() == "400 words"
    assert not strip.bar.isVisible()
    assert strip.time_label.text() == text
    strip.show_goal(None)
    assert strip.bar.isVisible()


def test_without_a_pace_there_is_a_dash(strip: RunStrip, window: MainWindow) -> None:
    window.progress.show(0, 500, 500)
    assert strip.pace_button.text() == "Charts"


@pytest.mark.parametrize("theme", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_everything_fits_the_smallest_window(
    strip: RunStrip, window: MainWindow, theme: ThemeChoice, pace: PaceModel
) -> None:
    window.themes.choose(theme)
    strip.resize(1024, 54)
    strip.set_research(on=True)
    window.status.show_status(DraftStatus(DraftState.READING, read_fraction=0.99))
    window.progress.show(112_412, 120_000, 120_000)
    drafted(pace, 16_000, 40.0)
    assert strip.minimumSizeHint().width() <= 1024
    places = [
        child.geometry()
        for child in (strip.state_label, strip.words_label, strip.bar, strip.pace_button, strip.boost_button)
        if child.isVisible()
    ]
    assert all(one.right() < other.left() for one, other in pairwise(places))
    assert places[-1].right() <= strip.width()


def test_nothing_is_said_without_a_project(window: MainWindow, qtbot: Any, pace: PaceModel) -> None:
    strip = RunStrip(ProjectStatus(), window.progress, pace, window.themes)
    qtbot.addWidget(strip)
    assert strip.state_label.text() == ""
    assert strip.hint_label.whole_text == ""


def test_whoever_gets_the_words_is_named_in_every_state_and_no_boost_is_claimed(
    strip: RunStrip, window: MainWindow
) -> None:
    assert not strip.server_label.isVisible()
    window.progress.show(10, 100, 100)
    strip.set_research(on=True)
    assert strip.boost_button.isVisible()
    window.status.show_words_go_to("example.org")
    for state in DraftState:
        window.status.show_status(DraftStatus(state))
        assert strip.server_label.isVisible()
        assert strip.server_label.text() == "Words go to example.org"
        assert not strip.boost_button.isVisible()
    strip.resize(700, 54)
    assert strip.server_label.width() >= strip.server_label.sizeHint().width()  # never shortened
    window.status.show_words_go_to("")
    assert not strip.server_label.isVisible()
