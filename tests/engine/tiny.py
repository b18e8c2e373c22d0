"""Tiny random models in folders: of every family, made in a moment, worth sampling from."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from hypothesis import settings
from tokenizers import Tokenizer
from torch import nn
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    MistralConfig,
    MistralForCausalLM,
    PreTrainedModel,
    Qwen2Config,
    Qwen2ForCausalLM,
    Qwen3Config,
    Qwen3ForCausalLM,
)

from quire_engine.training.tokenizer import save_tokenizer, train_tokenizer

FAMILIES = ("llama", "mistral", "qwen2", "qwen3")
VOCAB_SIZE = 320
"""Rows of the models; the tokenizer has fewer entries, as padded models have."""
CONTEXT = 512

few = settings(derandomize=True, deadline=None, max_examples=25, database=None)
"""How hypothesis runs here: the same examples every time, and few of them."""

SENTENCES = (
    "The ferry left the quay at dusk, and nobody on the shore could say who had been on board.\n\n",
    "“You are late,” said the pilot, without turning his head; “the river does not wait for anyone.”\n\n",
    "She had counted the lamps along the water each evening since winter — there were nineteen of them.\n\n",
    "When the nineteenth went out, she put on her coat, took the letter and closed the door.\n\n",
    "It wasn’t far to the house of Dr. Hale; the rain had stopped, and the stones were shining.\n\n",
    "“I have come about the ferry,” she said. “Which one?” he asked. “There is only one,” she said.\n\n",
)
OPENING = "".join(SENTENCES[:3])

_SIZES: dict[str, Any] = {
    "vocab_size": VOCAB_SIZE,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": CONTEXT,
    "initializer_range": 0.1,
    "tie_word_embeddings": False,
    "bos_token_id": None,
    "eos_token_id": 0,
    "pad_token_id": 0,
}
_BUILDERS: dict[str, Callable[[], PreTrainedModel]] = {
    "llama": lambda: LlamaForCausalLM(LlamaConfig(**_SIZES)),
    "mistral": lambda: MistralForCausalLM(MistralConfig(**_SIZES, sliding_window=None, head_dim=24)),
    "qwen2": lambda: Qwen2ForCausalLM(Qwen2Config(**_SIZES)),
    "qwen3": lambda: Qwen3ForCausalLM(Qwen3Config(**_SIZES, head_dim=32)),
}


def build(family: str) -> PreTrainedModel:
    """Return a random model; norms and biases differ from 1 and 0, so that forgetting one of them shows."""
    torch.manual_seed(3)
    model: Any = _BUILDERS[family]()  # parts of the library carry no types
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if name.endswith("bias"):
                nn.init.normal_(weight, std=0.2)
            elif weight.ndim == 1:
                nn.init.uniform_(weight, 0.6, 1.4)
        model.get_output_embeddings().weight.mul_(4)
    built: PreTrainedModel = model.eval().requires_grad_(False)
    return built


def build_tokenizer() -> Tokenizer:
    """Return a small byte-level tokenizer."""
    return train_tokenizer(SENTENCES, 300)


def save(family: str, folder: Path) -> Path:
    """Write a model folder as a writer would have it, and return it."""
    build(family).save_pretrained(folder)
    save_tokenizer(build_tokenizer(), folder)
    return folder


def prompt_ids(count: int) -> list[int]:
    """Return a fixed prompt of so many ordinary ids."""
    return [1 + (37 * i * i + 11 * i) % (VOCAB_SIZE - 1) for i in range(count)]


def edit_config(folder: Path, **changes: Any) -> Path:
    """Change keys of a folder's config.json; the value ... removes one."""
    file = folder / "config.json"
    config = json.loads(file.read_text(encoding="utf-8")) | changes
    kept = {key: value for key, value in config.items() if value is not ...}
    file.write_text(json.dumps(kept), encoding="utf-8")
    return folder
