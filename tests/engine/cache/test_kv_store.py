"""The cache: what is committed stays, whatever is written, moved or grown around it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from quire_engine.cache.kv_store import KVStore
from tests.engine.tiny import few

LAYERS, KV_HEADS, DIM = 2, 2, 3


@pytest.fixture(autouse=True, scope="module")
def inference() -> Iterator[None]:
    """Passes run in inference mode, and so does everything that they write."""
    with torch.inference_mode():
        yield


def rows(marks: Sequence[int], layer: int) -> Tensor:
    """Return keys that tell their mark, layer, head and channel."""
    own = torch.arange(KV_HEADS * DIM).view(KV_HEADS, 1, DIM) + 100.0 * layer
    return own + 1000.0 * torch.tensor([float(mark) for mark in marks]).view(1, -1, 1)


def write_pass(store: KVStore, marks: Sequence[int]) -> None:
    """Write a pass over all layers, as a model does."""
    store.reserve(store.length + len(marks))
    for layer in range(LAYERS):
        store.write(layer, rows(marks, layer), -rows(marks, layer))


def assert_holds(store: KVStore, marks: Sequence[int]) -> None:
    """Check the committed rows of every layer, values too."""
    assert store.length == len(marks)
    wanted = [rows(marks, layer) for layer in range(LAYERS)]
    snapshot = store.snapshot()
    assert len(snapshot) == 2 * LAYERS
    for got, key in zip(snapshot, [*wanted, *[-key for key in wanted]], strict=True):
        assert torch.equal(got, key)


def test_a_new_store_is_empty_and_takes_no_memory() -> None:
    store = KVStore(LAYERS, 8)
    assert (store.length, store.capacity, store.num_bytes, store.snapshot()) == (0, 8, 0, ())


def test_written_rows_count_only_once_committed() -> None:
    store = KVStore(LAYERS, 8)
    write_pass(store, [1, 2, 3])
    assert store.length == 0
    store.commit([0, 1, 2])
    assert_holds(store, [1, 2, 3])


def test_writing_returns_the_whole_layer_with_the_new_rows_in_their_place() -> None:
    store = KVStore(LAYERS, 8)
    write_pass(store, [1, 2])
    store.commit([0, 1])
    keys, values = store.write(1, rows([3], 1), -rows([3], 1))
    assert keys.shape == values.shape == (KV_HEADS, 8, DIM)
    assert torch.equal(keys[:, :3], rows([1, 2, 3], 1))
    assert torch.equal(values[:, :3], -rows([1, 2, 3], 1))
    assert not bool(keys[:, 3:].any())  # what was never written is 0, not what the memory held before


@pytest.mark.parametrize("path", [[0], [0, 1, 2], [0, 2], [0, 3, 5], [0, 1, 4, 7], [2, 5, 6]])
def test_a_scattered_path_is_kept_as_if_it_had_been_read_alone(path: list[int]) -> None:
    store = KVStore(LAYERS, 32)
    write_pass(store, [90, 91])
    store.commit([0, 1])
    write_pass(store, range(8))
    store.commit(path)
    assert_holds(store, [90, 91, *path])
    write_pass(store, [50, 51])
    store.commit([1])
    assert_holds(store, [90, 91, *path, 51])


def test_committing_nothing_keeps_nothing() -> None:
    store = KVStore(LAYERS, 8)
    write_pass(store, [1, 2])
    store.commit([])
    assert store.length == 0


def test_truncation_forgets_the_end_and_room_is_written_again() -> None:
    store = KVStore(LAYERS, 8)
    write_pass(store, [1, 2, 3, 4])
    store.commit(range(4))
    store.truncate(2)
    assert_holds(store, [1, 2])
    write_pass(store, [7])
    store.commit([0])
    assert_holds(store, [1, 2, 7])


@pytest.mark.parametrize("length", [-1, 4])
def test_a_store_is_not_truncated_to_what_it_does_not_hold(length: int) -> None:
    store = KVStore(LAYERS, 8)
    write_pass(store, [1, 2, 3])
    store.commit(range(3))
    with pytest.raises(ValueError, match=str(length)):
        store.truncate(length)
    assert_holds(store, [1, 2, 3])


def test_room_that_is_there_is_not_made_again() -> None:
    store = KVStore(LAYERS, 8)
    write_pass(store, [1])
    before, _ = store.write(0, rows([1], 0), rows([1], 0))
    store.reserve(8)
    after, _ = store.write(0, rows([1], 0), rows([1], 0))
    assert after is before
    assert store.capacity == 8


def test_growth_at_least_doubles_and_keeps_what_is_committed() -> None:
    store = KVStore(LAYERS, 4)
    write_pass(store, [1, 2, 3])
    store.commit(range(3))
    store.reserve(5)
    assert store.capacity == 8
    assert_holds(store, [1, 2, 3])
    store.reserve(100)
    assert store.capacity == 100
    assert_holds(store, [1, 2, 3])
    assert store.num_bytes == 2 * LAYERS * KV_HEADS * 100 * DIM * 4


def test_a_snapshot_stays_as_it_was() -> None:
    store = KVStore(LAYERS, 8)
    write_pass(store, [1])
    store.commit([0])
    snapshot = store.snapshot()
    store.truncate(0)
    write_pass(store, [9])
    assert torch.equal(snapshot[0], rows([1], 0))


@st.composite
def passes(draw: st.DrawFn) -> list[tuple[list[int], list[int], int]]:
    """Return passes: the marks written, which of them to keep, how many rows to forget afterwards."""
    whole = []
    for _ in range(draw(st.integers(1, 8))):
        marks = draw(st.lists(st.integers(0, 99), min_size=1, max_size=9))
        kept = sorted(draw(st.sets(st.integers(0, len(marks) - 1))))
        whole.append((marks, kept, draw(st.integers(0, 3))))
    return whole


@few
@given(passes(), st.integers(1, 6))
def test_a_store_holds_what_a_list_would(
    history: list[tuple[list[int], list[int], int]], first_capacity: int
) -> None:
    store = KVStore(LAYERS, first_capacity)
    held: list[int] = []
    for marks, kept, forgotten in history:
        write_pass(store, marks)
        store.commit(kept)
        held += [marks[row] for row in kept]
        held = held[: max(0, len(held) - forgotten)]
        store.truncate(len(held))
        assert_holds(store, held)
