"""An open project, its log and the clocks it looks at, for scenarios."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.manuscript.project_records import WritingSession
from quire.domain.manuscript.writing_statistics import WritingTally
from quire.services.project.project_session import ProjectSession
from quire.services.project.writing_log import WritingLog
from quire.services.transactions.writing_records import counted_run, sessions_of
from quire.storage.problems import ProjectMissing
from quire.storage.project_file import ProjectFile, open_project_reader
from quire_engine.api.config import SamplingConfig
from tests.fakes import IDENTITY

OPENING = "It was a dark night."
MORNING = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
P = ParamSpec("P")
T = TypeVar("T")
RunAsync = Callable[..., Any]


class Desk(ProjectSession):
    """A project that counts how often the log stores."""

    writes = 0

    async def write(
        self, work: Callable[Concatenate[ProjectFile, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        self.writes += 1
        return await super().write(work, *args, **kwargs)


class Times:
    """The clock on the wall and the one that never goes back, wound by hand."""

    def __init__(self, now: datetime = MORNING) -> None:
        self.now_utc = now
        self.now_s = 50.0

    def pass_by(self, seconds: float) -> None:
        self.now_utc += timedelta(seconds=seconds)
        self.now_s += seconds

    def now(self) -> datetime:
        return self.now_utc

    def clock(self) -> float:
        return self.now_s


@dataclass
class Sitting:
    """An open project, its log, and the clocks it looks at. told: how often there was more to say."""

    session: Desk
    log: WritingLog
    times: Times
    told: list[WritingTally]

    async def write(self, text: str, after_s: float = 1.0) -> None:
        """Type and store, as the window does."""
        self.times.pass_by(after_s)
        self.log.wrote()
        await self.session.save_text(text)
        await settled()

    async def draft(self, run: Run, chunk: Chunk, seconds: float) -> Run:
        """Draft for so long."""
        self.log.drafting(is_on=True)
        self.times.pass_by(seconds)
        await self.session.append(run.run_id, chunk)
        self.log.drafting(is_on=True)
        run = await self.session.end_run(run.run_id, RunState.PAUSED)
        self.log.drafting(is_on=False)
        return run


async def settled() -> None:
    """Let everything happen that was asked for and waits for no time to pass."""
    for _ in range(5):
        await asyncio.sleep(0)


@asynccontextmanager
async def generation(path: Path, times: Times | None = None, zone: timezone = UTC) -> AsyncIterator[Sitting]:
    try:
        session = await Desk.open(path)
    except ProjectMissing:
        session = await Desk.create(path, "Night", OPENING)
    try:
        times, told = times or Times(), list[WritingTally]()
        earlier = await session.read(sessions_of)
        counted = await session.read(counted_run)
        log = WritingLog(
            session, earlier, lambda: told.append(log.today), times.clock, times.now, zone, counted=counted
        )
        yield Sitting(session, log, times, told)
    finally:
        await session.close()


def stored(path: Path) -> tuple[WritingSession, ...]:
    file = open_project_reader(path)
    try:
        return sessions_of(file)
    finally:
        file.close()


def a_run(session: Desk) -> Run:
    number = session.next_run_id
    return Run(number, 1, SamplingConfig(), 50, "", "", state=RunState.RUNNING, model=IDENTITY)
