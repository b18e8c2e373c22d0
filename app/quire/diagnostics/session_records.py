"""What is recorded for each start of Quire in the state folder, so that the next start knows how it ended.

A start keeps its file locked, and removes it when it ends normally. An unlocked file belongs to a start that
crashed: its records become a report.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from quire.diagnostics import crash_report_text

LOG_LINES = 50
"""Number of log lines in a report."""
MAX_ERRORS = 20
KEPT_REPORTS = 5
EARLY_S = 60.0
"""A start that crashes within this many seconds is counted as an early crash."""
EARLY_ENDS = 2
"""After this many early crashes in a row Quire starts in safe mode."""
_RUNNING = "running-"
_LOG, _FAULT = ".jsonl", ".fault"
_EARLY = "early-ends.txt"
_MAX_BYTES = 4_000_000

if sys.platform != "win32":
    import fcntl


@dataclass(frozen=True, slots=True)
class LastTime:
    """How the start before this one ended.

    Attributes:
        unexpectedly: whether it crashed.
        report: its report; empty if nothing else is known.
        early_ends: number of consecutive starts that crashed within a minute.
    """

    unexpectedly: bool = False
    report: str = ""
    early_ends: int = 0

    @property
    def calls_for_care(self) -> bool:
        """Return whether recent starts crashed so early that this one should do less automatically."""
        return self.early_ends >= EARLY_ENDS


@dataclass(frozen=True, slots=True)
class Noted:
    """What one start recorded.

    Attributes:
        started: when.
        about: versions and system.
        errors: the errors.
        log: log lines.
        fault: faulthandler's output.
        steady: whether it ran for a minute.
    """

    started: str = ""
    about: str = ""
    errors: tuple[str, ...] = ()
    log: tuple[str, ...] = ()
    fault: str = ""
    steady: bool = False

    @property
    def says_why(self) -> bool:
        """Return whether there is more to report than the crash itself."""
        return bool(self.errors or self.fault)

    def report(self) -> str:
        """Return the report as text."""
        parts = [
            "Quire report",
            "This holds no text of a book, no names of files, and nothing that was typed.",
            "",
            self.about,
            f"Started: {self.started}",
        ]
        if self.fault:
            parts += ["", "The system ended Quire:", self.fault]
        for error in self.errors:
            parts += ["", "Error:", error]
        parts += ["", "Last log lines:", *(self.log or ("(none)",))]
        return "\n".join(parts) + "\n"


class SessionFile:
    """The records of this start; raises OSError if the folder is not writable."""

    def __init__(self, folder: Path, about: str, now: datetime) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        name = f"{_RUNNING}{now:%Y%m%d-%H%M%S-%f}-{os.getpid()}"
        new, self._path = folder / f"new-{name}", folder / f"{name}{_LOG}"
        self._log = new.open("wb")
        if sys.platform != "win32":
            fcntl.flock(self._log, fcntl.LOCK_EX)
            new.rename(self._path)  # only now, so that nobody finds it unlocked
        else:  # there nobody can lock an open file, nor rename one
            self._log.close()
            new.unlink()
            self._log = self._path.open("wb")
        self._fault_path = self._path.with_suffix(_FAULT)
        self.fault = self._fault_path.open("wb")
        self._noted = Noted(f"{now:%Y-%m-%d %H:%M:%S}", about)
        self._write("start", self._noted.started)
        self._write("about", about)

    @property
    def noted(self) -> Noted:
        """Return what was recorded so far."""
        return self._noted

    def error(self, text: str) -> None:
        """Record an error; only the first ones are kept."""
        if len(self._noted.errors) < MAX_ERRORS:
            self._note("error", text)

    def log_line(self, text: str) -> None:
        """Record a line of the log."""
        self._note("log", text)

    def steady(self) -> None:
        """Record that this start has run for a minute."""
        self._note("steady", "")
        _write_early_ends(self._folder, 0)

    def close(self) -> None:
        """Mark this start as ended normally."""
        self._close_files()
        _write_early_ends(self._folder, 0)
        for path in (self._path, self._fault_path):
            with contextlib.suppress(OSError):
                path.unlink()

    def _note(self, kind: str, text: str) -> None:
        self._noted = _with(self._noted, kind, text)
        if self._log.tell() > _MAX_BYTES:
            self._log.seek(0)
            self._log.truncate()
            for before in _entries_of(self._noted):
                self._write(*before)
        else:
            self._write(kind, text)

    def _write(self, kind: str, text: str) -> None:
        with contextlib.suppress(OSError):  # a full disk costs the report, not the work
            self._log.write(json.dumps([kind, text]).encode() + b"\n")
            self._log.flush()

    def _close_files(self) -> None:
        for file in (self._log, self.fault):
            with contextlib.suppress(OSError):
                file.close()


def last_time(folder: Path) -> LastTime:
    """Collect the records of starts that crashed, and return how the last of them ended."""
    with contextlib.suppress(OSError):
        left = list(_left_behind(folder))
        early_ends = _early_ends(folder)
        for noted in left:
            early_ends = 0 if noted.steady else early_ends + 1
            if noted.says_why:
                _keep(folder, noted)
        if left:
            _write_early_ends(folder, early_ends)
            report = left[-1].report() if left[-1].says_why else ""
            return LastTime(unexpectedly=True, report=report, early_ends=early_ends)
    return LastTime()


def kept_reports(folder: Path) -> tuple[Path, ...]:
    """Return the reports of earlier starts, the newest first."""
    return tuple(sorted(folder.glob("report-*.txt"), reverse=True))


def _left_behind(folder: Path) -> Iterator[Noted]:
    for path in sorted(folder.glob(f"{_RUNNING}*{_LOG}")):
        with contextlib.suppress(OSError), _taken_over(path) as lines:
            fault_path = path.with_suffix(_FAULT)
            yield _read(lines, _text_of(fault_path))
            fault_path.unlink(missing_ok=True)


@contextlib.contextmanager
def _taken_over(path: Path) -> Iterator[bytes]:
    """Read and remove a file; raise OSError while its start is still running."""
    if sys.platform == "win32":
        path = path.replace(path.with_suffix(".left"))
        yield path.read_bytes()
        path.unlink()
        return
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield file.read(_MAX_BYTES * 2)
        path.unlink(missing_ok=True)


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _read(lines: bytes, dump: str) -> Noted:
    noted = Noted(fault=crash_report_text.fault(dump))
    for line in lines.splitlines():
        try:
            found = json.loads(line)
        except ValueError:  # it crashed while writing this line
            continue
        match found:
            case [str(kind), str(text)]:
                noted = _with(noted, kind, text)
    return noted


def _with(noted: Noted, kind: str, text: str) -> Noted:
    started, about = noted.started, noted.about
    errors, log, steady = noted.errors, noted.log, noted.steady
    match kind:
        case "start":
            started = text
        case "about":
            about = text
        case "error":
            errors = (*errors, text)[:MAX_ERRORS]
        case "log":
            log = (*log, text)[-LOG_LINES:]
        case "steady":
            steady = True
    return Noted(started, about, errors, log, noted.fault, steady)


def _entries_of(noted: Noted) -> Iterator[tuple[str, str]]:
    yield "start", noted.started
    yield "about", noted.about
    yield from (("error", text) for text in noted.errors)
    yield from (("log", text) for text in noted.log)
    if noted.steady:
        yield "steady", ""


def _keep(folder: Path, noted: Noted) -> None:
    stamp = "".join(character for character in noted.started if character.isdigit())
    (folder / f"report-{stamp or 'unknown'}.txt").write_text(noted.report(), encoding="utf-8")
    for old in kept_reports(folder)[KEPT_REPORTS:]:
        old.unlink(missing_ok=True)


def _early_ends(folder: Path) -> int:
    try:
        text = (folder / _EARLY).read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return 0
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 5 else 0


def _write_early_ends(folder: Path, number: int) -> None:
    with contextlib.suppress(OSError):
        if number:
            (folder / _EARLY).write_text(str(number), encoding="ascii")
        else:
            (folder / _EARLY).unlink(missing_ok=True)
