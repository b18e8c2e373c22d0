"""The only place that starts Pandoc: in its sandbox, with limits of time and memory."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from quire.book_formats.work_progress import WorkProgress
from quire.errors import WriterProblem
from quire.system.resource_limits import is_limit_passed

API_VERSION = (1, 23, 1)
"""Of the document tree that goes to Pandoc and comes back, as JSON."""
MAX_HEAP_MIB = 2048
"""For an export; a book of 300,000 words takes less than a third of it."""
_HEAP_EXHAUSTED = 251
_NO_MEMORY = (b"Heap exhausted", b"Unable to commit", b"out of memory")
_MAX_SAID = 10_000
_POLL_S = 0.05
_BYTES_PER_S = 3_000_000
"""What it gets through, measured; only for the progress that is shown."""


class PandocFailed(Exception):
    """Pandoc failed; the text is its message."""


class PandocTooLong(PandocFailed):
    """Pandoc took more time or more memory than a book needs."""


def pandoc_path() -> Path:
    """Return the program: the one that is installed with Quire, or else the system's.

    WriterProblem where it is missing.
    """
    package = find_spec("pypandoc")
    name = "pandoc.exe" if sys.platform == "win32" else "pandoc"
    if package is not None and package.origin is not None:
        bundled = Path(package.origin).parent / "files" / name
        if bundled.is_file():
            return bundled
    elsewhere = shutil.which(name)
    if elsewhere is None:
        raise WriterProblem(
            "Pandoc, which reads and writes Word, OpenDocument and EPUB files, is missing. Install Quire "
            "again, or choose plain text, Markdown, a web page or PDF."
        )
    return Path(elsewhere)


def converted(
    arguments: Sequence[str],
    content: bytes,
    watch: WorkProgress,
    *,
    limit_s: float,
    heap_mib: int = MAX_HEAP_MIB,
) -> bytes:
    """Return Pandoc's conversion of a file's content.

    PandocFailed when it fails; Cancelled, with the process ended, when the writer stopped it.
    """
    command = [str(pandoc_path()), "+RTS", f"-M{heap_mib}m", "-RTS", "--sandbox", *arguments]
    with TemporaryFile() as given, TemporaryFile() as made, TemporaryFile() as said:
        try:
            given.write(content)
            given.seek(0)
            process = _started(command, given, made, said)
        except OSError as error:
            raise WriterProblem(
                "Pandoc could not be started ({reason}). Free some disk space, or install Quire again.",
                reason=error.strerror,
            ) from error
        try:
            _wait(process, len(content), watch, limit_s)
        finally:
            process.kill()
            process.wait()
        made.seek(0)
        said.seek(0)
        _check(process.returncode, said.read(_MAX_SAID))
        return made.read()


def _check(returncode: int, said: bytes) -> None:
    if not returncode:
        return
    words = said.decode(errors="replace").strip()
    has_no_memory = returncode == _HEAP_EXHAUSTED or any(sign in said for sign in _NO_MEMORY)
    if has_no_memory or is_limit_passed(returncode):
        raise PandocTooLong(words)
    raise PandocFailed(words or f"exit status {returncode}")


def _started(
    command: Sequence[str], given: IO[bytes], made: IO[bytes], said: IO[bytes]
) -> subprocess.Popen[bytes]:
    """Start it on files: pipes would have to be filled and emptied at once, and no limit holds for them."""
    return subprocess.Popen(
        command,
        stdin=given,
        stdout=made,
        stderr=said,
        env=_environment(),
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _wait(process: subprocess.Popen[bytes], num_bytes: int, watch: WorkProgress, limit_s: float) -> None:
    began, expected_s = time.monotonic(), 0.3 + num_bytes / _BYTES_PER_S
    while True:
        try:
            process.wait(_POLL_S)
        except subprocess.TimeoutExpired:
            seconds = time.monotonic() - began
            watch.step(min(seconds / expected_s, 0.95))
            if seconds > limit_s:
                raise PandocTooLong(f"more than {limit_s:.0f} seconds") from None
        else:
            return


def _environment() -> dict[str, str]:
    """Return a minimal environment: no proxies, no folders with settings."""
    kept = ("SYSTEMROOT", "PATH", "TMPDIR", "TEMP", "TMP") if sys.platform == "win32" else ("TMPDIR",)
    return {"LC_ALL": "C.UTF-8", **{name: os.environ[name] for name in kept if name in os.environ}}
