"""The best draft tokens of a row of scores in one call, with the settings that drafts usually have.

It does what `drafting.draft_sampling` does array by array, which takes several times as long for the few
numbers that are left of a row. A draft token is a proposal: nothing here has to round as the verifier does.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from numba import njit

from quire_engine.integer.kernel_kinds import kernel, kernel_part

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int64]

MOST_KEPT = 256
"""Tokens that truncation may leave."""
TOO_MANY = -1
"""Returned where it leaves more."""

_MASK = np.uint64(0xFFFFFFFF)
_ID_FACTOR, _FACTOR_1, _FACTOR_2 = np.uint64(0x9E3779B1), np.uint64(0x7FEB352D), np.uint64(0x846CA68B)
_SHIFT_1, _SHIFT_2, _HALF_KEY, _TO_BITS = np.uint64(16), np.uint64(15), np.uint64(32), np.uint64(9)


@njit(inline="always", error_model="numpy")
def _mixed(x: np.uint64) -> np.uint64:
    x ^= x >> _SHIFT_1
    x = (x * _FACTOR_1) & _MASK
    x ^= x >> _SHIFT_2
    x = (x * _FACTOR_2) & _MASK
    return x ^ (x >> _SHIFT_1)


@kernel_part
def quick_noise(key: np.uint64, token: int) -> float:
    """Return the noise of a token at a position, as `gumbel_noise.quick_gumbel` does for many.

    key: of the position, see `gumbel_noise.position_key`.
    """
    x = (np.uint64(token) * _ID_FACTOR + (key & _MASK)) & _MASK
    x = _mixed(_mixed(x) ^ (key >> _HALF_KEY)) >> _TO_BITS
    return -math.log(-math.log((np.float64(x) + 0.5) * 2.0**-23))


@kernel_part
def _table_of(penalised: Ids, path: Ids, size: int) -> npt.NDArray[np.bool_]:
    """Return which ids below `size` are in either."""
    seen = np.zeros(size, np.bool_)
    for group in (penalised, path):
        for token in group:
            if token < size:
                seen[token] = True
    return seen


@kernel
def best_tokens(
    logits: Floats,
    ids: Ids,
    penalised: Ids,
    path: Ids,
    theta: float,
    temperature: float,
    floor: float,
    key: np.uint64,
    noisy: bool,
    sharpness: float,
    tokens: Ids,
    chances: Doubles,
) -> int:
    """Write the likeliest draft tokens of a row after penalty, temperature, min-p and noise.

    Args:
        logits: (columns,).
        ids: the token of each column; empty: columns are token ids.
        penalised, path: ids that the penalty has seen; those of the path may be in both.
        theta, temperature: above 0.
        floor: the logarithm of min-p.
        key: of the position's noise.
        noisy: whether there is any.
        sharpness: chances are the softmax of the perturbed scores times it.
        tokens, chances: as many as are wanted.

    Returns how many were written; TOO_MANY where truncation leaves more than MOST_KEPT.
    """
    best = np.float64(logits.max())
    if not math.isfinite(best):
        return 0
    seen = _table_of(penalised, path, ids[-1] + 1 if len(ids) else len(logits))
    # the penalty lowers the best score at most to this; scores further below are truncated anyway
    bound = min(best / theta, best * theta) + temperature * floor
    kept, scores = np.empty(MOST_KEPT, np.int64), np.empty(MOST_KEPT, np.float64)
    count, top = 0, -math.inf
    for column in range(len(logits)):
        score = np.float64(logits[column])
        if score >= bound:
            if count == MOST_KEPT:
                return TOO_MANY
            token = ids[column] if len(ids) else column
            if seen[token]:
                score = min(score / theta, score * theta)
            kept[count], scores[count] = token, score / temperature
            top = max(top, scores[count])
            count += 1
    return _ranked(kept[:count], scores[:count], top + floor, key, noisy, sharpness, tokens, chances)


@kernel_part
def _ranked(
    kept: Ids,
    scores: Doubles,
    least: float,
    key: np.uint64,
    noisy: bool,
    sharpness: float,
    tokens: Ids,
    chances: Doubles,
) -> int:
    """Write the likeliest of the tokens whose scores are not below `least`."""
    left, top = 0, -math.inf
    for place in range(len(kept)):
        if scores[place] >= least:
            kept[left], scores[left] = kept[place], scores[place]
            if noisy:
                scores[left] += quick_noise(key, kept[place])
            top = max(top, scores[left])
            left += 1
    total, written = 0.0, 0
    for place in range(left):
        total += math.exp((scores[place] - top) * sharpness)
    while written < min(left, len(tokens)):
        first = 0
        for place in range(left):
            if scores[place] > scores[first]:
                first = place
        chance = math.exp((scores[first] - top) * sharpness) / total
        if chance == 0.0:  # not worth a draft token
            break
        tokens[written], chances[written] = kept[first], chance
        scores[first] = -math.inf
        written += 1
    return written
