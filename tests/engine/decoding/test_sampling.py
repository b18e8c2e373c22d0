"""Sampling: every rule against plain Python, and draws against the distribution that they must follow."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.decoding.gumbel_noise import gumbel
from quire_engine.decoding.portable_functions import exp, total
from quire_engine.decoding.sampling import draw, penalise, warp
from quire_engine.decoding.token_stream import TokenStream
from tests.engine.chance import follows
from tests.engine.tiny import few

NOTHING = np.empty(0, dtype=np.int64)
INF = math.inf
OFF = {"min_p": 0.0, "repetition_penalty": 1.0}


def config(**rules: float) -> SamplingConfig:
    """Return settings with every rule off but those named."""
    return SamplingConfig(**(OFF | rules))  # type: ignore[arg-type]


def array(logits: Sequence[float]) -> npt.NDArray[np.float32]:
    """Return logits as the model's host copy of them."""
    return np.array(logits, dtype=np.float32)


def kept(logits: Sequence[float], settings: SamplingConfig, window: Sequence[int] = ()) -> list[int]:
    ids, _ = warp(array(logits), np.array(window, dtype=np.int64), settings)
    return [int(token) for token in ids]


def probabilities(*shares: float) -> list[float]:
    """Return logits with these probabilities."""
    return [math.log(share) if share else -INF for share in shares]


# ---------------------------------------------------------------- each rule by itself
def test_without_rules_everything_but_suppressed_ids_is_kept() -> None:
    assert kept([1.0, -INF, -50.0], config()) == [0, 2]


def test_top_k_keeps_the_best_and_among_equals_the_lowest_ids() -> None:
    logits = [0.0, 3.0, 1.0, 2.0, 1.0]
    assert kept(logits, config(top_k=1)) == [1]
    assert kept(logits, config(top_k=3)) == [1, 2, 3]
    assert kept(logits, config(top_k=99)) == [0, 1, 2, 3, 4]


def test_top_p_keeps_the_token_that_crosses_it() -> None:
    logits = probabilities(0.1, 0.4, 0.2, 0.3)
    assert kept(logits, config(top_p=0.39)) == [1]
    assert kept(logits, config(top_p=0.41)) == [1, 3]
    assert kept(logits, config(top_p=0.95)) == [0, 1, 2, 3]
    assert kept(logits, config(top_p=1e-9)) == [1]


def test_min_p_is_relative_to_the_best() -> None:
    logits = probabilities(0.05, 0.5, 0.2, 0.25)
    assert kept(logits, config(min_p=0.45)) == [1, 3]
    assert kept(logits, config(min_p=0.09)) == [0, 1, 2, 3]


def test_eta_cuts_by_the_entropy() -> None:
    """eta = min(epsilon, sqrt(epsilon) exp(-entropy)): a flat distribution loosens it."""
    steep = probabilities(0.97, 0.028, 0.002)
    assert kept(steep, config(eta=0.0009)) == [0, 1, 2]
    assert kept(steep, config(eta=0.003)) == [0, 1]
    flat = probabilities(*[0.0099] * 100, 0.01)
    assert kept(flat, config(eta=0.5)) == list(range(101))  # sqrt(0.5) / 101 is below every one of them
    assert kept(flat, config(eta=0.9999)) == [100]


def test_the_best_token_is_kept_by_every_rule_at_its_limit() -> None:
    extreme = config(top_k=1, top_p=1e-9, min_p=0.999, eta=0.999, temperature=100.0)
    assert kept([0.3, 0.1, 0.2], extreme) == [0]


def test_suppressed_ids_are_never_kept_however_loose_the_rules_are() -> None:
    loose = config(top_k=99, top_p=0.9999, min_p=1e-9, eta=1e-9)
    assert kept([-INF, 0.0, -INF, 1.0], loose) == [1, 3]


# ---------------------------------------------------------------- their order
def test_temperature_comes_before_every_truncation() -> None:
    logits = probabilities(0.6, 0.3, 0.1)
    assert kept(logits, config(min_p=0.6)) == [0]
    assert kept(logits, config(min_p=0.6, temperature=2.0)) == [0, 1]
    assert kept(logits, config(top_p=0.7)) == [0, 1]
    assert kept(logits, config(top_p=0.7, temperature=0.5)) == [0]


def test_the_penalty_comes_before_every_truncation() -> None:
    logits = [4.0, 3.9, 0.0]
    assert kept(logits, config(top_k=1)) == [0]
    assert kept(logits, config(top_k=1, repetition_penalty=2.0), window=[0]) == [1]


def test_top_p_shares_out_what_top_k_left() -> None:
    logits = probabilities(0.4, 0.3, 0.2, 0.1)
    assert kept(logits, config(top_p=0.55)) == [0, 1]
    assert kept(logits, config(top_k=2, top_p=0.55)) == [0]  # 0.4 is 0.57 of 0.7


def test_eta_looks_at_what_min_p_left() -> None:
    logits = probabilities(0.5, 0.2, *[0.01] * 30)
    # of the whole: entropy 2.05, cut at 0.08; of the two that min-p leaves: entropy 0.6, cut at 0.33
    assert kept(logits, config(eta=0.36)) == [0, 1]
    assert kept(logits, config(min_p=0.1)) == [0, 1]
    assert kept(logits, config(eta=0.36, min_p=0.1)) == [0]


# ---------------------------------------------------------------- all rules against plain Python
def warp_by_hand(
    logits: Sequence[float], window: Sequence[int], rules: SamplingConfig
) -> tuple[dict[int, float], float]:
    """Return the scores of the kept tokens, and how near any decision was to going the other way."""
    theta, scores = rules.repetition_penalty, dict(enumerate(logits))
    for token in set(window):
        scores[token] = scores[token] / theta if scores[token] > 0 else scores[token] * theta
    scores = {token: score / rules.temperature for token, score in scores.items() if score > -INF}
    order = sorted(scores, key=lambda token: (-scores[token], token))
    near = [abs(scores[a] - scores[b]) for a, b in pairwise(order) if scores[a] != scores[b]]
    if rules.top_k:
        order = order[: rules.top_k]
    if rules.top_p < 1:
        shares = softmax([scores[token] for token in order])
        before = [sum(shares[:place]) for place in range(len(order))]
        near += [abs(mass - rules.top_p) for mass in before]
        order = [token for token, mass in zip(order, before, strict=True) if mass < rules.top_p]
    if rules.min_p:
        ratios = {token: math.exp(scores[token] - scores[order[0]]) for token in order}
        near += [abs(ratio / rules.min_p - 1) for ratio in ratios.values()]
        order = [token for token in order if ratios[token] >= rules.min_p]
    if rules.eta:
        shares = softmax([scores[token] for token in order])
        entropy = -sum(share * math.log(share) for share in shares if share)
        cut = min(rules.eta, math.sqrt(rules.eta) * math.exp(-entropy))
        near += [abs(share / cut - 1) for share in shares]
        order = [token for place, token in enumerate(order) if place == 0 or shares[place] >= cut]
    return {token: scores[token] for token in order}, min(near, default=1.0)


def softmax(scores: Sequence[float]) -> list[float]:
    weights = [math.exp(score - max(scores)) for score in scores]
    return [weight / sum(weights) for weight in weights]


LOGITS = st.lists(
    st.one_of(st.integers(-40, 40).map(lambda quarter: quarter / 4), st.just(-INF)), min_size=2, max_size=24
)
RULES = st.builds(
    SamplingConfig,
    temperature=st.sampled_from([0.5, 1.0, 1.7]),
    top_k=st.sampled_from([0, 0, 1, 3, 10]),
    top_p=st.sampled_from([1.0, 1.0, 0.35, 0.8, 0.97]),
    min_p=st.sampled_from([0.0, 0.0, 0.03, 0.3]),
    eta=st.sampled_from([0.0, 0.0, 0.004, 0.11]),
    repetition_penalty=st.sampled_from([1.0, 1.23]),
)


@few
@given(LOGITS, RULES, st.sets(st.integers(0, 23), max_size=6))
def test_the_rules_together_keep_what_plain_python_keeps(
    logits: list[float], rules: SamplingConfig, window: set[int]
) -> None:
    seen = sorted(token for token in window if token < len(logits))
    assume(max(logits) > -INF)
    wanted, nearest = warp_by_hand(logits, seen, rules)
    assume(nearest > 1e-4)  # float32 may decide such a case otherwise
    ids, scores = warp(array(logits), np.array(seen, dtype=np.int64), rules)
    assert ids.tolist() == sorted(wanted)
    assert scores.tolist() == pytest.approx([wanted[token] for token in sorted(wanted)], rel=1e-5)


@few
@given(st.lists(st.integers(-12, 12).map(float), min_size=8, max_size=60), RULES, st.sampled_from([1, 2, 3]))
def test_sorting_the_best_alone_keeps_what_sorting_everything_keeps(
    logits: list[float], rules: SamplingConfig, columns: int
) -> None:
    wanted = kept(logits, rules)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("quire_engine.decoding.sampling._FEWEST_COLUMNS", columns)
        assert kept(logits, rules) == wanted


@few
@given(
    st.integers(0, 2**40),
    st.sampled_from([0.01, 0.5, 1.0, 4.0, 30.0]),
    st.sampled_from([None, 0, 2]),
    st.sampled_from([1, 2, 7, 600, 5_000]),
    st.sampled_from([0.001, 0.3, 0.5, 0.9, 0.99, 0.999999, 1 - 2**-53]),
)
def test_a_nucleus_is_found_without_sorting_the_row(
    seed: int, spread: float, decimals: int | None, count: int, top_p: float
) -> None:
    """Rounded scores hold many equal ones."""
    draws = np.random.default_rng(seed)
    logits = draws.normal(size=count) * spread
    scores = (logits if decimals is None else logits.round(decimals)).astype(np.float32)
    scores[1::5] = -np.inf
    order = np.argsort(-scores, kind="stable")[: np.count_nonzero(scores > -np.inf)]
    weights = exp(scores[order].astype(np.float64) - scores.max())
    limit = top_p * total(exp(scores.astype(np.float64) - scores.max()))
    wanted = order[np.cumsum(weights) - weights < limit]
    ids, _ = warp(scores, NOTHING, config(top_p=top_p))
    assert ids.tolist() == sorted(wanted.tolist())


def test_a_limit_that_is_nearer_than_sums_are_exact_is_left_to_the_sum_in_order() -> None:
    """Where all weigh the same, half of the mass is half of the row, and the limit lies on a token's sum."""
    assert kept([0.25] * 1000, config(top_p=0.5)) == list(range(500))


@few
@given(st.integers(0, 2**40), st.sampled_from([0.5, 1.0, 4.0]), st.sampled_from([40, 600, 5_000]))
def test_among_many_the_draw_is_the_best_with_its_noise(index: int, spread: float, count: int) -> None:
    logits = (np.random.default_rng(index).normal(size=count) * spread).astype(np.float32)
    noisy = logits + gumbel(3, index, np.arange(count))
    drawn = draw(logits, NOTHING, index, config(seed=3))
    second, first = np.sort(noisy)[-2:].tolist()
    assert (drawn.token_id, drawn.margin) == (int(noisy.argmax()), first - second)


# ---------------------------------------------------------------- penalty
def test_the_penalty_divides_positive_logits_and_multiplies_negative_ones() -> None:
    logits = array([3.0, -3.0, 0.0, 3.0, -INF])
    wanted = [1.5, -6.0, 0.0, 3.0, -INF]
    assert penalise(logits, np.array([4, 1, 0, 2]), 2.0).tolist() == wanted
    assert logits.tolist() == [3.0, -3.0, 0.0, 3.0, -INF]  # the model's own numbers stay as they were


class Scripted:
    """A target model whose logits depend on the last token alone: row `token` of a table."""

    width = 8
    context_length = 256
    reads_alike = False

    def __init__(self, table: Tensor) -> None:
        self._table = table
        self.length = 0
        self.hidden = torch.zeros(0, 1)

    def rewind(self, length: int) -> None:
        self.length = length

    def prefill(self, token_ids: Sequence[int]) -> None:
        self.length += len(token_ids)
        self.hidden = torch.zeros(len(token_ids), 1)

    def raw_states(self, nodes: Sequence[int]) -> Tensor:
        return self.hidden[list(nodes)]

    def states(self, raw: Tensor) -> Tensor:
        return raw

    def decode(self, token_ids: Sequence[int], parents: Sequence[int]) -> Tensor:
        self.hidden = torch.zeros(len(token_ids), 1)
        return self._table[list(token_ids)].clone()

    def commit(self, nodes: Sequence[int]) -> None:
        self.length += len(nodes)


def written(
    table: Tensor,
    prompt: Sequence[int],
    rules: SamplingConfig,
    count: int,
    paths: Sequence[Sequence[int]] = (),
) -> list[int]:
    """Write with the same drafts at every step."""
    stream = TokenStream(Scripted(table), prompt, (), rules, ())
    while stream.num_generated < count:
        if stream.must_read:
            list(stream.read())
        tree = DraftTree(stream.last_token)
        for path in paths:
            tree.add_path(path)
        stream.step(tree)
    return list(stream.generated_ids[:count])


@pytest.mark.parametrize("drafts", [(), ([0, 1, 2], [1, 1], [2, 0, 1, 0])], ids=["plain", "drafts"])
@pytest.mark.parametrize("window", [0, 1, 2, 3, 5, 1024])
def test_the_penalty_looks_at_the_last_tokens_of_the_stream_prompt_included(
    window: int, drafts: Sequence[Sequence[int]]
) -> None:
    """Greedy on constant logits: what is written next shows what is in the window, and nothing else."""
    logits = [3.0, 2.9, 2.7, 2.0, -1.0]
    rules = SamplingConfig(temperature=0, repetition_penalty=1.2, penalty_window=window)
    stream = [4, 0, 0, 1]
    for _ in range(40):
        scores = [
            x / 1.2 if token in stream[max(0, len(stream) - window) :] else x
            for token, x in enumerate(logits)
        ]
        stream.append(scores.index(max(scores)))
    wanted = stream[4:]
    assert written(torch.tensor(logits).repeat(5, 1), stream[:4], rules, 40, drafts) == wanted
    assert (len(set(wanted)) > 1) == (window > 0)


# ---------------------------------------------------------------- greedy, ties and broken numbers
def test_greedy_takes_the_best_and_says_how_clear_it_was() -> None:
    drawn = draw(array([1.0, 4.0, 3.5]), NOTHING, 0, config(temperature=0))
    assert (drawn.token_id, drawn.margin) == (1, 0.5)


@pytest.mark.parametrize("index", [0, 5, 2**40])
def test_greedy_uses_no_noise(index: int) -> None:
    for seed in range(20):
        assert draw(array([1.0, 1.1]), NOTHING, index, config(temperature=0, seed=seed)).token_id == 1


@pytest.mark.parametrize("num_best", [2, 3, 6, 50])
def test_among_equals_greedy_takes_the_lowest_id(num_best: int) -> None:
    for attempt in range(40):
        best = sorted(random.Random(attempt).sample(range(50), num_best))
        logits = array([0.0] * 50)
        logits[best] = 1
        drawn = draw(logits, NOTHING, 0, config(temperature=0))
        assert (drawn.token_id, drawn.margin) == (best[0], 0.0)


def test_the_only_kept_token_is_drawn_with_an_infinite_margin() -> None:
    drawn = draw(array([1.0, 2.0]), NOTHING, 3, config(top_k=1))
    assert (drawn.token_id, drawn.margin) == (1, INF)


@pytest.mark.parametrize("broken", [math.nan, INF])
@pytest.mark.parametrize("share", ["one", "all"])
@pytest.mark.parametrize(
    "rules", [{"min_p": 0.1}, {}, {"top_k": 3}, {"top_p": 0.9}, {"eta": 0.1}, {"temperature": 0}], ids=str
)
def test_numbers_that_are_not_finite_stop_the_run(broken: float, share: str, rules: dict[str, float]) -> None:
    logits = array([0.5, 2.0, 1.0, -1.0])
    logits[2 if share == "one" else slice(None)] = broken
    with pytest.raises(EnvironmentProblem, match="finite"):
        draw(logits, NOTHING, 0, config(**rules))


@pytest.mark.parametrize("rules", [{"min_p": 0.1}, {}, {"top_k": 3}, {"temperature": 0}], ids=str)
def test_nothing_left_to_draw_stops_the_run(rules: dict[str, float]) -> None:
    with pytest.raises(EnvironmentProblem):
        draw(array([-INF] * 4), NOTHING, 0, config(**rules))


# ---------------------------------------------------------------- the distribution
SHARES = torch.tensor([0.02, 0.05, 0.30, 0.0, 0.13, 0.20, 0.06, 0.24])


@pytest.mark.parametrize(
    ("rules", "shares"),
    [
        ({}, SHARES),
        ({"top_k": 3}, torch.tensor([0, 0, 0.30, 0, 0, 0.20, 0, 0.24]) / 0.74),
        ({"min_p": 0.5}, torch.tensor([0, 0, 0.30, 0, 0, 0.20, 0, 0.24]) / 0.74),
        ({"temperature": 0.5}, SHARES**2 / (SHARES**2).sum()),
    ],
    ids=["plain", "top-k", "min-p", "temperature"],
)
def test_draws_along_the_stream_follow_the_warped_distribution(
    rules: dict[str, float], shares: Tensor
) -> None:
    logits = SHARES.log().numpy()
    settings = config(seed=11, **rules)
    drawn = [draw(logits, NOTHING, index, settings).token_id for index in range(2500)]
    assert follows(torch.bincount(torch.tensor(drawn), minlength=8), shares)


HOSTILE = [[0, 0, 0], [0, 1], [1, 0], [3], [6, 0, 6], [6, 6]]
"""Only tokens of low probability, some of them impossible, at every depth."""


@pytest.mark.parametrize("paths", [(), HOSTILE, [[2, 2], [7, 2], [5, 2]]], ids=["none", "hostile", "likely"])
def test_drafts_do_not_move_the_distribution(paths: Sequence[Sequence[int]]) -> None:
    """A Markov chain, so that every node of a tree has a distribution of its own."""
    table = torch.stack([SHARES.roll(token).log() for token in range(8)])
    text = written(table, [0], config(seed=5), 4000, paths)
    pairs = torch.zeros(8, 8)
    for before, after in pairwise([0, *text]):
        pairs[before, after] += 1
    for token in range(8):
        assert follows(pairs[token], SHARES.roll(token)), f"after token {token}"


@pytest.mark.parametrize("paths", [(), [[2, 2], [7, 2], [5, 2]]], ids=["plain", "drafts"])
def test_the_noise_is_that_of_the_stream_index_and_never_repeats(
    paths: Sequence[Sequence[int]],
) -> None:
    """Over several rollovers, after each of which the model's own positions start again."""
    rules, prompt = config(seed=8), [1, 2, 3]
    wanted = [draw(SHARES.log().numpy(), NOTHING, index, rules).token_id for index in range(3, 903)]
    assert written(SHARES.log().repeat(8, 1), prompt, rules, 900, paths) == wanted


def test_an_unlikely_draft_is_accepted_as_rarely_as_it_is_drawn() -> None:
    """The same token proposed on many leaves, as the paper's own code over-accepts it (0.02 becomes 0.62)."""
    table = SHARES.log().repeat(8, 1)
    accepted = steps = 0
    stream = TokenStream(Scripted(table), [4], (), config(seed=21), ())
    while steps < 3000:
        if stream.must_read:
            list(stream.read())
        tree = DraftTree(stream.last_token)
        for leaf in range(7):
            tree.add_path([0, leaf])
        accepted += stream.step(tree).token_ids[0] == 0
        steps += 1
    assert follows(torch.tensor([accepted, steps - accepted]), torch.tensor([0.02, 0.98]))


def test_a_drafted_run_writes_the_very_tokens_of_a_plain_one() -> None:
    table = torch.stack([SHARES.roll(token).log() for token in range(8)])
    plain = written(table, [0], config(seed=5), 700)
    assert written(table, [0], config(seed=5), 700, HOSTILE) == plain
    assert written(table, [0], config(seed=5), 700, [[2, 2], [7, 2], [5, 2]]) == plain
