"""What a writer does at the very moment in which a draft begins, turns a page or ends loses nothing."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from quire.domain.drafting.chapter_advance_rules import TurnRules
from quire.domain.drafting.prompt_composition import NOTHING, ComposedPrompt, NextPrompt, PromptReader
from quire.domain.drafting.resume_decision import RunRequest
from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.manuscript.manuscript import ArrivingText
from quire.errors import WriterProblem
from quire.services.drafting import run_recorder
from quire.services.drafting.drafting import Drafting
from quire.services.drafting.run_recorder import RunRecorder
from quire.services.project.project_session import ProjectSession
from quire.services.transactions import project_text
from quire.storage.problems import disk_full
from quire.storage.project_file import ProjectFile
from quire_engine.api.config import ModelConfig, SamplingConfig
from quire_engine.api.messages import FinishReason, GenerationStarted, StartGeneration
from tests.app.services.table import OPENING, RunAsync, Table, stored_text, table
from tests.app.services.test_writing_beside_a_draft import (
    EDITED,
    Turning,
    drafting_into_pages,
    stored_after,
)
from tests.fakes import ScriptedBackend, unnumbered

CHAPTERS = "CHAPTER I\n\nOne.\n\nCHAPTER II\n\nTwo."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "novel.quire"


async def two_chapters(path: Path, *, drafts_into: int = 1) -> tuple[int, int]:
    session = await ProjectSession.create_cut(path, "Night", CHAPTERS)
    ids = [node.node_id for node in session.tree.reading_order()]
    await session.open_document(ids[drafts_into])
    await session.close()
    return ids[0], ids[1]


@asynccontextmanager
async def busy_disk(session: ProjectSession) -> AsyncIterator[None]:
    """Nothing is stored within the block; what is asked for there is stored in order when it ends."""
    free = threading.Event()

    def wait(_file: ProjectFile) -> None:
        free.wait(100)

    waiting = asyncio.ensure_future(session.write(wait))
    await asyncio.sleep(0)
    try:
        yield
    finally:
        free.set()
        await waiting


def copied(path: Path) -> Path:
    """Copy the files of a project as a crash would leave them."""
    killed = path.with_name("killed.quire")
    for file in path.parent.glob(f"{path.stem}.quire*"):
        shutil.copyfile(file, file.with_name(file.name.replace(path.stem, "killed")))
    return killed


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def store_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have only the first step and the end stored, so that the disk can be held up in between."""
    monkeypatch.setattr(run_recorder, "STORE_EVERY_S", 1_000)


# ---------------------------------------------------------------- switching texts and storing as a run ends
def test_a_text_that_is_opened_as_its_draft_ends_is_whole(
    run_async: RunAsync, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = ScriptedBackend(gated=True)
    store_seldom(monkeypatch)

    async def scenario() -> tuple[str, str]:
        first, second = await two_chapters(path)
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(20, seed=7)))
            await at.let_through(5)
            await at.watcher.until(lambda: at.watcher.num_saved)
            await at.session.open_document(first)
            async with busy_disk(at.session):
                opening = asyncio.ensure_future(shown(at, second))
                await settle()
                at.drafting.pause()
                backend.gate.release()
                await at.watcher.until(lambda: len(at.watcher.text.split()) == 6)
                await asyncio.sleep(0.02)
            seen = await opening
            await draft
            return seen, CHAPTERS.partition("One.\n\n")[2] + at.watcher.text

    seen, whole = run_async(scenario())
    assert seen == whole


async def shown(at: Table, document_id: int) -> str:
    """Open a text as the window does, and return what it would show."""
    await at.session.open_document(document_id)
    growing, generation = at.session.draft_target, at.drafting.generation
    grows_here = growing is not None and growing.document.document_id == document_id
    return at.session.text + (generation.text_not_stored if grows_here and generation is not None else "")


def test_an_earlier_text_that_is_stored_as_the_draft_ends_was_not_read_so(
    run_async: RunAsync, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = ScriptedBackend(gated=True)
    store_seldom(monkeypatch)

    async def scenario() -> Run:
        first, _second = await two_chapters(path)
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(20, seed=7)))
            await at.let_through(5)
            await at.watcher.until(lambda: at.watcher.num_saved)
            await at.session.open_document(first)
            async with busy_disk(at.session):
                saving = asyncio.ensure_future(at.session.save_text("CHAPTER I\n\nAnother."))
                await settle()
                at.drafting.pause()
                backend.gate.release()
                await at.watcher.until(lambda: len(at.watcher.text.split()) == 6)
                await asyncio.sleep(0.02)
            await saving
            return await draft

    run = run_async(scenario())
    assert (run.diverged, run.end_digest) == (True, "")


def test_a_crash_right_after_an_earlier_text_was_stored_knows_that_it_was_not_read_so(
    run_async: RunAsync, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = ScriptedBackend(gated=True)
    save_text = project_text.save_text

    def saved_and_killed(*args: Any) -> Any:
        stored = save_text(*args)
        copied(path)
        return stored

    async def scenario() -> Run | None:
        first, second = await two_chapters(path)
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(20, seed=7)))
            await at.let_through(5)
            await at.session.open_document(first)
            monkeypatch.setattr(project_text, "save_text", saved_and_killed)
            await at.session.save_text("CHAPTER I\n\nAnother.")
            backend.gate.release(1_000)
            await draft
        session = await ProjectSession.open(path.with_name("killed.quire"))
        await session.open_document(second)
        try:
            return await session.resting_run()
        finally:
            await session.close()

    assert run_async(scenario()) is None


def test_what_is_stored_late_is_stored_in_the_text_that_it_belongs_to(
    run_async: RunAsync, path: Path
) -> None:
    async def scenario() -> None:
        first, second = await two_chapters(path, drafts_into=0)
        session = await ProjectSession.open(path)
        try:
            async with busy_disk(session):
                opening = asyncio.ensure_future(session.open_document(second))
                await settle()
                saving = asyncio.ensure_future(session.save_text("CHAPTER I\n\nAnother.\n\n"))
                await settle()
            await opening
            await saving
            assert (session.document_id, first) != (first, second)
            assert session.text == "CHAPTER II\n\nTwo."
        finally:
            await session.close()

    run_async(scenario())
    assert stored_text(path) == "CHAPTER I\n\nAnother.\n\nCHAPTER II\n\nTwo."


def test_a_page_that_was_left_and_is_stored_later_was_not_read_so(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(gated=True, chapters=True)
    pages = Turning(TurnRules(after_chars=500))

    async def scenario() -> Run:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(drafting_into_pages(at, pages).draft(RunRequest(300, seed=7)))
            await at.let_through(1)
            while not pages.pages:
                await stored_after(at, 20)
            page = pages.pages[0]
            await at.session.open_document(page.rest.document_id)
            await at.session.save_other(page.first.document_id, page.first.text.replace(OPENING, EDITED))
            backend.gate.release(1_000)
            return await draft

    run = run_async(scenario())
    assert unnumbered(stored_text(path)) == unnumbered(EDITED + backend.text_of(OPENING, 7, 300))
    assert (run.diverged, run.end_digest) == (True, "")


# ---------------------------------------------------------------- what is read before the open text
def test_what_a_draft_wrote_into_an_earlier_text_is_read_by_the_next(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario() -> str:
        _first, second = await two_chapters(path, drafts_into=0)
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(20, seed=7)))
            await at.let_through(5)
            await at.session.open_document(second)
            await at.session.story()  # somebody looks at what the model would see
            backend.gate.release(1_000)
            await draft
            return await at.session.story()

    story = run_async(scenario())
    assert story == stored_text(path)


def test_a_story_that_is_asked_for_while_another_text_is_opened_is_not_kept(
    run_async: RunAsync, path: Path
) -> None:
    async def scenario() -> str:
        _first, second = await two_chapters(path, drafts_into=0)
        session = await ProjectSession.open(path)
        free = threading.Event()
        try:
            waiting = asyncio.ensure_future(session.read(lambda _file: free.wait(100)))
            asked = asyncio.ensure_future(session.story())
            await settle()
            await session.open_document(second)
            free.set()
            await asyncio.gather(waiting, asked)
            return await session.story()
        finally:
            free.set()
            await session.close()

    assert run_async(scenario()) == CHAPTERS


# ---------------------------------------------------------------- a draft that begins
class BadSteerer:
    """It cannot store what a run begins with."""

    sampling = SamplingConfig()

    async def next_prompt(self, session: ProjectSession, reader: PromptReader) -> NextPrompt:
        return NextPrompt(session.document_id, await session.story(), NOTHING, reader.context)

    async def restart_reason(self, session: ProjectSession, last: Run | None) -> str:
        return ""

    async def run_started(self, session: ProjectSession, run_id: int, composed: ComposedPrompt) -> None:
        raise disk_full(session.path)

    async def run_cancelled(self, session: ProjectSession, run_id: int) -> None: ...


def test_a_draft_that_could_not_begin_leaves_the_text_to_the_writer(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend()

    async def scenario() -> None:
        async with table(path, backend) as at:
            drafting = Drafting(
                at.client, at.session, at.watcher, ModelConfig("folder"), steering=BadSteerer()
            )
            with pytest.raises(WriterProblem):
                await drafting.draft(RunRequest(20, seed=7))
            assert at.session.draft_target is None
            await at.session.save_text(EDITED)
            await at.drafting.draft(RunRequest(20, seed=7))

    run_async(scenario())
    assert stored_text(path) == EDITED + backend.text_of(EDITED, 7, 20)


def test_an_edit_and_the_beginning_of_a_run_are_both_kept(
    run_async: RunAsync, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = ScriptedBackend()
    save_prompt = ProjectSession.save_prompt

    async def edited_meanwhile(session: ProjectSession, started: GenerationStarted) -> None:
        async with busy_disk(session):
            editing = asyncio.ensure_future(session.save_while_generating(session.document_id, EDITED, 0))
            await settle()
            saving = asyncio.ensure_future(save_prompt(session, started))
            await settle()
        await asyncio.gather(editing, saving)
        assert session.run(started.run_id).started
        assert (await session.read(lambda file: _runs(file)))[0].diverged

    async def scenario() -> Run:
        async with table(path, backend) as at:
            monkeypatch.setattr(ProjectSession, "save_prompt", edited_meanwhile)
            return await at.drafting.draft(RunRequest(20, seed=7))

    run = run_async(scenario())
    assert (run.diverged, run.state) == (True, RunState.FINISHED)
    assert stored_text(path) == EDITED + backend.text_of(OPENING, 7, 20)


def _runs(file: ProjectFile) -> list[Run]:
    with file.reading() as unit:
        return list(unit.runs.all())


def test_a_draft_begins_in_the_text_that_it_was_asked_for_or_not_at_all(
    run_async: RunAsync, path: Path
) -> None:
    load_gate = threading.Event()
    backend = ScriptedBackend(load_gate=load_gate)

    async def scenario() -> None:
        first, _second = await two_chapters(path)
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(20, seed=7)))
            await at.watcher.until(lambda: at.watcher.statuses)
            await at.session.open_document(first)
            load_gate.set()
            with pytest.raises(WriterProblem):
                await draft
            assert at.session.draft_target is None
            with pytest.raises(WriterProblem):
                await at.drafting.draft(RunRequest(20, document_id=first + 99))

    run_async(scenario())
    assert stored_text(path) == CHAPTERS
    assert not backend.begins


# ---------------------------------------------------------------- going on
def test_only_the_text_that_a_draft_wrote_last_goes_on_without_reading(
    run_async: RunAsync, path: Path
) -> None:
    backend = ScriptedBackend(gated=True, chapters=True)
    pages = Turning(TurnRules(after_chars=500))

    async def scenario() -> None:
        async with table(path, backend) as at:
            drafting = drafting_into_pages(at, pages)
            draft = asyncio.ensure_future(drafting.draft(RunRequest(300, seed=7)))
            await at.let_through(1)
            while not pages.pages:
                await stored_after(at, 20)
            backend.gate.release(100_000)
            await draft
            assert at.session.document_id == pages.pages[0].first.document_id
            await drafting.draft(RunRequest(20, extend=True, unread=True))

    run_async(scenario())
    assert isinstance(backend.begins[-1], StartGeneration)


# ---------------------------------------------------------------- storing beside a fast engine
class NeverIdle:
    """Stands in for a ProjectSession during each of whose commits the engine makes another step."""

    def __init__(self) -> None:
        self.recorder: RunRecorder | None = None
        self.num_commits = 0

    async def save_prompt(self, started: GenerationStarted) -> None: ...

    async def append(self, run_id: int, chunk: Chunk) -> None:
        self.num_commits += 1
        assert self.recorder is not None
        assert self.num_commits < 50, "it waits for an engine that never waits"
        self.recorder.add(*_step(chunk.num_words + 1))
        await asyncio.sleep(0)

    async def end_run(
        self,
        run_id: int,
        state: RunState,
        chunk: Chunk | None = None,
        *,
        reason: FinishReason | None = None,
        error: str = "",
    ) -> Run:
        raise AssertionError("this run does not end")


def _step(number: int) -> tuple[StepRecord, tuple[int, ...], str]:
    return StepRecord(1, number, 0, 0, 0, 1.0, 0.0, 1.0, 0.5), (number,), " word"


def test_storing_now_does_not_wait_for_what_comes_later(
    run_async: RunAsync, monkeypatch: pytest.MonkeyPatch
) -> None:
    store_seldom(monkeypatch)
    problems: list[WriterProblem] = []

    async def scenario() -> int:
        store = NeverIdle()
        store.recorder = RunRecorder(cast("ProjectSession", store), 1, lambda: None, problems.append)
        await store.recorder.begin(GenerationStarted(1, (1,), 0))
        store.recorder.add(*_step(1))
        await store.recorder.store_now()
        return store.num_commits

    assert run_async(scenario()) <= 2
    assert not problems


def test_what_a_text_area_takes_for_a_byte_order_mark_does_not_arrive() -> None:
    arriving = ArrivingText()
    assert [arriving.kept(piece) for piece in ("\ufeffa", "\ufeff", "b\ufeffc", "\ufffe\n")] == [
        "a",
        "",
        "bc",
        "\n",
    ]
