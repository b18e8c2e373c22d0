"""The paper's table: counts are exact, the most frequent tails are offered, as a trie of three levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.decoding.gumbel_noise import gumbel
from quire_engine.drafting.drafter import MAX_DRAFT_TOKENS, DrafterInput, DraftTokens, Observed
from quire_engine.drafting.paper.fourgram_drafter import FourgramDrafter, FourgramTable
from tests.engine.tiny import few

VOCAB = 40


def request(root: int, *, seed: int | None = None, index: int = 10, window: int = 0) -> DrafterInput:
    sampling = SamplingConfig(temperature=0 if seed is None else 1, seed=seed or 0, penalty_window=window)
    return DrafterInput(root, index, sampling, np.zeros(0, dtype=np.int64), 4)


def drafter_after(text: Sequence[int], *, is_alone: bool = True) -> FourgramDrafter:
    drafter = FourgramDrafter(VOCAB, is_alone=is_alone)
    drafter.observe(Observed(text))
    return drafter


def guesses(drafter: FourgramDrafter, asked: DrafterInput, path: Sequence[int] = ()) -> DraftTokens:
    """Ask what follows a path below the root."""
    tree = DraftTree(asked.root_token)
    node = ROOT
    for token in path:
        node = tree.add_child(node, token)
    drafter.begin(asked)
    return drafter.expand(tree, [node])[0]


@given(st.lists(st.integers(0, 2), max_size=150), st.integers(1, 6), st.integers(1, 40))
@few
def test_the_tails_at_hand_are_the_most_frequent_ones(text: list[int], max_tails: int, piece: int) -> None:
    table = FourgramTable(max_tails)
    for start in range(0, len(text), piece):
        table.observe(text[start : start + piece])
    for first in range(3):
        exact = Counter(
            (text[i + 1], text[i + 2], text[i + 3]) for i in range(len(text) - 3) if text[i] == first
        )
        tails = table.tails(first)
        assert list(tails.values()) == [count for _, count in exact.most_common(max_tails)]
        assert all(exact[tail] == count for tail, count in tails.items())


def test_a_table_holds_at_least_one_tail() -> None:
    with pytest.raises(ValueError, match="max_tails"):
        FourgramTable(0)


def test_tails_become_a_trie_of_three_levels() -> None:
    drafter = drafter_after([1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 5, 6, 1])
    asked = request(1)
    assert guesses(drafter, asked).token_ids == (2,)
    assert guesses(drafter, asked, (2,)).token_ids == (3, 5)
    assert guesses(drafter, asked, (2, 3)).token_ids == (4,)
    assert guesses(drafter, asked, (2, 3, 4)) == DraftTokens()
    assert guesses(drafter, asked, (9,)) == DraftTokens()


def test_tails_are_appended_to_the_token_that_another_drafter_expects() -> None:
    drafter = drafter_after([1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 5, 6, 1], is_alone=False)
    asked = request(7)
    assert guesses(drafter, asked) == DraftTokens()
    assert guesses(drafter, asked, (1,)).token_ids == (2,)
    assert guesses(drafter, asked, (1, 2)).token_ids == (3, 5)
    assert guesses(drafter, asked, (1, 2, 3)).token_ids == (4,)
    assert guesses(drafter, asked, (1, 2, 3, 4)) == DraftTokens()


def test_appended_tails_are_ranked_with_the_noise_of_their_own_position() -> None:
    text = [1, 2, 3, 4, 1, 5, 3, 7, 1, 2, 5, 6, 1, 9, 9, 9]
    alone = guesses(drafter_after(text), request(1, seed=3, index=11))
    assert len(alone.token_ids) == 3
    assert guesses(drafter_after(text, is_alone=False), request(8, seed=3, index=10), (1,)) == alone


def test_only_tokens_before_the_penalty_window_are_in_the_table() -> None:
    drafter = drafter_after([1, 2, 3, 4, 7, 7])
    assert guesses(drafter, request(1, window=3)) == DraftTokens()
    assert guesses(drafter, request(1, window=2)).token_ids == (2,)


def test_without_a_penalty_nothing_is_held_back() -> None:
    drafter = drafter_after([1, 2, 3, 4])
    asked = request(1, window=1024)
    sampling = replace(asked.sampling, repetition_penalty=1)
    assert guesses(drafter, replace(asked, sampling=sampling)).token_ids == (2,)


def test_a_level_is_answered_together_as_alone() -> None:
    drafter = drafter_after([1, 2, 3, 4, 1, 5, 3, 7, 1, 2, 5, 6, 1])
    tree = DraftTree(1)
    nodes = [tree.add_child(ROOT, token) for token in (5, 2)]
    drafter.begin(request(1, seed=3))
    assert drafter.expand(tree, nodes) == [guesses(drafter, request(1, seed=3), (token,)) for token in (5, 2)]


@given(st.lists(st.integers(0, 6), min_size=8, max_size=150), st.integers(0, 2**40), st.integers(0, 10**6))
@few
def test_the_noise_ranks_the_counts(text: list[int], seed: int, index: int) -> None:
    drafter = drafter_after(text)
    table = FourgramTable()
    table.observe(text)
    counts: Counter[int] = Counter()
    for tail, count in table.tails(text[0]).items():
        counts[tail[0]] += count
    ids = np.array(list(counts), dtype=np.int64)
    scores = np.log(np.array(list(counts.values()))) + gumbel(seed, index, ids)
    found = guesses(drafter, request(text[0], seed=seed, index=index))
    assert found.token_ids == tuple(ids[np.argsort(-scores)[:MAX_DRAFT_TOKENS]].tolist())
    assert 0 < sum(found.chances) <= 1


def test_no_draft_token_is_outside_of_the_vocabulary() -> None:
    drafter = drafter_after([1, 2, VOCAB, 4, 1, 2, 3, 4])
    assert guesses(drafter, request(1), (2,)).token_ids == (3,)


def test_what_never_occurred_is_not_offered() -> None:
    assert guesses(FourgramDrafter(VOCAB, is_alone=True), request(1)) == DraftTokens()
    assert guesses(drafter_after([1, 2, 3]), request(1)) == DraftTokens()


@pytest.mark.parametrize(("delay", "knows"), [(0, True), (4, True), (5, False)])
def test_a_delay_of_its_own_takes_the_place_of_the_penalty_window(delay: int, knows: bool) -> None:
    drafter = FourgramDrafter(VOCAB, is_alone=True, delay=delay)
    drafter.observe(Observed([1, 2, 3, 4, 5, 6, 7, 8]))
    sampling = SamplingConfig(temperature=0, repetition_penalty=1.2, penalty_window=1024)
    asked = DrafterInput(1, 8, sampling, np.zeros(0, dtype=np.int64), 4)
    assert guesses(drafter, asked).token_ids == ((2,) if knows else ())


def test_as_many_tails_are_proposed_as_are_set() -> None:
    text = [token for last in range(5) for token in (1, 2 + last, 9, 9)]
    for tails in (2, 5):
        drafter = FourgramDrafter(VOCAB, tails, is_alone=True)
        drafter.observe(Observed(text))
        assert len(guesses(drafter, request(1)).token_ids) == tails


def test_a_text_may_come_token_by_token_and_positions_may_be_forgotten() -> None:
    drafter = FourgramDrafter(VOCAB, is_alone=True)
    for token in (1, 2, 3, 4):
        drafter.observe(Observed([token]))
    drafter.reset()
    assert guesses(drafter, request(1), (2, 3)).token_ids == (4,)
