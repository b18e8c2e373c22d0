"""The queue of drafts in the window: it is stored, and run when the writer starts it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from quire.domain.drafting.draft_queue import Queue, QueuedDraft
from quire.drafting.queue_dialog import QueueDialog
from quire.errors import WriterProblem
from quire.shell.notices import Notice, NoticeKind

if TYPE_CHECKING:  # imported once the window is shown
    from quire.app import App
    from quire.domain.drafting.run import Run
    from quire.services.drafting.queue_service import QueueService
    from quire.services.project.project_session import ProjectSession


class QueueController:
    """Connects the queue to the open project.

    The steering is chosen for a draft when it is added, and used when it starts.
    """

    def __init__(self, app: App) -> None:
        self._app, self._window, self._current, self._tasks = app, app.window, app.current, app.tasks
        self._steering, self._goal_box = app.steering, app.controls.bar.goal_box
        self._session: ProjectSession | None = None
        self._queue: QueueService | None = None
        self._dialog: QueueDialog | None = None
        self._said = ""
        self._goes_on_in: dict[int, int] = {}
        app.window.commands.queue.triggered.connect(self._ask_for_dialog)
        app.events.text_followed.subscribe("queue", self.follow)
        app.events.alarm_pauses.subscribe("queue", self._raise_alarm)

    @property
    def is_working(self) -> bool:
        """Return whether the queue is running."""
        return self._queue is not None and self._queue.is_working

    def _raise_alarm(self, sentence: str) -> None:
        """Record a warning about the current draft before it is paused."""
        if self._queue is not None:
            self._queue.raise_alarm(sentence)

    async def follow(self, session: ProjectSession) -> None:
        """Show the queue of the project that is open."""
        await self._queue_of(session)
        self._show()

    # ------------------------------------------------------------ what the dialog asks for
    def _add(self) -> None:
        self._tasks.run_now(partial(self._add_drafts, 1, self._steering.note))

    def _add_beats(self) -> None:
        if self._session is not None:
            num_beats = self._steering.num_beats_left(self._session.document_id)
            self._tasks.run_now(partial(self._add_drafts, num_beats, ""))

    def _remove(self, draft_id: int) -> None:
        self._change(lambda queue: queue.without(draft_id))

    def _move(self, draft_id: int, steps: int) -> None:
        self._change(lambda queue: queue.moved(draft_id, steps))

    def _clear(self) -> None:
        self._change(lambda queue: queue.without_done())

    def _start(self) -> None:
        self._tasks.run_now(self._work)

    def _stop(self, stops: bool) -> None:
        if self._queue is not None:
            self._queue.stop_after_this(stops=stops)

    def _change(self, change: Callable[[Queue], Queue]) -> None:
        if self._queue is not None:
            self._tasks.run_now(partial(self._queue.change, change))

    # ------------------------------------------------------------ running
    async def _add_drafts(self, times: int, note: str) -> None:
        """Add drafts with the window's current choices, and an author's note of their own."""
        session = self._current.session
        if session is None or self._queue is None:
            raise WriterProblem("No project is open. Open one, or start a new one.")
        queued = QueuedDraft(0, session.document_id, self._goal_box.goal_words, self._steering.preset, note)

        def added(queue: Queue) -> Queue:
            for _ in range(times):
                queue = queue.added(queued)
            return queue

        await self._queue.change(added)

    async def _work(self) -> None:
        session, queue = self._current.session, self._queue
        if session is None or queue is None:
            raise WriterProblem("No project is open. Open one, or start a new one.")
        self._said = ""
        self._goes_on_in.clear()
        said = await queue.work(partial(self._draft_one, session))
        self._notify(said)

    async def _draft_one(self, session: ProjectSession, queued: QueuedDraft) -> Run:
        """Open the text of a queued draft, apply its preset and author's note, and draft."""
        if session is not self._current.session:
            raise WriterProblem("Another project was opened. Open this one again to continue its queue.")
        if all(node.node_id != queued.document_id for node in session.tree.reading_order()):
            raise WriterProblem(
                "The chapter of this draft is no longer in the book. Remove the draft, or restore "
                "the chapter."
            )
        await self._app.opener.open_document(self._goes_on_in.get(queued.document_id, queued.document_id))
        self._steering.choose(queued.preset)
        note = self._steering.note
        if queued.direction:
            self._steering.direct(queued.direction)
        try:
            run = await self._app.drafts.drafted(queued.goal_words)
        finally:
            if self._steering.note == queued.direction:
                self._steering.direct(note)  # the writer's, unless it was changed meanwhile
        self._goes_on_in[queued.document_id] = run.document_id  # a long draft ends in a later chapter
        return run

    async def _queue_of(self, session: ProjectSession) -> None:
        from quire.services.drafting.queue_service import QueueService

        if session is self._session:
            return
        self._queue = await QueueService.of(session, self._show)
        self._session, self._said = session, ""
        if self._queue.problem:
            self._notify(self._queue.problem)

    # ------------------------------------------------------------ display
    def _ask_for_dialog(self) -> None:
        if self._queue is None:
            return
        if self._dialog is None:
            dialog = self._dialog = QueueDialog(self._window)
            dialog.add_asked.connect(self._add)
            dialog.beats_asked.connect(self._add_beats)
            dialog.removed.connect(self._remove)
            dialog.moved.connect(self._move)
            dialog.clear_asked.connect(self._clear)
            dialog.start_asked.connect(self._start)
            dialog.stop_asked.connect(self._stop)
            dialog.finished.connect(self._forget)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.show()  # in the background: the text may be read while the queue runs
        self._show()

    def _show(self) -> None:
        if self._dialog is None or self._queue is None or self._session is None:
            return
        titles = {node.node_id: " ".join(node.title.split()) for node in self._session.tree.reading_order()}
        self._dialog.show_queue(
            self._queue.queue,
            titles,
            is_working=self._queue.is_working,
            stops_after_this=self._queue.stops_after_this,
            num_beats=self._steering.num_beats_left(self._session.document_id),
            said=self._said,
        )

    def _notify(self, sentence: str) -> None:
        self._said = sentence
        self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, sentence))
        self._show()

    def _forget(self) -> None:
        self._dialog = None
