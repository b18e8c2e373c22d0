"""The first start in the real window, with the starter model's file and without it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from quire.application import Application
from quire.launch_options import Options
from quire.projects.new_project import NewProject
from quire.projects.starter_setup import StarterSetup, not_set_up
from quire.projects.welcome_page import WelcomePage
from quire.services.model_library import starter_model
from quire.settings.settings import Settings, SettingsFile
from quire.settings.settings_store import SettingsStore
from quire.shell.notices import NoticeAction
from quire_resources import BUILT_IN_MODEL
from tests.benchmarks.app.latency_probes import turns_until, until
from tests.engine.gguf_samples import write_gguf
from tests.fakes import ScriptedBackend
from tests.integration.desktop import LEFT, TEXT, Desktop, ended, press

WITH_SMOLLM2 = "A sample with SmolLM2: press Continue and watch it write."
BUILT_IN = "A sample with the built-in model: press Continue and watch it write."


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small model as a GGUF file."""
    return write_gguf("llama", tmp_path_factory.mktemp("gguf") / starter_model.FILE_NAME, kind="Q8_0")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of models that came with Quire, empty; imports go to a folder of the test's own."""
    folder = tmp_path / "installed"
    folder.mkdir()
    monkeypatch.setattr(starter_model, "installed_models", lambda: folder)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "data"))
    return folder


@pytest.fixture
def fetched(installed: Path, tiny: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the starter model, as the bootstrap leaves it."""
    file = Path(shutil.copy(tiny, installed))
    monkeypatch.setattr(starter_model, "NUM_BYTES", file.stat().st_size)
    return file


def page_of(quire: Application) -> WelcomePage:
    page = quire.window.findChild(WelcomePage)
    assert isinstance(page, WelcomePage)
    return page


async def opened(quire: Application) -> None:
    status = quire.window.status
    await until(status.changed, lambda: status.is_open and not status.switching)


async def drafted(quire: Application, qtbot: Any) -> None:
    """Draft to the end of a small goal."""
    quire.app.controls.bar.goal_box.set_goal(100)
    press(qtbot, quire, "continue")
    await turns_until(lambda: quire.window.status.is_busy)
    await ended(quire)


def test_trying_it_sets_the_model_up_and_writes_with_it(desktop: Desktop, qtbot: Any, fetched: Path) -> None:
    backend = ScriptedBackend()
    shown: list[str] = []

    async def scenario(quire: Application) -> None:
        page = page_of(quire)
        assert page.try_about.text() == f"{WITH_SMOLLM2} The first time, this takes a few seconds."
        assert page.model_about.text().startswith("SmolLM2 is small.")
        assert quire.window.status_line.model_label.whole_text == "SmolLM2, set up with the first draft"
        qtbot.mouseClick(page.try_button, LEFT)
        await turns_until(page.setup_row.isVisible)
        assert not page.try_button.isEnabled()
        shown.append(page.setup_row.label.text())
        await opened(quire)
        assert quire.window.editor.text() == TEXT
        assert "SmolLM2" in quire.window.status.model_name
        await drafted(quire, qtbot)

    assert desktop.start(backend, scenario, tries=False, named=False) == 0
    settings = SettingsFile(desktop.ini).load()
    assert shown == ["Setting up SmolLM2…"]
    assert settings.starter_done
    assert [config.folder for config in backend.configs] == [settings.model_folder]
    folder = Path(settings.model_folder)
    assert folder.parent == desktop.folder / "data" / "quire" / "models" / "imported"
    assert fetched.is_file()  # what came with Quire stays as it is


def test_the_page_is_quiet_about_it_from_then_on(desktop: Desktop, qtbot: Any, fetched: Path) -> None:
    async def first(quire: Application) -> None:
        qtbot.mouseClick(page_of(quire).try_button, LEFT)
        await opened(quire)

    async def second(quire: Application) -> None:
        quire.window.commands.close_project.trigger()
        page = page_of(quire)
        await turns_until(page.isVisible)
        assert page.try_about.text() == WITH_SMOLLM2
        assert not quire.app.starter.is_due

    desktop.start(ScriptedBackend(), first, tries=False, named=False)
    assert desktop.start(ScriptedBackend(), second, tries=False, named=False) == 0


def test_skipping_it_writes_with_the_built_in_model(desktop: Desktop, qtbot: Any, fetched: Path) -> None:
    backend = ScriptedBackend()

    async def scenario(quire: Application) -> None:
        page = page_of(quire)
        qtbot.mouseClick(page.try_button, LEFT)
        await turns_until(page.setup_row.isVisible)
        qtbot.mouseClick(page.setup_row.stop_button, LEFT)
        await opened(quire)
        await drafted(quire, qtbot)
        assert quire.window.notice_bar.notice is None  # it was the writer's wish
        assert quire.window.status_line.model_label.whole_text == "Built-in model"

    assert desktop.start(backend, scenario, tries=False, named=False) == 0
    assert [config.folder for config in backend.configs] == [str(BUILT_IN_MODEL)]
    assert SettingsFile(desktop.ini).load().starter_done
    assert not list((desktop.folder / "data").rglob("*.safetensors"))


def test_a_damaged_file_is_said_once_and_the_built_in_model_writes(
    desktop: Desktop, qtbot: Any, fetched: Path
) -> None:
    fetched.write_bytes(bytes(fetched.stat().st_size))

    async def scenario(quire: Application) -> None:
        qtbot.mouseClick(page_of(quire).try_button, LEFT)
        await opened(quire)
        await turns_until(lambda: quire.window.notice_bar.notice is not None)
        notice = quire.window.notice_bar.notice
        assert notice is not None
        assert notice.text.startswith(not_set_up("").partition(".")[0])
        assert notice.action is NoticeAction.CHOOSE_MODEL
        assert quire.app.drafts.model.folder == BUILT_IN_MODEL

    assert desktop.start(ScriptedBackend(), scenario, tries=False, named=False) == 0
    assert SettingsFile(desktop.ini).load().starter_done


@pytest.mark.usefixtures("fetched")
def test_where_it_does_not_load_the_built_in_model_takes_over(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend(load_problem="This computer is too small.")

    async def scenario(quire: Application) -> None:
        qtbot.mouseClick(page_of(quire).try_button, LEFT)
        await opened(quire)
        await drafted(quire, qtbot)
        await turns_until(lambda: quire.app.drafts.model.folder == BUILT_IN_MODEL)
        notice = quire.window.notice_bar.notice
        assert notice is not None
        assert notice.text == not_set_up("This computer is too small.")
        backend.load_problem = ""
        qtbot.mouseClick(quire.window.notice_bar.action_button, LEFT)
        await turns_until(lambda: quire.window.status.is_busy)
        await ended(quire)

    assert desktop.start(backend, scenario, tries=False, named=False) == 0
    assert backend.configs[-1].folder == str(BUILT_IN_MODEL)
    assert SettingsFile(desktop.ini).load().model_folder == ""


@pytest.mark.usefixtures("installed")
def test_without_the_file_the_built_in_model_works_and_a_better_one_is_offered(
    desktop: Desktop, qtbot: Any
) -> None:
    backend = ScriptedBackend()

    async def scenario(quire: Application) -> None:
        page = page_of(quire)
        assert page.try_about.text() == BUILT_IN
        await turns_until(lambda: "of memory free" in page.model_about.text())
        assert page.model_about.text().startswith("The built-in model is small.")
        assert "licence before it downloads anything" in page.model_button.accessibleDescription()
        qtbot.mouseClick(page.try_button, LEFT)
        await opened(quire)
        await drafted(quire, qtbot)

    assert desktop.start(backend, scenario, tries=False, named=False) == 0
    assert [config.folder for config in backend.configs] == [str(BUILT_IN_MODEL)]
    assert not SettingsFile(desktop.ini).load().starter_done  # it may come with the next start


@pytest.mark.usefixtures("fetched")
def test_any_new_project_gets_it_with_its_first_draft(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend()
    mine = NewProject(desktop.projects / "Mine.quire", "Mine", "It rained on the quay.")

    async def scenario(quire: Application) -> None:
        quire.app.navigation.create(mine)
        await opened(quire)
        assert quire.app.drafts.model.folder == BUILT_IN_MODEL
        assert quire.window.status_line.model_label.whole_text == "SmolLM2, set up with the first draft"
        used = quire.app.steering.panel.space_bar.total
        await turns_until(lambda: used.text().endswith("of 6,100 words"))  # those of SmolLM2
        await drafted(quire, qtbot)
        assert "set up" not in quire.window.status_line.model_label.whole_text
        assert quire.window.notice_bar.notice is None

    assert desktop.start(backend, scenario, tries=False, named=False) == 0
    assert [config.folder for config in backend.configs] == [SettingsFile(desktop.ini).load().model_folder]


@pytest.mark.usefixtures("fetched")
def test_pausing_while_it_is_set_up_declines_nothing(desktop: Desktop, qtbot: Any) -> None:
    mine = NewProject(desktop.projects / "Mine.quire", "Mine", "It rained on the quay.")
    backend = ScriptedBackend()

    async def scenario(quire: Application) -> None:
        quire.app.navigation.create(mine)
        await opened(quire)
        press(qtbot, quire, "continue")
        await turns_until(lambda: quire.window.notice_bar.notice is not None)
        press(qtbot, quire, "pause")
        await turns_until(lambda: not quire.window.status.is_busy)
        assert quire.app.starter.is_due

    assert desktop.start(backend, scenario, tries=False, named=False) == 0
    assert backend.configs == []


@pytest.mark.usefixtures("fetched")
def test_a_chosen_model_is_kept(desktop: Desktop) -> None:
    SettingsFile(desktop.ini).save(Settings(model_folder=str(desktop.model)))

    async def scenario(quire: Application) -> None:
        page = page_of(quire)
        assert page.try_about.text() == "A sample with model: press Continue and watch it write."
        assert not quire.app.starter.is_due
        quire.window.model_chosen.emit("")  # the built-in one, on purpose
        await turns_until(lambda: page.try_about.text() == BUILT_IN)
        assert not quire.app.starter.is_due

    assert desktop.start(ScriptedBackend(), scenario, tries=False, named=False) == 0


@pytest.mark.usefixtures("fetched")
def test_leaving_while_it_is_set_up_does_not_wait_for_it(desktop: Desktop, qtbot: Any) -> None:
    async def scenario(quire: Application) -> None:
        page = page_of(quire)
        qtbot.mouseClick(page.try_button, LEFT)
        await turns_until(page.setup_row.isVisible)

    assert desktop.start(ScriptedBackend(), scenario, tries=False, named=False) == 0
    assert not SettingsFile(desktop.ini).load().starter_done
    assert not list((desktop.folder / "data").rglob("*.safetensors"))


def test_who_asks_while_it_is_set_up_waits_for_the_same_work(
    desktop: Desktop, run_async: Callable[..., Any], fetched: Path
) -> None:
    async def scenario() -> None:
        store, used = SettingsStore(SettingsFile(desktop.ini)), list[str]()
        asked = SimpleNamespace(connect=lambda stop: None)
        app: Any = SimpleNamespace(
            settings=store,
            options=Options(),
            controls=SimpleNamespace(bar=SimpleNamespace(pause_asked=asked)),
            drafts=SimpleNamespace(use_for_project=lambda model: used.append(model.chosen)),
        )
        setup = StarterSetup(app)
        first, second = await asyncio.gather(setup.ready(lambda share: None), setup.ready(lambda share: None))
        assert first
        assert second
        assert len(used) == 1
        assert not await setup.ready(lambda share: None)  # there is nothing to do any more
        store.close()

    run_async(scenario())
