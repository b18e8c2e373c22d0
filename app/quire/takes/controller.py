"""Takes and snapshots in the window: retry, undo, choose, redraft, restore."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from quire.domain.drafting.take_metrics import first_words_of
from quire.domain.manuscript.manuscript import digest_of
from quire.domain.manuscript.takes import TakeSummary
from quire.editor.utf16_positions import Utf16Positions
from quire.errors import WriterProblem
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire.takes.compare_choices import SideKey, SideKind
from quire.takes.compare_controller import CompareController
from quire.takes.snapshots_panel import SnapshotsPanel
from quire.takes.take_groups import groups_of, neighbour, trashed_lines
from quire.takes.takes_panel import TakesPanel
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:
    from quire.app import App
    from quire.domain.drafting.run import Run
    from quire.domain.manuscript.manuscript import Document
    from quire.services.project.project_session import ProjectSession
    from quire.services.project.text_history import Remembered, TextHistory
    from quire.services.transactions.last_draft import LastDraft
    from quire.services.transactions.take_queries import TakeSource

_TAKEN_BACK = UserMessage("The last draft was undone. It is kept under Takes; Redo Draft brings it back.")
_OTHER_TEXT = UserMessage(
    "The text before this take has changed, so the same seed and settings may give another result."
)
_SAME = UserMessage("The new take is the same, word for word.")
_DIFFERENT = UserMessage(
    "The new take differs. Another model, other steering or another computer can be the cause; the "
    "first take is kept."
)


@dataclass(frozen=True, slots=True)
class _Again:
    """A take that is reproduced by a run.

    Attributes:
        session: its project.
        source: its text.
        run_id: the original run.
        place, end: of the words that the run wrote first.
    """

    session: ProjectSession
    source: TakeSource
    run_id: int
    place: int
    end: int


class TakesController:
    """Connects takes and snapshots to the open project.

    Attributes:
        undone_in: the text in which a draft was undone last; None once another one has ended.
    """

    def __init__(self, app: App) -> None:
        window = app.window
        self._app, self._window, self._current, self._tasks = app, window, app.current, app.tasks
        self.panel, self.snapshots_panel = TakesPanel(window), SnapshotsPanel(window)
        window.add_side_panel(self.panel, self.panel.title)
        window.add_side_panel(self.snapshots_panel, self.snapshots_panel.title)
        self._takes: tuple[TakeSummary, ...] = ()
        self._last: LastDraft | None = None
        self._again: _Again | None = None
        self.undone_in: int | None = None
        self._remembered: tuple[ProjectSession, Remembered] | None = None
        self.actions = window.commands
        self.comparing = CompareController(app, self.panel, self.snapshots_panel, self.history, self._keep)
        self._wire()
        app.events.text_followed.subscribe("takes", self.follow)
        app.events.draft.ended.subscribe("takes", self._draft_ended)
        window.action_chosen.connect(self._act_on)

    @property
    def summaries(self) -> tuple[TakeSummary, ...]:
        """Return the takes of the open text."""
        return self._takes

    async def _draft_ended(self, session: ProjectSession, _run: Run | None) -> None:
        """List the takes after a draft."""
        self.undone_in = None
        if not session.read_only:
            await self.follow(session)

    async def follow(self, session: ProjectSession) -> None:
        """List the takes and snapshots of the open text."""
        history, panel = self.history(session), self.panel
        self._takes = await history.takes()
        panel.show_takes(groups_of(self._takes), trashed_lines(self._takes))
        self.snapshots_panel.show_snapshots(await history.snapshots(), session.document_id)
        self._tasks.run_now(partial(self._count_snapshots, session, session.document_id))
        self._last = await history.last_draft()
        panel.show_note(_note_of(self._last))
        await self.comparing.follow(session)
        self._refresh()
        await self._say_whether_same(session)

    # ------------------------------------------------------------ actions
    def _wire(self) -> None:
        do, panel, snapshots = self._window.commands, self.panel, self.snapshots_panel
        do.retry.triggered.connect(self._ask_to_retry)
        do.redraft.triggered.connect(self._ask_to_redraft)
        do.previous_take.triggered.connect(partial(self._ask_for_other_take, -1))
        do.next_take.triggered.connect(partial(self._ask_for_other_take, 1))
        do.snapshot.triggered.connect(self._ask_for_snapshot)
        self.actions.take_back.triggered.connect(self._ask_to_take_back)
        self.actions.bring_back.triggered.connect(self._ask_to_bring_back)
        panel.take_chosen.connect(self._ask_for_take)
        panel.again_asked.connect(self._ask_for_it_again)
        panel.rename_asked.connect(self._ask_to_rename)
        panel.trash_asked.connect(self._ask_to_trash)
        panel.restore_asked.connect(self._ask_to_untrash)
        panel.delete_asked.connect(self._ask_to_delete)
        snapshots.take_asked.connect(self._ask_for_snapshot)
        snapshots.restore_asked.connect(self._ask_to_restore)
        self._window.status.changed.connect(self._refresh)
        self._window.editor.redoAvailable.connect(self._redo_changed)

    def _ask_to_retry(self) -> None:
        self._tasks.enqueue_exclusive(self._retry)

    def _act_on(self, action: NoticeAction) -> None:
        if action is NoticeAction.REWIND:
            self.rewind(self._app.loop_alarms.rewound())

    def _ask_to_redraft(self) -> None:
        place = self._window.editor.textCursor().position()
        self._tasks.enqueue_exclusive(partial(self._redraft, place))

    def redraft_with(self, place: int, text: str) -> None:
        """Set the text from a character on aside, insert a replacement, and continue the draft after it."""
        self._tasks.enqueue_exclusive(partial(self._redraft_with, place, text))

    def rewind(self, place: int | None) -> None:
        """Set the text from a character on aside, and continue the draft with fewer repetitions."""
        if place is not None:
            self._tasks.enqueue_exclusive(partial(self._rewind, place))

    def _ask_for_other_take(self, steps: int, _checked: bool = False) -> None:
        if (take_id := neighbour(self._takes, steps)) is not None:
            self._ask_for_take(take_id)

    def _ask_for_take(self, take_id: int) -> None:
        self._tasks.enqueue_exclusive(partial(self._choose, take_id))

    def _ask_to_take_back(self) -> None:
        self._tasks.enqueue_exclusive(self._take_back)

    def _ask_to_bring_back(self) -> None:
        self._tasks.enqueue_exclusive(self._bring_back)

    def _ask_for_it_again(self, take_id: int) -> None:
        self._tasks.enqueue_exclusive(partial(self._make_again, take_id))

    def _ask_to_rename(self, take_id: int, title: str) -> None:
        self._tasks.enqueue(partial(self._rename, take_id, title))

    def _ask_to_trash(self, take_id: int) -> None:
        self._tasks.enqueue(partial(self._trash, take_id))

    def _ask_to_untrash(self, take_id: int) -> None:
        self._tasks.enqueue(partial(self._untrash, take_id))

    def _ask_to_delete(self, take_ids: tuple[int, ...] | None) -> None:
        self._tasks.enqueue(partial(self._delete, take_ids))

    def _ask_for_snapshot(self) -> None:
        self._tasks.enqueue(self._take_snapshot)

    def _ask_to_restore(self, snapshot_id: int) -> None:
        self._tasks.enqueue_exclusive(partial(self._restore, snapshot_id))

    # ------------------------------------------------------------ another take
    async def _retry(self) -> None:
        from quire.services.transactions.last_draft import NOTHING_TO_RETRY

        session = await self._stored_session()
        history = self.history(session)
        run = await history.last_run()
        if run is None or not run.num_tokens:
            raise WriterProblem(NOTHING_TO_RETRY)
        await history.begin_again(run.run_id)
        await self._app.opener.show_text(session)
        self._app.drafts.draft_again(False)

    async def _redraft(self, position: int) -> None:
        session = await self._stored_session()
        await self._begin_take(
            session, min(Utf16Positions(session.text).to_text(position), len(session.text))
        )

    async def _redraft_with(self, place: int, text: str) -> None:
        session = await self._stored_session()
        await self._begin_take(session, min(place, len(session.text)), opening=text)

    async def _rewind(self, place: int) -> None:
        session = await self._stored_session()
        await self._begin_take(session, min(place, len(session.text)), careful=True)

    async def _begin_take(
        self, session: ProjectSession, place: int, *, careful: bool = False, opening: str = ""
    ) -> None:
        from quire.services.transactions.last_draft import NOTHING_BEFORE

        story = await session.story()
        if not story[: len(story) - len(session.text) + place].strip():
            raise WriterProblem(NOTHING_BEFORE)
        await self.history(session).begin_take(place)
        if opening:
            await session.save_text(session.text + opening)
        await self._app.opener.show_text(session)
        self._app.drafts.draft_again(careful)

    async def _make_again(self, take_id: int) -> None:
        """Start a take where the run of another one started, and draft it the same way."""
        session = await self._stored_session()
        history = self.history(session)
        source = await history.source_of_take(take_id)
        if not source.stretches:
            raise WriterProblem("No model wrote this take, so it can't be reproduced. Use Retry instead.")
        run = source.stretches[0].run
        place, end = first_words_of(source.document, run.run_id)
        await self._check_before(session, source, place)
        await history.choose(take_id)
        await history.begin_take(min(place, len(session.text)))
        self._again = _Again(session, source, run.run_id, place, end)
        is_same = digest_of(await session.story()) == run.base_digest
        await self._app.opener.show_text(session)
        if not is_same:
            self._say(_OTHER_TEXT, NoticeKind.WARNING)
        self._app.drafts.draft_like(run)

    async def _check_before(self, session: ProjectSession, source: TakeSource, place: int) -> None:
        from quire.services.transactions.last_draft import NOTHING_BEFORE
        from quire.services.transactions.project_text import text_before

        before = await session.read(text_before, source.document.document_id)
        if not (before + source.document.text[:place]).strip():
            raise WriterProblem(NOTHING_BEFORE)

    async def _say_whether_same(self, session: ProjectSession) -> None:
        """Compare a reproduced take with the original, once it is complete."""
        again, run = self._again, session.run_at_end
        if again is None or session is not again.session or session.draft_target is not None:
            return
        if run is None or run.run_id == again.run_id:
            return
        self._again = None
        now = await self.history(session).source_of_text(again.source)
        written = now.document.text[again.place : again.end]
        words = again.source.document.text[again.place : again.end][: len(written)]
        if written:
            self._say(_SAME if written == words else _DIFFERENT)

    # ------------------------------------------------------------ the list of takes
    async def _choose(self, take_id: int) -> None:
        session = await self._stored_session()
        await self.history(session).choose(take_id)
        await self._app.opener.show_text(session)

    async def _rename(self, take_id: int, title: str) -> None:
        session = await self._stored_session()
        await self.history(session).rename(take_id, title)
        await self.follow(session)

    async def _trash(self, take_id: int) -> None:
        session = await self._stored_session()
        await self.history(session).put_in_trash(take_id)
        await self.follow(session)
        self._say(
            UserMessage("The take is in the trash, at the end of the list. It will be deleted after 30 days.")
        )

    async def _untrash(self, take_id: int) -> None:
        session = await self._stored_session()
        await self.history(session).take_from_trash(take_id)
        await self.follow(session)

    async def _delete(self, take_ids: tuple[int, ...] | None) -> None:
        session = await self._stored_session()
        await self.history(session).delete_for_good(take_ids)
        await self.follow(session)

    # ------------------------------------------------------------ the last draft
    async def _take_back(self) -> None:
        session = await self._stored_session()
        take_id = await self.history(session).take_back()
        self.undone_in = session.document_id
        await self._app.opener.show_text(session)
        self._window.editor.history.draft_undone(take_id)
        self._refresh()
        self._say(_TAKEN_BACK)

    async def _bring_back(self) -> None:
        session = await self._stored_session()
        typing = self._window.editor.history
        await self.history(session).bring_back(typing.undone_draft)
        typing.draft_redone()
        await self._app.opener.show_text(session)

    # ------------------------------------------------------------ snapshots
    async def _take_snapshot(self) -> None:
        session = await self._stored_session()
        await self.history(session).take_snapshot("")
        await self.follow(session)
        self._say(UserMessage("Snapshot of the whole manuscript taken."))

    async def _count_snapshots(self, session: ProjectSession, document_id: int) -> None:
        """Show the words of the open text in each snapshot; one is read at a time: saving never waits."""
        for snapshot_id in self.snapshots_panel.listed:
            if session is not self._current.session or document_id != self._current.shown_id:
                return
            num_words = await self.history(session).words_of_snapshot(snapshot_id, document_id)
            if num_words is not None:
                self.snapshots_panel.show_words(snapshot_id, num_words)

    async def _restore(self, snapshot_id: int) -> None:
        session = await self._stored_session()
        await self.history(session).restore(snapshot_id)
        await self._app.opener.show_text(session)
        self._say(
            UserMessage("The snapshot was restored. The text as it was before is kept in a new snapshot.")
        )

    async def _keep(self, key: SideKey) -> None:
        """Make one side of a comparison the current text."""
        if key.kind is SideKind.TAKE:
            await self._choose(key.number)
        elif key.kind is SideKind.SNAPSHOT:
            await self._restore(key.number)

    # ------------------------------------------------------------ inside
    def _refresh(self) -> None:
        """Update what is possible with takes and the last draft; the text may have changed."""
        is_locked = not self._window.status.is_at_rest
        self.panel.set_locked(locked=is_locked)
        self.snapshots_panel.set_locked(locked=is_locked)
        session, last = self._current.session, self._last
        is_free = session is not None and last is not None and self._window.status.is_at_rest
        may_take_back = may_bring_back = False
        if is_free and session is not None and last is not None:
            may_take_back = last.begins_in is not None and session.run_at_end is not None
            may_bring_back = last.aside is not None and last.aside_at == len(session.text)
            undone = self._window.editor.history.undone_draft
            aside = {take.take_id for take in self._takes if not take.stands and take.trashed is None}
            may_bring_back = may_bring_back or undone in aside
        self.actions.take_back.setEnabled(may_take_back)
        self.actions.bring_back.setEnabled(may_bring_back)
        self._app.events.takes_listed()

    def _redo_changed(self) -> None:
        """Let an undone draft be redone at once when the words before it are back."""
        if self._window.editor.history.undone_draft is not None:
            self._refresh()

    def _saved(self, _before: Document, after: Document) -> None:
        last = self._last
        if last is not None and len(after.text) < last.aside_at:  # an undone draft has lost its place
            self._last = replace(last, aside=None)
        self._refresh()

    def history(self, session: ProjectSession) -> TextHistory:
        """Return the takes and snapshots of an open project."""
        # only once a project is open: it imports SQLAlchemy
        from quire.services.project.text_history import Remembered, TextHistory

        if self._remembered is None or self._remembered[0] is not session:
            self._remembered = session, Remembered()
            session.when_saved(self._saved)
        return TextHistory(session, self._remembered[1])

    async def _stored_session(self) -> ProjectSession:
        await self._current.autosave.store()
        if self._current.session is None:
            raise WriterProblem("No project is open. Open one, or start a new one.")
        return self._current.session

    def _say(self, sentence: str, kind: NoticeKind = NoticeKind.NOTE) -> None:
        self._window.notice_bar.show_notice(Notice(kind, sentence))


def _note_of(last: LastDraft) -> str:
    """Return a note on what Undo and Retry will do, if that is unexpected."""
    if last.num_chapters < 2:
        return ""
    return UserMessage(
        "This draft fills {number} chapters. Undo and Retry apply to all of it.", number=last.num_chapters
    )
