"""What was guessed ahead in one step, for people who want to look at it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GuessTree:
    """The draft tree of one step, to be looked at.

    Attributes:
        texts: of each node's token; the first is the token that the draft follows.
        parents: the node above each one, always an earlier one; -1 for the first.
        chances: estimated before the pass, that the path down to the node is drawn; 1 for the first.
        accepted: the nodes whose tokens were accepted, by depth.
    """

    texts: tuple[str, ...]
    parents: tuple[int, ...]
    chances: tuple[float, ...]
    accepted: tuple[int, ...]
