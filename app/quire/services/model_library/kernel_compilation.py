"""Compiles the kernels of *Fast* beside what the writer does, so that the first load finds them ready."""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

from quire_engine.api.config import Weights

_COMMAND = (sys.executable, "-P", "-m", "quire_engine.integer", "--without-gpu")
_NICER_BY = 10

_log = logging.getLogger(__name__)


def needs_kernels(folder: Path, weights: Weights) -> bool:
    """Whether a model is computed in whole numbers where there is no graphics card; reads its folder."""
    from quire_engine.catalog.inspection import ModelFacts, inspect_folder  # the window does without it

    facts = inspect_folder(folder)
    return isinstance(facts, ModelFacts) and facts.is_fast(weights, on_gpu=False)


class KernelCompilation:
    """A process of low priority that compiles what is not compiled yet, and ends with Quire.

    Of several ones, whoever started them, one compiles. It leaves what it has done when it is stopped, so
    that a load, whose own process shows how far it is, has less to do.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    def start(self) -> None:
        """Begin, unless it is under way; on any thread. Where it can't begin, the first load compiles."""
        with self._lock:
            if self._is_closed or (self._process is not None and self._process.poll() is None):
                return
            self._let_go()
            try:
                self._process = _started()
            except OSError:
                _log.warning("The process that compiles kernels can't be started.", exc_info=True)

    def stop(self) -> None:
        """Stop it; on any thread. It is gone when this returns."""
        with self._lock:
            if self._process is not None:
                self._process.kill()
            self._let_go()

    def close(self) -> None:
        """Stop it for good."""
        self._is_closed = True
        self.stop()

    def _let_go(self) -> None:
        """Wait for a process that has ended, or was killed."""
        process, self._process = self._process, None
        if process is not None:
            with process:
                pass


def _started() -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        _COMMAND,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,  # some lines that nobody reads: without Quire they can't be written
        stderr=subprocess.DEVNULL,
        creationflags=_window_flags(),
    )
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            own = os.getpriority(os.PRIO_PROCESS, 0)
            os.setpriority(os.PRIO_PROCESS, process.pid, own + _NICER_BY)
    return process


def _window_flags() -> int:
    """Return what makes a process on Windows quiet and of low priority; 0 elsewhere."""
    names = ("CREATE_NO_WINDOW", "BELOW_NORMAL_PRIORITY_CLASS")
    return sum(int(getattr(subprocess, name, 0)) for name in names)
