"""Guesses from draft logits: where the draft is the model itself, the first draft token is what the model
draws.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.draft_tree import ROOT, DraftTree
from quire_engine.decoding.sampling import draw
from quire_engine.drafting.draft_sampling import (
    DraftRow,
    ancestors_of,
    batch_draft_tokens,
    draft_tokens_of,
    quick_draft_tokens,
)
from quire_engine.drafting.drafter import DrafterInput, DraftTokens
from tests.engine.tiny import few

COLUMNS = 200
NOBODY: npt.NDArray[np.int64] = np.zeros(0, dtype=np.int64)

samplings = st.builds(
    SamplingConfig,
    temperature=st.sampled_from([0.0, 0.7, 1.0, 1.5]),
    top_k=st.sampled_from([0, 1, 20]),
    top_p=st.sampled_from([1.0, 0.9, 0.3]),
    min_p=st.sampled_from([0.0, 0.1, 0.4]),
    eta=st.sampled_from([0.0, 0.05]),
    repetition_penalty=st.sampled_from([1.0, 1.2, 3.0]),
    seed=st.integers(0, 2**40),
)


def logits_of(seed: int, rows: int = 1) -> npt.NDArray[np.float32]:
    """Return random draft logits as peaked as a model's."""
    return np.random.default_rng(seed).normal(scale=2.5, size=(rows, COLUMNS)).astype(np.float32)


def request(
    sampling: SamplingConfig, penalised: npt.NDArray[np.int64] = NOBODY, *, same_noise: bool = True
) -> DrafterInput:
    """Return a request at some place of a stream."""
    return DrafterInput(3, 77, sampling, penalised, 4, same_noise)


@few
@given(
    sampling=samplings, seed=st.integers(0, 1000), banned=st.sets(st.integers(0, COLUMNS - 1), max_size=60)
)
def test_what_is_banned_everywhere_is_not_guessed_and_the_rest_is_as_the_model_draws_it(
    sampling: SamplingConfig, seed: int, banned: set[int]
) -> None:
    logits, forbidden = logits_of(seed)[0], np.array(sorted(banned), dtype=np.int64)
    asked = replace(request(sampling), forbidden=forbidden)
    row = logits.copy()
    row[forbidden] = -np.inf
    wanted = draw(row, NOBODY, 77, sampling)
    for ids in (None, np.arange(0, COLUMNS)):
        guesses = draft_tokens_of(logits, asked, 0, (), 8, ids)
        assert guesses.token_ids[0] == wanted.token_id
        assert not banned & set(guesses.token_ids)


# ---------------------------------------------------------------- the same draw
@few
@given(
    sampling=samplings,
    seed=st.integers(0, 1000),
    window=st.sets(st.integers(0, COLUMNS - 1), max_size=40),
    ancestors=st.lists(st.integers(0, COLUMNS - 1), max_size=3),
)
def test_a_draft_that_equals_the_model_drafts_what_the_model_draws(
    sampling: SamplingConfig, seed: int, window: set[int], ancestors: list[int]
) -> None:
    logits = logits_of(seed)[0]
    depth = len(ancestors)
    at_root = np.array(sorted(window), dtype=np.int64)
    at_node = np.array(sorted(window | set(ancestors)), dtype=np.int64)
    wanted = draw(logits, at_node, 77 + depth, sampling)
    guesses = draft_tokens_of(logits, request(sampling, at_root), depth, ancestors, 4)
    assert guesses.token_ids[0] == wanted.token_id
    assert set(guesses.token_ids) <= set(wanted.kept_tokens.tolist()) or sampling.temperature == 0


@few
@given(sampling=samplings, seed=st.integers(0, 1000), count=st.integers(1, 8))
def test_draft_tokens_are_distinct_and_their_chances_fall(
    sampling: SamplingConfig, seed: int, count: int
) -> None:
    guesses = draft_tokens_of(logits_of(seed)[0], request(sampling), 0, (), count)
    assert 1 <= len(guesses.token_ids) <= count
    assert len(set(guesses.token_ids)) == len(guesses.token_ids) == len(guesses.chances)
    assert list(guesses.chances) == sorted(guesses.chances, reverse=True)
    assert all(0 < chance <= 1 for chance in guesses.chances)
    assert sum(guesses.chances) <= 1 + 1e-6


def test_without_the_noise_the_likeliest_come_first() -> None:
    logits = logits_of(5)[0]
    guesses = draft_tokens_of(logits, request(SamplingConfig(), same_noise=False), 0, (), 3)
    assert list(guesses.token_ids) == np.argsort(-logits)[:3].tolist()


def test_the_noise_belongs_to_the_position() -> None:
    logits = logits_of(5)[0]
    first = [
        draft_tokens_of(logits, request(SamplingConfig()), depth, (), 1).token_ids for depth in range(12)
    ]
    assert len(set(first)) > 1


def test_greedy_draft_tokens_ignore_the_seed() -> None:
    logits = logits_of(6)[0]
    of_seeds = {
        draft_tokens_of(logits, request(SamplingConfig(temperature=0, seed=seed)), 0, (), 3).token_ids
        for seed in range(5)
    }
    assert of_seeds == {tuple(np.argsort(-logits)[:3].tolist())}


# ---------------------------------------------------------------- rows and columns
def test_several_rows_at_once_are_what_each_is_alone() -> None:
    logits = logits_of(8, rows=4)
    asked = request(SamplingConfig(seed=4), np.arange(0, 90, 3))
    paths: list[list[int]] = [[], [5], [7, 9], [1, 2, 3]]
    together = batch_draft_tokens([DraftRow(row) for row in logits], asked, 2, paths, 4)
    assert together == [
        draft_tokens_of(row, asked, 2, path, 4) for row, path in zip(logits, paths, strict=True)
    ]


@few
@given(sampling=samplings, seed=st.integers(0, 1000))
def test_a_vocabulary_subset_proposes_as_if_nothing_else_existed(sampling: SamplingConfig, seed: int) -> None:
    ids = np.arange(4, COLUMNS, 5)
    whole = np.full(COLUMNS, -np.inf, dtype=np.float32)
    whole[ids] = logits_of(seed)[0][ids]
    asked = request(sampling, np.array([4, 9, 10, 11, 199], dtype=np.int64))
    reduced = draft_tokens_of(whole[ids], asked, 1, [14], 3, ids)
    wanted = draft_tokens_of(whole, asked, 1, [14], 3)
    finite = [token for token in wanted.token_ids if token in ids]
    assert list(reduced.token_ids)[: len(finite)] == finite or not finite


def test_what_the_path_holds_already_is_penalised() -> None:
    logits = np.full(COLUMNS, -5.0, dtype=np.float32)
    logits[[10, 20]] = (4.0, 3.9)
    asked = request(SamplingConfig(temperature=0))
    assert draft_tokens_of(logits, asked, 1, [30], 1).token_ids == (10,)
    assert draft_tokens_of(logits, asked, 1, [10], 1).token_ids == (20,)


def test_sharpness_moves_the_chances_and_not_the_order() -> None:
    logits = logits_of(9)[0]
    flat, sharp = (
        draft_tokens_of(logits, request(SamplingConfig()), 0, (), 3, sharpness=s) for s in (0.5, 2.0)
    )
    assert flat.token_ids == sharp.token_ids
    assert flat.chances[0] < sharp.chances[0]


@pytest.mark.parametrize("bad", [np.nan, -np.inf])
def test_nothing_is_guessed_from_numbers_that_are_none(bad: float) -> None:
    logits = np.full(COLUMNS, bad, dtype=np.float32)
    with np.errstate(invalid="ignore"):
        assert draft_tokens_of(logits, request(SamplingConfig()), 0, (), 3) == DraftTokens()


def test_ancestors_are_listed_from_below_the_root() -> None:
    tree = DraftTree(1)
    node = tree.add_child(tree.add_child(tree.add_child(ROOT, 5), 6), 7)
    assert ancestors_of(tree, node) == [5, 6, 7]
    assert ancestors_of(tree, ROOT) == []


# ---------------------------------------------------------------- compiled
USUAL = SamplingConfig(min_p=0.1, repetition_penalty=1.2, seed=2**40 + 5)


@pytest.mark.parametrize(
    "sampling",
    [
        USUAL,
        replace(USUAL, temperature=0.7, min_p=0.02, repetition_penalty=1.0),
        replace(USUAL, temperature=1.5, min_p=0.4, seed=3),
        replace(USUAL, top_k=5),
        replace(USUAL, temperature=0.0),
        replace(USUAL, temperature=3.0, min_p=1e-9),  # keeps more than the kernel has room for
    ],
    ids=["usual", "cold", "hot", "top-k", "greedy", "everything"],
)
@pytest.mark.parametrize("of_subset", [False, True])
@pytest.mark.parametrize("same_noise", [False, True])
def test_the_compiled_kernel_proposes_the_same(
    sampling: SamplingConfig, of_subset: bool, same_noise: bool
) -> None:
    ids = np.sort(np.random.default_rng(5).choice(9000, 600, replace=False)) if of_subset else None
    for seed in range(20):
        random = np.random.default_rng(seed)
        logits = random.normal(scale=2.5, size=(2, 600)).astype(np.float32)
        penalised = np.unique(random.integers(0, 9000 if of_subset else 600, 200))
        asked = request(sampling, penalised, same_noise=same_noise)
        rows, paths = [DraftRow(row, ids) for row in logits], [(3, 50), (int(logits[1].argmax()), 8)]
        wanted = batch_draft_tokens(rows, asked, 2, paths, 8, sharpness=0.7)
        for ours, of_arrays in zip(
            quick_draft_tokens(rows, asked, 2, paths, 8, sharpness=0.7), wanted, strict=True
        ):
            assert ours.token_ids == of_arrays.token_ids
            assert ours.chances == pytest.approx(of_arrays.chances, rel=1e-3)


def test_the_compiled_kernel_proposes_nothing_where_nothing_is_possible() -> None:
    rows = [DraftRow(np.full(50, -np.inf, np.float32))]
    assert quick_draft_tokens(rows, request(USUAL), 0, [()], 8) == [DraftTokens()]


def test_the_compiled_kernel_leaves_bans_to_the_arrays() -> None:
    logits = logits_of(1)[0]
    banned = np.array([int(logits.argmax())])
    asked = replace(request(replace(USUAL, temperature=0.01)), forbidden=banned)
    (proposed,) = quick_draft_tokens([DraftRow(logits)], asked, 0, [()], 8)
    assert banned[0] not in proposed.token_ids
