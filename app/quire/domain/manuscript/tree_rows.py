"""Rows of the tree view, and their parents."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from quire.domain.manuscript import tree_edits
from quire.domain.manuscript.tree import Node, NodeKind, Tree

ROOT = 0
"""The key of what holds every row."""
FIRST_NODE = 16
"""What a node's number is raised by to be the key of its row, so that it is no group's."""


class Group(Enum):
    """The groups beside the book; the values are the keys of their rows."""

    NOTES = 1
    CHARACTERS = 2
    PLACES = 3
    TRASH = 4


KIND_OF_GROUP = {
    Group.NOTES: NodeKind.NOTE,
    Group.CHARACTERS: NodeKind.CHARACTER,
    Group.PLACES: NodeKind.PLACE,
}
"""What lies in a group; in the trash lies everything."""


@dataclass(slots=True)
class TreeRow:
    """A row: the key of its parent, its place there, and the keys of its children."""

    parent: int
    place: int = 0
    children: list[int] = field(default_factory=list)


def key_of(node_id: int) -> int:
    """Return the key of the row that shows a node."""
    return node_id + FIRST_NODE


def rows_of(tree: Tree) -> dict[int, TreeRow]:
    """Return the rows of a tree by key: the book, the groups, and their descendants."""
    children = {ROOT: [key_of(tree.book.node_id), *(group.value for group in Group)]}
    for group, kind in KIND_OF_GROUP.items():
        children[group.value] = [key_of(node.node_id) for node in _live(tree, None) if node.kind is kind]
    children[Group.TRASH.value] = [key_of(node.node_id) for node in tree_edits.trash_of(tree)]
    for node in tree.nodes:
        children[key_of(node.node_id)] = [key_of(child.node_id) for child in _live(tree, node.node_id)]
    rows = {ROOT: TreeRow(ROOT, children=children[ROOT])}
    order = [ROOT]
    for parent in order:
        for place, key in enumerate(children[parent]):
            rows[key] = TreeRow(parent, place, children[key])
            order.append(key)
    return rows


def kept_in_order(current: Sequence[int], wanted: Sequence[int]) -> set[int]:
    """Return the most keys that can stay where they are while the others are moved into the wanted order."""
    place_of = {key: place for place, key in enumerate(wanted)}
    ends: list[int] = []  # the lowest place that an increasing sequence of this length can end with
    last: dict[int, int | None] = {}
    for place in [place_of[key] for key in current if key in place_of]:
        length = bisect_left(ends, place)
        last[place] = ends[length - 1] if length else None
        ends[length : length + 1] = [place]
    kept, end = set[int](), ends[-1] if ends else None
    while end is not None:
        kept.add(wanted[end])
        end = last[end]
    return kept


def _live(tree: Tree, node_id: int | None) -> list[Node]:
    return [node for node in tree.children(node_id) if node.trashed is None]
