"""Banned sequences: a function of the stream alone, so that drafts and pauses change nothing about them."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding import logits_transfer
from quire_engine.decoding.banned_sequences import BannedSequences
from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.decoding.sampling_rules import SamplingRules
from quire_engine.decoding.token_stream import TokenStream
from quire_engine.forward.pass_runner import PassRunner
from tests.engine.conftest import Networks
from tests.engine.drafters import Drafter, good, hostile, mixed, read, write
from tests.engine.tiny import VOCAB_SIZE, few, prompt_ids

NEVER = tuple(range(300, VOCAB_SIZE))
CONTEXT = 256  # the context window rolls over every 128 tokens
Sequences = tuple[tuple[int, ...], ...]
SAMPLERS = {
    "greedy": SamplingConfig(temperature=0, repetition_penalty=1.05, penalty_window=8),
    "defaults": SamplingConfig(seed=1),
    "top-k": SamplingConfig(temperature=0.9, top_k=8, min_p=0.02, penalty_window=0, seed=3),
    "whole row": SamplingConfig(temperature=1.5, top_p=0.8, min_p=0.0, penalty_window=7, seed=4),
}


def holds(text: Sequence[int], sequence: Sequence[int]) -> bool:
    size = len(sequence)
    return any(tuple(text[at : at + size]) == tuple(sequence) for at in range(len(text) - size + 1))


# ---------------------------------------------------------------- what is forbidden
SEQUENCES = st.lists(st.lists(st.integers(0, 3), max_size=5), max_size=12)


@settings(few, max_examples=300)
@given(SEQUENCES, st.lists(st.integers(0, 3), max_size=9))
def test_what_is_forbidden_is_what_would_complete_a_sequence(
    sequences: list[list[int]], stream: list[int]
) -> None:
    """Few tokens, so that sequences overlap, begin in one another and repeat themselves."""
    banned = BannedSequences(sequences)
    wanted = {
        token for token in range(4) if any(seq and [*stream, token][-len(seq) :] == seq for seq in sequences)
    }
    ids = np.array(stream, dtype=np.int64)
    assert sorted(banned.after(ids).tolist()) == sorted(wanted)
    assert banned.after(ids[max(0, len(ids) - banned.reach) :]).tolist() == banned.after(ids).tolist()
    assert wanted <= set(banned.lasts.tolist()) == {seq[-1] for seq in sequences if seq}
    assert set(banned.always.tolist()) == {seq[0] for seq in sequences if len(seq) == 1}


def test_where_nothing_else_is_left_the_ban_is_lifted() -> None:
    """Never an empty distribution: then the token is drawn that would be without a ban."""
    nothing, row = np.zeros(0, dtype=np.int64), np.array([3.0, 2.0, 9.0, 1.0], dtype=np.float32)
    rules = SamplingRules(SamplingConfig(temperature=0), np.array([2]), np.array([2]), 0)
    assert rules.draw(row.copy(), 5, nothing, np.array([0])).token_id == 1
    assert rules.draw(row.copy(), 5, nothing, np.array([0, 1])).token_id == 3
    assert rules.draw(row.copy(), 5, nothing, np.array([0, 1, 3])).token_id == 0


def test_phrases_without_their_tokens_are_rejected(networks: Networks) -> None:
    sampling = SamplingConfig(banned=("a testament to",))
    with pytest.raises(ValueError, match="as tokens"):
        TokenStream(PassRunner(networks(), 8, CONTEXT), prompt_ids(9), (), sampling, NEVER)


# ---------------------------------------------------------------- the law
def stream_on(
    runner: PassRunner,
    sampling: SamplingConfig,
    sequences: Sequences,
    generated: Sequence[int] = (),
    near_tie: float = 0.0,
) -> TokenStream:
    banned = BannedSequences(sequences)
    return TokenStream(runner, prompt_ids(150), generated, sampling, NEVER, near_tie=near_tie, banned=banned)


def written(
    runner: PassRunner, sampling: SamplingConfig, sequences: Sequences, count: int
) -> tuple[int, ...]:
    stream = stream_on(runner, sampling, sequences)
    write(stream, runner, count)
    return stream.generated_ids


def sequences_in(text: Sequence[int], seed: int) -> Sequences:
    """Return sequences of 1 to 4 tokens that a text holds, some of them within one another."""
    rng = random.Random(seed)
    places = [rng.randrange(len(text) - 4) for _ in range(12)]
    return tuple(tuple(text[at : at + 1 + number % 4]) for number, at in enumerate(places))


@pytest.mark.sliced
@pytest.mark.parametrize("is_short", [False, True], ids=["rows", "short lists"])
@pytest.mark.parametrize("name", SAMPLERS)
def test_drafts_and_short_lists_change_nothing_and_what_is_banned_never_comes(
    networks: Networks, monkeypatch: pytest.MonkeyPatch, name: str, is_short: bool
) -> None:
    """Over rollovers, and with drafters that propose the very text that the ban forbids."""
    runner, sampling, count = PassRunner(networks(), 8, CONTEXT), SAMPLERS[name], 125
    free = written(runner, sampling, (), count)
    sequences = sequences_in(free, 5)
    assert all(holds(free, sequence) for sequence in sequences)
    wanted = written(runner, sampling, sequences, count)
    assert len(set(wanted)) > 20
    with_prompt = [*prompt_ids(150)[-3:], *wanted]
    assert not any(holds(with_prompt[4 - len(one) :], one) for one in sequences)
    if is_short:
        monkeypatch.setattr(logits_transfer, "SHORTLIST_DEVICES", {"cpu"})
    drafters: list[Drafter | None] = [None, good(wanted), good(free), mixed(wanted, 2)]
    drafters.append(hostile(wanted, NEVER))
    rates = []
    for drafter in drafters:
        stream = stream_on(runner, sampling, sequences)
        rates.append(count / len(write(stream, runner, count, drafter)))
        assert stream.generated_ids == wanted
    assert rates[1] > 4  # or trees were never really accepted


@pytest.mark.sliced
@pytest.mark.parametrize("is_short", [False, True], ids=["rows", "short lists"])
def test_a_run_paused_anywhere_continues_the_same_ban(
    networks: Networks, monkeypatch: pytest.MonkeyPatch, is_short: bool
) -> None:
    """Pauses fall within banned sequences too, and the newest tokens are decided again as they were."""
    runner, sampling = PassRunner(networks("qwen2", torch.bfloat16), 8, CONTEXT), SAMPLERS["defaults"]
    count = 300
    sequences = sequences_in(written(runner, sampling, (), count), 6)
    wanted = written(runner, sampling, sequences, count)
    if is_short:
        monkeypatch.setattr(logits_transfer, "SHORTLIST_DEVICES", {"cpu"})
    rng = random.Random(8)
    text: tuple[int, ...] = ()
    num_checked = 0
    while len(text) < count:
        stream = stream_on(runner, sampling, sequences, text)
        read(stream)
        checked = stream.verify_resume()
        assert checked.first_difference is None
        num_checked += checked.num_checked
        write(stream, runner, min(count, len(text) + rng.randint(1, 40)), mixed(wanted, 3))
        text = stream.generated_ids
    assert text == wanted
    assert num_checked > 50


def test_near_ties_know_the_ban(networks: Networks) -> None:
    runner, sampling = PassRunner(networks(), 8, CONTEXT), SAMPLERS["defaults"]
    sequences = sequences_in(written(runner, sampling, (), 80), 7)
    wanted = written(runner, sampling, sequences, 80)
    for near_tie in (0.3, 1e9):
        stream = stream_on(runner, sampling, sequences, near_tie=near_tie)
        write(stream, runner, 80, mixed(wanted, 5))
        assert stream.generated_ids == wanted


@pytest.mark.parametrize("is_short", [False, True], ids=["rows", "short lists"])
def test_a_stream_in_which_all_is_banned_continues_as_if_nothing_were(
    networks: Networks, monkeypatch: pytest.MonkeyPatch, is_short: bool
) -> None:
    runner, sampling = PassRunner(networks(), 8, CONTEXT), SAMPLERS["defaults"]
    free = written(runner, sampling, (), 40)
    if is_short:
        monkeypatch.setattr(logits_transfer, "SHORTLIST_DEVICES", {"cpu"})
    assert written(runner, sampling, tuple((token,) for token in range(VOCAB_SIZE)), 40) == free


def test_what_the_prompt_began_is_not_completed(networks: Networks) -> None:
    runner, sampling = PassRunner(networks(), 8, CONTEXT), SAMPLERS["greedy"]
    first = written(runner, sampling, (), 1)[0]
    sequence = (*prompt_ids(150)[-2:], first)
    assert written(runner, sampling, (sequence,), 1) != (first,)
    stream = stream_on(runner, sampling, (sequence,))
    read(stream)
    tree = DraftTree(stream.last_token)
    tree.add_path([first])
    assert stream.step(tree).num_accepted == 0
