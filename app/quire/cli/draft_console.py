"""Shows a draft in a terminal or a log."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import TextIO

from quire.domain.drafting.draft_status import DraftProgress, DraftState, DraftStatus

_BAR_WIDTH = 24
_LINES_PER_RUN = 10
_PHRASES = {
    DraftState.LOADING: "Loading model",
    DraftState.READING: "Reading manuscript",
    DraftState.DRAFTING: "Drafting",
    DraftState.PAUSING: "Pausing",
}


class DraftConsole:
    """A DraftObserver that updates one line in a terminal, or prints a line now and then elsewhere.

    Attributes:
        num_stored: the stored words of the run; the lines of a log count no others.
    """

    def __init__(self, stream: TextIO, num_stored: Callable[[], int], *, animated: bool) -> None:
        self._stream = stream
        self._num_stored = num_stored
        self._animated = animated
        self._status = DraftStatus(DraftState.IDLE)
        self._progress: DraftProgress | None = None
        self._words_at_start = 0
        self._next_line_at = 0
        self._line_length = 0

    @property
    def sentence(self) -> str:
        """The last message."""
        return self._status.sentence

    def status_changed(self, status: DraftStatus) -> None:
        """Show the status, and a message once."""
        before, self._status = self._status, status
        if status.state not in _PHRASES:
            return
        if status.sentence and status.sentence != before.sentence:
            self.say(status.sentence)
        if self._animated:
            self._draw()
        elif status.state is not before.state and status.state is not DraftState.DRAFTING:
            self.say(_PHRASES[status.state])

    def text_drafted(self, text: str) -> None:
        """Ignore the text: it is in the project; `quire text` shows it."""

    def progressed(self, progress: DraftProgress) -> None:
        """Store the figures, and show them on a terminal."""
        if self._progress is None:
            self._words_at_start = progress.num_words
        self._progress = progress
        if self._animated:
            self._draw()

    def saved(self) -> None:
        """Print a line to a log when another tenth of the goal is stored."""
        num_words, progress = self._num_stored(), self._progress
        if self._animated or progress is None or num_words < self._next_line_at:
            return
        self._next_line_at = num_words + max(1, progress.goal_words // _LINES_PER_RUN)
        self.say(
            f"Drafting: {num_words:,} of {progress.goal_words:,} words stored{self._words_a_minute(progress)}"
        )

    def say(self, sentence: str) -> None:
        """Print a permanent line."""
        self.clear()
        self._stream.write(f"{sentence}\n")
        self._stream.flush()

    def clear(self) -> None:
        """Erase the updating line."""
        if self._line_length:
            self._stream.write(f"\r{' ' * self._line_length}\r")
            self._line_length = 0

    def _draw(self) -> None:
        line = _PHRASES.get(self._status.state, "")
        if self._status.state is DraftState.LOADING and self._status.is_checking:
            line = "Checking model"
        elif self._status.state is DraftState.LOADING and self._status.is_preparing:
            line = f"Preparing Quire for this processor {self._status.load_fraction:.0%}"
        elif self._status.state is DraftState.LOADING and self._status.load_fraction:
            line += f" {self._status.load_fraction:.0%}"
        elif self._status.state is DraftState.READING:
            line += f" {self._status.read_fraction:.0%}"
            if self._status.read_left_s is not None:
                line += f", about {max(1, round(self._status.read_left_s)):,} s left"
        elif self._progress is not None and self._status.state is not DraftState.LOADING:
            progress = self._progress
            line += f" {_bar(progress)} {progress.num_words:,} of {progress.goal_words:,} words"
            line += self._words_a_minute(progress)
        line = line[: shutil.get_terminal_size().columns - 1]
        self._stream.write(f"\r{line.ljust(self._line_length)}")
        self._stream.flush()
        self._line_length = len(line)

    def _words_a_minute(self, progress: DraftProgress) -> str:
        written = progress.num_words - self._words_at_start
        if not written or not progress.drafting_s:
            return ""
        return f", {written * 60 / progress.drafting_s:,.0f} words per minute"


def _bar(progress: DraftProgress) -> str:
    filled = min(_BAR_WIDTH, _BAR_WIDTH * progress.num_words // progress.goal_words)
    return f"[{'=' * filled}{' ' * (_BAR_WIDTH - filled)}]"
