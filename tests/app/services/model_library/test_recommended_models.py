"""What is recommended: by memory, with sizes that hold for the real models."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from quire.services.model_library.recommended_models import RECOMMENDED, RecommendedModel, recommendations
from quire_engine.catalog.inspection import ModelFacts, inspect_folder
from quire_engine.catalog.memory_fit import FreeMemory
from quire_engine.catalog.model_families import FAMILIES
from quire_engine.catalog.repositories import checked_name
from tests.engine.tiny import save

GB = 10**9
BY_NAME = {model.name: model for model in RECOMMENDED}


def best(memory: FreeMemory) -> str:
    """Return the name of what is recommended for a computer."""
    found = [each.model.name for each in recommendations(memory) if each.is_best]
    assert len(found) <= 1
    return found[0] if found else ""


@pytest.mark.parametrize(
    ("name", "millions", "gigabytes"),
    [
        ("SmolLM2 360M", 362, 0.72),
        ("SmolLM2 1.7B", 1_711, 3.42),
        ("SmolLM3 3B", 3_075, 6.15),
        ("Qwen3 4B", 4_022, 8.04),
        ("Qwen3 8B", 8_191, 16.38),
        ("Qwen3 14B", 14_768, 29.54),
    ],
)
def test_parameters_and_downloads_are_those_that_the_makers_state(
    name: str, millions: int, gigabytes: float
) -> None:
    model = BY_NAME[name]
    assert round(model.facts.num_parameters / 1e6) == millions
    assert round(model.facts.num_bytes / 1e9, 2) == gigabytes


@pytest.mark.parametrize("family", ["llama", "qwen3", "smollm3"])
def test_what_is_reckoned_from_shapes_is_what_a_folder_shows(tmp_path: Path, family: str) -> None:
    save(family, tmp_path)
    facts = inspect_folder(tmp_path)
    assert isinstance(facts, ModelFacts)
    listed = RecommendedModel("maker/tiny", "Tiny", False, "", facts.architecture).facts
    assert (listed.num_parameters, listed.roundable) == (facts.num_parameters, facts.roundable)
    assert listed.kv_bytes_per_token("bfloat16") == facts.kv_bytes_per_token("bfloat16")


@pytest.mark.parametrize(
    ("free", "dtype", "expected"),
    [
        (GB // 2, "bfloat16", ""),
        (1 * GB, "bfloat16", "SmolLM2 360M"),
        (2 * GB, "bfloat16", "SmolLM2 360M"),
        (3 * GB, "bfloat16", "SmolLM2 1.7B"),
        (6 * GB, "bfloat16", "SmolLM3 3B"),
        (8 * GB, "bfloat16", "Qwen3 4B"),
        (12 * GB, "bfloat16", "Qwen3 4B"),
        (64 * GB, "bfloat16", "Qwen3 4B"),  # larger ones fit and are slow
        (6 * GB, "float32", "SmolLM3 3B"),  # what nobody chose is Fast, whatever the processor multiplies
        (8 * GB, "float32", "Qwen3 4B"),
    ],
)
def test_the_largest_model_that_fits_and_is_quick_is_recommended(
    free: int, dtype: str, expected: str
) -> None:
    memory = FreeMemory(free, dtype="bfloat16" if dtype == "bfloat16" else "float32")
    assert best(memory) == expected


@pytest.mark.parametrize(
    ("card", "expected"), [(8 * GB, "SmolLM2 1.7B"), (24 * GB, "Qwen3 8B"), (80 * GB, "Qwen3 14B")]
)
def test_a_graphics_card_takes_larger_ones(card: int, expected: str) -> None:
    assert best(FreeMemory(16 * GB, card, "A card", "bfloat16", card)) == expected


def test_those_that_fit_but_are_slow_are_marked() -> None:
    slow = [
        each.model.name for each in recommendations(FreeMemory(64 * GB, dtype="bfloat16")) if each.is_slow
    ]
    assert slow == ["Qwen3 8B", "Qwen3 14B"]
    assert not any(each.is_slow for each in recommendations(FreeMemory(1 * GB)))


def test_a_model_needs_room_for_a_byte_a_number_even_before_it_was_ever_loaded() -> None:
    listed = {each.model.name: each.fit for each in recommendations(FreeMemory(4 * GB))}
    small, large = listed["SmolLM2 1.7B"], listed["Qwen3 4B"]
    assert 1.7 * GB < small.weights < small.needed < 4 * GB
    assert 4 * GB < large.weights < 5 * GB
    assert large.largest_goal == 0
    assert "before the first word" in large.advice


def test_without_knowledge_of_the_memory_nothing_is_recommended() -> None:
    found = recommendations(FreeMemory(0))
    assert [each.model for each in found] == list(RECOMMENDED)
    assert not any(each.fit.fits or each.is_best for each in found)


def test_every_one_is_of_a_family_that_is_loaded_and_has_a_licence() -> None:
    for model in RECOMMENDED:
        assert model.architecture.model_type in FAMILIES
        assert checked_name(model.repository) == model.repository
        assert model.licence
    assert [model.facts.num_bytes for model in RECOMMENDED] == sorted(
        model.facts.num_bytes for model in RECOMMENDED
    )


def test_a_model_that_answers_is_not_what_is_recommended() -> None:
    chat = tuple(replace(model, is_chat=True) for model in RECOMMENDED)
    assert not any(each.is_best for each in recommendations(FreeMemory(64 * GB), chat))
