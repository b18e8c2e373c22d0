"""How far the kernels are compiled, which the first load on a computer waits for."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from numba.core import event as numba_event

_USUAL = 160
"""Functions that are compiled at the first load, about."""


@contextlib.contextmanager
def compiling(report: Callable[[float], None]) -> Iterator[None]:
    """Report the share of the kernels that is compiled; nothing where they were kept.

    report: may raise to stop, which ends the compilation.
    """
    with numba_event.install_listener("numba:compile", _Listener(report)):
        yield


class _Listener(numba_event.Listener):
    def __init__(self, report: Callable[[float], None]) -> None:
        self._report = report
        self._done = 0

    def on_start(self, event: Any) -> None:
        self._report(self._done / max(_USUAL, self._done + 1))

    def on_end(self, event: Any) -> None:
        self._done += 1
