"""Watches a draft: updates its charts, and raises an alarm about each problem in its text."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from quire.charts.chart_data import MarkKind
from quire.charts.chart_deck import ChartDeck
from quire.domain.drafting.draft_status import DraftProgress, DraftState, DraftStatus
from quire.domain.drafting.live_run_metrics import DistinctPoint
from quire.domain.manuscript.provenance import change_between
from quire.domain.text_quality.growing_string import GrowingString
from quire.domain.text_quality.variety_course import DistinctCourse, WholeCourse
from quire.editor.search_matches import select_place
from quire.events import Events
from quire.settings.settings import Settings
from quire_engine.metrics.word_count import count_words, end_of_word

if TYPE_CHECKING:  # measuring a text imports numpy, which must not delay the first window
    from quire.app import App
    from quire.domain.drafting.run import Run
    from quire.domain.text_quality.alarms import Alarm
    from quire.domain.text_quality.text_monitor import TextWatch
    from quire.services.project.project_session import ProjectSession
    from quire.services.transactions.split_and_merge import Turned

_WORDS_BEFORE, _WORDS_AFTER = 60, 30
"""Characters of the text that are shown with a place of the charts."""
_log = logging.getLogger(__name__)

_Order = Callable[["TextWatch"], "Sequence[Alarm]"]


@dataclass(frozen=True, slots=True)
class _Courses:
    """The variety of a draft and of the whole text over their length, ready to be drawn."""

    draft: Sequence[DistinctPoint]
    whole: Sequence[DistinctPoint]


@dataclass(frozen=True, slots=True)
class _TextStart:
    """Where a new run would start: the length of the text in two units."""

    num_chars: int = 0
    num_words: int = 0


class ChartsController:
    """Measures the open text while it is drafted: updates the charts of its run, and raises alarms.

    It measures the open text, or the one that a draft was started in, from its beginning. Measuring is done
    on another thread, in order, so that a long text does not block the window.
    """

    def __init__(self, app: App) -> None:
        window, charts = app.window, app.run_charts
        self._app, self._window, self._charts = app, window, charts
        self.deck = ChartDeck(charts, window.themes, window)
        self.deck.hide()
        window.add_below(self.deck)
        window.commands.charts.toggled.connect(self.deck.setVisible)
        self._opens = True
        self.deck.close_clicked.connect(self._close_deck)
        self.deck.place_chosen.connect(self._go_to)
        self.deck.place_pointed.connect(self._show_words)
        self._is_open = False
        window.status.changed.connect(self._follow_project)
        self._watch: TextWatch | None = None
        self._written = GrowingString()
        self._pages: list[tuple[int, int]] = []
        self._run_start = 0
        self._run_id = 0
        self._next = _TextStart()
        self._document_id = 0
        self._state = DraftState.IDLE
        self._draft_course, self._whole_course = DistinctCourse(), WholeCourse()
        self._orders: list[_Order] = []
        self._working: asyncio.Task[None] | None = None
        self._subscribe(app.events)

    def _subscribe(self, events: Events) -> None:
        events.text_followed.subscribe("charts", self.follow)
        events.draft.starting.subscribe("charts", self.prepare)
        events.draft.status_changed.subscribe("charts", self.status_changed)
        events.draft.text_drafted.subscribe("charts", self.text_drafted)
        events.draft.progressed.subscribe("charts", self.progressed)
        events.draft.chapter_turned.subscribe("charts", self._page_turned)
        events.language_known.subscribe("charts", self._take_language)
        self._app.settings.follow(self._take)
        self._window.commands.charts.toggled.connect(self._keep_shown)
        self.deck.height_chosen.connect(self._keep_height)

    def _take_language(self, language: str) -> None:
        """Set the language: the published novels that the charts compare with are English."""
        self._charts.set_bands(known=language.startswith("en"))

    def _keep_shown(self, on: bool) -> None:
        self._app.settings.change(charts=on)

    def _keep_height(self, pixels: int) -> None:
        self._app.settings.change(charts_px=pixels)

    def _follow_project(self) -> None:
        """Show no charts of a project that was closed."""
        if self._window.status.is_open is not self._is_open:
            self._is_open = self._window.status.is_open
            self.deck.setVisible(self._is_open and self._window.commands.charts.isChecked())

    def _take(self, settings: Settings) -> None:
        self._opens = settings.charts
        self.deck.set_research(on=settings.research_view)
        self.deck.set_height(settings.charts_px)

    # ------------------------------------------------------------ around a draft
    async def follow(self, session: ProjectSession) -> None:
        """Show the last run of the open text, or none; while a draft is running its charts stay."""
        if session.draft_target is not None:
            return
        run = await session.resting_run() or session.last_in_text
        await self._measure(session, run)
        self._draft_course = DistinctCourse(self._run_start)
        if run is None or not run.started:
            self._charts.begin(await asyncio.to_thread(count_words, self._text))
        else:
            steps = await session.steps(run.run_id)
            before = await asyncio.to_thread(count_words, self._text[: self._run_start])
            on_server = run.model is not None and run.model.is_on_server
            self._charts.show_run(steps, before, paused_at=run.pauses, is_on_server=on_server)
        await self._show_courses()

    async def prepare(self, session: ProjectSession) -> None:
        """Measure what the writer changed; a draft starts at the end of the text."""
        run = await session.resting_run()
        await self._measure(session, run)
        self._next = _TextStart(len(self._text), await asyncio.to_thread(count_words, self._text))
        self._run_id = 0 if run is None else run.run_id
        if run is None or not run.started:
            self._start_charts()
        if self._opens:
            asyncio.get_running_loop().run_in_executor(None, import_module, "quire.charts.chart_view")
        await self._show_courses()

    @property
    def _text(self) -> str:
        """Return the text that is measured."""
        return self._written.text

    async def _measure(self, session: ProjectSession, run: Run | None) -> None:
        """Measure the open text, with the other texts of the run."""
        from quire.services.drafting.drafted_text import drafted_text

        await self._settled()
        found = await drafted_text(session, run)
        self._pages, self._run_start = list(found.pages), found.start
        if self._watch is None or self._document_id != session.document_id:
            self._watch = await asyncio.to_thread(_watch_of, found.text)
        elif found.text != self._text:
            start, removed, inserted = change_between(self._text, found.text)
            piece = found.text[start : start + inserted]
            await asyncio.to_thread(self._watch.replace, start, start + removed, piece)
        else:
            return
        self._written, self._document_id = GrowingString(found.text), session.document_id
        self._draft_course.clear()
        self._whole_course.clear()

    def place_before(self, fault: Alarm) -> int:
        """Return where the text can continue, before a problem in it."""
        from quire.domain.text_quality.alarms import rewind_place

        start = min(fault.start, len(self._text))
        place = rewind_place(self._text, start, min(self._run_start, start))
        page = self._pages[-1][0] if self._pages else 0
        return max(place - page, 0)  # problems in an earlier text do not concern this one

    def _page_turned(self, turned: Turned) -> None:
        """Follow the draft into another text; the measures continue across both."""
        start = self._pages[-1][0] if self._pages else 0
        self._pages.append((start + len(turned.first.text), turned.rest.document_id))
        self._document_id = turned.rest.document_id

    # ------------------------------------------------------------ during a draft
    def status_changed(self, status: DraftStatus) -> None:
        """Mark where a run was paused."""
        before, self._state = self._state, status.state
        if status.state is DraftState.PAUSED and before is not DraftState.PAUSED:
            self._charts.mark(MarkKind.PAUSE)

    def text_drafted(self, text: str) -> None:
        """Queue the drafted text, which the next report measures."""
        self._written.add(text)
        self._ask(partial(_add, text))

    def progressed(self, progress: DraftProgress) -> None:
        """Add every step to the charts, or start new charts for a new run."""
        if progress.run_id != self._run_id:
            self._run_id = progress.run_id
            self._start_charts()
        if self._opens and progress.steps:
            self._window.commands.charts.setChecked(True)
        if progress.steps:
            self._charts.add(*progress.steps)
        for step in progress.steps:
            self._ask(partial(_count, step.num_tokens, step.num_words))
        self._measure_soon()

    # ------------------------------------------------------------ measuring
    def _start_charts(self) -> None:
        """Start the charts of a new run at the end of the text."""
        self._charts.begin(self._next.num_words, is_on_server=bool(self._window.status.words_go_to))
        self._run_start = self._next.num_chars
        self._draft_course = DistinctCourse(self._run_start)

    def _ask(self, order: _Order) -> None:
        """Queue something to measure."""
        if self._watch is not None:
            self._orders.append(order)

    def _measure_soon(self) -> None:
        """Measure what is queued, on another thread."""
        if self._watch is not None and self._orders and self._working is None:
            self._working = asyncio.ensure_future(self._work(self._watch))

    async def _work(self, watch: TextWatch) -> None:
        try:
            while self._orders:
                orders, self._orders = self._orders, []
                alarms, courses = await asyncio.to_thread(self._measured, watch, orders)
                self._notify(alarms)
                self._draw(courses)
        except Exception:  # noqa: BLE001  what is not measured costs the writer a curve, and no word
            _log.exception("the text could not be measured")
        finally:
            self._working = None

    async def _settled(self) -> None:
        """Wait until everything that was drafted is measured."""
        self._measure_soon()
        while self._working is not None:
            await asyncio.wait({self._working})

    def _measured(self, watch: TextWatch, orders: Sequence[_Order]) -> tuple[Sequence[Alarm], _Courses]:
        """Measure in order, on another thread, with exclusive use of the watch and the metrics."""
        return [alarm for order in orders for alarm in order(watch)], self._courses(watch)

    def _courses(self, watch: TextWatch) -> _Courses:
        draft, whole = self._draft_course, self._whole_course
        return _Courses(tuple(draft.update(watch)), tuple(whole.update(watch)))

    async def _show_courses(self) -> None:
        if self._watch is not None:
            self._draw(await asyncio.to_thread(self._courses, self._watch))

    def _draw(self, courses: _Courses) -> None:
        self._charts.show_distinct(courses.draft)
        self._charts.show_whole(courses.whole)

    # ------------------------------------------------------------ inside
    def _close_deck(self) -> None:
        self._window.commands.charts.setChecked(False)

    def _go_to(self, num_words: int) -> None:
        """Show the place where the first `num_words` words of the text end."""
        place = end_of_word(self._text, num_words)
        start, document_id = max((page for page in self._pages if page[0] <= place), default=(0, 0))
        if document_id and len(self._pages) > 1:
            self._app.navigation.go_to(document_id, place - start)
        else:
            select_place(self._window.editor, place - start, place - start)

    def _show_words(self, num_words: int) -> None:
        """Show the words before and after the place that the pointer is at in the charts."""
        text, in_draft = self._text, num_words - self._charts.words_before
        if in_draft >= 0:  # the book before the draft need not be searched
            end = self._run_start + end_of_word(text[self._run_start :], in_draft)
        else:
            end = end_of_word(text, num_words)
        start = text.rfind(" ", 0, max(end - _WORDS_BEFORE, 0)) + 1
        words = text[start : end + _WORDS_AFTER]
        if end + _WORDS_AFTER < len(text):
            words = words.rpartition(" ")[0] + "…"
        self.deck.show_words(num_words, ("…" if start else "") + " ".join(words.split()))

    def _notify(self, alarms: Sequence[Alarm]) -> None:
        for alarm in alarms:
            self._charts.mark(MarkKind.ALARM)
            self._app.events.alarm_raised(alarm)


def _watch_of(text: str) -> TextWatch:
    from quire.domain.text_quality.text_monitor import TextWatch

    return TextWatch(text)


def _add(text: str, watch: TextWatch) -> Sequence[Alarm]:
    return watch.add(text)


def _count(num_tokens: int, num_words: int, watch: TextWatch) -> Sequence[Alarm]:
    return watch.tokens(num_tokens, num_words)
