"""Sample the next token: warped logits plus position-keyed Gumbel noise, as pure functions.

    x[t] = argmax over v of  warp(logits[t], window[t])[v] + G(seed, t, v)          (greedy: without G)

an exact sample from the softmax of the warped logits (the Gumbel-max trick). All of it runs on the host in
numpy, whatever device the model runs on: the logits of a pass are copied once (see `logits_transfer`), and a
node costs no synchronisation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding.gumbel_noise import LARGEST, SMALLEST, gumbel

Logits = npt.NDArray[np.float32]
Ids = npt.NDArray[np.int64]

_MANY = 512
_FIRST_SORTED = 1024  # nearly always contains the nucleus; otherwise the whole vocabulary is sorted


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
    penalised[window_ids] = np.where(seen > 0, seen / np.float32(theta), seen * np.float32(theta))
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
    floor = np.float32(best + math.log(config.min_p)) if config.min_p > 0 else np.float32(-np.inf)
    if config.top_k or config.top_p < 1 or config.eta:
        return _truncate(scores, floor, config)
    ids = np.flatnonzero((scores >= floor) & (scores > -np.inf))
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
    if config.temperature > 0 and len(ids) > _MANY:  # tokens too far behind for any noise to win need none
        near = scores >= scores.max() - np.float32(LARGEST - SMALLEST)
        ids, scores = ids[near], scores[near]
    noisy = scores + gumbel(config.seed, index, ids) if config.temperature > 0 else scores
    best = int(noisy.argmax())  # the first of equals: the lowest id wins a tie
    if len(ids) == 1:
        return Draw(int(ids[0]), math.inf, ids, scores)
    first = float(noisy[best])
    second = max(float(noisy[:best].max(initial=-np.inf)), float(noisy[best + 1 :].max(initial=-np.inf)))
    return Draw(int(ids[best]), first - second, ids, scores)


def _truncate(scores: Logits, floor: np.float32, config: SamplingConfig) -> tuple[Ids, Logits]:
    """Apply top-k, top-p, min-p and eta in this order, to the best of the vocabulary or to all of it."""
    few = max(_FIRST_SORTED, 2 * config.top_k)
    if len(scores) > 2 * few:
        # include all that equal the last, so that ties are cut as a full sort would
        last = np.partition(scores, len(scores) - few)[len(scores) - few]
        ids = np.flatnonzero((scores >= last) & (scores > -np.inf))
        kept, is_sure = _truncate_sorted(scores, ids, floor, config)
        if is_sure:
            return kept, scores[kept]
    kept, _ = _truncate_sorted(scores, np.flatnonzero(scores > -np.inf), floor, config)
    return kept, scores[kept]


def _truncate_sorted(scores: Logits, ids: Ids, floor: np.float32, config: SamplingConfig) -> tuple[Ids, bool]:
    """Truncate candidates; return the kept ids, ascending, and whether no other id could be among them.

    The candidates are the best of the vocabulary, so the result is final as soon as a rule has cut one of
    them.
    """
    ids = ids[np.argsort(-scores[ids], kind="stable")]
    num_candidates = len(ids)
    if config.top_k:
        ids = ids[: config.top_k]
    if config.top_p < 1:
        # without top-k the probabilities are over the whole vocabulary, not only the candidates
        whole = ids if config.top_k else slice(None)
        probs = np.exp(scores[ids].astype(np.float64) - float(scores[ids[0]]))
        total = float(np.exp(scores[whole].astype(np.float64) - float(scores[ids[0]])).sum())
        # the token that crosses top_p is kept, so at least one always is
        ids = ids[np.cumsum(probs) - probs < config.top_p * total]
    ids = ids[scores[ids] >= floor]
    is_sure = len(ids) < num_candidates
    if config.eta:
        values = scores[ids].astype(np.float64)
        log_probs = values - values[0] - math.log(np.exp(values - values[0]).sum())
        probs = np.exp(log_probs)
        cutoff = min(config.eta, math.sqrt(config.eta) * math.exp(float((probs * log_probs).sum())))
        above = probs >= cutoff
        above[0] = True
        ids = ids[above]
    return np.sort(ids), is_sure
