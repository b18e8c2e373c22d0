"""Taking the last draft back and bringing it back, apart from the undo of typing."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from quire.client.engine_client import EngineClient
from quire.domain.drafting.chapter_advance_rules import TurnRules
from quire.domain.drafting.resume_decision import RestartKind, RunRequest
from quire.domain.drafting.run import Run
from quire.errors import WriterProblem
from quire.services.drafting import run_recorder
from quire.services.drafting.drafting import Drafting
from quire.services.project.project_session import ProjectSession
from quire.services.project.text_history import TextHistory
from quire.services.transactions.split_and_merge import Turned
from quire_engine.api.config import ModelConfig
from quire_engine.engine import Engine
from quire_resources import BUILT_IN_MODEL, SAMPLE_OPENING
from tests.app.services.table import OPENING, RunAsync, Table, table
from tests.fakes import ScriptedBackend, Watcher


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "novel.quire"


async def may(at: Table) -> tuple[bool, bool]:
    """Whether a draft can be taken back, and whether one can be brought back."""
    found = await TextHistory(at.session).last_draft()
    return found.start is not None, found.aside is not None


def test_the_last_draft_is_taken_back_and_brought_back(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend()) as at:
            history = TextHistory(at.session)
            assert await may(at) == (False, False)
            with pytest.raises(WriterProblem, match="There is no draft to redo at"):
                await history.bring_back()
            await at.drafting.draft(RunRequest(20, extend=True))
            whole = at.session.text
            assert await may(at) == (True, False)
            await history.take_back()
            assert at.session.text == OPENING
            assert await may(at) == (False, True)
            (aside,) = await history.takes()
            assert (aside.stands, (await history.source_of_take(aside.take_id)).document.text) == (
                False,
                whole,
            )
            await history.bring_back()
            assert at.session.text == whole
            assert await may(at) == (True, False)
            run = await at.drafting.draft(RunRequest(20, extend=True))  # and it goes on where it was
            assert (run.run_id, at.session.text[: len(whole)]) == (1, whole)

    run_async(scenario())


def test_drafts_are_taken_back_one_after_the_other(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend()) as at:
            history = TextHistory(at.session)
            texts = [at.session.text]
            for _ in range(2):
                await at.drafting.draft(RunRequest(15, extend=True))
                texts.append(at.session.text)
            await at.session.save_text(at.session.text + " Mine.")
            texts.append(at.session.text)
            await at.drafting.draft(RunRequest(15, extend=True))
            texts.append(at.session.text)
            await history.take_back()
            assert at.session.text == texts[3]
            with pytest.raises(WriterProblem, match="doesn't end with a draft"):
                await history.take_back()
            await at.session.save_text(texts[2])
            for text in (texts[1], texts[0]):
                await history.take_back()
                assert at.session.text == text
            for text in texts[1:3]:
                await history.bring_back()
                assert at.session.text == text

    run_async(scenario())


def test_another_draft_in_its_place_leaves_the_first_one_a_take(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend()) as at:
            history = TextHistory(at.session)
            await at.drafting.draft(RunRequest(20, extend=True))
            first = at.session.text
            await history.take_back()
            await at.drafting.draft(RunRequest(20, extend=True))
            second = at.session.text
            assert (second != first, await may(at)) == (True, (True, False))
            (aside,) = await history.takes()
            await history.choose(aside.take_id)
            assert at.session.text == first
            assert [
                (await history.source_of_take(take.take_id)).document.text for take in await history.takes()
            ] == [
                first,
                second,
            ]

    run_async(scenario())


def test_a_draft_that_was_edited_where_it_had_been_read_is_tried_again(
    run_async: RunAsync, path: Path
) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend()) as at:
            history = TextHistory(at.session)
            await at.drafting.draft(RunRequest(20, extend=True))
            kept = at.session.text
            await at.drafting.draft(RunRequest(20, extend=True))
            await at.session.save_text("Once " + at.session.text.replace("dark", "bright", 1))
            assert await at.session.resting_run() is None
            run = await history.last_run()
            assert run is not None
            place = await history.start_of_last_stretch(run.run_id)
            assert at.session.text[:place] == "Once " + kept.replace("dark", "bright", 1)
            # the beginning of the stretch itself is changed: the words before it tell where it begins
            changed = at.session.text[:place] + at.session.text[place:].replace(" ", " very ", 2)
            await at.session.save_text(changed)
            assert await history.start_of_last_stretch(run.run_id) == place

    run_async(scenario())


# ---------------------------------------------------------------- a draft that went on in another chapter
@dataclass
class Turning:
    """Pages that turn whenever the rules say so."""

    rules: TurnRules = field(default_factory=TurnRules)
    pages: list[Turned] = field(default_factory=list)

    def may_turn(self, document_id: int, place: int) -> bool:
        return True

    def turned(self, turned: Turned) -> None:
        self.pages.append(turned)


async def stored_again(at: Table) -> None:
    """Wait until something more was stored."""
    saved = at.watcher.num_saved
    await at.watcher.until(lambda: at.watcher.num_saved > saved)


async def drafted_into_chapters(at: Table, pages: Turning) -> Run:
    """Have a run write several chapters; the last one is open then."""
    drafting = Drafting(at.client, at.session, at.watcher, ModelConfig("folder"), pages=pages)
    draft = asyncio.ensure_future(drafting.draft(RunRequest(500, seed=7)))
    await at.let_through(1)
    while len(pages.pages) < 2:
        for _ in range(20):
            at.backend.gate.release()
            await asyncio.to_thread(at.backend.asked.acquire)
        await stored_again(at)
    at.backend.gate.release(1_000)
    run = await draft
    await at.session.open_document(run.document_id)
    return run


@pytest.fixture
def stored_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_recorder, "STORE_EVERY_S", 0.005)


@pytest.mark.usefixtures("stored_soon")
def test_after_page_turns_the_last_chapter_is_tried_again_from_where_it_begins(
    run_async: RunAsync, path: Path
) -> None:
    backend, pages = ScriptedBackend(gated=True, chapters=True), Turning(TurnRules(after_chars=1_500))

    async def scenario() -> None:
        async with table(path, backend) as at:
            run = await drafted_into_chapters(at, pages)
            history, text = TextHistory(at.session), at.session.text
            heading = text.partition("\n\n")[0]
            assert heading.startswith("CHAPTER")
            last = await history.last_draft()
            assert (last.began_earlier, last.start) == (True, len(heading) + 2)
            place = await history.start_of_last_stretch(run.run_id)
            await history.begin_take(place)
            assert at.session.text == f"{heading}\n\n"
            backend.gate.release(1_000)
            again = await at.drafting.draft(RunRequest(20, restart=RestartKind.AS_USUAL))
            assert again.run_id != run.run_id
            aside = next(take for take in await history.takes() if not take.stands)
            assert (await history.source_of_take(aside.take_id)).document.text == text

    run_async(scenario())


@pytest.mark.usefixtures("stored_soon")
def test_after_page_turns_an_earlier_chapter_is_tried_again_and_nothing_is_lost(
    run_async: RunAsync, path: Path
) -> None:
    backend, pages = ScriptedBackend(gated=True, chapters=True), Turning(TurnRules(after_chars=1_500))

    async def scenario() -> None:
        async with table(path, backend) as at:
            run = await drafted_into_chapters(at, pages)
            history, first = TextHistory(at.session), pages.pages[0].first.document_id
            order = [node.node_id for node in at.session.tree.reading_order()]
            assert (await history.last_draft()).num_later == 0
            whole = await at.session.story()
            await at.session.open_document(first)
            text = at.session.text
            assert (await history.last_draft()).num_later == len(order) - order.index(first) - 1 >= 2
            await history.begin_take(await history.start_of_last_stretch(run.run_id))
            assert at.session.text == OPENING
            backend.gate.release(1_000)
            again = await at.drafting.draft(RunRequest(20, restart=RestartKind.AS_USUAL))
            assert again.run_id != run.run_id
            # the chapters that the first draft made are where and what they were
            assert [node.node_id for node in at.session.tree.reading_order()] == order
            aside = next(take for take in await history.takes() if not take.stands)
            await history.choose(aside.take_id)
            assert at.session.text == text
            await at.session.open_document(run.document_id)
            assert await at.session.story() == whole
            # and the first draft goes on with the very words that it would have written
            assert (await at.session.resting_run()) == at.session.run(run.run_id)

    run_async(scenario())


@pytest.mark.usefixtures("stored_soon")
def test_a_draft_is_taken_back_chapter_by_chapter_from_the_last(run_async: RunAsync, path: Path) -> None:
    backend, pages = ScriptedBackend(gated=True, chapters=True), Turning(TurnRules(after_chars=1_500))

    async def scenario() -> None:
        async with table(path, backend) as at:
            run = await drafted_into_chapters(at, pages)
            history, text = TextHistory(at.session), at.session.text
            await at.session.open_document(pages.pages[0].first.document_id)
            with pytest.raises(WriterProblem, match="This draft continues in another chapter"):
                await history.take_back()
            await at.session.open_document(run.document_id)
            await history.take_back()
            assert at.session.text == text[: text.index("\n\n") + 2]
            await history.bring_back()
            assert at.session.text == text

    run_async(scenario())


# ---------------------------------------------------------------- once more
def test_the_same_seed_and_settings_give_the_same_take(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend()) as at:
            history = TextHistory(at.session)
            run = await at.drafting.draft(RunRequest(30))
            first = at.session.text
            await history.begin_take(len(OPENING))
            again = await at.drafting.draft(
                RunRequest(
                    run.goal_words,
                    seed=run.sampling.seed,
                    read_tail=run.read_tail,
                    restart=RestartKind.AS_USUAL,
                )
            )
            assert (again.run_id != run.run_id, at.session.text) == (True, first)
            aside, standing = await history.takes()
            assert (aside.num_words, aside.seeds) == (standing.num_words, standing.seeds)

    run_async(scenario())


@pytest.mark.slow
def test_the_built_in_model_writes_the_same_take_again(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        session = await ProjectSession.create(path, "Again", SAMPLE_OPENING.read_text(encoding="utf-8")[:600])
        async with EngineClient(Engine()) as client:
            drafting = Drafting(client, session, Watcher(), ModelConfig(str(BUILT_IN_MODEL)))
            history, opening = TextHistory(session), session.text
            run = await drafting.draft(RunRequest(45))
            first = session.text
            assert run.num_tokens >= 45
            await history.begin_take(len(opening))
            await drafting.draft(
                RunRequest(run.goal_words, seed=run.sampling.seed, restart=RestartKind.AS_USUAL)
            )
            assert session.text == first
            await session.close()

    run_async(scenario())
