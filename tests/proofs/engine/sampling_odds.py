"""Drafts do not move the odds: under hostile drafts, tokens follow the model's distribution (chi-square).

Thousands of runs differ in their seed alone. Each is offered a tree of the rarest tokens, over and over; a
verifier that draws once for each leaf instead of once for each node accepts them far too often and fails.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.decoding.penalty_window import PenaltyWindow
from quire_engine.decoding.sampling import warp
from quire_engine.decoding.token_stream import TokenStream
from quire_engine.runtime.loaded_model import LoadedModel, own_cache
from tests.benchmarks.engine.methods import read_all

CHANCE_OF_A_FALSE_ALARM = 1e-6
"""How often an honest verifier would fail a comparison; seeds are fixed, so what passes once always does."""
_LEAST_EXPECTED = 5.0  # chi-square holds for counts from about here; rarer tokens are counted together
_LEAST_RUNS = 400  # tokens drawn first at least so often have their successors compared too

Odds = Mapping[int, float]
"""Probability by token id."""


def chi_square_limit(degrees: int, chance: float = CHANCE_OF_A_FALSE_ALARM) -> float:
    """Return what chi-square exceeds with this chance (Wilson and Hilferty's approximation)."""
    z = NormalDist().inv_cdf(1 - chance)
    return degrees * (1 - 2 / (9 * degrees) + z * math.sqrt(2 / (9 * degrees))) ** 3


def deviation(counts: Mapping[int, int], odds: Odds) -> str:
    """Say how counts deviate from what chance makes of the odds; an empty text where they do not."""
    impossible = [token for token in counts if odds.get(token, 0.0) <= 0]
    if impossible:
        return f"token {impossible[0]} was drawn, which truncation had ruled out"
    total = sum(counts.values())
    statistic, cells, rare_count, rare_expected = 0.0, 0, 0, 0.0
    for token, chance in odds.items():
        expected = chance * total
        if expected < _LEAST_EXPECTED:
            rare_count += counts.get(token, 0)
            rare_expected += expected
            continue
        statistic += (counts.get(token, 0) - expected) ** 2 / expected
        cells += 1
    if rare_expected > 0:
        statistic += (rare_count - rare_expected) ** 2 / max(rare_expected, 1.0)
        cells += 1
    if cells < 2:
        return ""
    limit = chi_square_limit(cells - 1)
    return (
        "" if statistic <= limit else f"chi-square {statistic:.1f} at {cells - 1} degrees, limit {limit:.1f}"
    )


def prove_odds(
    loaded: LoadedModel, prompt_ids: Sequence[int], sampling: SamplingConfig, num_runs: int
) -> tuple[str, int, int]:
    """Draw two tokens in each of many runs under hostile drafts; return (deviation, drawn, accepted)."""
    model = own_cache(loaded)
    first_odds = odds_after(model, prompt_ids, sampling)
    rare = sorted(first_odds, key=lambda token: first_odds[token])
    firsts: Counter[int] = Counter()
    seconds: dict[int, Counter[int]] = {}
    num_accepted = 0
    for seed in range(num_runs):
        tokens, accepted = _two_tokens(model, prompt_ids, replace(sampling, seed=seed), rare)
        firsts[tokens[0]] += 1
        seconds.setdefault(tokens[0], Counter())[tokens[1]] += 1
        num_accepted += accepted
    problems = [deviation(firsts, first_odds)]
    for token, count in firsts.items():
        if count >= _LEAST_RUNS:
            found = deviation(seconds[token], odds_after(model, prompt_ids, sampling, (token,)))
            problems.append(found and f"after token {token}: {found}")
    return "; ".join(filter(None, problems)), 2 * num_runs, num_accepted


def odds_after(
    loaded: LoadedModel, prompt_ids: Sequence[int], sampling: SamplingConfig, written: Sequence[int] = ()
) -> dict[int, float]:
    """Return the probability of every token that may follow, straight from the model's own scores.

    written: tokens that a run wrote after the prompt. They are read one by one by decode passes, as the run
    reads them: read as prompt they would round differently, and truncation could fall on another token.
    """
    target = loaded.target
    target.reset()
    target.prefill(prompt_ids[:-1])
    scored = target.decode([prompt_ids[-1]], [-1])
    for token in written:
        target.commit([ROOT])
        scored = target.decode([token], [-1])
    logits: npt.NDArray[np.float32] = scored[0].float().cpu().numpy().copy()
    token_ids = [*prompt_ids, *written]
    logits[list(loaded.suppressed)] = -np.inf
    window = PenaltyWindow(np.array(token_ids, dtype=np.int64), sampling.penalty_window).distinct_ids()
    ids, scores = warp(logits, window, sampling)
    weights = np.exp(scores.astype(np.float64) - float(scores.max()))
    return dict(zip(ids.tolist(), (weights / weights.sum()).tolist(), strict=True))


def _two_tokens(
    loaded: LoadedModel, prompt_ids: Sequence[int], sampling: SamplingConfig, rare: Sequence[int]
) -> tuple[tuple[int, ...], int]:
    stream = TokenStream(loaded.target, prompt_ids, (), sampling, loaded.suppressed)
    read_all(stream)
    accepted = 0
    while stream.num_generated < 2:
        tree = hostile_tree(stream.last_token, rare, stream.draft_room, loaded.target.width - 1)
        accepted += stream.step(tree).num_accepted
    return stream.generated_ids[:2], accepted


def hostile_tree(root_token: int, rare: Sequence[int], max_depth: int, max_nodes: int) -> DraftTree:
    """Return the rarest tokens as a bush: some after the root, the others all after the first of those.

    So the rarest token is a node that many leaves share.
    """
    tree = DraftTree(root_token)
    if max_depth < 1 or max_nodes < 1:
        return tree
    first = [tree.add_child(ROOT, token) for token in rare[: (max_nodes + 1) // 2]]
    if first and max_depth >= 2:
        for token in rare[: max_nodes - len(first)]:
            tree.add_child(first[0], token)
    return tree
