"""The supported model types: which keys of config.json each reads, and the weight shapes they imply."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from quire_engine.api.user_message import UserMessage

FUSED_TYPES = frozenset({"llama", "mistral", "qwen2", "qwen3"})
"""Types with a fused form of their layers, which can also be split between GPUs."""
Shapes = dict[str, tuple[int, ...]]
"""Shapes of tensors, by name."""

# What the shape and the arithmetic of a model need. The library acts on many more keys: some of them name
# other files, switch its outputs or replace its methods, so that only a list of what is allowed is safe.
_COMMON = frozenset(
    {
        "attention_bias",
        "head_dim",
        "hidden_act",
        "hidden_size",
        "intermediate_size",
        "max_position_embeddings",
        "mlp_bias",
        "model_type",
        "num_attention_heads",
        "num_hidden_layers",
        "num_key_value_heads",
        "partial_rotary_factor",
        "rms_norm_eps",
        "rope_parameters",
        "rope_scaling",
        "rope_theta",
        "tie_word_embeddings",
        "vocab_size",
    }
)
_QWEN_WINDOW = frozenset({"layer_types", "max_window_layers", "sliding_window", "use_sliding_window"})
_LAYER_WINDOWS = frozenset({"layer_types", "sliding_window", "sliding_window_pattern"})
_GEMMA2 = _LAYER_WINDOWS | {
    "attn_logit_softcapping",
    "final_logit_softcapping",
    "hidden_activation",
    "query_pre_attn_scalar",
}


@dataclass(frozen=True, slots=True)
class Family:
    """One model type.

    The shapes named are those that depend on sizes in config.json: with them, the model that is built cannot
    be larger than the weights in the folder.

    Attributes:
        keys: keys of config.json beyond those of every model.
        layer_shapes: shapes of one layer's weights, by name within the layer.
        embedding, layers: names in the weight table.
    """

    keys: frozenset[str]
    layer_shapes: Callable[[Any, int], Shapes]
    embedding: str = "model.embed_tokens.weight"
    layers: str = "model.layers."

    @property
    def allowed(self) -> frozenset[str]:
        """The keys of config.json that are read."""
        return _COMMON | self.keys

    def shapes(self, config: Any) -> Shapes:
        """Return the shapes that the weights must have, before anything is built."""
        wanted: Shapes = {self.embedding: (config.vocab_size, config.hidden_size)}
        for layer in range(config.num_hidden_layers):
            for name, shape in self.layer_shapes(config, layer).items():
                wanted[f"{self.layers}{layer}.{name}"] = shape
        return wanted

    def is_beyond(self, name: str, config: Any) -> bool:
        """Say whether a tensor belongs to a layer or expert that config.json does not have."""
        rest = name.removeprefix(self.layers)
        found = _NUMBER.match(rest) if rest != name else None
        if found is not None and int(found[1]) >= config.num_hidden_layers:
            return True
        expert = _EXPERT.search(name)
        return expert is not None and int(expert[1]) >= num_experts(config)


_NUMBER = re.compile(r"(\d{1,9})\.")
_EXPERT = re.compile(r"\.experts\.(\d{1,9})\.")


def head_size(config: Any) -> int:
    """Return the width of an attention head."""
    return int(getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads)


def num_key_value_heads(config: Any) -> int:
    """Return the number of key and value heads of a layer."""
    return int(getattr(config, "num_key_value_heads", None) or config.num_attention_heads)


def num_experts(config: Any) -> int:
    """Return the number of experts of a layer; 0 for a dense model."""
    return int(getattr(config, "num_local_experts", None) or getattr(config, "num_experts", None) or 0)


def _separate(config: Any) -> Shapes:
    hidden, dim = config.hidden_size, head_size(config)
    return {
        "self_attn.q_proj.weight": (config.num_attention_heads * dim, hidden),
        "self_attn.k_proj.weight": (num_key_value_heads(config) * dim, hidden),
    }


def _gated(config: Any, layer: int) -> Shapes:
    """Separate projections and a gated MLP: Llama and most others."""
    return _separate(config) | {"mlp.gate_proj.weight": (config.intermediate_size, config.hidden_size)}


def _phi(config: Any, layer: int) -> Shapes:
    return _separate(config) | {"mlp.fc1.weight": (config.intermediate_size, config.hidden_size)}


def _starcoder2(config: Any, layer: int) -> Shapes:
    return _separate(config) | {"mlp.c_fc.weight": (config.intermediate_size, config.hidden_size)}


def _phi3(config: Any, layer: int) -> Shapes:
    heads = config.num_attention_heads + 2 * num_key_value_heads(config)
    return {
        "self_attn.qkv_proj.weight": (heads * head_size(config), config.hidden_size),
        "mlp.gate_up_proj.weight": (2 * config.intermediate_size, config.hidden_size),
    }


def _gpt_neox(config: Any, layer: int) -> Shapes:
    hidden = config.hidden_size
    return {
        "attention.query_key_value.weight": (3 * hidden, hidden),
        "mlp.dense_h_to_4h.weight": (config.intermediate_size, hidden),
    }


def _mixtral(config: Any, layer: int) -> Shapes:
    experts, hidden = num_experts(config), config.hidden_size
    return _separate(config) | {
        "block_sparse_moe.gate.weight": (experts, hidden),
        f"block_sparse_moe.experts.{experts - 1}.w1.weight": (config.intermediate_size, hidden),
    }


def _qwen3_moe(config: Any, layer: int) -> Shapes:
    experts, hidden = num_experts(config), config.hidden_size
    if layer in config.mlp_only_layers or (layer + 1) % config.decoder_sparse_step:
        return _gated(config, layer)
    return _separate(config) | {
        "mlp.gate.weight": (experts, hidden),
        f"mlp.experts.{experts - 1}.gate_proj.weight": (config.moe_intermediate_size, hidden),
    }


FAMILIES: dict[str, Family] = {
    "cohere2": Family(_LAYER_WINDOWS | {"layer_norm_eps", "logit_scale"}, _gated),
    "gemma": Family(frozenset({"hidden_activation"}), _gated),
    "gemma2": Family(_GEMMA2, _gated),
    "gemma3_text": Family(_GEMMA2 | {"rope_local_base_freq"}, _gated),
    "gpt_neox": Family(
        frozenset({"layer_norm_eps", "rotary_emb_base", "rotary_pct", "use_parallel_residual"}),
        _gpt_neox,
        embedding="gpt_neox.embed_in.weight",
        layers="gpt_neox.layers.",
    ),
    "granite": Family(
        frozenset({"attention_multiplier", "embedding_multiplier", "logits_scaling", "residual_multiplier"}),
        _gated,
    ),
    "llama": Family(frozenset({"layer_types"}), _gated),
    "mistral": Family(frozenset({"layer_types", "sliding_window"}), _gated),
    "mixtral": Family(frozenset({"num_experts_per_tok", "num_local_experts", "sliding_window"}), _mixtral),
    "olmo2": Family(frozenset(), _gated),
    "olmo3": Family(frozenset({"layer_types", "sliding_window"}), _gated),
    "phi": Family(frozenset({"layer_norm_eps", "qk_layernorm"}), _phi),
    "phi3": Family(frozenset({"original_max_position_embeddings", "sliding_window"}), _phi3),
    "qwen2": Family(_QWEN_WINDOW, _gated),
    "qwen3": Family(_QWEN_WINDOW, _gated),
    "qwen3_moe": Family(
        frozenset(
            {
                "decoder_sparse_step",
                "mlp_only_layers",
                "moe_intermediate_size",
                "norm_topk_prob",
                "num_experts",
                "num_experts_per_tok",
                "num_local_experts",
                "sliding_window",
                "use_sliding_window",
            }
        ),
        _qwen3_moe,
    ),
    "smollm3": Family(
        _LAYER_WINDOWS - {"sliding_window_pattern"}
        | {"no_rope_layer_interval", "no_rope_layers", "use_sliding_window"},
        _gated,
    ),
    "stablelm": Family(
        frozenset({"layer_norm_eps", "qk_layernorm", "use_parallel_residual", "use_qkv_bias"}), _gated
    ),
    "starcoder2": Family(frozenset({"norm_epsilon", "sliding_window", "use_bias"}), _starcoder2),
}
"""By `model_type` in config.json."""

_LARGEST = {
    "vocab_size": 1 << 24,
    "hidden_size": 1 << 20,
    "intermediate_size": 1 << 24,
    "moe_intermediate_size": 1 << 24,
    "num_hidden_layers": 1 << 12,
    "num_attention_heads": 1 << 16,
    "num_key_value_heads": 1 << 16,
    "head_dim": 1 << 16,
    "max_position_embeddings": 1 << 24,
    "original_max_position_embeddings": 1 << 24,
    "num_experts": 1 << 16,
    "num_local_experts": 1 << 16,
    "num_experts_per_tok": 1 << 16,
    "decoder_sparse_step": 1 << 12,
    "no_rope_layer_interval": 1 << 12,
    "sliding_window": 1 << 24,
    "sliding_window_pattern": 1 << 12,
}


def sizes_are_possible(values: dict[str, Any]) -> bool:
    """Say whether every size in a configuration is plausible; None means the library's default."""
    given = ((values.get(key), largest) for key, largest in _LARGEST.items())
    return all(v is None or (type(v) is int and 1 <= v <= largest) for v, largest in given)


def attention_problem(config: Any) -> str | None:
    """Return why a configuration's attention is not supported, as half a sentence; None if it is."""
    layer_types = set(getattr(config, "layer_types", None) or ())
    if layer_types - {"full_attention", "sliding_attention"}:
        return UserMessage("uses linear or another special attention")
    if "sliding_attention" in layer_types and not getattr(config, "sliding_window", None):
        return UserMessage("uses sliding-window attention without a window size")
    if getattr(config, "use_bidirectional_attention", None):
        return UserMessage("reads in both directions and isn't made for writing")
    if any(rope.get("rope_type") == "longrope" for rope in _ropes(config)):
        # its angles depend on the longest position of a pass, so a tree would turn its own root
        return "uses “longrope” positions"
    return None


def _ropes(config: Any) -> list[dict[str, Any]]:
    """Return the rope settings of all layers; Gemma 3 and OLMo 3 have them by layer type."""
    rope = getattr(config, "rope_parameters", None)
    if not isinstance(rope, dict):
        return []
    return [rope, *(part for part in rope.values() if isinstance(part, dict))]


_HINTS = (
    ("num_kv_shared_layers", UserMessage("its layers share keys and values")),
    ("kv_lora_rank", UserMessage("it compresses keys and values (multi-head latent attention)")),
    ("mamba_d_state", UserMessage("it has layers without attention")),
    ("ssm_cfg", UserMessage("it has layers without attention")),
    ("state_size", UserMessage("it has layers without attention")),
    ("linear_num_key_heads", UserMessage("it has layers with linear attention")),
    ("linear_attn_config", UserMessage("it has layers with linear attention")),
    ("block_types", UserMessage("it has recurrent layers")),
    ("vision_config", UserMessage("it reads images as well as text")),
    ("is_encoder_decoder", UserMessage("it has an encoder")),
)


def reason_unsupported(raw: dict[str, Any]) -> str | None:
    """Return what is special about an unknown type, as half a sentence, if its config.json shows it."""
    return next((reason for key, reason in _HINTS if raw.get(key)), None)
