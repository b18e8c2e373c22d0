"""Compares takes and snapshots in the window: side by side, by metrics, in charts."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCursor

from quire.domain.drafting.live_run_metrics import ComparedRun, DistinctPoint
from quire.domain.drafting.presets import BUILT_IN, Preset
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.drafting.take_metrics import TakeFigures, steps_from_one
from quire.domain.manuscript.paragraph_merge import ParagraphCopy
from quire.domain.manuscript.text_diff import differences
from quire.domain.text_quality.variety_course import DistinctCourse
from quire.editor.plain_text import to_document
from quire.editor.utf16_positions import Utf16Positions
from quire.errors import WriterProblem
from quire.takes.compare_choices import THE_TEXT, Compared, Side, SideKey, SideKind
from quire.takes.compare_dialog import CompareDialog
from quire.takes.snapshots_panel import SnapshotsPanel
from quire.takes.take_groups import groups_of, lines_in, trashed_lines
from quire.takes.take_labels import TakeTexts
from quire.takes.takes_panel import TakesPanel
from quire_engine.api.user_message import UserMessage
from quire_engine.metrics.word_count import count_words

if TYPE_CHECKING:
    from quire.app import App
    from quire.services.project.project_session import ProjectSession
    from quire.services.project.text_history import TextHistory
    from quire.services.transactions.take_queries import TakeSource
    from quire.settings.settings import Settings

_CHANGED = UserMessage("The text has changed since this comparison. Close this window and compare again.")


@dataclass(frozen=True, slots=True)
class _Pair:
    """What the dialog shows, and its sources."""

    session: ProjectSession
    compared: Compared
    sources: tuple[TakeSource, TakeSource]


class CompareController:
    """Connects the dialog, the metrics of takes and the charts of two runs to the open project.

    Args:
        history: reads the takes of a project.
        keep: makes a side the current text.
    """

    def __init__(
        self,
        app: App,
        panel: TakesPanel,
        snapshots_panel: SnapshotsPanel,
        history: Callable[[ProjectSession], TextHistory],
        keep: Callable[[SideKey], Awaitable[None]],
    ) -> None:
        window = app.window
        self._window, self._current, self._tasks = window, app.current, app.tasks
        self._panel, self._charts = panel, app.run_charts
        self._history, self._keep = history, keep
        self._app = app
        self._texts = TakeTexts(window)
        self._dialog: CompareDialog | None = None
        self._pair: _Pair | None = None
        self._over_charts: tuple[int, int] | None = None
        self._is_research = False
        panel.compare_asked.connect(self._ask_for_takes)
        panel.charts_asked.connect(self._ask_for_charts)
        panel.figures_wanted.connect(self._ask_for_figures)
        snapshots_panel.compare_asked.connect(self._ask_for_snapshot)
        window.side_panel.shown.connect(self._panel_shown)
        window.status.changed.connect(self._lock)
        app.settings.follow(self._take)

    def _take(self, settings: Settings) -> None:
        """Show or hide what only the research view has."""
        self._is_research = on = settings.research_view
        self._panel.rows.set_research(on=on)
        if self._dialog is not None:
            self._dialog.table.set_research(on=on)

    @property
    def _presets(self) -> Sequence[Preset]:
        """Return the presets whose names are shown for takes drafted with their settings."""
        return self._app.steering.presets.known if self._app.is_complete else BUILT_IN

    async def follow(self, session: ProjectSession) -> None:
        """Remove another run from the charts when a text is shown that it does not belong to."""
        if self._over_charts is not None and self._over_charts[0] != session.document_id:
            self._lay_over_charts(None)

    def show_figures(self) -> None:
        """Show the metrics of the selected take, if the list is visible."""
        if self._window.side_panel.panel is self._panel:
            self._panel.want_figures()

    # ------------------------------------------------------------ actions
    def _ask_for_takes(self, take_ids: tuple[int, ...]) -> None:
        keys = [SideKey(SideKind.TAKE, number) for number in take_ids]
        left, right = (THE_TEXT, keys[0]) if len(keys) == 1 else (keys[0], keys[1])
        self.compare(left, right)

    def _ask_for_snapshot(self, snapshot_id: int) -> None:
        self.compare(SideKey(SideKind.SNAPSHOT, snapshot_id), THE_TEXT)

    def compare(self, left: SideKey, right: SideKey) -> None:
        """Show two texts side by side."""
        if self._current.session is not None:
            self._tasks.run_now(partial(self._compare, self._current.session, left, right))

    def _ask_for_charts(self, take_id: int, on: bool) -> None:
        if on and self._current.session is not None:
            self._tasks.run_now(partial(self._show_over_charts, self._current.session, take_id))
        else:
            self._lay_over_charts(None)

    def _ask_for_figures(self, take_id: int) -> None:
        if self._window.side_panel.panel is self._panel and self._current.session is not None:
            self._tasks.run_now(partial(self._show_figures, self._current.session, take_id))

    def _panel_shown(self, _number: int) -> None:
        self.show_figures()

    def _lock(self) -> None:
        if self._dialog is not None:
            self._dialog.set_locked(locked=not self._window.status.is_at_rest)

    def _ask_to_keep(self, key: SideKey) -> None:
        self._tasks.enqueue_exclusive(partial(self._keep_side, key))

    def _ask_to_copy(self, copied: ParagraphCopy) -> None:
        self._tasks.enqueue_exclusive(partial(self._copy, copied))

    def _forget(self) -> None:
        self._dialog = self._pair = None

    # ------------------------------------------------------------ what is done
    async def _compare(self, session: ProjectSession, left: SideKey, right: SideKey) -> None:
        await self._current.autosave.store()
        async with self._while_open(session):
            await self._show_pair(session, left, right)

    async def _show_pair(self, session: ProjectSession, left: SideKey, right: SideKey) -> None:
        sources = await self._sources(session, left, right)
        choices = await self._choices(session)
        presets = self._presets
        history, names = self._history(session), dict(choices)
        sides = [
            Side(
                key,
                names.get(key, ""),
                source.document.text,
                source.document.text
                == (await history.source_of_text(source if source.pages else None)).document.text,
                await history.figures(source, presets),
            )
            for key, source in zip((left, right), sources, strict=True)
        ]
        found = await asyncio.to_thread(differences, sides[0].text, sides[1].text)
        if self._current.session is not session:
            return
        pair = self._pair = _Pair(session, Compared(sides[0], sides[1], found), sources)
        self._show_dialog(choices, pair.compared)
        await self._show_courses(pair)

    def _show_dialog(self, choices: Sequence[tuple[SideKey, str]], compared: Compared) -> None:
        if self._dialog is not None:
            self._dialog.show_choices(choices)
            self._dialog.show_compared(compared)
            return
        dialog = self._dialog = CompareDialog(choices, compared, self._window.themes, self._window)
        dialog.table.set_research(on=self._is_research)
        dialog.pair_asked.connect(self.compare)
        dialog.keep_asked.connect(self._ask_to_keep)
        dialog.copy_asked.connect(self._ask_to_copy)
        dialog.finished.connect(self._forget)
        self._lock()
        dialog.open()

    async def _show_courses(self, pair: _Pair) -> None:
        left, right = [
            await _course(side.name.partition(" · ")[0], source)
            for side, source in zip(pair.compared.sides, pair.sources, strict=True)
        ]
        if self._dialog is None or self._pair is not pair:
            return
        charts = self._dialog.charts
        charts.show_run(left.steps, left.words_before, is_on_server=left.is_on_server)
        charts.show_distinct(left.distinct)
        self._dialog.show_other_run(right.compared() if right.steps else None)

    async def _keep_side(self, key: SideKey) -> None:
        await self._keep(key)
        if self._dialog is not None:
            self._dialog.accept()

    async def _copy(self, copied: ParagraphCopy) -> None:
        """Copy a paragraph as one undo step, and store who wrote its words."""
        await self._current.autosave.store()
        pair, session = self._pair, self._current.session
        target = None if pair is None else pair.compared.target
        if pair is None or session is None or target is None:
            return
        text, pages = (
            pair.compared.sides[target].text,
            pair.sources[target].pages or ((0, session.document_id),),
        )
        page, document_id = next(one for one in reversed(pages) if one[0] <= copied.start)
        if session is pair.session and document_id != session.document_id:
            title = session.tree.node(document_id).title
            raise WriterProblem(
                "This place is in “{title}”. Open that chapter, then copy again.", title=title
            )
        if (
            session is not pair.session
            or session.text != text[page : page + len(session.text)]
            or self._current.shown_id != session.document_id
        ):
            raise WriterProblem(_CHANGED)
        copied = replace(copied, start=copied.start - page, end=copied.end - page)
        places, editor = Utf16Positions(session.text), self._window.editor
        cursor = QTextCursor(editor.document())
        cursor.setPosition(places.to_document(copied.start))
        cursor.setPosition(places.to_document(copied.end), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(to_document(copied.text))
        await self._current.autosave.store()
        await self._history(session).credit(copied, pair.sources[1 - target])
        await self._compare(session, pair.compared.left.key, pair.compared.right.key)

    async def _show_figures(self, session: ProjectSession, take_id: int) -> None:
        async with self._while_open(session):
            figures = await self._figures_of(session, take_id)
            self._panel.show_figures(take_id, figures)

    async def _figures_of(self, session: ProjectSession, take_id: int) -> TakeFigures:
        history = self._history(session)
        return await history.figures(await history.source_of_take(take_id), self._presets)

    async def _show_over_charts(self, session: ProjectSession, take_id: int) -> None:
        async with self._while_open(session):
            await self._fetch_over_charts(session, take_id)

    async def _fetch_over_charts(self, session: ProjectSession, take_id: int) -> None:
        names = dict(await self._choices(session))
        key = SideKey(SideKind.TAKE, take_id)
        source = await self._history(session).source_of_take(take_id)
        course = await _course(names.get(key, "").partition(" · ")[0], source)
        if self._current.session is session:
            self._lay_over_charts(take_id, session.document_id, course.compared())
            self._window.commands.charts.setChecked(True)

    def _lay_over_charts(
        self, take_id: int | None, document_id: int = 0, run: ComparedRun | None = None
    ) -> None:
        self._over_charts = None if take_id is None else (document_id, take_id)
        self._charts.compare(run)
        self._panel.show_over_charts(take_id)

    # ------------------------------------------------------------ reading
    @asynccontextmanager
    async def _while_open(self, session: ProjectSession) -> AsyncIterator[None]:
        """Read in the background; return None if the session is no longer open."""
        document_id = session.document_id
        try:
            yield
        except Exception:
            if self._current.session is session and session.document_id == document_id:
                raise

    async def _sources(
        self, session: ProjectSession, left: SideKey, right: SideKey
    ) -> tuple[TakeSource, TakeSource]:
        """Return the sources of two sides; the current text starts where the take on the other side does."""
        history = self._history(session)
        found: dict[SideKey, TakeSource] = {}
        for key in (left, right):
            if key.kind is SideKind.TAKE:
                found[key] = await history.source_of_take(key.number)
            elif key.kind is SideKind.SNAPSHOT:
                found[key] = await history.source_of_snapshot(key.number)
        if THE_TEXT in (left, right):
            beside = next((found[key] for key in (left, right) if key.kind is SideKind.TAKE), None)
            found[THE_TEXT] = await history.source_of_text(beside)
        return found[left], found[right]

    async def _choices(self, session: ProjectSession) -> tuple[tuple[SideKey, str], ...]:
        """Return what can be compared, with names."""
        history = self._history(session)
        takes = await history.takes()
        afters = {take.take_id: take.after for take in takes}
        lines = (*lines_in(groups_of(takes)), *trashed_lines(takes))
        choices = [(THE_TEXT, self._window.tr("Current text"))]
        choices += [
            (SideKey(SideKind.TAKE, line.take_id), self._texts.choice(line, afters[line.take_id]))
            for line in lines
        ]
        choices += [
            (SideKey(SideKind.SNAPSHOT, snapshot.snapshot_id), self._texts.snapshot(snapshot))
            for snapshot in await history.snapshots()
            if session.document_id in snapshot.document_ids
        ]
        return tuple(choices)


@dataclass(frozen=True, slots=True)
class _Course:
    """How a text was drafted, for charts."""

    name: str
    steps: tuple[StepRecord, ...]
    words_before: int
    distinct: Sequence[DistinctPoint]
    is_on_server: bool

    def compared(self) -> ComparedRun:
        """Return it as a run to compare with."""
        return ComparedRun(
            self.name, self.steps, self.words_before, self.distinct, is_on_server=self.is_on_server
        )


async def _course(name: str, source: TakeSource) -> _Course:
    return await asyncio.to_thread(_read_course, name, source)


def _read_course(name: str, source: TakeSource) -> _Course:
    from quire.domain.text_quality.text_monitor import TextWatch  # imports numpy

    text = source.document.text
    start = source.stretches[0].start if source.stretches else source.start
    steps = steps_from_one(source.stretches)
    distinct = DistinctCourse(start).update(TextWatch(text))
    models = [stretch.run.model for stretch in source.stretches]
    on_server = any(model is not None and model.is_on_server for model in models)
    return _Course(name, steps, count_words(text[:start]), distinct, on_server)
