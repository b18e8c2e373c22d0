"""Small random models of every family with random drafters, in folders as a writer would have them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import CONFIG_MAPPING, AutoModelForCausalLM

from quire_engine.drafting import drafter_file
from quire_engine.drafting.feature_drafter import FeatureShape, FeatureWeights
from quire_engine.drafting.medusa_heads import HeadsWeights
from quire_engine.models import loading
from quire_engine.training.tokenizer import save_tokenizer, train_tokenizer

CONTEXT_LENGTH = 512
"""Positions of the tiny models: few, so that a proof passes over the end of the context."""

_SENTENCES = (
    "The ferry left the quay at dusk, and nobody on the shore could say who had been on board.\n\n",
    "“You are late,” said the pilot, without turning his head; “the river waits for no one.”\n\n",
    "She had counted the lamps along the water since winter — there were nineteen of them.\n\n",
    "When the nineteenth went out, she put on her coat, took the letter and closed the door.\n\n",
)
_SIZES: dict[str, Any] = {
    "vocab_size": 384,
    "hidden_size": 64,
    "intermediate_size": 112,
    "num_hidden_layers": 3,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": CONTEXT_LENGTH,
    "initializer_range": 0.1,
    "tie_word_embeddings": False,
    "bos_token_id": None,
    "eos_token_id": 0,
    "pad_token_id": 0,
}
_OWN: dict[str, dict[str, Any]] = {
    "llama": {},
    "qwen2": {},
    "qwen3": {"head_dim": 32},
    "mistral": {"sliding_window": None, "head_dim": 24},
    "gemma": {"head_dim": 32, "num_key_value_heads": 1, "tie_word_embeddings": True},
    "phi": {"partial_rotary_factor": 0.5, "qk_layernorm": False},
    "phi3": {},
}
FAMILIES = tuple(_OWN)
"""Model types that are proved."""


def write_tiny_model(family: str, folder: Path) -> Path:
    """Write a random model, its tokenizer and drafters into a folder and return it; the same bits every time.

    Norms and biases differ from 1 and 0, so that forgetting one of them shows; the head is scaled up, so that
    some tokens are likely and others are not, as in a trained model.
    """
    torch.manual_seed(7)
    library: Any = AutoModelForCausalLM  # parts of the library carry no types
    model: Any = library.from_config(CONFIG_MAPPING[family](**(_SIZES | _OWN[family])))
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if name.endswith("bias"):
                nn.init.normal_(weight, std=0.2)
            elif weight.ndim == 1:
                nn.init.uniform_(weight, 0.6, 1.4)
        model.get_output_embeddings().weight.mul_(4)
    model.save_pretrained(folder)
    save_tokenizer(train_tokenizer(_SENTENCES, 320), folder)
    _write_drafters(folder)
    return folder


def _write_drafters(folder: Path) -> None:
    """Write random heads and a random feature drafter for the model in a folder."""
    width = int(_SIZES["hidden_size"])
    shape = FeatureShape(
        width=width,
        intermediate=96,
        num_heads=4,
        num_kv_heads=2,
        head_dim=16,
        rope_theta=10_000.0,
        eps=1e-6,
        window=48,
    )
    sizes = shape.tensor_shapes()
    trained = drafter_file.TrainedDrafters(
        fingerprint=loading.inspect_folder(folder).fingerprint,
        heads=HeadsWeights(
            weight=torch.randn(3, width, width) * 0.02,
            norm=torch.ones(3, width),
            post_norm=torch.ones(3, width),
        ),
        feature=FeatureWeights(shape, {name: _random(size) for name, size in sizes.items()}),
    )
    drafter_file.save(trained, folder)


def _random(size: tuple[int, ...]) -> Tensor:
    return torch.ones(size) if len(size) == 1 else torch.randn(size) * 0.05
