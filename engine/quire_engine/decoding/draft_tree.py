"""Draft trees: the candidate tokens that one pass verifies. Plain decoding is a tree with only its root."""

from __future__ import annotations

from collections.abc import Iterable

ROOT = 0


class DraftTree:
    """A trie of candidate continuations; node 0, the root, is the last token of the stream."""

    def __init__(self, root_token: int) -> None:
        self.tokens: list[int] = [root_token]
        self.parents: list[int] = [-1]
        self.depths: list[int] = [0]
        self._children: dict[tuple[int, int], int] = {}

    def add_path(self, tokens: Iterable[int]) -> None:
        """Add one candidate path, sharing its prefix with earlier ones."""
        node = ROOT
        for token in tokens:
            node = self.add_child(node, token)

    def add_child(self, parent: int, token: int) -> int:
        """Add a draft token below a node and return its node; an existing child is returned as it is."""
        child = self._children.get((parent, token))
        if child is None:
            child = len(self.tokens)
            self._children[parent, token] = child
            self.tokens.append(token)
            self.parents.append(parent)
            self.depths.append(self.depths[parent] + 1)
        return child

    def child(self, node: int, token: int) -> int | None:
        """Return the child of a node with this token, or None."""
        return self._children.get((node, token))

    @property
    def depth(self) -> int:
        """Length of the longest path, without the root."""
        return max(self.depths)
