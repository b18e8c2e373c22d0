"""Where Continue writes: shown on its button, in the tree and on the page, and chosen there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from quire.domain.drafting.draft_place import DraftPlaces
from quire.domain.manuscript.tree import Node
from quire.shell.project_status import DraftTargetShown

if TYPE_CHECKING:
    from quire.app import App
    from quire.domain.drafting.run import Run
    from quire.services.project.project_session import ProjectSession
    from quire.services.transactions.split_and_merge import Turned


class TargetController:
    """Decides where a draft continues, and opens that text before it starts."""

    def __init__(self, app: App) -> None:
        self._app, self._window, self._current, self._tasks = app, app.window, app.current, app.tasks
        self._places = DraftPlaces()
        self._places_for: int | None = None
        self._wants_here = False
        app.controls.bar.continue_asked.connect(self._continue)
        app.controls.bar.place_chosen.connect(self._choose)
        app.events.text_followed.subscribe("target", self.follow)
        app.events.tree_changed.subscribe("target", self._rearranged)
        app.events.draft.chapter_turned.subscribe("target", self._turned_to)
        app.events.draft.ended.subscribe("target", self._draft_ended)

    # ------------------------------------------------------------ input
    async def follow(self, session: ProjectSession) -> None:
        """Show where a draft of the open text continues; what was chosen for another text is forgotten."""
        from quire.services.transactions.draft_sources import draft_places

        open_id = session.document_id
        places = await session.read(draft_places, open_id)
        if session is not self._current.session or open_id != self._current.shown_id:
            return
        if open_id != self._places_for:
            self._wants_here = False
        self._places, self._places_for = places, open_id
        self._show(session)

    async def place(self, session: ProjectSession) -> int | None:
        """Return the text in which Continue writes; None where it cannot, as in a note."""
        if self._places_for != session.document_id:
            await self.follow(session)
        return None if self._target is None else self._target.node_id

    async def _draft_ended(self, session: ProjectSession, _run: Run | None) -> None:
        """Look again: a draft may have gone on in another text."""
        await self.follow(session)

    def _turned_to(self, _turned: Turned) -> None:
        """Look again: the book has a new text."""
        self._look_again()

    def _rearranged(self, session: ProjectSession) -> None:
        """Look again after the tree has changed."""
        if session is self._current.session:
            self._look_again()

    # ------------------------------------------------------------ actions
    def at_target(self, act: Callable[[], None]) -> None:
        """Do something in the text in which Continue writes, which is opened first."""
        if not self._window.status.can_continue:
            return
        target = self._target
        if target is None or self._places_for != self._current.shown_id:
            self._tasks.enqueue(partial(self._look_and_act, act))
        elif target.node_id == self._current.shown_id:
            act()
        else:
            self._tasks.enqueue_exclusive(partial(self._app.opener.open_document, target.node_id))
            self._tasks.enqueue(partial(self._act_in, target.node_id, act))

    def _continue(self, goal_words: int) -> None:
        self.at_target(partial(self._app.drafts.continue_here, goal_words))

    async def _look_and_act(self, act: Callable[[], None]) -> None:
        """Act once it is known where: the text was opened a moment ago."""
        session = self._current.session
        if session is not None:
            await self.follow(session)
            if self._target is not None:
                self.at_target(act)

    async def _act_in(self, document_id: int, act: Callable[[], None]) -> None:
        if self._current.shown_id == document_id and self._window.status.can_continue:
            act()

    def _choose(self, here: bool) -> None:
        self._wants_here = here
        if self._current.session is not None:
            self._show(self._current.session)

    # ------------------------------------------------------------ inside
    @property
    def _target(self) -> Node | None:
        return self._places.chosen(here=self._wants_here)

    def _look_again(self) -> None:
        if self._current.session is not None:
            self._tasks.run_now(partial(self.follow, self._current.session))

    def _show(self, session: ProjectSession) -> None:
        target, places = self._target, self._places
        is_one = len(session.tree.reading_order()) < 2
        is_here = target is places.here
        other = None if places.end is None else places.end if is_here else places.here
        self._window.status.show_target(
            DraftTargetShown(
                "" if target is None or is_one else _title(target),
                None if other is None else _title(other),
                is_here,
                places.here is not None,
            )
        )
        self._window.editor.text_end.show_target(on=target is not None and is_here)
        self._app.events.target_marked(None if target is None else target.node_id)


def _title(node: Node) -> str:
    return " ".join(node.title.split())
