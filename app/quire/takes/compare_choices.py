"""What can be compared: the current text, its takes, and its snapshots."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from quire.domain.drafting.take_metrics import TakeFigures
from quire.domain.manuscript.text_diff import Difference, for_reading


class SideKind(Enum):
    """The kinds of sides of a comparison."""

    TEXT = "text"
    TAKE = "take"
    SNAPSHOT = "snapshot"


@dataclass(frozen=True, slots=True)
class SideKey:
    """Identifies a side; number: of the take or the snapshot."""

    kind: SideKind
    number: int = 0


THE_TEXT = SideKey(SideKind.TEXT)


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison.

    Attributes:
        key: which one.
        name: its name on the screen.
        text: its text.
        stands: whether it is the current text of the manuscript.
        figures: its metrics.
    """

    key: SideKey
    name: str
    text: str
    stands: bool = False
    figures: TakeFigures | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """Two texts and their differences."""

    left: Side
    right: Side
    differences: tuple[Difference, ...]

    @property
    def sides(self) -> tuple[Side, Side]:
        """Return the left and the right side."""
        return self.left, self.right

    @property
    def changed(self) -> tuple[Difference, ...]:
        """Return only the differences."""
        marked = for_reading(self.left.text, self.right.text, self.differences)
        return tuple(found for found in marked if not found.same)

    @property
    def target(self) -> int | None:
        """Return the side that paragraphs can be copied to, 0 or 1; None unless exactly one is the current
        text.
        """
        if self.left.stands == self.right.stands:
            return None
        return 0 if self.left.stands else 1
