"""`python -m quire`: a command without a window, or the window."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from quire.system.app_folders import be_portable

COMMANDS = frozenset(
    {"new", "import", "draft", "info", "models", "text", "runs", "backup", "restore", "check"}
)
ENGINE_THREAD = "engine"
WITHOUT_WINDOW = COMMANDS | {"-h", "--help", "--version"}
PROBLEM = 1
STOPPED = 130
_SUFFIX = ".quire"


def opens_window(arguments: Sequence[str]) -> bool:
    """Tell whether Quire opens its window for these arguments.

    It does for its own options and for a project, that is what exists or ends in .quire; anything else is a
    command, if perhaps a mistyped one.
    """
    if not arguments:
        return True
    first = arguments[0]
    if first in WITHOUT_WINDOW:
        return False
    return first.startswith("-") or first.lower().endswith(_SUFFIX) or _exists(first)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code; import only what that needs."""
    if arguments is None:
        arguments = sys.argv[1:]
    be_portable()
    if not opens_window(arguments):
        from quire.cli.main import main as run_command

        return run_command(arguments)
    from quire.launch_options import parse
    from quire.system.display import window_problem

    parse(arguments)  # a mistyped option is reported before anything else
    if problem := window_problem(os.environ):
        if sys.stderr is not None:
            sys.stderr.write(f"quire: {problem}\n")
        return PROBLEM
    from quire.application import run as run_window

    return run_window(arguments)


def run() -> NoReturn:
    """Run the command line and end the process."""
    interrupts = _Interrupts()
    try:
        _open_closed_streams()
        code = main()
    except KeyboardInterrupt:  # before anything was begun that could be paused
        code = STOPPED
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else PROBLEM
    interrupts.end_at_once(code)
    for stream in filter(None, (sys.stdout, sys.stderr)):  # on Windows there may be none
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    if any(thread.name == ENGINE_THREAD for thread in threading.enumerate()):
        os._exit(code)
    sys.exit(code)


class _Interrupts:
    """Ctrl-C while Quire starts or ends: the first is an exception, any further one ends the process.

    Without it a second one, while the first is being dealt with, would end in a traceback. A draft sets its
    own handler, which pauses.
    """

    def __init__(self) -> None:
        self._code: int | None = None
        with contextlib.suppress(ValueError):  # not on the main thread, as in a test
            signal.signal(signal.SIGINT, self._received)

    def end_at_once(self, code: int) -> None:
        """From now on, end with the exit code: nothing is left to be done."""
        self._code = code
        with contextlib.suppress(ValueError):
            signal.signal(signal.SIGINT, self._received)

    def _received(self, _number: int, _frame: object) -> None:
        if self._code is not None:
            os._exit(self._code)
        self._code = STOPPED
        raise KeyboardInterrupt


def _open_closed_streams() -> None:
    """Give a process that was started without standard streams some that refuse to be used.

    Otherwise the next file that is opened, such as the project, would be the standard output.
    """
    if sys.platform == "win32":
        return
    for number, flags in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  as long as the process
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def _exists(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # a name that no file can have
        return False


if __name__ == "__main__":
    run()
