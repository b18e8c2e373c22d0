"""Models of the library in blocks, as passes in whole numbers read them."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from transformers.modeling_utils import PreTrainedModel

from quire_engine.catalog.weights.folder_tensors import folder_tensors
from quire_engine.integer.block_model import BlockModel, assemble
from quire_engine.integer.block_packing import pack_floats, unpacked
from quire_engine.integer.family_parts import model_parts

_READ_IN_FULL = ("router", ".gate.weight", "shared_expert_gate")


def in_blocks(model: PreTrainedModel) -> BlockModel:
    """Return a model in blocks of 8 bits."""
    with TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        return assemble(model_parts(folder_tensors([*Path(folder).glob("*.safetensors")]), model.config))


def cut_weights(model: PreTrainedModel) -> None:
    """Let a model of the library have the numbers that its blocks stand for."""
    for name, weight in model.named_parameters():
        if weight.ndim > 1 and not any(part in name for part in _READ_IN_FULL):
            rows = weight.reshape(-1, weight.shape[-1]).numpy()
            weight.copy_(torch.from_numpy(unpacked(pack_floats(rows, 8))).reshape(weight.shape))
