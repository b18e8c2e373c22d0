"""Which token comes next: warped logits plus keyed noise, pure functions of their arguments.

    x[t] = argmax over v of  warp(logits[t], window[t])[v] + G(seed, t, v)          (greedy: without G)

which is an exact sample from the softmax of the warped logits (the Gumbel-max trick).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from quire_engine.config import SamplingConfig
from quire_engine.decoding.noise import gumbel
from quire_engine.errors import EnvironmentProblem


@dataclass(frozen=True, slots=True)
class Draw:
    """A chosen token; margin: its score minus the runner-up's (infinite when nothing else survived)."""

    token_id: int
    margin: float


def penalise(logits: Tensor, window_ids: Tensor, theta: float) -> Tensor:
    """Apply the contextual penalty: once per distinct id, positive logits / theta, negative ones * theta.

    logits: (vocab,); window_ids: (n,) int64 without repeats. Returns a new tensor.
    """
    if theta == 1 or window_ids.numel() == 0:
        return logits
    seen = logits[window_ids]
    return logits.index_put((window_ids,), torch.where(seen > 0, seen / theta, seen * theta))


def warp(logits: Tensor, window_ids: Tensor, config: SamplingConfig) -> tuple[Tensor, Tensor]:
    """Return (token_ids, scores) of what survives truncation, ids ascending. logits: (vocab,) float32.

    Order: penalty, temperature, top-k, top-p, min-p, eta; each truncation looks at what the ones before left.
    Scores are the warped logits; -inf in `logits` marks suppressed ids, which never survive.
    """
    scores = penalise(logits, window_ids, config.repetition_penalty)
    if config.temperature == 0:
        ids = torch.nonzero(scores > -torch.inf).view(-1)
        return ids, scores[ids]
    if config.temperature != 1:
        scores = scores / config.temperature
    best = scores.max()
    floor = best + math.log(config.min_p) if config.min_p > 0 else torch.full_like(best, -torch.inf)
    if not (config.top_k or config.top_p < 1 or config.eta):
        ids = torch.nonzero((scores >= floor) & (scores > -torch.inf)).view(-1)
        return ids, scores[ids]
    return _truncate(scores, floor, config)


def draw(logits: Tensor, window_ids: Tensor, index: int, config: SamplingConfig) -> Draw:
    """Choose the token at a stream index. logits: (vocab,) float32; window_ids: without repeats."""
    # the maximum of the whole is NaN if one of them is, also where truncation would drop that one
    finite = math.isfinite(float(logits.max()))
    ids, scores = warp(logits, window_ids, config)
    if not finite or ids.numel() == 0:
        raise EnvironmentProblem(
            "The model produced numbers that are not finite. Try float32, or check the model's files."
        )
    if config.temperature > 0:
        scores = scores + gumbel(config.seed, index, ids)
    if ids.numel() == 1:
        return Draw(int(ids[0]), math.inf)
    top = scores.topk(2)
    first, second = top.values.tolist()
    # the lowest id wins a tie, whatever order topk reports it in
    best = int(top.indices[0]) if first > second else int(torch.nonzero(scores == first)[0])
    return Draw(int(ids[best]), first - second)


def _truncate(scores: Tensor, floor: Tensor, config: SamplingConfig) -> tuple[Tensor, Tensor]:
    """Apply top-k, top-p, min-p and eta in this order. Sorts the vocabulary, which the common case avoids."""
    ordered, ids = scores.sort(descending=True, stable=True)
    keep = ordered > -torch.inf
    if config.top_k:
        keep[config.top_k :] = False
    if config.top_p < 1:
        probs = ordered.masked_fill(~keep, -torch.inf).softmax(-1)
        # the token that crosses top_p stays, so at least one always does
        keep &= probs.cumsum(-1) - probs < config.top_p
    keep &= ordered >= floor
    if config.eta:
        log_probs = ordered.masked_fill(~keep, -torch.inf).log_softmax(-1)
        probs = log_probs.exp()
        entropy = -(probs * log_probs.masked_fill(~keep, 0.0)).sum()
        cutoff = min(config.eta, math.sqrt(config.eta) * math.exp(-float(entropy)))
        above = probs >= cutoff
        above[0] = True
        keep &= above
    survivors = ids[keep].sort().values
    return survivors, scores[survivors]
