"""A model written as a GGUF file and imported again gives the same logits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.gguf_files import inspect_gguf
from quire_engine.catalog.gguf_support import ARCHITECTURES, AS_FOLDERS
from quire_engine.catalog.inspection import ModelFacts, inspect_folder
from quire_engine.catalog.model_families import FAMILIES as SUPPORTED
from quire_engine.catalog.rejection import Rejection
from quire_engine.catalog.weights.gguf_names import GGUF_FAMILIES
from quire_engine.importing.model_import import import_model
from quire_engine.models import loading
from tests.engine import tiny
from tests.engine.gguf_samples import build_for_gguf, write_gguf

_IDS = [1 + (37 * i * i + 11 * i) % (tiny.VOCAB_SIZE - 1) for i in range(200)]
FAMILIES = (
    "llama", "mistral", "mixtral", "qwen2", "qwen3", "qwen3_moe", "gemma", "gemma2", "gemma3_text", "phi",
    "phi3", "olmo2", "olmo3", "granite", "smollm3", "cohere2", "stablelm", "gpt_neox", "starcoder2",
    "glm4", "ministral3", "arcee", "cohere", "ernie4_5", "exaone4", "hunyuan_v1_dense", "nemotron", "olmo",
    "olmoe", "qwen2_moe", "seed_oss",
)  # fmt: skip


WITHOUT_FILES = {"helium", "ministral", "mistral"}
"""llama.cpp does not know the first; the others are files of the type “llama”."""


def logits_of(model: Any) -> torch.Tensor:
    with torch.no_grad():
        found: torch.Tensor = model(input_ids=torch.tensor([_IDS])).logits[0]
    return found


@pytest.mark.parametrize("family", FAMILIES)
def test_an_imported_model_gives_the_logits_of_its_source(family: str, tmp_path: Path) -> None:
    source = build_for_gguf(family)
    folder = import_model(write_gguf(family, tmp_path / "m.gguf", model=source), tmp_path / "imported")
    facts = inspect_folder(folder)
    assert isinstance(facts, ModelFacts), facts
    imported = loading.build_model(loading.inspect_folder(folder), torch.float32)
    torch.testing.assert_close(logits_of(imported), logits_of(source), rtol=2e-4, atol=2e-4)


def test_residuals_are_parallel_where_there_is_no_second_norm(tmp_path: Path) -> None:
    source = tiny.build("stablelm", use_parallel_residual=True)
    folder = import_model(write_gguf("stablelm", tmp_path / "m.gguf", model=source), tmp_path / "imported")
    imported = loading.build_model(loading.inspect_folder(folder), torch.float32)
    torch.testing.assert_close(logits_of(imported), logits_of(source), rtol=2e-4, atol=2e-4)


def test_a_gemma_3_without_a_window_has_none(tmp_path: Path) -> None:
    source = tiny.build("gemma3_text", layer_types=["full_attention"] * 2)
    wanted = logits_of(source)
    source.config.sliding_window = None
    folder = import_model(write_gguf("gemma3_text", tmp_path / "m.gguf", model=source), tmp_path / "imported")
    imported = loading.build_model(loading.inspect_folder(folder), torch.float32)
    torch.testing.assert_close(logits_of(imported), wanted, rtol=2e-4, atol=2e-4)


def test_a_granite_that_knows_no_positions_is_refused(tmp_path: Path) -> None:
    unturned = {"granite.rope.scaling.finetuned": False}
    with pytest.raises(EnvironmentProblem, match="finetuned"):
        import_model(write_gguf("granite", tmp_path / "m.gguf", extra=unturned), tmp_path / "imported")


def test_weights_that_the_library_leaves_out_are_refused(tmp_path: Path) -> None:
    source: Any = tiny.build("llama", attention_bias=True)
    for layer in source.model.layers:
        for name in ("q_proj", "k_proj", "v_proj"):
            getattr(layer.self_attn, name).bias = None
    folder = import_model(write_gguf("llama", tmp_path / "m.gguf", model=source), tmp_path / "imported")
    with pytest.raises(EnvironmentProblem, match=r"parts that Quire doesn't know \(.*o_proj\.bias\)"):
        loading.build_model(loading.inspect_folder(folder), torch.float32)


_TRAINED = {"original_max_position_embeddings": tiny.CONTEXT}


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ({"scaling.type": "linear", "scaling.factor": 2.0}, {"rope_type": "linear", "factor": 2.0}),
        ({"scaling.factor": 2.0}, {"rope_type": "linear", "factor": 2.0}),
        ({"scale_linear": 2.0}, {"rope_type": "linear", "factor": 2.0}),
        ({"scaling.type": "none", "scaling.factor": 2.0}, {"rope_type": "default"}),
        ({"scaling.factor": 0.0}, {"rope_type": "default"}),
        ({"scaling.type": "yarn", "scaling.factor": 2.0}, {"rope_type": "yarn", "factor": 2.0} | _TRAINED),
    ],
)
def test_positions_are_scaled_as_llama_cpp_scales_them(
    said: dict[str, Any], wanted: dict[str, Any], tmp_path: Path
) -> None:
    file = write_gguf("llama", tmp_path / "m.gguf", extra={f"llama.rope.{key}": said[key] for key in said})
    config: Any = loading.inspect_folder(import_model(file, tmp_path / "imported")).config
    found = dict(config.rope_parameters)
    del found["rope_theta"]
    assert found == wanted


def test_every_family_is_imported_or_refused_by_its_name() -> None:
    imported = {*ARCHITECTURES.values(), "mixtral", "olmo3"}
    assert {family for family in FAMILIES if family not in WITHOUT_FILES} == imported
    assert imported | {*AS_FOLDERS.values()} | WITHOUT_FILES == {*SUPPORTED}
    assert imported == {*GGUF_FAMILIES}
    assert not imported & {*AS_FOLDERS.values()}


@pytest.mark.parametrize("architecture", AS_FOLDERS)
def test_a_family_that_is_read_from_folders_only_says_so(architecture: str, tmp_path: Path) -> None:
    writer = gguf.GGUFWriter(tmp_path / "m.gguf", architecture)
    writer.add_tensor("token_embd.weight", np.zeros((8, 8), dtype=np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    found = inspect_gguf(tmp_path / "m.gguf")
    assert isinstance(found, Rejection)
    assert SUPPORTED[AS_FOLDERS[architecture]].title in found.sentence
    assert "safetensors" in found.sentence


def test_the_large_exaone_has_windows_even_where_its_file_does_not_say_so(tmp_path: Path) -> None:
    unsaid = {"sliding_window": None, "layer_types": ["full_attention"] * 64, "num_hidden_layers": 64}
    model = tiny.build("exaone4", **unsaid)
    folder = import_model(write_gguf("exaone4", tmp_path / "m.gguf", model=model), tmp_path / "imported")
    config = loading.inspect_folder(folder).config
    assert config.sliding_window == 4096
    assert config.layer_types == (["sliding_attention"] * 3 + ["full_attention"]) * 16
