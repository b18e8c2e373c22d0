"""Growth near the end of memory: less is taken before anything is given up, and what is held stays."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.config import CacheForm
from quire_engine.cache import kv_growth
from quire_engine.cache.kv_formats import FORMS, Cached
from quire_engine.cache.kv_growth import SPARE, capacities
from quire_engine.cache.kv_store import KVStore
from tests.engine.tiny import few

LAYERS, HEADS, DIM = 3, 2, 4
ALL_FORMS: list[CacheForm] = ["full", "float8", "computer"]


@torch.inference_mode()
def filled(form: CacheForm, length: int, capacity: int) -> KVStore:
    store, rng = KVStore(LAYERS, capacity, FORMS[form]), torch.Generator().manual_seed(1)
    for layer in range(LAYERS):
        store.write(layer, *(torch.randn(HEADS, length, DIM, generator=rng) for _ in range(2)))
    store.commit(range(length))
    return store


def give_only(
    monkeypatch: pytest.MonkeyPatch, store: KVStore, slots: int, error: Callable[[], Exception]
) -> list[int]:
    """Let all layers together have so many slots, old and new; return the capacities that were asked for."""
    usual, asked = kv_growth._resized, list[int]()

    def resized(old: Cached, length: int, capacity: int) -> Cached:
        asked.append(capacity)
        if sum(int(held.shape[1]) for held in store.held()) + capacity > slots:
            raise error()
        return usual(old, length, capacity)

    monkeypatch.setattr(kv_growth, "_resized", resized)
    return asked


@few
@given(st.integers(1, 10_000), st.integers(1, 5_000))
def test_what_is_tried_has_room_and_gets_smaller(slots: int, capacity: int) -> None:
    tried = capacities(slots, capacity)
    assert tried[0] == max(slots, 2 * capacity)
    assert all(each >= slots for each in tried)
    assert list(tried) == sorted(set(tried), reverse=True)
    assert tried[-1] <= max(slots + SPARE, tried[0])


@pytest.mark.parametrize("form", ALL_FORMS)
@pytest.mark.parametrize(
    "error",
    [
        MemoryError,
        lambda: torch.OutOfMemoryError("CUDA out of memory."),
        lambda: RuntimeError("can't allocate"),
    ],
    ids=["python", "cuda", "cpu"],
)
def test_where_twice_as_much_is_not_there_a_little_more_is_taken(
    form: CacheForm, error: Callable[[], Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    store = filled(form, 100, 1000)
    before = store.snapshot()
    asked = give_only(monkeypatch, store, 2 * LAYERS * 1130 + 1130, error)
    store.reserve(1001)
    assert store.capacity == 1125
    assert {held.shape[1] for held in store.held()} == {1125}
    assert max(asked) == 2000
    assert all(torch.equal(a, b) for a, b in zip(before, store.snapshot(), strict=True))
    assert not any(bool(tensor[:, 100:].any()) for tensor in store.tensors())


def test_the_last_attempt_is_what_is_needed_and_a_little(monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled("full", 100, 1000)
    asked = give_only(monkeypatch, store, 2 * LAYERS * 1070 + 1070, MemoryError)
    store.reserve(1001)
    assert store.capacity == 1001 + SPARE
    assert sorted(set(asked), reverse=True) == [2000, 1125, 1065]


def test_layers_that_got_twice_as_much_give_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for two layers of twice the size: they are made smaller again before the others grow."""
    store = filled("full", 100, 1000)
    asked = give_only(monkeypatch, store, 2 * LAYERS * 1000 + 3 * 1000 + 300, MemoryError)
    store.reserve(1001)
    assert store.capacity == 1125
    assert asked == [2000] * 3 + [1125] * 2 * LAYERS


def test_memory_that_is_not_there_at_all_is_reported_and_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = filled("full", 100, 1000)
    before = store.snapshot()
    give_only(monkeypatch, store, 2 * LAYERS * 1000, MemoryError)
    with pytest.raises(MemoryError):
        store.reserve(1001)
    assert (store.capacity, store.length) == (1000, 100)
    assert all(torch.equal(a, b) for a, b in zip(before, store.snapshot(), strict=True))


def test_another_error_is_not_taken_for_want_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    store = filled("full", 100, 1000)
    asked = give_only(monkeypatch, store, 0, lambda: RuntimeError("shapes differ"))
    with pytest.raises(RuntimeError, match="shapes differ"):
        store.reserve(1001)
    assert asked == [2000]
