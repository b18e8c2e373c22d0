"""Synopses by the model, on request: one chapter after the other, never over the writer's own words."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from quire.errors import WriterProblem
from quire.ui.translated import translated
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:  # SQLAlchemy is slow to import
    from quire.app import App
    from quire.services.project.project_session import ProjectSession
    from quire_engine.api.messages import LoadProgressed

_YOURS = UserMessage(
    "There is nothing to sum up: the synopsis is your own, or the text is empty. Clear the synopsis to have "
    "the model write one."
)


class SummaryController:
    """Connects the button below the synopsis to the model."""

    def __init__(self, app: App) -> None:
        self._app, self._current = app, app.current
        self._details = app.manuscript.panel.details
        self._task: asyncio.Task[None] | None = None
        self._is_stopped = False
        self._session: ProjectSession | None = None
        self._details.summary_asked.connect(self._start)
        self._details.stop_asked.connect(self._stop)

    def _start(self, node_id: int) -> None:
        session = self._current.session
        if session is not None and self._task is None:
            self._is_stopped = False
            self._say(self._details.tr("Asking the model…"), is_on=True)
            self._app.tasks.run_now(partial(self._run, session, node_id))

    def _stop(self) -> None:
        self._is_stopped = True  # even where it has not begun
        if self._task is not None:
            self._task.cancel()

    async def _rest(self) -> None:
        """Stop before the project is closed."""
        if (task := self._task) is not None:
            task.cancel()
            await asyncio.wait({task})

    async def _run(self, session: ProjectSession, node_id: int) -> None:
        self._task, sentence = asyncio.current_task(), ""
        if session is not self._session:
            self._session = session
            session.before_close(self._rest)
        try:
            if not self._is_stopped:
                await self._sum_up(session, node_id)
        except asyncio.CancelledError:
            pass
        except WriterProblem as problem:
            sentence = translated(problem.message)
        finally:
            self._task = None
            self._say(sentence, is_on=False)

    async def _sum_up(self, session: ProjectSession, node_id: int) -> None:
        """Sum up the chapters at and below a row, and show each synopsis as it comes."""
        from quire.services.drafting.chapter_summaries import (
            chapter_text,
            chapters_to_sum_up,
            keep_summary,
            sum_up,
        )

        await self._current.autosave.store()
        node_ids = await session.read(chapters_to_sum_up, node_id)
        if not node_ids:
            raise WriterProblem(_YOURS)
        questions = await self._app.drafts.questions()
        await questions.ready(self._show_load)
        for number, chapter_id in enumerate(node_ids, start=1):
            said = self._details.tr("Summing up chapter {0} of {1}…")
            self._say(said.format(number, len(node_ids)), is_on=True)
            summary = await sum_up(questions, await session.read(chapter_text, chapter_id))
            edited = await session.write(keep_summary, chapter_id, summary) if summary else None
            if edited is not None:
                session.arranged(edited)
                self._app.manuscript.show_added(session, edited)

    def _show_load(self, progress: LoadProgressed) -> None:
        said = self._details.tr("Loading the model…")
        self._say(f"{said} {progress.fraction:.0%}", is_on=True)

    def _say(self, sentence: str, *, is_on: bool) -> None:
        self._details.show_summing_up(sentence, is_on=is_on)
