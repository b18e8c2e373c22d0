"""What is measured of the model and of a run: self-check, pace, reading speed, memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from quire.domain.drafting.draft_goal import DraftGoal, with_goal
from quire.domain.drafting.draft_status import DraftState, DraftStatus
from quire.domain.drafting.run import Run, RunState
from quire.drafting.resource_monitor import use_of
from quire.drafting.self_check_dialog import SelfCheckDialog
from quire_engine.api.config import SamplingConfig
from quire_engine.api.queries import (
    AgreementChecked,
)
from tests.app.run_stage import LOADED, MB, MEASURED, Play, Stage, playing
from tests.app.services.books import HARBOUR
from tests.app.started_runs import start_run
from tests.fakes import IDENTITY


@pytest.fixture
def run(qapp: QApplication, run_async: Callable[..., Any], tmp_path: Path) -> Play:
    return playing(qapp, run_async, tmp_path)


# ---------------------------------------------------------------- self-check
@pytest.mark.parametrize("how", ["stop_button", "close_button"])
def test_a_check_can_be_stopped(run: Play, how: str) -> None:
    async def scenario(stage: Stage) -> None:
        stage.engine.waits = asyncio.Event()
        stage.shown.window.commands.self_check.trigger()
        dialog = stage.dialog(SelfCheckDialog)
        dialog.begin_button.click()
        await stage.engine.waits.wait()
        if how == "stop_button":
            dialog.stop_button.click()
            await stage.shown.settle()
            assert dialog.result_label.text().startswith("Stopped")
        else:
            dialog.reject()
            await stage.shown.settle()
        assert stage.dialog(SelfCheckDialog) is None or not dialog.is_running

    run(scenario)


def test_what_stands_in_the_way_is_said_in_the_dialog(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.shown.window.commands.self_check.trigger()
        dialog = stage.dialog(SelfCheckDialog)
        dialog.begin_button.click()
        await stage.shown.settle()
        assert dialog.result_label.text() == "There is no model."
        assert not dialog.is_running

    run(scenario, problem="There is no model.")


@pytest.mark.parametrize(
    ("difference", "said"),
    [
        (None, "Plain and accelerated drafting produced the same 256 tokens."),
        (112, "The first 112 of 256 tokens match; they differ from token 113."),
    ],
)
def test_the_self_check_says_what_it_found(run: Play, difference: int | None, said: str) -> None:
    found = AgreementChecked(1, 256 if difference is None else difference, 256, difference, 10.0, 4.0)

    async def scenario(stage: Stage) -> None:
        stage.shown.window.commands.self_check.trigger()
        dialog = stage.dialog(SelfCheckDialog)
        dialog.begin_button.click()
        await stage.shown.settle()
        assert dialog.result_label.text().startswith(said)
        assert dialog.rows[2] == ("Accelerated", "4.0", "64.0 tokens/s")

    run(scenario, agreement=found)


def test_nothing_is_measured_while_a_draft_is_written(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        assert stage.shown.window.commands.self_check.isEnabled()
        stage.see(DraftState.LOADING)
        assert not stage.shown.window.commands.self_check.isEnabled()
        assert not stage.shown.window.commands.before_start.isEnabled()

    run(scenario)


# ---------------------------------------------------------------- pace, reading speed, memory
def test_a_stored_run_shows_its_pace_and_its_goal(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        goal = DraftGoal(at_heading=True)
        await stage.drafted(asked=with_goal({}, goal), goal_words=goal.words_at_most)
        stage.shown.window.progress.show(100, 20_000, 20_000)
        assert stage.shown.controls.pace.words_per_min == pytest.approx(600)
        assert stage.shown.controls.strip.words_label.text() == "100 words"
        assert stage.shown.controls.pace.tokens_after(0) == 1_200

    run(scenario)


def test_how_fast_the_model_reads_is_measured_and_told(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        told: list[float] = []
        clock = iter((10.0, 12.0, 14.0))
        watch = stage.parts.resources
        stage.parts.events.reading_speed_known.subscribe("steering", told.append)
        watch._clock = lambda: next(clock)
        run = Run(1, HARBOUR, SamplingConfig(), 50, "", "", state=RunState.RUNNING, num_prompt=10_000)
        run = replace(run, model=replace(IDENTITY, context_length=16_384))
        await start_run(stage.shown.session, run, (1,) * 10_000)
        for fraction in (0.0, 0.2, 0.6, 1.0):
            watch.status_changed(DraftStatus(DraftState.READING, read_fraction=fraction))
        watch.status_changed(DraftStatus(DraftState.DRAFTING))
        assert told == [pytest.approx(2_000.0)]
        assert stage.settings.settings.reading_speeds == {IDENTITY.fingerprint: 2_000.0}
        await stage.shown.session.end_run(run.run_id, RunState.PAUSED)

    run(scenario)


def test_the_memory_of_the_computer_is_shown_without_a_model(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.parts.resources.look()
        await stage.shown.settle()
        use = stage.parts.resources.memory.use
        assert use.is_known
        assert use.peak == 0
        assert not stage.parts.resources.memory_bar.isVisible()
        stage.parts.resources.memory_bar.set_research(on=True)
        assert stage.parts.resources.memory_bar.isVisible()

    run(scenario)


def test_with_a_model_it_says_what_the_goal_will_take(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        await stage.engine.questions()
        stage.shown.window.progress.show(0, 4_000, 4_000)
        stage.parts.resources.look()
        await stage.shown.settle()
        use = stage.parts.resources.memory.use
        assert use.used == 500 * MB
        # 4,000 words are 5,400 tokens, for which the cache doubles its 4,096 places
        assert use.peak == use.used + 50 * MB + 8_192_000 - 54 * MB

    run(scenario, loaded_model=LOADED)


def test_the_memory_of_a_gpu_is_the_gpus() -> None:
    measured = replace(MEASURED, is_on_gpu=True, device_own_bytes=200 * MB)
    use = use_of(measured, LOADED, 0)
    assert (use.own, use.used, use.peak, use.is_on_gpu) == (200 * MB, 500 * MB, 0, True)
