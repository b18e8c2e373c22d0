"""AWQ and GPTQ folders become the weights that a slow reference unpacks, number by number."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
import torch
from safetensors.torch import load_file, save_file

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.importable import inspect_importable, is_importable
from quire_engine.catalog.inspection import inspect_folder
from quire_engine.catalog.packed_folders import PackedFolder
from quire_engine.catalog.rejection import Rejection
from quire_engine.importing.model_import import import_model
from tests.engine.stored_weights import weights_of
from tests.engine.tiny import edit_config

Array = npt.NDArray[Any]
_ORDER = (0, 2, 4, 6, 1, 3, 5, 7)


class Packing:
    """Random packed matrices, and their numbers by the definition of the format."""

    def __init__(
        self, method: str, bits: int, group: int, *, ordered: bool = False, second: bool = False
    ) -> None:
        self.method, self.bits, self.group = method, bits, group
        self.ordered, self.second = ordered, second
        self.dice = np.random.default_rng(bits * 1000 + group)

    def packed(self, inputs: int, outputs: int) -> tuple[dict[str, Array], Array]:
        """Return the parts of a matrix, and the matrix as the library keeps it: (outputs, inputs)."""
        group = inputs if self.group == -1 else self.group
        groups = -(-inputs // group)
        numbers = self.dice.integers(0, 1 << self.bits, (inputs, outputs))
        low = 0 if self.method == "awq" or self.second else 1
        zeros = self.dice.integers(low, 1 << self.bits, (groups, outputs))
        scales = self.dice.uniform(0.001, 0.02, (groups, outputs)).astype(np.float16)
        index = np.arange(inputs) // group
        if self.ordered:
            index = self.dice.permutation(index)
        matrix = np.empty((outputs, inputs), dtype=np.float32)
        for row in range(inputs):
            for column in range(outputs):
                share = index[row]
                whole = int(numbers[row, column]) - int(zeros[share, column])
                matrix[column, row] = np.float32(whole) * np.float32(scales[share, column])
        kept = zeros - low
        parts = {
            "qweight": self.words_down(numbers) if self.method == "gptq" else self.words_across(numbers),
            "qzeros": self.words_across(kept),
            "scales": scales,
        }
        if self.method == "gptq":
            parts["g_idx"] = index.astype(np.int32)
        return parts, matrix

    def words_down(self, numbers: Array) -> Array:
        per_word = 32 // self.bits
        words = np.zeros((numbers.shape[0] // per_word, numbers.shape[1]), dtype=np.uint64)
        for row in range(numbers.shape[0]):
            words[row // per_word] |= numbers[row].astype(np.uint64) << np.uint64(row % per_word * self.bits)
        return words.astype(np.uint32).view(np.int32)

    def words_across(self, numbers: Array) -> Array:
        per_word = 32 // self.bits
        order = _ORDER if self.method == "awq" else range(per_word)
        words = np.zeros((numbers.shape[0], numbers.shape[1] // per_word), dtype=np.uint64)
        for word in range(words.shape[1]):
            for place, column in enumerate(order):
                part = numbers[:, word * per_word + column].astype(np.uint64)
                words[:, word] |= part << np.uint64(place * self.bits)
        return words.astype(np.uint32).view(np.int32)


def pack(folder: Path, packing: Packing) -> dict[str, Array]:
    """Pack all projections of a tiny model; return their new numbers."""
    weights: dict[str, torch.Tensor] = weights_of(folder)
    matrices = {}
    for name in [each for each in weights if each.endswith("_proj.weight")]:
        outputs, inputs = weights.pop(name).shape
        parts, matrices[name] = packing.packed(inputs, outputs)
        for part, values in parts.items():
            weights[f"{name.removesuffix('weight')}{part}"] = torch.from_numpy(values.copy())
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    settings: dict[str, Any] = {
        "quant_method": packing.method,
        "bits": packing.bits,
        "group_size": packing.group,
    }
    if packing.method == "awq":
        settings |= {"version": "gemm", "zero_point": True}
    if packing.second:
        settings["checkpoint_format"] = "gptq_v2"
    edit_config(folder, quantization_config=settings)
    return matrices


@pytest.mark.parametrize(
    "packing",
    [
        Packing("awq", 4, 32),
        Packing("awq", 4, -1),
        Packing("gptq", 4, 32),
        Packing("gptq", 4, -1),
        Packing("gptq", 4, 32, ordered=True),
        Packing("gptq", 4, 16, second=True),
        Packing("gptq", 8, 32),
        Packing("gptq", 2, 32),
    ],
    ids=lambda each: (
        f"{each.method}-{each.bits}-{each.group}{'-ordered' * each.ordered}{'-v2' * each.second}"
    ),
)
def test_packed_weights_become_their_numbers(own_llama: Path, tmp_path: Path, packing: Packing) -> None:
    before = load_file(own_llama / "model.safetensors")
    matrices = pack(own_llama, packing)
    assert is_importable(own_llama)
    source = inspect_importable(own_llama)
    assert isinstance(source, PackedFolder)
    assert source.num_parameters == sum(weight.numel() for weight in before.values())
    folder = import_model(own_llama, tmp_path / "imported")
    weights = weights_of(folder)
    assert weights.keys() == before.keys()
    for name, weight in weights.items():
        wanted = matrices.get(name)
        numbers = before[name].float().numpy() if wanted is None else wanted
        assert np.array_equal(weight.numpy(), numbers), name
    assert "quantization_config" not in json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert (folder / "tokenizer.json").read_bytes() == (own_llama / "tokenizer.json").read_bytes()


@pytest.mark.parametrize(
    "settings",
    [
        {"quant_method": "bitsandbytes", "load_in_4bit": True},
        {"quant_method": "fp8", "weight_block_size": [128, 64]},
        {"quant_method": "compressed-tensors", "format": "pack-quantized"},
        {
            "quant_method": "compressed-tensors",
            "config_groups": {"group_0": {"weights": {"type": "int", "num_bits": 8, "strategy": "channel"}}},
        },
        {"quant_method": "exl2", "bits": 4.5},
        {"quant_method": "gptq", "bits": 3, "group_size": 128},
        {"quant_method": "awq", "bits": 4, "group_size": 128, "version": "gemv"},
        {"quant_method": "awq", "bits": 4, "group_size": "all"},
    ],
)
def test_other_packings_are_refused_with_what_would_work(
    own_llama: Path, tmp_path: Path, settings: dict[str, Any]
) -> None:
    edit_config(own_llama, quantization_config=settings)
    found = inspect_folder(own_llama) if not is_importable(own_llama) else inspect_importable(own_llama)
    assert isinstance(found, Rejection)
    assert "GGUF" in found.sentence
    with pytest.raises(EnvironmentProblem):
        import_model(own_llama, tmp_path / "imported")


@pytest.mark.parametrize("part", ["qzeros", "scales", "qweight", "g_idx"])
def test_parts_that_do_not_match_are_refused(own_llama: Path, tmp_path: Path, part: str) -> None:
    pack(own_llama, Packing("gptq", 4, 32))
    weights = load_file(own_llama / "model.safetensors")
    name = f"model.layers.0.self_attn.q_proj.{part}"
    weights[name] = weights[name][:-1].clone()
    save_file(weights, own_llama / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(EnvironmentProblem, match="Download the model again"):
        import_model(own_llama, tmp_path / "imported")


def test_an_ordinary_folder_is_not_imported(own_llama: Path) -> None:
    assert not is_importable(own_llama)
    assert not is_importable(Path(shutil.copytree(own_llama, own_llama.parent / "copy")) / "config.json")
