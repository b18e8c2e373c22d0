"""The partial cache: selection equals brute force, rows are the right ones, a short text is not copied."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from quire_engine.cache.kv_store import KVStore
from quire_engine.drafting.paper.partial_cache import (
    MIN_BUDGET,
    NUM_SINKS,
    PartialCache,
    position_scores,
    select,
)
from tests.engine.tiny import few

LAYERS, KV_HEADS, HEADS, DIM = 2, 2, 6, 8


@torch.inference_mode()
def grown(length: int, store: KVStore | None = None, seed: int = 0) -> KVStore:
    """Return a store with so many more random positions."""
    store = KVStore(LAYERS, 16) if store is None else store
    generator = torch.Generator().manual_seed(seed + store.length)
    store.reserve(store.length + length)
    for layer in range(LAYERS):
        keys = torch.randn(KV_HEADS, length, DIM, generator=generator)
        store.write(layer, keys, torch.randn(KV_HEADS, length, DIM, generator=generator))
    store.commit(range(length))
    return store


def random_queries(seed: int) -> list[Tensor]:
    generator = torch.Generator().manual_seed(1000 + seed)
    return [torch.randn(HEADS, DIM, generator=generator) for _ in range(LAYERS)]


def brute_force(store: KVStore, query: Tensor, layer: int, head: int, count: int) -> set[int]:
    """Select position by position, as the paper's formula says."""
    keys = store.tensors()[layer][head, : store.length]
    group = range(head * HEADS // KV_HEADS, (head + 1) * HEADS // KV_HEADS)
    scores = [sum(float(query[q] @ keys[p]) for q in group) for p in range(store.length)]
    best = sorted(range(NUM_SINKS, store.length), key=lambda p: -scores[p])[: count - NUM_SINKS]
    return {*range(NUM_SINKS), *best}


def check_rows(cache: PartialCache, store: KVStore, keys: Sequence[Tensor], values: Sequence[Tensor]) -> None:
    """Every kept row must be the store's row of the position that the cache names."""
    tensors = store.tensors()
    for layer, positions in enumerate(cache.positions):
        index = positions[..., None].expand(-1, -1, DIM)
        assert torch.equal(keys[layer], tensors[layer].gather(1, index))
        assert torch.equal(values[layer], tensors[LAYERS + layer].gather(1, index))


@given(st.integers(33, 120), st.integers(32, 64), st.integers(0, 10**6))
@few
def test_selection_equals_brute_force(length: int, budget: int, seed: int) -> None:
    store, queries = grown(length, seed=seed), random_queries(seed)
    cache = PartialCache(budget)
    keys, values = cache.update(store, queries)
    if length <= budget:
        assert cache.positions == []
        return
    for layer in range(LAYERS):
        for head in range(KV_HEADS):
            kept = cache.positions[layer][head].tolist()
            assert kept == sorted(brute_force(store, queries[layer], layer, head, cache.num_selected))
    check_rows(cache, store, keys, values)


def test_a_text_within_the_budget_is_the_store_itself() -> None:
    store, cache = grown(40), PartialCache(40)
    keys, values = cache.update(store, random_queries(0))
    stored = store.tensors()
    assert [k.data_ptr() for k in keys] == [k.data_ptr() for k in stored[:LAYERS]]
    assert [v.data_ptr() for v in values] == [v.data_ptr() for v in stored[LAYERS:]]
    assert all(tensor.shape == (KV_HEADS, 40, DIM) for tensor in (*keys, *values))
    assert cache.num_bytes == 0


@given(st.lists(st.integers(1, 5), min_size=1, max_size=12), st.integers(0, 10**6))
@few
def test_what_follows_is_appended_and_a_full_budget_is_selected_again(pieces: list[int], seed: int) -> None:
    store, cache = grown(70, seed=seed), PartialCache(48)
    cache.update(store, random_queries(seed))
    held = cache.num_selected
    for number, piece in enumerate(pieces):
        selected = cache.positions[0].clone()
        grown(piece, store, seed)
        keys, values = cache.update(store, random_queries(seed + number))
        if held + piece <= cache.budget:
            held += piece
            newest = list(range(store.length - piece, store.length))
            assert cache.positions[0][0].tolist() == [*selected[0].tolist(), *newest]
        else:
            held = cache.num_selected
        assert cache.positions[0].shape == (KV_HEADS, held)
        check_rows(cache, store, keys, values)


def test_appending_needs_no_new_memory() -> None:
    store, cache = grown(70), PartialCache(48)
    keys, _ = cache.update(store, random_queries(0))
    num_bytes = cache.num_bytes
    grown(2, store)
    again, _ = cache.update(store, random_queries(1))
    assert again[0].data_ptr() == keys[0].data_ptr()
    assert cache.num_bytes == num_bytes == 2 * LAYERS * KV_HEADS * 48 * DIM * 4


def test_without_queries_the_newest_positions_are_kept() -> None:
    store, cache = grown(70), PartialCache(40)
    cache.update(store, [])
    newest = range(70 - (cache.num_selected - NUM_SINKS), 70)
    assert cache.positions[1][0].tolist() == [*range(NUM_SINKS), *newest]


def test_a_rewind_selects_again() -> None:
    store, cache = grown(90), PartialCache(40)
    cache.update(store, random_queries(0))
    store.truncate(60)
    keys, values = cache.update(store, random_queries(0))
    assert int(cache.positions[0].max()) < 60
    check_rows(cache, store, keys, values)


def test_reset_selects_again() -> None:
    store, cache = grown(90), PartialCache(40)
    cache.update(store, random_queries(0))
    cache.reset()
    assert cache.positions == []
    cache.update(store, random_queries(7))
    assert set(cache.positions[0][0].tolist()) == brute_force(
        store, random_queries(7)[0], 0, 0, cache.num_selected
    )


def test_scores_in_bfloat16_are_close() -> None:
    keys = torch.randn(KV_HEADS, 50, DIM, generator=torch.Generator().manual_seed(3))
    query = random_queries(3)[0]
    exact = position_scores(keys, query)
    torch.testing.assert_close(position_scores(keys.bfloat16(), query.bfloat16()), exact, rtol=0.1, atol=0.3)


def test_ascending_order_keeps_sinks_first() -> None:
    scores = torch.arange(40.0).flip(0).expand(1, 40)
    assert select(scores, 20)[0].tolist() == list(range(20))


def test_a_budget_has_room_for_more_than_sinks() -> None:
    with pytest.raises(ValueError, match="budget"):
        PartialCache(MIN_BUDGET - 1)


def test_a_static_selection_is_made_once_and_only_the_newest_follow() -> None:
    store, cache = grown(70), PartialCache(48, "static")
    cache.update(store, random_queries(0))
    chosen = [positions.clone() for positions in cache.positions]
    room = cache.budget - cache.num_selected
    for step in range(1, 20):
        grown(1, store)
        keys, values = cache.update(store, random_queries(step))
        for layer, positions in enumerate(cache.positions):
            assert torch.equal(positions[:, : cache.num_selected], chosen[layer])
            newest = positions[0, cache.num_selected :].tolist()
            assert newest == list(range(store.length - len(newest), store.length))
            assert room // 2 <= len(newest) <= room or step < room // 2
        check_rows(cache, store, keys, values)


def test_a_static_selection_takes_the_newest_of_a_long_step() -> None:
    store, cache = grown(70), PartialCache(48, "static")
    cache.update(store, random_queries(0))
    grown(30, store)
    keys, values = cache.update(store, random_queries(1))
    assert cache.positions[0][0, -3:].tolist() == [97, 98, 99]
    check_rows(cache, store, keys, values)


def test_a_window_on_the_newest_ignores_the_queries() -> None:
    store, cache = grown(70), PartialCache(40, "newest")
    cache.update(store, random_queries(0))
    newest = range(70 - (cache.num_selected - NUM_SINKS), 70)
    assert cache.positions[1][0].tolist() == [*range(NUM_SINKS), *newest]
