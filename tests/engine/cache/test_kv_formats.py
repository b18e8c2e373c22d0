"""Other forms of the store: what is read follows from what was written there, and nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st
from torch import Tensor

from quire_engine.api.config import CacheForm
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.cache import kv_formats, resume_file
from quire_engine.cache.kv_formats import FORMS, Float8Rows, HostRows, decoded, encoded
from quire_engine.cache.kv_store import KVStore
from quire_engine.drafting.paper.partial_cache import MIN_BUDGET, PartialCache
from tests.engine.tiny import few

LAYERS, HEADS, DIM = 2, 3, 16
DTYPES = [torch.float32, torch.bfloat16]
OTHERS: list[CacheForm] = ["float8", "computer"]
NUMBERS = st.floats(width=32, allow_nan=False, allow_infinity=False)


@pytest.fixture(autouse=True, scope="module")
def inference() -> Iterator[None]:
    with torch.inference_mode():
        yield


def rows_of(marks: list[int], layer: int, dtype: torch.dtype) -> Tensor:
    """Return rows that depend on their mark and layer alone."""
    made = [
        torch.randn(HEADS, 1, DIM, generator=torch.Generator().manual_seed(97 * m + layer)) for m in marks
    ]
    return torch.cat(made, dim=1).to(dtype)


def write_pass(store: KVStore, marks: list[int], dtype: torch.dtype) -> None:
    store.reserve(store.length + len(marks))
    for layer in range(LAYERS):
        store.write(layer, rows_of(marks, layer, dtype), -3 * rows_of(marks, layer, dtype))


def read_back(form: CacheForm, rows: Tensor) -> Tensor:
    return decoded(*encoded(rows), rows.dtype) if form == "float8" else rows


# ---------------------------------------------------------------- eight bits a number
@few
@given(st.lists(NUMBERS, min_size=1, max_size=8), st.sampled_from(DTYPES))
@example([3.2964854295465914e38], torch.float32)  # rounded up it would be 2**128
def test_what_was_decoded_and_is_written_again_decodes_to_the_same_bits(
    numbers: list[float], dtype: torch.dtype
) -> None:
    rows = torch.tensor(numbers).to(dtype)[None, None]
    rows = rows.clamp(*(float(limit) for limit in (torch.finfo(dtype).min, torch.finfo(dtype).max)))
    once = decoded(*encoded(rows), dtype)
    assert bool(once.isfinite().all())
    assert torch.equal(decoded(*encoded(once), dtype), once)


@few
@given(st.lists(st.floats(2**-7, 1, width=32), min_size=1, max_size=8), st.integers(-90, 90))
def test_no_number_near_the_largest_is_off_by_more_than_a_sixteenth(numbers: list[float], power: int) -> None:
    rows = torch.tensor(numbers)[None, None] * 2.0**power
    assert bool(((decoded(*encoded(rows), torch.float32) - rows).abs() <= rows.abs() / 16).all())


def test_every_number_that_float8_knows_is_kept_as_it_is() -> None:
    known = torch.arange(256, dtype=torch.uint8).view(torch.float8_e4m3fn).float()
    known = known[known.isfinite()]
    for dtype in DTYPES:
        for power in (-20, 0, 3):
            rows = (known * 2.0**power).to(dtype)[None, None]
            assert torch.equal(decoded(*encoded(rows), dtype), rows)
    assert not bool(decoded(*encoded(torch.zeros(2, 3, 4)), torch.float32).any())


def test_a_row_does_not_depend_on_its_neighbours() -> None:
    rows = rows_of([1, 2, 3], 0, torch.bfloat16)
    rows[:, 1] *= 1000
    together = decoded(*encoded(rows), rows.dtype)
    alone = [decoded(*encoded(rows[:, place : place + 1]), rows.dtype) for place in range(3)]
    assert torch.equal(together, torch.cat(alone, dim=1))


def test_eight_bits_take_half_the_memory_and_a_byte_for_each_position_and_head() -> None:
    stores = {form: KVStore(LAYERS, 64, FORMS[form]) for form in ("full", *OTHERS)}
    for store in stores.values():
        write_pass(store, [1, 2], torch.bfloat16)
    assert stores["full"].num_bytes == stores["computer"].num_bytes == 2 * LAYERS * HEADS * 64 * DIM * 2
    assert stores["float8"].num_bytes == 2 * LAYERS * HEADS * 64 * (DIM + 1)
    assert [store.bytes_per_position * 64 for store in stores.values()] == [
        store.num_bytes for store in stores.values()
    ]


# ---------------------------------------------------------------- as a store
@st.composite
def histories(draw: st.DrawFn) -> list[tuple[list[int], list[int], int]]:
    """Return passes: the marks written, which of them to keep, how many positions to forget afterwards."""
    whole = []
    for _ in range(draw(st.integers(1, 6))):
        marks = draw(st.lists(st.integers(0, 99), min_size=1, max_size=9))
        kept = sorted(draw(st.sets(st.integers(0, len(marks) - 1))))
        whole.append((marks, kept, draw(st.integers(0, 3))))
    return whole


@few
@given(histories(), st.integers(1, 6), st.sampled_from(OTHERS), st.sampled_from(DTYPES))
def test_whatever_happens_a_position_reads_as_what_was_written_there(
    history: list[tuple[list[int], list[int], int]], capacity: int, form: CacheForm, dtype: torch.dtype
) -> None:
    store, held = KVStore(LAYERS, capacity, FORMS[form]), list[int]()
    for marks, kept, forgotten in history:
        write_pass(store, marks, dtype)
        store.commit(kept)
        held += [marks[row] for row in kept]
        held = held[: max(0, len(held) - forgotten)]
        store.truncate(len(held))
    copy = KVStore(LAYERS, 2, FORMS[form])
    copy.copy_from(store, len(held))
    for one in (store, copy) if held else ():
        for place, got in enumerate(one.snapshot()):
            rows = rows_of(held, place % LAYERS, dtype)
            wanted = read_back(form, rows) if place < LAYERS else read_back(form, -3 * rows)
            assert torch.equal(got, wanted)


@pytest.mark.parametrize("form", OTHERS)
def test_what_a_layer_reads_is_a_tensor_in_its_own_numbers(form: CacheForm) -> None:
    store = KVStore(1, 8, FORMS[form])
    keys, values = store.write(
        0, rows_of([1, 2, 3], 0, torch.bfloat16), rows_of([4, 5, 6], 0, torch.bfloat16)
    )
    assert keys.shape == values.shape == (HEADS, 8, DIM)
    chosen = keys.index_select(1, torch.tensor([2, 0, 2]))
    assert chosen.dtype == keys.dtype == torch.bfloat16
    assert chosen.device == keys.device
    assert torch.equal(chosen, read_back(form, rows_of([3, 1, 3], 0, torch.bfloat16)))
    assert not bool(keys[:, 3:].any())
    with pytest.raises(ValueError, match="dimension 1"):
        keys.index_select(2, torch.tensor([0]))
    store.release()
    assert (store.length, store.num_bytes > 0) == (0, True)
    assert not bool(store.tensors()[0].any())


def test_one_form_does_not_take_what_another_holds() -> None:
    size = (1, 4, 8)
    made = [kind(size, torch.float32, torch.device("cpu")) for kind in (Float8Rows, HostRows)]
    for one, other in (made, made[::-1]):
        with pytest.raises(TypeError, match="cannot take"):
            one.take(other, 1)


def test_rows_of_the_computer_are_brought_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What attention gets are copies, as of another device; what it would write there is lost."""
    moved: list[int] = []

    def as_from_afar(rows: Tensor, device: torch.device) -> Tensor:
        moved.append(rows.shape[1])
        return rows.clone(memory_format=torch.contiguous_format).to(device)

    monkeypatch.setattr(kv_formats, "brought", as_from_afar)
    held = HostRows((HEADS, 8, DIM), torch.float32, torch.device("cpu"))
    held[:, 0:2] = rows_of([1, 2], 0, torch.float32)
    held[:, 0:2].zero_()
    assert torch.equal(held.index_select(1, torch.tensor([1])), rows_of([2], 0, torch.float32))
    assert moved == [2, 1]


# ---------------------------------------------------------------- what looks at a store
@pytest.mark.parametrize("form", OTHERS)
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_a_file_brings_back_what_was_read(tmp_path: Path, form: CacheForm, dtype: torch.dtype) -> None:
    store = KVStore(LAYERS, 8, FORMS[form])
    write_pass(store, [7, 8, 9, 10], dtype)
    store.commit(range(4))
    resume_file.write(store, 4, {"dtype": form}, tmp_path / "kept")
    again = KVStore(LAYERS, 2, FORMS[form])
    write_pass(again, [1], dtype)
    with pytest.raises(EnvironmentProblem, match="another"):
        resume_file.read(again, 4, {"dtype": "full"}, tmp_path / "kept")
    resume_file.read(again, 4, {"dtype": form}, tmp_path / "kept")
    assert all(torch.equal(a, b) for a, b in zip(store.snapshot(), again.snapshot(), strict=True))


@pytest.mark.parametrize("form", OTHERS)
def test_a_partial_cache_chooses_from_what_is_read(form: CacheForm) -> None:
    plain, other = KVStore(LAYERS, 8), KVStore(LAYERS, 8, FORMS[form])
    marks = list(range(MIN_BUDGET + 20))
    for layer in range(LAYERS):
        for store in (plain, other):
            store.reserve(len(marks) + 8)
            rows = rows_of(marks, layer, torch.float32)
            # the plain store gets what the other one would read
            store.write(
                layer, *((rows, -rows) if store is other else (read_back(form, rows), read_back(form, -rows)))
            )
    for store in (plain, other):
        store.commit(range(len(marks)))
    queries = [torch.randn(HEADS, DIM, generator=torch.Generator().manual_seed(3)) for _ in range(LAYERS)]
    ours, wanted = PartialCache(MIN_BUDGET), PartialCache(MIN_BUDGET)
    for a, b in zip(ours.update(other, queries), wanted.update(plain, queries), strict=True):
        assert all(torch.equal(x, y) for x, y in zip(a, b, strict=True))
    assert all(torch.equal(x, y) for x, y in zip(ours.positions, wanted.positions, strict=True))
