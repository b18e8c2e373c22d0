"""Shows the bar about the last draft at the end of the text, and undoes drafts with Ctrl+Z."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from quire.domain.drafting.take_metrics import drafted_places
from quire.editor.utf16_positions import Utf16Positions
from quire.takes.result_bar import ResultBar
from quire.takes.take_groups import place_among

if TYPE_CHECKING:
    from quire.app import App
    from quire.domain.drafting.run import Run
    from quire.services.project.project_session import ProjectSession


class ResultController:
    """Connects the bar to the takes, and tints what was drafted.

    The bar is about drafts of this session: what was drafted long ago is no result to decide about. The tint
    stays until the writer keeps a draft.
    """

    def __init__(self, app: App) -> None:
        window, takes, events = app.window, app.takes, app.events
        self._window, self._current, self._takes, self._tasks = window, app.current, takes, app.tasks
        self._session: ProjectSession | None = None
        self._fresh: set[int] = set()
        self._kept: set[int] = set()
        self.bar = ResultBar(window.themes)
        window.editor.text_end.set_bar(self.bar)
        window.toast.keep_clear_of(self.bar)
        window.undo_chain.add_draft(takes.actions.take_back, takes.actions.bring_back)
        events.takes_listed.subscribe("result", self.refresh)
        events.text_followed.subscribe("result", self._follow)
        events.draft.ended.subscribe("result", self._draft_ended)
        do, bar, actions = window.commands, self.bar, takes.actions
        bar.keep_asked.connect(self._keep)
        bar.retry_asked.connect(do.retry.trigger)
        bar.undo_asked.connect(actions.take_back.trigger)
        bar.redraft_asked.connect(do.redraft.trigger)
        bar.redo_asked.connect(actions.bring_back.trigger)
        bar.take_asked.connect(self._ask_for_take)

    async def _draft_ended(self, session: ProjectSession, run: Run | None) -> None:
        """Show the bar about a draft that has just ended."""
        if session is not self._session:
            self._session, self._fresh, self._kept = session, set(), set()
        if run is not None and run.num_tokens:
            self._fresh.add(run.run_id)
            self._kept.discard(run.run_id)
        self.refresh()

    async def _follow(self, session: ProjectSession) -> None:
        """Tint what was drafted and not kept, in this session or long ago, when a text is shown."""
        kept = await self._takes.history(session).kept()
        if session is not self._current.session or session.document_id != self._current.shown_id:
            return
        if self._window.editor.text() == session.document.text:
            places = Utf16Positions(session.document.text)
            self._window.editor.show_drafted(
                (places.to_document(first), places.to_document(last))
                for first, last in drafted_places(session.document, kept)
            )

    def refresh(self) -> None:
        """Show the bar while the text ends with a draft that is neither kept nor undone."""
        end, session = self._window.editor.text_end, self._current.session
        if session is None or session is not self._session or not self._window.status.is_at_rest:
            end.show_bar(on=False)
            return
        actions, run = self._takes.actions, session.run_at_end
        run_id = run.run_id if run is not None and run.document_id == session.document_id else None
        if actions.take_back.isEnabled() and run_id in self._fresh - self._kept:
            self.bar.show_draft(*place_among(self._takes.summaries))
            end.show_bar(on=True)
        elif actions.bring_back.isEnabled() and self._takes.undone_in == session.document_id:
            self.bar.show_undone()
            end.show_bar(on=True)
        else:
            end.show_bar(on=False)

    def _keep(self) -> None:
        session = self._current.session
        if session is not None and (run := session.run_at_end) is not None:
            self._kept.add(run.run_id)
            self._tasks.run_now(partial(self._end_tint, session, run))
        self.refresh()
        self._window.editor.setFocus()

    async def _end_tint(self, session: ProjectSession, run: Run) -> None:
        """Show what was kept as the writer's own words, from now on."""
        await self._takes.history(session).keep(run)
        await self._follow(session)

    def _ask_for_take(self, steps: int) -> None:
        do = self._window.commands
        (do.next_take if steps > 0 else do.previous_take).trigger()
