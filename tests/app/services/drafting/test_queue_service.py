"""The queue of drafts, kept and worked off."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quire.domain.drafting.draft_queue import CUT_OFF, QueuedDraft, QueuedDraftState
from quire.domain.drafting.presets import LIVELY
from quire.domain.drafting.run import Run, RunState
from quire.errors import WriterProblem
from quire.services.drafting.queue_service import QUEUE, QueueService, queue_from, queue_value, read_queue
from quire.services.drafting.steering_service import UNREADABLE, save_steering
from quire.services.project.project_session import ProjectSession
from quire.storage.problems import DiskFull
from quire.storage.project_file import ProjectFile
from quire_engine.api.config import SamplingConfig
from tests.fakes import Disk

RunAsync = Callable[[Any], Any]
WAITING, WORKING, DONE, STOPPED = QueuedDraftState


def run(queued: QueuedDraft, state: RunState = RunState.FINISHED, error: str = "") -> Run:
    return Run(
        10 + queued.draft_id,
        queued.document_id,
        SamplingConfig(),
        queued.goal_words,
        "",
        "",
        state,
        error=error,
    )


class Shown:
    """A queue on a project, and how often it was shown."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> None:
        self.times += 1


async def service_with(tmp_path: Path, num_wishes: int) -> tuple[ProjectSession, QueueService]:
    session = await ProjectSession.create(tmp_path / "novel.quire", "Night", "Mara came.")
    service = await QueueService.of(session, Shown())
    for number in range(num_wishes):
        await service.change(
            lambda queue, number=number: queue.added(QueuedDraft(0, 1, 100 + number, LIVELY, "Storm"))  # type: ignore[misc]
        )
    return session, service


def states(service: QueueService) -> list[QueuedDraftState]:
    return [queued.state for queued in service.queue.drafts]


def test_the_wishes_are_there_after_a_crash_and_nothing_starts_by_itself(
    run_async: RunAsync, tmp_path: Path
) -> None:
    async def scenario() -> None:
        session, service = await service_with(tmp_path, 2)
        before = service.queue
        going = asyncio.Event()

        async def never(_: QueuedDraft) -> Run:
            going.set()
            await asyncio.Event().wait()
            raise AssertionError

        working = asyncio.ensure_future(service.work(never))
        await going.wait()
        assert states(service) == [WORKING, WAITING]
        found, problem = await session.read(read_queue)  # as another start would find it
        assert problem == ""
        assert [queued.state for queued in found.drafts] == [STOPPED, WAITING]
        assert found.drafts[0].sentence == CUT_OFF
        assert found.drafts[1] == before.drafts[1]
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working
        assert states(service) == [STOPPED, WAITING]
        assert not service.is_working
        again = await QueueService.of(session, Shown())
        assert not again.is_working
        await session.close()

    run_async(scenario())


def test_drafts_are_written_one_after_another(run_async: RunAsync, tmp_path: Path) -> None:
    async def scenario() -> None:
        session, service = await service_with(tmp_path, 3)
        asked: list[int] = []

        async def draft(queued: QueuedDraft) -> Run:
            assert service.queue.queued(queued.draft_id) is not None
            asked.append(queued.goal_words)
            return run(queued)

        assert await service.work(draft) == "The queue is finished: 3 drafts written."
        assert asked == [100, 101, 102]
        assert states(service) == [DONE] * 3
        assert [queued.run_id for queued in service.queue.drafts] == [11, 12, 13]
        assert (await session.read(read_queue))[0] == service.queue
        assert await service.work(draft) == "There is nothing to draft in the queue."
        await session.close()

    run_async(scenario())


@pytest.mark.parametrize(
    ("state", "error", "alarm", "said"),
    [
        (RunState.FAILED, "The model ran out of memory.", "", "The model ran out of memory."),
        (RunState.PAUSED, "", "", "The draft was paused."),
        (
            RunState.PAUSED,
            "",
            "The last 3 passages are the same.",
            "The last 3 passages are the same.",
        ),
    ],
)
def test_the_queue_stops_at_a_draft_that_does_not_come_to_its_goal(
    run_async: RunAsync, tmp_path: Path, state: RunState, error: str, alarm: str, said: str
) -> None:
    async def scenario() -> None:
        session, service = await service_with(tmp_path, 3)

        async def draft(queued: QueuedDraft) -> Run:
            if queued.goal_words != 101:
                return run(queued)
            if alarm:
                service.raise_alarm(alarm)
            return run(queued, state, error)

        assert await service.work(draft) == f"The queue stopped. {said}"
        assert states(service) == [DONE, STOPPED, WAITING]
        assert service.queue.drafts[1].sentence == said
        assert not service.is_working
        await session.close()

    run_async(scenario())


def test_a_draft_that_cannot_begin_stops_the_queue_too(run_async: RunAsync, tmp_path: Path) -> None:
    async def scenario() -> None:
        session, service = await service_with(tmp_path, 2)

        async def refuse(_: QueuedDraft) -> Run:
            raise WriterProblem("There is no text to continue.")

        assert await service.work(refuse) == "The queue stopped. There is no text to continue."
        assert states(service) == [STOPPED, WAITING]

        async def fault(_: QueuedDraft) -> Run:
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await service.work(fault)
        assert states(service) == [STOPPED, WAITING]
        assert not service.is_working
        await session.close()

    run_async(scenario())


def test_it_stops_after_this_one_when_asked_and_goes_on_later(run_async: RunAsync, tmp_path: Path) -> None:
    async def scenario() -> None:
        session, service = await service_with(tmp_path, 3)
        service.stop_after_this()
        assert not service.stops_after_this  # nothing is being written that it could stop after

        async def draft(queued: QueuedDraft) -> Run:
            service.stop_after_this()
            assert service.stops_after_this
            return run(queued)

        said = await service.work(draft)
        assert said == "The queue stopped after this draft, as you asked. 2 drafts are left."
        assert states(service) == [DONE, WAITING, WAITING]

        async def changed_mind(queued: QueuedDraft) -> Run:
            service.stop_after_this()
            service.stop_after_this(stops=False)
            return run(queued)

        assert await service.work(changed_mind) == "The queue is finished: 2 drafts written."
        await session.close()

    run_async(scenario())


def test_wishes_may_be_added_and_removed_while_it_works(run_async: RunAsync, tmp_path: Path) -> None:
    async def scenario() -> None:
        session, service = await service_with(tmp_path, 2)
        asked: list[int] = []

        async def draft(queued: QueuedDraft) -> Run:
            asked.append(queued.goal_words)
            if len(asked) == 1:
                with pytest.raises(WriterProblem, match="The queue is already running"):
                    await service.work(draft)
                await service.change(lambda queue: queue.without(2).added(QueuedDraft(0, 1, 500)))
            return run(queued)

        assert await service.work(draft) == "The queue is finished: 2 drafts written."
        assert asked == [100, 500]
        await session.close()

    run_async(scenario())


def test_what_cannot_be_stored_changes_nothing(run_async: RunAsync, tmp_path: Path, disk: Disk) -> None:
    async def scenario() -> None:
        session, service = await service_with(tmp_path, 1)
        before = service.queue
        disk.fill()
        with pytest.raises(DiskFull):
            await service.change(lambda queue: queue.added(QueuedDraft(0, 1, 100, direction="w" * 1_000_000)))
        assert service.queue == before
        disk.make_room()
        await session.close()

    run_async(scenario())


def test_a_queue_that_cannot_be_read_is_told_and_kept(run_async: RunAsync, tmp_path: Path) -> None:
    def raw(file: ProjectFile, name: str) -> object:
        with file.reading() as unit:
            return unit.records.setting(name)

    async def scenario() -> None:
        session, _ = await service_with(tmp_path, 0)
        await session.write(save_steering, {QUEUE: [{"id": 1}]})
        broken = await QueueService.of(session, Shown())
        assert "could not be read" in broken.problem
        await broken.change(lambda queue: queue.added(QueuedDraft(0, 1, 100)))
        assert await session.read(raw, UNREADABLE.format(QUEUE)) == [{"id": 1}]
        assert (await session.read(read_queue)) == (broken.queue, "")
        await session.close()

    run_async(scenario())


@pytest.mark.parametrize(
    "change",
    [
        {"id": "1"},
        {"words": 0},
        {"state": "x"},
        {"direction": 1},
        {"preset": None},
        {"run": True},
        {"text": None},
    ],
)
def test_impossible_wishes_in_the_file_are_refused(change: dict[str, object]) -> None:
    value: Any = queue_value(queue_from([]))
    assert value is None
    row = {
        "id": 1,
        "text": 1,
        "words": 100,
        "preset": {"name": "Own", "sampling": {}},
        "direction": "",
        "state": "done",
        "run": None,
        "sentence": "",
    }
    assert len(queue_from([row]).drafts) == 1
    with pytest.raises((TypeError, ValueError, KeyError, WriterProblem)):
        queue_from([row | change])
    with pytest.raises(ValueError, match="one number"):
        queue_from([row, row])
