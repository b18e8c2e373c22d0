"""The tree of the book in the window: edits are stored first, and then shown."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex
from PySide6.QtGui import QTextCursor

from quire.domain.drafting.draft_status import DraftProgress
from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.title_headings import renamed, title_in
from quire.domain.manuscript.tree import Node, Tree
from quire.domain.manuscript.tree_edits import cleaned_title, in_trash, spot_of
from quire.domain.manuscript.tree_requests import (
    AddText,
    BookEdit,
    Move,
    Rename,
    Restore,
    Shift,
    Split,
    Trash,
    waits_for_pause,
)
from quire.domain.manuscript.word_counts import Words
from quire.editor.utf16_positions import Utf16Positions
from quire.manuscript.manuscript_panel import ManuscriptPanel
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:
    from quire.app import App
    from quire.domain.drafting.run import Run
    from quire.services.project.project_session import ProjectSession
    from quire.services.transactions.split_and_merge import Edited, Turned


class ManuscriptController:
    """Connects the tree of the book to the open project."""

    def __init__(self, app: App) -> None:
        window, events = app.window, app.events
        self._app, self._window, self._status = app, window, window.status
        self._current, self._tasks = app.current, app.tasks
        self.panel = ManuscriptPanel(window.themes, window.commands, window)
        window.add_side_panel(self.panel, self.panel.title)
        self._shown: ProjectSession | None = None
        self._counted: ProjectSession | None = None
        self._last: Document | None = None
        self._open_words: tuple[int | None, Words] = (None, Words())
        self._tree: Tree | None = None
        self._run_words = (0, 0)
        window.status.counted.connect(self._look)
        window.commands.go_to_tree.triggered.connect(self._go_to_tree)
        self.panel.document_chosen.connect(window.document_asked)
        self.panel.write_asked.connect(window.editor.setFocus)
        self.panel.edit_asked.connect(self._ask_for_edit)
        self.panel.split_asked.connect(self._ask_to_split)
        self.panel.view.clicked.connect(self._tree_clicked)
        events.project_closed.subscribe("manuscript", self._forget)
        events.text_shown.subscribe("manuscript", self._show_open)
        events.text_followed.subscribe("manuscript", self._follow)
        events.text_saved.subscribe("manuscript", self.count_open)
        events.target_marked.subscribe("manuscript", self.panel.model.show_target)
        events.draft.progressed.subscribe("manuscript", self._draft_grew)
        events.draft.chapter_turned.subscribe("manuscript", self._advanced)
        events.draft.ended.subscribe("manuscript", self._draft_ended)

    def _show_open(self, session: ProjectSession) -> None:
        """Show which text is open, and the tree of its project if it was just opened."""
        if session is not self._shown:
            self._shown = session
            self._window.undo_chain.forget()
            session.when_saved(self._text_saved)
            self.panel.show_book(session.tree, session.document_id)
            self._show_counted({session.document_id: Words()})
        elif session.tree is not self._tree:  # a draft was undone, or another take chosen, with its chapters
            self.panel.show_tree(session.tree, session.document_id)
            self._tasks.run_now(partial(self._count, session))
        elif session.document_id != self.panel.document_id:
            self.panel.mark(session.document_id)
        self._tree = session.tree
        self._show_part(session)

    def _forget(self) -> None:
        """Show no tree of a project that was closed."""
        self._shown = self._counted = self._last = self._tree = None
        self._open_words = (None, Words())
        self._window.undo_chain.forget()
        self.panel.close_book()

    def _show_part(self, session: ProjectSession) -> None:
        """Say of what the words in the status bar are: a book of one text, or one text of several."""
        order = [node.node_id for node in session.tree.reading_order()]
        self._status.show_part(is_part=order != [session.document_id])

    async def _follow(self, session: ProjectSession) -> None:
        """Count the words of the open text, or of every text in a project that was just opened."""
        self.panel.set_read_only(read_only=bool(session.read_only))
        if session is not self._counted:
            self._counted, self._last = session, session.document
            self._tasks.run_now(partial(self._count, session))
        self.count_open()

    def _look(self) -> None:
        """Show the words of the open text as the bottom line does."""
        known_id, known = self._open_words
        if (
            known_id is not None
            and known_id == self._current.shown_id
            and known.total != self._status.num_words
        ):
            self._show_counted({known_id: known})

    def _draft_grew(self, progress: DraftProgress) -> None:
        """Add the new words to the text that a draft grows in; those of the open one are counted there."""
        session, (run_id, before) = self._current.session, self._run_words
        self._run_words = progress.run_id, progress.num_words
        target = None if session is None else session.draft_target
        if target is None or progress.run_id != run_id:
            return
        target_id = target.document.document_id
        if target_id != self._current.shown_id:
            more = Words(drafted=progress.num_words - before)
            self.panel.show_words({target_id: self.panel.model.words_in(target_id) + more})

    def count_open(self) -> None:
        """Recount the open text if it has changed."""
        session = self._current.session
        if session is not None and session.document is not self._last:
            self._last = session.document
            self._show_counted({session.document_id: Words.of(session.document)})

    def _show_counted(self, words: Mapping[int, Words]) -> None:
        """Show word counts; those of the open text add up to what the bottom line shows, saved or not."""
        shown_id = self._current.shown_id
        if shown_id is not None and shown_id in words:
            more = self._status.num_words - words[shown_id].total
            counted = words[shown_id] + (Words(drafted=more) if self._status.is_busy else Words(written=more))
            self._open_words, words = (shown_id, counted), {**words, shown_id: counted}
        self.panel.show_words(words)

    async def _draft_ended(self, session: ProjectSession, run: Run | None) -> None:
        """Count the words of the text in which a draft ended."""
        if run is not None and run.document_id != self._current.shown_id:
            await self._count(session, (run.document_id,))
        self.count_open()

    def _advanced(self, turned: Turned) -> None:
        """Show where the draft grows now, and count the words of the chapter it has left."""
        session, loop = self._current.session, asyncio.get_running_loop()
        if (
            session is not None
        ):  # in separate turns of the event loop: together they would make the draft stutter
            loop.call_soon(self._show_advanced, session)
            loop.call_soon(self._show_words, session, turned)

    def _show_advanced(self, session: ProjectSession) -> None:
        """Show the current tree and where the draft grows now."""
        if self._current.session is session:
            self._tree = session.tree
            self.panel.show_tree(session.tree, session.document_id)

    def _show_words(self, session: ProjectSession, turned: Turned) -> None:
        """Count the words of the chapter that the draft has left, and move the others to the next one."""
        if self._current.session is session:
            left, left_id, next_id = Words.of(turned.first), turned.first.document_id, turned.rest.document_id
            moved = self.panel.model.words_in(left_id).total - left.total
            self._show_counted({left_id: left, next_id: Words(drafted=max(moved, 0))})

    # ------------------------------------------------------------ actions
    def _ask_for_edit(self, edit: BookEdit) -> None:
        session = self._current.session
        if session is None or session.read_only:
            return
        if waits_for_pause(edit):
            self._tasks.enqueue_exclusive(partial(self._change, session, edit))
        else:
            self._tasks.run_now(partial(self._note, session, edit))

    def _go_to_tree(self) -> None:
        if self._status.is_open:
            self._window.show_side_panel(self.panel)
            self.panel.go_to_tree()

    def _tree_clicked(self, index: QModelIndex) -> None:
        """Show the manuscript when the open text's row is clicked; another text is opened first."""
        node, session = self.panel.model.node_at(index), self._current.session
        is_open = node is not None and session is not None and node.node_id == session.document_id
        if is_open and not self._window.shows_page:
            self._window.show_page()

    def _ask_to_split(self) -> None:
        editor = self._window.editor
        self.panel.ask_to_split(Utf16Positions(editor.text()).to_text(editor.textCursor().position()))

    # ------------------------------------------------------------ edits
    async def _change(self, session: ProjectSession, edit: BookEdit, *, takes_back: bool = False) -> None:
        """Apply an edit that changes the book or which text is open.

        Args:
            takes_back: it undoes an earlier one, so there is nothing new to undo.
        """
        from quire.services.project.tree_editing import change_book

        await self._current.autosave.store()
        if session is not self._current.session:  # it was requested for a project that is no longer open
            return
        before = session.document
        tree = session.tree
        edited = await change_book(session, edit)
        if not takes_back:
            self._offer_undo(edit, tree, edited.tree, was_open=before.document_id)
        self._show(session, edited)
        if session.document != before:
            await self._app.opener.show_text(session)
            if isinstance(edit, Split):
                self._window.editor.moveCursor(QTextCursor.MoveOperation.Start)
        if edited.text_ids:
            await self._count(session, edited.text_ids)
        if isinstance(edit, AddText) and edited.new_id is not None:
            self.panel.edit_title(edited.new_id)
        if isinstance(edit, Trash):
            self._say_trashed(edited.tree.node(edit.node_id))
        if edited.said:
            self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, edited.said))

    def _offer_undo(self, edit: BookEdit, before: Tree, after: Tree, *, was_open: int) -> None:
        """Let Undo move back what was moved, move by move, or restore what was moved to the trash.

        Args:
            was_open: the text that is shown again with what is restored.
        """
        chain, texts = self._window.undo_chain, self.panel.model.texts
        if isinstance(edit, Trash):
            chain.offer(texts.undo_trash(), partial(self._restore, edit.node_id, was_open))
        elif isinstance(edit, Move | Shift) and not in_trash(before, edit.node_id):
            spot = spot_of(before, edit.node_id)
            if spot != spot_of(after, edit.node_id):
                move_back = partial(self._move_back, self._current.session, Move(edit.node_id, spot))
                chain.offer(texts.undo_move(), move_back, then_earlier=True)
        else:
            chain.forget()

    def _move_back(self, session: ProjectSession | None, move: Move) -> None:
        if session is not None and session is self._current.session:
            self._tasks.enqueue_exclusive(partial(self._change, session, move, takes_back=True))

    def _say_trashed(self, node: Node) -> None:
        self._window.notice_bar.show_notice(
            Notice(
                NoticeKind.NOTE,
                UserMessage("“{title}” is in the trash.", title=" ".join(node.title.split())),
                NoticeAction.UNDO,
                act=self._window.undo_chain.undo_offer,
            )
        )

    def _restore(self, node_id: int, was_open: int) -> None:
        self._ask_for_edit(Restore(node_id))
        self._window.document_asked.emit(was_open)

    async def _note(self, session: ProjectSession, edit: BookEdit) -> None:
        """Apply an edit that changes no text; possible while drafting."""
        from quire.services.project.tree_editing import note_in_book

        before = session.tree
        self._show(session, await note_in_book(session, edit))
        if isinstance(edit, Rename):
            self._rename_heading(session, before.node(edit.node_id), edit.title)

    def _rename_heading(self, session: ProjectSession, before: Node, title: str) -> None:
        """Give the heading in the text the title of the tree: they are one thing, written twice.

        In the open text it is an edit like the writer's own, which Undo takes back; another text is changed
        once no draft is running.
        """
        from quire.services.project.tree_editing import rename_heading

        if before.node_id != self._current.shown_id:
            self._tasks.enqueue(partial(rename_heading, session, before.node_id, before.title, title))
            return
        change = renamed(self._window.editor.text(), before.title, title)
        if change is not None:
            self._window.editor.replace_part(change.start, change.end, change.new)

    def _text_saved(self, before: Document, after: Document) -> None:
        """Give the row in the tree the title that the writer gave the heading in the text."""
        session = self._current.session
        if session is None or session is not self._shown or before.document_id != after.document_id:
            return
        node = next((node for node in session.tree.nodes if node.node_id == after.document_id), None)
        old, new = title_in(before.text), title_in(after.text)
        if node is not None and new and old != new and old == cleaned_title(node.title):
            self._ask_for_edit(Rename(node.node_id, new))

    def _show(self, session: ProjectSession, edited: Edited) -> None:
        if session is self._current.session:
            self._tree = session.tree
            self.panel.show_tree(edited.tree, session.document_id)
            self._show_part(session)
            self._status.rename(session.heading)
            self._app.events.tree_changed(session)

    def show_added(self, session: ProjectSession, edited: Edited) -> None:
        """Show texts that were added to the tree elsewhere."""
        self._show(session, edited)
        self._tasks.run_now(partial(self._count, session, edited.text_ids))

    async def _count(self, session: ProjectSession, document_ids: tuple[int, ...] | None = None) -> None:
        from quire.services.transactions.tree_changes import word_counts

        words = await session.read(word_counts, document_ids)
        if session is self._current.session:
            self._show_counted(words)
