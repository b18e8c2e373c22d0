"""The writer's changes and the model's words meet in one text, and neither loses anything."""

from __future__ import annotations

import asyncio
import shutil
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from quire.domain.drafting.chapter_advance_rules import TurnRules
from quire.domain.drafting.resume_decision import RunRequest
from quire.domain.drafting.run import Run, RunState
from quire.domain.manuscript.provenance import Origin
from quire.errors import WriterProblem
from quire.services.drafting import run_recorder
from quire.services.drafting.drafting import Drafting
from quire.services.project.draft_target import ChapterAdvanced
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.last_draft import LastDraft, look
from quire.services.transactions.split_and_merge import Turned
from quire_engine.api.config import ModelConfig
from quire_engine.api.messages import ResumeGeneration, StartGeneration
from tests.app.services.table import OPENING, RunAsync, Table, stored_text, table
from tests.fakes import ChapterBackend, Disk, ScriptedBackend, Watcher, unnumbered

EDITED = "It was a bright night."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "novel.quire"


@dataclass
class Turning:
    """Pages that turn whenever the rules say so."""

    rules: TurnRules = field(default_factory=TurnRules)
    pages: list[Turned] = field(default_factory=list)
    willing: bool = True

    def may_turn(self, document_id: int, place: int) -> bool:
        return self.willing

    def turned(self, turned: Turned) -> None:
        self.pages.append(turned)


async def edit(at: Table, old: str, new: str) -> None:
    """Change the text as the window would: all that was shown is in it."""
    generation = at.drafting.generation
    assert generation is not None
    shown = at.session.text + generation.text_not_stored
    await generation.store_edit(at.session.document_id, shown.replace(old, new, 1))


@pytest.fixture(autouse=True)
def stored_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_recorder, "STORE_EVERY_S", 0.005)


async def stored_after(at: Table, num_steps: int) -> None:
    """Let so many steps through and wait until they are stored."""
    await more(at, num_steps)
    saved = at.watcher.num_saved
    await at.watcher.until(lambda: at.watcher.num_saved > saved)


async def more(at: Table, num_steps: int) -> None:
    """Let so many steps through after the first ones, and wait until the engine asks for the next one."""
    for _ in range(num_steps):
        at.backend.gate.release()
        await asyncio.to_thread(at.backend.asked.acquire)


def drafting_into_pages(at: Table, pages: Turning) -> Drafting:
    return Drafting(at.client, at.session, at.watcher, ModelConfig("folder"), pages=pages)


# ---------------------------------------------------------------- editing what is dry
def test_an_edit_stays_and_the_draft_does_not_notice_it(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(gated=True, paragraphs=True)

    async def scenario() -> Run:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(40, seed=7)))
            await at.let_through(20)
            await edit(at, OPENING, EDITED)
            await more(at, 3)
            await edit(at, EDITED, EDITED + " Or nearly so.")
            backend.gate.release(1_000)
            return await draft

    run = run_async(scenario())
    written = backend.text_of(OPENING, 7, 40)
    assert stored_text(path) == f"{EDITED} Or nearly so.{written}"
    assert (run.state, run.diverged, run.end_digest) == (RunState.FINISHED, True, "")


def test_who_wrote_what_stays_known(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(gated=True, paragraphs=True)

    async def scenario() -> list[tuple[Origin, int]]:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(40, seed=7)))
            await at.let_through(20)
            await edit(at, backend.text_of(OPENING, 7, 1), " MINE")
            backend.gate.release(1_000)
            await draft
            return [span.kind for span in at.session.document.provenance.spans]

    kinds = run_async(scenario())
    assert kinds[0] == (Origin.WRITTEN, 0)
    assert kinds[-1] == (Origin.DRAFTED, 1)
    assert (Origin.EDITED, 1) in kinds or (Origin.WRITTEN, 0) in kinds[1:]


def test_a_crash_keeps_the_edit_and_every_stored_word(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(gated=True, paragraphs=True)
    killed = path.with_name("killed.quire")

    async def scenario() -> str:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(40, seed=7)))
            await at.let_through(20)
            await edit(at, OPENING, EDITED)
            await more(at, 5)
            await edit(at, EDITED, "It was a night.")
            stored = at.session.text
            for file in path.parent.glob("novel.quire*"):
                shutil.copyfile(file, file.with_name(file.name.replace("novel", "killed")))
            backend.gate.release(1_000)
            await draft
            return stored

    stored = run_async(scenario())
    assert stored_text(killed) == stored
    assert stored.startswith("It was a night.")

    async def again() -> Run | None:
        session = await ProjectSession.open(killed)
        await session.close()
        return session.last_run

    run = run_async(again())
    assert run is not None
    assert (run.state, run.diverged, run.end_digest) == (RunState.PAUSED, True, "")


def test_going_on_reads_the_edit(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(gated=True, paragraphs=True)

    async def scenario() -> str:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(40, seed=7)))
            await at.let_through(20)
            await edit(at, OPENING, EDITED)
            at.drafting.pause()
            backend.gate.release(1_000)
            await draft
            before = at.session.text
            await at.drafting.draft(RunRequest(10, seed=8))
            return before

    before = run_async(scenario())
    begun = backend.begins[-1]
    assert isinstance(begun, StartGeneration)
    assert begun.prompt_text == before


@pytest.mark.parametrize("when", ["while it drafts", "after a pause"])
def test_going_on_without_reading_again_is_the_same_draft(run_async: RunAsync, path: Path, when: str) -> None:
    backend = ScriptedBackend(gated=True, paragraphs=True)

    async def scenario() -> Run:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(40, seed=7)))
            await at.let_through(20)
            if when == "while it drafts":
                await edit(at, OPENING, EDITED)
            at.drafting.pause()
            backend.gate.release(1_000)
            await draft
            if when == "after a pause":
                await at.session.save_text(at.session.text.replace(OPENING, EDITED))
            return await at.drafting.draft(RunRequest(40, unread=True))

    run = run_async(scenario())
    assert isinstance(backend.begins[-1], ResumeGeneration)
    assert stored_text(path) == EDITED + backend.text_of(OPENING, 7, 40)
    assert (run.run_id, run.diverged) == (1, True)


def test_without_words_of_a_draft_at_its_end_the_text_is_read(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend()

    async def scenario() -> None:
        async with table(path, backend) as at:
            await at.drafting.draft(RunRequest(10, seed=7))
            await at.session.save_text(at.session.text + " I wrote this.")
            await at.drafting.draft(RunRequest(10, seed=8, unread=True))

    run_async(scenario())
    assert isinstance(backend.begins[-1], StartGeneration)


def test_another_text_can_be_written_while_a_draft_goes_on(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario() -> tuple[Run, Run, str]:
        session = await ProjectSession.create_cut(path, "Night", "CHAPTER I\n\nOne.\n\nCHAPTER II\n\nTwo.")
        first, second = (node.node_id for node in session.tree.reading_order())
        await session.open_document(second)
        await session.close()
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(20, seed=7)))
            await at.let_through(5)
            await at.session.open_document(first)
            await at.session.save_text("CHAPTER I\n\nOne and a half.")
            await at.session.open_document(second)
            generation = at.drafting.generation
            assert generation is not None
            shown = at.session.text + generation.text_not_stored
            await at.session.open_document(first)
            backend.gate.release(1_000)
            return await draft, at.session.run(1), shown

    run, kept, shown = run_async(scenario())
    text = stored_text(path)
    assert text.startswith("CHAPTER I\n\nOne and a half.\n\nCHAPTER II\n\nTwo.")
    assert text.endswith(backend.text_of("CHAPTER I\n\nOne.\n\nCHAPTER II\n\nTwo.", 7, 20))
    assert text.find(shown) > 0
    assert (run.diverged, kept.end_digest) == (True, "")


def test_what_is_written_behind_a_draft_does_not_touch_what_it_read(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario() -> Run:
        session = await ProjectSession.create_cut(path, "Night", "CHAPTER I\n\nOne.\n\nCHAPTER II\n\nTwo.")
        first, second = (node.node_id for node in session.tree.reading_order())
        await session.open_document(first)
        await session.close()
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(20, seed=7)))
            await at.let_through(5)
            await at.session.open_document(second)
            await at.session.save_text("CHAPTER II\n\nThree.")
            backend.gate.release(1_000)
            return await draft

    run = run_async(scenario())
    assert not run.diverged
    assert run.end_digest


# ---------------------------------------------------------------- turning pages
def test_a_draft_goes_on_in_a_chapter_of_its_own_and_reads_the_same(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(gated=True, chapters=True)
    pages = Turning(TurnRules(after_chars=1_500))

    async def scenario() -> tuple[Run, int]:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(drafting_into_pages(at, pages).draft(RunRequest(600, seed=7)))
            await at.let_through(1)
            while len(pages.pages) < 3:
                await stored_after(at, 20)
            backend.gate.release(1_000)
            return await draft, len(at.session.tree.reading_order())

    run, num_texts = run_async(scenario())
    assert unnumbered(stored_text(path)) == unnumbered(OPENING + backend.text_of(OPENING, 7, 600))
    assert num_texts == 1 + len(pages.pages) > 2
    assert [page.rest.document_id for page in pages.pages][-1] == run.document_id
    assert all(page.rest.title for page in pages.pages)


def test_it_is_resumed_where_it_was_paused_in_the_new_chapter(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(gated=True, chapters=True)
    pages = Turning(TurnRules(after_chars=1_500))

    async def until_paused() -> int:
        async with table(path, backend) as at:
            drafting = drafting_into_pages(at, pages)
            draft = asyncio.ensure_future(drafting.draft(RunRequest(600, seed=7)))
            await at.let_through(1)
            while not pages.pages:
                await stored_after(at, 20)
            drafting.pause()
            backend.gate.release(1_000)
            return (await draft).document_id

    async def again(document_id: int) -> Run:
        async with table(path, backend) as at:
            await at.session.open_document(document_id)
            assert await at.session.resting_run() is not None
            return await drafting_into_pages(at, pages).draft(RunRequest(600))

    run = run_async(again(run_async(until_paused())))
    assert run.run_id == 1
    assert unnumbered(stored_text(path)) == unnumbered(OPENING + backend.text_of(OPENING, 7, 600))


def test_a_finished_draft_turns_the_page_at_a_heading_near_its_end_and_continues_there(
    run_async: RunAsync, path: Path
) -> None:
    backend = ChapterBackend()
    goal = backend.HEADING_AT + backend.WORDS_IN_SENTENCE

    async def finished() -> tuple[Run, LastDraft]:
        pages = Turning()
        async with table(path, backend) as at:
            run = await drafting_into_pages(at, pages).draft(RunRequest(goal, seed=7))
            (page,) = pages.pages
            assert page.rest.title == "CHAPTER II"
            assert (run.state, run.document_id) == (RunState.FINISHED, page.rest.document_id)
            return run, await at.session.read(look, run.document_id, run)

    run, last = run_async(finished())
    assert stored_text(path) == OPENING + backend.text_of(OPENING, 7, goal)
    assert (last.start, last.num_chapters) == (len(OPENING), 2)  # what Undo puts aside

    async def continued() -> Run:
        async with table(path, backend) as at:
            await at.session.open_document(run.document_id)
            return await drafting_into_pages(at, Turning()).draft(RunRequest(2 * goal))

    assert run_async(continued()).run_id == run.run_id
    assert isinstance(backend.begins[-1], ResumeGeneration)
    assert stored_text(path) == OPENING + backend.text_of(OPENING, 7, 2 * goal)


def test_a_paused_draft_waits_for_more_text_below_its_heading(run_async: RunAsync, path: Path) -> None:
    backend = ChapterBackend(gated=True)
    pages = Turning()

    async def scenario() -> int:
        async with table(path, backend) as at:
            drafting = drafting_into_pages(at, pages)
            draft = asyncio.ensure_future(drafting.draft(RunRequest(600, seed=7)))
            await at.let_through(backend.HEADING_AT + 5)
            drafting.pause()
            backend.gate.release()
            await draft
            return len(at.session.tree.reading_order())

    assert run_async(scenario()) == 1
    assert not pages.pages


def test_no_page_is_turned_while_the_window_holds_what_is_not_stored(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(chapters=True)
    pages = Turning(TurnRules(after_chars=500), willing=False)

    async def scenario() -> int:
        async with table(path, backend) as at:
            await drafting_into_pages(at, pages).draft(RunRequest(600, seed=7))
            return len(at.session.tree.reading_order())

    assert run_async(scenario()) == 1


def test_an_edit_of_a_page_that_was_turned_is_not_stored_in_the_next(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(gated=True, chapters=True)
    pages = Turning(TurnRules(after_chars=1_000))

    async def scenario() -> None:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(drafting_into_pages(at, pages).draft(RunRequest(600, seed=7)))
            old = at.session.document_id
            await at.let_through(1)
            while not pages.pages:
                await stored_after(at, 20)
            with pytest.raises(ChapterAdvanced):
                await at.session.save_while_generating(old, "anything", 0)
            assert at.session.document_id == old
            await at.session.save_text(at.session.text + " My own end.")
            backend.gate.release(1_000)
            await draft

    run_async(scenario())
    text = stored_text(path)
    assert text.count(" My own end.") == 1
    written = unnumbered(OPENING + backend.text_of(OPENING, 7, 600))
    assert unnumbered(text).replace(" My own end.", "").split() == written.split()


def test_where_nothing_can_be_stored_an_edit_is_not_lost(run_async: RunAsync, path: Path, disk: Disk) -> None:
    backend = ScriptedBackend(gated=True, padding=3_000)

    async def scenario() -> str:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(200, seed=7)))
            await at.let_through(5)
            disk.fill()
            generation = at.drafting.generation
            assert generation is not None
            edited = (at.session.text + generation.text_not_stored).replace(OPENING, EDITED)
            with suppress(WriterProblem):  # SQLite may find room for this one in pages that it has
                await generation.store_edit(at.session.document_id, edited)
            backend.gate.release(1_000)
            await draft
            disk.make_room()
            whole = (OPENING + at.watcher.text).replace(OPENING, EDITED)
            await at.session.save_text(whole)  # the window asks again with all it shows
            return whole

    whole = run_async(scenario())
    assert stored_text(path) == whole


def test_the_watcher_is_shown_everything_before_the_text_is_handed_over(
    run_async: RunAsync, path: Path
) -> None:
    backend = ScriptedBackend(gated=True)

    async def scenario() -> tuple[str, Watcher]:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(30, seed=7)))
            await at.let_through(9)
            generation = at.drafting.generation
            assert generation is not None
            text = at.session.text + generation.text_not_stored
            shown = OPENING + at.watcher.text
            backend.gate.release(1_000)
            await draft
            assert text == shown
            return text, at.watcher

    text, watcher = run_async(scenario())
    assert (OPENING + watcher.text).startswith(text)
