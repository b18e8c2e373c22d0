"""What drafts add to the writing sessions once a crash, or the command line, has come between."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.manuscript.project_records import WritingSession
from quire.services.transactions import project_text
from quire.services.transactions.writing_records import CountedRun, counted_run, sessions_of, store_sessions
from quire.storage.project_file import open_project_file
from quire.storage.tables import RUN
from tests.app.services.sittings import MORNING, Desk, RunAsync, Times, a_run, generation, stored


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "night.quire"


def crashed(path: Path, run: Run, *chunks: Chunk) -> tuple[WritingSession, ...]:
    """Draft these, and neither end the run nor count it; return the sessions once it is recovered."""
    file = open_project_file(path)
    project_text.begin_run(file, run)
    for chunk in chunks:
        num_tokens = run.num_tokens + len(chunk.token_ids)
        run = replace(run, num_tokens=num_tokens, num_words=chunk.num_words)
        project_text.append(file, run, chunk)
    file.close()
    file = open_project_file(path)
    assert project_text.open_and_recover(file).recovered_words
    sessions = sessions_of(file)
    project_text.open_and_recover(file)
    assert sessions_of(file) == sessions  # counted once
    file.close()
    return sessions


def test_what_a_crash_left_uncounted_of_a_draft_is_counted_when_it_is_recovered(
    run_async: RunAsync, path: Path
) -> None:
    runs = list[Run]()

    async def before() -> None:
        async with generation(path, Times(datetime.now(UTC))) as at:
            run = await at.session.begin_run(a_run(at.session))
            runs.append(await at.draft(run, Chunk((5, 6), " it rained", 2, 2, 2.0), seconds=1))
            at.log.rested(run.run_id, 2)

    async def after() -> None:
        async with generation(path, Times(datetime.now(UTC))) as at:
            run = await at.session.begin_run(replace(at.session.run(1), state=RunState.RUNNING))
            await at.draft(run, Chunk((9,), " long,", 7, 1, 1.0), seconds=1)
            at.log.rested(run.run_id, 8)

    run_async(before())
    resumed = replace(runs[0], state=RunState.RUNNING)
    chunks = Chunk((7,), " again and", 3, 1, 1.0), Chunk((8,), " again all night", 6, 1, 1.0)
    sessions = crashed(path, resumed, *chunks)
    assert sum(one.words_drafted for one in sessions) == 2 + 5  # and the last word, which nothing follows
    run_async(after())
    assert sum(one.words_drafted for one in stored(path)) == 2 + 5 + 1


@pytest.mark.parametrize(("counted", "more"), [(None, 4), (3, 1), (4, 0)])
def test_only_what_no_session_has_is_counted_after_a_crash(
    run_async: RunAsync, path: Path, counted: int | None, more: int
) -> None:
    async def made() -> Run:
        async with generation(path) as at:
            return a_run(at.session)

    run = run_async(made())
    long_ago = WritingSession(4, MORNING, MORNING + timedelta(minutes=5), 300.0, 20, 3)
    file = open_project_file(path)
    known = None if counted is None else CountedRun(run.run_id, run.sampling.seed, counted)
    store_sessions(file, [long_ago], known)
    file.close()
    first, *later = crashed(path, run, Chunk((7, 8), " It rained all night.", 4, 2, 1.0))
    assert first == long_ago  # of another day
    assert [(one.session_id, one.words_drafted) for one in later] == ([(5, more)] if more else [])
    file = open_project_file(path)
    now_counted = counted_run(file)
    assert now_counted is not None
    is_recounted = counted != 4  # otherwise it stays as an earlier Quire stored it
    assert (now_counted.words, bool(now_counted.created)) == (4, is_recounted)
    file.close()


@pytest.mark.parametrize(("drafted", "more"), [(0, 4), (3, 1), (9, 0)])
def test_sessions_of_an_earlier_quire_have_words_of_the_run_that_they_overlap(
    run_async: RunAsync, path: Path, drafted: int, more: int
) -> None:
    async def made() -> Run:
        async with generation(path) as at:
            return a_run(at.session)

    run, now, hours = run_async(made()), datetime.now(UTC), timedelta(hours=2)
    file = open_project_file(path)
    store_sessions(file, [WritingSession(4, now - hours, now + hours, 300.0, 20, drafted)])
    file.close()
    sessions = crashed(path, run, Chunk((7, 8), " It rained all night.", 4, 2, 1.0))
    assert sum(one.words_drafted for one in sessions) == drafted + more


def test_a_new_run_with_the_number_and_the_seed_of_a_deleted_one_is_counted_after_a_crash(
    run_async: RunAsync, path: Path
) -> None:
    runs = list[Run]()

    async def before() -> None:
        async with generation(path) as at:
            runs.append(a_run(at.session))
            run = await at.session.begin_run(runs[0])
            await at.draft(run, Chunk((5, 6), " It rained all night.", 4, 2, 2.0), seconds=1)

    run_async(before())
    file = open_project_file(path)
    with file.unit() as unit:
        unit.rows.delete(RUN)  # as with a text that is deleted for good
        unit.commit()
    file.close()
    sessions = crashed(path, runs[0], Chunk((7, 8), " It was dry", 3, 2, 1.0))
    assert sum(one.words_drafted for one in sessions) == 4 + 3


def test_words_of_the_command_line_count_on_no_day(run_async: RunAsync, path: Path) -> None:
    async def in_the_window() -> None:
        async with generation(path) as at:
            run = await at.session.begin_run(a_run(at.session))
            await at.draft(run, Chunk((5, 6), " It rained", 2, 2, 2.0), seconds=1)

    async def on_the_command_line() -> None:
        session = await Desk.open(path)
        await session.begin_run(replace(session.run(1), state=RunState.RUNNING))
        await session.append(1, Chunk((7,), " all day and all of the night", 9, 1, 1.0))
        await session.end_run(1, RunState.PAUSED)
        await session.close()

    async def at_the_next_opening() -> None:
        async with generation(path) as at:
            at.log.drafting(is_on=False)
            assert at.log.today.words_drafted == 2
            at.log.drafting(is_on=True)

    run_async(in_the_window())
    run_async(on_the_command_line())
    run_async(at_the_next_opening())
    file = open_project_file(path)
    resumed = replace(next(iter(project_text.read(file).runs)), state=RunState.RUNNING)
    file.close()
    sessions = crashed(path, resumed, Chunk((8,), " again", 10, 1, 1.0))
    assert sum(one.words_drafted for one in sessions) == 2 + 1
