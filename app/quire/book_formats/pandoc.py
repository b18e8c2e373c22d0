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

API_VERSION = (1, 23, 1)
"""Of the document tree that goes to Pandoc and comes back, as JSON."""
MAX_HEAP_MIB = 2048
"""A book of 300,000 words takes less than a third of it."""
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


def converted(arguments: Sequence[str], content: bytes, watch: WorkProgress, *, limit_s: float) -> bytes:
    """Return Pandoc's conversion of a file's content.

    PandocFailed when it fails; Cancelled, with the process ended, when the writer stopped it.
    """
    command = [str(pandoc_path()), "+RTS", f"-M{MAX_HEAP_MIB}m", "-RTS", "--sandbox", *arguments]
    try:
        with TemporaryFile() as given:
            given.write(content)
            given.seek(0)
            process = _started(command, given)
    except OSError as error:
        raise WriterProblem(
            "Pandoc could not be started ({reason}). Free some disk space, or install Quire again.",
            reason=error.strerror,
        ) from error
    with process:
        try:
            output, said = _heard(process, len(content), watch, limit_s)
        except BaseException:
            process.kill()
            raise
    words = said.decode(errors="replace").strip()
    if process.returncode == 251 or "Heap exhausted" in words:
        raise PandocTooLong(words)
    if process.returncode:
        raise PandocFailed(words or f"exit status {process.returncode}")
    return output


def _started(command: Sequence[str], given: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start it on a file: a pipe would have to be filled while its output is read."""
    return subprocess.Popen(
        command,
        stdin=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_environment(),
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
    )


def _heard(
    process: subprocess.Popen[bytes], num_bytes: int, watch: WorkProgress, limit_s: float
) -> tuple[bytes, bytes]:
    began, expected_s = time.monotonic(), 0.3 + num_bytes / _BYTES_PER_S
    while True:
        try:
            return process.communicate(timeout=_POLL_S)
        except subprocess.TimeoutExpired:
            seconds = time.monotonic() - began
            watch.step(min(seconds / expected_s, 0.95))
            if seconds > limit_s:
                raise PandocTooLong(f"more than {limit_s:.0f} seconds") from None


def _environment() -> dict[str, str]:
    """Return a minimal environment: no proxies, no folders with settings."""
    kept = ("SYSTEMROOT", "PATH", "TMPDIR", "TEMP", "TMP") if sys.platform == "win32" else ("TMPDIR",)
    return {"LC_ALL": "C.UTF-8", **{name: os.environ[name] for name in kept if name in os.environ}}
