"""Trains a model's drafter in a process of its own that can be stopped and resumed."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from quire.errors import WriterProblem
from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.trained_drafters import STARTED_AGAIN

_COMMAND = (sys.executable, "-P", "-u", "-m", "quire_engine", "prepare")
_STOPPED = 130
_LINE = re.compile(
    r"(own text|heads|feature|evaluation): ([\d,]{1,15}) of ([\d,]{1,15})"
    r"(?:, loss [\d.]+)?(?:, about (\d{1,6}) min left)?"
)
_TIMED_LINE = re.compile(
    r"((?:given|own) text|feature|evaluation): (?:[\d,]{1,15} (?:tokens|steps), )?(\d{1,3})% done"
    r"(?:, loss [\d.]+)?, about (\d{1,6}) min left"
)
_PACE = r"([\d.]{1,12})"
_VERDICT = re.compile(
    rf"Drafting: {_PACE} tokens per pass and {_PACE} tokens/s before, {_PACE} and {_PACE} now\."
)
_STAGES = ("own text", "heads", "feature", "evaluation")
# estimated share of the whole time; training the second part is most of the work
_SHARES = {"own text": 0.3, "heads": 0.15, "feature": 0.5, "evaluation": 0.05}


@dataclass(frozen=True, slots=True)
class PrepareState:
    """The progress of a training.

    Attributes:
        stage: the command's name for it.
        fraction: of the whole, roughly.
        minutes_left: of this stage, or of the whole where is_timed; None while unknown.
        started_again: what was unfinished could not be resumed; only the first state after that says so.
    """

    stage: str
    fraction: float
    minutes_left: int | None = None
    is_timed: bool = False
    started_again: bool = False


@dataclass(frozen=True, slots=True)
class PrepareVerdict:
    """What a training by time brought, as the command measured it with drafts before and after."""

    per_pass_before: float
    speed_before: float
    per_pass_now: float
    speed_now: float


def verdict_in(line: str) -> PrepareVerdict | None:
    """Return the comparison on a line of the command's output; None for other lines."""
    found = _VERDICT.fullmatch(line.strip())
    try:
        return None if found is None else PrepareVerdict(*map(float, found.groups()))
    except ValueError:  # dots in odd places
        return None


def state_in(line: str) -> PrepareState | None:
    """Return the progress on a line of the command's output; None for other lines."""
    if timed := _TIMED_LINE.fullmatch(line.strip()):
        return PrepareState(timed[1], min(int(timed[2]) / 100, 1.0), int(timed[3]), is_timed=True)
    found = _LINE.fullmatch(line.strip())
    if found is None:
        return None
    stage, done, total = found[1], int(found[2].replace(",", "")), int(found[3].replace(",", ""))
    before = sum(_SHARES[each] for each in _STAGES[: _STAGES.index(stage)])
    share = min(done / total, 1.0) if total else 1.0
    minutes = None if found[4] is None else int(found[4])
    return PrepareState(stage, min(before + _SHARES[stage] * share, 1.0), minutes)


class Preparing:
    """One training; run() blocks, so it needs a thread of its own. stop() may be called from any thread.

    Attributes:
        verdict: what it brought, once that is known.
    """

    def __init__(self, model: Path, texts: Sequence[Path], out: Path, options: Sequence[str] = ()) -> None:
        """Prepare the command; `options` are more arguments for it, such as --heads-steps 10."""
        self.model = model
        self._words = (str(model), "--text", *map(str, texts), "--out", str(out), *options)
        self._process: subprocess.Popen[str] | None = None
        self._is_stopped = False
        self.verdict: PrepareVerdict | None = None

    def run(self, on_state: Callable[[PrepareState], None]) -> bool:
        """Train; return whether it was completed. WriterProblem says what went wrong."""
        if self._is_stopped:
            return False
        process = self._process = self._started()
        if self._is_stopped:  # requested while it was being started
            self.stop()
        with process:
            said = self._follow(process, on_state)
        if process.returncode == 0:
            return True
        if self._is_stopped or process.returncode == _STOPPED:
            return False
        raise WriterProblem(
            "{name} could not be sped up. {reason}",
            name=self.model.name,
            reason=said or UserMessage("Try again."),
        )

    def stop(self) -> None:
        """Let it save its state and end; the same training resumes from there."""
        self._is_stopped = True
        process = self._process
        if process is None or process.poll() is not None:
            return
        with contextlib.suppress(OSError):  # it ended just now
            if sys.platform == "win32":
                process.terminate()  # the last saved state is resumed
            else:
                process.send_signal(signal.SIGINT)

    def _started(self) -> subprocess.Popen[str]:
        lower = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
        try:
            return subprocess.Popen(
                (*_COMMAND, *self._words),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                encoding="utf-8",
                errors="replace",
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0) | lower,
            )
        except OSError as error:
            raise WriterProblem("Training could not be started ({reason}).", reason=error.strerror) from error

    def _follow(self, process: subprocess.Popen[str], on_state: Callable[[PrepareState], None]) -> str:
        """Report the progress; return the last other line, which names the error if there was one."""
        said, started_again = "", False
        if process.stdout is None:
            return said
        for line in process.stdout:
            state = state_in(line)
            if state is not None:
                on_state(replace(state, started_again=started_again))
                started_again = False
            elif (verdict := verdict_in(line)) is not None:
                self.verdict = verdict
            elif str(STARTED_AGAIN) in line:
                started_again = True
            elif line.strip():
                said = " ".join(line.split())[:300]
        return said


# ---------------------------------------------------------------- training text
TEXT_NAME = "drafters.learned-from.txt"
"""What a preparation learns from; it lies beside the unfinished work, and goes with it."""


def has_text(place: Path) -> bool:
    """Return whether the training text of an earlier training is there."""
    return (place / TEXT_NAME).is_file()


def keep_text(place: Path, texts: Sequence[Path], book: str, *, as_it_is: bool = False) -> Path:
    """Write the training text to one file, and return it; `as_it_is` leaves the earlier one."""
    file = place / TEXT_NAME
    if as_it_is:
        return file
    try:
        parts = [path.read_text(encoding="utf-8") for path in texts]
    except (OSError, UnicodeDecodeError) as error:
        raise WriterProblem("One of the files is not UTF-8 text. Choose plain text files.") from error
    whole = "\n\n".join(part.strip() for part in (*parts, book) if part.strip())
    if not whole:
        raise WriterProblem("There is no text to learn from. Choose text files, or open a book.")
    try:
        place.mkdir(parents=True, exist_ok=True)
        file.write_text(whole, encoding="utf-8")
    except OSError as error:
        raise WriterProblem(
            "Can't write to {path} ({reason}).", path=place, reason=error.strerror or error
        ) from error
    return file


def forget_text(place: Path) -> None:
    """Delete the training text."""
    with contextlib.suppress(OSError):
        (place / TEXT_NAME).unlink(missing_ok=True)
