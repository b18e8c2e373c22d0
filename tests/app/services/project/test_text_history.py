"""Takes and snapshots of the open text, with real runs of a scripted engine."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from quire.domain.drafting.resume_decision import RestartKind, RunRequest
from quire.domain.drafting.run import Run
from quire.errors import WriterProblem
from quire.services.project.project_session import ProjectSession
from quire.services.project.text_history import TextHistory
from quire_engine.metrics.word_count import count_words
from tests.app.services.table import OPENING, RunAsync, Table, table
from tests.fakes import ScriptedBackend


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "novel.quire"


async def retried(at: Table, run: Run, goal_words: int) -> Run:
    """Try again where a run was last asked for more, as the window does."""
    history = TextHistory(at.session)
    await history.begin_again(run.run_id)
    return await at.drafting.draft(RunRequest(goal_words, extend=True, restart=RestartKind.AS_USUAL))


def test_trying_again_is_another_take_and_the_first_one_comes_back(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend()) as at:
            history = TextHistory(at.session)
            first = await at.drafting.draft(RunRequest(20, extend=True))
            before = at.session.text
            second = await retried(at, first, 20)
            assert at.session.text.startswith(OPENING)
            assert at.session.text != before
            assert first.sampling.seed != second.sampling.seed
            aside, standing = await history.takes()
            assert (aside.stands, standing.stands, aside.start) == (False, True, len(OPENING))
            assert standing.seeds == (second.sampling.seed,)
            assert (await history.source_of_take(aside.take_id)).document.text == before
            await history.choose(aside.take_id)
            assert at.session.text == before

    run_async(scenario())


def test_a_chosen_take_goes_on_with_its_own_words(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend()

    async def scenario() -> str:
        async with table(path, backend) as at:
            first = await at.drafting.draft(RunRequest(20, seed=7))
            await retried(at, first, 20)
            aside = (await TextHistory(at.session).takes())[0]
            await TextHistory(at.session).choose(aside.take_id)
            await at.drafting.draft(RunRequest(60))
            return at.session.text

    assert run_async(scenario()) == OPENING + backend.text_of(OPENING, 7, 60)


def test_only_what_was_asked_for_last_is_tried_again(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend()) as at:
            await at.drafting.draft(RunRequest(20, extend=True))
            kept = at.session.text
            run = await at.drafting.draft(RunRequest(30, extend=True))
            assert run.run_id == 1
            await retried(at, run, 30)
            assert at.session.text.startswith(kept)
            assert (await TextHistory(at.session).takes())[0].start == len(kept)

    run_async(scenario())


def test_a_draft_cannot_be_taken_back_while_it_is_written(run_async: RunAsync, path: Path) -> None:
    backend = ScriptedBackend(gated=True)

    async def refused(session: ProjectSession) -> None:
        with pytest.raises(WriterProblem, match="Pause it first"):
            await TextHistory(session).begin_take(3)

    async def scenario() -> None:
        async with table(path, backend) as at:
            draft = asyncio.ensure_future(at.drafting.draft(RunRequest(20)))
            await at.let_through(2)
            await refused(at.session)
            backend.gate.release(1_000)
            await draft
            await TextHistory(at.session).begin_take(3)
            assert at.session.text == OPENING[:3]

    run_async(scenario())


def test_a_snapshot_gives_the_text_back_and_keeps_the_other_one(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with table(path, ScriptedBackend()) as at:
            history = TextHistory(at.session)
            kept = await history.take_snapshot("Before cutting")
            document_id = at.session.document_id
            assert await history.words_of_snapshot(kept.snapshot_id, document_id) == count_words(OPENING)
            assert await history.words_of_snapshot(kept.snapshot_id, document_id + 70) is None
            await at.session.save_text("All gone.")
            assert (await history.source_of_snapshot(kept.snapshot_id)).document.text == OPENING
            await history.restore(kept.snapshot_id)
            assert at.session.text == OPENING
            newest, oldest = await history.snapshots()
            assert (oldest.title, (await history.source_of_snapshot(newest.snapshot_id)).document.text) == (
                "Before cutting",
                "All gone.",
            )

    run_async(scenario())
