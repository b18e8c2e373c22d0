"""Overlays in the window: highlights on the text, repetition and alternatives."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAction, QTextCursor

from quire.domain.drafting.draft_status import DraftState
from quire.domain.text_quality.overlays import Overlay, OverlaySpan
from quire.editor.overlay_layer import OverlayLayer
from quire.editor.search_matches import select_place
from quire.editor.utf16_positions import Utf16Positions
from quire.errors import WriterProblem
from quire.overlays.alternatives_popover import AlternativesPopover
from quire.overlays.echo_list import EchoList, EchoScope
from quire.ui.translated import translated

if TYPE_CHECKING:  # measuring a text imports numpy, which must not delay the first window
    from quire.app import App
    from quire.domain.text_quality.source_spans import RunStretches
    from quire.domain.text_quality.token_surprise import Surprise
    from quire.services.project.project_session import ProjectSession

OVERLAY_MS = 400
"""Delay after an edit before the overlay is computed again."""
_RESTING = (DraftState.IDLE, DraftState.PAUSED, DraftState.FINISHED, DraftState.FAILED)


class OverlaysController:
    """Connects overlays, the echo list and alternatives to the open project."""

    def __init__(self, app: App) -> None:
        window = app.window
        self._app, self._window, self._current, self._tasks = app, window, app.current, app.tasks
        self._editor, self._on_page = window.editor, app.page_overlays
        self._overlay = Overlay.NONE
        self._surprise: Surprise | None = None
        self._runs: dict[int, tuple[int, RunStretches]] = {}
        self._session: ProjectSession | None = None
        self._computing = asyncio.Lock()
        self._is_stale = False
        self._list: EchoList | None = None
        self._popover: AlternativesPopover | None = None
        self._finding: asyncio.Task[None] | None = None
        self.actions = window.commands
        self.layer = OverlayLayer(self._editor, window)
        self.timer = QTimer(window)
        self.timer.setSingleShot(True)
        self.timer.timeout.connect(self._ask_to_compute)
        self._wire()
        self._dress()
        self._refresh()

    def _wire(self) -> None:
        do = self.actions
        do.inspect_menu.aboutToShow.connect(self._refresh)
        do.next_overlay.triggered.connect(self._on_page.picker.choose_next)
        do.echo_list.triggered.connect(self.show_list)
        do.go_to_twin.triggered.connect(self._go_to_twin)
        do.alternatives.triggered.connect(self._ask_for_alternatives)
        self._on_page.picker.overlay_chosen.connect(self.show_overlay)
        self.layer.repeat_chosen.connect(self._show_place)
        self.layer.place_chosen.connect(self._show_alternatives_at)
        self.layer.menu_asked.connect(self._open_menu)
        self._editor.menu_opens.connect(self._refresh)
        self._editor.copyAvailable.connect(self._refresh)
        self._editor.document().contentsChange.connect(self._edited)
        self._window.status.changed.connect(self._refresh)
        self._window.themes.changed.connect(self._dress)
        self._app.events.text_followed.subscribe("overlays", self.follow)

    # ------------------------------------------------------------ input
    async def follow(self, session: ProjectSession) -> None:
        """Show the overlay on another text."""
        if session is not self._session:
            self._session = session
            session.before_close(partial(self._rest, session))
            self._runs.clear()
            if self._list is not None:
                self._list.close()
        self._close_popover()
        self._surprise = None
        self._compute_in(0)

    async def _rest(self, session: ProjectSession) -> None:
        """Stop reading from a project that was closed."""
        if session is self._session:
            self._session = None
        async with self._computing:
            self._runs.clear()

    def show_overlay(self, overlay: Overlay) -> None:
        """Switch to another overlay, or to none."""
        self._overlay = overlay
        self._on_page.picker.show_overlay(overlay)
        self._on_page.legend.show_overlay(overlay)
        self.layer.clear()
        self._compute_in(0)

    def _open_menu(self, position: int, place: QPoint) -> None:
        """Open the menu of the text with the actions for an echo on top."""
        menu = self._editor.text_menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        first = menu.actions()[0]
        twin = QAction(self.actions.go_to_twin.text(), menu)
        twin.triggered.connect(partial(self.layer.go_to_twin, position))
        menu.insertAction(first, twin)
        menu.insertSeparator(first)
        menu.popup(place)

    # ------------------------------------------------------------ computing
    def _edited(self, position: int, _removed: int, _added: int) -> None:
        self._close_popover()
        if self._surprise is not None:
            start = Utf16Positions(self._editor.text()).to_text(position)
            if not self._surprise.holds_after(start):
                self._surprise = None
        if self._overlay is not Overlay.NONE and not self.timer.isActive():
            self._compute_in(OVERLAY_MS)

    def _compute_in(self, milliseconds: int) -> None:
        self.timer.start(milliseconds)

    def _ask_to_compute(self) -> None:
        if self._computing.locked():
            self._is_stale = True
        elif self._session is not None:
            self._tasks.run_now(self._compute)

    async def _compute(self) -> None:
        """Compute the overlay of the current text, again if it has changed by then."""
        async with self._computing:
            session, overlay, self._is_stale = self._session, self._overlay, False
            if session is None:
                return
            await self._show_marks(session, overlay)
        if self._is_stale:
            self._compute_in(OVERLAY_MS)

    async def _show_marks(self, session: ProjectSession, overlay: Overlay) -> None:
        document, by_pass = session.document, False
        spans: Sequence[OverlaySpan] = ()
        if overlay is Overlay.ECHOES:
            text = self._editor.text()
            self._show_spans(overlay, await asyncio.to_thread(_echo_spans, text), text)
            return
        if overlay is Overlay.SOURCE:
            from quire.domain.text_quality.source_spans import source_spans

            spans = await asyncio.to_thread(source_spans, document.provenance)
        elif overlay is Overlay.GUESSES:
            from quire.domain.text_quality.source_spans import guess_spans

            runs = await self._stretches(session)
            found = await asyncio.to_thread(guess_spans, document.text, document.provenance, runs)
            spans, by_pass = found.spans, found.by_pass
        elif overlay is Overlay.SURPRISE:
            spans = () if self._surprise is None else self._surprise.spans()
            self._show_spans(overlay, spans, self._editor.text())
            return
        else:
            return
        if self._current.shown_id == document.document_id:
            self._show_spans(overlay, spans, document.text, by_pass=by_pass)

    def _show_spans(
        self, overlay: Overlay, spans: Sequence[OverlaySpan], text: str, *, by_pass: bool = False
    ) -> None:
        """Mark spans of a text, unless the text or the overlay has changed meanwhile."""
        if overlay is not self._overlay:
            self._is_stale = True
            return
        if not self._editor.text().startswith(text):
            self._is_stale = True  # the writer typed on, or the changes are not stored yet
            return
        self.layer.show_spans(spans, text)
        self._on_page.legend.show_overlay(overlay, by_pass=by_pass, is_empty=not spans)

    async def _stretches(self, session: ProjectSession) -> dict[int, RunStretches]:
        """Return what the runs wrote in the open text, reading again only where it grew."""
        from quire.domain.text_quality.source_spans import runs_in
        from quire.services.transactions.draft_sources import run_stretches

        sizes = {run.run_id: run.num_tokens for run in session.runs}
        wanted = [run_id for run_id in runs_in(session.document.provenance) if run_id in sizes]
        stale = [n for n in wanted if n not in self._runs or self._runs[n][0] != sizes[n]]
        if stale:
            read = await session.read(run_stretches, stale)
            self._runs.update({run_id: (sizes[run_id], run) for run_id, run in read.items()})
        return {run_id: self._runs[run_id][1] for run_id in wanted if run_id in self._runs}

    # ------------------------------------------------------------ going to places
    def _show_place(self, start: int, end: int) -> None:
        select_place(self._editor, start, end)
        self._editor.setFocus()

    def _go_to_twin(self) -> None:
        self.layer.go_to_twin(self._editor.textCursor().selectionStart())

    def _show_in_book(self, document_id: int, start: int, end: int) -> None:
        session = self._current.session
        if session is not None and document_id == session.document_id:
            self._show_place(start, end)
        else:
            self._tasks.enqueue_exclusive(partial(self._go_to, document_id, start, end))

    async def _go_to(self, document_id: int, start: int, end: int) -> None:
        await self._app.opener.open_document(document_id)
        select_place(self._editor, start, end)

    # ------------------------------------------------------------ the list of echoes
    def show_list(self) -> None:
        """Open the list of echoes beside the text."""
        if self._current.session is None:
            return
        if self._list is None:
            self._list = EchoList(self._window.themes, self._window)
            self._list.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            self._list.wanted.connect(self._ask_for_echoes)
            self._list.place_chosen.connect(self._show_in_book)
            self._list.destroyed.connect(self._list_closed)
        self._list.show()
        self._list.raise_()
        self._ask_for_echoes(self._list.scope)

    def _ask_for_echoes(self, scope: EchoScope) -> None:
        self._tasks.run_now(partial(self._list_echoes, scope))

    async def _list_echoes(self, scope: EchoScope) -> None:
        from quire.domain.text_quality.echo_places import echo_report
        from quire.services.transactions.draft_sources import book_in_order

        session = self._current.session
        if session is None:
            return
        here, text = session.document_id, self._editor.text()
        book = await session.read(book_in_order) if scope is EchoScope.BOOK else [(here, "", text)]
        texts = [(number, text if number == here else stored) for number, _, stored in book]
        report = await asyncio.to_thread(echo_report, texts)
        titles = {number: " ".join(title.split()) for number, title, _ in book}
        if self._list is not None:
            self._list.show_report(scope, report, titles)

    def _list_closed(self) -> None:
        self._list = None

    # ------------------------------------------------------------ alternatives
    def _ask_for_alternatives(self) -> None:
        """Open the popover at the words at once; what it shows follows."""
        caret, session = self._chosen_words(), self._current.session
        if session is not None and caret.hasSelection():
            popover = self._open_popover(caret)
            self._tasks.run_now(partial(self._fill_popover, popover, caret))

    async def _fill_popover(self, popover: AlternativesPopover, caret: QTextCursor) -> None:
        if self._popover is not popover:
            return
        self._finding = asyncio.current_task()
        try:
            await self._find_alternatives(popover, caret)
        except WriterProblem as problem:
            if self._popover is popover:
                popover.show_problem(translated(problem.message))
        finally:
            if self._popover is popover:
                self._finding = None

    async def _find_alternatives(self, popover: AlternativesPopover, caret: QTextCursor) -> None:
        from quire.domain.text_quality.token_surprise import (
            checked_selection,
            surprise_of,
            whole_words,
            word_choices,
        )

        await self._current.autosave.store()
        session = self._current.require_session()
        story, text = await session.story(), session.text
        positions = Utf16Positions(text)
        selected = positions.to_text(caret.selectionStart()), positions.to_text(caret.selectionEnd())
        start, end = whole_words(text, *selected)
        before = len(story) - len(text)
        prompt, chosen = checked_selection(story, before + start, before + end)
        questions = await self._app.drafts.questions()
        scored = await questions.score(prompt, chosen, popover.show_share)
        if self._popover is not popover:
            return
        self._surprise = surprise_of(start, chosen, scored)
        if self._overlay is Overlay.SURPRISE:
            self._compute_in(0)
        popover.show_choices(word_choices(self._surprise, text))

    def _show_alternatives_at(self, position: int) -> None:
        """Open the alternatives of a word that was clicked where surprises are marked."""
        from quire.domain.text_quality.token_surprise import word_choices

        if self._surprise is None or self._overlay is not Overlay.SURPRISE:
            return
        text = self._editor.text()
        place = Utf16Positions(text).to_text(position)
        choices = word_choices(self._surprise, text)
        number = next(
            (n for n, one in enumerate(choices) if one.start <= place < one.start + len(one.text)), None
        )
        if number is not None:
            caret = self._editor.textCursor()
            caret.setPosition(position)
            caret.select(QTextCursor.SelectionType.WordUnderCursor)
            self._open_popover(caret).show_choices(choices, number)

    def _open_popover(self, words: QTextCursor) -> AlternativesPopover:
        self._close_popover()
        popover = self._popover = AlternativesPopover(self._window.themes.tokens, self._window)
        popover.redraft_asked.connect(self._app.takes.redraft_with)
        popover.replace_asked.connect(self._replace)
        popover.finished.connect(partial(self._popover_closed, popover))
        first = QTextCursor(words)
        first.setPosition(words.selectionStart())
        place = self._editor.cursorRect(first)
        popover.open_at(QRect(self._editor.viewport().mapToGlobal(place.topLeft()), place.size()))
        return popover

    def _close_popover(self) -> None:
        """Close the popover, and ask no more: its words may be gone."""
        if self._popover is not None:
            self._popover.reject()

    def _popover_closed(self, popover: AlternativesPopover, _result: int) -> None:
        if self._popover is popover:
            self._popover = None
            finding, self._finding = self._finding, None
            if finding is not None:
                finding.cancel()

    def _replace(self, start: int, old: str, new: str) -> None:
        """Put an alternative in place of a word, and leave what follows it as it is."""
        text = self._editor.text()
        if self._is_resting and text[start : start + len(old)] == old:
            self._editor.replace_part(start, start + len(old), new)
            self._editor.setFocus()

    # ------------------------------------------------------------ inside
    def _chosen_words(self) -> QTextCursor:
        """Return the selection, or the word at the caret; empty where there is neither."""
        caret = self._editor.textCursor()
        if not caret.hasSelection():
            caret.select(QTextCursor.SelectionType.WordUnderCursor)
            if not any(map(str.isalnum, caret.selectedText())):
                caret.clearSelection()
        return caret

    @property
    def _is_resting(self) -> bool:
        status = self._window.status
        return status.is_open and not status.read_only and status.status.state in _RESTING

    def _refresh(self) -> None:
        status = self._window.status
        do = self.actions
        for action in (do.next_overlay, do.echo_list):
            action.setEnabled(status.is_open)
        span = self.layer.span_at(self._editor.textCursor().selectionStart())
        do.go_to_twin.setEnabled(span is not None and span.twin is not None)
        do.name_alternatives(of_selection=self._editor.textCursor().hasSelection())
        do.alternatives.setEnabled(self._is_resting and self._chosen_words().hasSelection())
        if not self._is_resting:
            self._close_popover()

    def _dress(self) -> None:
        self.layer.set_tokens(self._window.themes.tokens)


def _echo_spans(text: str) -> tuple[OverlaySpan, ...]:
    from quire.domain.text_quality.echo_places import EchoedText

    return EchoedText(text).spans()
