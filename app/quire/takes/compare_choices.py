"""What can be compared: the text as it is, its takes, and snapshots of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from quire.domain.drafting.take_metrics import TakeFigures
from quire.domain.manuscript.text_diff import Difference, for_reading


class SideKind(Enum):
    """What stands on a side."""

    TEXT = "text"
    TAKE = "take"
    SNAPSHOT = "snapshot"


@dataclass(frozen=True, slots=True)
class SideKey:
    """Which one; number: of the take or the snapshot."""

    kind: SideKind
    number: int = 0


THE_TEXT = SideKey(SideKind.TEXT)


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a comparison. stands: it is what the manuscript reads."""

    key: SideKey
    name: str
    text: str
    stands: bool = False
    figures: TakeFigures | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """Two texts, and how they differ."""

    left: Side
    right: Side
    differences: tuple[Difference, ...]

    @property
    def sides(self) -> tuple[Side, Side]:
        """Left and right."""
        return self.left, self.right

    @property
    def changed(self) -> tuple[Difference, ...]:
        """Only where they differ."""
        marked = for_reading(self.left.text, self.right.text, self.differences)
        return tuple(found for found in marked if not found.same)

    @property
    def target(self) -> int | None:
        """The side that paragraphs can be copied to, 0 or 1; None where not just one of them stands."""
        if self.left.stands == self.right.stands:
            return None
        return 0 if self.left.stands else 1
