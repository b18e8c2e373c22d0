"""The real window: a project continues with the model that it was drafted with, or says which is missing."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import quire.model_library.controller
from quire.application import Application
from quire.drafting.project_model_controller import continued_with, model_gone
from quire.services.model_library import model_by_name
from quire.services.model_library.model_library import ModelLibrary
from quire.settings.settings import Settings, SettingsFile
from quire.shell.notices import NoticeAction
from quire_engine.catalog.memory_fit import FreeMemory
from quire_resources import BUILT_IN_MODEL
from tests.benchmarks.app.latency_probes import turns_until
from tests.fakes import IDENTITY, ScriptedBackend
from tests.integration.desktop import Desktop, ended, press

TALE = replace(IDENTITY, name="tale")


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Know of no models but the test's own."""
    monkeypatch.setattr(quire.model_library.controller, "ask_for_memory", lambda: FreeMemory(10**10))
    monkeypatch.setattr(model_by_name, "model_places", tuple)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))


def put_model(folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        shutil.copy(BUILT_IN_MODEL / name, folder)
    return folder


def draft_with_tale(desktop: Desktop, qtbot: Any) -> None:
    """Draft a few words of the sample with a model of that name."""

    async def scenario(quire: Application) -> None:
        quire.app.controls.bar.goal_box.set_goal(100)
        press(qtbot, quire, "continue")
        await turns_until(lambda: quire.window.status.is_busy)
        await ended(quire)

    assert desktop.start(ScriptedBackend(identity=TALE), scenario) == 0


def test_a_project_continues_with_the_model_that_it_was_drafted_with(desktop: Desktop, qtbot: Any) -> None:
    draft_with_tale(desktop, qtbot)
    tale = put_model(desktop.folder / "models" / "tale")
    ModelLibrary().add(tale)
    backend = ScriptedBackend(identity=TALE)

    async def scenario(quire: Application) -> None:
        notice = quire.window.notice_bar.notice
        assert notice is not None
        assert notice.text == continued_with("tale")
        assert notice.action is NoticeAction.CHOOSE_MODEL
        press(qtbot, quire, "continue")
        await turns_until(lambda: quire.window.status.is_busy)
        await ended(quire)

    assert desktop.start(backend, scenario, tries=False, named=False) == 0
    assert [config.folder for config in backend.configs] == [str(tale)]
    assert SettingsFile(desktop.ini).load().model_folder == ""  # it is this project's model alone


def test_a_new_project_gets_the_usual_model_again(desktop: Desktop, qtbot: Any) -> None:
    draft_with_tale(desktop, qtbot)
    ModelLibrary().add(put_model(desktop.folder / "models" / "tale"))
    usual = put_model(desktop.folder / "models" / "usual")
    settings = SettingsFile(desktop.ini)
    settings.save(replace(settings.load(), model_folder=str(usual)))

    async def scenario(quire: Application) -> None:
        assert quire.app.drafts.model.folder.name == "tale"
        assert quire.app.model_library._in_use.name == "tale"  # else the usual one could not be chosen
        quire.window.commands.close_project.trigger()
        await turns_until(lambda: not quire.window.status.is_open)
        desktop.sample.unlink()
        quire.app.welcome.page.try_button.click()
        await turns_until(lambda: quire.window.status.is_open and not quire.window.status.switching)
        await turns_until(lambda: quire.app.drafts.model.folder == usual)

    assert desktop.start(ScriptedBackend(), scenario, tries=False, named=False) == 0


def test_a_model_that_is_gone_is_named(desktop: Desktop, qtbot: Any) -> None:
    draft_with_tale(desktop, qtbot)

    async def scenario(quire: Application) -> None:
        notice = quire.window.notice_bar.notice
        assert notice is not None
        assert notice.text == model_gone("tale", "Built-in model")
        assert quire.app.drafts.model.folder == BUILT_IN_MODEL

    assert desktop.start(ScriptedBackend(), scenario, tries=False, named=False) == 0


def test_the_model_on_the_command_line_counts_for_every_project(desktop: Desktop, qtbot: Any) -> None:
    draft_with_tale(desktop, qtbot)

    async def scenario(quire: Application) -> None:
        assert quire.window.notice_bar.notice is None
        assert quire.app.drafts.model.folder == desktop.model

    assert desktop.start(ScriptedBackend(), scenario, tries=False) == 0


def test_a_choice_of_the_writers_holds_while_the_project_is_open(desktop: Desktop, qtbot: Any) -> None:
    draft_with_tale(desktop, qtbot)
    ModelLibrary().add(put_model(desktop.folder / "models" / "tale"))
    other = put_model(desktop.folder / "models" / "other")
    backend = ScriptedBackend()

    async def scenario(quire: Application) -> None:
        quire.window.model_chosen.emit(str(other))
        await turns_until(lambda: quire.window.notice_bar.notice is None)
        press(qtbot, quire, "continue")
        await turns_until(lambda: quire.window.status.is_busy)
        await ended(quire)

    assert desktop.start(backend, scenario, tries=False, named=False) == 0
    assert [config.folder for config in backend.configs] == [str(other)]
    assert SettingsFile(desktop.ini).load() != Settings()
