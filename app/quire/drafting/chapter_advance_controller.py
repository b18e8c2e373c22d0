"""A draft that moves from one chapter to the next while the writer may look at any of them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor

from quire.domain.drafting.chapter_advance_rules import TurnRules
from quire.editor.utf16_positions import Utf16Positions
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:
    from quire.app import App
    from quire.domain.drafting.run import Run
    from quire.services.drafting.generation_session import GenerationSession
    from quire.services.project.project_session import ProjectSession
    from quire.services.transactions.split_and_merge import Turned


class ChapterAdvanceController:
    """The Pages of a draft in the window."""

    def __init__(self, app: App) -> None:
        self._window, self._current, self._tasks = app.window, app.current, app.tasks
        self._view, self._events = app.display, app.events.draft
        self._cut: QTextCursor | None = None
        self.rules = TurnRules()

    # ------------------------------------------------------------ Pages
    def may_turn(self, document_id: int, place: int) -> bool:
        """Return whether the visible text is saved; if so, the draft leaves it at this position."""
        self._cut = None
        if document_id != self._current.shown_id:
            return True
        if self._current.autosave.is_unstored:
            return False
        editor = self._window.editor
        text = editor.text()
        if place >= len(text):  # already saved, but shown only with the next words
            return False
        self._cut = QTextCursor(editor.document())
        self._cut.setPosition(Utf16Positions(text).to_document(place))
        return True

    def turned(self, turned: Turned) -> None:
        """Follow the draft into another text, if the writer was following it."""
        session = self._current.session
        if session is None:
            return
        cut, self._cut = self._cut, None
        if cut is not None and self._current.shown_id == turned.first.document_id:
            self._show_turned(session, turned, cut.position())
        self._window.status.show_part(is_part=len(turned.tree.reading_order()) > 1)
        self._window.status.rename(session.heading)
        self._events.chapter_turned(turned)

    # ------------------------------------------------------------ showing another text meanwhile
    async def show_text(
        self, session: ProjectSession, document_id: int, generation: GenerationSession
    ) -> None:
        """Show another text of the project while a draft grows in this one or another."""
        editor = self._window.editor
        editor.set_locked(locked=True)  # text typed before the other text is shown would belong to neither
        try:
            await self._current.autosave.store()
            await session.open_document(document_id)
            target = session.draft_target
            grows_here = target is not None and target.document.document_id == document_id
            # no await from here on: the draft must not grow between reading and showing
            text = session.text + (generation.text_not_stored if grows_here else "")
            self._current.shown_id = document_id
            self._view.show_other(session.heading, text, grows_here=grows_here)
            editor.show_draft_elsewhere(on=target is not None and not grows_here)  # it may have ended
        finally:
            editor.set_locked(locked=False)

    async def show_where_it_ended(self, session: ProjectSession, run: Run) -> None:
        """Notify a writer who looks at another text where the draft ended."""
        self._window.editor.show_draft_elsewhere(on=False)
        self._view.show_resting(await session.resting_run())
        title = session.tree.node(run.document_id).title
        self._window.notice_bar.show_notice(
            Notice(
                NoticeKind.NOTE,
                UserMessage("The draft is now in “{title}”.", title=title),
                NoticeAction.GO_THERE,
                act=partial(self._window.document_asked.emit, run.document_id),
            )
        )

    # ------------------------------------------------------------ inside
    def _show_turned(self, session: ProjectSession, turned: Turned, cut: int) -> None:
        """Show the text that the draft has moved to, or the one that it left.

        If something was typed meanwhile, stay there: it is not saved.
        """
        editor = self._window.editor
        text, follows = editor.text(), editor.is_at_bottom
        place = Utf16Positions(text).to_text(cut)
        first, rest = text[:place], text[place:]
        if turned.heading is not None:
            rest = turned.heading.applied(rest)
        if was_typed := self._current.autosave.is_unstored:
            follows = first == turned.first.text or not _is_one_longer(rest, turned.rest.text)
        if follows:
            if first != turned.first.text:
                self._tasks.run_now(partial(session.save_other, turned.first.document_id, first))
            editor.history.left_at(cut)
            session.open_draft_target()
            self._current.shown_id = turned.rest.document_id
            self._view.show_other(session.heading, rest, grows_here=True, drafted_from=0)
            self._tasks.run_now(session.remember_open)
        else:
            editor.drop_from(cut)
            self._view.leave_draft()
        if was_typed:
            self._current.autosave.changed()
            self._tasks.run_now(self._current.autosave.store)


def _is_one_longer(one: str, other: str) -> bool:
    """Return whether one text is a prefix of the other."""
    return one.startswith(other) or other.startswith(one)
