"""Fixtures for models beyond the fused families: each is made when a test first asks for it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from transformers.modeling_utils import PreTrainedModel

from quire_engine.models.loading import build_model, inspect_folder
from quire_engine.models.network import FusedDecoder, LibraryNetwork, Network
from tests.engine import tiny

Folder = Callable[[str], Path]
Reference = Callable[[str, torch.dtype], PreTrainedModel]
AnyNetwork = Callable[[str, torch.dtype], Network]


@pytest.fixture(scope="session")
def any_folder(one_thread: None, tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The model folder of any family; nobody may write into it."""
    root = tmp_path_factory.mktemp("families")
    return functools.cache(lambda family: tiny.save(family, root / family))


@pytest.fixture(scope="session")
def references(any_folder: Folder) -> Reference:
    """The library's own model of a family, by dtype; nothing of ours is ever put into it."""
    return functools.cache(lambda family, dtype: build_model(inspect_folder(any_folder(family)), dtype))


@pytest.fixture(scope="session")
def library_networks(any_folder: Folder) -> AnyNetwork:
    """A family's network of the library's modules, by dtype."""
    return functools.cache(
        lambda family, dtype: LibraryNetwork(build_model(inspect_folder(any_folder(family)), dtype))
    )


@pytest.fixture(scope="session")
def fused_networks(any_folder: Folder) -> AnyNetwork:
    """A family's fused network for passes of 8 rows, by dtype."""
    return functools.cache(
        lambda family, dtype: FusedDecoder(build_model(inspect_folder(any_folder(family)), dtype), 8)
    )
