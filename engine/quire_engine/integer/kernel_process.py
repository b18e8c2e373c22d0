"""Compile all kernels in a process of its own, whose compiler can't hold up the window.

numba's compiler is Python for the most part: in a thread it would take the interpreter from the window for
half a minute.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import IO

from quire_engine.integer.kernel_cache import all_compiled, kernels_folder

_COMMAND = (sys.executable, "-P", "-m", "quire_engine.integer")
_LOOK_EVERY_S = 0.1

_log = logging.getLogger(__name__)


def ensure_compiled(report: Callable[[float], None]) -> None:
    """Wait until all kernels are compiled, by whichever process; without effect where they are.

    It never fails: what is not compiled then is compiled when it is first used.

    Args:
        report: told the share that is done, several times a second; may raise to stop.
    """
    if all_compiled():
        return
    report(0.0)
    variables = os.environ | {"NUMBA_CACHE_DIR": str(kernels_folder())}
    try:
        process = subprocess.Popen(
            _COMMAND,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=variables,
            text=True,
        )
    except OSError:
        _log.warning("The process that compiles kernels can't be started.", exc_info=True)
        return
    with process:
        try:
            _follow(process, report)
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        _log.warning("The process that compiles kernels ended with %d.", process.returncode)


def _follow(process: subprocess.Popen[str], report: Callable[[float], None]) -> None:
    assert process.stdout is not None
    told = [0.0]
    reader = threading.Thread(target=_read, args=(process.stdout, told), daemon=True)
    reader.start()
    while True:
        try:
            process.wait(_LOOK_EVERY_S)
            break
        except subprocess.TimeoutExpired:
            report(told[-1])
    reader.join()


def _read(lines: IO[str], told: list[float]) -> None:
    """Keep the share that each line says."""
    for line in lines:
        try:
            told[0] = float(line)
        except ValueError:
            _log.info("compiling kernels: %s", line.rstrip())
