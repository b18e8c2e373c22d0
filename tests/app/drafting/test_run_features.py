"""What is said before a run begins and before it reads again, in a real window over a real project."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from quire.domain.drafting.context_usage import words_in
from quire.domain.drafting.draft_goal import DraftGoal
from quire.domain.drafting.draft_status import DraftState
from quire.drafting.reread_dialog import ReadingDialog
from quire.errors import WriterProblem
from quire.settings.settings import ReadingChoice
from tests.app.run_stage import Play, Stage, playing
from tests.app.services.books import HARBOUR_TEXT
from tests.fakes import IDENTITY


@pytest.fixture
def run(qapp: QApplication, run_async: Callable[..., Any], tmp_path: Path) -> Play:
    return playing(qapp, run_async, tmp_path)


# ---------------------------------------------------------------- before the start
def test_a_short_draft_begins_at_once(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        assert not await stage.press_continue()
        assert not stage.parts.preflight.panel.isVisible()

    run(scenario)


def test_a_long_draft_is_shown_before_it_begins(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.shown.controls.bar.goal_box.show_goal(DraftGoal(words=20_000))
        assert await stage.press_continue()
        panel, says = stage.parts.preflight.panel, stage.panel_says
        assert panel.isVisible()
        assert says["goal"].startswith("20,000 words")
        assert says["place"] == "The end of “Harbour”"
        assert says["time"].startswith("Unknown until")
        assert says["memory"] == "About 76 MB of RAM, 554 MB free"  # no more than it looks back over
        assert "of 12,000 words" in says["space"]
        assert says["snapshot"].startswith("“Before drafting”")
        assert stage.engine.started == []
        panel.start_button.click()
        await stage.shown.settle()
        assert stage.engine.started == [(20_000, False)]
        assert not panel.isVisible()

    run(scenario)


def test_continue_again_is_the_same_as_start(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.shown.controls.bar.goal_box.show_goal(DraftGoal(words=20_000))
        await stage.press_continue()
        assert await stage.press_continue()
        assert stage.engine.started == [(20_000, False)]

    run(scenario)


def test_the_writer_says_from_when_on_it_is_shown(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.shown.controls.bar.goal_box.show_goal(DraftGoal(words=20_000))
        stage.parts.preflight.panel.shown_box.setChecked(False)
        assert stage.settings.settings.preflight_words == 0
        assert not await stage.press_continue()
        stage.settings.change(preflight_words=20_000)
        assert await stage.press_continue()

    run(scenario)


def test_the_menu_shows_it_for_any_goal(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.shown.window.commands.before_start.trigger()
        await stage.shown.settle()
        assert stage.parts.preflight.panel.isVisible()
        stage.see(DraftState.LOADING)
        assert not stage.parts.preflight.panel.isVisible()

    run(scenario)


def test_a_model_that_cannot_be_loaded_leaves_the_rest_to_read(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.shown.window.commands.before_start.trigger()
        with pytest.raises(WriterProblem, match="no model"):
            await stage.shown.settle()
        assert stage.panel_says["memory"] == "Not known yet"
        assert stage.parts.preflight.panel.isVisible()

    run(scenario, problem="There is no model.")


def test_the_time_comes_from_earlier_drafts(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        await stage.drafted(model=IDENTITY)
        stage.shown.window.commands.before_start.trigger()
        await stage.shown.settle()
        assert "earlier drafts" in stage.panel_says["time"]
        assert stage.panel_says["snapshot"].startswith("Not needed")
        assert stage.panel_says["reading"].startswith("Nothing")

    run(scenario)


# ---------------------------------------------------------------- reading again
def slow_reader(stage: Stage) -> None:
    """Let it be known that the model reads a token in two seconds."""
    stage.settings.change(reading_speeds={IDENTITY.fingerprint: 0.5})


def test_without_an_edit_a_draft_goes_on(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        slow_reader(stage)
        await stage.drafted()
        assert await stage.press_continue()
        assert stage.engine.started == [(500, False)]
        assert stage.dialog(ReadingDialog) is None

    run(scenario)


def test_an_edit_inside_what_was_read_is_asked_about(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        slow_reader(stage)
        await stage.drafted()
        stage.type(4, "old ")
        assert await stage.press_continue()
        assert stage.engine.started == []
        dialog = stage.dialog(ReadingDialog)
        tokens = round((len(HARBOUR_TEXT) + len(" He sang.")) / 4)
        assert f"Harbour (about {words_in(tokens)} words, about {2 * tokens} s)" in dialog.again_button.text()
        dialog.without_button.click()
        assert stage.engine.started == [(500, True)]
        assert stage.settings.settings.reading_choice is ReadingChoice.ASK

    run(scenario)


def test_an_answer_can_be_remembered(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        slow_reader(stage)
        await stage.drafted()
        stage.type(4, "old ")
        await stage.press_continue()
        dialog = stage.dialog(ReadingDialog)
        dialog.remember_box.setChecked(True)
        dialog.without_button.click()
        assert stage.settings.settings.reading_choice is ReadingChoice.WITHOUT
        await stage.press_continue()
        assert stage.engine.started == [(500, True), (500, True)]

    run(scenario)


def test_a_reading_that_is_over_at_once_is_not_asked_about(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.settings.change(reading_speeds={IDENTITY.fingerprint: 5_000.0})
        await stage.drafted()
        stage.type(4, "old ")
        await stage.press_continue()
        assert stage.engine.started == [(500, False)]

    run(scenario)


def test_what_is_written_behind_the_draft_begins_a_new_one_anyway(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        slow_reader(stage)
        await stage.drafted()
        editor = stage.shown.window.editor
        stage.type(editor.document().characterCount() - 1, " The end.")
        await stage.press_continue()
        assert stage.engine.started == [(500, False)]

    run(scenario)


def test_a_model_whose_memory_was_freed_reads_everything_anyway(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        slow_reader(stage)
        await stage.drafted()
        stage.shown.window.commands.free_memory.setEnabled(True)
        stage.shown.window.commands.free_memory.trigger()
        stage.type(4, "old ")
        assert not await stage.press_continue()

    run(scenario)
