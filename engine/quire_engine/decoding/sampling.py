"""Sample the next token: warped logits plus position-keyed Gumbel noise, as pure functions.

    x[t] = argmax over v of  warp(logits[t], window[t])[v] + G(seed, t, v)          (greedy: without G)

an exact sample from the softmax of the warped logits (the Gumbel-max trick). All of it runs on the host in
numpy, whatever device the model runs on: the logits of a pass are copied once (see `logits_transfer`), and a
node costs no synchronisation. Every operation has the same bits on every computer (see docs/engine.md), so
the same logits give the same token everywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding.gumbel_noise import (
    LARGEST,
    SMALLEST,
    Bits,
    gumbel,
    noise_bounds,
    noise_of,
    random_bits,
)
from quire_engine.decoding.portable_functions import SMALLEST_EXPONENT, Doubles, exp, log, log_of, total

Logits = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]

_MANY = 512  # tokens; below, bounds of the noise cost more than the noise
_LOWEST = np.finfo(np.float32).min
_FEWEST_COLUMNS = (
    1024  # of the table by which the highest scores are found; these nearly always hold the nucleus
)
_STEPS_PER_NAT = 64  # in which a larger nucleus is found
_NUM_STEPS = 1 - _STEPS_PER_NAT * SMALLEST_EXPONENT  # the last holds all that weigh nothing


@dataclass(frozen=True, slots=True)
class Draw:
    """A sampled token.

    Attributes:
        token_id: the token.
        margin: its score minus the runner-up's; infinite if no other token was kept.
        kept_tokens: ids that truncation kept, ascending. At temperature 0 nothing is truncated: all allowed
            ids, or the best of them (see `draw_among`).
        scores: their warped logits, without noise.
    """

    token_id: int
    margin: float
    kept_tokens: Ids
    scores: Logits


def penalise(logits: Logits, window_ids: Ids, theta: float) -> Logits:
    """Apply the contextual penalty: once per distinct id, positive logits / theta, negative ones * theta.

    Args:
        logits: (vocab,).
        window_ids: (n,) distinct, in any order.
        theta: 1 switches it off.

    Returns:
        A new array (paper, section 3.4).
    """
    if theta == 1 or window_ids.size == 0:
        return logits
    penalised = logits.copy()
    seen = logits[window_ids]
    # the lower of the two is the quotient of a positive number and the product of a negative one
    penalised[window_ids] = np.minimum(seen / np.float32(theta), seen * np.float32(theta))
    return penalised


def warp(logits: Logits, window_ids: Ids, config: SamplingConfig) -> tuple[Ids, Logits]:
    """Return (token_ids, scores) of what truncation keeps, ids ascending. logits: (vocab,).

    Order: penalty, temperature, top-k, top-p, min-p, eta; each truncation sees what the ones before kept.
    Scores are warped logits; -inf in `logits` marks suppressed ids, which are never kept.
    """
    scores = penalise(logits, window_ids, config.repetition_penalty)
    if config.temperature == 0:
        ids = np.flatnonzero(scores > -np.inf)
        return ids, scores[ids]
    if config.temperature != 1:
        scores = scores / np.float32(config.temperature)
    best = float(scores.max())
    floor = np.float32(best + log_of(config.min_p)) if config.min_p > 0 else _LOWEST
    if config.top_k or config.top_p < 1:
        ids = _first_k(scores, config) if config.top_k else _nucleus(scores, config.top_p)
        ids = np.sort(ids[scores[ids] >= floor])
    else:
        ids = _at_least(scores, floor)
    if config.eta:
        ids = ids[_are_above_eta(scores[ids], config.eta)]
    return ids, scores[ids]


def draw(logits: Logits, window_ids: Ids, index: int, config: SamplingConfig) -> Draw:
    """Sample the token at a stream index.

    Args:
        logits: (vocab,).
        window_ids: distinct ids in the penalty window.
        index: stream index, which keys the noise.
        config: sampling settings.
    """
    # NaN anywhere makes the maximum NaN, even where truncation would drop it
    if not math.isfinite(logits.max()):
        raise EnvironmentProblem(
            "The model produced invalid numbers (infinite or NaN). Try float32, or check the model's files."
        )
    ids, scores = warp(logits, window_ids, config)
    return _choose(ids, scores, index, config)


def draw_among(ids: Ids, logits: Logits, window_ids: Ids, index: int, config: SamplingConfig) -> Draw:
    """Sample the token at a stream index among some tokens of a row: (n,) ids ascending, and their logits.

    Equals the draw from the whole row if every token that truncation keeps is among them; at temperature 0,
    where nothing is truncated, `kept_tokens` are these ids. Not for settings that need the mass of the whole
    row (see `candidate_tokens.can_shorten`), nor for rows that are not finite.
    """
    places = ids.searchsorted(window_ids)
    places[places == len(ids)] = 0
    kept, scores = warp(logits, places[ids[places] == window_ids], config)
    return _choose(ids[kept], scores, index, config)


def _choose(ids: Ids, scores: Logits, index: int, config: SamplingConfig) -> Draw:
    """Add the Gumbel noise to the kept tokens and take the best."""
    if len(ids) == 1:
        return Draw(int(ids[0]), math.inf, ids, scores)
    noisy: npt.NDArray[np.floating]
    rivals, noisy = ids, scores
    if config.temperature > 0 and len(ids) <= _MANY:
        noisy = scores + gumbel(config.seed, index, ids)
    elif config.temperature > 0:
        # tokens too far behind for any noise to win need none
        near = scores >= scores.max() - np.float32(LARGEST - SMALLEST)
        ids, scores = ids[near], scores[near]
        bits = random_bits(config.seed, index, ids)
        places = _rivals(scores, bits)
        rivals, noisy = ids[places], scores[places] + noise_of(bits[places])
    best = int(noisy.argmax())  # the first of equals: the lowest id wins a tie
    if len(rivals) == 1:
        return Draw(int(rivals[0]), math.inf, ids, scores)
    others = noisy.copy()
    others[best] = -np.inf
    return Draw(int(rivals[best]), float(noisy[best]) - float(others.max()), ids, scores)


def _rivals(scores: Logits, bits: Bits) -> Ids:
    """Return the indexes of all that could be first or second with their noise."""
    below, above = noise_bounds(bits)
    below += scores
    above += scores
    best = below.argmax()
    below[best] = -np.inf
    return np.flatnonzero(above >= below.max())


def _first_k(scores: Logits, config: SamplingConfig) -> Ids:
    """Return the ids that top-k keeps, and top-p of these, the most likely first."""
    candidates = _highest(scores, max(_FEWEST_COLUMNS, config.top_k))
    ids = candidates[np.argsort(-scores[candidates], kind="stable")][: config.top_k]
    if config.top_p == 1:
        return ids
    weights = _weights(scores[ids])
    return ids[np.cumsum(weights) - weights < config.top_p * total(weights)]


def _nucleus(scores: Logits, top_p: float) -> Ids:
    """Return the ids that top-p keeps of a whole row: the most likely, until they reach it."""
    weights = _weights(scores)
    limit = top_p * total(weights)
    candidates = _highest(scores, _FEWEST_COLUMNS)
    ids = _before_limit(candidates, scores, weights, limit)
    return ids if len(ids) < len(candidates) else _counted_nucleus(scores, weights, limit)


def _before_limit(ids: Ids, scores: Logits, weights: Doubles, limit: float) -> Ids:
    """Return, the most likely first, the ids before which the more likely ones have less than `limit`."""
    ids = ids[np.argsort(-scores[ids], kind="stable")]
    # the token that crosses the limit is kept, so at least one always is
    return ids[np.cumsum(weights[ids]) - weights[ids] < limit]


def _counted_nucleus(scores: Logits, weights: Doubles, limit: float) -> Ids:
    """Return what `_before_limit` does of all ids, in no particular order, without sorting them.

    Tokens are counted into steps of how far they are behind the best, and only those in the step that crosses
    the limit are put into order. Sums in another order differ by less than `unsure`: where the limit is that
    near to one of them, the sums in order decide.
    """
    behind = np.subtract(scores.max(), scores, dtype=np.float64)
    steps = np.minimum(behind * _STEPS_PER_NAT, _NUM_STEPS - 1).astype(np.intp)
    reached = np.concatenate(([0.0], np.cumsum(np.bincount(steps, weights, minlength=_NUM_STEPS))))
    crossing = int(reached.searchsorted(limit)) - 1
    within = np.flatnonzero(steps == crossing)
    within = within[np.argsort(-scores[within], kind="stable")]
    before = reached[crossing] + np.cumsum(weights[within]) - weights[within]
    unsure = len(scores) * 2.0**-51 * reached[-1]
    if np.abs(np.append(before, reached[crossing : crossing + 2]) - limit).min() <= unsure:
        return _before_limit(_at_least(scores, _LOWEST), scores, weights, limit)
    return np.concatenate((np.flatnonzero(steps < crossing), within[before < limit]))


def _highest(scores: Logits, count: int) -> Ids:
    """Return the ids of at least `count` of the highest scores and of all that equal them, ascending.

    Half of the columns of a table of the scores have a highest score above the median of these: one each.
    """
    columns = 2 * count
    if columns >= len(scores):
        return _at_least(scores, _LOWEST)
    rows = len(scores) // columns
    highest = scores[: rows * columns].reshape(rows, columns).max(axis=0)
    return _at_least(scores, max(_LOWEST, np.partition(highest, count)[count]))


def _at_least(scores: Logits, floor: np.float32) -> Ids:
    """Return the ids with at least this score, ascending. floor: finite, so that suppressed ids are below."""
    return np.flatnonzero(scores >= floor)


def _are_above_eta(scores: Logits, eta: float) -> npt.NDArray[np.bool_]:
    """Say which tokens the entropy of their probabilities leaves; the best one always is."""
    log_probs = np.subtract(scores, scores.max(), dtype=np.float64)
    log_probs -= log(np.array([total(exp(log_probs))]))
    probs = exp(log_probs)
    cutoff = min(eta, math.sqrt(eta) * float(exp(np.array([total(probs * log_probs)]))[0]))
    above = probs >= cutoff
    above[scores.argmax()] = True
    return above


def _weights(scores: Logits) -> Doubles:
    """Return probabilities, but for a common factor; the best has 1."""
    return exp(np.subtract(scores, scores.max(), dtype=np.float64))
