"""Going from one project to another, and leaving: what was typed on the way is kept."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quire.application import Application
from quire.domain.drafting.draft_status import DraftState
from quire.domain.drafting.run import RunState
from quire.projects.new_project import NewProject
from quire.services.project import project_session
from quire.services.project.project_session import ProjectSession
from quire.services.transactions import project_text
from quire.services.transactions.closed_projects import read_project
from quire.shell.notices import NoticeAction
from quire.shell.project_status import SaveState
from quire.storage.project_file import open_project_file
from tests.benchmarks.app.latency_probes import until
from tests.fakes import Disk, ScriptedBackend
from tests.integration.desktop import LEFT, TEXT, Desktop, ended, press, state, stored


class SlowDisk:
    """Holds up the opening of project files until it is told to go on."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        self.go_on.set()
        self._open = open_project_file

    def open(self, path: Path) -> Any:
        if not self.go_on.wait(100):
            raise TimeoutError("the test never let the project open")
        return self._open(path)


@pytest.fixture
def slow_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowDisk]:
    disk = SlowDisk()
    monkeypatch.setattr(project_session, "open_project_file", disk.open)
    yield disk
    disk.go_on.set()


async def make(path: Path) -> None:
    session = await ProjectSession.create(path, path.stem, "Somewhere else.")
    await session.close()


@pytest.mark.parametrize("how", ["open", "new"])
def test_nothing_is_typed_into_the_wrong_project_or_drafted_while_another_opens(
    desktop: Desktop, qtbot: Any, slow_disk: SlowDisk, how: str
) -> None:
    other = desktop.folder / "Other.quire"
    backend = ScriptedBackend()

    async def scenario(quire: Application) -> None:
        window, status = quire.window, quire.window.status
        if how == "open":
            await make(other)
        slow_disk.go_on.clear()
        qtbot.keyClicks(window.editor, " Before.")
        if how == "open":
            window.open_asked.emit(other)
        else:
            quire.app.navigation.create(NewProject(other, "Other", "Somewhere else."))
        qtbot.keyClicks(window.editor, " Meanwhile.")
        assert window.editor.text() == TEXT + " Before."
        assert quire.app.controls.strip.state_label.text() == "Opening project"
        assert not status.can_continue
        quire.app.controls.bar.continue_asked.emit(500)
        assert not status.is_busy
        slow_disk.go_on.set()
        await until(status.changed, lambda: status.title == "Other" and not status.switching)
        assert status.can_continue
        qtbot.keyClicks(window.editor, " After.")

    assert desktop.start(backend, scenario) == 0
    assert not backend.begins
    assert read_project(desktop.sample).text == TEXT + " Before."
    meanwhile = " Meanwhile." if how == "new" else ""  # a new project is where the writer wants to type
    assert read_project(other).text == f"Somewhere else.{meanwhile} After."


def test_a_draft_pauses_for_another_project_and_the_text_stays_locked(
    desktop: Desktop, qtbot: Any, slow_disk: SlowDisk
) -> None:
    other = desktop.folder / "Other.quire"
    backend = ScriptedBackend(gated=True)

    async def scenario(quire: Application) -> None:
        await make(other)
        press(qtbot, quire, "continue")
        backend.gate.release(3)
        await until(quire.window.progress.changed, lambda: quire.window.progress.num_words == 3)
        slow_disk.go_on.clear()
        quire.window.open_asked.emit(other)
        backend.gate.release()
        await ended(quire)
        qtbot.keyClicks(quire.window.editor, " Lost.")
        assert "Lost" not in quire.window.editor.text()
        slow_disk.go_on.set()
        await until(quire.window.status.changed, lambda: quire.window.status.title == "Other")

    assert desktop.start(backend, scenario) == 0
    assert [run.state for run in read_project(desktop.sample).runs] == [RunState.PAUSED]


def test_what_changes_the_text_behind_the_lock_is_stored_before_the_other_is_shown(
    desktop: Desktop, slow_disk: SlowDisk
) -> None:
    other = desktop.folder / "Other.quire"

    async def scenario(quire: Application) -> None:
        await make(other)
        slow_disk.go_on.clear()
        quire.window.open_asked.emit(other)
        quire.window.editor.insertPlainText(" Put in.")
        slow_disk.go_on.set()
        await until(quire.window.status.changed, lambda: quire.window.status.title == "Other")

    assert desktop.start(ScriptedBackend(), scenario) == 0
    assert read_project(desktop.sample).text == TEXT + " Put in."


def test_a_project_that_cannot_be_stored_stays_open(desktop: Desktop, qtbot: Any) -> None:
    other = desktop.folder / "Other.quire"

    async def scenario(quire: Application) -> None:
        window, status = quire.window, quire.window.status
        await make(other)
        window.open_asked.emit(desktop.folder / "missing.quire")
        await until(status.changed, lambda: not status.switching)
        assert not window.editor.isReadOnly()
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(project_text, "save_text", _broken)
            window.editor.insertPlainText(" Mine.")
            window.open_asked.emit(other)
            await until(status.changed, lambda: not status.switching)
            assert status.title == "Low Water"
            assert status.save_state is SaveState.NOT_SAVED
        qtbot.mouseClick(window.notice_bar.action_button, LEFT)
        await stored(quire)

    assert desktop.start(ScriptedBackend(), scenario) == 0
    assert read_project(desktop.sample).text == TEXT + " Mine."


def _broken(*arguments: object) -> None:
    raise MemoryError


def test_opening_the_project_that_is_open_does_not_pause_its_draft(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario(quire: Application) -> None:
        quire.app.controls.bar.goal_box.set_goal(10)
        press(qtbot, quire, "continue")
        backend.gate.release(2)
        await state(quire, DraftState.DRAFTING)
        quire.window.open_asked.emit(desktop.sample)
        backend.gate.release(200)
        await ended(quire)
        assert quire.window.status.status.state is DraftState.FINISHED

    desktop.start(backend, scenario)


def test_a_fault_while_saving_is_said_and_the_text_is_stored_later(
    desktop: Desktop, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(quire: Application) -> None:
        window, status = quire.window, quire.window.status
        with monkeypatch.context() as patched:
            patched.setattr(project_text, "save_text", _broken)
            qtbot.keyClicks(window.editor, " Mine.")
            await until(status.saved, lambda: status.save_state is SaveState.NOT_SAVED)
            window.close()
            await until(status.changed, lambda: not status.leaving)
            notice = window.notice_bar.notice
            assert notice is not None
            assert notice.action is NoticeAction.SAVE_AGAIN
            assert "not saved" in notice.text
        qtbot.mouseClick(window.notice_bar.action_button, LEFT)
        await stored(quire)

    assert desktop.start(ScriptedBackend(), scenario) == 0
    assert read_project(desktop.sample).text == TEXT + " Mine."


@pytest.mark.parametrize("then", ["saved", "edited"])
def test_leave_without_storing_is_asked_again_for_another_text(
    desktop: Desktop, qtbot: Any, disk: Disk, then: str
) -> None:
    async def scenario(quire: Application) -> None:
        window, status = quire.window, quire.window.status

        async def close_in_vain() -> None:
            window.close()
            await until(status.changed, lambda: not status.leaving)

        disk.fill()
        window.editor.insertPlainText("More than fits. " * 2000)
        await close_in_vain()
        if then == "saved":
            disk.make_room()
            qtbot.mouseClick(window.notice_bar.action_button, LEFT)
            await stored(quire)
            disk.fill()
        window.editor.insertPlainText("And more. " * 2000)
        await close_in_vain()
        assert window.isVisible()
        disk.make_room()

    assert desktop.start(ScriptedBackend(), scenario) == 0
    assert read_project(desktop.sample).text.endswith("And more. ")


def test_a_resume_whose_model_does_not_load_says_why(desktop: Desktop, qtbot: Any) -> None:
    backend = ScriptedBackend(gated=True)

    async def pause(quire: Application) -> None:
        press(qtbot, quire, "continue")
        backend.gate.release(3)
        await until(quire.window.progress.changed, lambda: quire.window.progress.num_words == 3)
        quire.app.controls.bar.ask_to_pause()
        backend.gate.release()
        await ended(quire)

    async def resume(quire: Application) -> None:
        press(qtbot, quire, "continue")
        await ended(quire)
        assert quire.window.status.status.state is DraftState.FAILED
        notice = quire.window.notice_bar.notice
        assert notice is not None
        assert (notice.text, notice.action) == ("The weights are damaged.", NoticeAction.CHOOSE_MODEL)

    desktop.start(backend, pause)
    desktop.start(ScriptedBackend(load_problem="The weights are damaged."), resume)
