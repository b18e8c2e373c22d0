"""How far the draft is towards what the writer asked for."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class ProgressModel(QObject):
    """Words drafted towards the goal.

    A run that goes on after its goal counts on; the writer asked for so many more, so the words before
    that are taken off.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._num_words = 0
        self._goal_words = 0

    @property
    def num_words(self) -> int:
        """Words written since the goal was set."""
        return self._num_words

    @property
    def goal_words(self) -> int:
        """Words asked for; 0 while nothing was."""
        return self._goal_words

    @property
    def fraction(self) -> float:
        """The part of the goal that is done, from 0 to 1."""
        return min(self._num_words / self._goal_words, 1.0) if self._goal_words else 0.0

    @property
    def words_left(self) -> int:
        """Words to the goal."""
        return max(self._goal_words - self._num_words, 0)

    def show(self, run_words: int, run_goal: int, asked_words: int) -> None:
        """Take the counts of a run and what was asked for last; asked_words is the end part of run_goal."""
        before = max(run_goal - asked_words, 0)
        self._num_words = max(run_words - before, 0)
        self._goal_words = run_goal - before
        self.changed.emit()

    def clear(self) -> None:
        """Show that nothing was asked for."""
        self._num_words = self._goal_words = 0
        self.changed.emit()
