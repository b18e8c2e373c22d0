"""A kept cache: the same bits come back, and a file that is anything else is rejected in a sentence."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.torch import save_file

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.cache import resume_file
from quire_engine.cache.kv_store import KVStore

BELONGS = {"model": "m" * 64, "token_ids": "t"}
LENGTH = 11


def store_of(dtype: torch.dtype, length: int = LENGTH, *, heads: int = 2, seed: int = 1) -> KVStore:
    """Return a store of two layers that has held a text."""
    store, rng = KVStore(2, 32), torch.Generator().manual_seed(seed)
    with torch.inference_mode():
        for layer in range(2):
            keys, values = (torch.randn(heads, length, 8, generator=rng).to(dtype) for _ in range(2))
            store.write(layer, keys, values)
    store.commit(range(length))
    return store


def same(a: KVStore, b: KVStore, length: int = LENGTH) -> bool:
    pairs = zip(a.snapshot(), b.snapshot(), strict=True)
    return all(torch.equal(x[:, :length], y[:, :length]) for x, y in pairs)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A good file."""
    resume_file.write(store_of(torch.float32), LENGTH, BELONGS, tmp_path / "kept")
    return tmp_path / "kept"


def problem_of(path: Path, store: KVStore | None = None, belongs: dict[str, str] = BELONGS) -> str:
    """Return the sentence with which a file is rejected; nothing of it may be taken for the text."""
    store = store or store_of(torch.float32, seed=2)
    with pytest.raises(EnvironmentProblem) as caught:
        resume_file.read(store, LENGTH, belongs, path)
    assert store.length == 0 or same(store, store_of(torch.float32, seed=2))
    return str(caught.value)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16], ids=str)
@pytest.mark.parametrize("length", [1, 7, LENGTH, 50])
def test_what_was_kept_comes_back_bit_by_bit(tmp_path: Path, dtype: torch.dtype, length: int) -> None:
    store = KVStore(2, 32)
    written = store_of(dtype, max(length, LENGTH)) if length <= 32 else _large(dtype, length)
    num_bytes = resume_file.write(written, length, BELONGS, tmp_path / "kept")
    assert num_bytes == (tmp_path / "kept").stat().st_size
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]
    store = store_of(dtype, 5, seed=3)
    resume_file.read(store, length, BELONGS, tmp_path / "kept")
    assert store.length == length
    assert same(written, store, length)


def _large(dtype: torch.dtype, length: int) -> KVStore:
    store = store_of(dtype)
    store.reserve(length + 3)
    with torch.inference_mode():
        for layer in range(2):
            rows = torch.randn(2, length - LENGTH, 8).to(dtype)
            store.write(layer, rows, -rows)
    store.commit(range(length - LENGTH))
    return store


def test_an_old_file_is_replaced(kept: Path) -> None:
    resume_file.write(store_of(torch.float32, seed=5), LENGTH, BELONGS, kept)
    store = store_of(torch.float32)
    resume_file.read(store, LENGTH, BELONGS, kept)
    assert same(store, store_of(torch.float32, seed=5))


@pytest.mark.parametrize("key", BELONGS)
def test_a_file_of_something_else_is_rejected(kept: Path, key: str) -> None:
    assert "another text" in problem_of(kept, belongs=BELONGS | {key: "other"})
    assert "another text" in problem_of(kept, belongs=BELONGS | {"new": "key"})


def test_a_file_of_another_shape_is_rejected(kept: Path) -> None:
    store = store_of(torch.float32, heads=3)
    with pytest.raises(EnvironmentProblem, match="match the model"):
        resume_file.read(store, LENGTH, BELONGS, kept)
    with pytest.raises(EnvironmentProblem, match="match the model"):
        resume_file.read(store_of(torch.bfloat16), LENGTH, BELONGS, kept)
    with pytest.raises(EnvironmentProblem, match="match the model"):
        resume_file.read(store_of(torch.float32), LENGTH - 1, BELONGS, kept)
    with pytest.raises(EnvironmentProblem, match="match the model"):
        resume_file.read(KVStore(2, 32), LENGTH, BELONGS, kept)


def test_a_hostile_table_of_tensors_is_rejected(tmp_path: Path) -> None:
    metadata = {"format": resume_file.FORMAT, **BELONGS}
    good = {f"{kind}.{layer}": torch.zeros(2, LENGTH, 8) for kind in ("keys", "values") for layer in (0, 1)}
    for tensors in (
        good | {"keys.2": torch.zeros(1)},
        {name: tensor for name, tensor in good.items() if name != "values.1"},
        good | {"keys.0": torch.zeros(2, LENGTH, 8, dtype=torch.float64)},
        good | {"keys.0": torch.zeros(2 * LENGTH * 8)},
        good,  # no digest
    ):
        save_file(tensors, tmp_path / "kept", metadata)
        assert problem_of(tmp_path / "kept")


@settings(
    derandomize=True,
    deadline=None,
    max_examples=60,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_a_damaged_file_is_rejected(kept: Path, data: st.DataObject) -> None:
    """Any byte changed, the file cut anywhere, or grown: never a crash, never other bits."""
    good = kept.read_bytes()
    place = data.draw(st.integers(0, len(good) - 1))
    damaged = {
        "flip": good[:place] + bytes([good[place] ^ data.draw(st.integers(1, 255))]) + good[place + 1 :],
        "cut": good[:place],
        "grow": good + good[place:],
        "noise": data.draw(st.binary(max_size=200)),
    }[data.draw(st.sampled_from(["flip", "cut", "grow", "noise"]))]
    broken = kept.with_name("broken")
    broken.write_bytes(damaged)
    store = store_of(torch.float32, seed=2)
    said = ""
    try:
        resume_file.read(store, LENGTH, BELONGS, broken)
    except EnvironmentProblem as problem:
        said = str(problem)
    if said:
        assert said.endswith(".")
        assert store.length == 0 or same(store, store_of(torch.float32, seed=2))
    else:  # a byte that says nothing, such as a space of the header
        assert same(store, store_of(torch.float32))


def test_a_file_that_is_not_there_is_an_error_message(tmp_path: Path) -> None:
    assert "missing" in problem_of(tmp_path / "none")
    assert "missing" in problem_of(tmp_path)


@pytest.mark.parametrize("name", ["fsync", "replace"])
def test_a_full_disk_leaves_no_half_file(kept: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, name, full)
    before = kept.read_bytes()
    with pytest.raises(EnvironmentProblem, match="No space left"):
        resume_file.write(store_of(torch.float32, seed=4), LENGTH, BELONGS, kept)
    assert kept.read_bytes() == before
    assert [file.name for file in kept.parent.iterdir()] == ["kept"]


def test_a_folder_that_is_missing_is_an_error_message(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="could not be saved"):
        resume_file.write(store_of(torch.float32), LENGTH, BELONGS, tmp_path / "none" / "kept")


def test_the_header_is_what_any_reader_of_the_format_sees(kept: Path) -> None:
    data = kept.read_bytes()
    header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    assert header["__metadata__"]["model"] == BELONGS["model"]
    assert len(header) == 5


def test_token_ids_have_a_digest_that_tells_them_apart() -> None:
    digest: Callable[[list[int]], str] = resume_file.digest_of_ids
    assert len({digest(ids) for ids in ([], [0], [0, 0], [1, 2], [2, 1], [258], [2**40])}) == 7
