"""The process and the operating system: its start time, and requests to end it."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

_IMPORTED_S = time.perf_counter()
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_START_TIME_FIELD = 19
"""Of /proc/self/stat, counted behind the name in brackets: clock ticks from the computer's start."""


def seconds_since_start() -> float:
    """Return the age of this process; where the system does not provide it, since this module was
    imported."""
    try:
        stat = Path("/proc/self/stat").read_text(encoding="ascii", errors="replace")
        started_ticks = int(stat.rpartition(")")[2].split()[_START_TIME_FIELD])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - started_ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return time.perf_counter() - _IMPORTED_S


class EndRequests(QObject):
    """Turns SIGINT and SIGTERM into a call on the GUI thread.

    Qt waits in C, where Python's handlers never run; a signal writes into a socket and that wakes it up.
    """

    def __init__(self, asked: Callable[[], None], parent: QObject) -> None:
        super().__init__(parent)
        self._asked = asked
        self._reader, self._writer = socket.socketpair()
        for end in (self._reader, self._writer):
            end.setblocking(False)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._drain)
        self._wakeup_fd = signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        self._handlers = {number: signal.signal(number, self._handle) for number in _SIGNALS}

    def close(self) -> None:
        """Restore the previous signal handlers."""
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakeup_fd)
        self._notifier.setEnabled(False)
        self._reader.close()
        self._writer.close()

    def _handle(self, number: int, frame: FrameType | None) -> None:
        # Not here: a handler may run in the middle of anything.
        QTimer.singleShot(0, self._asked)

    @Slot()
    def _drain(self) -> None:
        self._reader.recv(64)


class FirstPaint(QObject):
    """Notices when a widget is painted for the first time after it was armed."""

    painted = Signal()

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self._widget = widget

    def arm(self) -> None:
        """Watch for the next paint."""
        self._widget.installEventFilter(self)
        self._widget.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass every event on; report the first paint once it is done."""
        if event.type() is QEvent.Type.Paint:
            self._widget.removeEventFilter(self)
            QTimer.singleShot(0, self.painted.emit)
        return False
