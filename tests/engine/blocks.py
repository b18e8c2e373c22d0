"""Models of the library in blocks, as passes in whole numbers read them."""

from __future__ import annotations

from transformers import PreTrainedModel

from quire_engine.integer.block_model import BlockModel, assemble
from quire_engine.integer.family_layers import library_parts


def in_blocks(model: PreTrainedModel) -> BlockModel:
    """Return a model in blocks of 8 bits."""
    return assemble(library_parts(model))
