"""The one rule for a draft that loops or stops producing words, with a window and without."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # measuring a text imports numpy, which must not delay the first window
    from quire.domain.text_quality.alarms import Alarm


class LoopGuard:
    """Pauses a draft at a fault that more words would only continue.

    Args:
        pause: stops the draft at the next word.
        is_on: whether such a fault pauses the draft; it is remembered in any case.

    Attributes:
        fault: the newest one of this draft; None without any.
        has_paused: whether one paused this draft.
    """

    def __init__(self, pause: Callable[[], None], *, is_on: bool = True) -> None:
        self._pause, self.is_on = pause, is_on
        self.begin()

    def begin(self) -> None:
        """Forget the faults of the draft before."""
        self.fault: Alarm | None = None
        self.has_paused = False

    def take(self, alarm: Alarm, *, has_ended: bool = False) -> bool:
        """Return whether an alarm is such a fault; pause, unless the draft has ended in the meantime."""
        if alarm.severity.value != "pause":
            return False
        self.fault = alarm
        if self.is_on and not has_ended:
            self.has_paused = True
            self._pause()
        return True
