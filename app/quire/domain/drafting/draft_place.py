"""Where Continue writes: at the end of the open text, or at the end of the book."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from quire.domain.manuscript.tree import Node, NodeKind, Tree


@dataclass(frozen=True, slots=True)
class DraftPlaces:
    """The places where a draft may continue.

    Attributes:
        here: the open text; None if it is not part of the book, as a note is: drafts have no place there.
        end: the last text of the book that has words, if it comes after the open one.
    """

    here: Node | None = None
    end: Node | None = None

    def chosen(self, *, here: bool) -> Node | None:
        """Return where Continue writes; here: the writer asked for the open text.

        Otherwise it is the end of the book: what is written in the middle does not know what follows, and
        the writer may only have looked something up in an earlier chapter.
        """
        return self.here if here or self.here is None or self.end is None else self.end


def places_in(tree: Tree, open_id: int, written_ids: Collection[int]) -> DraftPlaces:
    """Return where a draft may continue while a text is open; written_ids: the texts that have words."""
    order = tree.reading_order()
    place = next((number for number, node in enumerate(order) if node.node_id == open_id), None)
    if place is None:
        return DraftPlaces()
    later = [node for node in order[place + 1 :] if node.node_id in written_ids]
    last = later[-1] if later and later[-1].kind is not NodeKind.PART else None
    return DraftPlaces(order[place], last)
