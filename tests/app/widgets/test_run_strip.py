from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from quire.domain.desk import DeskState, DeskStatus
from quire.theme.keeper import ThemeChoice
from quire.widgets.run_strip import RunStrip
from quire.widgets.window_models import WindowModels


@pytest.fixture
def strip(models: WindowModels, qtbot: Any) -> RunStrip:
    strip = RunStrip(models.desk, models.progress, models.pace, models.themes)
    qtbot.addWidget(strip)
    strip.resize(1200, 54)
    strip.show()
    models.desk.open("The Ferry")
    return strip


@pytest.mark.parametrize(
    ("status", "phrase"),
    [
        (DeskStatus(DeskState.NO_MODEL), "No model"),
        (DeskStatus(DeskState.IDLE), "Ready"),
        (DeskStatus(DeskState.LOADING), "Loading the model"),
        (DeskStatus(DeskState.READING), "Reading the manuscript"),
        (DeskStatus(DeskState.READING, read_fraction=0.62), "Reading the manuscript 62%"),
        (DeskStatus(DeskState.DRAFTING), "Drafting"),
        (DeskStatus(DeskState.PAUSING), "Pausing"),
        (DeskStatus(DeskState.PAUSED), "Paused"),
        (DeskStatus(DeskState.FINISHED), "Finished"),
        (DeskStatus(DeskState.FAILED), "Stopped"),
    ],
)
def test_every_state_is_one_phrase(
    strip: RunStrip, models: WindowModels, status: DeskStatus, phrase: str
) -> None:
    models.desk.show_status(status)
    assert strip.state_label.text() == phrase


def test_progress_is_shown_in_words(strip: RunStrip, models: WindowModels) -> None:
    assert not strip.bar.isVisible()
    models.progress.show(12_412, 20_000, 20_000)
    assert strip.words_label.text() == "12,412 / 20,000 words"
    assert strip.bar.isVisible()
    assert strip.bar.value() == 621


def test_a_reached_goal_is_called_so(strip: RunStrip, models: WindowModels) -> None:
    models.desk.show_status(DeskStatus(DeskState.FINISHED))
    models.progress.show(507, 500, 500)
    assert strip.state_label.text() == "Goal reached"


@pytest.mark.parametrize(
    ("words_in_40_s", "goal", "text"),
    [
        (400, 2_000, "3 min left"),
        (400, 400, "under a minute left"),
        (400, 6_400, "10 to 11 min left"),
        (40, 20_000, "h left"),
    ],
)
def test_time_left_is_told_while_drafting(
    strip: RunStrip, models: WindowModels, words_in_40_s: int, goal: int, text: str
) -> None:
    models.desk.show_status(DeskStatus(DeskState.DRAFTING))
    models.pace.report(0.0, 0)
    models.pace.report(40.0, words_in_40_s)
    models.progress.show(words_in_40_s if goal > words_in_40_s else goal - 100, goal, goal)
    assert strip.time_label.text().endswith(text)
    assert strip.pace_label.text() == f"Pace {words_in_40_s * 60 // 40:,} w/min"
    models.desk.show_status(DeskStatus(DeskState.PAUSED))
    assert strip.time_label.text() == ""


def test_without_a_pace_there_is_a_dash(strip: RunStrip, models: WindowModels) -> None:
    models.progress.show(0, 500, 500)
    assert strip.pace_label.text() == "Pace –"


@pytest.mark.parametrize("theme", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_everything_fits_the_smallest_window(
    strip: RunStrip, models: WindowModels, theme: ThemeChoice
) -> None:
    models.themes.choose(theme)
    strip.resize(1024, 54)
    models.desk.show_status(DeskStatus(DeskState.READING, read_fraction=0.99))
    models.progress.show(112_412, 120_000, 120_000)
    models.pace.report(0.0, 0)
    models.pace.report(40.0, 16_000)
    assert strip.minimumSizeHint().width() <= 1024
    places = [
        child.geometry()
        for child in (strip.state_label, strip.words_label, strip.bar, strip.pace_label)
        if child.isVisible()
    ]
    assert all(one.right() < other.left() for one, other in pairwise(places))
    assert places[-1].right() <= strip.width()


def test_nothing_is_said_without_a_project(models: WindowModels, qtbot: Any) -> None:
    strip = RunStrip(models.desk, models.progress, models.pace, models.themes)
    qtbot.addWidget(strip)
    assert strip.state_label.text() == ""
    assert strip.hint_label.whole_text == ""
