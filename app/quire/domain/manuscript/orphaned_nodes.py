"""Gives nodes that have lost their place in a book another one, so that nothing is dropped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from quire.domain.manuscript.tree import Node, NodeKind

TITLE = "Recovered"
"""What the part is called that they are put into."""


@dataclass(frozen=True, slots=True)
class Adopted:
    """The changes that give every node a place.

    Attributes:
        nodes: changed or new, parents first.
        part_id: the part that holds them, None where none is needed.
        is_new: whether the part has yet to be created, with a text of its own.
    """

    nodes: tuple[Node, ...] = ()
    part_id: int | None = None
    is_new: bool = False


def adopted(nodes: Iterable[Node], homeless: Iterable[Node] = (), next_id: int = 1) -> Adopted | None:
    """Return where nodes without a place go; None when there is no book to put them into.

    Args:
        homeless: chapters for texts that have no node at all.
        next_id: an unused number.
    """
    known = {node.node_id: node for node in nodes}
    books = [node for node in known.values() if node.kind is NodeKind.BOOK]
    if len(books) != 1 or books[0].parent_id is not None:
        return None
    book = books[0]
    orphans = _orphans(known)
    needs_part = [node for node in orphans if node.kind in (NodeKind.CHAPTER, NodeKind.SCENE)]
    new_chapters = list(homeless)
    end = 1 + max((node.position for node in known.values() if node.parent_id == book.node_id), default=0)
    changed: list[Node] = []
    part, is_new = _part_of(known, book), False
    if part is None and (needs_part or new_chapters):
        part = Node(next_id, NodeKind.PART, TITLE, book.node_id, end, exported=False)
        changed.append(part)
        is_new = True
    place = 1 + max(
        (node.position for node in known.values() if part and node.parent_id == part.node_id), default=0
    )
    for number, node in enumerate((*orphans, *new_chapters)):
        changed.append(_placed(node, book, part, end + 1 + number, place + number))
    return Adopted(tuple(changed), None if part is None else part.node_id, is_new)


def _placed(node: Node, book: Node, part: Node | None, end: int, place: int) -> Node:
    """Return a node in a place that is valid for its kind; it is left out of exports until it is moved."""
    if not node.kind.in_manuscript:
        return replace(node, parent_id=None)
    if node.kind is NodeKind.PART or part is None:
        return replace(node, parent_id=book.node_id, position=end, exported=False)
    return replace(node, kind=NodeKind.CHAPTER, parent_id=part.node_id, position=place, exported=False)


def _part_of(known: Mapping[int, Node], book: Node) -> Node | None:
    """Return the part that holds earlier orphans."""
    found = [
        node
        for node in known.values()
        if (node.kind, node.title, node.parent_id) == (NodeKind.PART, TITLE, book.node_id)
        and node.trashed is None
    ]
    return min(found, key=lambda node: node.node_id, default=None)


def _orphans(known: Mapping[int, Node]) -> list[Node]:
    """Return the nodes that need another place; what is below one of them moves with it."""
    below: dict[int | None, list[int]] = {}
    for node in known.values():
        below.setdefault(node.parent_id, []).append(node.node_id)
    reached = _below(below, below.get(None, []))
    orphans: list[Node] = []
    missing = [node for node in known.values() if node.parent_id is not None and node.parent_id not in known]
    for node in sorted(missing, key=lambda node: (node.position, node.node_id)):
        orphans.append(node)
        reached |= _below(below, [node.node_id])
    while rest := [node for node in known.values() if node.node_id not in reached]:
        first = min((node for node in rest if _is_in_circle(known, node)), key=lambda node: node.node_id)
        orphans.append(first)
        reached |= _below(below, [first.node_id])
    return orphans


def _below(below: Mapping[int | None, list[int]], roots: Iterable[int]) -> set[int]:
    found, waiting = set[int](), list(roots)
    while waiting:
        node_id = waiting.pop()
        if node_id not in found:
            found.add(node_id)
            waiting += below.get(node_id, [])
    return found


def _is_in_circle(known: Mapping[int, Node], node: Node) -> bool:
    seen, at = set[int](), node.parent_id
    while at is not None and at in known and at not in seen:
        if at == node.node_id:
            return True
        seen.add(at)
        at = known[at].parent_id
    return False
