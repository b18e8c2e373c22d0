"""What controls a run, in a real window over a real project; only the engine's answers are made up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication

from quire.client.engine_client import Progressed
from quire.domain.calibration import kept_calibration, kept_reading_speed, with_reading_speed
from quire.domain.desk import DeskState, DeskStatus
from quire.domain.draft_goal import DraftGoal, with_goal
from quire.domain.run import Chunk, Run, RunState
from quire.domain.series import StepRecord
from quire.errors import WriterProblem
from quire.notifying import Notifying
from quire.run_parts import RunParts
from quire.run_watch import use_of
from quire.settings import ReadingChoice, Settings, SettingsFile
from quire.settings_keeper import SettingsKeeper
from quire.widgets.measuring_dialog import MeasuringDialog
from quire.widgets.reading_dialog import ReadingDialog
from quire_engine.config import SamplingConfig
from quire_engine.messages import ModelLoaded
from quire_engine.questions import (
    AgreementChecked,
    Calibrated,
    MemoryMeasured,
    PacePoint,
    TokenScore,
)
from tests.app.desk_window import DeskWindow, play
from tests.app.services.books import HARBOUR, HARBOUR_TEXT, make_book
from tests.fakes import IDENTITY

MB = 1_000_000
LOADED = ModelLoaded(
    IDENTITY,
    16_384,
    1,
    reproducible=True,
    load_s=1.0,
    cache_bytes_per_token=1_000,
    weight_bytes=50 * MB,
    workspace_bytes=10 * MB,
)
MEASURED = MemoryMeasured(1, 90 * MB, 500 * MB, 1_000 * MB, 0, 50 * MB, 4 * MB, is_on_gpu=False)
CALIBRATED = Calibrated(1, (PacePoint(512, 40.0, 16.0), PacePoint(1024, 44.0, 17.0)), 36.0, 0.0078, 2.5)
SHAPE = f"{IDENTITY.dtype}/{IDENTITY.width}"
STEPS = tuple(StepRecord(2, number + 1, 1, 1, 1, 100.0, 0.0, 0.0, 1.0) for number in range(100))


@dataclass
class Engine:
    """A model that answers at once, unless a question is to wait; what was asked for is kept."""

    loaded_model: ModelLoaded | None = None
    questions_now: Any = None
    problem: str = ""
    agreement: AgreementChecked = AgreementChecked(1, 256, 256, None, 10.0, 4.0)  # noqa: RUF009  it is frozen
    waits: asyncio.Event | None = None
    started: list[tuple[int, bool]] = field(default_factory=list)

    # ------------------------------------------------------------ Drafts
    async def questions(self) -> Any:
        if self.problem:
            raise WriterProblem(self.problem)
        self.questions_now = self
        return self

    def go_on(self, goal_words: int, read_tail: bool | None = None, *, unread: bool = False) -> None:
        assert read_tail is None
        self.started.append((goal_words, unread))

    # ------------------------------------------------------------ EngineQuestions
    async def ready(self) -> ModelLoaded:
        self.loaded_model = LOADED
        return LOADED

    async def calibrate(
        self, text: str, seconds: float, sampling: SamplingConfig, progressed: Progressed
    ) -> Calibrated:
        assert text
        progressed(0.5)
        if self.waits is not None:
            self.waits.set()
            await asyncio.Event().wait()
        return CALIBRATED

    async def check_agreement(
        self, prompt_text: str, sampling: SamplingConfig, progressed: Progressed
    ) -> AgreementChecked:
        assert prompt_text
        progressed(0.5)
        return self.agreement

    async def memory(self) -> MemoryMeasured:
        return MEASURED

    async def score(self, prompt_text: str, text: str) -> list[TokenScore]:
        return [TokenScore(text, 0, len(text), 1.0, 1, ())]


@dataclass
class Stage:
    """The window, its parts, and what they work with."""

    shown: DeskWindow
    parts: RunParts
    engine: Engine
    settings: SettingsKeeper

    @property
    def panel_says(self) -> dict[str, str]:
        return {name: label.text() for name, label in self.parts.control.panel.values.items()}

    async def drafted(self, text: str = " He sang.", **details: Any) -> Run:
        """Let a run write at the end of the open text, and rest."""
        shown = self.shown
        run = Run(
            1,
            HARBOUR,
            SamplingConfig(),
            50,
            "",
            "",
            state=RunState.RUNNING,
            num_prompt=1_000,
            model=replace(IDENTITY, context_length=16_384),
        )
        run = replace(run, **details)
        await shown.desk.save_prompt(run, (1,) * run.num_prompt)
        ids = tuple(range(1, 1 + sum(step.num_tokens for step in STEPS)))
        chunk = Chunk(ids, text, 100, len(STEPS), 10_000.0, STEPS)
        run = run.grown_by(chunk)
        await shown.desk.append(run, chunk)
        self.see(DeskState.DRAFTING)
        run = await shown.desk.fold(run.moved_to(RunState.PAUSED), None)
        await shown.opener.show_text(shown.desk)
        self.see(DeskState.PAUSED)
        await shown.settle()
        return run

    def see(self, *states: DeskState, sentence: str = "") -> None:
        """Tell window and parts what the draft does."""
        for state in states:
            status = DeskStatus(state, sentence)
            self.shown.models.desk.show_status(status)
            for observer in self.parts.observers:
                observer.status_changed(status)

    def type(self, place: int, text: str) -> None:
        """Write something into the text."""
        cursor = QTextCursor(self.shown.window.editor.document())
        cursor.setPosition(place)
        cursor.insertText(text)

    async def press_continue(self) -> bool:
        """Press Continue; whether the parts took it over."""
        taken = self.parts.control.takes_over(self.shown.window.goal_words)
        await self.shown.settle()
        return taken

    def dialog(self, kind: Any) -> Any:
        found: list[Any] = self.shown.window.findChildren(kind)
        return next((one for one in found if one.isVisible()), None)


Play = Callable[..., None]


@pytest.fixture
def run(qapp: QApplication, run_async: Callable[..., Any], tmp_path: Path) -> Play:
    path = tmp_path / "novel.quire"
    make_book(path)

    def go(scenario: Callable[[Stage], Any], **details: Any) -> None:
        stages: list[Stage] = []

        def make(shown: DeskWindow) -> None:
            settings = SettingsKeeper(SettingsFile(tmp_path / "settings.json"))
            engine = Engine(**details)
            parts = RunParts(shown.window, shown.models, shown.keeper, shown.doing, settings, engine)
            parts.watch.close()  # the test says when the memory is looked at
            settings.add(parts)
            for follow in parts.followers:
                shown.opener.followed.append(follow)
            stages.append(Stage(shown, parts, engine, settings))

        async def whole(_shown: DeskWindow) -> None:
            try:
                await scenario(stages[0])
            finally:
                stages[0].parts.close()
                stages[0].settings.close()

        play(qapp, run_async, path, whole, make)

    return go


# ---------------------------------------------------------------- before the start
def test_a_short_draft_begins_at_once(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        assert not await stage.press_continue()
        assert not stage.parts.control.panel.isVisible()

    run(scenario)


def test_a_long_draft_is_shown_before_it_begins(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.shown.window.draft_bar.goal_box.show_goal(DraftGoal(words=20_000))
        assert await stage.press_continue()
        panel, says = stage.parts.control.panel, stage.panel_says
        assert panel.isVisible()
        assert says["goal"].startswith("20,000 words")
        assert says["place"] == "The end of “Harbour”"
        assert says["time"].startswith("Not known yet")
        assert (
            says["memory"] == "About 76 MB of memory needed, 554 MB free"
        )  # no more than it looks back over
        assert "16,384" in says["space"]
        assert says["snapshot"].startswith("“Before drafting”")
        assert stage.engine.started == []
        panel.start_button.click()
        await stage.shown.settle()
        assert stage.engine.started == [(20_000, False)]
        assert not panel.isVisible()

    run(scenario)


def test_continue_again_is_the_same_as_start(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.shown.window.draft_bar.goal_box.show_goal(DraftGoal(words=20_000))
        await stage.press_continue()
        assert await stage.press_continue()
        assert stage.engine.started == [(20_000, False)]

    run(scenario)


def test_the_writer_says_from_when_on_it_is_shown(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        kept: list[int] = []
        stage.parts.control.shown_from_changed.connect(kept.append)
        stage.shown.window.draft_bar.goal_box.show_goal(DraftGoal(words=20_000))
        stage.parts.control.panel.shown_box.setChecked(False)
        assert kept == [0]
        assert not await stage.press_continue()
        stage.parts.control.set_shown_from(20_000)
        assert await stage.press_continue()

    run(scenario)


def test_the_menu_shows_it_for_any_goal(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.parts.actions.before_start.trigger()
        await stage.shown.settle()
        assert stage.parts.control.panel.isVisible()
        stage.see(DeskState.LOADING)
        assert not stage.parts.control.panel.isVisible()

    run(scenario)


def test_a_model_that_cannot_be_loaded_leaves_the_rest_to_read(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.parts.actions.before_start.trigger()
        with pytest.raises(WriterProblem, match="no model"):
            await stage.shown.settle()
        assert stage.panel_says["memory"] == "Not known yet"
        assert stage.parts.control.panel.isVisible()

    run(scenario, problem="There is no model.")


def test_the_time_comes_from_earlier_drafts_and_then_from_the_calibration(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        await stage.drafted(model=IDENTITY)
        stage.parts.actions.before_start.trigger()
        await stage.shown.settle()
        assert "earlier drafts" in stage.panel_says["time"]
        assert stage.panel_says["snapshot"].startswith("None is needed")
        assert stage.panel_says["reading"].startswith("Nothing")
        stage.parts.actions.calibrate.trigger()
        stage.dialog(MeasuringDialog).begin_button.click()
        await stage.shown.settle()
        stage.parts.actions.before_start.trigger()
        await stage.shown.settle()
        assert "calibration" in stage.panel_says["time"]

    run(scenario)


# ---------------------------------------------------------------- reading again
def slow_reader(stage: Stage) -> None:
    """Let it be known that the model reads a token in two seconds."""
    stage.settings.change(calibrations=with_reading_speed({}, IDENTITY.fingerprint, 0.5))


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
        assert f"Harbour ({tokens} tokens, about {2 * tokens} s)" in dialog.again_button.text()
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
        stage.settings.change(calibrations=with_reading_speed({}, IDENTITY.fingerprint, 5_000.0))
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


# ---------------------------------------------------------------- calibration and self-check
def test_a_calibration_is_kept_by_model_and_used_at_once(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.parts.actions.calibrate.trigger()
        dialog = stage.dialog(MeasuringDialog)
        dialog.begin_button.click()
        await stage.shown.settle()
        assert "2.6 times as fast" in dialog.result_label.text()
        assert dialog.rows[1] == ("512", "25.0 tokens/s", "62.5 tokens/s", "2.5×")
        kept = kept_calibration(stage.settings.settings.calibrations, IDENTITY.fingerprint, SHAPE)
        assert kept is not None
        assert kept.measured == datetime.now(UTC).astimezone().date()
        assert stage.shown.models.pace.calibrated == kept.measured

    run(scenario)


@pytest.mark.parametrize("how", ["stop_button", "close_button"])
def test_a_calibration_that_is_stopped_keeps_nothing(run: Play, how: str) -> None:
    async def scenario(stage: Stage) -> None:
        stage.engine.waits = asyncio.Event()
        stage.parts.actions.calibrate.trigger()
        dialog = stage.dialog(MeasuringDialog)
        dialog.begin_button.click()
        await stage.engine.waits.wait()
        if how == "stop_button":
            dialog.stop_button.click()
            await stage.shown.settle()
            assert dialog.result_label.text().startswith("Stopped")
        else:
            dialog.reject()
            await stage.shown.settle()
        assert dict(stage.settings.settings.calibrations) == {}

    run(scenario)


def test_what_stands_in_the_way_is_said_in_the_dialog(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.parts.actions.calibrate.trigger()
        dialog = stage.dialog(MeasuringDialog)
        dialog.begin_button.click()
        await stage.shown.settle()
        assert dialog.result_label.text() == "There is no model."
        assert not dialog.is_measuring

    run(scenario, problem="There is no model.")


@pytest.mark.parametrize(
    ("difference", "said"),
    [
        (None, "Plain and accelerated drafting wrote the same 256 tokens."),
        (112, "The first 112 of 256 tokens are the same; from token 113 on they differ."),
    ],
)
def test_the_self_check_says_what_it_found(run: Play, difference: int | None, said: str) -> None:
    found = AgreementChecked(1, 256 if difference is None else difference, 256, difference, 10.0, 4.0)

    async def scenario(stage: Stage) -> None:
        stage.parts.actions.self_check.trigger()
        dialog = stage.dialog(MeasuringDialog)
        dialog.begin_button.click()
        await stage.shown.settle()
        assert dialog.result_label.text().startswith(said)
        assert dialog.rows[2] == ("Accelerated", "4.0", "64.0 tokens/s")

    run(scenario, agreement=found)


def test_nothing_is_measured_while_a_draft_is_written(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        assert stage.parts.actions.calibrate.isEnabled()
        stage.see(DeskState.LOADING)
        assert not stage.parts.actions.calibrate.isEnabled()
        assert not stage.parts.actions.self_check.isEnabled()
        assert not stage.parts.actions.before_start.isEnabled()

    run(scenario)


def test_a_text_is_scored_by_whoever_can_be_asked(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        assert [one.piece for one in await stage.parts.scorer.score("A", "word")] == ["word"]

    run(scenario)


# ---------------------------------------------------------------- pace, reading speed, memory
def test_a_stored_run_shows_its_pace_and_its_goal(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        goal = DraftGoal(at_heading=True)
        await stage.drafted(asked=with_goal({}, goal), goal_words=goal.words_at_most)
        stage.shown.models.progress.show(100, 20_000, 20_000)
        assert stage.shown.models.pace.words_per_min == pytest.approx(600)
        assert stage.shown.window.run_strip.words_label.text() == "100 words"
        assert stage.shown.models.pace.tokens_after(0) == 1_200

    run(scenario)


def test_how_fast_the_model_reads_is_measured_and_told(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        told: list[float] = []
        clock = iter((10.0, 12.0, 14.0))
        watch = stage.parts.watch
        watch.speed_known.append(told.append)
        watch._clock = lambda: next(clock)
        run = Run(1, HARBOUR, SamplingConfig(), 50, "", "", state=RunState.RUNNING, num_prompt=10_000)
        run = replace(run, model=replace(IDENTITY, context_length=16_384))
        await stage.shown.desk.save_prompt(run, (1,) * 10_000)
        for fraction in (0.0, 0.2, 0.6, 1.0):
            watch.status_changed(DeskStatus(DeskState.READING, read_fraction=fraction))
        watch.status_changed(DeskStatus(DeskState.DRAFTING))
        assert told == [pytest.approx(2_000.0)]
        kept = stage.settings.settings.calibrations
        assert kept_reading_speed(kept, IDENTITY.fingerprint) == 2_000.0
        await stage.shown.desk.fold(run.moved_to(RunState.PAUSED), None)

    run(scenario)


def test_the_memory_of_the_computer_is_shown_without_a_model(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        stage.parts.watch.look()
        await stage.shown.settle()
        use = stage.parts.memory.use
        assert use.is_known
        assert use.peak == 0
        assert stage.parts.memory_bar.isVisible()

    run(scenario)


def test_with_a_model_it_says_what_the_goal_will_take(run: Play) -> None:
    async def scenario(stage: Stage) -> None:
        await stage.engine.questions()
        stage.shown.models.progress.show(0, 4_000, 4_000)
        stage.parts.watch.look()
        await stage.shown.settle()
        use = stage.parts.memory.use
        assert use.used == 500 * MB
        # 4,000 words are 5,400 tokens, for which the cache doubles its 4,096 places
        assert use.peak == use.used + 50 * MB + 8_192_000 - 54 * MB

    run(scenario, loaded_model=LOADED)


def test_the_memory_of_a_gpu_is_the_gpus() -> None:
    measured = replace(MEASURED, is_on_gpu=True, device_own_bytes=200 * MB)
    use = use_of(measured, LOADED, 0)
    assert (use.own, use.used, use.peak, use.is_on_gpu) == (200 * MB, 500 * MB, 0, True)


# ---------------------------------------------------------------- notices outside the window
@pytest.fixture
def heard(run: Play) -> Callable[[Callable[[Notifying, Stage], None]], list[tuple[str, str]]]:
    def listen(happen: Callable[[Notifying, Stage], None]) -> list[tuple[str, str]]:
        said: list[tuple[str, str]] = []

        async def scenario(stage: Stage) -> None:
            notifying = Notifying(
                stage.shown.window,
                stage.shown.models.progress,
                lambda title, text: said.append((title, text)),
            )
            notifying.is_watched = lambda: False  # type: ignore[method-assign]  # the test's window may be active
            happen(notifying, stage)

        run(scenario)
        return said

    return listen


def ends(notifying: Notifying, status: DeskStatus) -> None:
    for state in (DeskState.LOADING, DeskState.READING, DeskState.DRAFTING):
        notifying.status_changed(DeskStatus(state))
    notifying.status_changed(status)


def test_a_goal_that_is_reached_is_told(heard: Any) -> None:
    def happen(notifying: Notifying, stage: Stage) -> None:
        stage.shown.models.progress.show(2_004, 2_000, 2_000)
        ends(notifying, DeskStatus(DeskState.FINISHED))

    assert heard(happen) == [("Goal reached", "2,004 words were drafted.")]


def test_an_error_is_told_and_so_is_a_pause_that_nobody_asked_for(heard: Any) -> None:
    def happen(notifying: Notifying, _stage: Stage) -> None:
        ends(notifying, DeskStatus(DeskState.FAILED, "The model ran out of memory."))
        ends(notifying, DeskStatus(DeskState.PAUSED, "The time is over."))
        ends(notifying, DeskStatus(DeskState.PAUSED))

    assert heard(happen) == [
        ("The draft stopped", "The model ran out of memory."),
        ("The draft is paused", "The time is over."),
    ]


def test_an_alarm_is_told_once(heard: Any) -> None:
    def happen(notifying: Notifying, _stage: Stage) -> None:
        notifying.status_changed(DeskStatus(DeskState.DRAFTING))
        notifying.alarm("The text repeats itself.")
        notifying.status_changed(DeskStatus(DeskState.PAUSED, "Something was said before."))

    assert heard(happen) == [("The draft needs you", "The text repeats itself.")]


def test_opening_a_project_is_no_news(heard: Any) -> None:
    def happen(notifying: Notifying, _stage: Stage) -> None:
        notifying.status_changed(DeskStatus(DeskState.FINISHED))
        notifying.status_changed(DeskStatus(DeskState.FAILED, "An old error."))

    assert heard(happen) == []


def test_nothing_is_told_to_who_looks_or_wants_no_notices(heard: Any) -> None:
    def happen(notifying: Notifying, _stage: Stage) -> None:
        notifying.take(replace(Settings(), notify=False))
        ends(notifying, DeskStatus(DeskState.FINISHED))
        notifying.take(Settings())
        notifying.is_watched = lambda: True  # type: ignore[method-assign]  # see above
        ends(notifying, DeskStatus(DeskState.FINISHED))

    assert heard(happen) == []
