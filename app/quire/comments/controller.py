"""Comments in the window: cards beside the text, and all of them in the right panel."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from quire.comments.comment_cards import CommentCards
from quire.comments.comment_layer import NEW, CommentLayer
from quire.comments.comment_margin import CommentMargin
from quire.comments.comments_panel import CommentsPanel
from quire.domain.manuscript.comments import Comment, after_change, anchored, shifted, unplaced, words_at
from quire.editor.search_matches import select_place
from quire.editor.utf16_positions import Utf16Positions
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:  # SQLAlchemy is slow to import
    from quire.app import App
    from quire.domain.drafting.run import Run
    from quire.domain.manuscript.manuscript import Document
    from quire.services.project.project_session import ProjectSession
    from quire.services.transactions.comment_changes import CommentedText
    from quire.services.transactions.split_and_merge import Turned


_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _NewComment:
    """A comment that is being written, as it was when it was begun, and the text that it is on."""

    document_id: int
    comment: Comment


class CommentsController:
    """Connects comments to the open project; they are stored first, and then shown."""

    def __init__(self, app: App) -> None:
        window = app.window
        self._app, self._window, self._current, self._tasks = app, window, app.current, app.tasks
        self._editor, self._themes, self.actions = window.editor, window.themes, window.commands
        self._session: ProjectSession | None = None
        self._book: Sequence[CommentedText] = ()
        self._new: _NewComment | None = None
        self._shown_id: int | None = None
        self._active: int | None = None
        self._going = False
        self.layer = CommentLayer(self._editor, self._themes.tokens, window)
        self.margin = CommentMargin(self._editor, self._themes, self.layer.range_of)
        self.panel = CommentsPanel(self._themes, self.actions.comment, window)
        app.steering.dock.add(self.panel, self.panel.title)
        self._wire()
        self._refresh()

    def _wire(self) -> None:
        do = self.actions
        do.comment.triggered.connect(self._comment)
        do.next_comment.triggered.connect(partial(self._step, 1))
        do.previous_comment.triggered.connect(partial(self._step, -1))
        do.all_comments.triggered.connect(self._show_list)
        for cards in (self.margin, self.panel):
            cards.chosen.connect(self._go_to)
            cards.activated.connect(self._activate)
            cards.saved.connect(self._save)
            cards.dropped.connect(self._drop)
            cards.resolve_asked.connect(self._resolve)
            cards.delete_asked.connect(self._delete)
        self._editor.cursorPositionChanged.connect(self._caret_moved)
        self._editor.menu_opens.connect(self._refresh)
        self._window.status.changed.connect(self._refresh)
        self._themes.changed.connect(self._dress)
        events = self._app.events
        events.text_followed.subscribe("comments", self._follow)
        events.tree_changed.subscribe("comments", self._rearranged)
        events.draft.chapter_turned.subscribe("comments", self._advanced)
        events.draft.ended.subscribe("comments", self._draft_ended)

    # ------------------------------------------------------------ what is stored
    async def _follow(self, session: ProjectSession) -> None:
        """Show the comments on the open text, once what was being written elsewhere is stored."""
        if self._session is not None and (self._session, self._shown_id) != (session, self._current.shown_id):
            await self._flush(self._session)
        if session is not self._session:
            self._session, self._book = session, ()
            session.when_saved(self._text_saved)
            session.before_close(partial(self._rest, session))
        self._shown_id = self._current.shown_id
        await self._load(session)

    async def _draft_ended(self, session: ProjectSession, _run: Run | None) -> None:
        """Show where comments are after a draft."""
        await self._load(session)

    def _advanced(self, turned: Turned) -> None:
        """Show where comments are after a draft went on in a new text."""
        new, kept = self._new, len(turned.first.text)
        if new is not None and new.document_id == turned.first.document_id and new.comment.start >= kept:
            self._new = _NewComment(turned.rest.document_id, shifted(new.comment, -kept))
        if self._session is not None:
            self._tasks.run_now(partial(self._turned, self._session))

    async def _turned(self, session: ProjectSession) -> None:
        if session is self._session and self._shown_id != self._current.shown_id:
            await self._flush(session)
            self._shown_id = self._current.shown_id
        await self._load(session)

    def _rearranged(self, _session: ProjectSession) -> None:
        """List the texts in their new order."""
        self._load_soon()

    async def _rest(self, session: ProjectSession) -> None:
        """Store what is being written before a project is closed."""
        if session is self._session:
            try:
                await self._flush(session)
            except Exception:  # noqa: BLE001 - the other steps of closing must follow
                _log.exception("a comment could not be stored before the project was closed")
                self._say_unstored()
            self._end_new()
            self._session, self._book = None, ()
            self.layer.show_comments((), "")
            self.margin.show_comments((), may_edit=False)
            self.panel.show_texts((), None, may_edit=False)

    async def _flush(self, session: ProjectSession) -> None:
        unstored, new = self._take_unstored(), self._placed_new()
        for number, (comment_id, text) in enumerate(unstored):
            try:
                await self._store(session, comment_id, text, new)
            except Exception:
                for one in unstored[number:]:
                    self._write_on(*one)
                raise
        self._end_new()

    def _take_unstored(self) -> list[tuple[int, str]]:
        return [*self.margin.take_unstored(), *self.panel.take_unstored()]

    def _write_on(self, comment_id: int, text: str) -> None:
        """Show again what could not be stored, to be stored later."""
        places = (self._cards(), self.margin, self.panel)
        cards = next((one for one in places if one.card(comment_id) is not None), self.panel)
        cards.edit(comment_id, text)

    def _say_unstored(self) -> None:
        """Show what could not be stored in a project that is being closed: it can be copied from there."""
        for _, text in self._take_unstored():
            message = UserMessage("This comment could not be saved: {text}", text=text)
            self._window.notice_bar.show_notice(Notice(NoticeKind.ERROR, message))

    def _text_saved(self, _before: Document, after: Document) -> None:
        if self._session is not None and self._book:
            self._tasks.run_now(partial(self._load_text, self._session, after.document_id))

    async def _load_text(self, session: ProjectSession, document_id: int) -> None:
        """Show the comments of one text again, or those of the book where some came into it or left it."""
        from quire.services.transactions.comment_changes import comments_of

        known = next((text for text in self._book if text.document_id == document_id), None)
        comments = await session.read(comments_of, document_id)
        numbers = () if known is None else sorted(one.comment_id for one in known.comments)
        if sorted(one.comment_id for one in comments) != list(numbers):
            await self._load(session)
        elif known is not None and session is self._session and session is self._current.session:
            changed = replace(known, comments=comments)
            self._book = tuple(changed if text is known else text for text in self._book)
            self._show(session)

    def _load_soon(self) -> None:
        if self._session is not None:
            self._tasks.run_now(partial(self._load, self._session))

    async def _load(self, session: ProjectSession) -> None:
        from quire.services.transactions.comment_changes import comments_in_book

        book = await session.read(comments_in_book)
        if session is self._session and session is self._current.session:
            self._book = book
            self._show(session)

    def _show(self, session: ProjectSession) -> None:
        """Show what is stored, at the words as they are in the window."""
        here, text, may_edit = self._current.shown_id, self._editor.text(), not session.read_only
        stored = next((one.comments for one in self._book if one.document_id == here), ())
        if session.document_id == here:
            stored = after_change(stored, session.text, text)
        self.layer.show_comments(stored, text)
        self.margin.show_comments(stored, may_edit=may_edit)
        self.panel.show_texts(self._book, here, may_edit=may_edit)

    # ------------------------------------------------------------ writing
    def _comment(self) -> None:
        """Comment on the selected words or the paragraph, or edit the comment at the cursor."""
        caret, text, here = self._editor.textCursor(), self._editor.text(), self._current.shown_id
        there = None if caret.hasSelection() else self.layer.comment_at(caret.position())
        if there is not None:
            self._cards().edit(there)
            return
        places = Utf16Positions(text)
        start, end = words_at(
            text, places.to_text(caret.selectionStart()), places.to_text(caret.selectionEnd())
        )
        if start == end or here is None:
            message = UserMessage("There are no words here to comment on. Put the cursor in a paragraph.")
            self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, message))
            return
        self._end_new()
        caret.setPosition(caret.selectionEnd())  # what is typed next must not replace the words
        self._editor.setTextCursor(caret)
        blank = unplaced(NEW, "", "", datetime.now(UTC))
        self._new = _NewComment(here, anchored(blank, text, start, end))
        self.layer.begin(places.to_document(start), places.to_document(end))
        self._cards().begin(self._new.comment)

    def _cards(self) -> CommentCards:
        """Return where comments are written: in the margin, or in the panel of a narrower window."""
        if self.margin.has_room:
            return self.margin
        self._app.steering.show_beside(self.panel)
        return self.panel

    def _save(self, comment_id: int, text: str) -> None:
        self._leave_cards()
        if self._session is not None:
            self._tasks.run_now(partial(self._saved, self._session, comment_id, text, self._placed_new()))

    def _placed_new(self) -> _NewComment | None:
        """Return the new comment at its words as they are now."""
        new, place = self._new, self.layer.range_of(NEW)
        if new is None or place is None or place[0] == place[1] or new.document_id != self._current.shown_id:
            return new
        text = self._editor.text()
        places = Utf16Positions(text)
        start, end = places.to_text(place[0]), places.to_text(place[1])
        return replace(new, comment=anchored(new.comment, text, start, end))

    async def _saved(
        self, session: ProjectSession, comment_id: int, text: str, new: _NewComment | None
    ) -> None:
        try:
            if comment_id == NEW:
                await self._current.autosave.store_everything()
            comment_id = await self._store(session, comment_id, text, new)
        except Exception:
            self._write_on(comment_id, text)
            raise
        self._end_new()
        await self._load(session)
        self._activate(comment_id)

    async def _store(
        self, session: ProjectSession, comment_id: int, text: str, new: _NewComment | None
    ) -> int:
        """Store a new comment or a new wording; return its number."""
        from quire.services.transactions import comment_changes

        if comment_id != NEW:
            await session.write(comment_changes.change, comment_id, text=text)
        elif new is not None:
            comment = replace(new.comment, text=text)
            comment_id = (await session.write(comment_changes.add, new.document_id, comment)).comment_id
        return comment_id

    def _drop(self, comment_id: int) -> None:
        if comment_id == NEW:
            self._leave_cards()
            self._end_new()

    def _leave_cards(self) -> None:
        """Let the writer write on in the text, unless they already work elsewhere."""
        focus = QApplication.focusWidget()
        if focus is not None and (self.margin.isAncestorOf(focus) or self.panel.isAncestorOf(focus)):
            self._editor.setFocus()

    def _end_new(self) -> None:
        self._new = None
        self.layer.end()
        self.margin.end()
        self.panel.end()

    # ------------------------------------------------------------ resolving and deleting
    def _resolve(self, comment_id: int, resolved: bool) -> None:
        if self._session is not None:
            self._tasks.run_now(partial(self._resolved, self._session, comment_id, resolved))

    async def _resolved(self, session: ProjectSession, comment_id: int, resolved: bool) -> None:
        from quire.services.transactions.comment_changes import change

        await session.write(change, comment_id, resolved=resolved)
        await self._load(session)
        if resolved:
            undo = partial(self._resolve, comment_id, False)
            self._offer_undo(
                UserMessage("Comment resolved."),
                QCoreApplication.translate("CommentsController", "&Undo Resolve Comment"),
                undo,
            )

    def _delete(self, comment_id: int) -> None:
        if self._session is not None and comment_id != NEW:
            self._tasks.run_now(partial(self._deleted, self._session, comment_id))

    async def _deleted(self, session: ProjectSession, comment_id: int) -> None:
        from quire.services.transactions.comment_changes import delete

        deleted = await session.write(delete, comment_id)
        await self._load(session)
        if deleted is not None:
            undo = partial(self._tasks.run_now, partial(self._put_back, session, *deleted))
            self._offer_undo(
                UserMessage("Comment deleted."),
                QCoreApplication.translate("CommentsController", "&Undo Delete Comment"),
                undo,
            )

    async def _put_back(self, session: ProjectSession, document_id: int, comment: Comment) -> None:
        from quire.services.transactions.comment_changes import put_back

        stored = await session.write(put_back, document_id, comment)
        await self._load(session)
        self._activate(stored.comment_id)

    def _offer_undo(self, said: UserMessage, text: str, undo: Callable[[], None]) -> None:
        """Let Undo take it back; while a draft is written, the note above the text alone does."""
        chain, act = self._window.undo_chain, undo
        if self._window.status.is_at_rest:
            chain.offer(text, undo, then_earlier=True)
            act = chain.undo_offer
        self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, said, NoticeAction.UNDO, act=act))

    # ------------------------------------------------------------ going to comments
    def _go_to(self, comment_id: int, to_write: bool) -> None:
        """Show the words of a comment; to_write: and put the cursor there."""
        found = next(
            ((text.document_id, one) for text in self._book for one in text.comments
             if one.comment_id == comment_id), None,
        )  # fmt: skip
        if found is not None and found[0] != self._current.shown_id:
            self._tasks.enqueue_exclusive(partial(self._open_at, found[0], comment_id))
        elif found is not None:
            self._show_words(comment_id)
            if to_write:
                self._editor.setFocus()

    async def _open_at(self, document_id: int, comment_id: int) -> None:
        await self._app.opener.open_document(document_id)
        self._show_words(comment_id)
        self._editor.setFocus()

    def _show_words(self, comment_id: int) -> None:
        place = self.layer.range_of(comment_id)
        if place is None:
            return
        start = Utf16Positions(self._editor.text()).to_text(place[0])
        self._going = True
        try:
            select_place(self._editor, start, start)
        finally:
            self._going = False
        self._activate(comment_id)

    def _step(self, by: int) -> None:
        """Go to the next or previous open comment of the book, around its end."""
        found = [
            (text.document_id, one.comment_id)
            for text in self._book
            for one in text.comments
            if not one.resolved
        ]
        if not found:
            message = UserMessage("There are no open comments in this book.")
            self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, message))
            return
        self._go_to(self._following(found, by), True)

    def _following(self, found: Sequence[tuple[int, int]], by: int) -> int:
        """Return the comment after the active one, or else after the cursor; or before it."""
        numbers = [number for _, number in found]
        if self._active in numbers:
            return numbers[(numbers.index(self._active) + by) % len(numbers)]
        later = [number for document_id, number in found if self._is_later(document_id, number)]
        first = numbers.index(later[0]) if later else len(numbers)
        return numbers[(first if by > 0 else first - 1) % len(numbers)]

    def _is_later(self, document_id: int, number: int) -> bool:
        """Return whether a comment comes after the cursor in the book."""
        here = self._current.shown_id
        if document_id == here:
            return (self._start_of(number) or 0) >= self._editor.textCursor().position()
        texts = () if self._session is None else self._session.tree.texts()
        order = [node.node_id for node in texts]
        return here in order and document_id in order and order.index(document_id) > order.index(here)

    def _show_list(self) -> None:
        self._app.steering.show_beside(self.panel)
        self.panel.show_book()
        (self.panel.first_card or self.panel.scope_box).setFocus()

    # ------------------------------------------------------------ the active comment
    def _activate(self, comment_id: int | None) -> None:
        if comment_id == NEW:
            return
        self._active = comment_id
        self.layer.activate(comment_id)
        self.margin.activate(comment_id)
        self.panel.activate(comment_id)

    def _caret_moved(self) -> None:
        """Emphasise the comment that the cursor is in."""
        if self._going:
            return
        there = self.layer.comment_at(self._editor.textCursor().position())
        if there != self._active:
            self._activate(there)

    def _start_of(self, comment_id: int) -> int | None:
        place = self.layer.range_of(comment_id)
        return None if place is None else place[0]

    def _refresh(self) -> None:
        status, caret = self._window.status, self._editor.textCursor()
        do = self.actions
        for action in (do.next_comment, do.previous_comment, do.all_comments):
            action.setEnabled(status.is_open)
        do.comment.setEnabled(status.is_open and not status.read_only)
        there = None if caret.hasSelection() else self.layer.comment_at(caret.position())
        do.name_comment(is_there=there is not None)

    def _dress(self) -> None:
        self.layer.set_tokens(self._themes.tokens)
