"""A draft that is watched: what is measured on another thread is told in order, and of the right run."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from quire.charts.chart_kinds import ChartKind
from quire.charts.controller import ChartsController
from quire.charts.run_charts import RunCharts
from quire.domain.drafting.draft_status import DraftProgress, DraftState, DraftStatus
from quire.domain.drafting.run import Chunk, Run, RunState
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.text_quality.alarms import Alarm
from quire.domain.text_quality.text_monitor import TextWatch
from quire.drafting.loop_alarms import LoopAlarms
from quire.services.project.project_session import ProjectSession
from quire.services.transactions.project_creation import create_cut
from quire.shell.notices import Notice, NoticeAction
from quire_engine.api.config import SamplingConfig
from quire_engine.metrics.word_count import count_words
from tests.app.project_window import ProjectWindow
from tests.app.started_runs import start_run

OPENING = "It rained all night, and nobody in the house had slept.\n\n"
LOOP = "And then the ferry came back over the black water, and nobody was on it. "
PIECES = [word + " " for word in (LOOP * 20).split()]


class Watched:
    """The controller of the charts in a window, with pauses and notices recorded."""

    def __init__(self, app: QApplication, folder: Path) -> None:
        self.folder = folder
        self.project_window = ProjectWindow(app, folder)
        window = self.project_window.window
        self.num_pauses = 0
        self.notices: list[Notice] = []
        quire: Any = self.project_window.app
        quire.run_charts = self.charts = RunCharts()
        quire.drafts.pause = self._pause
        quire.charts = self.charts_controller = ChartsController(quire)
        quire.loop_alarms = LoopAlarms(quire)
        self._show = window.notice_bar.show_notice
        window.notice_bar.show_notice = self._told  # type: ignore[method-assign]

    def _told(self, notice: Notice) -> None:
        self.notices.append(notice)
        self._show(notice)

    def _pause(self) -> None:
        assert threading.current_thread() is threading.main_thread()
        self.num_pauses += 1

    async def open(self) -> ProjectSession:
        path = self.folder / "Book.quire"
        create_cut(path, "Book", OPENING)
        return await ProjectSession.open(path)


def alarms_of(pieces: list[str]) -> list[Alarm]:
    watch = TextWatch(OPENING)
    return [alarm for piece in pieces for alarm in watch.add(piece)]


@pytest.mark.parametrize("state", [DraftState.DRAFTING, DraftState.PAUSED])
def test_a_loop_is_told_as_if_it_were_measured_at_once(
    qapp: QApplication, run_async: Callable[..., Any], tmp_path: Path, state: DraftState
) -> None:
    async def scenario() -> None:
        watched = Watched(qapp, tmp_path)
        session = await watched.open()
        await watched.charts_controller.prepare(session)
        watched.project_window.app.events.draft.status_changed(DraftStatus(state))
        for number, piece in enumerate(PIECES):
            watched.charts_controller.text_drafted(piece)
            if number % 7 == 0:  # as a draft does: sometimes it is measured meanwhile, sometimes not
                await asyncio.sleep(0)
        await watched.charts_controller.follow(session)  # waits until all of it is measured
        expected = alarms_of(PIECES)
        assert [notice.text for notice in watched.notices] == [alarm.sentence for alarm in expected]
        stops = [alarm for alarm in expected if alarm.severity.value == "pause"]
        assert stops, "the text is one that loops"
        assert watched.notices[-1].action is NoticeAction.REWIND
        assert watched.num_pauses == (len(stops) if state is DraftState.DRAFTING else 0)
        await session.close()
        watched.project_window.window.leave()

    run_async(scenario())


@pytest.mark.parametrize("is_another", [False, True])
def test_a_run_that_begins_anew_is_drawn_from_where_it_begins(
    qapp: QApplication, run_async: Callable[..., Any], tmp_path: Path, is_another: bool
) -> None:
    async def scenario() -> None:
        watched = Watched(qapp, tmp_path)
        session, charts = await watched.open(), watched.charts
        run = Run(1, session.document_id, SamplingConfig(), 50, "", "", state=RunState.RUNNING, num_prompt=1)
        await start_run(session, run, (1,))
        chunk = Chunk((5, 6), "The ferry came.", 3, 3, 2.0, steps=(step(1), step(3)))
        await session.append(run.run_id, chunk)
        await session.end_run(run.run_id, RunState.PAUSED)
        await watched.charts_controller.follow(session)
        assert await session.resting_run() is not None
        before, end = count_words(OPENING), count_words(session.text)
        assert list(charts.chart(ChartKind.PACE).places)[:2] == [before + 1, before + 3]
        await watched.charts_controller.prepare(session)
        first = step(4 if not is_another else 1)
        watched.charts_controller.progressed(
            DraftProgress(first.num_words, 50, 1, 1.0, (first,), 2 if is_another else 1)
        )
        expected = [end + 1] if is_another else [before + 1, before + 3, before + 4]
        assert [place for place in charts.chart(ChartKind.PACE).places if place > before] == expected
        assert charts.chart(ChartKind.PACE).x_range == (end if is_another else before, expected[-1])
        await session.close()
        watched.project_window.window.leave()

    run_async(scenario())


def step(num_words: int) -> StepRecord:
    return StepRecord(1, num_words, 0, 0, 0, 5.0, 0.0, 5.0, 1.0)
