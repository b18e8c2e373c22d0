"""The weights of a model folder, read as a load reads them."""

from __future__ import annotations

from pathlib import Path

import torch

from quire_engine.catalog.weights.file_tensor import FileTensor
from quire_engine.models.loading import inspect_folder


def weights_of(folder: Path) -> dict[str, torch.Tensor]:
    """Return them in float32, wherever they are stored."""
    tensors = inspect_folder(folder).tensors
    return {
        name: torch.from_numpy(each.whole()) for name, each in tensors.items() if isinstance(each, FileTensor)
    }
