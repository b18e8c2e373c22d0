"""Guesses from the text's own phrases: counts interpolated over all context lengths (token reutilisation).

The paper (section 3.3) keeps 4-grams by their first token and offers the k most frequent tails. Counts of
every context length, interpolated as Witten and Bell do, earn more with fewer nodes (measured on novels).
Guesses are ranked with the run's own dice: the noise of a future position is known already.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.decoding.noise import quick_gumbel
from quire_engine.drafting.base import DraftRequest

MAX_CONTEXT = 5
_MAX_CANDIDATES = 48


@dataclass(frozen=True, slots=True)
class Prediction:
    """Candidates for one position: ids int64, probabilities float64; the rest of the mass is nobody's."""

    ids: npt.NDArray[np.int64]
    probabilities: npt.NDArray[np.float64]


class NgramCounts:
    """How often each token followed each context of 1 to `max_context` tokens."""

    def __init__(self, max_context: int = MAX_CONTEXT) -> None:
        if max_context < 1:
            raise ValueError(f"max_context must be at least 1, got {max_context}")
        self.max_context = max_context
        self._followers: dict[tuple[int, ...], dict[int, int]] = {}
        self._recent: tuple[int, ...] = ()

    @property
    def recent(self) -> tuple[int, ...]:
        """The last tokens observed, at most max_context."""
        return self._recent

    def observe(self, token_ids: Sequence[int]) -> None:
        """Count tokens that follow each other and what was observed before."""
        for token in token_ids:
            recent = self._recent
            for length in range(1, len(recent) + 1):
                followers = self._followers.setdefault(recent[-length:], {})
                followers[token] = followers.get(token, 0) + 1
            self._recent = (*recent, token)[-self.max_context :]

    def predict(self, context: tuple[int, ...]) -> Prediction | None:
        """Return interpolated probabilities of what may follow a context; None when nothing ever did."""
        mixed: dict[int, float] = {}
        for length in range(1, len(context) + 1):
            followers = self._followers.get(context[-length:])
            if followers is None:
                break
            # Witten-Bell: a context that was followed by many different tokens is trusted less
            total, distinct = sum(followers.values()), len(followers)
            backoff = distinct / (total + distinct)
            likely = followers.items()
            if distinct > _MAX_CANDIDATES:
                likely = dict(heapq.nlargest(_MAX_CANDIDATES, likely, key=lambda item: item[1])).items()
            mixed = {token: share * backoff for token, share in mixed.items()}
            for token, count in likely:
                mixed[token] = mixed.get(token, 0.0) + count / (total + distinct)
        if not mixed:
            return None
        best = heapq.nlargest(_MAX_CANDIDATES, mixed.items(), key=lambda item: item[1])
        ids, probabilities = zip(*best, strict=True)
        return Prediction(np.array(ids, dtype=np.int64), np.array(probabilities))


class NgramDrafter:
    """Builds a tree best-first: the guess with the highest estimated path probability is added next."""

    def __init__(self, max_context: int = MAX_CONTEXT, min_path_probability: float = 0.02) -> None:
        self._counts = NgramCounts(max_context)
        self._floor = min_path_probability

    def observe(self, token_ids: Sequence[int]) -> None:
        """Take tokens that the stream gained, in order."""
        self._counts.observe(token_ids)

    def draft(self, request: DraftRequest) -> DraftTree:
        """Return a tree of guesses below the root; it may be the root alone."""
        tree = DraftTree(request.root_token)
        contexts = {ROOT: self._counts.recent}
        frontier: list[tuple[float, int, int]] = []
        self._expand(frontier, contexts[ROOT], ROOT, 1.0, request, 0)
        while frontier and len(tree.tokens) <= request.max_nodes:
            negative, parent, token = heapq.heappop(frontier)
            node = tree.add_child(parent, token)
            contexts[node] = (*contexts[parent], token)[-self._counts.max_context :]
            depth = tree.depths[node]
            if depth < request.max_depth:
                self._expand(frontier, contexts[node], node, -negative, request, depth)
        return tree

    def _expand(
        self,
        frontier: list[tuple[float, int, int]],
        context: tuple[int, ...],
        node: int,
        path_probability: float,
        request: DraftRequest,
        depth: int,
    ) -> None:
        """Put the likely children of a node on the heap; the dice of their position say which those are."""
        if request.max_depth < 1 or (prediction := self._counts.predict(context)) is None:
            return
        scores = np.log(prediction.probabilities)
        if request.seed is not None:
            scores = scores + quick_gumbel(request.seed, request.index + depth, prediction.ids)
        # the dice reorder the candidates; how much of the mass was seen at all stays what it was
        shares = np.exp(scores - scores.max())
        shares *= min(1.0, float(prediction.probabilities.sum())) / shares.sum()
        for place in np.argsort(-shares)[: request.max_nodes]:
            probability = path_probability * float(shares[place])
            if probability < self._floor:
                break
            heapq.heappush(frontier, (-probability, node, int(prediction.ids[place])))
