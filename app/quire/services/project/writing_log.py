"""Keeps the writing sessions of one open project, and the goals of its book."""

from __future__ import annotations

import asyncio
import csv
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from pathlib import Path
from typing import Self

from quire.domain.drafting.run import Run
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.project_records import MAX_WORDS, WritingGoal, WritingSession
from quire.domain.manuscript.tree import Tree
from quire.domain.manuscript.writing_statistics import (
    WritingClock,
    WritingStatistics,
    WritingTally,
    by_day,
    local_day,
    statistics_of,
    words_written,
)
from quire.errors import WriterProblem
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.writing_records import CountedRun, counted_run, sessions_of, store_sessions
from quire.storage.project_file import ProjectFile
from quire.storage.storage_thread import until_done
from quire.storage.unit_of_work import UnitOfWork
from quire.system.throttle import Throttle
from quire_engine.metrics.word_count import count_words

STORE_EVERY_S = 30.0
DAILY_TARGET = "daily target"
"""The setting with the words that the writer wants to write each day."""
COLUMNS = ("started", "ended", "active_minutes", "words_written", "words_drafted")
"""started, ended: the writer's own time. active_minutes: in which something was written or drafted.
words_written: negative where more was cut than added. words_drafted: by the model."""

_log = logging.getLogger(__name__)


# ------------------------------------------------------------ with the file, on a storage thread
def daily_target_of(file: ProjectFile) -> int:
    """Return how many words the writer wants to write each day; 0 without a target."""
    with file.reading() as unit:
        kept = unit.records.setting(DAILY_TARGET)
    return kept if isinstance(kept, int) and 0 < kept <= MAX_WORDS else 0


def set_daily_target(file: ProjectFile, words: int) -> None:
    """Set how many words the writer wants to write each day; 0: no target."""
    with file.unit() as unit:
        unit.records.save_setting(DAILY_TARGET, words or None)
        unit.commit()


def words_of_run(file: ProjectFile, run_id: int) -> int:
    """Return how many words a run has drafted, with the last one, which counts as soon as it rests."""
    with file.reading() as unit:
        return count_words(unit.runs.text(run_id))


def goals_of(file: ProjectFile) -> tuple[tuple[WritingGoal, int], ...]:
    """Return the goals, the oldest first, each with the words that its part of the book has now."""
    with file.reading() as unit:
        goals, tree = unit.records.goals(), unit.manuscript.tree()
        return tuple((goal, _words_below(unit, tree, goal.node_id)) for goal in goals)


def set_goal(file: ProjectFile, words: int, due: date | None = None, node_id: int | None = None) -> None:
    """Set the one goal of the book, or of a part of it."""
    if not 1 <= words <= MAX_WORDS:
        raise WriterProblem("{words:,} words is too long for a book. Choose another goal.", words=words)
    with file.unit() as unit:
        if node_id is not None and all(node.node_id != node_id for node in unit.manuscript.tree().nodes):
            raise WriterProblem("That part of the book no longer exists. Choose another one.")
        goals = unit.records.goals()
        number = max((goal.goal_id for goal in goals), default=0) + 1
        number = next((goal.goal_id for goal in goals if goal.node_id == node_id), number)
        unit.records.save_goal(WritingGoal(number, words, node_id, due))
        unit.commit()


def remove_goal(file: ProjectFile, goal_id: int) -> None:
    """Remove a goal, if it is there."""
    with file.unit() as unit:
        unit.records.remove_goal(goal_id)
        unit.commit()


def write_csv(path: Path, sessions: Iterable[WritingSession], zone: tzinfo | None = None) -> None:
    """Write one line for each writing session; WriterProblem when the file cannot be written."""
    try:
        with path.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream)
            writer.writerow(COLUMNS)
            writer.writerows(_cells(session, zone) for session in sessions)
    except OSError as error:
        raise WriterProblem(
            "{path} could not be saved ({reason}). Choose another folder.", path=path, reason=error.strerror
        ) from error


# ------------------------------------------------------------ on the event loop
@dataclass(slots=True)
class _OpenSession:
    """The current writing session; `is_stored`: the file has its latest state."""

    number: int
    clock: WritingClock
    started: datetime
    ended: datetime
    words_written: int = 0
    words_drafted: int = 0
    is_stored: bool = False

    @property
    def tally(self) -> WritingTally:
        return WritingTally(self.clock.active_s, self.words_written, self.words_drafted)

    def as_session(self) -> WritingSession:
        return WritingSession(
            self.number, self.started, self.ended, self.clock.active_s, self.words_written, self.words_drafted
        )


class WritingLog:
    """Logs the work on one open project; a failure to store the log never disturbs the work.

    The first activity of the day begins a writing session, which is stored every half minute, when a draft
    ends and when the project is closed. At midnight another one begins.
    """

    def __init__(
        self,
        project: ProjectSession,
        earlier: Sequence[WritingSession] | None,
        changed: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        zone: tzinfo | None = None,
        daily_target: int = 0,
        counted: CountedRun | None = None,
    ) -> None:
        """Create the log of a project.

        Args:
            earlier: the stored sessions; None where they cannot be read, and none is added then.
            daily_target: words of the writer's own for each day; 0 without a target.
            changed: called when today's figures change.
            now: in UTC.
            zone: None for the computer's.
            counted: the run that the stored sessions count last.
        """
        self._session = project
        self._changed = changed
        self.daily_target = daily_target
        self._clock, self._now, self._zone = clock, now, zone
        self._keeps = earlier is not None and not project.read_only
        self._earlier = by_day(earlier or (), zone)
        self._next_number = max((session.session_id for session in earlier or ()), default=0) + 1
        self._stretches: list[_OpenSession] = []
        self._known_runs = _identities(project.runs)
        self._drafted_so_far = _drafted_by(project.runs)
        self._counted = counted
        for run in project.runs:
            if counted is not None and counted.is_of(run):
                # counted with its last word, or continued since by `quire draft`, whose words no day counts
                words = self._drafted_so_far[run.run_id] = max(counted.words, run.num_words)
                self._counted = CountedRun.of(run, words)  # nor does a recovery, once drafting begins here
        self._storing: asyncio.Task[None] | None = None
        self._troubled = False
        self._throttle = Throttle(STORE_EVERY_S, self._begin_to_store)
        project.when_saved(self.text_saved)
        project.before_close(self.close)

    @classmethod
    async def of(cls, session: ProjectSession, changed: Callable[[], None]) -> Self:
        """Return the log of a project that was opened."""
        try:
            earlier = await session.read(sessions_of)
            target = await session.read(daily_target_of)
            counted = await session.read(counted_run)
        except WriterProblem as problem:
            _log.warning("what was written earlier cannot be read: %s", problem)
            return cls(session, None, changed)
        return cls(session, earlier, changed, daily_target=target, counted=counted)

    @property
    def today(self) -> WritingTally:
        """What was done in this project today."""
        today = self._today()
        done = self._earlier.get(today, WritingTally())
        for stretch in self._stretches:
            if local_day(stretch.started, self._zone) == today:
                done += stretch.tally
        return done

    @property
    def is_stored(self) -> bool:
        """Whether everything noted so far is on the disk."""
        return self._storing is None and all(stretch.is_stored for stretch in self._stretches)

    # ------------------------------------------------------------ notifications
    def wrote(self) -> None:
        """Record that the writer changed the text; it will be stored later."""
        if self._keeps:
            stretch = self._stretch_of_today()
            stretch.clock.act()
            self._touch(stretch)

    def text_saved(self, before: Document, after: Document) -> None:
        """Count what the writer changed, now that it is stored."""
        if not self._keeps:
            return
        stretch = self._stretches[-1] if self._stretches else self._stretch_of_today()
        stretch.words_written += words_written(before, after)
        self._touch(stretch, ended=False)
        self._changed()

    def drafting(self, *, is_on: bool) -> None:
        """Record whether the model writes."""
        if not self._keeps:
            return
        was_on = bool(self._stretches) and self._stretches[-1].clock.is_drafting
        if is_on or was_on:
            stretch = self._stretch_of_today() if is_on else self._stretches[-1]
            stretch.clock.drafting(is_on=is_on)
            self._touch(stretch)
        if self._count_drafted() or is_on is not was_on:
            self._changed()

    def drafted(self, run_id: int, num_words: int) -> None:
        """Record that the model has written more, and how many words its run has now."""
        if self._keeps:
            stretch = self._stretch_of_today()
            stretch.clock.drafting(is_on=True)
            self._touch(stretch)
            if self._note_drafted({run_id: num_words}):
                self._changed()

    def rested(self, run_id: int, num_words: int) -> None:
        """Record how many words a run has, now that nothing will follow its last one for a while.

        That is stored now: if the program were killed, no later start would count these words.
        """
        if self._keeps:
            if self._note_drafted({run_id: num_words}):
                self._changed()
            self._throttle.flush()

    async def close(self) -> None:
        """Store what is not stored yet, and record nothing more."""
        if not self._keeps:
            return
        self.drafting(is_on=False)
        self._keeps = False
        await self.flush()

    async def flush(self) -> None:
        """Store what is not stored yet, if there is room for it."""
        self._throttle.cancel()
        if self._storing is not None:
            await until_done(self._storing)
        await self._store()

    # ------------------------------------------------------------ queries
    async def statistics(self) -> WritingStatistics:
        """Return the statistics of the project, up to now."""
        sessions = {session.session_id: session for session in await self._session.read(sessions_of)}
        for stretch in self._stretches:
            sessions[stretch.number] = stretch.as_session()
        goals = await self._session.read(goals_of)
        found = statistics_of(sessions.values(), goals, self._today(), self._zone)
        return replace(found, daily_target=self.daily_target)

    async def set_goal(self, words: int, due: date | None) -> None:
        """Set the goal of the book."""
        await self._session.write(set_goal, words, due)

    async def set_daily_target(self, words: int) -> None:
        """Set how many words the writer wants to write each day; 0: no target."""
        await self._session.write(set_daily_target, words)
        self.daily_target = words
        self._changed()

    async def remove_goal(self, goal_id: int) -> None:
        """Remove a goal."""
        await self._session.write(remove_goal, goal_id)

    async def export(self, path: Path) -> int:
        """Write every writing session to a table for other programs; return how many there are."""
        sessions = (await self.statistics()).sessions
        await self._session.read(_export, path, sessions, self._zone)
        return len(sessions)

    # ------------------------------------------------------------ inside
    def _today(self) -> date:
        return local_day(self._now(), self._zone)

    def _stretch_of_today(self) -> _OpenSession:
        """Return the current session; after midnight, or at first, a new one."""
        now = self._now()
        last = self._stretches[-1] if self._stretches else None
        if last is not None and local_day(last.started, self._zone) == local_day(now, self._zone):
            return last
        stretch = _OpenSession(self._next_number, WritingClock(self._clock), now, now)
        self._next_number += 1
        if last is not None and last.clock.is_drafting:  # a draft that continues past midnight
            self._count_drafted()
            last.clock.drafting(is_on=False)
            last.is_stored = False
            stretch.clock.drafting(is_on=True)
        self._stretches.append(stretch)
        return stretch

    def _touch(self, stretch: _OpenSession, *, ended: bool = True) -> None:
        if ended:
            stretch.ended = max(self._now(), stretch.started)  # the clock may be set back
        stretch.is_stored = False
        self._throttle.request()

    def _count_drafted(self) -> bool:
        """Count what runs added since the last check; return whether there was anything."""
        return self._note_drafted(_drafted_by(self._session.runs))

    def _note_drafted(self, drafted: Mapping[int, int]) -> bool:
        self._forget_replaced()
        before = self._drafted_so_far
        grown = [run for run, words in drafted.items() if words > before.get(run, 0)]
        more = sum(drafted[run] - before.get(run, 0) for run in grown)
        before.update({run: max(words, before.get(run, 0)) for run, words in drafted.items()})
        if more:
            self._counted = self._counted_of(grown[-1])
            stretch = self._stretches[-1] if self._stretches else self._stretch_of_today()
            stretch.words_drafted += more
            self._touch(stretch, ended=False)
        return more > 0

    def _counted_of(self, run_id: int) -> CountedRun | None:
        words = self._drafted_so_far[run_id]
        return next((CountedRun.of(run, words) for run in self._session.runs if run.run_id == run_id), None)

    def _forget_replaced(self) -> None:
        """Forget what runs had drafted that are gone: the next one gets the number of the last."""
        before, self._known_runs = self._known_runs, _identities(self._session.runs)
        for run_id, known in before.items():
            if self._known_runs.get(run_id) != known:
                self._drafted_so_far.pop(run_id, None)

    def _begin_to_store(self) -> None:
        if self._storing is None:  # if one waits long for the disk, the next request stores the rest
            self._storing = asyncio.ensure_future(self._store())
            self._storing.add_done_callback(self._stored)

    def _stored(self, _task: asyncio.Task[None]) -> None:
        self._storing = None
        if self._keeps and not self.is_stored:
            self._throttle.request()

    async def _store(self) -> None:
        waiting = [stretch for stretch in self._stretches if not stretch.is_stored]
        if not waiting:
            return
        for stretch in waiting:
            stretch.is_stored = True
        try:
            sessions = [stretch.as_session() for stretch in waiting]
            await self._session.write(store_sessions, sessions, self._counted)
        except Exception as error:  # noqa: BLE001  a full disk, or a fault in here, may not stop the writer
            for stretch in waiting:
                stretch.is_stored = False
            if not self._troubled:
                _log.warning("what was written today could not be noted: %r", error)
            self._troubled = True
        else:
            self._troubled = False


def _export(file: ProjectFile, path: Path, sessions: Iterable[WritingSession], zone: tzinfo | None) -> None:
    if path.resolve() == file.path or path.suffix == file.path.suffix:
        raise WriterProblem("{file} is a project. Choose another name for the table.", file=path.name)
    write_csv(path, sessions, zone)


def _drafted_by(runs: Iterable[Run]) -> dict[int, int]:
    return {run.run_id: run.num_words for run in runs}


def _identities(runs: Iterable[Run]) -> dict[int, tuple[int, str, datetime | None]]:
    """Return by their numbers what tells runs apart: the seed, the text that they began on, and when."""
    return {run.run_id: (run.sampling.seed, run.base_digest, run.created) for run in runs}


def _words_below(unit: UnitOfWork, tree: Tree, node_id: int | None) -> int:
    """Return how many words the texts in a part of the book have."""
    inside = {tree.book.node_id if node_id is None else node_id}
    words = 0
    # a part's texts are read after it, so one walk is enough
    for node in tree.reading_order():
        if node.parent_id in inside or node.node_id in inside:
            inside.add(node.node_id)
            words += count_words(unit.manuscript.document(node.node_id).text)
    return words


def _cells(session: WritingSession, zone: tzinfo | None) -> tuple[object, ...]:
    times = (
        time.astimezone(zone).replace(tzinfo=None).isoformat(" ", "seconds")  # as spreadsheets read it
        for time in (session.started, session.ended)
    )
    return *times, round(session.active_s / 60, 1), session.words_written, session.words_drafted
