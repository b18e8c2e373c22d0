"""The proof of the odds lets an honest verifier pass and catches the biased one of the paper's code."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from quire_engine.api.config import SamplingConfig
from quire_engine.engine import LoadedModel
from tests.proofs.engine.sampling_odds import (
    chi_square_limit,
    deviation,
    hostile_tree,
    odds_after,
    prove_odds,
)

ODDS = {1: 0.5, 2: 0.28, 3: 0.2, 4: 0.02}
NUM_RUNS = 2000


def drawn(rng: random.Random) -> int:
    return rng.choices(list(ODDS), list(ODDS.values()))[0]


@pytest.mark.parametrize("degrees", [2, 10, 40])
@pytest.mark.parametrize("chance", [1e-3, 1e-6])
def test_the_limit_is_exceeded_with_its_chance(degrees: int, chance: float) -> None:
    half = chi_square_limit(degrees, chance) / 2
    exceeded = math.exp(-half) * sum(half**k / math.factorial(k) for k in range(degrees // 2))
    assert chance / 5 < exceeded < chance * 2  # at worst stricter than it says, for 2 degrees


def test_honest_draws_pass() -> None:
    rng = random.Random(1)
    assert deviation(Counter(drawn(rng) for _ in range(NUM_RUNS)), ODDS) == ""


@pytest.mark.parametrize("drafted", [1, 3, 4])
def test_a_verifier_that_draws_for_every_leaf_is_caught(drafted: int) -> None:
    """The paper's code draws again for each leaf below a shared node and keeps what matches the draft."""
    rng = random.Random(2)
    counts: Counter[int] = Counter()
    for _ in range(NUM_RUNS):
        draws = [drawn(rng) for _ in range(6)]
        counts[drafted if drafted in draws else draws[0]] += 1
    assert "chi-square" in deviation(counts, ODDS)


def test_a_token_that_cannot_be_drawn_is_caught() -> None:
    assert "token 9" in deviation({1: 100, 9: 1}, ODDS)
    assert "token 4" in deviation({1: 100, 4: 1}, {1: 1.0, 4: 0.0})


def test_rare_tokens_are_judged_together() -> None:
    odds = {0: 0.9, **dict.fromkeys(range(1, 101), 0.001)}
    honest = Counter({0: 900, **dict.fromkeys(range(1, 101), 1)})
    assert deviation(honest, odds) == ""
    assert deviation(Counter({0: 700, **dict.fromkeys(range(1, 101), 3)}), odds) != ""


def test_the_hostile_tree_keeps_to_the_limits_of_a_pass() -> None:
    tree = hostile_tree(7, [1, 2, 3, 4, 5], max_depth=9, max_nodes=7)
    assert len(tree.tokens) == 8
    assert tree.parents.count(1) == 3  # leaves that share the rarest token
    assert hostile_tree(7, [1, 2, 3], max_depth=1, max_nodes=7).depth == 1
    assert hostile_tree(7, [1], max_depth=0, max_nodes=7).tokens == [7]
    assert hostile_tree(7, [], max_depth=3, max_nodes=7).tokens == [7]


def test_odds_sum_to_one_and_leave_out_what_is_suppressed(tiny_llama: LoadedModel) -> None:
    odds = odds_after(tiny_llama, range(1, 20), SamplingConfig(min_p=0))
    assert sum(odds.values()) == pytest.approx(1)
    assert not set(odds) & set(tiny_llama.suppressed)


def test_hostile_drafts_do_not_move_the_odds(tiny_llama: LoadedModel) -> None:
    difference, num_tokens, num_accepted = prove_odds(
        tiny_llama, list(range(1, 20)), SamplingConfig(min_p=0.02), num_runs=250
    )
    assert difference == ""
    assert num_tokens == 500
    assert num_accepted > 0  # the rare tokens that were drafted are drawn now and then
