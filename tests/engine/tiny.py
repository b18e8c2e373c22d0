"""Tiny random models in folders: of every family, made in a moment, worth sampling from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from hypothesis import settings
from tokenizers import Tokenizer
from torch import nn
from transformers.modeling_utils import PreTrainedModel
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import AutoModelForCausalLM

from tests.training.tokenizer import save_tokenizer, train_tokenizer

FAMILIES = ("llama", "mistral", "qwen2", "qwen3")
"""Families with a fused form; they run through the library's modules as well."""
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
_WINDOW = 150  # not a whole number of blocks, so that the window's edge is within one
_EXPERTS = {"num_experts_per_tok": 2, "moe_intermediate_size": 48}
_SCALED = {
    "attention_multiplier": 0.2,
    "embedding_multiplier": 3.0,
    "residual_multiplier": 0.7,
    "logits_scaling": 2.0,
}
_ALTERNATING = ["sliding_attention", "full_attention"]
_ROPE_BY_LAYER = {
    "sliding_attention": {"rope_type": "default", "rope_theta": 100.0},
    "full_attention": {"rope_type": "linear", "rope_theta": 10_000.0, "factor": 4.0},
}
_PER_LAYER = {"hidden_size_per_layer_input": 8, "vocab_size_per_layer_input": VOCAB_SIZE}
_GEMMA4 = {
    "num_hidden_layers": 4,
    "layer_types": _ALTERNATING * 2,
    "sliding_window": _WINDOW,
    "head_dim": 16,
    "global_head_dim": 32,
    "num_global_key_value_heads": 1,
    "attention_k_eq_v": True,
    "final_logit_softcapping": 20.0,
}
_OWN: dict[str, dict[str, Any]] = {
    "llama": {},
    "mistral": {"sliding_window": None, "head_dim": 24},
    "qwen2": {},
    "qwen3": {"head_dim": 32},
    "mistral sliding": {"sliding_window": _WINDOW, "head_dim": 24},
    "qwen2 sliding": {"use_sliding_window": True, "sliding_window": _WINDOW, "max_window_layers": 1},
    "gemma": {"head_dim": 32, "num_key_value_heads": 1, "tie_word_embeddings": True},
    "gemma2": {
        "head_dim": 32,
        "query_pre_attn_scalar": 24,
        "sliding_window": _WINDOW,
        "attn_logit_softcapping": 3.0,
        "final_logit_softcapping": 20.0,
        "tie_word_embeddings": True,
    },
    "gemma3_text": {
        "head_dim": 32,
        "query_pre_attn_scalar": 24,
        "sliding_window": 20,
        "layer_types": _ALTERNATING,
        "rope_parameters": _ROPE_BY_LAYER,
    },
    "phi3": {},
    "phi": {"partial_rotary_factor": 0.5, "qk_layernorm": False},
    "olmo2": {},
    "olmo3": {"sliding_window": _WINDOW, "layer_types": _ALTERNATING, "rope_parameters": _ROPE_BY_LAYER},
    "granite": _SCALED,
    "smollm3": {"no_rope_layers": [1, 0]},
    "cohere2": {"sliding_window": _WINDOW, "layer_types": _ALTERNATING, "logit_scale": 0.5},
    "mixtral": {"num_local_experts": 4, "num_experts_per_tok": 2, "intermediate_size": 48},
    "qwen3_moe": {"num_experts": 6, "head_dim": 16, "norm_topk_prob": True, **_EXPERTS},
    "stablelm": {"use_qkv_bias": True, "partial_rotary_factor": 0.5},
    "gpt_neox": {"rotary_pct": 0.5, "intermediate_size": 192},
    "starcoder2": {"sliding_window": _WINDOW, "use_bias": True},
    "gemma3n_text": {
        "num_hidden_layers": 4,
        "intermediate_size": [96] * 4,
        "layer_types": _ALTERNATING * 2,
        "sliding_window": _WINDOW,
        "head_dim": 16,
        "num_kv_shared_layers": 2,
        "laurel_rank": 8,
        "activation_sparsity_pattern": [0.5, 0.0, 0.0, 0.0],
        "tie_word_embeddings": True,
        **_PER_LAYER,
    },
    "gemma4_text": {**_GEMMA4, "hidden_size_per_layer_input": 0},
    "gemma4_text small": {
        **_GEMMA4,
        "num_hidden_layers": 6,
        "layer_types": _ALTERNATING * 3,
        "num_kv_shared_layers": 2,
        "use_double_wide_mlp": True,
        "tie_word_embeddings": True,
        **_PER_LAYER,
    },
    "gemma4_text experts": {
        **_GEMMA4,
        "hidden_size_per_layer_input": 0,
        "enable_moe_block": True,
        "num_experts": 4,
        "top_k_experts": 2,
        "moe_intermediate_size": 48,
    },
    "apertus": {"hidden_act": "xielu"},
    "arcee": {},
    "cohere": {"logit_scale": 0.5, "use_qk_norm": True},
    "ernie4_5": {"head_dim": 24, "use_bias": True},
    "exaone4": {"sliding_window": _WINDOW, "layer_types": _ALTERNATING},
    "glm": {"head_dim": 16, "attention_bias": True},
    "glm4": {"head_dim": 16, "attention_bias": True},
    "glm4_moe": {
        "num_hidden_layers": 3,
        "n_routed_experts": 4,
        "n_shared_experts": 1,
        "first_k_dense_replace": 1,
        "use_qk_norm": True,
        "routed_scaling_factor": 1.5,
        **_EXPERTS,
    },
    "granitemoe": {"num_local_experts": 4, "num_experts_per_tok": 2, "intermediate_size": 48, **_SCALED},
    "granitemoehybrid": {
        "num_local_experts": 0,
        "shared_intermediate_size": 80,
        "layer_types": ["full_attention"] * 2,
        "position_embedding_type": "rope",
        **_SCALED,
    },
    "gpt_oss": {
        "num_local_experts": 4,
        "num_experts_per_tok": 2,
        "intermediate_size": 48,
        "head_dim": 16,
        "sliding_window": _WINDOW,
        "rope_parameters": {"rope_type": "default", "rope_theta": 10_000.0},
    },
    "helium": {"head_dim": 16},
    "hunyuan_v1_dense": {"head_dim": 24},
    "ministral": {"sliding_window": _WINDOW, "layer_types": _ALTERNATING, "head_dim": 24},
    "ministral3": {
        "head_dim": 24,
        "rope_parameters": {
            "rope_type": "yarn",
            "rope_theta": 10_000.0,
            "factor": 4.0,
            "original_max_position_embeddings": 100,
            "llama_4_scaling_beta": 0.3,
        },
    },
    "nemotron": {"partial_rotary_factor": 0.5},
    "olmo": {"clip_qkv": 2.0},
    "olmoe": {"num_experts": 6, "num_experts_per_tok": 2, "intermediate_size": 48, "norm_topk_prob": True},
    "qwen2_moe": {"num_experts": 6, "shared_expert_intermediate_size": 80, **_EXPERTS},
    "seed_oss": {"head_dim": 24, "attention_bias": True, "attention_out_bias": False},
}
MIXTURES = (
    "gemma4_text experts",
    "mixtral",
    "qwen3_moe",
    "glm4_moe",
    "gpt_oss",
    "granitemoe",
    "olmoe",
    "qwen2_moe",
)
"""Families with layers that choose among experts."""
LIBRARY_FAMILIES = tuple(family for family in _OWN if family not in FAMILIES)
"""Families, and settings of a family, beyond FAMILIES; "sliding" ones have a fused form too."""


def settings_of(family: str) -> dict[str, Any]:
    """Return a family's sizes and what is special about it."""
    return _SIZES | _OWN[family]


def build(family: str, **changes: Any) -> PreTrainedModel:
    """Return a random model; norms and biases differ from 1 and 0, so that forgetting one of them shows.

    changes: keys of its configuration.
    """
    torch.manual_seed(3)
    library: Any = AutoModelForCausalLM  # parts of the library carry no types
    config = CONFIG_MAPPING[family.split()[0]](**settings_of(family) | changes)
    model: Any = library.from_config(config)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if name.endswith("bias"):
                nn.init.normal_(weight, std=0.2)
            elif weight.ndim == 1:
                nn.init.uniform_(weight, 0.6, 1.4)
            if family.startswith("gemma4") and name.endswith(("q_norm.weight", "k_norm.weight")):
                weight.mul_(0.4)  # scores are not scaled: in a trained model these weights do it
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
