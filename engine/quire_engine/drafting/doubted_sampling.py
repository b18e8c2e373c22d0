"""Draft tokens of a model that often thinks otherwise than the one that it guesses for.

Its scores are taken as the other model's plus an error that nobody knows. The verifier's noise is known, so
drawing errors and then a token, again and again, tells how often each token would be drawn: also one that the
small model itself would have left out.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.gumbel_noise import quick_gumbel
from quire_engine.drafting.draft_sampling import DraftRow, Ids, Scores, truncated
from quire_engine.drafting.drafter import DrafterInput, DraftTokens

_ERROR = (
    0.9  # nats by which scores are off (measured with SmolLM2 for Gemma 270M; 0.5 to 1.2 do nearly as well)
)
_DRAWS = 128
_MOST_TOKENS = 192
_REACH = 6.0  # nats below the best score, from which errors lift nothing


def doubted_draft_tokens(
    row: DraftRow, request: DrafterInput, depth: int, ancestors: Sequence[int], count: int
) -> DraftTokens:
    """Return what is drawn most often after one node, and how often. Arguments as for `draft_tokens_of`."""
    ids, scores = _likeliest(row, request, ancestors)
    if len(ids) == 0:
        return DraftTokens()
    below = _kept_below_best(scores, request.sampling)
    temperature = request.sampling.temperature or 1.0
    drawn = scores + _errors()[:, : len(ids)] / np.float32(temperature)
    drawn[drawn < drawn.max(axis=1, keepdims=True) - below] = -np.inf
    if request.seed is not None:
        drawn += quick_gumbel(request.seed, request.index + depth, ids).astype(np.float32)
    times = np.bincount(drawn.argmax(axis=1), minlength=len(ids))
    order = np.argsort(-times, kind="stable")[: min(count, np.count_nonzero(times))]
    return DraftTokens(tuple(ids[order].tolist()), tuple((times[order] / _DRAWS).tolist()))


def _likeliest(row: DraftRow, request: DrafterInput, ancestors: Sequence[int]) -> tuple[Ids, Scores]:
    """Return tokens that errors could let win, and their scores after penalty and temperature."""
    ids = np.arange(len(row.logits)) if row.ids is None else row.ids
    allowed = np.isfinite(row.logits) & ~np.isin(ids, request.forbidden)
    ids, scores = ids[allowed], row.logits[allowed]
    if len(ids) == 0:
        return ids, scores
    theta = np.float32(request.sampling.repetition_penalty)
    if theta != 1:
        seen = np.isin(ids, request.penalised) | np.isin(ids, ancestors)
        scores = np.where(seen, np.minimum(scores / theta, scores * theta), scores)
    scores = scores / np.float32(request.sampling.temperature or 1.0)
    near = np.flatnonzero(scores >= scores.max() - _REACH)
    if len(near) > _MOST_TOKENS:
        near = near[np.argpartition(-scores[near], _MOST_TOKENS)[:_MOST_TOKENS]]
    return ids[near], scores[near]


def _kept_below_best(scores: Scores, sampling: SamplingConfig) -> float:
    """Return how many nats below the best score truncation keeps tokens."""
    if sampling.temperature == 0:
        return 0.0
    below = -math.log(sampling.min_p) if sampling.min_p > 0 else math.inf
    if sampling.top_k or sampling.top_p < 1 or sampling.eta:
        below = min(below, float(scores.max() - scores[truncated(scores, sampling)].min()))
    return below


@functools.cache
def _errors() -> Scores:
    """Return errors in nats, (draws, tokens): the same ones for every position."""
    return np.random.default_rng(0).normal(0, _ERROR, (_DRAWS, _MOST_TOKENS)).astype(np.float32)
