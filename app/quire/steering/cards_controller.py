"""Cards in the window: characters, places and notes, and whether the model is told about them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QTextCursor

from quire.domain.drafting.steering import CARD_KINDS, EMPTY, LoreEntry, NewCard, Steering
from quire.domain.manuscript.tree import NodeKind
from quire.domain.manuscript.tree_edits import in_trash
from quire.domain.manuscript.tree_requests import SetKind
from quire.errors import WriterProblem
from quire.shell.main_window import MainWindow
from quire.shell.task_queue import TaskQueue
from quire.steering.card_bar import CardBar
from quire.steering.card_dialog import CardDialog

if TYPE_CHECKING:  # imported once the window is shown
    from quire.services.drafting.steering_service import SteeringBook
    from quire.services.project.project_session import ProjectSession
    from quire.services.transactions.split_and_merge import Edited

_MAX_NAME = 80

Change = Callable[[Callable[[Steering], Steering]], None]


class CardsController(QObject):
    """Edits what the lorebook keeps of cards, and adds cards to the tree.

    Signals:
        edit_asked: an edit of the tree (BookEdit).
        tree_changed: a card was added: the project, and the edit (Edited).

    Args:
        change: applies a change of the steering, stores it and shows it.
    """

    edit_asked = Signal(object)
    tree_changed = Signal(object, object)

    def __init__(self, window: MainWindow, tasks: TaskQueue, change: Change) -> None:
        super().__init__(window)
        self._window, self._tasks, self._change = window, tasks, change
        self._session: ProjectSession | None = None
        self._book: SteeringBook | None = None
        self.bar = CardBar(window.page)
        window.page.add_above(self.bar)
        self.bar.entry_changed.connect(self.keep_entry)
        self.bar.kind_chosen.connect(self._ask_for_kind)

    @property
    def _steering(self) -> Steering:
        return EMPTY if self._book is None else self._book.steering

    def show(self, session: ProjectSession, book: SteeringBook) -> None:
        """Show what is stored of the card that is open, if one is."""
        self._session, self._book = session, book
        node = session.tree.node(session.document_id)
        if node.kind not in CARD_KINDS or in_trash(session.tree, node.node_id):
            self.bar.hide()
            return
        steering = self._steering
        unknown = LoreEntry(steering.next_entry_id, on=False, node_id=node.node_id)
        entry = steering.entry_of(node.node_id) or unknown
        self.bar.show_card(node.kind, entry, may_edit=not session.read_only)

    async def adopt_entries(self, session: ProjectSession) -> None:
        """Make cards of the entries that a project of an older version keeps outside of its tree."""
        from quire.services.drafting.story_cards import turn_entries_into_cards

        if session.read_only:
            return
        with contextlib.suppress(WriterProblem):  # a full disk: they stay as they are, and work
            edited = await session.write(turn_entries_into_cards)
            if edited is not None:
                self._show_tree(session, edited)

    # ------------------------------------------------------------ edits
    def keep_entry(self, entry: LoreEntry) -> None:
        """Store what was changed of a card."""
        if entry.node_id is None:
            self._change(lambda now: now.with_entry(entry))
            return
        kept = replace(entry, name="", text="")  # the card has its own
        self._change(lambda now: now.with_card(kept))

    def remove_entry(self, entry_id: int) -> None:
        """Tell the model no more of a card; the card stays."""
        self._change(lambda now: now.without_entry(entry_id))

    def tell_of(self, node_id: int, told: bool = True) -> None:
        """Tell the model of a card when it is mentioned, or no more."""
        known = self._steering.entry_of(node_id)
        if told:
            self.keep_entry(
                replace(known or LoreEntry(self._steering.next_entry_id), on=True, node_id=node_id)
            )
        elif known is not None:
            self.keep_entry(replace(known, on=False))

    def _ask_for_kind(self, node_id: int, kind: NodeKind) -> None:
        self.edit_asked.emit(SetKind(node_id, kind))

    def _add(self, card: NewCard, entry: LoreEntry) -> None:
        if self._session is not None:
            self._tasks.run_now(partial(self._add_card, self._session, card, entry))

    async def _add_card(self, session: ProjectSession, card: NewCard, entry: LoreEntry) -> None:
        book = self._book
        if book is None or session is not self._session:
            return
        try:
            edited = await book.add_card(card, entry)
        except WriterProblem:
            if session is self._session:  # what was typed is in the dialog alone
                self._open(replace(entry, name=card.title, text=card.text), is_new=True, kind=card.kind)
            raise
        if session is not self._session:
            return
        self._show_tree(session, edited)
        await book.refresh_notes()
        self._change(lambda now: now)  # only shown: the entry is stored, and may have been edited since

    def _show_tree(self, session: ProjectSession, edited: Edited) -> None:
        session.arranged(edited)
        self.tree_changed.emit(session, edited)

    # ------------------------------------------------------------ dialogs
    def show_entry(self, entry_id: int) -> None:
        """Open the card of an entry; 0: a new one."""
        steering = self._steering
        known = next((one for one in steering.lorebook if one.entry_id == entry_id), None)
        self._open(known or LoreEntry(steering.next_entry_id), is_new=known is None)

    def show_entry_for_selection(self) -> None:
        """Open the card of the selected words, or of the word at the caret; a new one if there is none."""
        if self._book is None:
            return
        caret, steering = self._window.editor.textCursor(), self._steering
        if not caret.hasSelection():
            caret.select(QTextCursor.SelectionType.WordUnderCursor)
        name = " ".join(caret.selectedText().split())[:_MAX_NAME]
        known = self._known(name)
        self._open(known or LoreEntry(steering.next_entry_id, name=name), is_new=known is None)

    def _known(self, name: str) -> LoreEntry | None:
        """Return the entry of the card with a name, whether the model is told about it or not."""
        if not name or self._book is None:
            return None
        for entry in self._steering.lorebook:
            if entry.name.lower() == name.lower():
                return entry
        for note in self._book.notes:
            if note.title.lower() == name.lower():
                number = self._steering.next_entry_id
                return LoreEntry(number, note.title, note.text, node_id=note.node_id)
        return None

    def _open(self, entry: LoreEntry, *, is_new: bool, kind: NodeKind | None = None) -> None:
        dialog = CardDialog(entry, self._window, is_new=is_new)
        if kind is not None:
            dialog.kind_box.show_kind(kind)
            dialog.inclusion_box.show_inclusion(entry.inclusion)
        dialog.card_wanted.connect(self._add)
        dialog.entry_wanted.connect(self.keep_entry)
        dialog.open_asked.connect(self._window.document_asked)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
