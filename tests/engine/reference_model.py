"""The library's own scores, for tests that compare ours with them."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor
from transformers.modeling_utils import PreTrainedModel

from quire_engine.forward.probe_text import natural_ids
from quire_engine.forward.yardstick import Yardstick, measure
from quire_engine.models.reference_scores import library_scores
from tests.engine.tiny import VOCAB_SIZE, build_tokenizer


def reference_logits(model: PreTrainedModel, token_ids: Sequence[int]) -> Tensor:
    """Return the library's own logits for every position, by eager attention, float32 (tokens, vocab)."""
    return library_scores(model, [token_ids], len(token_ids))[0]


def tiny_yardstick(model: PreTrainedModel, dtype: torch.dtype, *, routed: bool = False) -> Yardstick:
    """Return the yardstick of a tiny model; its attention is the library's afterwards."""
    return measure(model, natural_ids(build_tokenizer(), VOCAB_SIZE), dtype, routed=routed)
