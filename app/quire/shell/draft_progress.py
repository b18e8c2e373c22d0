"""The progress of the draft towards its goal."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class ProgressModel(QObject):
    """Words drafted towards the goal.

    A run that continues after its goal keeps counting; the goal then covers only the additional words, so
    earlier words are subtracted.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._num_words = 0
        self._goal_words = 0
        self._words_before = 0

    @property
    def num_words(self) -> int:
        """Return the words written since the goal was set."""
        return self._num_words

    @property
    def goal_words(self) -> int:
        """Return the words requested; 0 for none."""
        return self._goal_words

    @property
    def fraction(self) -> float:
        """Return the finished part of the goal, from 0 to 1."""
        return min(self._num_words / self._goal_words, 1.0) if self._goal_words else 0.0

    @property
    def words_left(self) -> int:
        """Return the words left to the goal."""
        return max(self._goal_words - self._num_words, 0)

    def show(self, run_words: int, run_goal: int, asked_words: int) -> None:
        """Set the progress.

        Args:
            run_words: words of the run.
            run_goal: its goal.
            asked_words: the last request, which is the last part of run_goal.
        """
        self._words_before = max(run_goal - asked_words, 0)
        self._goal_words = run_goal - self._words_before
        self.settle(run_words)

    def settle(self, run_words: int) -> None:
        """Set the words of the run, and keep the goal."""
        self._num_words = max(run_words - self._words_before, 0)
        self.changed.emit()

    def clear(self) -> None:
        """Show that there is no goal."""
        self._num_words = self._goal_words = 0
        self.changed.emit()
