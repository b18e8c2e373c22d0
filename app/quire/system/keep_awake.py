"""Keeps the computer awake during a draft."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys

_CONTINUOUS, _SYSTEM_REQUIRED = 0x80000000, 0x00000001  # SetThreadExecutionState


class SleepInhibitor:
    """Keeps the system awake between start() and stop(), where possible.

    Both are quick, and may be called again. On Windows they must be called on one thread.
    """

    def __init__(self) -> None:
        self._helper: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Keep the system awake from now on."""
        if sys.platform == "win32":
            ctypes.windll.kernel32.SetThreadExecutionState(_CONTINUOUS | _SYSTEM_REQUIRED)
        elif self._helper is None and (command := _command()) is not None:
            try:
                self._helper = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
            except OSError:  # a computer that sleeps pauses a draft, and loses nothing
                self._helper = None

    def stop(self) -> None:
        """Let the system sleep again."""
        if sys.platform == "win32":
            ctypes.windll.kernel32.SetThreadExecutionState(_CONTINUOUS)
        elif self._helper is not None:
            helper, self._helper = self._helper, None
            if helper.stdin is not None:
                helper.stdin.close()
            helper.terminate()
            helper.wait()


def _command() -> list[str] | None:
    """Return a command that keeps the system awake until its standard input ends or Quire does."""
    if sys.platform == "darwin":
        return ["/usr/bin/caffeinate", "-i", "-w", str(os.getpid())]
    if (inhibit := shutil.which("systemd-inhibit")) is None:
        return None
    why = "A draft is being written"
    return [inhibit, "--what=sleep:idle", "--mode=block", "--who=Quire", f"--why={why}", "cat"]
