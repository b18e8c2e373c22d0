"""The n-gram drafter: counts, dice, tree limits, and the law that it never changes the text."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.decoding.noise import gumbel, quick_gumbel
from quire_engine.drafting.base import DraftRequest
from quire_engine.drafting.ngrams import NgramCounts, NgramDrafter
from tests.engine.tiny import few


def request(*, seed: int | None = None, max_nodes: int = 7, max_depth: int = 4) -> DraftRequest:
    return DraftRequest(root_token=3, index=10, seed=seed, max_nodes=max_nodes, max_depth=max_depth)


def drafter_after(*token_ids: int) -> NgramDrafter:
    drafter = NgramDrafter()
    drafter.observe(token_ids)
    return drafter


def test_what_never_followed_is_never_proposed() -> None:
    counts = NgramCounts()
    counts.observe([1, 2, 3])
    assert counts.predict((3,)) is None
    assert drafter_after(1, 2, 3).draft(request()).tokens == [3]


def test_what_always_followed_is_proposed_as_one_path() -> None:
    tree = drafter_after(1, 2, 3, 4, 5, 1, 2, 3).draft(request(max_depth=3))
    assert tree.tokens[:4] == [3, 4, 5, 1]
    assert tree.parents[:4] == [-1, 0, 1, 2]


def test_what_sometimes_followed_shares_the_tree() -> None:
    drafter = drafter_after(*[1, 2, 3, 7] * 2, *[1, 2, 3, 8] * 2, 1, 2, 3)
    tree = drafter.draft(request(max_depth=1))
    assert set(tree.tokens[1:]) == {7, 8}
    assert tree.parents[1:] == [0, 0]


def test_a_longer_context_outweighs_a_shorter_one() -> None:
    counts = NgramCounts()
    counts.observe([*[5, 2, 9] * 6, 1, 2, 4, 1, 2, 4, 1, 2])
    found = counts.predict((1, 2))
    assert found is not None
    assert found.ids[0] == 4
    assert 0 < found.probabilities.sum() <= 1


@given(st.lists(st.integers(0, 6), max_size=60), st.integers(0, 9), st.integers(0, 6), st.integers(0, 2**40))
@few
def test_a_tree_keeps_to_its_limits(text: list[int], max_nodes: int, max_depth: int, seed: int) -> None:
    drafter = NgramDrafter()
    drafter.observe(text)
    asked = request(max_nodes=max_nodes, max_depth=max_depth, seed=seed)
    tree = drafter.draft(asked)
    assert len(tree.tokens) <= max_nodes + 1
    assert tree.depth <= max_depth
    assert len(set(zip(tree.tokens, tree.parents, strict=True))) == len(tree.tokens)
    assert drafter.draft(asked).tokens == tree.tokens


@given(st.lists(st.integers(0, 4), max_size=80))
@few
def test_observing_in_pieces_equals_observing_at_once(text: list[int]) -> None:
    pieces, whole = NgramDrafter(), NgramDrafter()
    for token in text:
        pieces.observe([token])
    whole.observe(text)
    assert pieces.draft(request()).tokens == whole.draft(request()).tokens


def test_the_dice_are_those_of_the_engine() -> None:
    ids = np.arange(0, 4000, 7, dtype=np.int64)
    ours = quick_gumbel(12345, 678, ids)
    np.testing.assert_allclose(ours, gumbel(12345, 678, torch.from_numpy(ids)).numpy(), rtol=1e-3, atol=1e-4)


def test_the_dice_decide_between_equal_guesses() -> None:
    drafter = drafter_after(10, 3, 7, 11, 3, 8, 12, 3, 9, 13, 3)
    first = {drafter.draft(request(seed=seed, max_nodes=1)).tokens[1] for seed in range(40)}
    assert first == {7, 8, 9}


def test_a_context_needs_a_token() -> None:
    with pytest.raises(ValueError, match="max_context"):
        NgramCounts(0)
