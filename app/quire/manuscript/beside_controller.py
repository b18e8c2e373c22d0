"""A second text in the window, read-only: one editor owns each text, so no word is ever written twice."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from quire.domain.manuscript.manuscript import Document
from quire.domain.manuscript.tree import NodeKind, Tree
from quire.domain.manuscript.tree_edits import in_trash
from quire.events import Events
from quire.manuscript.text_beside import TextBeside
from quire.shell.notices import Notice, NoticeKind
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:
    from quire.app import App
    from quire.domain.drafting.run import Run
    from quire.services.project.project_session import ProjectSession
    from quire.services.transactions.split_and_merge import Turned

_FOLLOW_MS = 500
"""How often the second text is refreshed while a draft grows in it."""
_CARDS = (NodeKind.CHARACTER, NodeKind.PLACE, NodeKind.NOTE)


class BesideController:
    """Shows another text beside the manuscript, as it is stored, and remembers it for each project.

    It reads what the editor on the left, or a draft, has stored; editing means to exchange the two texts.
    """

    def __init__(self, app: App) -> None:
        window, panel = app.window, app.manuscript.panel
        self._window, self._panel, self._current, self._tasks = window, panel, app.current, app.tasks
        self._settings, self._toggle = app.settings, window.commands.beside
        self._session: ProjectSession | None = None
        self._shown: int | None = None
        self._on_page: int | None = None
        self._has_take = False
        self.pane = TextBeside(window.themes)
        window.page.add_beside(self.pane, stretch=1)
        self.pane.follow(window.page)
        self._soon = QTimer(window)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_FOLLOW_MS)
        self._soon.timeout.connect(self.refresh)
        self._toggle.triggered.connect(self._switch)
        window.commands.go_to_beside.triggered.connect(self._go_to)
        panel.beside_asked.connect(self.show_text)
        self.pane.text_chosen.connect(self.show_text)
        self.pane.edit_asked.connect(self._exchange)
        self.pane.closed.connect(self.close)
        app.takes.panel.beside_asked.connect(self._show_take)
        app.reading.focus.add(self.pane)
        self._subscribe(app.events)

    def _subscribe(self, events: Events) -> None:
        events.project_closed.subscribe("beside", self._forget)
        events.text_followed.subscribe("beside", self._follow)
        events.tree_changed.subscribe("beside", self._rearranged)
        events.draft.saved.subscribe("beside", self._saved_draft)
        events.draft.chapter_turned.subscribe("beside", self._turned)
        events.draft.ended.subscribe("beside", self._draft_ended)

    @property
    def shown_id(self) -> int | None:
        """Return the number of the text that is shown; None without one."""
        return self._shown

    async def _follow(self, session: ProjectSession) -> None:
        """Show what was beside a project that was opened; else what another text is now."""
        self._take_up(session)
        await self._read(session)

    def _take_up(self, session: ProjectSession) -> None:
        """Recall what was beside another project, before the writer chooses: its follow-up may come later."""
        if session is not self._session:
            self._session = session
            session.when_saved(self._saved)
            kept = self._settings.settings.beside.get(str(session.path), "")
            self._set_shown(int(kept) if kept.isdecimal() else None)

    def show_text(self, node_id: int) -> None:
        """Show a text of the project."""
        if (session := self._current.session) is not None:
            self._take_up(session)
        self._set_shown(node_id)
        self._remember()
        self._show_page()
        self.refresh()

    def _show_take(self, take_id: int, name: str) -> None:
        """Show the open text as it reads with one of its takes, from the take on; it is not remembered."""
        session = self._current.session
        if session is not None and session is self._session:
            self._show_page()
            self._tasks.run_now(partial(self._read_take, session, take_id, name))

    def close(self) -> None:
        """Show the manuscript alone."""
        had_focus = self.pane.isAncestorOf(self._window.focusWidget() or self._window)
        self._set_shown(None)
        self._remember()
        if had_focus:
            self._window.editor.setFocus()

    def _forget(self) -> None:
        """Show no text of a project that was closed."""
        self._session = None
        self._soon.stop()
        self._set_shown(None)

    def refresh(self) -> None:
        """Show the text as it is stored by now."""
        session = self._current.session
        if session is not None and session is self._session:
            self._tasks.run_now(partial(self._read, session))

    def _rearranged(self, _session: ProjectSession) -> None:
        """Follow a change of the tree."""
        self.refresh()

    def _turned(self, _turned: Turned) -> None:
        """Follow a draft that has moved to another text."""
        self.refresh()

    async def _draft_ended(self, session: ProjectSession, _run: Run | None) -> None:
        """Show the last words of a draft."""
        await self._read(session)

    def _saved_draft(self) -> None:
        """Show soon what a draft has written into the text."""
        if self._shown is not None and not self._soon.isActive():
            self._soon.start()

    # ------------------------------------------------------------ inside
    def _switch(self, on: bool) -> None:
        if not on:
            self.close()
        elif (session := self._current.session) is not None:
            order = [node_id for node_id, _ in self._choices(session.tree)]
            place = order.index(session.document_id) if session.document_id in order else 0
            self.show_text(order[max(place - 1, 0)])  # what comes before is what is looked up most
            self.pane.text_box.setFocus()

    def _go_to(self) -> None:
        if self._shown is None and not self._has_take:
            self._toggle.trigger()
        else:
            self.pane.page.setFocus()

    def _exchange(self) -> None:
        """Bring the text to the left, where it can be edited, and what was there to the right."""
        wanted, before = self._shown, self._current.shown_id
        if wanted is not None and before is not None and wanted != before:
            self.show_text(before)
            self._window.document_asked.emit(wanted)

    def _show_page(self) -> None:
        """Show the manuscript, which the text is beside; say it where there is no room for both."""
        if not self._window.shows_page and not self._window.shows_message:
            self._window.show_page()
        if not self.pane.has_room:
            self._window.notice_bar.show_notice(
                Notice(
                    NoticeKind.NOTE,
                    UserMessage(
                        "The page is too narrow for a second text. Make the window wider, or hide a panel."
                    ),
                )
            )

    def _set_shown(self, node_id: int | None, *, is_take: bool = False) -> None:
        self._shown, self._has_take, self._on_page = node_id, is_take, None
        is_on = node_id is not None or is_take
        self.pane.set_wanted(wanted=is_on)
        self._toggle.setChecked(is_on)

    def _remember(self) -> None:
        if self._session is not None:
            path = str(self._session.path)
            others = {name: kept for name, kept in self._settings.settings.beside.items() if name != path}
            shown = {} if self._shown is None else {path: str(self._shown)}
            self._settings.change(beside=others | shown)

    def _saved(self, _before: Document, after: Document) -> None:
        if after.document_id == self._shown:
            self._present(after.text)

    async def _read(self, session: ProjectSession) -> None:
        """Show the text as it is stored; a text that is gone is shown no more."""
        from quire.services.transactions.project_text import read_document

        node_id, target = self._shown, session.draft_target
        if node_id is None:
            return
        if not self._is_there(session.tree, node_id):
            self._set_shown(None)
            self._remember()  # its number may be given to another text
            return
        if target is not None and target.document.document_id == node_id:
            text = target.document.text
        elif session.document_id == node_id:
            text = session.text
        else:
            text = (await session.read(read_document, node_id)).text
        if session is self._current.session and node_id == self._shown:
            self._present(text)

    async def _read_take(self, session: ProjectSession, take_id: int, name: str) -> None:
        from quire.services.transactions.take_queries import source_of_take

        found = await session.read(source_of_take, take_id)
        if session is not self._current.session or session is not self._session:
            return
        self._set_shown(None, is_take=True)
        begins_in = session.tree.node(found.document.document_id)
        title = f"{name} \u2013 {self._panel.model.texts.title(begins_in)}"
        self.pane.show_choices(self._choices(session.tree), None, title)
        self.pane.show_text(found.document.text, title, is_same=False, may_edit=False)
        self.pane.page.go_to(found.start)

    def _present(self, text: str) -> None:
        session, node_id = self._session, self._shown
        if session is None or node_id is None:
            return
        self.pane.show_choices(self._choices(session.tree), node_id)
        title = self._panel.model.texts.title(session.tree.node(node_id))
        is_same, self._on_page = node_id == self._on_page, node_id
        self.pane.show_text(text, title, is_same=is_same, may_edit=node_id != self._current.shown_id)

    def _choices(self, tree: Tree) -> list[tuple[int, str]]:
        """Return what can be shown: the book in reading order, then characters, places and notes."""
        texts = self._panel.model.texts
        book = [(node.node_id, texts.title(node)) for node in tree.reading_order()]
        cards = [node for node in tree.children(None) if node.kind in _CARDS and node.trashed is None]
        cards.sort(key=lambda node: _CARDS.index(node.kind))
        return book + [(one.node_id, f"{texts.kind(one.kind)}: {texts.title(one)}") for one in cards]

    def _is_there(self, tree: Tree, node_id: int) -> bool:
        known = {node.node_id for node in tree.nodes}
        return node_id in known and not in_trash(tree, node_id)
