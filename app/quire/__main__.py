"""`python -m quire`: a command without a window, or the window."""

from __future__ import annotations

import sys
from collections.abc import Sequence

COMMANDS = frozenset({"new", "import", "draft", "info", "text", "runs", "backup", "restore"})
WITHOUT_WINDOW = COMMANDS | {"-h", "--help", "--version"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the arguments say and return the exit code; imports only what that needs."""
    if arguments is None:
        arguments = sys.argv[1:]
    if arguments and arguments[0] in WITHOUT_WINDOW:
        from quire.cli import main as run_command

        return run_command(arguments)
    from quire.application import run as run_window

    return run_window(arguments)


if __name__ == "__main__":
    sys.exit(main())
