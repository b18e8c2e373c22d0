"""A tiny random model with random drafters, as the proofs make them."""

from __future__ import annotations

from pathlib import Path

import pytest

from quire_engine.api.config import ModelConfig
from quire_engine.engine import LoadedModel, load_model
from tests.proofs.engine.tiny_models import write_tiny_model


@pytest.fixture(scope="session")
def tiny_llama(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> LoadedModel:
    """A tiny Llama in float32 with passes of 8 rows."""
    folder: Path = write_tiny_model("llama", tmp_path_factory.mktemp("proofs") / "llama")
    return load_model(ModelConfig(str(folder), dtype="float32", width=8, threads=1))
