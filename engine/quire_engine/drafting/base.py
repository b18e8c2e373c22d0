"""What every drafter is asked, and how it answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from quire_engine.decoding.draft_tree import DraftTree


@dataclass(frozen=True, slots=True)
class DraftRequest:
    """Where a draft begins and how large it may be.

    root_token: the stream's last token. index: stream index of the first guessed token.
    seed: of the run's noise, None when it decodes greedily. max_nodes: guesses at most.
    max_depth: guesses on the longest path.
    """

    root_token: int
    index: int
    seed: int | None
    max_nodes: int
    max_depth: int


class Drafter(Protocol):
    """Proposes a tree of continuations; learns from what turned out to be the text."""

    def observe(self, token_ids: Sequence[int]) -> None:
        """Take tokens that the stream gained, in order."""
        ...

    def draft(self, request: DraftRequest) -> DraftTree:
        """Return a tree of guesses below the root; it may be the root alone."""
        ...
