"""A project, a scripted engine and everything between them, for scenarios."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quire.client.engine_client import EngineClient
from quire.domain.drafting.resume_decision import RunRequest
from quire.domain.drafting.run import Run
from quire.services.drafting.drafting import Drafting
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.closed_projects import read_project
from quire_engine.api.config import Dtype, ModelConfig
from tests.fakes import ScriptedBackend, Watcher

OPENING = "It was a dark night."

RunAsync = Callable[..., Any]


@dataclass
class Table:
    """Everything a scenario has in front of it."""

    backend: ScriptedBackend
    session: ProjectSession
    client: EngineClient
    drafting: Drafting
    watcher: Watcher

    async def let_through(self, num_steps: int) -> None:
        """Open the gate for so many steps, and wait until the engine asks for the next one."""
        for _ in range(num_steps):
            await asyncio.to_thread(self.backend.asked.acquire)
            self.backend.gate.release()
        await asyncio.to_thread(self.backend.asked.acquire)

    async def paused_after(self, num_steps: int, goal_words: int, **request: Any) -> Run:
        """Draft and pause when so many steps were made; the pause lets one more through."""
        draft = asyncio.ensure_future(self.drafting.draft(RunRequest(goal_words, **request)))
        await self.let_through(num_steps)
        self.drafting.pause()
        self.backend.gate.release()
        return await draft


@asynccontextmanager
async def table(
    path: Path,
    backend: ScriptedBackend,
    *,
    opening: str = OPENING,
    dtype: Dtype = "auto",
    cache: Path | None = None,
) -> AsyncIterator[Table]:
    session = await opened(path, opening)
    try:
        async with EngineClient(backend, max_events=16) as client:
            watcher = Watcher()
            model = ModelConfig("folder", dtype, cache_folder="" if cache is None else str(cache))
            yield Table(backend, session, client, Drafting(client, session, watcher, model), watcher)
    finally:
        await session.close()


def opened(path: Path, opening: str) -> Coroutine[Any, Any, ProjectSession]:
    return ProjectSession.open(path) if path.exists() else ProjectSession.create(path, "Night", opening)


def move(path: Path, name: str) -> None:
    path.rename(path.with_name(name))


def stored_text(path: Path) -> str:
    return read_project(path).text
