"""The speed of the draft, its acceleration, and the time left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from quire.domain.drafting.drafter_tally import DrafterTally
from quire.domain.drafting.expected_time import ContextWindow, time_to, tokens_of_words
from quire.domain.drafting.live_run_metrics import FIRST_PACE_S, PaceWindow
from quire.domain.drafting.run_metrics import StepRecord
from quire.domain.drafting.time_left import TimeFit

_MOST_BESIDE = 3.0
_LEAST_PLAIN = 16
"""Plain steps of the last minute that tell how long one takes."""


@dataclass(frozen=True, slots=True)
class MinutesLeft:
    """A range in minutes, rounded; low == high for a single number. (0, 0) is less than a minute."""

    low_min: int
    high_min: int


class PaceModel(QObject):
    """The speed over the last minute spent in steps, as in the charts; pauses and prefill do not count.

    The time left is wall-clock time, including the time between steps.

    Attributes:
        earned: what each drafter brought the run.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sitting_s = self._clock_s = 0.0
        self._window = PaceWindow()
        self.earned = DrafterTally()
        self._num_words = self._num_tokens = 0
        self._num_prompt = self._context = 0
        self._fit = TimeFit()

    # ------------------------------------------------------------ input
    def begin(self) -> None:
        """Start a new session; earlier measurements are kept if its run is resumed."""
        self._sitting_s = self._clock_s = 0.0

    def clear(self) -> None:
        """Reset for another project."""
        self._forget()
        self.begin()
        self.changed.emit()

    def look_at(self, num_prompt: int, context: int) -> None:
        """Set the number of prompt tokens at the start of the run, and the context length."""
        if (num_prompt, context) != (self._num_prompt, self._context):
            self._num_prompt, self._context = num_prompt, context
            self._refit()

    def show_run(self, steps: Sequence[StepRecord], num_prompt: int = 0, context: int = 0) -> None:
        """Set all steps of a stored run, which may be resumed."""
        self._forget()
        self._num_prompt, self._context = num_prompt, context
        for step in steps:
            self._add(step)
        self.changed.emit()

    def report(
        self, drafting_s: float, num_words: int, num_tokens: int = 0, steps: Sequence[StepRecord] = ()
    ) -> None:
        """Add a report.

        Args:
            drafting_s: drafting time of the session.
            num_words: words of its run.
            num_tokens: tokens of its run.
            steps: the steps since the last report.
        """
        before = num_tokens - sum(step.num_tokens for step in steps)
        if steps and before != self._num_tokens:  # another run, or one whose beginning was not observed
            self._forget(keep_view=True)
            self._num_tokens = before
            if before:
                first, *steps = steps
                self._num_words = first.num_words
                self._window.begin(first.num_words)
                self._num_tokens += first.num_tokens
        for step in steps:
            self._add(step)
            self._sitting_s += step.step_ms / 1000
        self._clock_s = drafting_s
        self._num_words = num_words
        self.changed.emit()

    # ------------------------------------------------------------ output
    @property
    def words_per_min(self) -> float | None:
        """Return the words per minute of drafting; None if there is too little data."""
        return self._window.words_per_min if self._window.step_ms >= 1000 * FIRST_PACE_S else None

    @property
    def boost(self) -> float | None:
        """Return the acceleration over the last minute, against its steps that drafted nothing ahead; None if
        there are too few of them.
        """
        if self._window.step_ms < 1000 * FIRST_PACE_S or self._window.num_plain < _LEAST_PLAIN:
            return None
        token_ms = self._window.step_ms / max(self._window.num_tokens, 1)
        return self._window.plain_ms / self._window.num_plain / token_ms

    @property
    def clock_s(self) -> float:
        """Return the wall-clock seconds of drafting in this session."""
        return self._clock_s

    def tokens_after(self, num_words: int) -> int:
        """Return the estimated number of tokens of text and run after `num_words` more words."""
        return self._sight.tokens + tokens_of_words(num_words, self._num_tokens, self._num_words)

    def time_left(self, num_words: int) -> MinutesLeft | None:
        """Return the estimated time for `num_words` words; None if there is too little data."""
        left = time_to(self._fit, self._sight.tokens, self.tokens_after(num_words), self._context)
        if left is None:
            return None
        low_min, high_min = (one * self._beside / 60 for one in (left.low_s, left.high_s))
        return MinutesLeft(0, 0) if high_min < 1 else MinutesLeft(rounded_min(low_min), rounded_min(high_min))

    # ------------------------------------------------------------ inside
    @property
    def _sight(self) -> ContextWindow:
        return ContextWindow(self._num_prompt + self._num_tokens, self._context)

    @property
    def _beside(self) -> float:
        """Return the ratio of a session's time to that of its steps."""
        if self._sitting_s < FIRST_PACE_S:
            return 1.0
        return min(max(self._clock_s / self._sitting_s, 1.0), _MOST_BESIDE)

    def _forget(self, *, keep_view: bool = False) -> None:
        self._window.begin()
        self.earned = DrafterTally()
        self._num_words = self._num_tokens = 0
        if not keep_view:
            self._num_prompt = self._context = 0
        self._fit = TimeFit()

    def _refit(self) -> None:
        """Fit the curve to the current steps again: other known values have changed."""
        self._fit = TimeFit()
        sight = replace(self._sight, tokens=self._sight.tokens - self._window.num_tokens)
        for num_tokens, step_ms in self._window.steps():
            self._fit.add(sight.in_view, num_tokens, step_ms / 1000)
            sight = replace(sight, tokens=sight.tokens + num_tokens)

    def _add(self, step: StepRecord) -> None:
        self._fit.add(self._sight.in_view, step.num_tokens, step.step_ms / 1000)
        self._num_tokens += step.num_tokens
        self._num_words = step.num_words
        self._window.add(step)
        self.earned.add(step)


def rounded_min(minutes: float) -> int:
    """Return whole minutes, and multiples of five from an hour on, not to promise precision."""
    return max(round(minutes), 1) if minutes < 60 else round(minutes / 5) * 5
