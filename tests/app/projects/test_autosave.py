from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quire.projects import autosave as autosave_module
from quire.projects.autosave import Autosave, AutosaveState
from quire.projects.shutdown import NotStored
from quire.services.project.project_session import ProjectSession
from quire.services.transactions import project_text
from quire.services.transactions.closed_projects import read_project
from quire.shell.main_window import MainWindow
from quire.shell.project_status import SaveState
from tests.app.bare_app import bare_app
from tests.app.services.table import RunAsync

OPENING = "It rained."
CLEAN, CHANGED, STORING, STORING_CHANGED, FAILED = AutosaveState


class Stage:
    """A window that shows a project; what is typed at its end, and what it says of saving."""

    def __init__(self, window: MainWindow, folder: Path) -> None:
        self.window, self.status = window, window.status
        self.due: Callable[[], object] = lambda: None
        self.current = bare_app(window, folder, do=self._do).current
        self.states, self.reads = list[AutosaveState](), list[str]()
        self._to_type: list[str] = []
        self.autosave.text_read.connect(self._read)

    @property
    def autosave(self) -> Autosave:
        return self.current.autosave

    @property
    def text(self) -> str:
        return self.window.editor.text()

    async def open(self, path: Path) -> ProjectSession:
        session = await ProjectSession.create(path, "Night", OPENING)
        await self.current.take(session)
        self.current.shown_id = session.document_id
        self.window.show_project(session.text)
        return session

    def type(self, text: str) -> None:
        self.window.editor.insertPlainText(text)

    def type_at_reads(self, *texts: str) -> None:
        """Type something each time a store has just read the text."""
        self._to_type.extend(texts)

    def _do(self, _store: object) -> None:
        self.due()

    def _read(self, text: str) -> None:
        self.reads.append(text)
        self.states.append(self.autosave.state)
        if self._to_type:
            self.type(self._to_type.pop(0))


@pytest.fixture
def stage(window: MainWindow, tmp_path: Path) -> Iterator[Stage]:
    stage = Stage(window, tmp_path)
    yield stage
    stage.autosave.reset()  # no timer may outlive the test


Scenario = Callable[[ProjectSession], Awaitable[None]]
Play = Callable[[Scenario], None]


@pytest.fixture
def play(stage: Stage, run_async: RunAsync, tmp_path: Path) -> Play:
    """Play a scenario in an open project, which is closed at its end."""

    def play(scenario: Scenario) -> None:
        async def run() -> None:
            session = await stage.open(tmp_path / "night.quire")
            try:
                await scenario(session)
            finally:
                await session.close()

        run_async(run())

    return play


def broken(*_arguments: object) -> None:
    raise MemoryError


# ---------------------------------------------------------------- one store
def test_a_text_nobody_changed_is_not_stored(stage: Stage, play: Play) -> None:
    async def scenario(_: ProjectSession) -> None:
        assert not stage.autosave.is_unstored
        await stage.autosave.store()
        assert stage.reads == []
        assert stage.autosave.state is CLEAN

    play(scenario)


def test_a_change_is_asked_for_once_and_soon(stage: Stage, play: Play, qtbot: Any) -> None:
    async def scenario(_: ProjectSession) -> None:
        asked: list[str] = []
        due = asyncio.Event()

        def note() -> None:
            asked.append(stage.text)
            due.set()

        stage.due = note
        stage.type(" All")
        assert (stage.autosave.state, stage.status.save_state) == (CHANGED, SaveState.SAVING)
        stage.type(" night.")  # typing on does not put it off
        await asyncio.wait_for(due.wait(), 100)
        assert asked == [f"{OPENING} All night."]

    play(scenario)


def test_the_editor_is_asked_for_its_text_once(
    stage: Stage, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(session: ProjectSession) -> None:
        stage.type(" All night.")
        reads: list[str] = []
        text = stage.window.editor.text

        def counted() -> str:
            reads.append(text())
            return reads[-1]

        monkeypatch.setattr(stage.window.editor, "text", counted)
        await stage.autosave.store()
        assert reads == [f"{OPENING} All night."]
        assert stage.reads == [session.text] == [f"{OPENING} All night."]
        assert stage.states == [STORING]

    play(scenario)


def test_saved_is_shown_only_after_the_commit(
    stage: Stage, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[SaveState] = []
    save_text = project_text.save_text

    def noted(*arguments: Any) -> Any:
        document = save_text(*arguments)
        shown.append(stage.status.save_state)
        return document

    async def scenario(session: ProjectSession) -> None:
        monkeypatch.setattr(project_text, "save_text", noted)
        stage.type("!")
        await stage.autosave.store()
        assert shown == [SaveState.SAVING]
        assert stage.status.save_state is SaveState.SAVED
        assert session.text == f"{OPENING}!"

    play(scenario)


# ---------------------------------------------------------------- changes while it stores
def test_what_is_typed_during_a_store_makes_another_one_due(stage: Stage, play: Play) -> None:
    async def scenario(session: ProjectSession) -> None:
        asked: list[str] = []
        stage.type("!")
        stage.type_at_reads("?")
        stage.due = lambda: asked.append("due")
        await stage.autosave.store()
        assert session.text == f"{OPENING}!"
        assert (stage.autosave.state, stage.status.save_state) == (CHANGED, SaveState.SAVING)
        stage.autosave.store_soon()  # unless its time has come while it stored
        assert asked
        await stage.autosave.store()
        assert session.text == f"{OPENING}!?"
        assert stage.status.save_state is SaveState.SAVED

    play(scenario)


def test_stores_do_not_overlap(stage: Stage, play: Play) -> None:
    async def scenario(session: ProjectSession) -> None:
        stage.type("!")
        first = asyncio.ensure_future(stage.autosave.store())
        await asyncio.sleep(0)
        stage.type("?")
        assert stage.autosave.state is STORING_CHANGED
        await asyncio.gather(first, stage.autosave.store(), stage.autosave.store())
        assert stage.reads == [f"{OPENING}!", f"{OPENING}!?"]
        assert session.text == stage.text
        assert stage.autosave.state is CLEAN

    play(scenario)


def test_storing_everything_goes_on_until_nothing_was_typed_meanwhile(stage: Stage, play: Play) -> None:
    async def scenario(session: ProjectSession) -> None:
        stage.type("!")
        stage.type_at_reads("?", "?", "?")
        await stage.autosave.store_everything()
        assert session.text == stage.text == f"{OPENING}!???"
        assert not stage.autosave.is_unstored

    play(scenario)


# ---------------------------------------------------------------- a store that fails
def test_a_failed_store_is_shown_and_the_next_one_tries_again(
    stage: Stage, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(session: ProjectSession) -> None:
        stage.type("!")
        with monkeypatch.context() as patched:
            patched.setattr(project_text, "save_text", broken)
            with pytest.raises(NotStored, match="bug in Quire"):
                await stage.autosave.store()
            assert (stage.autosave.state, stage.status.save_state) == (FAILED, SaveState.NOT_SAVED)
            assert stage.autosave.is_unstored
            with pytest.raises(NotStored):
                await stage.autosave.store()
        await stage.autosave.store()
        assert (stage.autosave.state, stage.status.save_state) == (CLEAN, SaveState.SAVED)
        assert session.text == f"{OPENING}!"

    play(scenario)


def test_a_change_after_a_failure_asks_again(
    stage: Stage, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(_: ProjectSession) -> None:
        due = asyncio.Event()
        stage.due = due.set
        monkeypatch.setattr(project_text, "save_text", broken)
        stage.type("!")
        with pytest.raises(NotStored):
            await stage.autosave.store()
        stage.type("?")
        assert stage.autosave.state is CHANGED
        await asyncio.wait_for(due.wait(), 100)

    play(scenario)


def test_a_project_that_cannot_be_stored_stays_open(
    stage: Stage, play: Play, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(session: ProjectSession) -> None:
        other = await ProjectSession.create(tmp_path / "other.quire", "Other", "Somewhere else.")
        stage.type("!")
        with monkeypatch.context() as patched:
            patched.setattr(project_text, "save_text", broken)
            with pytest.raises(NotStored):
                await stage.current.take(other)
            with pytest.raises(NotStored):
                await stage.current.let_go()
        assert stage.current.session is session
        assert read_project(other.path).text == "Somewhere else."  # closed: nobody else may hold it open
        assert await stage.current.let_go() is session
        assert session.text == f"{OPENING}!"

    play(scenario)


def test_another_text_is_never_stored_in_the_place_of_the_open_one(stage: Stage, play: Play) -> None:
    async def scenario(session: ProjectSession) -> None:
        stage.current.shown_id = session.document_id + 1
        stage.type("?")
        with pytest.raises(NotStored, match="The window shows another text than the"):
            await stage.autosave.store()
        assert session.text == OPENING

    play(scenario)


@pytest.mark.parametrize("then", ["changed", "stored"])
def test_a_warning_before_leaving_is_about_one_text(
    stage: Stage, play: Play, monkeypatch: pytest.MonkeyPatch, then: str
) -> None:
    async def scenario(_: ProjectSession) -> None:
        stage.type("!")
        with monkeypatch.context() as patched:
            patched.setattr(project_text, "save_text", broken)
            with pytest.raises(NotStored):
                await stage.autosave.store()
            assert not stage.autosave.may_leave_unstored
            stage.autosave.warned_before_leaving()
            with pytest.raises(NotStored):
                await stage.autosave.store()
            assert stage.autosave.may_leave_unstored
        if then == "changed":
            stage.type("?")
        else:
            await stage.autosave.store()
        assert not stage.autosave.may_leave_unstored

    play(scenario)


# ---------------------------------------------------------------- beside a draft
def shown_after(stage: Stage, *happened: Callable[[], None]) -> SaveState:
    """Return what the window shows after these."""
    for one in happened:
        one()
    return stage.status.save_state


def test_the_worse_of_text_and_draft_is_shown(
    stage: Stage, play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario(_: ProjectSession) -> None:
        stage.type("!")
        # a draft goes on being stored while what was typed waits
        assert shown_after(stage, stage.autosave.draft_stored) is SaveState.SAVING
        with monkeypatch.context() as patched:
            patched.setattr(project_text, "save_text", broken)
            with pytest.raises(NotStored):
                await stage.autosave.store()
        assert shown_after(stage, stage.autosave.drafted) is SaveState.NOT_SAVED
        assert shown_after(stage, stage.autosave.draft_stored) is SaveState.NOT_SAVED
        await stage.autosave.store()
        assert shown_after(stage) is SaveState.SAVED

    play(scenario)


def test_a_draft_that_is_stored_late_is_shown(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(autosave_module, "_STORED_LATE_MS", -1)
    stage.autosave.drafted()
    assert not stage.autosave.shows_unstored
    stage.autosave.drafted()
    assert shown_after(stage) is SaveState.SAVING
    assert stage.autosave.shows_unstored
    assert shown_after(stage, stage.autosave.draft_stored) is SaveState.SAVED


def test_drafting_does_not_flicker_between_saving_and_saved(stage: Stage, qtbot: Any) -> None:
    with qtbot.assertNotEmitted(stage.status.saved):
        for _ in range(10):
            stage.autosave.drafted()
            stage.autosave.draft_stored()
    assert stage.status.save_state is SaveState.SAVED


# ---------------------------------------------------------------- whatever happens in whatever order
class HeldDisk:
    """A session whose stores end when the test says so, in a commit or in an error."""

    document_id, draft_target, everything_stored = 1, None, True

    def __init__(self) -> None:
        self.stored = ""
        self._waiting: tuple[str, asyncio.Future[None]] | None = None

    @property
    def is_storing(self) -> bool:
        return self._waiting is not None

    async def save_text(self, text: str) -> None:
        assert self._waiting is None, "two stores at once"
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting = text, done
        await done

    def end(self, *, fails: bool) -> None:
        if self._waiting is None:
            return
        (text, done), self._waiting = self._waiting, None
        if fails:
            done.set_exception(MemoryError())
        else:
            self.stored = text
            done.set_result(None)


EVENTS = st.lists(
    st.sampled_from(["change", "due", "store", "committed", "failed", "draft stored", "warned"]), max_size=40
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(events=EVENTS)
def test_no_change_is_left_unstored_without_a_failure_or_a_store_to_come(
    stage: Stage, run_async: RunAsync, events: list[str]
) -> None:
    run_async(in_any_order(stage, events))


async def close(stage: Stage, disk: HeldDisk) -> None:
    """Store until nothing is left, or until one store fails, as closing does."""
    closing = asyncio.ensure_future(stage.autosave.store_everything())
    while not closing.done():
        disk.end(fails=False)
        await asyncio.sleep(0)
    if closing.exception() is None:
        assert (stage.text, stage.autosave.state) == (disk.stored, CLEAN)
    else:  # a store of before has failed
        assert stage.autosave.state is FAILED


async def in_any_order(stage: Stage, events: list[str]) -> None:
    disk, stores = HeldDisk(), list[asyncio.Future[Any]]()
    autosave = stage.autosave
    stage.current.session, stage.current.shown_id = disk, disk.document_id  # type: ignore[assignment]
    autosave.reset()
    stage.window.show_project("")

    def store() -> None:
        stores.append(asyncio.ensure_future(autosave.store()))

    def look() -> None:
        """Compare what is said with what is true."""
        to_come = autosave._timer.isActive() or any(not one.done() for one in stores)
        if stage.text != disk.stored:
            assert (autosave.is_unstored, autosave.shows_unstored) == (True, True)
            assert to_come or autosave.state is FAILED
        if stage.status.save_state is SaveState.SAVED:
            assert stage.text == disk.stored
        if autosave.state is FAILED:
            assert stage.status.save_state is SaveState.NOT_SAVED
        assert disk.is_storing == (autosave.state in (STORING, STORING_CHANGED))

    stage.due = store
    happens: dict[str, Callable[[], object]] = {
        "change": lambda: stage.type("x"),
        "due": autosave.store_soon,
        "store": store,
        "committed": lambda: disk.end(fails=False),
        "failed": lambda: disk.end(fails=True),
        "draft stored": autosave.draft_stored,
        "warned": autosave.warned_before_leaving,
    }
    try:
        for event in events:
            happens[event]()
            for _ in range(5):
                await asyncio.sleep(0)
            look()
        await close(stage, disk)
    finally:
        stage.due = lambda: None
        stage.current.session = None
        autosave.reset()
        await asyncio.gather(*stores, return_exceptions=True)
