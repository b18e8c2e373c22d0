"""The text that is measured while a draft grows: what the window's charts and the command both watch."""

from __future__ import annotations

from quire.domain.drafting.run import Run
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.run_chapters import RunPages, pages_of, run_pages


async def drafted_text(session: ProjectSession, run: Run | None) -> RunPages:
    """Return the open text, with the other texts that a run wrote into. run: None where none is resumed."""
    if run is None or not run.started:
        return pages_of(0, [session.document])
    return await session.read(run_pages, run.run_id, session.document)
