"""Select on the device the tokens that a row of logits can draw at all.

On a GPU a pass leaves 32 rows of 152,000 logits; the host samples from a few of them, and truncation keeps a
handful of tokens of each. So the device selects every token that could be kept, whatever the penalty turns
out
to be, and only those are copied, for all rows of the pass at once. The host then samples among them with its
own arithmetic: the draw equals that of the whole row, bit for bit, because

- every token that truncation keeps is a candidate. A row's penalised ids are not known before verification
  reaches it, but they are in the root's penalty window or in the tree. A penalty only lowers a logit, so the
  raw logit is an upper bound, and the row with all those ids penalised is a lower bound. A token whose upper
  bound is below the floor of the lower bounds cannot be kept;
- tokens that may be banned in a row are candidates but not part of the lower bounds: the floor is that of the
  rest of the row. If there is no rest, the whole row is kept;
- tokens that are not kept do not affect a draw: the floor depends on the highest logit, which is kept.

Rounding: the host divides by theta and by the temperature and adds the floor in float32, with an error of at
most 4 units of 2^-24 relative to the magnitudes involved; a device that multiplies by reciprocals adds at
most 6. The floor is lowered by `_SLACK`, 64 of these units, and by `_TINY` near zero. Rows with logits so
large that a division could overflow are not shortened.
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
"""Device types that shorten rows. On a CPU the rows are on the host already, and sampling from the few rows
that
verification visits is cheaper than scanning all of them.
"""
LONGEST = 1024
"""Most candidates per row; a row with more is copied whole."""
GREEDY_KEPT = 64
"""Fewest tokens kept per row where nothing truncates: drafters learn from them."""

_SLACK = 2.0**-18
_TINY = 1e-30
_LARGEST = 1e30  # times theta = 1000 and over temperature 0.001 this is still finite in float32


@dataclass(frozen=True, slots=True)
class CandidateTokens:
    """Tokens that one row can draw.

    Attributes:
        ids: (n,) ascending.
        scores: (n,) raw logits.
    """

    ids: Ids
    scores: Logits


def can_shorten(sampling: SamplingConfig) -> bool:
    """Say whether these settings leave few candidates, known without the mass of the whole row.

    Top-p, and eta alone, need the mass of the whole row.
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
    """Select the candidates of every row on the rows' device, without synchronising.

    Args:
        scores: (rows, vocab) float32 logits, not changed.
        suppressed: bool (vocab,), or (rows, vocab).
        penalised: (n,) ids, repeats allowed; each row penalises some of them.
        may_be_banned: (m,) ids; each row bans some of them, or none where nothing else would be left.

    Returns:
        One int32 tensor for `unpacked`, (rows, 2 * length + 1): ids, the bits of their logits, and their
        number.
    """
    upper = torch.where(suppressed, -torch.inf, scores)
    lower = _lower_bounds(upper, penalised, sampling)
    if may_be_banned is not None:
        lower = lower.index_fill(1, may_be_banned, -torch.inf)
    floor = _floor(lower, sampling)
    best = upper.topk(min(LONGEST + 1, upper.shape[1]))  # one more, to detect that there are too many
    counts = (best.values >= floor[:, None]).sum(1, dtype=torch.int32)
    # also marks rows with NaN: no comparison with their maximum is true
    counts.masked_fill_((upper.amax(1).abs() <= _LARGEST).logical_not_(), -1)
    return torch.cat([best.indices.int(), best.values.view(torch.int32), counts[:, None]], dim=1)


def unpacked(packed: npt.NDArray[np.int32], row: int) -> CandidateTokens | None:
    """Return the candidates of one row from the output of `shorten`, as new arrays.

    None where the whole row is needed: too many candidates, or logits that are not finite or too large.
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
    """Return the rows with all of these ids penalised."""
    theta = float(np.float32(sampling.repetition_penalty))
    if theta == 1 or len(penalised) == 0:
        return upper
    seen = upper.index_select(1, penalised)
    return upper.index_copy(1, penalised, torch.where(seen > 0, seen / theta, seen * theta))


def _floor(lower: Tensor, sampling: SamplingConfig) -> Tensor:
    """Return the logit that a token must reach, (rows,) float32, from the lower bounds."""
    if sampling.temperature == 0 or sampling.top_k:
        count = GREEDY_KEPT if sampling.temperature == 0 else sampling.top_k
        bound, below = lower.topk(min(count, lower.shape[1])).values[:, -1], 0.0
    else:
        bound = lower.amax(1)
        below = float(np.float32(sampling.temperature)) * math.log(sampling.min_p)
    floor = bound + below - (bound.abs() - below) * _SLACK - _TINY
    return floor.clamp_(min=torch.finfo(floor.dtype).min)  # suppressed ids never reach it
