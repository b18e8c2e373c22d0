"""A draft that is watched: what is measured on another thread is told in order, and of the right run."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from quire.domain.alarms import Alarm
from quire.domain.desk import DeskState, DeskStatus
from quire.domain.text_watch import TextWatch
from quire.inspecting import RunInspector
from quire.models.notices import Notice, Remedy
from quire.services.making import create_cut
from quire.services.projects import ProjectDesk
from tests.app.desk_window import DeskWindow

OPENING = "It rained all night, and nobody in the house had slept.\n\n"
LOOP = "And then the ferry came back over the black water, and nobody was on it. "
PIECES = [word + " " for word in (LOOP * 20).split()]


class Watched:
    """An inspector over a window, what it paused, and what was told."""

    def __init__(self, app: QApplication, folder: Path) -> None:
        self.folder = folder
        self.desk_window = DeskWindow(app, folder)
        window = self.desk_window.window
        self.num_pauses = 0
        self.notices: list[Notice] = []
        self.inspector = RunInspector(window, self.desk_window.models.charts, self._pause, lambda *_: None)
        self._show = window.notice_bar.show_notice
        window.notice_bar.show_notice = self._told  # type: ignore[method-assign]

    def _told(self, notice: Notice) -> None:
        self.notices.append(notice)
        self._show(notice)

    def _pause(self) -> None:
        assert threading.current_thread() is threading.main_thread()
        self.num_pauses += 1

    async def open(self) -> ProjectDesk:
        path = self.folder / "Book.quire"
        create_cut(path, "Book", OPENING)
        return await ProjectDesk.open(path)


def alarms_of(pieces: list[str]) -> list[Alarm]:
    watch = TextWatch(OPENING)
    return [alarm for piece in pieces for alarm in watch.add(piece)]


@pytest.mark.parametrize("state", [DeskState.DRAFTING, DeskState.PAUSED])
def test_a_loop_is_told_as_if_it_were_measured_at_once(
    qapp: QApplication, run_async: Callable[..., Any], tmp_path: Path, state: DeskState
) -> None:
    async def scenario() -> None:
        watched = Watched(qapp, tmp_path)
        desk = await watched.open()
        await watched.inspector.prepare(desk)
        watched.inspector.status_changed(DeskStatus(state))
        for number, piece in enumerate(PIECES):
            watched.inspector.text_drafted(piece)
            if number % 7 == 0:  # as a draft does: sometimes it is measured meanwhile, sometimes not
                await asyncio.sleep(0)
        await watched.inspector.follow(desk)  # waits until all of it is measured
        expected = alarms_of(PIECES)
        assert [notice.text for notice in watched.notices] == [alarm.sentence for alarm in expected]
        stops = [alarm for alarm in expected if alarm.severity.value == "pause"]
        assert stops, "the text is one that loops"
        assert watched.notices[-1].remedy is Remedy.REWIND
        assert watched.num_pauses == (len(stops) if state is DeskState.DRAFTING else 0)
        await desk.close()
        watched.desk_window.window.leave()

    run_async(scenario())
