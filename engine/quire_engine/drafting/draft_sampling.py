"""From draft logits to draft tokens: the verifier's warp, then the verifier's Gumbel noise.

The noise of a future position is already known, so draft tokens are ranked by score plus noise: where drafter
and model agree about a distribution, they also agree about the token drawn from it. In numpy on the host;
nothing here has to round as the verifier does, because draft tokens are only proposals.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.banned_sequences import NO_IDS
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.decoding.gumbel_noise import position_key, quick_gumbel
from quire_engine.drafting.drafter import DrafterInput, DraftTokens
from quire_engine.integer.draft_kernel import MOST_KEPT, TOO_MANY, best_tokens

Scores = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]

_MAX_KEPT = MOST_KEPT  # without min-p everything is kept, and noise for all of it costs too much


@dataclass(frozen=True, slots=True)
class DraftRow:
    """Draft logits of one node, on the host.

    Attributes:
        logits: (columns,) float32.
        ids: the token of each column, ascending; None: columns are token ids.
    """

    logits: Scores
    ids: Ids | None = None


def draft_tokens_of(
    logits: Scores,
    request: DrafterInput,
    depth: int,
    ancestors: Sequence[int],
    count: int,
    ids: Ids | None = None,
    *,
    sharpness: float = 1.0,
) -> DraftTokens:
    """Return the best `count` draft tokens of one row of draft logits.

    Args:
        logits, ids: see DraftRow.
        request: the draft's settings.
        depth: of the node to extend, 0 for the root.
        ancestors: tokens between the root and that node, the node included.
        count: draft tokens to return.
        sharpness: how far to trust the ranking; chances are the softmax of the perturbed scores times it.
    """
    rows = [DraftRow(logits, ids)]
    return batch_draft_tokens(rows, request, depth, (ancestors,), count, sharpness=sharpness)[0]


def quick_draft_tokens(
    rows: Sequence[DraftRow],
    request: DrafterInput,
    depth: int,
    ancestors: Sequence[Sequence[int]],
    count: int,
    *,
    sharpness: float = 1.0,
) -> list[DraftTokens]:
    """Return what `batch_draft_tokens` does, by a compiled kernel where the settings are usual ones.

    Only for drafters whose other kernels are compiled, too: compiling takes longer than it saves.
    """
    sampling = request.sampling
    is_usual = sampling.min_p > 0 and sampling.top_p == 1 and not sampling.top_k and not sampling.eta
    if not is_usual or sampling.temperature == 0 or len(request.forbidden):
        return batch_draft_tokens(rows, request, depth, ancestors, count, sharpness=sharpness)
    key = 0 if request.seed is None else position_key(request.seed, request.index + depth)
    answers = []
    for row, path in zip(rows, ancestors, strict=True):
        tokens, chances = np.empty(count, np.int64), np.empty(count, np.float64)
        written = best_tokens(
            row.logits,
            NO_IDS if row.ids is None else row.ids,
            request.penalised,
            np.array(path, dtype=np.int64),
            sampling.repetition_penalty,
            sampling.temperature,
            math.log(sampling.min_p),
            np.uint64(key),
            request.seed is not None,
            sharpness,
            tokens,
            chances,
        )
        if written == TOO_MANY:
            answers += batch_draft_tokens([row], request, depth, (path,), count, sharpness=sharpness)
        else:
            answers.append(DraftTokens(tuple(tokens[:written].tolist()), tuple(chances[:written].tolist())))
    return answers


def batch_draft_tokens(
    rows: Sequence[DraftRow],
    request: DrafterInput,
    depth: int,
    ancestors: Sequence[Sequence[int]],
    count: int,
    *,
    sharpness: float = 1.0,
) -> list[DraftTokens]:
    """Return draft tokens for several nodes of one depth; they share its noise.

    ancestors: one sequence per row. Other arguments as for `draft_tokens_of`.
    """
    window = _table_of(request.penalised, max(_num_tokens(row) for row in rows))
    allowed = [_without(row, request.forbidden) for row in rows]
    places = [
        _kept_columns(row, request, path, count, window) for row, path in zip(allowed, ancestors, strict=True)
    ]
    tokens = [
        place if row.ids is None else row.ids[place] for row, (place, _) in zip(rows, places, strict=True)
    ]
    noise = None
    if request.seed is not None:
        together = np.concatenate(tokens) if len(tokens) > 1 else tokens[0]
        noise = quick_gumbel(request.seed, request.index + depth, together)
    answers, start = [], 0
    for own, (_, scores) in zip(tokens, places, strict=True):
        end = start + len(own)
        perturbed = scores if noise is None else scores + noise[start:end]
        answers.append(_best(own, perturbed, count, sharpness))
        start = end
    return answers


def ancestors_of(tree: DraftTree, node: int) -> list[int]:
    """Return the tokens from below the root down to a node, the node included."""
    path: list[int] = []
    while node != ROOT:
        path.append(tree.tokens[node])
        node = tree.parents[node]
    return path[::-1]


def _num_tokens(row: DraftRow) -> int:
    return len(row.logits) if row.ids is None else int(row.ids[-1]) + 1


def _without(row: DraftRow, forbidden: Ids) -> DraftRow:
    """Return a row with banned tokens set to -inf."""
    if len(forbidden) == 0:
        return row
    columns = forbidden if row.ids is None else np.flatnonzero(np.isin(row.ids, forbidden))
    logits = row.logits.copy()
    logits[columns[columns < len(logits)]] = -np.inf
    return DraftRow(logits, row.ids)


def _kept_columns(
    row: DraftRow,
    request: DrafterInput,
    path: Sequence[int],
    count: int,
    window: npt.NDArray[np.bool_],
) -> tuple[Ids, Scores]:
    """Return (columns, warped scores) of what truncation keeps of one row. window: see `_table_of`."""
    logits, sampling = row.logits, request.sampling
    theta, greedy = sampling.repetition_penalty, sampling.temperature == 0
    temperature = sampling.temperature or 1.0
    # the penalty lowers the best score at most to this; scores further below are truncated anyway
    best = float(logits.max())
    lowest = min(best / theta, best * theta)
    if not math.isfinite(best):
        return np.zeros(0, dtype=np.int64), logits[:0]
    if sampling.min_p == 0 or sampling.top_p < 1 or greedy:  # top-p needs the mass below min-p
        keep = min(len(logits), (count if greedy else _MAX_KEPT) + len(request.penalised) + len(path))
        columns = np.argpartition(logits, len(logits) - keep)[len(logits) - keep :]
        columns.sort()
    else:
        floor = temperature * math.log(sampling.min_p)
        columns = np.flatnonzero(logits >= np.float32(lowest + floor))
    scores = logits[columns]
    if theta != 1:
        tokens = columns if row.ids is None else row.ids[columns]
        seen = window[tokens]
        for token in path:
            seen |= tokens == token
        scores = np.where(seen, np.minimum(scores / np.float32(theta), scores * np.float32(theta)), scores)
    if temperature != 1:
        scores = scores / np.float32(temperature)
    if greedy:
        return columns, scores
    if sampling.min_p > 0 and sampling.top_p == 1:
        kept = scores >= scores.max() + np.float32(math.log(sampling.min_p))
        columns, scores = columns[kept], scores[kept]
    if sampling.top_k or sampling.top_p < 1 or sampling.eta or len(columns) > _MAX_KEPT:
        kept = truncated(scores, sampling)
        columns, scores = columns[kept], scores[kept]
    return columns, scores


def _table_of(tokens: Ids, size: int) -> npt.NDArray[np.bool_]:
    """Return a boolean table of which ids below `size` are in `tokens`: faster to query than a search."""
    table = np.zeros(max(size, int(tokens.max(initial=0)) + 1), dtype=np.bool_)
    table[tokens] = True
    return table


def truncated(scores: Scores, sampling: SamplingConfig) -> Ids:
    """Return the indexes that top-k, top-p (with min-p after it) and eta keep. scores: (n,), one row's
    candidates."""
    if len(scores) > _MAX_KEPT:
        few = np.argpartition(-scores, _MAX_KEPT)[:_MAX_KEPT]
        return few[truncated(scores[few], sampling)]
    order = np.argsort(-scores)
    if sampling.top_k:
        order = order[: sampling.top_k]
    if sampling.top_p < 1:
        shares = _softmax(scores[order])
        order = order[np.cumsum(shares) - shares < sampling.top_p]
        if sampling.min_p > 0:
            order = order[scores[order] >= scores[order[0]] + np.float32(math.log(sampling.min_p))]
    if sampling.eta:
        shares = _softmax(scores[order])
        entropy = -float((shares * np.log(np.maximum(shares, 1e-30))).sum())
        above = shares >= min(sampling.eta, math.sqrt(sampling.eta) * math.exp(-entropy))
        above[0] = True
        order = order[above]
    return order


def _best(tokens: Ids, scores: npt.NDArray[np.floating], count: int, sharpness: float) -> DraftTokens:
    """Return the `count` highest of one row's perturbed scores, and the chance of each."""
    if len(scores) == 0 or count < 1:
        return DraftTokens()
    shares = _softmax(scores * sharpness)
    order = np.argsort(-scores)[:count]
    # a chance of exactly zero is not worth a draft token
    order = order[shares[order] > 0]
    return DraftTokens(tuple(tokens[order].tolist()), tuple(shares[order].tolist()))


def _softmax(scores: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    weights: npt.NDArray[np.floating] = np.exp(scores - scores.max())
    weights /= weights.sum()
    return weights
