"""A model written as a GGUF file and imported again gives the same logits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
import torch

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
