"""The adapter that ships with Quire: it fits the model that bootstrap.py fetches, and teaches it prose."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

from fetched_models import SMOLLM2
from quire_engine.catalog.adapters import adapter_for
from quire_engine.drafting import drafter_file
from quire_engine.importing.model_import import import_model
from quire_engine.models.loading import build_model, inspect_folder, load_tokenizer
from quire_engine.prompt.tokenization import encode_text
from quire_engine.runtime.measured_page import PAGE
from quire_resources import ADAPTERS

MODEL = Path(sys.prefix) / "share" / "quire" / "models" / SMOLLM2.file_name
MOST_BYTES = 8_000_000
LAYERS, KINDS = 30, 7  # of SmolLM2, and of linear layers in each


def test_the_adapter_belongs_to_the_model_that_is_fetched() -> None:
    adapter = adapter_for(ADAPTERS, SMOLLM2.sha256)
    assert adapter is not None
    assert adapter.file.stat().st_size <= MOST_BYTES
    assert len(adapter.names) == LAYERS * KINDS
    assert adapter.metadata["base_name"] == SMOLLM2.file_name
    assert int(adapter.metadata["tokens_seen"]) > 0


def loss_of(folder: Path) -> float:
    """Return the nats per token of a page by authors that the adapter was not trained on."""
    inspected = inspect_folder(folder)
    model = build_model(inspected, torch.float32)
    ids = torch.tensor([encode_text(load_tokenizer(inspected), PAGE).ids])
    with torch.no_grad():
        return float(model(ids, labels=ids).loss)


@pytest.mark.sliced("real models")
@pytest.mark.slow
@pytest.mark.skipif(not MODEL.is_file(), reason="bootstrap.py could not fetch SmolLM2 here")
def test_the_merged_model_predicts_a_novel_better(tmp_path: Path) -> None:
    plain = import_model(MODEL, tmp_path)
    adapter = adapter_for(ADAPTERS, SMOLLM2.sha256)
    adapted = import_model(MODEL, tmp_path, adapter=adapter, shipped=ADAPTERS)
    assert plain != adapted
    assert not (plain / drafter_file.FILE_NAME).exists()
    shipped = drafter_file.find(adapted, inspect_folder(adapted).fingerprint)
    assert shipped is not None
    assert shipped.feature is not None
    assert loss_of(adapted) < loss_of(plain) - 0.1
