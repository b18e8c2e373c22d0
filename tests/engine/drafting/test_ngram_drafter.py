"""The n-gram drafter: what it proposes, how the Gumbel noise and the penalty rank it, and what it
remembers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.decoding.gumbel_noise import gumbel
from quire_engine.drafting.drafter import MAX_DRAFT_TOKENS, DrafterInput, DraftTokens, Observed
from quire_engine.drafting.ngram_drafter import CAUTION, KeptTokenTable, NgramDrafter
from quire_engine.drafting.ngram_table import NgramTable
from tests.engine.tiny import few

VOCAB = 50


def request(
    root: int,
    *,
    seed: int | None = None,
    penalised: Sequence[int] = (),
    theta: float = 1.0,
    index: int = 10,
) -> DrafterInput:
    sampling = SamplingConfig(temperature=0 if seed is None else 1, seed=seed or 0, repetition_penalty=theta)
    return DrafterInput(root, index, sampling, np.array(penalised, dtype=np.int64), 8)


def drafter_after(*token_ids: int) -> NgramDrafter:
    drafter = NgramDrafter(VOCAB)
    drafter.observe(Observed(token_ids))
    return drafter


def guesses(drafter: NgramDrafter, asked: DrafterInput, path: Sequence[int] = ()) -> DraftTokens:
    """Ask what follows a path below the root."""
    tree = DraftTree(asked.root_token)
    node = ROOT
    drafter.begin(asked)
    for token in path:
        node = tree.add_child(node, token)
    return drafter.expand(tree, [node])[0]


def kept_tokens(scores: Mapping[int, float]) -> tuple[np.ndarray, np.ndarray]:
    return np.array(list(scores), dtype=np.int64), np.array(list(scores.values()), dtype=np.float32)


class Fixed:
    """A background that always says the same."""

    def probabilities(self, context: Sequence[int]) -> dict[int, float]:
        return {7: 0.6, 8: 0.3}


def test_what_never_followed_is_never_proposed() -> None:
    assert guesses(drafter_after(1, 2, 3), request(3)) == DraftTokens()
    assert guesses(NgramDrafter(VOCAB), request(3)) == DraftTokens()


def test_what_always_followed_is_proposed_level_by_level() -> None:
    drafter = drafter_after(1, 2, 3, 4, 5, 1, 2, 3)
    assert guesses(drafter, request(3)).token_ids[0] == 4
    assert guesses(drafter, request(3), (4,)).token_ids[0] == 5
    assert guesses(drafter, request(3), (4, 5, 1)).token_ids[0] == 2
    assert guesses(drafter, request(3), (9,)) == DraftTokens()


def test_nodes_of_one_level_are_answered_together_as_alone() -> None:
    drafter = drafter_after(1, 2, 3, 4, 1, 3, 2, 5, 1, 2, 4)
    asked = request(4, seed=5)
    tree = DraftTree(4)
    nodes = [tree.add_child(ROOT, token) for token in (1, 9, 2)]
    drafter.begin(asked)
    together = drafter.expand(tree, nodes)
    assert together == [guesses(drafter, asked, (token,)) for token in (1, 9, 2)]
    assert together[1] == DraftTokens()
    assert drafter.expand(tree, []) == []


def test_a_longer_context_outweighs_a_shorter_one() -> None:
    drafter = drafter_after(*[5, 2, 9] * 6, *[1, 2, 4] * 4, 1, 2)
    assert guesses(drafter, request(2)).token_ids[0] == 4


@given(
    st.lists(st.integers(0, 9), max_size=60),
    st.lists(st.integers(0, 9), max_size=3),
    st.integers(0, 2**40),
    st.sets(st.integers(0, 60)),
    st.integers(0, VOCAB + 20),
)
@few
def test_draft_tokens_are_well_formed(
    text: list[int], path: list[int], seed: int, penalised: set[int], root: int
) -> None:
    drafter = NgramDrafter(VOCAB, background=Fixed())
    drafter.learn([1, 2, VOCAB + 9, 3, 1, 2, VOCAB + 9])  # an id that the model does not have
    drafter.observe(Observed(text))
    found = guesses(drafter, request(root, seed=seed, penalised=sorted(penalised), theta=1.2), path)
    assert len(found.token_ids) == len(found.chances) == len(set(found.token_ids)) <= MAX_DRAFT_TOKENS
    assert all(0 <= token < VOCAB for token in found.token_ids)
    assert all(0 < chance <= 1 for chance in found.chances)
    assert sum(found.chances) <= 1 + 1e-9
    assert list(found.chances) == sorted(found.chances, reverse=True)


@given(
    st.lists(st.integers(0, 9), min_size=1, max_size=60),
    st.lists(st.integers(0, 9), max_size=3),
    st.integers(0, 2**40),
    st.integers(0, 10**6),
)
@few
def test_the_noise_ranks_as_the_verifier_would(
    text: list[int], path: list[int], seed: int, index: int
) -> None:
    drafter = drafter_after(*text)
    mixed, _ = drafter.table.mix([*text, *path], CAUTION)
    ids = np.array(list(mixed), dtype=np.int64)
    scores = np.log(np.array(list(mixed.values()))) + gumbel(seed, index + len(path), ids)
    shares = np.exp(scores) / np.exp(scores).sum() * sum(mixed.values())
    order = np.argsort(-scores)[:MAX_DRAFT_TOKENS]
    found = guesses(drafter, request(text[-1], seed=seed, index=index), path)
    assert found.token_ids == tuple(ids[order].tolist())
    assert found.chances == pytest.approx(shares[order].tolist())


def test_the_noise_decides_between_equal_draft_tokens() -> None:
    drafter = drafter_after(10, 3, 7, 11, 3, 8, 12, 3, 9, 13, 3)
    assert {guesses(drafter, request(3, seed=seed)).token_ids[0] for seed in range(1, 40)} == {7, 8, 9}


def test_without_noise_the_likeliest_comes_first() -> None:
    drafter = drafter_after(*[1, 3, 7] * 5, *[2, 3, 8] * 2, 9, 3)
    asked = DrafterInput(3, 10, SamplingConfig(seed=4), np.zeros(0, dtype=np.int64), 8, same_noise=False)
    assert guesses(drafter, asked).token_ids[:2] == (7, 8)


def test_a_penalised_token_is_rarer() -> None:
    drafter = drafter_after(10, 3, 7, 11, 3, 8, 12, 3)
    equal = guesses(drafter, request(3, theta=1.3))
    one_less = guesses(drafter, request(3, theta=1.3, penalised=[7]))
    assert equal.chances[0] == equal.chances[1]
    assert one_less.token_ids[:2] == (8, 7)
    assert guesses(drafter, request(3, theta=1.0, penalised=[7])) == guesses(drafter, request(3))


def test_the_penalty_of_a_common_word_is_in_its_counts() -> None:
    drafter = drafter_after(*[3, 7] * 20, 3, 8, 12, 3)
    free = guesses(drafter, request(3, theta=1.3))
    held = guesses(drafter, request(3, theta=1.3, penalised=[7]))
    assert held.token_ids == free.token_ids
    assert held.chances == pytest.approx(free.chances, rel=1e-3)


def test_a_token_of_the_path_is_penalised_once() -> None:
    drafter = drafter_after(10, 3, 7, 11, 3, 8, 12, 3)
    drafter = NgramDrafter(VOCAB, drafter.table)
    alone = guesses(drafter, request(3, theta=1.5), (7, 11, 3))
    both = guesses(drafter, request(3, theta=1.5, penalised=[7]), (7, 11, 3))
    free = guesses(drafter, request(3, theta=1.0), (7, 11, 3))
    assert alone.token_ids[0] == 8
    assert dict(zip(alone.token_ids, alone.chances, strict=True))[7] == pytest.approx(
        dict(zip(both.token_ids, both.chances, strict=True))[7]
    )
    assert dict(zip(free.token_ids, free.chances, strict=True))[7] > min(alone.chances)


def test_other_texts_are_a_source_of_phrases() -> None:
    drafter = drafter_after(1, 2)
    drafter.learn([5, 2, 30, 31])
    assert guesses(drafter, request(2)).token_ids == (30,)
    assert guesses(drafter, request(2), (30,)).token_ids == (31,)


def test_kept_tokens_of_the_last_pass_fill_the_gaps() -> None:
    drafter = NgramDrafter(VOCAB)
    drafter.observe(Observed([1, 2]))
    drafter.observe(Observed([3, 4], None, [kept_tokens({3: 1.0, 20: 2.0}), kept_tokens({4: 0.0, 21: -1.0})]))
    # after 2 came a position where 20 was likelier than 3, which was drawn
    found = guesses(drafter, request(4), (2,))
    assert set(found.token_ids) == {3, 20}
    found = guesses(drafter, request(4), (3,))
    assert found.token_ids[0] == 4
    assert 21 in found.token_ids


def test_kept_tokens_without_a_token_before_them_are_left_out() -> None:
    drafter = NgramDrafter(VOCAB)
    drafter.observe(Observed([3, 4], None, [kept_tokens({3: 1.0}), kept_tokens({9: 1.0})]))
    assert guesses(drafter, request(4), (3,)).token_ids == (4,)


def test_the_newest_kept_tokens_count_and_few_of_them() -> None:
    table = KeptTokenTable()
    ids = np.arange(100, dtype=np.int64)
    table.remember(5, ids, np.linspace(0, 5, 100, dtype=np.float32))
    assert set(table.probabilities(5)) == set(range(84, 100))
    table.remember(5, *kept_tokens({1: 0.0, 2: 0.0}))
    assert table.probabilities(5) == pytest.approx({1: 0.5, 2: 0.5})
    assert table.probabilities(5) == pytest.approx({1: 0.5, 2: 0.5})
    table.remember(5, ids[:0], np.zeros(0, dtype=np.float32))
    assert set(table.probabilities(5)) == {1, 2}
    assert table.probabilities(6) == {}


def test_the_background_speaks_where_the_text_does_not() -> None:
    drafter = NgramDrafter(VOCAB, background=Fixed())
    drafter.observe(Observed([1, 2]))
    none = np.zeros(0, dtype=np.int64)
    found = guesses(drafter, DrafterInput(2, 10, SamplingConfig(), none, 8, same_noise=False))
    assert found.token_ids == (7, 8)
    # averages are flatter than the model at one place, so the likelier one gets more than its 0.6 of 0.9
    assert 0.6 < found.chances[0] < 0.7
    assert sum(found.chances) == pytest.approx(0.9)


def test_out_of_step_with_the_stream_only_the_root_is_believed() -> None:
    drafter = drafter_after(1, 2, 3, 8, 9)
    assert guesses(drafter, request(3)).token_ids == (8,)


def test_reset_forgets_nothing() -> None:
    drafter = drafter_after(1, 2, 3, 1, 2)
    drafter.reset()
    assert guesses(drafter, request(2)).token_ids == (3,)


def test_text_that_is_only_read_again_is_not_counted_again() -> None:
    drafter = drafter_after(1, 2, 3)
    drafter.observe(Observed([1, 2, 3], is_reread=True))
    assert drafter.table.stream.tolist() == [1, 2, 3]


def test_a_table_brings_its_stream_along() -> None:
    whole = drafter_after(1, 2, 3, 1, 2)
    table = NgramTable()
    table.observe([1, 2, 3])
    resumed = NgramDrafter(VOCAB, table)
    resumed.observe(Observed([1, 2]))
    asked = request(2, seed=9, theta=1.3, penalised=[1, 2, 3])
    assert guesses(resumed, asked) == guesses(whole, asked)


def test_a_cold_run_trusts_the_backgrounds_best_more() -> None:
    drafter = NgramDrafter(VOCAB, background=Fixed())
    none = np.zeros(0, dtype=np.int64)
    first = []
    for temperature in (0.5, 1.0, 2.0):
        sampling = SamplingConfig(temperature=temperature, seed=1)
        asked = DrafterInput(2, 10, sampling, none, 8, same_noise=False)
        first.append(guesses(drafter, asked).chances[0])
    assert first[0] > first[1] > first[2]
