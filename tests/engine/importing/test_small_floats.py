"""FP8 and MXFP4 folders become the numbers that torch and the library make of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers.integrations.mxfp4 import convert_moe_packed_tensors

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.importable import inspect_importable, is_importable
from quire_engine.catalog.inspection import ModelFacts, inspect_folder
from quire_engine.catalog.packed_folders import PackedFolder
from quire_engine.importing.model_import import import_model
from quire_engine.models import loading
from tests.engine import tiny
from tests.engine.stored_weights import weights_of
from tests.training.tokenizer import save_tokenizer

_FP8 = torch.float8_e4m3fn
_BY_ROW = {"type": "float", "num_bits": 8, "strategy": "channel"}
KINDS: dict[str, tuple[dict[str, Any], str, int]] = {
    "blocks": ({"quant_method": "fp8", "weight_block_size": [24, 24]}, "weight_scale_inv", 24),
    "rows": (
        {"quant_method": "compressed-tensors", "config_groups": {"group_0": {"weights": _BY_ROW}}},
        "weight_scale",
        1,
    ),
    "matrix": ({"quant_method": "fp8"}, "weight_scale", 0),
}
"""Settings, the name of scales, and the side of a block; 1: a scale per row, 0: one for all."""


def _scales(shape: torch.Size, side: int) -> tuple[Tensor, Tensor]:
    """Return random scales as they are kept, and the scale of each number."""
    rows, columns = shape
    if side == 0:
        scale = torch.rand(()) + 0.5
        return scale, scale.expand(shape)
    if side == 1:
        scale = torch.rand(rows, 1) + 0.5
        return scale, scale.expand(shape)
    scale = torch.rand(-(-rows // side), -(-columns // side)) + 0.5
    whole = scale.repeat_interleave(side, 0).repeat_interleave(side, 1)
    return scale, whole[:rows, :columns]


def rounded(folder: Path, kind: str) -> dict[str, Tensor]:
    """Round the projections of a folder to FP8; return what all weights are then."""
    settings, end, side = KINDS[kind]
    weights, wanted = weights_of(folder), {}
    for name, weight in list(weights.items()):
        wanted[name] = weight.float()
        if name.endswith("_proj.weight"):
            scale, each = _scales(weight.shape, side)
            weights[name] = (weight.float() / each).to(_FP8)
            weights[f"{name.removesuffix('weight')}{end}"] = scale
            wanted[name] = weights[name].float() * each
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    tiny.edit_config(folder, quantization_config=settings)
    return wanted


@pytest.mark.parametrize("kind", KINDS)
def test_fp8_becomes_its_numbers(own_llama: Path, tmp_path: Path, kind: str) -> None:
    wanted = rounded(own_llama, kind)
    assert is_importable(own_llama)
    source = inspect_importable(own_llama)
    assert isinstance(source, PackedFolder)
    assert source.quantisation == "FP8, 8 bits"
    assert source.num_parameters == sum(weight.numel() for weight in wanted.values())
    folder = import_model(own_llama, tmp_path / "imported")
    found = weights_of(folder)
    assert found.keys() == wanted.keys()
    for name, weight in found.items():
        assert torch.equal(weight, wanted[name].float()), name
    assert isinstance(inspect_folder(folder), ModelFacts)


def test_every_byte_of_fp8_is_the_number_that_torch_makes_of_it(own_llama: Path, tmp_path: Path) -> None:
    rounded(own_llama, "matrix")
    weights = load_file(own_llama / "model.safetensors")
    name = "model.layers.0.self_attn.q_proj.weight"
    codes = torch.arange(weights[name].numel()) % 254
    codes = codes.where(codes < 127, codes + 1).to(torch.uint8)  # all but the two that are no numbers
    weights[name] = codes.view(_FP8).reshape(weights[name].shape)
    weights[name.replace("weight", "weight_scale")] = torch.ones(())
    save_file(weights, own_llama / "model.safetensors", metadata={"format": "pt"})
    found = weights_of(import_model(own_llama, tmp_path / "imported"))[name]
    assert torch.equal(found.float(), weights[name].float())


def test_mxfp4_experts_become_what_the_library_makes_of_them(tmp_path: Path) -> None:
    source, dice = tmp_path / "oss", torch.Generator().manual_seed(5)
    tiny.build("gpt_oss", intermediate_size=64).save_pretrained(source)
    save_tokenizer(tiny.build_tokenizer(), source)
    weights, wanted = load_file(source / "model.safetensors"), {}
    for name in [each for each in weights if each.endswith(("gate_up_proj", "down_proj"))]:
        experts, inputs, outputs = weights.pop(name).shape
        blocks = torch.randint(0, 256, (experts, outputs, inputs // 32, 16), generator=dice)
        powers = torch.randint(119, 124, (experts, outputs, inputs // 32), generator=dice)
        weights[f"{name}_blocks"], weights[f"{name}_scales"] = blocks.to(torch.uint8), powers.to(torch.uint8)
        wanted[name] = convert_moe_packed_tensors(weights[f"{name}_blocks"], weights[f"{name}_scales"])
    save_file(weights, source / "model.safetensors", metadata={"format": "pt"})
    tiny.edit_config(source, quantization_config={"quant_method": "mxfp4"})
    folder = import_model(source, tmp_path / "imported")
    found = weights_of(folder)
    assert len(wanted) == 4
    for name, weight in wanted.items():
        assert torch.equal(found[name], weight), name
    model = loading.build_model(loading.inspect_folder(folder), torch.float32)
    assert model.config.model_type == "gpt_oss"


@pytest.mark.parametrize("change", ["missing", "shorter"])
def test_scales_that_do_not_match_are_refused(own_llama: Path, tmp_path: Path, change: str) -> None:
    rounded(own_llama, "blocks")
    weights = load_file(own_llama / "model.safetensors")
    name = "model.layers.0.self_attn.q_proj.weight_scale_inv"
    scale = weights.pop(name)
    if change == "shorter":
        weights[name] = scale[:-1].clone()
    save_file(weights, own_llama / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(EnvironmentProblem, match="Download the model again"):
        import_model(own_llama, tmp_path / "imported")
