"""What measures the window from inside: how long a key takes to be seen, and how late its events come."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, SignalInstance, Slot
from PySide6.QtGui import QInputDevice, QKeyEvent
from PySide6.QtWidgets import QWidget

from quire.editor.manuscript_editor import ManuscriptEditor

TICK_MS = 5.0
"""How often the event loop is asked whether it is in time."""
LATE_MS = 16.0
"""What is later is seen as a stutter."""
_BUSY_TURNS, _REST_S = 50, 0.0005
"""Turns of a wait that follow at once, and the rest before each that follows them."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time, by the clock and by what the window's thread has worked, in seconds."""

    wall_s: float
    cpu_s: float

    @classmethod
    def now(cls) -> Moment:
        """Return this very moment of the window's thread."""
        return cls(time.perf_counter(), time.thread_time())

    def since(self, before: Moment) -> Took:
        """Return what went by since an earlier one."""
        return Took((self.wall_s - before.wall_s) * 1000, (self.cpu_s - before.cpu_s) * 1000)


@dataclass(frozen=True, slots=True)
class Took:
    """How long something took, and how much of that the window's thread worked, in milliseconds."""

    wall_ms: float
    cpu_ms: float


class Paints(QObject):
    """Tells when a widget has been painted and is on the screen, by the event that paints the window."""

    def __init__(self, window: QWidget, widget: QWidget) -> None:
        super().__init__(window)
        self._window, self._widget = window, widget
        self._was_painted = self._is_painting = False
        self._waiting: list[asyncio.Future[Moment]] = []
        self.listeners: list[Callable[[Moment], None]] = []
        window.installEventFilter(self)
        widget.installEventFilter(self)

    def stop(self) -> None:
        """Watch no more."""
        self._window.removeEventFilter(self)
        self._widget.removeEventFilter(self)

    async def next(self) -> Moment:
        """Wait for the next time that the widget has been painted."""
        painted: asyncio.Future[Moment] = asyncio.get_running_loop().create_future()
        self._waiting.append(painted)
        return await painted

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the window paint itself, and look at the clock when it has."""
        if watched is self._widget and event.type() is QEvent.Type.Paint:
            self._was_painted = True
        elif watched is self._window and event.type() is QEvent.Type.UpdateRequest and not self._is_painting:
            self._was_painted, self._is_painting = False, True
            self._window.event(event)
            self._is_painting = False
            if self._was_painted:
                self._tell(Moment.now())
            return True
        return False

    def _tell(self, now: Moment) -> None:
        for listener in self.listeners:
            listener(now)
        waiting, self._waiting = self._waiting, []
        for painted in waiting:
            if not painted.done():
                painted.set_result(now)


class Keyboard(QObject):
    """Types at a steady pace from a thread of its own, as a hand does, whatever the window is doing.

    took: from each key to the paint that shows it; the work of the window's thread counts from the moment it
    was handed the key.
    """

    def __init__(self, editor: ManuscriptEditor, paints: Paints) -> None:
        super().__init__(editor)
        self._editor = editor
        self._sent: deque[float] = deque()
        self._seen: list[Moment] = []
        self._wanted = 0
        self._done: asyncio.Future[None] | None = None
        self.took: list[Took] = []
        QInputDevice.primaryKeyboard()  # else the first key makes it, on a thread that is not the window's
        paints.listeners.append(self._painted)
        editor.installEventFilter(self)

    async def type(self, text: str, every_s: float) -> list[Took]:
        """Type a text; return how long each key took."""
        self.took, self._wanted = [], len(text)
        self._done = asyncio.get_running_loop().create_future()
        hand = threading.Thread(target=self._press_all, args=(text, every_s), name="hand")
        hand.start()
        await self._done
        hand.join()
        return self.took

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take note of the keys that arrive."""
        if event.type() is QEvent.Type.KeyPress and self._sent:
            self._seen.append(Moment(self._sent.popleft(), time.thread_time()))
        return False

    def _press_all(self, text: str, every_s: float) -> None:
        due = time.perf_counter()
        for letter in text:
            key = Qt.Key.Key_Space if letter == " " else Qt.Key(ord(letter.upper()))
            event = QKeyEvent(QEvent.Type.KeyPress, key, Qt.KeyboardModifier.NoModifier, letter)
            self._sent.append(time.perf_counter())
            QCoreApplication.postEvent(self._editor, event)
            due += every_s
            time.sleep(max(due - time.perf_counter(), 0))

    def _painted(self, now: Moment) -> None:
        self.took += [now.since(key) for key in self._seen]
        self._seen.clear()
        if self._done is not None and not self._done.done() and len(self.took) >= self._wanted:
            self._done.set_result(None)


@dataclass(slots=True)
class Lag:
    """How late the event loop was at each tick, and how much the window's thread worked before it.

    A stop of the loop counts as often as ticks fell into it.
    """

    took: list[Took] = field(default_factory=list[Took])

    def add(self, late_ms: float, work_ms: float) -> None:
        """Take one tick."""
        late_ms = max(late_ms, 0.0)
        while True:
            self.took.append(Took(late_ms, min(work_ms, late_ms)))
            late_ms -= TICK_MS
            if late_ms <= 0:
                return

    @property
    def share_late(self) -> float:
        """Share of the ticks that came more than 16 ms late."""
        return sum(one.wall_ms > LATE_MS for one in self.took) / max(len(self.took), 1)

    @property
    def share_late_by_work(self) -> float:
        """Share of the ticks that the window's own work alone would have made so late."""
        return sum(one.cpu_ms > LATE_MS for one in self.took) / max(len(self.took), 1)


class LagWatch(QObject):
    """Asks the event loop all the time whether it is in time."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(round(TICK_MS))
        self._timer.timeout.connect(self._tick)
        self._last = Moment.now()
        self.lag = Lag()

    def start(self) -> None:
        """Begin to watch."""
        self.lag, self._last = Lag(), Moment.now()
        self._timer.start()

    def stop(self) -> Lag:
        """Return what was seen."""
        self._timer.stop()
        return self.lag

    @Slot()
    def _tick(self) -> None:
        now = Moment.now()
        took, self._last = now.since(self._last), now
        self.lag.add(took.wall_ms - TICK_MS, took.cpu_ms)


async def until(changed: SignalInstance, holds: Callable[[], object]) -> None:
    """Wait until something is true; it is asked again after every signal."""
    await until_any((changed,), holds)


async def until_any(signals: Sequence[SignalInstance], holds: Callable[[], object]) -> None:
    """Wait until something is true; it is asked again after every one of these signals."""
    if holds():
        return
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def ask() -> None:
        if not done.done() and holds():
            done.set_result(None)

    for changed in signals:
        changed.connect(ask)
    try:
        await done
    finally:
        for changed in signals:
            changed.disconnect(ask)


async def turns_until(holds: Callable[[], object], every_s: float = 0.0) -> None:
    """Wait until something is true that no signal tells of, looking at every turn or less often.

    Whoever looks at every turn misses nothing, and for long would keep the processor from what is waited for.
    """
    turns = 0
    while not holds():
        await asyncio.sleep(every_s)
        turns += 1
        if turns > _BUSY_TURNS and not every_s:
            time.sleep(_REST_S)  # noqa: ASYNC251  between two turns, so that each of them is looked at


def share(values: Sequence[float], part: float) -> float:
    """Return the value that so large a part of some values do not exceed."""
    ordered = sorted(values)
    return ordered[min(int(part * len(ordered)), len(ordered) - 1)] if ordered else 0.0
