"""How much each part of the open text repeats itself: the data of the echo map."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

NOTE_SHARE = 0.05
"""From this share on a part is worth a look; few published novels have such a part."""


class EchoDensity(QObject):
    """The share of echoes in equal parts of a text, in characters."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shares: tuple[float, ...] = ()
        self._num_chars = 0

    @property
    def shares(self) -> tuple[float, ...]:
        """Return the share of echoes in each part; empty if nothing is known."""
        return self._shares

    def show_shares(self, shares: tuple[float, ...], num_chars: int) -> None:
        """Set the shares of a text with `num_chars` characters."""
        if (shares, num_chars) != (self._shares, self._num_chars):
            self._shares, self._num_chars = shares, num_chars
            self.changed.emit()

    def part_at(self, fraction: float) -> int | None:
        """Return the part at a fraction of the text, from 0 to 1, or None if there is none."""
        if not self._shares:
            return None
        return min(max(int(fraction * len(self._shares)), 0), len(self._shares) - 1)

    def place_of(self, part: int) -> int:
        """Return the character at which a part begins."""
        return part * self._num_chars // max(len(self._shares), 1)

    def summary(self) -> str:
        """Return a sentence on where the text repeats itself."""
        if not self._shares:
            return self.tr("Echoes not checked yet.")
        noted = sum(share > NOTE_SHARE for share in self._shares)
        if not noted:
            return self.tr("No part of the text repeats itself much.")
        return self.tr("{0} of {1} sections repeat themselves, by up to {2}.").format(
            noted, len(self._shares), f"{max(self._shares):.0%}"
        )
