"""Drafts made up with the text known beforehand: good, mixed, random and hostile; none of it may show."""

from __future__ import annotations

import random
from collections.abc import Sequence

from quire_engine.decoding.draft_tree import DraftTree
from tests.proofs.engine.cases import Drafts


class MadeUpDrafts:
    """Drafts for a run whose text is known.

    Args:
        truth: generated tokens.
        never: ids that are never written.
    """

    def __init__(
        self, kind: Drafts, truth: Sequence[int], never: Sequence[int], vocab_size: int, seed: int
    ) -> None:
        self._kind = kind
        self._truth = truth
        self._never = list(never)[:3]
        self._vocab_size = vocab_size
        self._seed = seed

    def draft(self, root_token: int, num_generated: int, max_depth: int, max_nodes: int) -> DraftTree:
        """Return a tree below the root, within the limits of a pass; the same one for the same place."""
        rng = random.Random(self._seed * 1_000_003 + num_generated)
        coming = list(self._truth[num_generated : num_generated + 8])
        tree = DraftTree(root_token)
        for path in self._paths(root_token, coming, rng):
            path = path[: min(max_depth, max_nodes + 1 - len(tree.tokens))]
            if path:
                tree.add_path(path)
        return tree

    def _paths(self, root_token: int, coming: list[int], rng: random.Random) -> list[list[int]]:
        if self._kind == "good":
            return [coming]
        if self._kind == "hostile":
            # the right tokens a place too early, the last token again, ids that are never written
            return [coming[1:4], [root_token] * 3, self._never, [*coming[:1], *self._never[:1], *coming[2:3]]]
        known = coming if self._kind == "mixed" else []
        paths: list[list[int]] = []
        while rng.random() < 0.9:
            path = [token if rng.random() < 0.85 else rng.randrange(self._vocab_size) for token in known]
            path += [rng.randrange(self._vocab_size) for _ in range(rng.randint(1, 3))]
            paths.append(path[: rng.randint(1, len(path))])
        return paths
