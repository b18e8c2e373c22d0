"""Choosing a model in a real window: from the menu, the welcome page and a notice, and how it is loaded."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton

import quire.model_library.controller
from quire.application import Application
from quire.charts.chart_kinds import ChartKind
from quire.domain.drafting.draft_status import DraftState
from quire.launch_options import Options
from quire.model_library.models_dialog import ModelsDialog
from quire.projects.welcome_page import WelcomePage
from quire.services.model_library.model_library import ModelLibrary
from quire.services.transactions.closed_projects import read_project
from quire.settings.settings import Settings, SettingsFile
from quire.shell.notices import NoticeAction
from quire.system.app_folders import models_home
from quire_engine.api.config import ModelConfig
from quire_engine.api.messages import ModelLoaded
from quire_engine.catalog.memory_fit import FreeMemory
from quire_resources import BUILT_IN_MODEL
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import ScriptedBackend
from tests.integration.desktop import LEFT, TEXT, Desktop, ended, press, state


class NamingBackend(ScriptedBackend):
    """Names what it computes in as the engine does without a GPU."""

    def load(self, config: ModelConfig) -> ModelLoaded:
        loaded = super().load(config)
        named = loaded.identity.dtype if config.weights == "full" else "int8"
        return replace(loaded, identity=replace(loaded.identity, dtype=named))


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Know of no models but these, and of the memory at once."""
    monkeypatch.setattr(quire.model_library.controller, "ask_for_memory", lambda: FreeMemory(10**10))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))


def dialogs_of(quire: Application) -> Sequence[ModelsDialog]:
    return [each for each in quire.window.findChildren(ModelsDialog) if each.isVisible()]


async def shown(quire: Application) -> ModelsDialog:
    """Wait until the models are shown, and whether they fit."""
    await turns_until(lambda: dialogs_of(quire))
    (dialog,) = dialogs_of(quire)
    await turns_until(lambda: dialog.chosen is not None and dialog.chosen.prepared is not None)
    return dialog


def test_a_model_that_does_not_load_leads_to_the_list_and_another_drafts(
    desktop: Desktop, qtbot: Any
) -> None:
    backend = ScriptedBackend(load_problem="The weights are damaged.")

    async def scenario(quire: Application) -> None:
        bar = quire.window.notice_bar
        press(qtbot, quire, "continue")
        await ended(quire)
        assert bar.notice is not None
        assert bar.notice.action is NoticeAction.CHOOSE_MODEL
        qtbot.mouseClick(bar.action_button, LEFT)
        dialog = await shown(quire)
        assert dialog.chosen is not None
        assert dialog.chosen.path == BUILT_IN_MODEL
        assert dialog.use_button.isEnabled()  # what the command line named is in use, whatever was kept
        qtbot.mouseClick(dialog.use_button, LEFT)
        assert not dialog.use_button.isEnabled()
        await turns_until(lambda: bar.notice is None)
        backend.load_problem = ""
        press(qtbot, quire, "continue")
        await state(quire, DraftState.DRAFTING, DraftState.FINISHED)
        await ended(quire)

    assert desktop.start(backend, scenario) == 0
    assert [config.folder for config in backend.configs] == [str(desktop.model), str(BUILT_IN_MODEL)]
    assert read_project(desktop.sample).text != TEXT


def test_the_menu_shows_the_list_in_which_a_folder_can_be_picked(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        quire.window.commands.choose_model.trigger()
        dialog = await shown(quire)
        folders = dialog.ask_for_folder()
        assert folders.isVisible()
        folders.reject()
        quire.window.commands.choose_model.trigger()  # comes back to the one that is open
        assert dialogs_of(quire) == [dialog]

    assert desktop.start(ScriptedBackend(), scenario) == 0
    assert models_home().parent.parent.is_relative_to(desktop.folder)


def test_the_welcome_page_shows_the_list(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        page = quire.window.findChild(WelcomePage)
        assert isinstance(page, WelcomePage)
        assert isinstance(page.model_button, QPushButton)
        qtbot.mouseClick(page.model_button, LEFT)
        await shown(quire)
        assert not quire.window.status.is_open

    assert desktop.start(ScriptedBackend(), scenario, tries=False) == 0


def test_who_asks_before_the_list_is_built_gets_it_once_it_is(desktop: Desktop) -> None:
    async def run() -> int:
        options = Options(model_folder=str(desktop.model))
        quire = Application(
            desktop.qapp, SettingsFile(desktop.ini), options, desktop.projects, ScriptedBackend
        )
        quire.window.show()
        quire.window.commands.choose_model.trigger()
        assert not quire.app.is_complete
        running = asyncio.ensure_future(quire.run())
        await shown(quire)
        quire.window.close()
        return await running

    assert desktop.run_async(run()) == 0


async def draft(quire: Application, qtbot: Any, words: int) -> None:
    quire.app.controls.bar.goal_box.set_goal(words)
    press(qtbot, quire, "continue")
    await turns_until(lambda: quire.window.status.is_busy)
    await ended(quire)


async def switch_weights(quire: Application, qtbot: Any) -> None:
    """Ask for the other weights of the model that is in use; what it needs is reckoned for them."""
    quire.window.commands.choose_model.trigger()
    dialog = await shown(quire)
    assert dialog.chosen is not None
    before, was_smaller = dialog.chosen, dialog.small_box.isChecked()
    qtbot.mouseClick(dialog.small_box, LEFT)
    after = dialog.chosen
    assert after.path == before.path
    assert dialog.small_box.isChecked() != was_smaller
    assert before.fit is not None
    assert after.fit is not None
    assert (after.fit.weights < before.fit.weights) != was_smaller
    assert after.fit.advice in dialog.details.text()
    dialog.close()


def said_in(quire: Application) -> str:
    notice = quire.window.notice_bar.notice
    return "" if notice is None else notice.text


def test_other_weights_are_kept_and_begin_another_run(desktop: Desktop, qtbot: Any) -> None:
    backend = NamingBackend()
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        shutil.copy(BUILT_IN_MODEL / name, desktop.model)
    ModelLibrary().add(desktop.model)

    async def take_full(quire: Application) -> None:
        await draft(quire, qtbot, 20)
        before = quire.window.editor.text()
        await switch_weights(quire, qtbot)
        await draft(quire, qtbot, 30)
        assert "full precision), so this starts a new draft" in said_in(quire)
        assert quire.window.editor.text().startswith(before)

    async def take_back(quire: Application) -> None:
        await draft(quire, qtbot, 60)
        assert "new draft" not in said_in(quire)  # it goes on with what was kept
        await switch_weights(quire, qtbot)
        await draft(quire, qtbot, 20)
        assert "so this starts a new draft" in said_in(quire)

    desktop.start(backend, take_full)
    assert SettingsFile(desktop.ini).load().model_weights == {str(desktop.model): "full"}
    desktop.start(backend, take_back)
    assert SettingsFile(desktop.ini).load().model_weights == {str(desktop.model): "int8"}
    assert [config.weights for config in backend.configs] == ["auto", "full", "full", "int8"]
    runs = read_project(desktop.sample).runs
    assert [run.model is not None and run.model.dtype == "int8" for run in runs] == [True, False, True]
    assert runs[1].num_words > 30  # it was gone on with


def test_the_bands_of_english_novels_are_drawn_for_english_books_alone(desktop: Desktop) -> None:
    def has_bands(quire: Application) -> bool:
        return bool(quire.app.run_charts.chart(ChartKind.DISTINCT).bands)

    async def choose(quire: Application) -> None:
        spelling = quire.app.spelling
        seen = []
        for language in ("en_GB", "de", "fr_FR", "en_US", "de_DE"):
            spelling.languages.chosen.emit(language)
            seen.append(has_bands(quire))
        spelling.actions.check_spelling.setChecked(False)  # the language stays what it is
        assert [*seen, has_bands(quire)] == [True, False, False, True, False, False]

    async def look(quire: Application) -> None:
        await turns_until(lambda: not has_bands(quire))  # it is the book that says so

    assert desktop.start(ScriptedBackend(), choose) == 0
    SettingsFile(desktop.ini).save(Settings(spelling_language="en_US", recent=(str(desktop.sample),)))
    assert desktop.start(ScriptedBackend(), look) == 0
