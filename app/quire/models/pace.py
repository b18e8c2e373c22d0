"""How fast the draft grows and how long it will take."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

WINDOW_S = 60.0
FIRST_ESTIMATE_S = 1.0
"""Before this much drafting a pace is noise."""
SETTLED_S = 30.0
"""From here on a pace is trusted to a tenth, before it to a third."""


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """A range in minutes, rounded; low == high when one number says it. (0, 0) is less than a minute."""

    low_min: int
    high_min: int


@dataclass(frozen=True, slots=True)
class _Sample:
    drafting_s: float
    num_words: int


class PaceModel(QObject):
    """Words per minute over the last minute of drafting time; pauses and reading do not count."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._samples: deque[_Sample] = deque()
        self._drafted_s = 0.0
        self._sitting: _Sample | None = None

    def begin(self) -> None:
        """Expect reports of a new sitting; what was measured in the one before stays in the window."""
        self._sitting = None

    def clear(self) -> None:
        """Forget everything, for another project."""
        self._samples.clear()
        self._drafted_s = 0.0
        self._sitting = None
        self.changed.emit()

    def report(self, drafting_s: float, num_words: int) -> None:
        """Take how long the sitting has been drafting and how many words its run has."""
        last = self._sitting
        if last is None or drafting_s < last.drafting_s or num_words < last.num_words:
            last = _Sample(drafting_s, num_words)
            if not self._samples:
                self._samples.append(_Sample(self._drafted_s, 0))
        self._drafted_s += drafting_s - last.drafting_s
        words = self._samples[-1].num_words + num_words - last.num_words
        self._sitting = _Sample(drafting_s, num_words)
        self._samples.append(_Sample(self._drafted_s, words))
        # One sample older than the window stays, so that the window is full.
        while len(self._samples) > 2 and self._samples[1].drafting_s <= self._drafted_s - WINDOW_S:
            self._samples.popleft()
        self.changed.emit()

    @property
    def words_per_min(self) -> float | None:
        """Words per minute of drafting; None until there is enough to tell."""
        if self._measured_s < FIRST_ESTIMATE_S:
            return None
        words = self._samples[-1].num_words - self._samples[0].num_words
        return words / self._measured_s * 60

    def time_left(self, num_words: int) -> TimeLeft | None:
        """Return how long so many words will take; None until there is a pace.

        Drafting slows down as the text grows, so the range is wider upwards.
        """
        pace = self.words_per_min
        if not pace:
            return None
        minutes = num_words / pace
        shorter, longer = (0.95, 1.1) if self._measured_s >= SETTLED_S else (0.8, 1.4)
        if minutes * longer < 1:
            return TimeLeft(0, 0)
        return TimeLeft(_rounded(minutes * shorter), _rounded(minutes * longer))

    @property
    def _measured_s(self) -> float:
        return self._samples[-1].drafting_s - self._samples[0].drafting_s if self._samples else 0.0


def _rounded(minutes: float) -> int:
    """Return whole minutes, and only fives from an hour on: more would be a promise."""
    return max(round(minutes), 1) if minutes < 60 else round(minutes / 5) * 5
