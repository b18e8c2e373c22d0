"""Which tokens of a row of scores can be drawn at all, found where the scores are.

On a GPU a pass leaves 32 rows of 152,000 scores; the host draws at a few of them, and truncation leaves a
handful of tokens of each. So the device picks out every token that could survive, whatever the penalty turns
out to do, and only those cross over, for all rows of the pass at once. The host then draws among them by its
own rules and arithmetic: the draw is that of the whole row, bit for bit, because

- what survives truncation is among them. A row's penalised ids are not known before the walk reaches it, but
  they lie in the window of the root or in the tree. Penalised, a score is lower or stays as it is; so the raw
  score is an upper bound of it, and with all of those ids penalised the row is a lower bound of itself. A
  token whose upper bound is below the floor that follows from the lower bounds cannot survive;
- what may be banned in a row, as penalised ids may, is a candidate all the same and has no part in the lower
  bounds: the floor is what the rest of the row reaches. Where the rest is nothing, all of the row is kept;
- what does not survive has no part in a draw: the floor hangs on the highest score, which survives.

Which rounding can cost: the host divides by theta and by the temperature and adds the floor in float32, with
an error of at most 4 units of 2^-24 relative to the sizes involved; a device that multiplies by reciprocals
instead adds at most 6. The floor is lowered by `_SLACK`, 64 of these units, and by `_TINY`, beside which
the steps of numbers near zero vanish. Rows with scores so large that a division could overflow are not
shortened.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.sampling import Ids, Logits

SHORTLIST_DEVICES = frozenset({"cuda"})
"""Kinds of device that shorten rows. On a processor the rows are on the host already, and to draw at the few
that a walk visits costs less than to look at all."""
LONGEST = 1024
"""Tokens of a row that are handed over at most; a row with more takes the whole way."""
GREEDY_KEPT = 64
"""Best tokens of a row that are handed over at least where nothing truncates: drafters learn from them."""

_SLACK = 2.0**-18
_TINY = 1e-30
_LARGEST = 1e30  # by the lowest temperature, 0.001, and by the highest theta, 1000, still finite in float32


@dataclass(frozen=True, slots=True)
class CandidateTokens:
    """What one row can draw.

    Attributes:
        ids: (n,) ascending.
        scores: (n,) as the model gave them.
    """

    ids: Ids
    scores: Logits


def can_shorten(sampling: SamplingConfig) -> bool:
    """Say whether these settings leave few tokens of a row, and which, without looking at all of them.

    Top-p, and eta by itself, share out the mass of the whole row.
    """
    if sampling.temperature == 0:
        return True
    if sampling.top_k:
        return sampling.top_k <= LONGEST // 2
    return sampling.min_p > 0 and sampling.top_p == 1


def shorten(
    scores: Tensor,
    suppressed: Tensor,
    penalised: Tensor,
    sampling: SamplingConfig,
    may_be_banned: Tensor | None = None,
) -> Tensor:
    """Pick out what every row can draw, on the rows' device and without waiting for it.

    Args:
        scores: (rows, vocab) float32, left as they are.
        suppressed: bool (vocab,), or (rows, vocab).
        penalised: (n,) ids, repeats allowed, of which each row penalises some.
        may_be_banned: (m,) ids, of which each row forbids some, or none of them where nothing else would be
            left.

    Returns:
        One int32 tensor for `unpacked`, (rows, 2 * length + 1): ids, the bits of their scores, and their
        number.
    """
    upper = torch.where(suppressed, -torch.inf, scores)
    lower = _lower_bounds(upper, penalised, sampling)
    if may_be_banned is not None:
        lower = lower.index_fill(1, may_be_banned, -torch.inf)
    floor = _floor(lower, sampling)
    best = upper.topk(min(LONGEST + 1, upper.shape[1]))  # one too many tells that there are more
    counts = (best.values >= floor[:, None]).sum(1, dtype=torch.int32)
    # also refuses rows with something in them that is no number: no comparison with their maximum holds
    counts.masked_fill_((upper.amax(1).abs() <= _LARGEST).logical_not_(), -1)
    return torch.cat([best.indices.int(), best.values.view(torch.int32), counts[:, None]], dim=1)


def unpacked(packed: npt.NDArray[np.int32], row: int) -> CandidateTokens | None:
    """Return the shortlist of one row of what `shorten` made, in arrays of its own.

    None where the whole row is needed: it can draw too many, or its numbers are not finite or too large.
    """
    numbers = packed[row]
    length, count = len(numbers) // 2, int(numbers[-1])
    if not 0 <= count <= LONGEST:
        return None
    ids = numbers[:count].astype(np.int64)
    scores = numbers[length : length + count].view(np.float32)
    order = ids.argsort()
    return CandidateTokens(ids[order], scores[order])


def _lower_bounds(upper: Tensor, penalised: Tensor, sampling: SamplingConfig) -> Tensor:
    """Return the rows as if each of them penalised all of these ids."""
    theta = float(np.float32(sampling.repetition_penalty))
    if theta == 1 or len(penalised) == 0:
        return upper
    seen = upper.index_select(1, penalised)
    return upper.index_copy(1, penalised, torch.where(seen > 0, seen / theta, seen * theta))


def _floor(lower: Tensor, sampling: SamplingConfig) -> Tensor:
    """Return what a row's score must reach, (rows,) float32, from lower bounds of its scores."""
    if sampling.temperature == 0 or sampling.top_k:
        count = GREEDY_KEPT if sampling.temperature == 0 else sampling.top_k
        bound, below = lower.topk(min(count, lower.shape[1])).values[:, -1], 0.0
    else:
        bound = lower.amax(1)
        below = float(np.float32(sampling.temperature)) * math.log(sampling.min_p)
    floor = bound + below - (bound.abs() - below) * _SLACK - _TINY
    return floor.clamp_(min=torch.finfo(floor.dtype).min)  # what is suppressed never reaches it
