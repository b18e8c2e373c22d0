"""Runs that write into an open project without an engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quire.domain.drafting.run import Run
from quire.services.project.project_session import ProjectSession
from quire_engine.api.messages import GenerationStarted


async def start_run(session: ProjectSession, run: Run, prompt_ids: Sequence[int]) -> Run:
    """Store a run that is RUNNING, and that the model has read this prompt; return it."""
    await session.save_run(replace(run, num_prompt=0))
    await session.save_prompt(GenerationStarted(run.run_id, tuple(prompt_ids), 0))
    return session.run(run.run_id)
