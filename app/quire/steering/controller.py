"""Steering in the window: the writer's guidance of the model is stored, measured and shown; runs start
with it.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDialog, QWidget

from quire.domain.drafting.draft_status import DraftState
from quire.domain.drafting.presets import DEFAULT, Preset
from quire.domain.drafting.prompt_composition import ComposedPrompt, NextPrompt, PromptReader
from quire.domain.drafting.prompt_preview import PromptPreview, view_of, view_read
from quire.domain.drafting.reread_cost import cost_sentence
from quire.domain.drafting.steering import RestartReason, Steering
from quire.presets.controller import PresetsController
from quire.shell.notices import Notice, NoticeKind
from quire.shell.right_panel import RightPanel
from quire.steering.cards_controller import CardsController
from quire.steering.memory_history_dialog import MemoryVersionsDialog
from quire.steering.notes_panel import NoteLine, NotesPanel
from quire.steering.prompt_preview_dialog import ModelViewDialog
from quire.steering.steering_panel import NoteName, SteerPanel
from quire.ui.form_parts import Section
from quire.ui.tree_labels import TreeLabels
from quire_engine.api.config import SamplingConfig
from quire_engine.api.queries import PromptViewed
from quire_engine.api.user_message import UserMessage

if TYPE_CHECKING:  # imported once the window is shown
    from quire.app import App
    from quire.domain.drafting.run import Run
    from quire.services.drafting.steering_service import SteeringBook
    from quire.services.project.project_session import ProjectSession
    from quire.settings.settings import Settings

MEASURE_AFTER_MS = 400
REST_WITHIN_S = 2.0

ViewPrompt = Callable[[NextPrompt], Awaitable[PromptViewed | None]]
"""Returns how the model would read what a draft sends, or None if the model is not available."""
_NOTES_ARE_YOURS = UserMessage("Notes are yours alone. Open a chapter to continue the book.")


class SteeringController:
    """Connects the right panel, the presets and the Steering menu to the open project."""

    def __init__(self, app: App) -> None:
        window, tasks = app.window, app.tasks
        self._app, self._window, self._themes = app, window, window.themes
        self._current, self._tasks = app.current, tasks
        self._book: SteeringBook | None = None
        self._session: ProjectSession | None = None
        self._usual = DEFAULT.name
        self._reader: PromptReader | None = None
        self._reading_pace = 0.0
        self._view: ViewPrompt | None = None
        self._kinds = TreeLabels()
        self._opening, self._measuring = asyncio.Lock(), asyncio.Lock()
        self._resting: ProjectSession | None = None
        self._view_dialog: ModelViewDialog | None = None
        self.actions = window.commands
        self.dock = RightPanel(window.themes, window)
        self.panel, self.notes = SteerPanel(window.themes, self.dock), NotesPanel(self.dock)
        self.presets = PresetsController(app, self.choose)
        app.controls.bar.add_after_goal(self.presets.box)
        self.cards = CardsController(window, tasks, self._change)
        self._measure_soon = QTimer(window)
        self._measure_soon.setSingleShot(True)
        self._measure_soon.setInterval(MEASURE_AFTER_MS)
        self._measure_soon.timeout.connect(self._ask_to_measure)
        self._status, self._is_drafting = window.status, False
        window.status.changed.connect(self._look)
        self._place()
        self._wire()
        self._subscribe()

    # ------------------------------------------------------------ input
    def set_reader(self, reader: PromptReader, view: ViewPrompt | None) -> None:
        """Set the model that reads the next prompt; view: asks it, None until it is loaded."""
        self._reader, self._view = reader, view
        self.panel.offer_chat(offered=reader.has_chat)
        self.measure_soon()

    def set_reading_pace(self, tokens_per_s: float) -> None:
        """Set the model's reading speed; 0: unknown."""
        self._reading_pace = tokens_per_s
        self._measure_soon.start()

    def measure_soon(self, *_changed: object) -> None:
        """Measure again: what a draft would send has changed."""
        self._measure_soon.start()

    # ------------------------------------------------------------ queries
    @property
    def preset(self) -> Preset:
        """Return the preset of new runs in the open project."""
        return self.presets.box.preset

    @property
    def sampling(self) -> SamplingConfig:
        """Return its settings, without a seed, and the words that the project avoids."""
        banned = () if self._book is None else self._book.steering.banned
        return replace(self.preset.sampling, banned=banned)

    def num_beats_left(self, document_id: int) -> int:
        """Return the number of unused beats of a chapter."""
        beats = () if self._book is None else self._book.steering.beats_of(document_id)
        return sum(beat.run_id is None for beat in beats)

    async def next_prompt(self, session: ProjectSession, reader: PromptReader) -> NextPrompt:
        """Return what a draft at the end of the open text sends."""
        return await (await self._book_of(session)).next_prompt(reader)

    async def preview(self, session: ProjectSession) -> tuple[int, PromptPreview] | None:
        """Return in which text Continue writes, and what it sends; None where it cannot write."""
        document_id = await self._app.target.place(session)
        if document_id is None:
            return None
        prompt = await (await self._book_of(session)).next_prompt(self._reader or PromptReader(), document_id)
        read = None if self._view is None else await self._view(prompt)
        if read is None:
            return document_id, await asyncio.to_thread(view_of, prompt)
        return document_id, await asyncio.to_thread(view_read, prompt, read)

    async def restart_reason(self, session: ProjectSession, last: Run | None) -> str:
        """Return why the last run cannot be resumed, as a sentence for the writer; empty if it can."""
        return (await self._book_of(session)).restart_reason(last).sentence

    async def run_started(self, session: ProjectSession, run_id: int, composed: ComposedPrompt) -> None:
        """Store that a run starts with a prompt: its beat is used up."""
        await (await self._book_of(session)).run_started(run_id, composed)
        self._show()

    async def run_cancelled(self, session: ProjectSession, run_id: int) -> None:
        """Store that a run never started: its beat remains for the next."""
        await (await self._book_of(session)).run_cancelled(run_id)
        self._show()

    def choose(self, preset: Preset) -> None:
        """Use this preset from now on."""
        if self._book is not None:
            self._book.choose(preset)
            self._show_presets()
            self._app.settings.change(preset=preset.name)

    @property
    def note(self) -> str:
        """Return the author's note."""
        return "" if self._book is None else self._book.steering.direction.text.strip()

    def direct(self, text: str) -> None:
        """Set the author's note."""
        if text != self.note:
            self._edit_direction(text)

    async def _draft_ended(self, session: ProjectSession, _run: Run | None) -> None:
        """Show what a draft has used up."""
        await self.follow(session)

    async def follow(self, session: ProjectSession) -> None:
        """Show the steering of the open text."""
        await self._book_of(session)
        if self._book is not None:
            await self._book.refresh_notes()
        self._enable(is_open=True, may_edit=not session.read_only)
        self.dock.set_has_project(has_project=True)
        self._show()

    # ------------------------------------------------------------ building
    def _place(self) -> None:
        window = self._window
        self.dock.add(self.panel, self.panel.title)
        self.dock.add(self.notes, self.notes.title)
        window.add_right(self.dock)
        self.dock.follow(window)
        self._enable(is_open=False, may_edit=False)

    def _enable(self, *, is_open: bool, may_edit: bool) -> None:
        do = self.actions
        for action in (
            do.memory, do.direction, do.lorebook, do.opening, do.beats, do.avoided,
            do.prompt_preview, do.queue,
        ):  # fmt: skip
            action.setEnabled(is_open)
        do.add_lore.setEnabled(is_open and may_edit)

    def _subscribe(self) -> None:
        """Follow the book, its drafts and the settings."""
        app = self._app
        app.events.text_followed.subscribe("steering", self.follow)
        app.events.tree_changed.subscribe("steering", self._follow_tree)
        app.events.reading_speed_known.subscribe("steering", self.set_reading_pace)
        app.events.target_marked.subscribe("steering", self.measure_soon)
        app.events.draft.ended.subscribe("steering", self._draft_ended)
        self.cards.tree_changed.connect(app.manuscript.show_added)
        self.cards.edit_asked.connect(app.manuscript.panel.edit_asked)
        self.actions.right_panel.toggled.connect(self._keep_right_panel)
        app.settings.follow(self._take)

    def _take(self, settings: Settings) -> None:
        self._usual = settings.preset
        self.panel.space_bar.set_research(on=settings.research_view)
        self.actions.right_panel.setChecked(settings.right_panel)

    def _keep_right_panel(self, on: bool) -> None:
        self._app.settings.change(right_panel=on)

    def _follow_tree(self, session: ProjectSession) -> None:
        """Show notes under the titles that they have now."""
        self._tasks.run_now(partial(self._follow_notes, session))

    async def _follow_notes(self, session: ProjectSession) -> None:
        if session is self._current.session:
            await self.follow(session)

    def _wire(self) -> None:
        do, panel, notes = self.actions, self.panel, self.notes
        do.right_panel.toggled.connect(self.dock.set_wanted)
        for action, section in (
            (do.memory, panel.memory),
            (do.direction, panel.direction),
            (do.lorebook, panel.lorebook),
            (do.opening, panel.opening),
            (do.beats, panel.beats),
            (do.avoided, panel.avoided),
        ):
            action.triggered.connect(partial(self._go_to, section))
        do.add_lore.triggered.connect(self.cards.show_entry_for_selection)
        do.presets.triggered.connect(self.presets.show_dialog)
        do.prompt_preview.triggered.connect(self._ask_for_view)
        panel.memory_edited.connect(self._edit_memory)
        panel.direction_edited.connect(self._edit_direction)
        panel.depth_chosen.connect(self._choose_depth)
        panel.opening_edited.connect(self._edit_opening)
        panel.beats_edited.connect(self._edit_beats)
        panel.avoided_edited.connect(self._edit_avoided)
        panel.chat_chosen.connect(self._choose_chat)
        panel.entry_changed.connect(self.cards.keep_entry)
        panel.entry_removed.connect(self.cards.remove_entry)
        panel.entry_asked.connect(self.cards.show_entry)
        panel.note_wanted.connect(self.cards.tell_of)
        panel.versions_asked.connect(self._show_versions)
        panel.again_asked.connect(self._edit_direction)
        panel.view_asked.connect(self._ask_for_view)
        notes.open_asked.connect(self._window.document_asked)
        notes.inclusion_asked.connect(self.cards.tell_of)

    # ------------------------------------------------------------ edits
    def _edit_memory(self, text: str) -> None:
        self._change(partial(_remembering, text, datetime.now(UTC)))

    def _edit_direction(self, text: str) -> None:
        self._change(partial(_directed, text))

    def _choose_depth(self, depth: int) -> None:
        self._change(lambda now: replace(now, direction=replace(now.direction, depth=depth)))

    def _edit_opening(self, text: str) -> None:
        self._change(lambda now: replace(now, opening=text))

    def _edit_beats(self, lines: Sequence[str]) -> None:
        if self._session is not None:
            document_id = self._session.document_id
            self._change(lambda now: now.with_beat_lines(document_id, lines))

    def _edit_avoided(self, text: str) -> None:
        self._change(lambda now: replace(now, avoided=text))

    def _choose_chat(self, chat: bool) -> None:
        self._change(lambda now: replace(now, chat=chat))

    def _change(self, change: Callable[[Steering], Steering]) -> None:
        if self._book is not None:
            self._book.change(change)
            self._show()

    # ------------------------------------------------------------ display
    def _show(self) -> None:
        """Show what is stored; fields that already match are left alone."""
        book, session = self._book, self._session
        if book is None or session is None:
            return
        may_edit, steering = not session.read_only, book.steering
        told = {entry.node_id for entry in steering.lorebook if entry.node_id is not None and entry.on}
        listed = {entry.node_id for entry in steering.lorebook}
        offered = [NoteName(note.node_id, note.title) for note in book.notes if note.node_id not in listed]
        self.panel.show_steering(steering, offered, may_edit=may_edit)
        title = " ".join(session.document.title.split())
        self.panel.show_chapter(title, steering.beats_of(session.document_id), may_edit=may_edit)
        lines = [
            NoteLine(note.node_id, note.title, self._kinds.kind(note.kind), note.text, note.node_id in told)
            for note in book.notes
        ]
        self.notes.show_notes(lines, may_edit=may_edit)
        self.cards.show(session, book)
        self._show_presets()
        self._measure_soon.start()

    def _show_presets(self) -> None:
        if self._book is not None and self._session is not None:
            self.presets.show(self._book.preset, may_choose=not self._session.read_only)

    def _look(self) -> None:
        """Hide without a project; measure again when a draft starts, as the next start rereads nothing."""
        was, self._is_drafting = self._is_drafting, self._status.status.state is DraftState.DRAFTING
        if self._is_drafting and not was:
            self._measure_soon.start()
        if not self._status.is_open:  # nothing could store what is typed there
            self.dock.set_has_project(has_project=False)
            self._enable(is_open=False, may_edit=False)

    def _ask_to_measure(self) -> None:
        if (
            self._session is not None
            and self._session is self._current.session
            and self._session is not self._resting
        ):
            self._tasks.run_now(partial(self._measure, self._session))

    async def _measure(self, session: ProjectSession) -> None:
        """Show the context usage, and what the next start reads again."""
        async with self._measuring:
            is_shown = session is self._current.session and session is not self._resting
            if is_shown and self._reader is not None:  # before that it would be another model's memory
                await self._show_space(session)

    async def _show_space(self, session: ProjectSession) -> None:
        seen, target = await self.preview(session), session.draft_target
        if seen is None:
            if session is self._current.session:
                self.panel.show_space(None)
                self.panel.show_cost(_NOTES_ARE_YOURS)
            return
        document_id, view = seen
        last = await session.resting_run(document_id) if target is None else session.run(target.run_id)
        if session is not self._current.session:
            return
        self.panel.show_space(view.use)
        restart = RestartReason.NOTHING if self._book is None else self._book.restart_reason(last)
        has_run = last is not None and last.started
        self.panel.show_cost(cost_sentence(view.use, restart, self._reading_pace, has_run=has_run))

    def show_beside(self, panel: QWidget) -> None:
        """Show a panel on the right, in a narrow window too."""
        self.actions.right_panel.setChecked(True)
        self.dock.set_wanted(wanted=True)
        self.dock.show_panel(panel)

    def _go_to(self, section: Section) -> None:
        self.show_beside(self.panel)
        self.panel.go_to(section)

    # ------------------------------------------------------------ dialogs
    def _show_versions(self) -> None:
        if self._book is not None:
            dialog = MemoryVersionsDialog(self._book.steering.memory, self._window)
            dialog.version_chosen.connect(self._edit_memory)
            _open(dialog)

    def _ask_for_view(self) -> None:
        if self._session is not None:
            self._tasks.run_now(partial(self._show_view, self._session))

    async def _show_view(self, session: ProjectSession) -> None:
        await self._current.autosave.store()
        seen = await self.preview(session)
        if seen is None:
            self._say(_NOTES_ARE_YOURS)
            return
        document_id, view = seen
        if self._view_dialog is None:
            self._view_dialog = ModelViewDialog(self._themes, self._window)
            self._view_dialog.refresh_asked.connect(self._ask_for_view)
            self._view_dialog.finished.connect(self._forget_view)
            _open(self._view_dialog)
        last = await session.resting_run(document_id)
        self._view_dialog.show_view(view, await self.restart_reason(session, last))

    def _forget_view(self) -> None:
        self._view_dialog = None

    # ------------------------------------------------------------ inside
    async def _book_of(self, session: ProjectSession) -> SteeringBook:
        """Return the steering of a project, after storing pending edits of another one."""
        async with self._opening:
            if self._book is None or session is not self._session:
                self._book = await self._opened(session)
                self._session = session
            return self._book

    async def _opened(self, session: ProjectSession) -> SteeringBook:
        from quire.services.drafting.steering_service import SteeringBook

        if self._book is not None:
            await self._book.close()
        await self.presets.load()
        await self.cards.adopt_entries(session)
        book = await SteeringBook.of(session, self._say, self.presets.named(self._usual) or DEFAULT)
        session.before_close(partial(self._rest, session))
        session.when_saved(self.measure_soon)
        if book.problem:
            self._say(book.problem)
        return book

    async def _rest(self, session: ProjectSession) -> None:
        """Stop measuring a project that is about to be closed."""
        self._resting = session
        if session is self._session:
            self._measure_soon.stop()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(REST_WITHIN_S), self._measuring:
                pass

    def _say(self, sentence: str) -> None:
        self._window.notice_bar.show_notice(Notice(NoticeKind.WARNING, sentence))


def _remembering(text: str, when: datetime, now: Steering) -> Steering:
    return replace(now, memory=now.memory.edited(text, when))


def _directed(text: str, now: Steering) -> Steering:
    return replace(now, direction=replace(now.direction, text=text))


def _open(dialog: QDialog) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
