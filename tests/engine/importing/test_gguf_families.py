"""A model written as a GGUF file and imported again gives the same logits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from quire_engine.catalog.inspection import ModelFacts, inspect_folder
from quire_engine.importing.model_import import import_model
from quire_engine.models import loading
from tests.engine import tiny
from tests.engine.gguf_samples import build_for_gguf, write_gguf

_IDS = [1 + (37 * i * i + 11 * i) % (tiny.VOCAB_SIZE - 1) for i in range(200)]
FAMILIES = (
    "llama", "mistral", "mixtral", "qwen2", "qwen3", "qwen3_moe", "gemma", "gemma2", "gemma3_text", "phi",
    "phi3", "olmo2", "olmo3", "granite", "smollm3", "cohere2", "stablelm", "gpt_neox", "starcoder2",
    "glm4", "ministral3",
)  # fmt: skip


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
