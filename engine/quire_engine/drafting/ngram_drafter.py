"""Drafts from the text's own phrases: counts interpolated over all context lengths (token reutilisation).

The paper (section 3.3) stores 4-grams by their first token and proposes the k most frequent tails. Counts of
every context length, interpolated as by Witten and Bell, accept more with fewer nodes (measured on novels).
Where the text says little, the tokens that truncation kept after the same token last time are used, and the
model's own n-gram distribution, if there is one. Draft tokens are ranked with the run's own noise.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from quire_engine.api.config import Source
from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.decoding.gumbel_noise import quick_gumbel
from quire_engine.drafting.draft_sampling import ancestors_of
from quire_engine.drafting.drafter import DrafterInput, DraftTokens, Observed
from quire_engine.drafting.ngram_table import NgramTable
from quire_engine.drafting.phrase_counts import Ids, PhraseCounts

CAUTION = (32.0, 32.0, 16.0, 4.0, 2.0)
"""Weight of the distinct followers against the occurrences, by length of the context.

Measured on the shipped model: contexts of one or two tokens are weaker than what is behind the counts (2.25
tokens per pass), and a long match is trusted at once (7.6 when a text is drafted again; 5.0 with 32
throughout).
"""
MAX_KEPT_TOKENS = 16
"""Kept tokens to remember per position."""

_TINY = 1e-9  # chances below are not worth a draft token
_PENALTY_POWER = 6.0  # an unexpectedly penalised token is theta ** -this as likely (measured at theta 1.2)
_REMEMBERED_SHARE = 0.2  # of the mass that the counts leave; a background table gets the rest (measured)
_SHARPNESS = 1.3  # averages over many positions are flatter than the model at one (measured)
_COLDEST, _HOTTEST = 0.3, 3.0  # range in which the background follows the temperature


class Background(Protocol):
    """A language model's distribution after a few tokens in general, whatever the text."""

    def probabilities(self, context: Sequence[int]) -> dict[int, float]:
        """Return likely next tokens after a context; empty if it is unknown."""
        ...


class KeptTokenTable:
    """The tokens that truncation kept after each token, from the last time it was verified.

    Stored as the pass gave them and normalised on demand, because most are never asked for.
    """

    def __init__(self) -> None:
        self._newest: dict[int, tuple[Ids, npt.NDArray[np.float32]] | dict[int, float]] = {}

    def remember(self, token: int, ids: Ids, scores: npt.NDArray[np.float32]) -> None:
        """Store the likeliest kept tokens of the position after `token`. ids, scores: (n,), warped."""
        if len(ids) > MAX_KEPT_TOKENS:
            best = np.argpartition(scores, -MAX_KEPT_TOKENS)[-MAX_KEPT_TOKENS:]
            ids, scores = ids[best], scores[best]
        if len(ids):
            self._newest[token] = (ids, scores)

    def probabilities(self, token: int) -> dict[int, float]:
        """Return what may follow a token, summing to 1; empty if it was not seen."""
        kept = self._newest.get(token)
        if kept is None:
            return {}
        if isinstance(kept, dict):
            return kept
        ids, scores = kept
        weights = np.exp(scores - scores.max(), dtype=np.float64)
        weights /= weights.sum()
        shares = dict(zip(ids.tolist(), weights.tolist(), strict=True))
        self._newest[token] = shares
        return shares


class NgramDrafter:
    """Counts, kept tokens and background as one distribution, ranked with the noise of its position.

    Args:
        vocab_size: higher ids are never proposed.
        table: counts of earlier texts, and perhaps of the stream up to `table.num_stream`, from where it must
            be continued.
        background: of this tokenizer.
        caution: see CAUTION.
    """

    def __init__(
        self,
        vocab_size: int,
        table: NgramTable | None = None,
        background: Background | None = None,
        *,
        caution: Sequence[float] = CAUTION,
    ) -> None:
        self._vocab_size = vocab_size
        self._table = NgramTable() if table is None else table
        self._background = background
        self._caution = caution
        self._kept_columns = KeptTokenTable()
        self._request: DrafterInput | None = None
        self._before: tuple[int, ...] = ()
        self._seen = np.bincount(self._table.stream, minlength=vocab_size)[:vocab_size]
        self._expected = 0.0
        self._rarity = np.zeros(vocab_size)

    @property
    def source(self) -> Source:
        """Its name in settings and metrics."""
        return "ngrams"

    @property
    def table(self) -> NgramTable:
        """Its counts."""
        return self._table

    def learn(self, token_ids: Sequence[int] | Ids) -> None:
        """Learn a text outside of the stream: an earlier draft, a rejected take, another chapter."""
        self._table.learn(token_ids)

    def learn_counts(self, counts: PhraseCounts) -> None:
        """Learn what was counted in such a text before."""
        self._table.learn_counts(counts)

    def reset(self) -> None:
        """Do nothing: nothing here is keyed by position."""

    def observe(self, observed: Observed) -> None:
        """Count tokens that the stream gained."""
        if observed.is_reread:
            return
        before = (*self._table.recent[-1:], *observed.token_ids)
        self._table.observe(observed.token_ids)
        for token in observed.token_ids:
            if token < self._vocab_size:
                self._seen[token] += 1
        if len(before) > len(observed.token_ids):  # kept tokens need a token before them
            for token, (ids, scores) in zip(before, observed.kept_tokens, strict=False):
                self._kept_columns.remember(token, ids, scores)

    def begin(self, request: DrafterInput) -> None:
        """Start a draft; every `expand` until the next `begin` belongs to it."""
        recent = self._table.recent
        # not in step with the stream: only the root is known
        self._before = recent if recent[-1:] == (request.root_token,) else (request.root_token,)
        self._request = request
        self._rarity[:] = 0.0
        window, length = request.sampling.penalty_window, self._table.num_stream
        self._expected = min(window, length) / max(1, length)
        penalised = request.penalised[request.penalised < self._vocab_size]
        # a common word is always in the window and the counts reflect that: only penalise unusual ones
        self._rarity[penalised] = np.exp(self._seen[penalised] * -self._expected)

    def expand(self, tree: DraftTree, nodes: Sequence[int]) -> list[DraftTokens]:
        """Return what may follow each of these nodes, all of one depth; Guesses() where nothing is known."""
        request = self._request
        if request is None or not nodes:
            return [DraftTokens() for _ in nodes]
        paths = [ancestors_of(tree, node) for node in nodes]
        candidates = [self._mixture(path) for path in paths]
        sharpness = 1.0
        if self._background is not None:  # it was distilled at temperature 1
            sharpness = _SHARPNESS / min(max(request.sampling.temperature, _COLDEST), _HOTTEST)
        rare_paths = [{token: self._rarity_on_path(token) for token in path} for path in paths]
        return _ranked(candidates, rare_paths, self._rarity, request, len(paths[0]), sharpness)

    def _rarity_on_path(self, token: int) -> float:
        return math.exp(-self._expected * float(self._seen[token])) if token < self._vocab_size else 0.0

    def _mixture(self, path: Sequence[int]) -> dict[int, float]:
        """Return the probabilities after the stream and a path below the root, before the noise."""
        context = (*self._before, *path)
        mixed, rest = self._table.mix(context, self._caution)
        remembered = self._kept_columns.probabilities(context[-1])
        general = {} if self._background is None else self._background.probabilities(context)
        share = rest * (_REMEMBERED_SHARE if general else 1.0)
        for token, chance in remembered.items():
            mixed[token] = mixed.get(token, 0.0) + share * chance
        share = rest - share if remembered else rest
        for token, chance in general.items():
            mixed[token] = mixed.get(token, 0.0) + share * chance
        return mixed


def _ranked(
    candidates: Sequence[dict[int, float]],
    paths: Sequence[Mapping[int, float]],
    rarity: npt.NDArray[np.float64],
    request: DrafterInput,
    depth: int,
    sharpness: float,
) -> list[DraftTokens]:
    """Add the noise of one position to the candidates of several nodes, which share it, and rank them.

    Args:
        candidates: probabilities by token, one dictionary per node.
        paths: rarity of the tokens from below the root down to each node.
        rarity: by token id, from 0 (not penalised, or always) to 1 (penalised though it is rare).
        request: the draft's settings.
        depth: of the nodes.
        sharpness: exponent of the probabilities.
    """
    ids = np.array([token for mixed in candidates for token in mixed], dtype=np.int64)
    chances = np.array([chance for mixed in candidates for chance in mixed.values()])
    outside = ids >= len(rarity)
    if len(request.forbidden):
        outside |= np.isin(ids, request.forbidden)
    if outside.any():
        chances[outside] = 0.0
        ids[outside] = 0
    rare = rarity[ids]
    bounds = list(itertools.accumulate(map(len, candidates), initial=0))
    parts = [slice(start, end) for start, end in itertools.pairwise(bounds)]
    for part, path in zip(parts, paths, strict=True):
        for token, on_path in path.items():
            np.maximum(rare[part], on_path, out=rare[part], where=ids[part] == token)
    scores = np.log(np.maximum(chances, _TINY)) * sharpness
    scores -= _PENALTY_POWER * math.log(request.sampling.repetition_penalty) * rare
    if request.seed is not None:
        scores += quick_gumbel(request.seed, request.index + depth, ids)
    weights = np.exp(scores - scores.max(initial=0.0))
    return [_best(ids[part], weights[part], chances[part], request.num_tokens) for part in parts]


def _best(
    ids: Ids, weights: npt.NDArray[np.float64], chances: npt.NDArray[np.float64], count: int
) -> DraftTokens:
    """Return the likeliest of one node's candidates after the noise. chances: the same before it."""
    if len(ids) == 0:
        return DraftTokens()
    # noise reorders the candidates; their total mass stays the same
    scale = min(1.0, float(chances.sum())) / (float(weights.sum()) or 1.0)
    order = (-weights).argsort(kind="stable")[:count]
    tokens, shares = ids[order].tolist(), (weights[order] * scale).tolist()
    if shares[-1] <= _TINY or not chances[order].all():
        kept = [place for place, at in enumerate(order) if shares[place] > _TINY and chances[at] > 0]
        tokens, shares = [tokens[place] for place in kept], [shares[place] for place in kept]
    return DraftTokens(tuple(tokens), tuple(shares))
