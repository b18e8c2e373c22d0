"""Which form of a model is recommended: the finest one that this computer holds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from quire.services.model_library.download_choices import (
    ChoiceFit,
    download_choices,
    free_disk_at,
)
from quire_engine.catalog.gguf_variants import find_variants
from quire_engine.catalog.memory_fit import FreeMemory
from quire_engine.catalog.repositories import Repository
from quire_engine.catalog.repository_file import RepositoryFile

GB = 10**9
SIZES = {"Q2_K": 3.2, "Q4_K_M": 4.9, "Q6_K": 6.6, "Q8_0": 8.5, "BF16": 16.1}
FOLDER = (RepositoryFile("model.safetensors", 16 * GB, "0" * 64),)


def listed(*, folder: bool = False, parameters: int = 8 * GB) -> Repository:
    files = [
        RepositoryFile(f"Tale-{label}.gguf", round(size * GB), "0" * 64) for label, size in SIZES.items()
    ]
    variants = find_variants(files, parameters)
    return Repository("maker/tale", "a" * 40, FOLDER if folder else (), "mit", False, variants=variants)


def best(found: Repository, memory: FreeMemory | None, free_disk: int = 0) -> str | None:
    chosen = [each for each in download_choices(found, memory, free_disk) if each.is_best]
    assert len(chosen) <= 1
    return (chosen[0].repository.variant or "folder") if chosen else None


@pytest.mark.parametrize("parameters", [8 * GB, 0])
def test_the_finest_quantisation_up_to_q8_0_is_recommended_where_the_model_fits(parameters: int) -> None:
    found = listed(parameters=parameters)
    choices = download_choices(found, FreeMemory(30 * GB, dtype="bfloat16"))
    assert [each.repository.variant for each in choices] == list(SIZES)
    assert {each.fit for each in choices} == {ChoiceFit.FITS}
    assert best(found, FreeMemory(30 * GB, dtype="bfloat16")) == "Q8_0"
    assert not any(each.is_slow for each in choices)
    assert not any(each.is_slow for each in download_choices(found, FreeMemory(0, 30 * GB, dtype="bfloat16")))


def test_a_processor_is_slow_where_each_word_reads_a_large_file() -> None:
    files = [
        RepositoryFile(f"Tale-{each}.gguf", size * GB, "0" * 64)
        for each, size in (("Q4_K_M", 8), ("Q8_0", 15))
    ]
    found = replace(listed(), variants=find_variants(files, 14 * GB))
    assert [each.is_slow for each in download_choices(found, FreeMemory(30 * GB))] == [False, True]


def test_what_fits_with_smaller_weights_alone_is_said_and_what_does_not_fit_is_not_recommended() -> None:
    small = FreeMemory(30 * GB, 12 * GB, dtype="bfloat16")
    assert {each.fit for each in download_choices(listed(), small)} == {ChoiceFit.FITS_SMALLER}
    assert best(listed(), small) == "Q8_0"
    tiny = FreeMemory(30 * GB, 4 * GB, dtype="bfloat16")
    assert {each.fit for each in download_choices(listed(), tiny)} == {ChoiceFit.TOO_LARGE}
    assert best(listed(), tiny) is None
    assert {each.fit for each in download_choices(listed())} == {ChoiceFit.UNKNOWN}
    assert best(listed(), None) is None


def test_a_processor_needs_memory_for_the_file_as_it_is() -> None:
    fits = {each.repository.variant: each.fit for each in download_choices(listed(), FreeMemory(8 * GB))}
    wanted = {"Q2_K": ChoiceFit.FITS, "Q4_K_M": ChoiceFit.FITS, "Q6_K": ChoiceFit.FITS}
    assert fits == wanted | {"Q8_0": ChoiceFit.TOO_LARGE, "BF16": ChoiceFit.TOO_LARGE}
    assert best(listed(), FreeMemory(8 * GB)) == "Q6_K"
    assert best(listed(), FreeMemory(6 * GB)) == "Q4_K_M"
    assert best(listed(), FreeMemory(3 * GB)) is None


def test_the_disk_must_hold_the_download() -> None:
    memory = FreeMemory(30 * GB, dtype="bfloat16")
    assert best(listed(), memory, 10 * GB) == "Q8_0"
    assert best(listed(), memory, 9 * GB) == "Q6_K"
    assert best(listed(), memory, 4 * GB) is None


def test_the_models_own_folder_is_recommended_before_its_quantisations() -> None:
    memory = FreeMemory(30 * GB, dtype="bfloat16")
    choices = download_choices(listed(folder=True), memory)
    assert (choices[-1].repository.files, choices[-1].repository.variants) == (FOLDER, ())
    assert best(listed(folder=True), memory) == "folder"
    assert best(listed(folder=True), memory, 24 * GB) == "folder"  # it is not imported


def test_of_models_of_several_sizes_the_largest_that_fits_is_recommended() -> None:
    sizes = {"Tale-1B-Q8_0": 1.1, "Tale-4B-Q4_K_M": 2.5, "Tale-4B-Q8_0": 4.3, "Tale-70B-Q8_0": 75.0}
    files = [RepositoryFile(f"{name}.gguf", round(size * GB), "0" * 64) for name, size in sizes.items()]
    found = replace(listed(), variants=find_variants(files))
    assert best(found, FreeMemory(20 * GB, dtype="bfloat16")) == "Tale-4B-Q8_0"
    assert best(found, FreeMemory(4 * GB, dtype="bfloat16")) == "Q4_K_M"
    assert best(found, FreeMemory(2 * GB, dtype="bfloat16")) == "Tale-1B-Q8_0"


def test_room_on_the_disk_is_known_before_the_folder_is_there(tmp_path: Path) -> None:
    assert free_disk_at(tmp_path / "not" / "there") > 0
