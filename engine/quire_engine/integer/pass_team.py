"""The threads that share the passes of one model."""

from __future__ import annotations

import contextlib
import functools
import os
import queue
import sys
import threading
import weakref
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from quire_engine.integer.attention_kernel import Sight
from quire_engine.integer.pass_data import Cache, Layers, NewRows, Room, Shape, new_cache, new_rows
from quire_engine.integer.pass_kernel import ADD_STAGES, SCORE_STAGES, STAGES, run_stages
from quire_engine.integer.pass_stages import Rows
from quire_engine.integer.shared_stages import new_word, open_stage

Floats = npt.NDArray[np.float32]
_Call = Callable[[], None]

_NUMBERS = 1 << 23
_NICER_BY = 5
_NO_LOGITS = np.zeros((0, 0), np.float32)


class PassTeam:
    """Runs passes with one thread or several; their number changes no bit.

    The other threads sleep between passes, and end when the team is forgotten.
    """

    def __init__(self, threads: int = 1) -> None:
        if threads < 1:
            raise ValueError(f"threads must be at least 1, got {threads}")
        self.threads = threads
        self._word = new_word()
        self._number = 0
        self._calls: list[queue.SimpleQueue[_Call | None]] = []
        weakref.finalize(self, _end, self._calls)

    def run(
        self,
        rows: Rows,
        layers: Layers,
        shape: Shape,
        cache: Cache,
        new: NewRows,
        room: Room,
        logits: Floats | None = None,
    ) -> None:
        """Run the rows of a pass through all layers, in place, and score them.

        Args:
            room: as from `new_room`, for at least this many threads.
            logits: (rows, ids), written; None: the rows are not scored.
        """
        last = len(layers.windows) * STAGES + ADD_STAGES + (SCORE_STAGES if logits is not None else 0)
        scores = _NO_LOGITS if logits is None else logits
        self._run(0, last, layers, shape, rows, cache, new, room, scores)

    def score(
        self, x: Floats, layers: Layers, shape: Shape, room: Room, logits: Floats, threads: int = 1
    ) -> None:
        """Write the logits of residuals (rows, width) into (rows, ids)."""
        no_rows, angles = np.zeros(0, np.int64), np.zeros((0, 0, 0), np.float32)
        sight = Sight(no_rows, np.zeros((0, 0), np.int64), no_rows)
        rows = Rows(x, angles, angles, np.zeros(0, np.float32), sight, -1, threads)
        no_layers = layers._replace(windows=no_rows)
        cache, new, last = new_cache(shape, 0, 0), new_rows(shape, 0, 0), ADD_STAGES + SCORE_STAGES
        self._run(ADD_STAGES, last, no_layers, shape, rows, cache, new, room, logits)

    def _run(
        self,
        first: int,
        last: int,
        layers: Layers,
        shape: Shape,
        rows: Rows,
        cache: Cache,
        new: NewRows,
        room: Room,
        logits: Floats,
    ) -> None:
        threads = rows.threads
        if not 1 <= threads <= self.threads:
            raise ValueError(f"a pass takes 1 to {self.threads} threads, got {threads}")
        self._number = (self._number + 1) % _NUMBERS
        word, number = self._word, self._number
        call = functools.partial(
            _run_thread, word, number, first, last, layers, shape, rows, cache, new, room, logits
        )
        open_stage(word, number, first)
        for thread in range(1, threads):
            self._queue_of(thread).put(functools.partial(call, thread))
        call(0)

    def _queue_of(self, thread: int) -> queue.SimpleQueue[_Call | None]:
        """Return the calls of another thread, which is started when it is first needed."""
        while len(self._calls) < thread:
            calls: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
            self._calls.append(calls)
            threading.Thread(target=_work, args=(calls,), name="integer pass", daemon=True).start()
        return self._calls[thread - 1]


def _run_thread(
    word: npt.NDArray[np.int64],
    number: int,
    first: int,
    last: int,
    layers: Layers,
    shape: Shape,
    rows: Rows,
    cache: Cache,
    new: NewRows,
    room: Room,
    logits: Floats,
    thread: int,
) -> None:
    run_stages(word, number, thread, first, last, layers, shape, rows, cache, new, room, logits)


def _work(calls: queue.SimpleQueue[_Call | None]) -> None:
    """Do one call after the other; None ends it. The window and the first thread come before this one."""
    if sys.platform == "linux":  # where each thread has a priority of its own
        with contextlib.suppress(OSError):
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + _NICER_BY)
    while True:
        call = calls.get()
        if call is None:
            return
        call()
        del call  # and with it the arrays, which the next pass may not need


def _end(calls: list[queue.SimpleQueue[_Call | None]]) -> None:
    for each in calls:
        each.put(None)
