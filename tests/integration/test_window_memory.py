"""Memory that runs out, a GPU that stops, files that go away: in the whole window, with the mouse."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from quire.application import Application
from quire.domain.drafting.draft_status import DraftState
from quire.domain.drafting.run import RunState
from quire.services.transactions.closed_projects import read_project
from quire.settings.settings import ModelMemory, SettingsFile
from quire.shell.notices import NoticeAction
from quire_engine.api.config import ModelConfig
from quire_engine.api.messages import ModelLoaded
from quire_engine.api.queries import MeasureMemory, MemoryMeasured
from quire_engine.runtime.engine_thread import RunEvent, StartCommand
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import TEXT, Desktop, ended, press

FAILS_AT = 30
GOAL = 200
LEFT = Qt.MouseButton.LeftButton


class ShortBackend(ScriptedBackend):
    """A scripted model on a GPU that fails once a text has so many tokens, until it is used in another way.

    error: what is raised there. cures: under which configurations it is not. free: bytes of the GPU.
    """

    def __init__(self, error: Exception, cures: str = "", free: int = 0) -> None:
        super().__init__(context_length=2048, cache_bytes_per_token=100)
        self.error, self.cures, self.free = error, cures, free
        self.config = ModelConfig("")
        self.is_gone = False

    def load(self, config: ModelConfig) -> ModelLoaded:
        if self.is_gone:
            raise self.error
        self.config = config
        loaded = super().load(config)
        context = self.context_length = config.context or self.context_length
        cache = "float8" if config.cache == "float8" else ""
        identity = replace(loaded.identity, context_length=context, cache=cache)
        return replace(loaded, identity=identity, context_length=context, is_on_gpu=True, cache=config.cache)

    def run(self, command: StartCommand) -> Iterator[RunEvent]:
        written = 0
        for event in super().run(command):
            yield event
            written += hasattr(event, "step_ms")
            is_cured = self.cures in (self.config.cache, str(self.config.context), "always")
            if written == FAILS_AT and not is_cured:
                raise self.error

    def answer(self, query: Any) -> Iterator[MemoryMeasured]:
        assert isinstance(query, MeasureMemory)
        yield MemoryMeasured(query.query_id, 1, self.free, 10 * self.free, 1, 0, 0, is_on_gpu=True)


def button_of(quire: Application, words: str) -> QPushButton:
    """Return the button of the notice that says these words."""
    bar = quire.window.notice_bar
    shown = [button for button in bar.findChildren(QPushButton) if button.isVisible()]
    return next(button for button in shown if words in button.text())


async def out_of_memory(quire: Application, qtbot: Any) -> tuple[NoticeAction, ...]:
    """Draft until the memory is full; return the ways on that are offered."""
    box = quire.app.controls.bar.goal_box
    box.setEditText(str(GOAL))
    box.commit()
    press(qtbot, quire, "continue")
    await ended(quire)
    bar = quire.window.notice_bar
    await turns_until(lambda: bar.notice is not None and bool(bar.notice.actions))
    assert quire.window.status.status.state is DraftState.PAUSED
    assert bar.notice is not None
    return bar.notice.actions


async def gone_on(quire: Application) -> None:
    await turns_until(lambda: quire.window.status.is_busy)
    await ended(quire)
    assert quire.window.status.status.state is DraftState.FINISHED


def text_of(quire: Application) -> str:
    return quire.window.editor.text()


def test_in_the_computers_memory_the_draft_goes_on_in_the_same_words(desktop: Desktop, qtbot: Any) -> None:
    backend = ShortBackend(MemoryError(), "computer")

    async def scenario(quire: Application) -> None:
        offered = await out_of_memory(quire, qtbot)
        assert offered == (
            NoticeAction.IN_COMPUTER,
            NoticeAction.STORE_SMALLER,
        )  # the text is too short for another view
        before = text_of(quire)
        assert before != TEXT
        qtbot.mouseClick(button_of(quire, "Use Main Memory"), LEFT)
        await gone_on(quire)
        assert text_of(quire).startswith(before)

    desktop.start(backend, scenario)
    (run,) = read_project(desktop.sample).runs
    assert (run.num_tokens > FAILS_AT, run.state) == (True, RunState.FINISHED)
    assert backend.config.cache == "computer"
    story = backend.text_of(TEXT, run.sampling.seed, GOAL)  # what a run writes that was never paused
    assert read_project(desktop.sample).text == TEXT + story
    assert SettingsFile(desktop.ini).load().model_memory is ModelMemory.COMPUTER


@pytest.mark.parametrize("words", ["Compress Model Memory (8-bit)", "Use a Shorter Context"])
def test_what_changes_the_words_begins_another_run_and_keeps_the_text(
    desktop: Desktop, qtbot: Any, words: str
) -> None:
    looks_less = words.startswith("Use a Shorter")
    backend = ShortBackend(MemoryError(), "512" if looks_less else "float8")

    async def scenario(quire: Application) -> None:
        if looks_less:
            backend.context_length = 1200
            quire.window.editor.setPlainText("It rained all night. " * 50)
        offered = await out_of_memory(quire, qtbot)
        assert (NoticeAction.LOOK_BACK_LESS in offered) == looks_less
        before = text_of(quire)
        qtbot.mouseClick(button_of(quire, words), LEFT)
        await gone_on(quire)
        assert text_of(quire).startswith(before)
        assert text_of(quire) != before

    desktop.start(backend, scenario)
    first, second = read_project(desktop.sample).runs
    assert first.num_tokens == FAILS_AT
    assert second.goal_words == GOAL - first.num_words
    assert first.model is not None
    assert second.model is not None
    if looks_less:
        assert (first.model.context_length, second.model.context_length) == (1200, 512)
        assert SettingsFile(desktop.ini).load().model_context == 512
    else:
        assert (first.model.cache, second.model.cache) == ("", "float8")

    async def undone(quire: Application) -> None:  # what was begun so goes on so
        dialog = quire.app.preferences.open()
        assert dialog.drafting.memory.currentIndex() == 1
        dialog.drafting.memory.setCurrentIndex(0)
        dialog.close()
        press(qtbot, quire, "continue")
        await gone_on(quire)

    if looks_less:
        return
    desktop.start(backend, undone)
    runs = read_project(desktop.sample).runs
    assert [run.run_id for run in runs] == [first.run_id, second.run_id]
    assert (backend.config.cache, backend.config.context) == ("float8", 2048)
    assert SettingsFile(desktop.ini).load().model_memory is ModelMemory.FULL


def test_a_goal_that_is_too_large_is_offered_smaller(desktop: Desktop, qtbot: Any) -> None:
    tokens = len(TEXT.encode()) + FAILS_AT
    backend = ShortBackend(MemoryError(), free=round((tokens + 100) * 100 / 0.9))
    seen: list[int] = []

    async def scenario(quire: Application) -> None:
        offered = await out_of_memory(quire, qtbot)
        assert offered[0] is NoticeAction.SMALLER_GOAL
        backend.cures = "always"
        qtbot.mouseClick(quire.window.notice_bar.action_button, LEFT)
        seen.append(quire.app.controls.bar.goal_words)
        await gone_on(quire)

    desktop.start(backend, scenario)
    (run,) = read_project(desktop.sample).runs
    assert seen == [run.goal_words]
    assert FAILS_AT + 50 < run.goal_words < GOAL
    assert run.num_words < GOAL


def test_a_gpu_that_stops_is_told_and_the_rest_of_quire_goes_on(desktop: Desktop, qtbot: Any) -> None:
    backend = ShortBackend(RuntimeError("CUDA error: unspecified launch failure"))

    async def scenario(quire: Application) -> None:
        bar = quire.window.notice_bar
        offered = await out_of_memory(quire, qtbot)
        assert offered == (NoticeAction.LEAVE,)
        assert bar.notice is not None
        assert "Restart Quire" in bar.notice.text
        num_loads = len(backend.configs)
        press(qtbot, quire, "continue")  # it is no use, and that is said again
        await turns_until(lambda: bar.notice is None)
        await ended(quire)
        await turns_until(lambda: bar.notice is not None)
        assert len(backend.configs) == num_loads
        quire.window.commands.free_memory.trigger()
        quire.window.editor.setPlainText(f"{text_of(quire)} And the writer goes on.")
        quire.app.resources.look()
        await turns_until(lambda: bar.notice is not None and "Continue loads it again" in bar.notice.text)
        press(qtbot, quire, "continue")
        await turns_until(lambda: bar.notice is not None and bar.notice.actions == (NoticeAction.LEAVE,))
        await ended(quire)
        qtbot.mouseClick(bar.action_button, LEFT)

    assert desktop.start(backend, scenario) == 0
    project = read_project(desktop.sample)
    assert project.text.endswith("And the writer goes on.")
    assert project.runs[0].num_tokens == FAILS_AT


def test_a_model_whose_files_went_away_is_loaded_again_from_the_notice(desktop: Desktop, qtbot: Any) -> None:
    backend = ShortBackend(FileNotFoundError(2, "No such file or directory"))
    away = desktop.model.with_name("away")

    async def scenario(quire: Application) -> None:
        bar = quire.window.notice_bar
        offered = await out_of_memory(quire, qtbot)
        assert offered == (NoticeAction.LOAD_AGAIN, NoticeAction.CHOOSE_MODEL)
        assert backend.num_unloads == 1
        before = text_of(quire)
        shutil.move(desktop.model, away)
        qtbot.mouseClick(bar.action_button, LEFT)  # too early: the disk is not back
        await turns_until(lambda: bar.notice is not None and "There is no model" in bar.notice.text)
        assert text_of(quire) == before
        shutil.move(away, desktop.model)
        backend.cures = "always"
        qtbot.mouseClick(button_of(quire, "Reload Model"), LEFT)
        await gone_on(quire)
        assert text_of(quire).startswith(before)

    desktop.start(backend, scenario)
    (run,) = read_project(desktop.sample).runs
    story = backend.text_of(TEXT, run.sampling.seed, GOAL)
    assert read_project(desktop.sample).text == TEXT + story
