from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QWidget

from quire.system.process import EndRequests, FirstPaint, seconds_since_start


class Asked:
    """Counts calls, and lets a test wait for one."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> None:
        self.times += 1


@pytest.fixture
def requests(qapp: Any) -> Iterator[tuple[EndRequests, Asked]]:
    asked = Asked()
    requests = EndRequests(asked, qapp)
    yield requests, asked
    requests.close()


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_becomes_a_call_on_the_gui_thread(
    requests: tuple[EndRequests, Asked], qtbot: Any, number: signal.Signals
) -> None:
    os.kill(os.getpid(), number)
    qtbot.waitUntil(lambda: requests[1].times == 1)


def test_the_signals_go_back_to_their_owner(qapp: Any) -> None:
    before = signal.getsignal(signal.SIGTERM)
    requests = EndRequests(Asked(), qapp)
    assert signal.getsignal(signal.SIGTERM) != before
    requests.close()
    assert signal.getsignal(signal.SIGTERM) == before


def test_the_age_of_the_process_grows() -> None:
    first = seconds_since_start()
    assert 0 < first < 86_400
    assert seconds_since_start() >= first


def test_the_first_paint_is_noticed_once(qtbot: Any) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    watch = FirstPaint(widget)
    widget.show()
    with qtbot.waitSignal(watch.painted):
        watch.arm()
    with qtbot.assertNotEmitted(watch.painted):
        widget.repaint()
