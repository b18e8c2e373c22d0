"""`python -m quire`: a command without a window, or the window."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Sequence
from typing import NoReturn

COMMANDS = frozenset(
    {"new", "import", "draft", "info", "models", "text", "runs", "backup", "restore", "check"}
)
ENGINE_THREAD = "engine"
WITHOUT_WINDOW = COMMANDS | {"-h", "--help", "--version"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code; import only what that needs."""
    if arguments is None:
        arguments = sys.argv[1:]
    if arguments and arguments[0] in WITHOUT_WINDOW:
        from quire.cli.main import main as run_command

        return run_command(arguments)
    from quire.application import run as run_window

    return run_window(arguments)


def run() -> NoReturn:
    """Run the command line and end the process."""
    code = main()
    if any(thread.name == ENGINE_THREAD for thread in threading.enumerate()):
        for stream in filter(None, (sys.stdout, sys.stderr)):  # on Windows there may be none
            with contextlib.suppress(OSError):
                stream.flush()
        os._exit(code)
    sys.exit(code)


if __name__ == "__main__":
    run()
