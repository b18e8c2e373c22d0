from __future__ import annotations

import gc
import threading
from typing import Any

from PySide6.QtCore import QObject

from quire.system.gc_guard import GcGuard


def test_collections_happen_on_the_gui_thread_only(qtbot: Any) -> None:
    threads: list[str] = []

    def note(phase: str, info: dict[str, int]) -> None:
        threads.append(threading.current_thread().name)

    def allocate() -> None:
        for _ in range(100_000):
            cycle: list[object] = []
            cycle.append(cycle)

    gc.enable()  # the guard has to switch it off by itself
    parent = QObject()
    guard = GcGuard(parent, interval_ms=10)
    gc.callbacks.append(note)
    try:
        worker = threading.Thread(target=allocate)
        worker.start()
        qtbot.waitUntil(lambda: len(threads) > 0)
        worker.join()
    finally:
        gc.callbacks.remove(note)
    assert guard.parent() is parent
    assert set(threads) == {threading.main_thread().name}


def test_a_guard_that_was_stopped_collects_no_more(qtbot: Any) -> None:
    """Windows that were closed would otherwise go on collecting for as long as anything holds them."""
    parent = QObject()
    guard = GcGuard(parent, interval_ms=10)
    guard.stop()
    assert not guard._timer.isActive()
