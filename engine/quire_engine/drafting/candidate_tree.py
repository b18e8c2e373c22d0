"""One candidate tree of all drafters' guesses, grown level by level, and the part of it that a pass checks.

Best-first by estimated path probability, as in EAGLE-2 (arXiv 2406.16858, section 4): at each depth the best
nodes are expanded, all guesses become candidates, and at the end the best of all depths are kept. A path's
chance only falls along it, so the best n nodes always hold their own ancestors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quire_engine.api.config import Source
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.acceptance_calibration import AcceptanceCalibration
from quire_engine.drafting.drafter import MAX_DRAFT_TOKENS, DraftTokens

_DOUBT = 0.25  # a guess may turn out up to four times as likely as its drafter thinks


@dataclass(frozen=True, slots=True)
class PlannedTree:
    """What one pass is to check, and what was known about it beforehand.

    Attributes:
        tree: the root alone means a plain step.
        sources, ranks, chances: by node of the tree; who guessed it (None for the root), at which rank below
            its parent, and the estimated chance that its whole path is drawn (1 for the root).
        num_candidates: guesses before the cut, the root not counted.
        draft_ms: time that drafting took, planning included.
        context_length: tokens before the root.
        arm: number of the planner's arm that was played, None when there was no choice (no room for a guess).
        candidates: all guesses, kept and not, for learning.
    """

    tree: DraftTree
    sources: tuple[Source | None, ...] = (None,)
    ranks: tuple[int, ...] = (0,)
    chances: tuple[float, ...] = (1.0,)
    num_candidates: int = 0
    draft_ms: float = 0.0
    context_length: int = 0
    subset: int | None = None
    candidates: Candidates | None = None

    @property
    def expected_tokens(self) -> float:
        """Tokens that the pass should give, bonus token included: 1 + the sum of all path chances."""
        return sum(self.chances)


class Candidates:
    """A growing tree of guesses with their path chances; parents always come before their children."""

    def __init__(self, root_token: int) -> None:
        self.tree = DraftTree(root_token)
        self.chances: list[float] = [1.0]
        self.sources: list[Source | None] = [None]
        self.ranks: list[int] = [0]
        self._offers: dict[int, list[tuple[Source, DraftTokens]]] = {}

    def __len__(self) -> int:
        """Return the number of guesses, the root not counted."""
        return len(self.chances) - 1

    def grow(
        self,
        nodes: Sequence[int],
        answers: Sequence[tuple[Source, Sequence[DraftTokens]]],
        calibration: AcceptanceCalibration,
        *,
        children: int,
        ranks: int = MAX_DRAFT_TOKENS,
        floor: float = 0.0,
    ) -> list[int]:
        """Add what the sources answered about these nodes; return the new nodes.

        Args:
            nodes: all of one depth, not asked about before.
            answers: for each source its guesses, by place in `nodes`.
            children: the merged best so many below each node.
            ranks: guesses of each source that are looked at.
            floor: path chance below which a guess is not worth a place.
        """
        fresh: list[int] = []
        for place, node in enumerate(nodes):
            offers: list[tuple[Source, DraftTokens]] = [
                (source, guesses[place]) for source, guesses in answers if guesses[place].token_ids
            ]
            if not offers:
                continue
            self._offers[node] = offers
            reached = self.chances[node]
            judged = calibration.judge(self.tree.depths[node] + 1, offers, ranks, _DOUBT * floor / reached)
            for chance, token, source, rank in judged[:children]:
                path = reached * chance
                if path < floor:
                    break
                fresh.append(self.tree.add_child(node, token))
                self.chances.append(path)
                self.sources.append(source)
                self.ranks.append(rank)
        return fresh

    def threshold(self, budget: int) -> float:
        """Return the path chance above which a node is among the best `budget`; 0 while there is room."""
        if len(self) < budget:
            return 0.0
        return sorted(self.chances[1:], reverse=True)[budget - 1] if budget else 1.0

    def worth_expanding(self, fresh: Sequence[int], beam: int, threshold: float) -> list[int]:
        """Return the best `beam` of these nodes whose children could still be kept, in the order of the tree.

        A child is less likely than its parent: one at the threshold has none that would be kept.
        """
        good = [node for node in fresh if self.chances[node] > threshold]
        if len(good) > beam:
            good = sorted(sorted(good, key=lambda node: -self.chances[node])[:beam])
        return good

    def best_first(self, budget: int) -> list[int]:
        """Return the best guesses, likeliest first; any beginning of the list is closed under ancestors."""
        chances = self.chances
        return sorted(range(1, len(chances)), key=lambda node: -chances[node])[:budget]

    def keep(self, nodes: Sequence[int]) -> PlannedTree:
        """Return the tree of the root and these guesses, which must hold their own ancestors."""
        if len(nodes) == len(self):
            tree, kept = self.tree, list(range(len(self.chances)))
        else:
            tree, numbers = DraftTree(self.tree.tokens[ROOT]), {ROOT: ROOT}
            kept = [ROOT, *sorted(nodes)]
            for node in kept[1:]:
                numbers[node] = tree.add_child(numbers[self.tree.parents[node]], self.tree.tokens[node])
        return PlannedTree(
            tree,
            sources=tuple([self.sources[node] for node in kept]),
            ranks=tuple([self.ranks[node] for node in kept]),
            chances=tuple([self.chances[node] for node in kept]),
            num_candidates=len(self),
            candidates=self,
        )

    def teach(self, calibration: AcceptanceCalibration, drawn: Sequence[int]) -> None:
        """Tell the calibration what was drawn at each node of the path. drawn: accepted tokens and bonus."""
        node: int | None = ROOT
        for depth, token in enumerate(drawn, 1):
            if node is None:
                return
            if offers := self._offers.get(node):
                calibration.learn(depth, offers, token)
            node = self.tree.child(node, token)
