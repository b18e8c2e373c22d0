"""What a project says its drafts are to be told, where no window shows it."""

from __future__ import annotations

from collections.abc import Callable

from quire.domain.drafting.prompt_composition import ComposedPrompt
from quire.domain.drafting.run import Run
from quire.services.drafting.steering_service import SteeringBook
from quire.services.project.project_session import ProjectSession
from quire_engine.api.config import SamplingConfig


class ProjectSteering:
    """The Steerer of one open project, from what is stored in it."""

    def __init__(self, book: SteeringBook) -> None:
        self._book = book

    @classmethod
    async def of(cls, session: ProjectSession, failed: Callable[[str], None]) -> ProjectSteering:
        """Return that of a project; failed: told a sentence when something could not be stored."""
        return cls(await SteeringBook.of(session, failed))

    @property
    def sampling(self) -> SamplingConfig:
        """How new runs choose their words; the seed is drawn."""
        return self._book.sampling

    async def composed(self, session: ProjectSession) -> ComposedPrompt:
        """Return what the next run is told."""
        return await self._book.composed()

    async def restart_reason(self, session: ProjectSession, last: Run | None) -> str:
        """Return why the last run cannot go on, as a sentence for the writer; empty where it can."""
        return self._book.restart_reason(last).sentence

    async def run_started(self, session: ProjectSession, run_id: int, composed: ComposedPrompt) -> None:
        """Store that a run begins with what was composed."""
        await self._book.run_started(run_id, composed)

    async def run_cancelled(self, session: ProjectSession, run_id: int) -> None:
        """Store that a run never began."""
        await self._book.run_cancelled(run_id)
