"""The structure of a project: book, parts, chapters, scenes, and notes beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import Enum


class NodeKind(Enum):
    """The kind of a node; the values are what the project file stores."""

    BOOK = "book"
    PART = "part"
    CHAPTER = "chapter"
    SCENE = "scene"
    NOTE = "note"
    CHARACTER = "character"
    PLACE = "place"

    @property
    def has_text(self) -> bool:
        """Whether a document belongs to it; a book consists of its children, a part has only its heading."""
        return self is not NodeKind.BOOK

    @property
    def in_manuscript(self) -> bool:
        """Whether it is read as part of the book."""
        return self in (NodeKind.BOOK, NodeKind.PART, NodeKind.CHAPTER, NodeKind.SCENE)


class Status(Enum):
    """How far the writer has come with a text."""

    NONE = ""
    OUTLINE = "outline"
    DRAFT = "draft"
    REVISED = "revised"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Node:
    """A node of the tree.

    Attributes:
        parent_id: None for the book and for what is beside it.
        position: among its siblings.
        exported: whether it is part of exports.
        trashed: when it was moved to the trash, in UTC.
        aside: it is in the trash as a part of a take that is not in the text, and comes back with that.
    """

    node_id: int
    kind: NodeKind
    title: str
    parent_id: int | None = None
    position: int = 0
    synopsis: str = ""
    status: Status = Status.NONE
    exported: bool = True
    trashed: datetime | None = None
    aside: bool = False


class Tree:
    """All nodes of a project; ValueError when they do not make a tree with one book."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._nodes = {node.node_id: node for node in nodes}
        self._children: dict[int | None, list[Node]] = {}
        for node in sorted(self._nodes.values(), key=lambda node: (node.position, node.node_id)):
            if node.parent_id is not None and node.parent_id not in self._nodes:
                raise ValueError(f"node {node.node_id} lies in {node.parent_id}, which is missing")
            self._children.setdefault(node.parent_id, []).append(node)
        books = [node for node in self.children(None) if node.kind is NodeKind.BOOK]
        if len(books) != 1:
            raise ValueError(f"a project has one book, this one {len(books)}")
        self._book = books[0]
        if sum(1 for top in self.children(None) for _ in self._below(top)) != len(self._nodes):
            raise ValueError("nodes lie in one another in a circle")

    @property
    def book(self) -> Node:
        """The book."""
        return self._book

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Every node, in no order."""
        return tuple(self._nodes.values())

    @property
    def next_id(self) -> int:
        """An unused number."""
        return max(self._nodes) + 1

    def node(self, node_id: int) -> Node:
        """Return a node; KeyError when there is none."""
        return self._nodes[node_id]

    def children(self, node_id: int | None) -> tuple[Node, ...]:
        """Return the direct children of a node, in order; None: the nodes without a parent."""
        return tuple(self._children.get(node_id, ()))

    def reading_order(self) -> tuple[Node, ...]:
        """Return the book's parts, chapters and scenes in reading order, without the trash."""
        return tuple(node for node in self._below(self._book) if node.kind.has_text and self._is_read(node))

    def texts(self) -> tuple[Node, ...]:
        """Return every text: the book in reading order, then notes; nothing from the trash."""
        beside = [top for top in self.children(None) if top is not self._book and top.trashed is None]
        notes = (node for top in beside for node in self._kept_below(top))
        return (*self.reading_order(), *(node for node in notes if node.kind.has_text))

    def is_read_before(self, node_id: int, other_id: int) -> bool:
        """Return whether a text is read before another one, or is that one; never true of notes."""
        order = [node.node_id for node in self.reading_order()]
        if other_id not in order:
            return node_id == other_id
        return node_id in order[: order.index(other_id) + 1]

    def _is_read(self, node: Node) -> bool:
        while node.trashed is None and node.kind.in_manuscript:
            if node.parent_id is None:
                return True
            node = self._nodes[node.parent_id]
        return False

    def _kept_below(self, node: Node) -> Iterator[Node]:
        """Yield a node and what is below it and not in the trash."""
        yield node
        for child in self.children(node.node_id):
            if child.trashed is None:
                yield from self._kept_below(child)

    def _below(self, node: Node) -> Iterator[Node]:
        waiting = [node]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(self.children(node.node_id))


def text_up_to(texts: Iterable[str]) -> str:
    """Return consecutive texts as one, with a blank line between them.

    It makes up what the model reads; a single text is left unchanged.
    """
    joined = ""
    for text in texts:
        if joined and text and not joined.endswith("\n\n"):
            joined += "\n" if joined.endswith("\n") else "\n\n"
        joined += text
    return joined
