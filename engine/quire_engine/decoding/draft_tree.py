"""Draft trees: the candidate tokens one pass scores at once. Plain decoding is a tree of its root alone."""

from __future__ import annotations

from collections.abc import Iterable

ROOT = 0


class DraftTree:
    """A trie of candidate continuations; node 0 is the last token that is certain."""

    def __init__(self, root_token: int) -> None:
        self.tokens: list[int] = [root_token]
        self.parents: list[int] = [-1]
        self.depths: list[int] = [0]
        self._children: dict[tuple[int, int], int] = {}

    def add_path(self, tokens: Iterable[int]) -> None:
        """Add one candidate, sharing the prefix it has in common with earlier ones."""
        node = ROOT
        for token in tokens:
            node = self.add_child(node, token)

    def add_child(self, parent: int, token: int) -> int:
        """Add one guess below a node and return its number; a guess that is there already is not repeated."""
        child = self._children.get((parent, token))
        if child is None:
            child = len(self.tokens)
            self._children[parent, token] = child
            self.tokens.append(token)
            self.parents.append(parent)
            self.depths.append(self.depths[parent] + 1)
        return child

    def child(self, node: int, token: int) -> int | None:
        """Return the child of a node that holds this token, or None."""
        return self._children.get((node, token))

    @property
    def depth(self) -> int:
        """Length of the longest candidate, the root not counted."""
        return max(self.depths)
