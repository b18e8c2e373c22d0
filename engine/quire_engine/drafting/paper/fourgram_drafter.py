"""The paper's n-gram table (TokenSwift, arXiv 2502.18890, section 3.3): 4-grams of the text by first token.

As in the paper's released code, the table is asked about the next token that another drafter expects, and
appends the k = 20 most frequent tails of three tokens to it; and it holds only 4-grams from before the
penalty window, because nearer ones are penalised. Counts are exact, where a sorted set that compares items by
count alone loses some and holds others twice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np

from quire_engine.api.config import Source
from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.decoding.gumbel_noise import quick_gumbel
from quire_engine.drafting.draft_sampling import ancestors_of
from quire_engine.drafting.drafter import DrafterInput, DraftTokens, Observed

MAX_TAILS = 20
"""Tails proposed for one token: the paper's k."""

_TAIL = 3
Tail = tuple[int, int, int]


class FourgramTable:
    """Counts of all tails by their first token, with the most frequent ones cached.

    A tail only becomes one of the most frequent when its own count grows, so keeping the cache up to date
    costs no search. Among equals the earlier one stays.
    """

    def __init__(self, max_tails: int = MAX_TAILS) -> None:
        if max_tails < 1:
            raise ValueError(f"max_tails must be at least 1, got {max_tails}")
        self._max_tails = max_tails
        self._counts: dict[int, dict[Tail, int]] = {}
        self._frequent: dict[int, list[Tail]] = {}
        self._recent: tuple[int, ...] = ()

    def observe(self, token_ids: Sequence[int]) -> None:
        """Count the 4-grams that these tokens complete."""
        for token in token_ids:
            if len(self._recent) == _TAIL:
                first, second, third = self._recent
                self._count(first, (second, third, token))
            self._recent = (*self._recent, token)[-_TAIL:]

    def tails(self, first: int) -> dict[Tail, int]:
        """Return the most frequent tails of a token with their counts, most frequent first."""
        counts = self._counts.get(first, {})
        frequent = sorted(self._frequent.get(first, ()), key=lambda tail: -counts[tail])
        return {tail: counts[tail] for tail in frequent}

    def _count(self, first: int, tail: Tail) -> None:
        counts = self._counts.setdefault(first, {})
        count = counts[tail] = counts.get(tail, 0) + 1
        frequent = self._frequent.setdefault(first, [])
        if tail in frequent:
            return
        if len(frequent) < self._max_tails:
            frequent.append(tail)
            return
        # replace the newest of the least frequent ones
        place = min(range(len(frequent)), key=lambda i: (counts[frequent[i]], -i))
        if count > counts[frequent[place]]:
            frequent[place] = tail


class FourgramDrafter:
    """Proposes tails as a trie of three levels, ranked with the noise.

    Args:
        vocab_size: tails with higher ids are not proposed.
        max_tails: tails per first token.
        is_alone: look up the root token, for no other drafter expects a next one.
        delay: newest tokens that the table doesn't hold; None: the penalty window, where it is penalised.
    """

    def __init__(
        self,
        vocab_size: int,
        max_tails: int = MAX_TAILS,
        *,
        is_alone: bool = False,
        delay: int | None = None,
    ) -> None:
        self._vocab_size = vocab_size
        self._delay = delay
        self._is_alone = is_alone
        self._table = FourgramTable(max_tails)
        self._recent: deque[int] = deque()  # not in the table yet
        self._request: DrafterInput | None = None
        self._tails: dict[int, dict[Tail, int]] = {}  # of this draft, by first token

    @property
    def source(self) -> Source:
        """Its name in settings and metrics."""
        return "fourgrams"

    def reset(self) -> None:
        """Do nothing: nothing here is keyed by position."""

    def observe(self, observed: Observed) -> None:
        """Take tokens that the stream gained."""
        if not observed.is_reread:
            self._recent.extend(observed.token_ids)

    def begin(self, request: DrafterInput) -> None:
        """Start a draft; every `expand` until the next `begin` belongs to it."""
        self._request = request
        self._tails.clear()
        sampling = request.sampling
        delay = self._delay
        if delay is None:
            delay = sampling.penalty_window if sampling.repetition_penalty > 1 else 0
        self._table.observe([self._recent.popleft() for _ in range(len(self._recent) - delay)])

    def expand(self, tree: DraftTree, nodes: Sequence[int]) -> list[DraftTokens]:
        """Return what may follow each of these nodes, all of one depth; DraftTokens() where nothing is
        known."""
        return [self._after(tuple(ancestors_of(tree, node))) for node in nodes]

    def _after(self, path: tuple[int, ...]) -> DraftTokens:
        if self._request is None:
            return DraftTokens()
        whole = (self._request.root_token, *path) if self._is_alone else path
        if not 1 <= len(whole) <= _TAIL:
            return DraftTokens()
        first, known = whole[0], whole[1:]
        counts: dict[int, int] = {}
        for tail, count in self._tails_of(first).items():
            if tail[: len(known)] == known:
                token = tail[len(known)]
                counts[token] = counts.get(token, 0) + count
        return _ranked(counts, self._request, len(path))

    def _tails_of(self, first: int) -> dict[Tail, int]:
        tails = self._tails.get(first)
        if tails is None:
            found = self._table.tails(first)
            tails = {tail: count for tail, count in found.items() if max(tail) < self._vocab_size}
            self._tails[first] = tails
        return tails


def _ranked(counts: dict[int, int], request: DrafterInput, depth: int) -> DraftTokens:
    """Rank by log(count) + noise; unseen tokens get the share that Witten-Bell smoothing leaves them."""
    if not counts:
        return DraftTokens()
    ids = np.fromiter(counts, dtype=np.int64, count=len(counts))
    seen = np.fromiter(counts.values(), dtype=np.float64, count=len(counts))
    scores = np.log(seen)
    if request.seed is not None:
        scores += quick_gumbel(request.seed, request.index + depth, ids)
    shares = np.exp(scores - scores.max())
    total = float(seen.sum())
    shares *= total / (total + len(counts)) / float(shares.sum())
    order = np.argsort(-shares, kind="stable")[: request.num_tokens]
    order = order[shares[order] > 0]
    return DraftTokens(tuple(ids[order].tolist()), tuple(shares[order].tolist()))
