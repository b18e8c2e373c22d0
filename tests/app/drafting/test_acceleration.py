"""The dialog of what accelerates the drafts: true sentences, a row for each drafter, switches that stay."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from quire.domain.drafting.pass_course import CoursePoint
from quire.domain.drafting.run_metrics import StepRecord
from quire.drafting.acceleration_dialog import AccelerationDialog
from quire.drafting.model_config import acceleration_of
from quire.services.project.project_session import ProjectSession
from quire.settings.settings import Settings
from quire_engine.api.config import DraftingConfig
from tests.app.run_stage import LOADED, Play, Stage, playing

PLAIN = StepRecord(1, 1, 0, 0, 0, 100.0, 0.0, 0.0, 1.0)
FAST = StepRecord(3, 3, 2, 2, 2, 100.0, 0.0, 0.0, 1.0, ("ngrams", "ngrams"))


@pytest.fixture
def run(qapp: QApplication, run_async: Callable[..., Any], tmp_path: Path) -> Play:
    return playing(qapp, run_async, tmp_path)


def opened(stage: Stage) -> AccelerationDialog:
    stage.shown.window.commands.acceleration.trigger()
    dialog: AccelerationDialog = stage.dialog(AccelerationDialog)
    return dialog


def drafted(stage: Stage, *steps: StepRecord) -> None:
    tokens = sum(step.num_tokens for step in steps)
    stage.shown.controls.pace.report(len(steps) / 10, steps[-1].num_words, tokens, steps)


def test_each_drafter_has_a_row_that_says_what_it_brought(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.engine.loaded_model = replace(LOADED, drafters=("feature", "ngrams"))
        drafted(stage, *[PLAIN] * 20, *[FAST] * 20)
        dialog = opened(stage)
        assert "2.0 times as fast" in dialog.sentence.text()
        assert {source: label.text() for source, label in dialog.figures.items()} == {
            "heads": "not trained for this model",
            "feature": "nothing in this draft so far",
            "ngrams": "40 tokens of this draft (50%), since word 2",
        }
        assert [dialog.boxes[source].isEnabled() for source in ("heads", "feature", "ngrams")] == [
            False,
            True,
            True,
        ]
        assert not dialog.train_button.isVisible()

    run(scenario)


def test_a_low_boost_is_told_and_training_is_offered(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.engine.loaded_model = replace(LOADED, drafters=("ngrams",))
        asked: list[bool] = []
        stage.parts.window.commands.prepare.triggered.connect(lambda: asked.append(True))
        dialog = opened(stage)
        assert "shows after some seconds" in dialog.sentence.text()
        assert not dialog.train_button.isVisible()
        dialog.close()
        drafted(stage, *[PLAIN] * 40)
        dialog = opened(stage)
        assert "gains nothing" in dialog.sentence.text()
        assert dialog.train_button.isVisible()
        dialog.train_button.click()
        assert asked == [True]

    run(scenario)


def test_what_is_switched_is_kept_and_is_what_drafts_are_accelerated_by(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        dialog = opened(stage)
        dialog.boxes["ngrams"].click()
        assert acceleration_of(stage.settings.settings) == DraftingConfig("tokenswift", without=("ngrams",))
        dialog.boxes["ngrams"].click()
        dialog.off_button.click()
        assert acceleration_of(stage.settings.settings) == DraftingConfig("plain")
        assert dialog.sentence.text() == "Quire drafts one token at a time."
        assert not any(box.isEnabled() for box in dialog.boxes.values())
        dialog.close()
        dialog = opened(stage)
        assert dialog.off_button.isChecked()
        dialog.auto_button.click()
        assert acceleration_of(stage.settings.settings) == DraftingConfig("tokenswift")

    run(scenario)


def test_a_drafter_of_another_version_that_was_switched_off_is_nobody_here() -> None:
    assert acceleration_of(Settings(drafters_off=("crystal ball",))) == DraftingConfig("tokenswift")


def test_a_server_accelerates_in_its_own_way(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.shown.window.status.show_words_go_to("example.org")
        drafted(stage, *[PLAIN] * 40)
        dialog = opened(stage)
        assert "runs on a server" in dialog.sentence.text()
        assert not dialog.off_button.isEnabled()
        assert not dialog.train_button.isVisible()

    run(scenario)


def test_the_course_of_the_book_is_drawn(run: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    points = (CoursePoint(1_000, 1.21, 9.0), CoursePoint(2_000, 1.34, 8.0), CoursePoint(2_400, 1.52, 7.0))

    async def scenario(stage: Stage) -> None:
        dialog = opened(stage)
        await stage.shown.settle()
        assert not dialog.curve.isVisible()  # nothing was drafted
        dialog.close()

        async def course(_session: ProjectSession) -> tuple[CoursePoint, ...]:
            return points

        monkeypatch.setattr(ProjectSession, "pass_course", course)
        dialog = opened(stage)
        await stage.shown.settle()
        assert dialog.course_label.text() == (
            "Over the 2,400 words drafted in this book: 1.21 tokens per pass at first, 1.52 now."
        )
        assert dialog.curve.accessibleDescription() == "1.21, 1.34, 1.52"
        assert not dialog.curve.grab().isNull()

    run(scenario)
