"""Whether a model fits: the engine's own figures, and advice that can be followed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from quire_engine.api.config import FIRST_SLOTS
from quire_engine.cache.kv_store import KVStore
from quire_engine.catalog.architecture import Architecture
from quire_engine.catalog.computer_memory import read_memory
from quire_engine.catalog.inspection import ModelFacts, inspect_folder
from quire_engine.catalog.memory_fit import (
    fit,
    free_memory,
    gigabytes,
    workspace_bytes,
)
from quire_engine.models.loading import inspect_folder as engine_inspects
from quire_engine.models.memory_footprint import reckoned_workspace
from tests.engine.tiny import few


def of_size(layers: int, kv_heads: int, parameters: int, context: int = 131_072) -> ModelFacts:
    """Facts as those of a model of today; the sizes of LLaMA 3.1 8B unless given."""
    shape = (layers, 4096, 14336, 128_256, 32, kv_heads, 128, 0)
    sizes = Architecture("llama", *shape, context, is_tied=False, rope="", names_program=False)
    return ModelFacts(Path("/models/big"), sizes, parameters, {"BF16": 2 * parameters}, (), False, "")


BIG = of_size(32, 8, 8_030_261_248)


def test_a_known_model_takes_what_it_is_known_to_take() -> None:
    found = fit(BIG, 24 * 10**9, "bfloat16", 4096, on_gpu=True)
    assert found.weights == 16_060_522_496
    assert BIG.kv_bytes_per_token("bfloat16") == 131_072
    assert found.fits
    assert found.advice.startswith("Fits a text of 4,096 tokens")


def test_a_goal_that_is_too_long_names_the_longest_one() -> None:
    found = fit(BIG, 24 * 10**9, "bfloat16", 131_072, on_gpu=True)
    assert not found.fits
    assert 4096 <= found.largest_goal < 131_072
    assert f"{found.largest_goal:,}" in found.advice
    assert fit(BIG, 24 * 10**9, "bfloat16", found.largest_goal, on_gpu=True).fits


def test_a_model_that_does_not_fit_at_all_says_so() -> None:
    found = fit(BIG, 8 * 10**9, "float32", 1000)
    assert found.largest_goal == 0
    assert "before the first word" in found.advice
    assert "bfloat16" in found.advice


def test_smaller_weights_are_advised_where_only_they_fit() -> None:
    big = replace(BIG, roundable=(7_504_658_432, 1_000_000))
    found = fit(big, 14 * 10**9, "bfloat16", 4096, on_gpu=True)
    assert not found.fits
    assert "8-bit numbers it fits" in found.advice
    small = fit(big, 14 * 10**9, "bfloat16", 4096, on_gpu=True, weights="int8")
    assert small.fits
    assert "8-bit" not in small.advice
    assert small.weights < 0.56 * found.weights
    fast = fit(big, 14 * 10**9, "bfloat16", 4096, weights="int8")  # in whole numbers, the cache too
    assert fast.weights < 0.65 * found.weights
    assert fast.kv < 0.6 * fit(big, 14 * 10**9, "bfloat16", 4096).kv
    assert "8-bit" not in fit(big, 4 * 10**9, "bfloat16", 4096, on_gpu=True).advice
    assert "8-bit" not in fit(BIG, 14 * 10**9, "bfloat16", 4096, on_gpu=True).advice


@few
@given(
    st.integers(10**6, 10**11),
    st.integers(1, 200_000),
    st.sampled_from(["float32", "bfloat16"]),
    st.integers(1, 80),
    st.booleans(),
)
def test_the_largest_goal_is_the_largest(free: int, goal: int, dtype: str, layers: int, on_gpu: bool) -> None:
    facts = of_size(layers, 8, 10**8)
    found = fit(facts, free, dtype, goal, on_gpu=on_gpu)  # type: ignore[arg-type]  # one of the two
    assert found.advice.isprintable()
    assert found.advice.endswith(".")
    assert found.fits == (found.goal_tokens <= found.largest_goal)
    largest = found.largest_goal
    if largest:
        assert fit(facts, free, dtype, largest, on_gpu=on_gpu).fits  # type: ignore[arg-type]
    if largest < facts.context_length:
        assert not fit(facts, free, dtype, largest + 1, on_gpu=on_gpu).fits  # type: ignore[arg-type]


@pytest.mark.parametrize("tokens", [1, 4096, 4097, 10_000, 60_000])
def test_the_store_grows_as_estimated(tokens: int) -> None:
    store = KVStore(1, FIRST_SLOTS + 8)
    for end in range(512, tokens + 512, 512):
        store.reserve(min(end, tokens))
        store.reserve(min(end, tokens) + 8)
    per_token = BIG.kv_bytes_per_token("float32")
    assert fit(BIG, 10**12, "float32", tokens).kv == store.capacity * per_token


def test_the_workspace_is_the_engines(llama: Path) -> None:
    facts = inspect_folder(llama)
    assert isinstance(facts, ModelFacts)
    for name, dtype in (("float32", torch.float32), ("bfloat16", torch.bfloat16)):
        wanted = reckoned_workspace(engine_inspects(llama).config, dtype, 8)
        assert workspace_bytes(facts, name, 8) == wanted  # type: ignore[arg-type]  # one of the two


# ---------------------------------------------------------------- what is free
def test_this_computer_has_memory() -> None:
    assert 10**7 < read_memory().free < 10**14
    assert free_memory().gpu == 0
    assert free_memory().where_it_runs == pytest.approx(read_memory().free, rel=0.2)


def test_gpus_count_before_the_memory_and_together(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = [(3 * 10**9, 10**10), (7 * 10**9, 10**10)]
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "mem_get_info", lambda number: cards[number])
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda number: f"Card {number}")
    found = free_memory(ask_gpu=True)
    assert (found.gpu, found.gpu_name, found.where_it_runs) == (10**10, "2 graphics cards", 10**10)
    assert found.for_model(BIG) == 10**10
    whole = replace(BIG, architecture=replace(BIG.architecture, model_type="gemma2"))
    assert found.for_model(whole) == 3 * 10**9  # the engine cannot part its layers
    assert found.dtype == "bfloat16"
    cards.pop()
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    one = free_memory(ask_gpu=True)
    assert (one.gpu, one.gpu_name, one.for_model(whole)) == (3 * 10**9, "Card 0", 3 * 10**9)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert free_memory(ask_gpu=True).gpu == 0


@pytest.mark.parametrize(
    ("size", "said"), [(0, "0 MB"), (3_400_000, "3 MB"), (16_060_522_496, "16.1 GB"), (4e11, "400 GB")]
)
def test_sizes_are_for_people(size: int, said: str) -> None:
    assert gigabytes(int(size)) == said
