"""Opening projects of a made-up earlier format, killed between two operations on files.

`python -m tests.proofs.app.kill_migration FOLDER NUMBER` opens such projects: one to the end, to count the
`python -m tests.proofs.app.kill_migration FOLDER NUMBER` opens such projects: one to the end, to count the
operations, and one after the other until it kills itself after some of these. Nothing is left to chance and
nothing is waited for. Each opening is a process of its own, forked from one that has everything loaded.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from quire.storage.project_file import open_project_file
from tests.proofs.app.old_project import make_old_project
from tests.proofs.app.power_cut_disk import Operation, Recording, recorded

NAME = "novel.quire"
_WHOLE = "whole"


class _Counting(Recording):
    """Counts what is done to files, and kills the process that does it after so much of it."""

    def __init__(self, last: int | None) -> None:
        super().__init__()
        self._last = last

    def note(self, operation: Operation) -> None:
        """Count an operation; those of SQLite are about to be done, those of the app are done."""
        super().note(operation)
        if len(self.operations) == self._last:
            os.kill(os.getpid(), signal.SIGKILL)


def killed_migrations(folder: Path, number: int) -> list[Path]:
    """Kill the opening of a project at so many moments; return the files that are left, each in a folder.

    RuntimeError when one of them was not killed.
    """
    command = [
        sys.executable,
        "-m",
        "tests.proofs.app.kill_migration",
        str(folder),
        str(number),
    ]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
    return [folder / str(place) / NAME for place in range(number)]


def _main(arguments: Sequence[str]) -> int:
    folder, number = Path(arguments[0]), int(arguments[1])
    if status := _in_fork(lambda: _open(_made(folder / _WHOLE), None)):
        raise RuntimeError(f"the project cannot be opened: status {status}")
    count = int((folder / _WHOLE / "count").read_text(encoding="ascii"))
    for place in range(number):
        path, last = _made(folder / str(place)), 1 + place * (count - 1) // max(1, number - 1)
        status = _in_fork(lambda path=path, last=last: _open(path, last))  # type: ignore[misc]
        if status != -signal.SIGKILL:
            raise RuntimeError(f"opening it was not killed at {last} of {count}: status {status}")
    return 0


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    path = folder.resolve() / NAME
    make_old_project(path)
    return path


def _in_fork(work: Callable[[], None]) -> int:
    """Do some work in a process of its own; return how that ended, a signal as a number below 0."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _open(path: Path, last: int | None) -> None:
    """Open a project until it is in the present format and checked, but not close it."""
    counting = _Counting(last)
    with recorded(counting):
        file = open_project_file(path)
        count = len(counting.operations)
        file.close()
    (path.parent / "count").write_text(str(count), encoding="ascii")


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
