"""Displays a project and its draft in the window, as drafting needs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from quire.domain.drafting.draft_status import DraftProblem, DraftProgress, DraftState, DraftStatus
from quire.domain.drafting.run import Run, RunState
from quire.domain.manuscript.word_counts import GrowingCount
from quire.shell.notices import Notice, NoticeAction, NoticeKind, notice_of_failure, notice_of_trouble
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:
    from quire.app import App

_RESTING = (DraftState.PAUSED, DraftState.FINISHED, DraftState.FAILED)


class DraftDisplay:
    """Shows a draft, and the window's state before and after one."""

    def __init__(self, app: App) -> None:
        self._window, self._autosave, self._events = app.window, app.current.autosave, app.events.draft
        self._status, self._progress = app.window.status, app.window.progress
        self._pace = app.controls.pace
        self._asked_words = 0
        self._words = GrowingCount()
        self._failed_in = DraftState.IDLE
        self._resting = DraftState.IDLE
        self._said = ""
        self._grows_here = False
        self._is_open = self._status.is_open
        self._status.changed.connect(self._follow_project)
        self._events.status_changed.subscribe("display", self.status_changed)
        self._events.text_drafted.subscribe("display", self.text_drafted)
        self._events.progressed.subscribe("display", self.progressed)
        self._events.saved.subscribe("display", self._autosave.draft_stored)
        self._window.editor.edited.connect(self._edited)
        self._autosave.text_read.connect(self._count)

    def _follow_project(self) -> None:
        """Show nothing of the last draft once its project is closed."""
        was_open, self._is_open = self._is_open, self._status.is_open
        if was_open and not self._is_open:
            self._resting = DraftState.IDLE
            self._progress.clear()
            self._pace.clear()

    # ------------------------------------------------------------ during a draft
    def status_changed(self, status: DraftStatus) -> None:
        """Show the state and its message."""
        before = self._status.status.state
        if status.state is DraftState.FAILED:
            self._failed_in = before
        if before is DraftState.LOADING and status.state is DraftState.READING:
            self._events.model_ready()
        if self._status.status.is_waiting and not status.is_waiting:
            self._stop_saying()
        self._status.show_status(status)
        # the run has details of a failure, and the end those of a problem
        if status.sentence and status.state is not DraftState.FAILED and status.trouble is None:
            self._say_once(Notice(NoticeKind.NOTE, status.sentence))

    def text_drafted(self, text: str) -> None:
        """Show what the model wrote, if its text is visible."""
        if self._grows_here:
            self._window.editor.append_drafted(text)
            self._words.add(text)
        self._autosave.drafted()

    def progressed(self, progress: DraftProgress) -> None:
        """Show the progress of the run."""
        if self._grows_here:
            self._status.count_words(self._words.num_words)
        self._progress.show(progress.num_words, progress.goal_words, self._asked_words)
        if progress.drafting_s > 0:
            self._pace.report(progress.drafting_s, progress.num_words, progress.tokens, progress.steps)

    # ------------------------------------------------------------ around a draft
    def show_project(self, title: str, text: str, last_run: Run | None, *, has_model: bool) -> None:
        """Show a project that was opened; last_run only if the text is unchanged since that run."""
        self._window.notice_bar.clear()
        self._pace.clear()
        self._status.open(title)
        self._count(text)
        self._progress.clear()
        self._resting = DraftState.IDLE
        if last_run is not None and last_run.started:
            self._resting = DraftState.FINISHED if last_run.state is RunState.FINISHED else DraftState.PAUSED
            asked = last_run.goal_words - last_run.goal_start
            self._progress.show(last_run.num_words, last_run.goal_words, asked)
        self.rest(has_model=has_model)
        self._window.show_project(text)
        self._window.editor.unread.switch(on=last_run is not None and last_run.started)

    def show_other(self, title: str, text: str, *, grows_here: bool, drafted_from: int | None = None) -> None:
        """Show another text while a draft is running in it or elsewhere.

        Args:
            drafted_from: the document position from which it is the draft's; None: from now on.
        """
        editor = self._window.editor
        self._grows_here = grows_here
        editor.show_text(text)
        editor.show_draft_elsewhere(on=not grows_here)
        editor.unread.switch(on=True)
        if grows_here:
            editor.begin_drafting(drafted_from)
        self._status.rename(title)
        self._count(text)
        self._window.focus_text()

    def leave_draft(self) -> None:
        """Continue the draft in another text while this one stays visible."""
        self._grows_here = False
        self._window.editor.show_draft_elsewhere(on=True)
        self._count(self._window.editor.text())

    def show_resting(self, last_run: Run | None) -> None:
        """Show the open text without a running draft."""
        self._resting = DraftState.IDLE
        self._progress.clear()
        if last_run is not None and last_run.started:
            self._resting = DraftState.FINISHED if last_run.state is RunState.FINISHED else DraftState.PAUSED
        self._status.show_status(DraftStatus(self._resting))

    def show_recovery(self, *, can_discard: bool) -> None:
        """Show that nothing was lost in a crash; can_discard: the open text ends with recovered words."""
        text = UserMessage(
            "The last draft stopped unexpectedly. Nothing is missing: every word it saved is in the text."
        )
        more = (NoticeAction.DISCARD_TAKE,) if can_discard else ()
        self._window.notice_bar.show_notice(Notice(NoticeKind.WARNING, text, NoticeAction.RESUME, more))

    def say(self, text: str) -> None:
        """Show a message that needs no response."""
        self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, text))

    def show_welcome(self, model: str) -> None:
        """Show what can be done with the sample, and what to expect of the model; empty: the built-in one."""
        if self._window.notice_bar.notice is None:
            text = UserMessage(
                "This is a sample to try: press Continue and Quire will write. The built-in model is "
                "small; a larger one writes better."
            )
            if model:
                text = UserMessage(
                    "This is a sample to try: press Continue and Quire will write with {name}.", name=model
                )
            self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, text, NoticeAction.CHOOSE_MODEL))

    def begin(self, asked_words: int, *, unread: bool = False) -> None:
        """Prepare the text for a draft at once; unread: the model does not read changed text again."""
        self._asked_words = asked_words
        self._said = ""
        self._window.notice_bar.clear()
        self._grows_here = True
        self._count(self._window.editor.text())
        if not unread:
            self._window.editor.unread.switch(on=False)
        self._window.editor.unread.switch(on=True)
        self._window.editor.begin_drafting()
        self._pace.begin()
        self._status.show_status(DraftStatus(DraftState.LOADING))

    def end(self, run: Run | None, *, everything_stored: bool) -> None:
        """Unlock the text and show how the run ended; None if it never started."""
        self._window.editor.end_drafting()
        self._window.editor.show_draft_elsewhere(on=False)
        self._grows_here = False
        self._count(self._window.editor.text())
        if run is None:
            self._status.show_status(DraftStatus(self._resting))
            return
        status = self._status.status
        self._resting = status.state
        self._status.show_status(status)  # again: now the text can be edited
        if status.trouble is not None:
            self._window.notice_bar.show_notice(notice_of_trouble(status.trouble, status.sentence))
        elif status.state is DraftState.FAILED:
            self._window.notice_bar.show_notice(notice_of_failure(run, status.sentence, self._failed_in))
        if not everything_stored and status.trouble is not DraftProblem.FILE:
            self._window.notice_bar.show_notice(
                Notice(NoticeKind.ERROR, status.sentence, NoticeAction.SAVE_AGAIN)
            )

    def _edited(self) -> None:
        """Note that the writer changed the text, so that it differs from the last run's."""
        if self._status.status.state in _RESTING:
            self._resting = DraftState.IDLE
            self._progress.clear()
            self._status.show_status(DraftStatus(DraftState.IDLE))

    def _count(self, text: str) -> None:
        """Count all of the visible text, to which a draft then adds."""
        self._words = GrowingCount(text)
        self._status.count_words(self._words.num_words)

    def rest(self, *, has_model: bool) -> None:
        """Show what the writer can do now; without a model, only writing."""
        self._status.show_status(DraftStatus(self._resting if has_model else DraftState.NO_MODEL))

    def _stop_saying(self) -> None:
        """Take back what was said and is no longer true."""
        notice = self._window.notice_bar.notice
        if notice is not None and notice.text == self._said:
            self._window.notice_bar.clear()
        self._said = ""

    def _say_once(self, notice: Notice) -> None:
        """Show a notice once per session: its cause is in every report, even after it was dismissed."""
        if notice.text != self._said:
            self._said = notice.text
            self._window.notice_bar.show_notice(notice)
