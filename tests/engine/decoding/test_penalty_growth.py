"""The penalty grows where a text repeats itself, in plain, accelerated and resumed runs alike."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.config import MAX_PENALTY, SamplingConfig
from quire_engine.decoding import logits_transfer, penalty_growth
from quire_engine.decoding.banned_sequences import NO_IDS
from quire_engine.decoding.logits_transfer import LogitsTransfer
from quire_engine.decoding.penalty_growth import SPAN, USUAL_REPEATS, PairWindow, grown_penalty
from quire_engine.decoding.sampling_rules import SamplingRules
from quire_engine.decoding.token_stream import TokenStream
from quire_engine.forward.pass_runner import PassRunner
from tests.engine.conftest import Networks
from tests.engine.drafters import Drafter, good, hostile, mixed, read, write
from tests.engine.tiny import VOCAB_SIZE, prompt_ids

NEVER = tuple(range(300, VOCAB_SIZE))
CONTEXT = 256  # the context window rolls over every 128 tokens
COUNT = 90
ROWS = pytest.mark.parametrize("is_short", [False, True], ids=["rows", "short lists"])
SAMPLERS = {
    "greedy": SamplingConfig(temperature=0, repetition_penalty=1.01, penalty_window=40, penalty_growth=90),
    "cool": SamplingConfig(temperature=0.4, repetition_penalty=1.02, penalty_growth=60, seed=3),
    "top-k": SamplingConfig(top_k=6, min_p=0.0, repetition_penalty=1.05, penalty_growth=30, seed=4),
    "whole row": SamplingConfig(
        temperature=0.7, top_p=0.8, min_p=0.0, repetition_penalty=1.05, penalty_growth=30, seed=5
    ),
}


def repeats_in(tokens: Sequence[int]) -> int:
    pairs = list(pairwise(tokens))
    return len(pairs) - len(set(pairs))


# ---------------------------------------------------------------- the rule
@given(st.lists(st.integers(0, 3), max_size=60), st.integers(2, 12), st.data())
def test_a_window_that_slides_counts_what_a_new_one_counts(
    tokens: list[int], span: int, data: st.DataObject
) -> None:
    stream, start = np.array(tokens, dtype=np.int64), data.draw(st.integers(0, len(tokens)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(penalty_growth, "SPAN", span)
        window = PairWindow(stream[:start])
        for end in range(start, len(tokens) + 1):
            if end > start:
                before = window.num_repeats
                window.slide(stream[:end])
                assert window.num_repeats <= before + 1  # what short lists rely on
            assert window.num_repeats == PairWindow(stream[:end]).num_repeats
            assert window.num_repeats == repeats_in(tokens[max(0, end - span) : end])


@given(st.floats(1, MAX_PENALTY), st.floats(0, 100), st.integers(0, SPAN))
def test_the_penalty_grows_with_what_novels_do_not_repeat(theta: float, growth: float, repeats: int) -> None:
    sampling = SamplingConfig(repetition_penalty=theta, penalty_growth=growth)
    grown = grown_penalty(sampling, repeats)
    assert theta * (1 - 1e-12) <= grown <= MAX_PENALTY
    assert grown_penalty(sampling, repeats + 1) >= grown
    if theta == 1 or growth == 0 or repeats <= USUAL_REPEATS:
        assert grown == pytest.approx(theta, rel=1e-12)


def test_the_rule_is_the_documented_one() -> None:
    sampling = SamplingConfig(repetition_penalty=1.2, penalty_growth=5)
    assert grown_penalty(sampling, 200) == pytest.approx(1.2)
    assert grown_penalty(sampling, 200 + 1023 // 3) == pytest.approx(1 + 0.2 * (1 + 5 / 3))


# ---------------------------------------------------------------- the law
@pytest.fixture
def repeating(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a short text repeat enough."""
    monkeypatch.setattr(penalty_growth, "SPAN", 48)
    monkeypatch.setattr(penalty_growth, "USUAL_REPEATS", 2)


def written(
    runner: PassRunner, sampling: SamplingConfig, drafter: Drafter | None = None, near_tie: float = 0.0
) -> tuple[int, ...]:
    stream = TokenStream(runner, prompt_ids(150), (), sampling, NEVER, near_tie=near_tie)
    write(stream, runner, COUNT, drafter)
    return stream.generated_ids


def shortened(patch: pytest.MonkeyPatch, *, is_short: bool) -> None:
    if is_short:
        patch.setattr(logits_transfer, "SHORTLIST_DEVICES", {"cpu"})


@pytest.mark.sliced
@ROWS
@pytest.mark.parametrize("name", SAMPLERS)
@pytest.mark.usefixtures("repeating")
def test_drafts_and_short_lists_change_nothing(
    networks: Networks, monkeypatch: pytest.MonkeyPatch, name: str, is_short: bool
) -> None:
    runner, sampling = PassRunner(networks(), 8, CONTEXT), SAMPLERS[name]
    wanted = written(runner, sampling)
    constant = written(runner, replace(sampling, penalty_growth=0.0))
    assert repeats_in(wanted) < repeats_in(constant)  # or the penalty never grew
    shortened(monkeypatch, is_short=is_short)
    for drafter in (None, good(wanted), mixed(wanted, 2), hostile(wanted, NEVER)):
        assert written(runner, sampling, drafter) == wanted


@ROWS
@pytest.mark.usefixtures("repeating")
def test_a_run_paused_anywhere_grows_the_same_penalty(
    networks: Networks, monkeypatch: pytest.MonkeyPatch, is_short: bool
) -> None:
    runner, sampling = PassRunner(networks("qwen2", torch.bfloat16), 8, CONTEXT), SAMPLERS["cool"]
    wanted = written(runner, sampling)
    shortened(monkeypatch, is_short=is_short)
    rng = random.Random(8)
    text: tuple[int, ...] = ()
    num_checked = 0
    while len(text) < COUNT:
        stream = TokenStream(runner, prompt_ids(150), text, sampling, NEVER)
        read(stream)
        checked = stream.verify_resume()
        assert checked.first_difference is None
        num_checked += checked.num_checked
        write(stream, runner, min(COUNT, len(text) + rng.randint(1, 40)), mixed(wanted, 3))
        text = stream.generated_ids
    assert text == wanted
    assert num_checked > 20


def test_short_lists_hold_what_the_strongest_penalty_of_a_pass_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Token 0 was seen: with the settings' own penalty token 1 is too far behind it to be copied."""
    shortened(monkeypatch, is_short=True)
    sampling = SamplingConfig(min_p=0.9, repetition_penalty=1.05, penalty_growth=10)
    transfer = LogitsTransfer(SamplingRules(sampling, NO_IDS, NO_IDS, 0))
    logits, seen = torch.tensor([[10.0, 6.0, 1.0, -2.0]]), np.array([0])
    short = transfer.take(logits.clone(), [5], [0], seen, most_theta=2.0)
    assert short.draw(0, seen, theta=2.0).kept_tokens.tolist() == [1]
    whole = transfer.keep(logits.clone(), [5])
    assert whole.draw(0, seen, theta=2.0).kept_tokens.tolist() == [1]
    assert whole.draw(0, seen, theta=1.05).kept_tokens.tolist() == [0]


@pytest.mark.usefixtures("repeating")
def test_near_ties_are_settled_with_the_grown_penalty(networks: Networks) -> None:
    runner, sampling = PassRunner(networks(), 8, CONTEXT), SAMPLERS["cool"]
    wanted = written(runner, sampling)
    for near_tie in (0.3, 1e9):
        assert written(runner, sampling, mixed(wanted, 5), near_tie) == wanted


@pytest.mark.usefixtures("repeating")
def test_drafters_are_told_the_penalty_as_it_is(networks: Networks) -> None:
    runner, sampling = PassRunner(networks(), 8, CONTEXT), SAMPLERS["cool"]
    stream = TokenStream(runner, [7] * 40, (), sampling, NEVER)
    assert stream.sampling.repetition_penalty == grown_penalty(sampling, 38) > sampling.repetition_penalty
    constant = replace(sampling, penalty_growth=0.0)
    assert TokenStream(runner, [7] * 40, (), constant, NEVER).sampling is constant
