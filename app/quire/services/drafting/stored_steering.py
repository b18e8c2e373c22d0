"""The steering that a project has stored, for use without a window."""

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
        """Return that of a project; `failed` is called with a message when something could not be stored."""
        return cls(await SteeringBook.of(session, failed))

    @property
    def sampling(self) -> SamplingConfig:
        """How words are sampled in new runs; the seed is drawn."""
        return self._book.sampling

    async def composed(self, session: ProjectSession) -> ComposedPrompt:
        """Return the prompt of the next run."""
        return await self._book.composed()

    async def restart_reason(self, session: ProjectSession, last: Run | None) -> str:
        """Return why the last run cannot be continued, as a sentence for the writer; empty where it can."""
        return self._book.restart_reason(last).sentence

    async def run_started(self, session: ProjectSession, run_id: int, composed: ComposedPrompt) -> None:
        """Store that a run begins with this prompt."""
        await self._book.run_started(run_id, composed)

    async def run_cancelled(self, session: ProjectSession, run_id: int) -> None:
        """Store that a run never began."""
        await self._book.run_cancelled(run_id)
