"""Watches a draft: updates its charts, and notifies the writer of problems in its text."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from quire.charts.chart_data import MarkKind
from quire.charts.chart_deck import ChartDeck
from quire.charts.pace_sparkline import PaceSparkline
from quire.charts.run_charts import RunCharts
from quire.domain.drafting.draft_status import DraftProgress, DraftState, DraftStatus
from quire.domain.drafting.live_run_metrics import Windows
from quire.domain.manuscript.provenance import change_between
from quire.domain.text_quality.growing_string import GrowingString
from quire.domain.text_quality.loop_guard import LoopGuard
from quire.domain.text_quality.variety_course import WholePoint, WindowCourse
from quire.editor.search_matches import select_place
from quire.settings.settings import LoopChoice, Settings
from quire.shell.main_window import MainWindow
from quire.shell.notices import Notice, NoticeAction, NoticeKind
from quire_engine.metrics.word_count import count_words, end_of_word

if TYPE_CHECKING:  # measuring a text imports numpy, which must not delay the first window
    from quire.domain.drafting.run import Run
    from quire.domain.text_quality.alarms import Alarm
    from quire.domain.text_quality.text_monitor import TextWatch
    from quire.services.project.project_session import ProjectSession
    from quire.services.transactions.split_and_merge import Turned

_KINDS = {"amber": NoticeKind.WARNING, "red": NoticeKind.ERROR, "pause": NoticeKind.ERROR}
"""The kind of notice for each severity of a warning."""
_ENDED = (DraftState.PAUSED, DraftState.FINISHED, DraftState.FAILED)
_log = logging.getLogger(__name__)

_Order = Callable[["TextWatch"], "Sequence[Alarm]"]


@dataclass(frozen=True, slots=True)
class _Windows:
    """The variety of a text over its length, ready to be drawn."""

    num_readings: int
    pairs: Windows
    triples: Windows
    whole: Sequence[WholePoint]


@dataclass(frozen=True, slots=True)
class _TextStart:
    """Where a new run would start: the length of the text in two units."""

    num_chars: int = 0
    num_words: int = 0


class ChartsController:
    """Updates the charts of the open text's run, and pauses a draft that loops; a DraftObserver.

    It measures the open text, or the one that a draft was started in, from its beginning. Measuring is done
    on another thread, in order, so that a long text does not block the window.

    Args:
        pause: stops drafting at the next word.
        go_to_text: shows a place of another text, in characters from its beginning.
    """

    def __init__(
        self,
        window: MainWindow,
        charts: RunCharts,
        pause: Callable[[], None],
        go_to_text: Callable[[int, int], None],
    ) -> None:
        self._window, self._charts, self._guard = window, charts, LoopGuard(pause)
        self._go_to_text = go_to_text
        self.deck = ChartDeck(charts, window.themes, window)
        self.deck.hide()
        window.add_below(self.deck)
        self.sparkline = PaceSparkline(charts, window.themes, window)
        window.commands.charts.toggled.connect(self.deck.setVisible)
        self.deck.close_clicked.connect(self._close_deck)
        self.deck.place_chosen.connect(self._go_to)
        self.sparkline.deck_asked.connect(window.commands.charts.toggle)
        self.sparkline.place_chosen.connect(self._go_to)
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
        self._course = WindowCourse()
        self._drawn: _Windows | None = None
        self._orders: list[_Order] = []
        self._working: asyncio.Task[None] | None = None
        self.alarmed: list[Callable[[str], None]] = []
        self.warned: list[Callable[[str], None]] = []

    def _follow_project(self) -> None:
        """Show no charts of a project that was closed."""
        if self._window.status.is_open is not self._is_open:
            self._is_open = self._window.status.is_open
            self.deck.setVisible(self._is_open and self._window.commands.charts.isChecked())

    def take(self, settings: Settings) -> None:
        """Show charts and pause according to the settings."""
        self._guard.is_on = settings.loop_guard is LoopChoice.PAUSE
        self.deck.set_research(on=settings.research_view)
        self.deck.set_height(settings.charts_px)

    # ------------------------------------------------------------ around a draft
    async def follow(self, session: ProjectSession) -> None:
        """Show the last run of the open text, or none; while a draft is running its charts stay."""
        if session.draft_target is not None:
            return
        run = await session.resting_run() or session.last_in_text
        await self._measure(session, run)
        if run is None or not run.started:
            self._charts.begin(await asyncio.to_thread(count_words, self._text))
        else:
            steps = await session.steps(run.run_id)
            before = await asyncio.to_thread(count_words, self._text[: self._run_start])
            on_server = run.model is not None and run.model.is_on_server
            self._charts.show_run(steps, before, paused_at=run.pauses, is_on_server=on_server)
        await self._show_windows()

    async def prepare(self, session: ProjectSession) -> None:
        """Measure what the writer changed; a draft starts at the end of the text."""
        run = await session.resting_run()
        await self._measure(session, run)
        self._next = _TextStart(len(self._text), await asyncio.to_thread(count_words, self._text))
        self._run_id = 0 if run is None else run.run_id
        if run is None or not run.started:
            self._start_charts()
        self._guard.begin()
        await self._show_windows()

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
        self._course.clear()

    def rewound(self) -> int | None:
        """Return where the text can continue, before the last problem, or None if there was none."""
        if (fault := self._guard.fault) is None:
            return None
        from quire.domain.text_quality.alarms import rewind_place

        start = min(fault.start, len(self._text))
        place = rewind_place(self._text, start, min(self._run_start, start))
        page = self._pages[-1][0] if self._pages else 0
        return max(place - page, 0)  # problems in an earlier text do not concern this one

    def page_turned(self, turned: Turned) -> None:
        """Follow the draft into another text; the measures continue across both."""
        start = self._pages[-1][0] if self._pages else 0
        self._pages.append((start + len(turned.first.text), turned.rest.document_id))
        self._document_id = turned.rest.document_id

    # ------------------------------------------------------------ DraftObserver
    def status_changed(self, status: DraftStatus) -> None:
        """Mark where a run was paused."""
        before, self._state = self._state, status.state
        if status.state is DraftState.PAUSED and before is not DraftState.PAUSED:
            self._charts.mark(MarkKind.PAUSE)

    def text_drafted(self, text: str) -> None:
        """Measure what the model wrote."""
        self._written.add(text)
        self._ask(partial(_add, text))

    def progressed(self, progress: DraftProgress) -> None:
        """Add every step to the charts, or start new charts for a new run."""
        if progress.run_id != self._run_id:
            self._run_id = progress.run_id
            self._start_charts()
            self._draw(self._drawn)
        for step in progress.steps:
            self._charts.add(step)
            self._ask(partial(_count, step.num_tokens, step.num_words))

    def saved(self) -> None:
        """Do nothing: the charts do not depend on saving."""

    # ------------------------------------------------------------ measuring
    def _start_charts(self) -> None:
        """Start the charts of a new run at the end of the text."""
        self._charts.begin(self._next.num_words, is_on_server=bool(self._window.status.words_go_to))
        self._run_start = self._next.num_chars

    def _ask(self, order: _Order) -> None:
        """Queue something to measure."""
        if self._watch is None:
            return
        self._orders.append(order)
        if self._working is None:
            self._working = asyncio.ensure_future(self._work(self._watch))

    async def _work(self, watch: TextWatch) -> None:
        try:
            while self._orders:
                orders, self._orders = self._orders, []
                alarms, windows = await asyncio.to_thread(self._measured, watch, orders)
                self._notify(alarms)
                self._draw(windows)
        except Exception:  # noqa: BLE001  what is not measured costs the writer a curve, and no word
            _log.exception("the text could not be measured")
        finally:
            self._working = None

    async def _settled(self) -> None:
        """Wait until everything that was drafted is measured."""
        while self._working is not None:
            await asyncio.wait({self._working})

    def _measured(
        self, watch: TextWatch, orders: Sequence[_Order]
    ) -> tuple[Sequence[Alarm], _Windows | None]:
        """Measure in order, on another thread, with exclusive use of the watch and the metrics."""
        alarms = [alarm for order in orders for alarm in order(watch)]
        is_new = self._drawn is None or len(watch.readings) != self._drawn.num_readings
        return alarms, _windows_of(self._course, watch) if is_new else None

    async def _show_windows(self) -> None:
        if self._watch is not None:
            self._draw(await asyncio.to_thread(_windows_of, self._course, self._watch))

    def _draw(self, windows: _Windows | None) -> None:
        if windows is not None:
            self._drawn = windows
            self._charts.show_windows(windows.pairs, windows.triples)
            self._charts.show_whole(windows.whole)

    # ------------------------------------------------------------ inside
    def _close_deck(self) -> None:
        self._window.commands.charts.setChecked(False)

    def _go_to(self, num_words: int) -> None:
        """Show the place where the first `num_words` words of the text end."""
        place = end_of_word(self._text, num_words)
        start, document_id = max((page for page in self._pages if page[0] <= place), default=(0, 0))
        if document_id and len(self._pages) > 1:
            self._go_to_text(document_id, place - start)
        else:
            select_place(self._window.editor, place - start, place - start)

    def _notify(self, alarms: Sequence[Alarm]) -> None:
        for alarm in alarms:
            self._charts.mark(MarkKind.ALARM)
            action = None
            if alarm.severity.value != "amber":
                for warn in self.warned:
                    warn(alarm.sentence)
            # the next run must not know of one that has ended by itself meanwhile
            if self._guard.take(alarm, has_ended=self._state in _ENDED):
                action = NoticeAction.REWIND
                for notify in self.alarmed:
                    notify(alarm.sentence)
            self._window.notice_bar.show_notice(Notice(_KINDS[alarm.severity.value], alarm.sentence, action))


def _watch_of(text: str) -> TextWatch:
    from quire.domain.text_quality.text_monitor import TextWatch

    return TextWatch(text)


def _add(text: str, watch: TextWatch) -> Sequence[Alarm]:
    return watch.add(text)


def _count(num_tokens: int, num_words: int, watch: TextWatch) -> Sequence[Alarm]:
    return watch.tokens(num_tokens, num_words)


def _windows_of(course: WindowCourse, watch: TextWatch) -> _Windows:
    pairs, triples = course.of(watch, 2), course.of(watch, 3)
    return _Windows(len(watch.readings), pairs, triples, tuple(course.whole(watch)))
