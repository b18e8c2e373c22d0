"""The quantisations of a repository: split files together, named as makers do, nothing that is no model."""

from __future__ import annotations

import pytest

from quire_engine.catalog.gguf_variants import find_variants, quantisation_of
from quire_engine.catalog.repository_file import RepositoryFile

GB = 10**9


def file(path: str, size: int = GB) -> RepositoryFile:
    return RepositoryFile(path.rpartition("/")[2], size, "0" * 64, at=path if "/" in path else "")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Tale-7B-Instruct-Q4_K_M.gguf", "Q4_K_M"),
        ("tale-7b.q8_0.gguf", "Q8_0"),
        ("Tale-UD-Q4_K_XL.gguf", "UD-Q4_K_XL"),
        ("Tale-IQ2_XXS-00001-of-00002.gguf", "IQ2_XXS"),
        ("tale-f16.gguf", "F16"),
        ("Tale-BF16.GGUF", "BF16"),
        ("gpt-oss-20b-MXFP4.gguf", "MXFP4"),
        ("Q6_K.gguf", "Q6_K"),
        ("Tale-7B.gguf", ""),
        ("ferry-q4.gguf", "Q4"),
        ("Q4_K_M-of-Tale.gguf", ""),
    ],
)
def test_the_name_says_how_a_file_is_quantised(name: str, said: str) -> None:
    assert quantisation_of(name) == said


def test_parts_of_a_split_file_are_one_and_in_order() -> None:
    parts = [f"Q8_0/Tale-Q8_0-0000{number}-of-00003.gguf" for number in (2, 3, 1)]
    (found,) = find_variants([file(part, 10 * GB) for part in parts])
    assert (found.label, found.num_bytes) == ("Q8_0", 30 * GB)
    assert [each.path for each in found.files] == sorted(parts)
    assert [each.name for each in found.files] == [part.rpartition("/")[2] for part in sorted(parts)]


def test_what_is_no_whole_model_is_left_out() -> None:
    others = (
        "mmproj-Tale-f16.gguf", "Tale.imatrix.gguf", "Tale-Q4_0_4_4.gguf", "model.safetensors", ".gguf",
        "Tale-Q6_K-00001-of-00002.gguf", "Tale-Q5_K_M-00000-of-00000.gguf",
    )  # fmt: skip
    found = find_variants([*map(file, others), file("Tale-Q2_K.gguf", 0), file("Tale-Q8_0.gguf")])
    assert [each.label for each in found] == ["Q8_0"]


def test_models_of_several_sizes_are_told_apart_by_their_names() -> None:
    names = ("Tale-1B-Q8_0.gguf", "Tale-8B-Q8_0.gguf", "Tale-8B-Q4_K_M.gguf")
    found = find_variants([file(names[0], GB), file(names[1], 8 * GB), file(names[2], 5 * GB)])
    assert [each.label for each in found] == ["Tale-1B-Q8_0", "Q4_K_M", "Tale-8B-Q8_0"]


def test_the_number_of_parameters_is_stated_or_follows_from_the_size() -> None:
    sizes = {"Q4_K_M": 4_920_734_272, "Q8_0": 8_540_770_880, "BF16": 16_068_890_912}  # Llama 3.1 8B
    files = [file(f"Tale-{label}.gguf", size) for label, size in sizes.items()]
    for each in find_variants(files):
        assert each.num_parameters == pytest.approx(8.03e9, rel=0.02)
    assert {each.num_parameters for each in find_variants(files, 8_030_261_248)} == {8_030_261_248}
    assert find_variants(files, 70 * GB) != find_variants(files)
    assert find_variants(files, 70 * GB)[0].num_parameters == pytest.approx(8.03e9, rel=0.02)
    assert [each.bits for each in find_variants(files)] == sorted(each.bits for each in find_variants(files))
    assert find_variants(files, 8_030_261_248)[0].imported_bytes == pytest.approx(16.1e9, rel=0.01)
