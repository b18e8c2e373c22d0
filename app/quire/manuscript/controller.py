"""The tree of the book in the window: what is asked there is stored, and the window shows what came of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QTimer

from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.tree_requests import AddText, BookEdit, waits_for_pause
from quire.domain.manuscript.word_counts import Words
from quire.editor.utf16_positions import Utf16Positions
from quire.projects.current_project import CurrentProject
from quire.services.transactions.edit_result import Edited
from quire.shell.main_window import MainWindow
from quire.shell.notices import Notice, NoticeKind
from quire.shell.project_status import ProjectStatus
from quire.shell.task_queue import TaskQueue

if TYPE_CHECKING:
    from quire.services.project.project_session import ProjectSession

_COUNT_AFTER_MS = 1_000
"""Counting a long chapter takes milliseconds of the window's own time, and the tree need not flicker."""


class ManuscriptController:
    """Wires the tree of the book to the open project; show_text shows the open text as it is stored."""

    def __init__(
        self,
        window: MainWindow,
        status: ProjectStatus,
        current: CurrentProject,
        tasks: TaskQueue,
        show_text: Callable[[ProjectSession], Awaitable[None]],
    ) -> None:
        self._window, self._status, self._current, self._tasks = window, status, current, tasks
        self._show_text = show_text
        self.panel = window.book_panel
        self._counted: ProjectSession | None = None
        self._last: Document | None = None
        self._count_soon = QTimer(window)
        self._count_soon.setSingleShot(True)
        self._count_soon.setInterval(_COUNT_AFTER_MS)
        self._count_soon.timeout.connect(self.count_open)
        status.changed.connect(self._look)
        self.panel.edit_asked.connect(self._ask_for_edit)
        self.panel.split_asked.connect(self._ask_to_split)
        self.panel.view.clicked.connect(self._tree_clicked)

    async def follow(self, session: ProjectSession) -> None:
        """Count the words of the open text; of a project that was just opened, of every text."""
        self.panel.set_read_only(read_only=bool(session.read_only))
        if session is not self._counted:
            self._counted, self._last = session, session.document
            self._tasks.run_now(partial(self._count, session))
        self.count_open()

    def _look(self) -> None:
        """Have the text counted now and then while a draft grows in it."""
        if self._status.is_busy and not self._count_soon.isActive():
            self._count_soon.start()

    def count_open(self) -> None:
        """Count the words of the open text again where they have changed."""
        session = self._current.session
        if session is not None and session.document is not self._last:
            self._last = session.document
            self.panel.show_words({session.document_id: Words.of(session.document)})

    async def count(self, session: ProjectSession, document_id: int) -> None:
        """Count the words of a text again that was changed elsewhere than in the window."""
        await self._count(session, (document_id,))

    # ------------------------------------------------------------ what the window asks for
    def _ask_for_edit(self, edit: BookEdit) -> None:
        session = self._current.session
        if session is None or session.read_only:
            return
        if waits_for_pause(edit):
            self._tasks.enqueue_exclusive(partial(self._change, session, edit))
        else:
            self._tasks.run_now(partial(self._note, session, edit))

    def _tree_clicked(self, index: QModelIndex) -> None:
        """Show the manuscript again when its row is chosen; another text is opened, and shown then."""
        node, session = self.panel.model.node_at(index), self._current.session
        is_open = node is not None and session is not None and node.node_id == session.document_id
        if is_open and not self._window.shows_page:
            self._window.show_page()

    def _ask_to_split(self) -> None:
        editor = self._window.editor
        self.panel.ask_to_split(Utf16Positions(editor.text()).to_text(editor.textCursor().position()))

    # ------------------------------------------------------------ what is done
    async def _change(self, session: ProjectSession, edit: BookEdit) -> None:
        """Do what changes the book or which text is open, in its turn."""
        from quire.services.project.tree_editing import change_book

        await self._current.autosave.store()
        if session is not self._current.session:  # it was asked for in a project that is not open any more
            return
        before = session.document
        edited = await change_book(session, edit)
        self._show(session, edited)
        if session.document != before:
            await self._show_text(session)
        if edited.text_ids:
            await self._count(session, edited.text_ids)
        if isinstance(edit, AddText) and edited.new_id is not None:
            self.panel.edit_title(edited.new_id)
        if edited.said:
            self._window.notice_bar.show_notice(Notice(NoticeKind.NOTE, edited.said))

    async def _note(self, session: ProjectSession, edit: BookEdit) -> None:
        """Do what changes no text, while a draft is written too."""
        from quire.services.project.tree_editing import note_in_book

        self._show(session, await note_in_book(session, edit))

    def _show(self, session: ProjectSession, edited: Edited) -> None:
        if session is self._current.session:
            self.panel.show_tree(edited.tree, session.document_id)
            self._status.show_part(is_part=len(edited.tree.reading_order()) > 1)
            self._status.rename(session.heading)

    async def _count(self, session: ProjectSession, document_ids: tuple[int, ...] | None = None) -> None:
        from quire.services.transactions.tree_changes import word_counts

        words = await session.read(word_counts, document_ids)
        if session is self._current.session:
            self.panel.show_words(words)
