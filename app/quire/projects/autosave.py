"""Saves the writer's changes, and knows whether anything is unsaved."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from enum import Enum, auto
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, Slot

from quire.errors import WriterProblem
from quire.projects.shutdown import not_stored
from quire.shell.project_status import SaveState
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:  # imported once the window is shown: SQLAlchemy is slow to import
    from quire.app import App
    from quire.projects.current_project import CurrentProject
    from quire.services.project.project_session import ProjectSession

STORE_WITHIN_MS = 200
"""Delay from the first key press to saving; further typing does not extend it."""

_STORED_LATE_MS = 1_000
_TRIES = 5
_ANOTHER_TEXT = UserMessage(
    "The window shows another text than the open one. Copy it, then open the text again."
)


class AutosaveState(Enum):
    """How far the writer's text is saved.

    Attributes:
        CLEAN: it is on the disk.
        CHANGED: it was changed, and will be saved soon.
        STORING: the current text is being saved.
        STORING_CHANGED: an older text is being saved; the current one will be saved next.
        FAILED: the last save failed; the next one tries again.
    """

    CLEAN = auto()
    CHANGED = auto()
    STORING = auto()
    STORING_CHANGED = auto()
    FAILED = auto()


class _Event(Enum):
    CHANGED = auto()
    STORE_BEGUN = auto()
    STORED = auto()
    STORE_FAILED = auto()


_CLEAN, _CHANGED, _STORING = AutosaveState.CLEAN, AutosaveState.CHANGED, AutosaveState.STORING
_STORING_CHANGED, _FAILED = AutosaveState.STORING_CHANGED, AutosaveState.FAILED

_NEXT = {
    _Event.CHANGED: {
        _CLEAN: _CHANGED,
        _CHANGED: _CHANGED,
        _STORING: _STORING_CHANGED,
        _STORING_CHANGED: _STORING_CHANGED,
        _FAILED: _CHANGED,
    },
    # from CLEAN as well: the end of a draft may wait for disk space
    _Event.STORE_BEGUN: {_CLEAN: _STORING, _CHANGED: _STORING, _FAILED: _STORING},
    _Event.STORED: {_STORING: _CLEAN, _STORING_CHANGED: _CHANGED},
    # not only while saving: writing the end of a draft may also fail
    _Event.STORE_FAILED: dict.fromkeys(AutosaveState, _FAILED),
}
"""Transitions by event and state; an event without an entry for a state cannot occur in it."""

_SHOWN_AS = {
    _CLEAN: SaveState.SAVED,
    _CHANGED: SaveState.SAVING,
    _STORING: SaveState.SAVING,
    _STORING_CHANGED: SaveState.SAVING,
    _FAILED: SaveState.NOT_SAVED,
}
_FROM_THE_BEST = tuple(SaveState)


class Autosave(QObject):
    """The single owner of the save state.

    Signals:
        text_read: the text that the last save read from the editor.

    Attributes:
        store_edit: saves a text that a draft is growing in, changed by the writer.
    """

    text_read = Signal(str)

    def __init__(self, app: App, project: CurrentProject) -> None:
        editor = app.window.editor
        super().__init__(editor)
        self._app, self._editor, self._status, self._project = app, editor, app.window.status, project
        self._state = AutosaveState.CLEAN
        self._turn = asyncio.Lock()
        self._draft_shown = QElapsedTimer()  # since the first drafted words that no commit has covered
        self._draft_is_late = False
        self._writer_was_warned = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(STORE_WITHIN_MS)
        self._timer.timeout.connect(self._store_in_turn)
        self.store_edit: Callable[[int, str], Awaitable[None]] | None = None
        editor.edited.connect(self.changed)

    @property
    def state(self) -> AutosaveState:
        """Return how far the writer's text is saved."""
        return self._state

    @property
    def save_state(self) -> SaveState:
        """Return whether everything on the screen is on the disk: the worse of the writer's text and the
        draft.
        """
        draft = SaveState.SAVING if self._draft_is_late else SaveState.SAVED
        return max(_SHOWN_AS[self._state], draft, key=_FROM_THE_BEST.index)

    @property
    def is_unstored(self) -> bool:
        """Return whether something in the open project waits to be saved."""
        session = self._project.session
        return session is not None and not (self._state is _CLEAN and session.everything_stored)

    @property
    def shows_unstored(self) -> bool:
        """Return whether something visible is not known to be on the disk."""
        return self.is_unstored or self.save_state is not SaveState.SAVED

    @property
    def may_leave_unstored(self) -> bool:
        """Return whether the writer was warned that leaving loses the current text."""
        return self._writer_was_warned

    # ------------------------------------------------------------ events
    @Slot()
    def changed(self) -> None:
        """Note that the text was changed, and schedule a save."""
        self._writer_was_warned = False  # that was about another text
        self._move(_Event.CHANGED)
        if not self._timer.isActive():
            self._timer.start()

    def store_soon(self) -> None:
        """Save now if a save is scheduled."""
        if self._timer.isActive():
            self._timer.stop()
            self._store_in_turn()

    def drafted(self) -> None:
        """Note that the model wrote something.

        It is normally saved so soon that showing "Saving" each time would flicker; only a late save is shown.
        """
        if not self._draft_shown.isValid():
            self._draft_shown.start()
        elif self._draft_shown.elapsed() > _STORED_LATE_MS:
            self._draft_is_late = True
            self._show()

    def draft_stored(self) -> None:
        """Note that everything drafted before the last commit is on the disk."""
        self._draft_shown.invalidate()
        self._draft_is_late = False
        self._show()

    def draft_ended(self) -> None:
        """Note that a draft has ended; if its end could not be written, the save has failed."""
        session = self._project.session
        if session is not None and not session.everything_stored and not self._is_storing:
            self._move(_Event.STORE_FAILED)

    def warned_before_leaving(self) -> None:
        """Note that the writer was warned about leaving; the next change invalidates this."""
        self._writer_was_warned = True

    def reset(self) -> None:
        """Start with another project, which is fully saved."""
        self._timer.stop()
        self._writer_was_warned = False
        self._state = AutosaveState.CLEAN
        self.draft_stored()

    # ------------------------------------------------------------ saving
    @Slot()
    def _store_in_turn(self) -> None:
        """Save during a draft, or else before any later task."""
        tasks = self._app.tasks
        (tasks.run_now if self._app.drafts.is_writing else tasks.enqueue)(self.store)

    async def store(self) -> None:
        """Save everything that is unsaved; raise NotStored if that fails."""
        async with self._turn:
            session = self._project.session
            if session is None or not self.is_unstored:
                return
            self._timer.stop()
            self._move(_Event.STORE_BEGUN)
            try:
                await self._store_shown(session)
            except BaseException as error:
                self._move(_Event.STORE_FAILED)
                if not isinstance(error, Exception):
                    raise
                raise not_stored(error) from error
            self._note_stored(session)
            self._app.events.text_saved()

    async def store_everything(self) -> None:
        """Save until nothing is unsaved; there is no await between the last check and the return."""
        while self.is_unstored:
            await self.store()

    async def _store_shown(self, session: ProjectSession) -> None:
        """Save what the window shows to the text it belongs to at that time."""
        from quire.services.project.draft_target import ChapterAdvanced, DraftInProgressError

        for turn in range(_TRIES):
            text, shown_id = self._editor.text(), self._project.shown_id
            if not turn:
                self.text_read.emit(text)
            if shown_id is None or shown_id != session.document_id:
                raise WriterProblem(_ANOTHER_TEXT)  # it would replace that one
            target = session.draft_target
            grows = target is not None and target.document.document_id == shown_id
            try:
                if grows and self.store_edit is not None:
                    await self.store_edit(shown_id, text)
                else:
                    await session.save_text(text)
            except (ChapterAdvanced, DraftInProgressError):
                continue  # a draft started, ended or moved to another text at this moment
            return
        raise WriterProblem("This text is being drafted. Pause the draft, then try again.")

    # ------------------------------------------------------------ inside
    @property
    def _is_storing(self) -> bool:
        return self._state in (_STORING, _STORING_CHANGED)

    def _note_stored(self, session: ProjectSession) -> None:
        if not session.everything_stored:  # a draft has ended meanwhile, on a full disk
            self._move(_Event.STORE_FAILED)
            return
        self._writer_was_warned = False
        self._move(_Event.STORED)
        if self._state is _CLEAN and session.draft_target is None:
            self.draft_stored()

    def _move(self, event: _Event) -> None:
        self._state = _NEXT[event][self._state]
        self._show()

    def _show(self) -> None:
        self._status.show_save_state(self.save_state)
