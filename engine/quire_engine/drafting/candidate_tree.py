"""One candidate tree of all drafters' tokens, grown level by level, and the part of it that a pass verifies.

Best-first by estimated path probability, as in EAGLE-2 (arXiv 2406.16858, section 4): at each depth the best
nodes are expanded, all draft tokens become candidates, and at the end the best of all depths are kept.
Probability only falls along a path, so the best n nodes always include their ancestors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quire_engine.api.config import Source
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.drafting.acceptance_calibration import AcceptanceCalibration
from quire_engine.drafting.drafter import DraftTokens

_DOUBT = 0.25  # calibration may raise a chance up to four times


@dataclass(frozen=True, slots=True)
class PlannedTree:
    """The draft tree of one pass and what was estimated about it.

    Attributes:
        tree: only the root means a plain step.
        sources: the drafter of each node; None for the root.
        ranks: rank of each node below its parent.
        chances: estimated chance that the node's whole path is drawn; 1 for the root.
        num_candidates: draft tokens before the cut.
        draft_ms: drafting and planning time.
        catch_up_ms: the part of it in which drafters that were not asked last time read what they missed.
        reads_on: one of them has not read all of it and proposed nothing, so the step says nothing about it.
        context_length: tokens before the root.
        subset: index of the drafter subset that was used; None if there was no choice (no room for draft
            tokens).
        candidates: all draft tokens, kept or not, for learning.
        explores: it is as deep and wide as possible, whatever that costs, to keep estimates current.
    """

    tree: DraftTree
    sources: tuple[Source | None, ...] = (None,)
    ranks: tuple[int, ...] = (0,)
    chances: tuple[float, ...] = (1.0,)
    num_candidates: int = 0
    draft_ms: float = 0.0
    catch_up_ms: float = 0.0
    reads_on: bool = False
    context_length: int = 0
    subset: int | None = None
    candidates: Candidates | None = None
    explores: bool = False

    @property
    def expected_tokens(self) -> float:
        """Expected tokens of the pass, bonus token included: 1 + the sum of all path chances."""
        return sum(self.chances)


class Candidates:
    """A growing tree of draft tokens with their path chances; parents come before their children."""

    def __init__(self, root_token: int) -> None:
        self.tree = DraftTree(root_token)
        self.chances: list[float] = [1.0]
        self.sources: list[Source | None] = [None]
        self.ranks: list[int] = [0]
        self._offers: dict[int, list[tuple[Source, DraftTokens]]] = {}

    def __len__(self) -> int:
        """Return the number of draft tokens, without the root."""
        return len(self.chances) - 1

    def grow(
        self,
        nodes: Sequence[int],
        answers: Sequence[tuple[Source, Sequence[DraftTokens]]],
        calibration: AcceptanceCalibration,
        *,
        children: int,
        ranks: int | None = None,
        floor: float = 0.0,
        appended: Source | None = None,
    ) -> list[int]:
        """Add what the drafters proposed below these nodes; return the new nodes.

        Args:
            nodes: all of one depth, not expanded before.
            answers: for each source its draft tokens, by position in `nodes`.
            calibration: turns probabilities into calibrated chances.
            children: most children per node after merging.
            ranks: draft tokens per source to look at; None: all.
            floor: path chance below which a draft token is dropped.
            appended: a source whose draft tokens do not count among these children.
        """
        fresh: list[int] = []
        for place, node in enumerate(nodes):
            offers: list[tuple[Source, DraftTokens]] = [
                (source, proposed[place]) for source, proposed in answers if proposed[place].token_ids
            ]
            if not offers:
                continue
            self._offers[node] = offers
            reached = self.chances[node]
            judged = calibration.judge(self.tree.depths[node] + 1, offers, ranks, _DOUBT * floor / reached)
            left = children
            for chance, token, source, rank in judged:
                path = reached * chance
                if path < floor:
                    break
                if source != appended:
                    if not left:
                        continue
                    left -= 1
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
        """Return the best `beam` of these nodes whose children could still be kept, in tree order.

        A child is less likely than its parent: a node at the threshold has none that would be kept.
        """
        good = [node for node in fresh if self.chances[node] > threshold]
        if len(good) > beam:
            good = sorted(sorted(good, key=lambda node: -self.chances[node])[:beam])
        return good

    def best_first(self, budget: int) -> list[int]:
        """Return the best draft tokens, likeliest first; every prefix of the list is closed under
        ancestors."""
        chances = self.chances
        return sorted(range(1, len(chances)), key=lambda node: -chances[node])[:budget]

    def keep(self, nodes: Sequence[int]) -> PlannedTree:
        """Return the tree of the root and these draft tokens, which must include their own ancestors."""
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
        """Update the calibration with the tokens drawn along the path. drawn: accepted tokens and bonus
        token."""
        node: int | None = ROOT
        for depth, token in enumerate(drawn, 1):
            if node is None:
                return
            if offers := self._offers.get(node):
                calibration.learn(depth, offers, token)
            node = self.tree.child(node, token)
