"""Memory usage now, and when the draft reaches its goal."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """Memory usage in bytes; 0 if unknown.

    Attributes:
        used: by all programs.
        own: by Quire.
        total: of the device.
        peak: used in all at the goal.
        is_on_gpu: whether it is the GPU's memory.
    """

    used: int = 0
    own: int = 0
    total: int = 0
    peak: int = 0
    is_on_gpu: bool = False

    @property
    def is_known(self) -> bool:
        """Return whether there is anything to show."""
        return self.total > 0 and self.used > 0

    @property
    def is_short(self) -> bool:
        """Return whether the goal needs more than there is."""
        return self.is_known and self.peak > self.total

    def share(self, num_bytes: int) -> float:
        """Return a number of bytes as a share of all, from 0 to 1."""
        return min(max(num_bytes / self.total, 0.0), 1.0) if self.total else 0.0


class MemoryModel(QObject):
    """The memory that the model uses: the GPU's, or else the computer's."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._use = MemoryUse()

    @property
    def use(self) -> MemoryUse:
        """Return the last measurement."""
        return self._use

    def show(self, use: MemoryUse) -> None:
        """Set the measurement."""
        if use != self._use:
            self._use = use
            self.changed.emit()
