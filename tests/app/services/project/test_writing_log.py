from __future__ import annotations

import logging
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from quire.domain.drafting.run import Chunk, RunState
from quire.domain.manuscript.project_records import WritingSession
from quire.domain.manuscript.writing_statistics import WritingTally
from quire.services.project import writing_log
from quire.services.project.writing_log import WritingLog
from quire.services.transactions.writing_records import (
    sessions_of,
    store_sessions,
)
from quire.storage.problems import DiskFull, ProjectDamaged
from quire.storage.project_file import ProjectFile
from quire_engine.api.config import SamplingConfig
from tests.app.services.sittings import MORNING, OPENING, Desk, RunAsync, Times, a_run, generation, stored
from tests.app.storage.stored import made_wrong
from tests.fakes import Disk


def fill_up(file: ProjectFile, disk: Disk) -> None:
    """Leave no room for another row, by rows of other stretches of work."""
    disk.fill()
    with pytest.raises(DiskFull):  # noqa: PT012  which row is the last that has room is not known
        for number in range(100, 2_000):
            store_sessions(file, [WritingSession(number, MORNING, MORNING)])


def noted(sessions: tuple[WritingSession, ...]) -> list[WritingSession]:
    """Return what the log noted, without what fill_up() did."""
    return [session for session in sessions if session.session_id < 100]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "night.quire"


# ---------------------------------------------------------------- a stretch of work
def test_who_only_reads_leaves_no_trace(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with generation(path) as at:
            at.times.pass_by(3_600)
            at.log.drafting(is_on=False)
            assert (at.log.today, at.told, at.session.writes) == (WritingTally(), [], 0)

    run_async(scenario())
    assert stored(path) == ()


def test_a_stretch_goes_from_the_first_act_to_the_last(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with generation(path) as at:
            at.times.pass_by(600)
            await at.write(f"{OPENING} It rained.", after_s=0)
            await at.write(f"{OPENING} It rained again", after_s=30)
            await at.write("It was", after_s=3_600)
            assert at.log.today == WritingTally(90.0, -3, 0)
            assert at.told == [WritingTally(0.0, 2, 0), WritingTally(30.0, 3, 0), WritingTally(90.0, -3, 0)]
            at.times.pass_by(7_200)

    run_async(scenario())
    began = MORNING + timedelta(seconds=600)
    assert stored(path) == (WritingSession(1, began, began + timedelta(seconds=3_630), 90.0, -3, 0),)


def test_what_the_model_drafts_is_counted_apart(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with generation(path) as at:
            await at.write(f"{OPENING} Then", after_s=0)
            run = await at.session.begin_run(a_run(at.session))
            run = await at.draft(run, Chunk((5, 6), " it rained", 2, 2, 2.0), seconds=500)
            run = await at.session.begin_run(replace(run, state=RunState.RUNNING))
            await at.draft(run, Chunk((7, 8), " all night.", 4, 2, 2.0), seconds=100)
            assert at.log.today == WritingTally(600.0, 1, 4)
            await at.write(OPENING, after_s=1)  # what the model wrote stays counted: it did write it
            assert at.log.today == WritingTally(601.0, 0, 4)

    run_async(scenario())
    assert [(each.words_written, each.words_drafted) for each in stored(path)] == [(0, 4)]


def test_a_draft_alone_is_work_too(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with generation(path) as at:
            run = await at.session.begin_run(a_run(at.session))
            await at.draft(run, Chunk((5, 6), " It rained", 2, 2, 2.0), seconds=3_000)

    run_async(scenario())
    assert stored(path) == (WritingSession(1, MORNING, MORNING + timedelta(seconds=3_000), 3_000.0, 0, 2),)


def test_a_draft_that_goes_on_while_the_project_is_closed_is_counted(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with generation(path) as at:
            run = await at.session.begin_run(a_run(at.session))
            at.log.drafting(is_on=True)
            at.times.pass_by(40)
            chunk = Chunk((5, 6), " It rained", 2, 2, 2.0)
            await at.session.append(run.run_id, chunk)

    run_async(scenario())
    assert [(each.active_s, each.words_drafted) for each in stored(path)] == [(40.0, 2)]


def test_a_run_with_the_number_of_one_that_is_gone_counts_from_its_first_word(
    run_async: RunAsync, path: Path
) -> None:
    async def scenario() -> None:
        async with generation(path) as at:
            run = await at.session.begin_run(a_run(at.session))
            await at.draft(run, Chunk((5, 6), " It rained all", 3, 2, 2.0), seconds=10)
            at.log.rested(run.run_id, 4)
            del at.session._runs[run.run_id]  # as with a text that is deleted for good
            again = replace(a_run(at.session), sampling=SamplingConfig(seed=2), num_words=2)
            assert again.run_id == run.run_id
            at.session._runs[again.run_id] = again
            at.log.drafting(is_on=True)
            at.log.drafting(is_on=False)
            at.log.rested(again.run_id, 3)
            assert at.log.today.words_drafted == 4 + 3
            del at.session._runs[again.run_id]

    run_async(scenario())


def test_words_of_earlier_drafts_are_not_counted_again(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with generation(path) as at:
            run = await at.session.begin_run(a_run(at.session))
            await at.draft(run, Chunk((5, 6), " It rained", 2, 2, 2.0), seconds=10)
        async with generation(path, Times(MORNING + timedelta(hours=2))) as at:
            assert at.log.today == WritingTally(10.0, 0, 2)
            await at.write(f"{OPENING} It rained so.", after_s=0)
            assert at.log.today == WritingTally(10.0, 1, 2)

    run_async(scenario())
    assert [(each.session_id, each.words_written, each.words_drafted) for each in stored(path)] == [
        (1, 0, 2),
        (2, 1, 0),
    ]


def test_midnight_begins_another_stretch(run_async: RunAsync, path: Path) -> None:
    zone = timezone(timedelta(hours=-5))  # its midnight is five o'clock in UTC
    times = Times(datetime(2026, 1, 6, 4, 59, 50, tzinfo=UTC))

    async def scenario() -> None:
        async with generation(path, times, zone) as at:
            await at.write(f"{OPENING} Late", after_s=0)
            await at.write(f"{OPENING} Late at", after_s=5)
            assert at.log.today == WritingTally(5.0, 2, 0)
            await at.write(f"{OPENING} Late at night", after_s=10)
            assert at.log.today == WritingTally(0.0, 1, 0)

    run_async(scenario())
    assert [(each.session_id, each.active_s, each.words_written) for each in stored(path)] == [
        (1, 5.0, 2),
        (2, 0.0, 1),
    ]


def test_a_draft_that_passes_midnight_belongs_to_both_days(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with generation(path, Times(datetime(2026, 1, 5, 23, 59, tzinfo=UTC))) as at:
            run = await at.session.begin_run(a_run(at.session))
            at.log.drafting(is_on=True)
            for number, text in enumerate((" It", " rained"), start=1):
                at.times.pass_by(60)
                chunk = Chunk((number,), text, number, 1, 1.0)
                await at.session.append(run.run_id, chunk)
                at.log.drafting(is_on=True)
            await at.session.end_run(run.run_id, RunState.PAUSED)
            at.log.drafting(is_on=False)

    run_async(scenario())
    assert [(each.started.day, each.active_s, each.words_drafted) for each in stored(path)] == [
        (5, 60.0, 1),
        (6, 60.0, 1),
    ]


def test_a_clock_that_is_set_back_ends_no_stretch_before_it_began(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with generation(path) as at:
            await at.write(f"{OPENING} One", after_s=0)
            at.times.now_utc -= timedelta(minutes=30)
            at.times.now_s += 20
            await at.write(f"{OPENING} One two", after_s=0)

    run_async(scenario())
    assert stored(path) == (WritingSession(1, MORNING, MORNING, 20.0, 2, 0),)


# ---------------------------------------------------------------- storing
def test_it_is_stored_at_once_and_then_seldom(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with generation(path) as at:
            for number in range(20):
                await at.write(f"{OPENING} {'word ' * number}")
            await at.session.read(sessions_of)
            assert at.session.writes == 1
        assert at.session.writes == 2

    run_async(scenario())
    assert [each.words_written for each in stored(path)] == [19]


def test_a_draft_that_has_ended_is_stored_at_once(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with generation(path) as at:
            await at.write(f"{OPENING} One")
            await at.session.read(sessions_of)  # stored; what follows would be only after half a minute
            run = await at.session.begin_run(a_run(at.session))
            await at.draft(run, Chunk((5, 6), " It rained all", 3, 2, 2.0), seconds=10)
            at.log.rested(run.run_id, 3)
            assert at.log._storing is not None
            await at.log._storing
            found = await at.session.read(sessions_of)
            assert [each.words_drafted for each in found] == [3]

    run_async(scenario())


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Store whenever there is something to store."""
    monkeypatch.setattr(writing_log, "STORE_EVERY_S", 0.0)


@pytest.mark.usefixtures("hasty")
def test_a_crash_keeps_what_was_stored(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with generation(path) as at:
            await at.write(f"{OPENING} One", after_s=0)
            await at.write(f"{OPENING} One two", after_s=10)
            await at.log.flush()
            found = await at.session.read(sessions_of)
            assert [(each.active_s, each.words_written) for each in found] == [(10.0, 2)]

    run_async(scenario())


@pytest.mark.usefixtures("hasty")
def test_a_full_disk_stops_nobody_and_what_was_done_is_noted_later(
    run_async: RunAsync, path: Path, disk: Disk, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, "quire")

    async def scenario() -> None:
        async with generation(path) as at:
            await at.session.write(fill_up, disk)
            for _ in range(3):
                at.log.wrote()
                at.times.pass_by(10)
                await at.log.flush()
            assert not at.log.is_stored
            assert at.log.today == WritingTally(20.0, 0, 0)
            assert noted(await at.session.read(sessions_of)) == []
            disk.make_room()
            at.log.wrote()
            await at.log.flush()
            assert at.log.is_stored

    run_async(scenario())
    assert [each.active_s for each in noted(stored(path))] == [30.0]
    assert len([record for record in caplog.records if "could not be noted" in record.message]) == 1


def test_a_disk_that_stays_full_does_not_keep_the_project_from_closing(
    run_async: RunAsync, path: Path, disk: Disk
) -> None:
    async def scenario() -> None:
        async with generation(path) as at:
            await at.session.write(fill_up, disk)
            at.log.wrote()

    run_async(scenario())
    assert noted(stored(path)) == []


def test_a_fault_in_the_notes_stops_nobody(
    run_async: RunAsync, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object, **_more: object) -> None:
        raise RuntimeError("a fault")

    monkeypatch.setattr(writing_log, "store_sessions", broken)

    async def scenario() -> None:
        async with generation(path) as at:
            await at.write(f"{OPENING} One")
            await at.log.flush()
            assert at.session.text == f"{OPENING} One"
            assert at.log.today.words_written == 1

    run_async(scenario())


def test_a_project_that_can_only_be_read_is_not_written_to(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with generation(path) as at:
            await at.write(f"{OPENING} One", after_s=0)
        session = await Desk.open_to_read(path)
        log = await WritingLog.of(session, lambda: None)
        log.wrote()
        log.drafting(is_on=True)
        assert log.today == WritingTally()
        assert len((await log.statistics()).sessions) == 1
        await session.close()
        assert session.writes == 0

    run_async(scenario())


def test_notes_that_cannot_be_read_are_left_as_they_are(run_async: RunAsync, path: Path) -> None:
    def started() -> object:
        with closing(sqlite3.connect(path)) as connection:
            return connection.execute("SELECT started FROM writing_session").fetchall()

    async def scenario() -> None:
        async with generation(path) as at:
            await at.write(f"{OPENING} One", after_s=0)
        made_wrong(path, "UPDATE writing_session SET started = 'yesterday'")
        session = await Desk.open(path)
        log = await WritingLog.of(session, lambda: None)
        log.wrote()
        await session.save_text(f"{OPENING} One two")
        assert log.today == WritingTally()
        with pytest.raises(ProjectDamaged):
            await log.statistics()
        await session.close()

    run_async(scenario())
    assert started() == [("yesterday",)]


def test_after_closing_nothing_is_noted(run_async: RunAsync, path: Path) -> None:
    async def scenario() -> None:
        async with generation(path) as at:
            await at.write(f"{OPENING} One", after_s=0)
            await at.log.close()
            at.log.wrote()
            at.log.drafting(is_on=True)
            await at.write(f"{OPENING} One two")
            await at.log.close()

    run_async(scenario())
    assert [each.words_written for each in stored(path)] == [1]
