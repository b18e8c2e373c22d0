"""Runs a module of Quire in a process of its own that limits itself, and ends it with all it started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from tempfile import TemporaryFile
from typing import IO

from quire.system.resource_limits import ResourceLimits, is_limit_passed

_POLL_S = 0.05


class LimitPassed(Exception):
    """The process took more time, memory or space than it may."""


class ProcessFailed(Exception):
    """The process ended without a result; the text says how, for a log."""


def result_of(
    module: str, arguments: Sequence[str], limits: ResourceLimits, poll: Callable[[float], None]
) -> bytes:
    """Return what the module wrote to its standard output; OSError where it cannot be started.

    LimitPassed or ProcessFailed when it has no result; an exception of `poll` ends the process.

    Args:
        module: run with `-m`; it has to call `limit_this_process` first.
        limits: `wall_s` and `output_bytes` are kept here, the others by the process itself.
        poll: called every few hundredths of a second with the seconds since the start.
    """
    with TemporaryFile() as output:
        process = _started(module, arguments, output)
        began = time.monotonic()
        try:
            while True:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(_POLL_S)
                    break
                seconds = time.monotonic() - began
                if seconds > limits.wall_s or os.fstat(output.fileno()).st_size > limits.output_bytes:
                    raise LimitPassed
                poll(seconds)
        finally:
            _end(process)
        if is_limit_passed(process.returncode):
            raise LimitPassed
        if process.returncode:
            raise ProcessFailed(f"{module} ended with exit status {process.returncode}")
        output.seek(0)
        return output.read()


def _started(module: str, arguments: Sequence[str], output: IO[bytes]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        (sys.executable, "-P", "-m", module, *arguments),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process, and everything that it started and that may still run."""
    if sys.platform == "win32":
        process.kill()  # its job ends the others
    else:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
