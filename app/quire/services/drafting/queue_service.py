"""Keeps a project's queue of drafts, and runs it when the writer starts it, never by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace

from quire.domain.drafting.draft_queue import Queue, QueuedDraft, QueuedDraftState
from quire.domain.drafting.run import Run
from quire.errors import WriterProblem
from quire.services.drafting.steering_json import preset_from, preset_value
from quire.services.drafting.steering_service import UNREADABLE, save_steering
from quire.services.project.project_session import ProjectSession
from quire.storage.project_file import ProjectFile
from quire_engine.api.user_message import UserMessage

QUEUE = "queue"
_BROKEN = (ValueError, KeyError, TypeError, RecursionError, OverflowError, WriterProblem)
UNREADABLE_QUEUE = (
    UserMessage(
        "The draft queue could not be read and is empty. Its old contents were kept as “{name}”.",
        name=UNREADABLE,
    )
).format(QUEUE)

DraftOne = Callable[[QueuedDraft], Awaitable[Run]]
"""Drafts what is queued, and returns the run as it ended; WriterProblem where it cannot begin."""


# ------------------------------------------------------------ with the file, on a storage thread
def read_queue(file: ProjectFile) -> tuple[Queue, str]:
    """Return the queue of a project, and a message where it could not be read."""
    with file.reading() as unit:
        try:
            value = unit.records.setting(QUEUE)
            return (Queue() if value is None else queue_from(value)).recovered(), ""
        except _BROKEN:
            return Queue(), UNREADABLE_QUEUE


def queue_value(queue: Queue) -> object:
    """Return a queue as JSON types; None where it is empty."""
    rows = [
        {
            "id": queued.draft_id,
            "text": queued.document_id,
            "words": queued.goal_words,
            "preset": preset_value(queued.preset),
            "direction": queued.direction,
            "state": queued.state.value,
            "run": queued.run_id,
            "sentence": queued.sentence,
        }
        for queued in queue.drafts
    ]
    return rows or None


def queue_from(value: object) -> Queue:
    """Return the queue in JSON types; ValueError, KeyError or TypeError where they are invalid."""
    if not isinstance(value, list):
        raise TypeError("no list")
    drafts = tuple(_queued_draft(row) for row in value)
    if len({queued.draft_id for queued in drafts}) != len(drafts):
        raise ValueError("two drafts have one number")
    return Queue(drafts)


def _queued_draft(row: object) -> QueuedDraft:
    if not isinstance(row, dict):
        raise TypeError("no object")
    numbers = (row["id"], row["text"], row["words"], 0 if row["run"] is None else row["run"])
    if any(isinstance(number, bool) or not isinstance(number, int) for number in numbers):
        raise TypeError("no number")
    if not isinstance(row["direction"], str) or not isinstance(row["sentence"], str):
        raise TypeError("no text")
    return QueuedDraft(
        row["id"],
        row["text"],
        row["words"],
        preset_from(row["preset"]),
        row["direction"],
        QueuedDraftState(row["state"]),
        row["run"],
        row["sentence"],
    )


# ------------------------------------------------------------ on the event loop
class QueueService:
    """The queue of one open project: every change is on the disk before `changed` shows it.

    Attributes:
        draft_one: writes one draft; called for one after another until one does not reach its goal.
    """

    def __init__(
        self, session: ProjectSession, queue: Queue, changed: Callable[[], None], problem: str = ""
    ) -> None:
        self._session, self._queue, self._changed = session, queue, changed
        self._turn = asyncio.Lock()
        self._is_broken = bool(problem)
        self._is_working = False
        self._stops_after_this = False
        self._alarm = ""
        self.problem = problem

    @classmethod
    async def of(cls, session: ProjectSession, changed: Callable[[], None]) -> QueueService:
        """Return the queue of a project that was just opened; nothing of it is started."""
        queue, problem = await session.read(read_queue)
        return cls(session, queue, changed, problem)

    @property
    def queue(self) -> Queue:
        """The queue."""
        return self._queue

    @property
    def is_working(self) -> bool:
        """Whether the queue is running."""
        return self._is_working

    @property
    def stops_after_this(self) -> bool:
        """Whether it will stop after the current draft."""
        return self._stops_after_this

    async def change(self, change: Callable[[Queue], Queue]) -> None:
        """Change the queue and store it; WriterProblem when it cannot be stored, and then it is unchanged."""
        async with self._turn:
            if self._session.read_only:
                raise WriterProblem(self._session.read_only)
            queue = change(self._queue)
            if queue == self._queue:
                return
            broken = (QUEUE,) if self._is_broken else ()
            await self._session.write(save_steering, {QUEUE: queue_value(queue)}, broken)
            self._queue, self._is_broken = queue, False
        self._changed()

    def stop_after_this(self, *, stops: bool = True) -> None:
        """Stop after the current draft, or cancel that."""
        self._stops_after_this = stops and self._is_working
        self._changed()

    def raise_alarm(self, sentence: str) -> None:
        """Keep the message of an alarm about the current draft, before it is paused for it."""
        self._alarm = sentence

    async def work(self, draft_one: DraftOne) -> str:
        """Run the queue; return a message about how it ended."""
        if self._is_working:
            raise WriterProblem("The queue is already running.")
        self._is_working, self._stops_after_this = True, False
        num_done = 0
        try:
            while (queued := self._queue.next_due) is not None:
                ended = await self._work_off(queued, draft_one)
                if ended.state is not QueuedDraftState.DONE:
                    return UserMessage("The queue stopped. {sentence}", sentence=ended.sentence)
                num_done += 1
                if self._stops_after_this and self._queue.next_due is not None:
                    return UserMessage(
                        "The queue stopped after this draft, as you asked. {left}",
                        left=_left(self._queue.num_due),
                    )
        finally:
            self._is_working = self._stops_after_this = False
            self._changed()
        if num_done == 1:
            return UserMessage("The queue is finished: 1 draft written.")
        if num_done:
            return UserMessage("The queue is finished: {num_drafts} drafts written.", num_drafts=num_done)
        return UserMessage("There is nothing to draft in the queue.")

    async def _work_off(self, queued: QueuedDraft, draft_one: DraftOne) -> QueuedDraft:
        self._alarm = ""
        working = replace(queued, state=QueuedDraftState.WORKING, sentence="")
        await self.change(lambda queue: queue.with_draft(working))
        try:
            ended = working.ended(await draft_one(queued), self._alarm)
        except WriterProblem as problem:
            ended = replace(working, state=QueuedDraftState.STOPPED, sentence=problem.message)
        except BaseException:
            stopped = replace(
                working, state=QueuedDraftState.STOPPED, sentence=UserMessage("The draft was interrupted.")
            )
            await asyncio.shield(self.change(lambda queue: queue.with_draft(stopped)))
            raise
        await self.change(lambda queue: queue.with_draft(ended))
        return ended


def _left(num_due: int) -> str:
    return (
        UserMessage("1 draft is left.")
        if num_due == 1
        else UserMessage("{num_due} drafts are left.", num_due=num_due)
    )
