"""Sample the next token: warped logits plus position-keyed Gumbel noise, as pure functions.

    x[t] = argmax over v of  warp(logits[t], window[t])[v] + G(seed, t, v)          (greedy: without G)

an exact sample from the softmax of the warped logits (the Gumbel-max trick). All of it runs on the host in
numpy, whatever device the model runs on: the logits of a pass are copied once (see `logits_transfer`), and a
node costs no synchronisation. Every operation has the same bits on every computer (see CONTRIBUTING.md), so
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
from quire_engine.decoding.portable_functions import Doubles, exp, log, log_of, total

Logits = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]

_MANY = 512  # tokens; below, bounds of the noise cost more than the noise
_LOWEST = np.finfo(np.float32).min
_FIRST_SORTED = 1024  # nearly always contains the nucleus; otherwise more is sorted


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
        ids = _most_likely(scores, floor, config)
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


def _most_likely(scores: Logits, floor: np.float32, config: SamplingConfig) -> Ids:
    """Return the ids that top-k, top-p and min-p keep, ascending: the first of all in order of likelihood.

    Sorts the best of the vocabulary, and more of it until one of them is not kept.
    """
    best = scores.max()
    # without top-k the probabilities are over the whole vocabulary, not only the kept
    mass = total(_weights(scores, best)) if config.top_p < 1 and not config.top_k else None
    num_candidates = max(_FIRST_SORTED, 2 * config.top_k)
    while True:
        candidates = _highest(scores, num_candidates)
        ids = candidates[np.argsort(-scores[candidates], kind="stable")]
        if config.top_k:
            ids = ids[: config.top_k]
        if config.top_p < 1:
            weights = _weights(scores[ids], best)
            # the token that crosses top_p is kept, so at least one always is
            before = np.cumsum(weights) - weights
            ids = ids[before < config.top_p * (total(weights) if mass is None else mass)]
        ids = ids[scores[ids] >= floor]
        if len(ids) < len(candidates) or 2 * num_candidates >= len(scores):
            return np.sort(ids)
        num_candidates *= 8


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


def _weights(scores: Logits, best: np.float32) -> Doubles:
    """Return probabilities, but for a common factor; the best has 1."""
    return exp(np.subtract(scores, best, dtype=np.float64))
