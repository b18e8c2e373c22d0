"""Fixtures of the engine's tests: tiny random models, made once per session."""

from __future__ import annotations

import functools
import gc
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer
from transformers.modeling_utils import PreTrainedModel
from transformers.utils import logging as library_logging

from quire_engine.models.loading import build_model, inspect_folder
from quire_engine.models.network import FusedDecoder, LibraryNetwork, Network
from tests.engine import tiny
from tests.engine.model_fixtures import any_folder, fused_networks, library_networks, references
from tests.engine.real_models import gemma_file, smollm2, smollm2_file

__all__ = [
    "any_folder",
    "fused_networks",
    "gemma_file",
    "library_networks",
    "references",
    "smollm2",
    "smollm2_file",
]  # fixtures of every family

Models = Callable[[str, torch.dtype], PreTrainedModel]
Networks = Callable[..., Network]


@pytest.fixture(autouse=True)
def gc_on_the_main_thread() -> None:
    """Nothing of Qt is made here, so that collecting after every single test would be time for nothing."""


@pytest.fixture(scope="module", autouse=True)
def gc_between_files() -> Iterator[None]:
    """Collect on the main thread all the same, but once per file."""
    gc.disable()
    yield
    gc.collect()


@pytest.fixture(scope="session", autouse=True)
def one_thread() -> None:
    """Tests share the machine: torch takes one thread, and says nothing about its progress."""
    torch.set_num_threads(1)
    told: Any = library_logging  # carries no types
    told.disable_progress_bar()
    told.set_verbosity_error()


@pytest.fixture(scope="session")
def folders(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One model folder per family; nobody may write into them."""
    root = tmp_path_factory.mktemp("models")
    return {family: tiny.save(family, root / family) for family in tiny.FAMILIES}


@pytest.fixture(scope="session")
def llama(folders: dict[str, Path]) -> Path:
    """The folder of a tiny Llama; nobody may write into it."""
    return folders["llama"]


@pytest.fixture
def own_llama(llama: Path, tmp_path: Path) -> Path:
    """A copy of the tiny Llama's folder for a test to damage."""
    return Path(shutil.copytree(llama, tmp_path / "model"))


@pytest.fixture(scope="session")
def tokenizer(llama: Path) -> Tokenizer:
    """The tokenizer of the tiny models."""
    return Tokenizer.from_file(str(llama / "tokenizer.json"))


@pytest.fixture(scope="session")
def models(folders: dict[str, Path]) -> Models:
    """The library's model of a family in a dtype; whoever runs it sets its attention."""
    return functools.cache(lambda family, dtype: build_model(inspect_folder(folders[family]), dtype))


@pytest.fixture(scope="session")
def networks(models: Models) -> Networks:
    """A network by family, dtype, width and kind ("fused" or "library")."""

    @functools.cache
    def network(
        family: str = "llama", dtype: torch.dtype = torch.float32, width: int = 8, kind: str = "fused"
    ) -> Network:
        model = models(family, dtype)
        return FusedDecoder(model, width) if kind == "fused" else LibraryNetwork(model)

    return network
