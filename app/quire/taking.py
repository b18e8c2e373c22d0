"""Takes and snapshots in the window: try again, choose, compare, restore."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from quire.domain.differences import differences
from quire.editor.positions import Positions
from quire.errors import WriterProblem
from quire.files import Doing
from quire.keeper import ManuscriptKeeper
from quire.models.notices import Notice, NoticeKind
from quire.models.take_list import TakeGroup, groups_of, neighbour
from quire.widgets.compare_dialog import Compared, CompareDialog
from quire.widgets.main_window import MainWindow
from quire.widgets.window_models import WindowModels

if TYPE_CHECKING:
    from quire.services.projects import ProjectDesk
    from quire.services.text_history import TextHistory

_NOTHING_TO_RETRY = (
    "There is no draft at the end of this text to try again. Put the caret where it should go on from, and"
    " choose Redraft From Here."
)


class Alternatives:
    """Wires takes and snapshots to the open project.

    show_text: shows the open text as it is stored. draft_anew: begins a new draft at its end, with stronger
    control of repetitions if that is asked for.
    """

    def __init__(
        self,
        window: MainWindow,
        models: WindowModels,
        keeper: ManuscriptKeeper,
        doing: Doing,
        show_text: Callable[[ProjectDesk], Awaitable[None]],
        draft_anew: Callable[[bool], None],
    ) -> None:
        self._window, self._models, self._keeper, self._doing = window, models, keeper, doing
        self._show_text, self._draft_anew = show_text, draft_anew
        self._groups: tuple[TakeGroup, ...] = ()
        window.commands.retry.triggered.connect(self._ask_to_retry)
        window.commands.redraft.triggered.connect(self._ask_to_redraft)
        window.commands.previous_take.triggered.connect(partial(self._ask_for_other_take, -1))
        window.commands.next_take.triggered.connect(partial(self._ask_for_other_take, 1))
        window.commands.snapshot.triggered.connect(self._ask_for_snapshot)
        window.takes_panel.take_chosen.connect(self._ask_for_take)
        window.takes_panel.compare_asked.connect(self._ask_to_compare_take)
        window.snapshots_panel.take_asked.connect(self._ask_for_snapshot)
        window.snapshots_panel.restore_asked.connect(self._ask_to_restore)
        window.snapshots_panel.compare_asked.connect(self._ask_to_compare_snapshot)

    async def follow(self, desk: ProjectDesk) -> None:
        """List the takes and snapshots of the text that is open."""
        history = _history(desk)
        self._groups = groups_of(await history.takes(), desk.text)
        self._window.takes_panel.show_takes(self._groups)
        self._window.snapshots_panel.show_snapshots(await history.snapshots(), desk.document_id)

    # ------------------------------------------------------------ what the window asks for
    def _ask_to_retry(self) -> None:
        self._doing.switch(self._retry)

    def _ask_to_redraft(self) -> None:
        place = self._window.editor.textCursor().position()
        self._doing.switch(partial(self._redraft, place))

    def redraft_with(self, place: int, text: str) -> None:
        """Put aside the text from a place on, in characters, write some there, and draft on behind it."""
        self._doing.switch(partial(self._redraft_with, place, text))

    def rewind(self, place: int | None) -> None:
        """Put aside the text from a place on, in characters, and draft on with fewer repetitions."""
        if place is not None:
            self._doing.switch(partial(self._rewind, place))

    def _ask_for_other_take(self, steps: int, _checked: bool = False) -> None:
        if (take_id := neighbour(self._groups, steps)) is not None:
            self._ask_for_take(take_id)

    def _ask_for_take(self, take_id: int) -> None:
        self._doing.switch(partial(self._choose, take_id))

    def _ask_for_snapshot(self) -> None:
        self._doing.in_turn(self._take_snapshot)

    def _ask_to_restore(self, snapshot_id: int) -> None:
        self._doing.switch(partial(self._restore, snapshot_id))

    def _ask_to_compare_take(self, take_id: int) -> None:
        self._doing.in_turn(partial(self._compare_take, take_id))

    def _ask_to_compare_snapshot(self, snapshot_id: int) -> None:
        self._doing.in_turn(partial(self._compare_snapshot, snapshot_id))

    # ------------------------------------------------------------ what is done, one at a time
    async def _retry(self) -> None:
        desk = await self._stored_desk()
        run = await desk.resting_run()
        if run is None or not run.num_tokens:
            raise WriterProblem(_NOTHING_TO_RETRY)
        await self._begin_take(desk, await _history(desk).start_of_last_stretch(run.run_id))

    async def _redraft(self, position: int) -> None:
        desk = await self._stored_desk()
        await self._begin_take(desk, min(Positions(desk.text).to_text(position), len(desk.text)))

    async def _redraft_with(self, place: int, text: str) -> None:
        desk = await self._stored_desk()
        await self._begin_take(desk, min(place, len(desk.text)), opening=text)

    async def _rewind(self, place: int) -> None:
        desk = await self._stored_desk()
        await self._begin_take(desk, min(place, len(desk.text)), careful=True)

    async def _begin_take(
        self, desk: ProjectDesk, place: int, *, careful: bool = False, opening: str = ""
    ) -> None:
        story = await desk.story()
        if not story[: len(story) - len(desk.text) + place].strip():
            raise WriterProblem("There is nothing before that place to go on from. Choose one further on.")
        await _history(desk).begin_take(place)
        if opening:
            await desk.save_text(desk.text + opening)
        await self._show_text(desk)
        self._draft_anew(careful)

    async def _choose(self, take_id: int) -> None:
        desk = await self._stored_desk()
        await _history(desk).choose(take_id)
        await self._show_text(desk)

    async def _take_snapshot(self) -> None:
        desk = await self._stored_desk()
        await _history(desk).take_snapshot("")
        await self.follow(desk)
        self._say("A snapshot of the whole manuscript was taken.")

    async def _restore(self, snapshot_id: int) -> None:
        desk = await self._stored_desk()
        await _history(desk).restore(snapshot_id)
        await self._show_text(desk)
        self._say("This text is as it was then. How it was just now is kept in a snapshot, too.")

    async def _compare_take(self, take_id: int) -> None:
        desk = await self._stored_desk()
        other = await _history(desk).text_with(take_id)
        line = next(line for group in self._groups for line in group.lines if line.take_id == take_id)
        await self._compare(desk.text, f"Take {line.number}", other)

    async def _compare_snapshot(self, snapshot_id: int) -> None:
        desk = await self._stored_desk()
        await self._compare(desk.text, "The snapshot", await _history(desk).text_in(snapshot_id))

    async def _compare(self, text: str, name: str, other: str) -> None:
        found = await asyncio.to_thread(differences, text, other)
        compared = Compared("The text as it is", text, name, other, found)
        CompareDialog(compared, self._models.themes, self._window).open()

    async def _stored_desk(self) -> ProjectDesk:
        await self._keeper.store_text()
        if self._keeper.desk is None:
            raise WriterProblem("There is no project open. Open one, or make a new one.")
        return self._keeper.desk

    def _say(self, sentence: str) -> None:
        self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, sentence))


def _history(desk: ProjectDesk) -> TextHistory:
    from quire.services.text_history import TextHistory  # not before a project is open: it brings SQLAlchemy

    return TextHistory(desk)
