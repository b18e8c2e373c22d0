"""The client of the process that holds the dictionary."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from threading import Timer
from typing import Any

_COMMAND = (sys.executable, "-P", "-m", "quire.services.spelling.spelling_worker")


class SpellerGone(Exception):
    """The process is gone: it was ended, or did not answer in time."""


class SpellerRefused(Exception):
    """The process cannot carry out a request; the text says why, for a log."""


class SpellingProcess:
    """Starts the process; every method blocks, so it needs a thread of its own."""

    def __init__(self) -> None:
        """Start it; SpellerGone where that fails."""
        lower = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
        try:
            self._process = subprocess.Popen(
                _COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                encoding="ascii",
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0) | lower,
            )
        except OSError as error:
            raise SpellerGone(str(error)) from error

    def ask(self, *request: object, within_s: float) -> Any:
        """Return the answer; SpellerGone, and the process is ended, when it does not come in time."""
        given, taken = self._process.stdin, self._process.stdout
        if given is None or taken is None:
            raise SpellerGone("it has no pipes")
        limit = Timer(within_s, self._process.kill)
        limit.daemon = True
        limit.start()
        try:
            given.write(json.dumps(request) + "\n")
            given.flush()
            line = taken.readline()
        except (OSError, ValueError) as error:
            raise SpellerGone(str(error)) from error
        finally:
            limit.cancel()
        if not line.endswith("\n"):
            raise SpellerGone("it ended without an answer")
        kind, content = json.loads(line)
        if kind != "ok":
            raise SpellerRefused(str(content))
        return content

    def kill(self) -> None:
        """End it now, from any thread; a pending request fails with SpellerGone."""
        self._process.kill()

    def close(self) -> None:
        """End it and release its resources; for the thread that asks."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):  # unwritten requests are obsolete
                    pipe.close()
        self._process.wait()
