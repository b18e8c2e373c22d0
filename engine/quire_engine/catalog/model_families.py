"""The supported model types: which keys of config.json each reads, and the weight shapes they imply."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from quire_engine.catalog import weight_shapes
from quire_engine.catalog.weight_shapes import Shapes, gated, num_experts

FUSED_TYPES = frozenset({"llama", "mistral", "qwen2", "qwen3"})
"""Types with a fused form of their layers, which can also be split between GPUs."""
INTEGER_TYPES = frozenset(
    {
        "arcee", "cohere", "cohere2", "ernie4_5", "exaone4", "gemma", "gemma2", "gemma3_text",
        "glm", "glm4", "gpt_neox", "granite", "granitemoe", "helium", "hunyuan_v1_dense", "llama",
        "ministral", "ministral3", "mistral", "mixtral", "nemotron", "olmo", "olmo2", "olmo3",
        "olmoe", "phi", "phi3", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "seed_oss", "smollm3",
        "stablelm", "starcoder2",
    }
)  # fmt: skip
"""Types that integer passes can run (quire_engine.integer), unless a setting is in the way."""

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
_PER_LAYER = frozenset(
    {
        "final_logit_softcapping",
        "hidden_activation",
        "hidden_size_per_layer_input",
        "layer_types",
        "num_kv_shared_layers",
        "sliding_window",
        "vocab_size_per_layer_input",
    }
)
_GEMMA3N = _PER_LAYER | {
    "activation_sparsity_pattern",
    "altup_active_idx",
    "altup_coef_clip",
    "altup_correct_scale",
    "altup_num_inputs",
    "laurel_rank",
    "rope_local_base_freq",
}
_GEMMA4 = _PER_LAYER | {
    "attention_k_eq_v",
    "enable_moe_block",
    "global_head_dim",
    "moe_intermediate_size",
    "num_experts",
    "num_global_key_value_heads",
    "top_k_experts",
    "use_double_wide_mlp",
}
_GRANITE = frozenset(
    {"attention_multiplier", "embedding_multiplier", "logits_scaling", "residual_multiplier"}
)
_MIXTURE = frozenset({"num_experts", "num_experts_per_tok", "num_local_experts"})
_QWEN_MOE = _MIXTURE | {
    "decoder_sparse_step",
    "mlp_only_layers",
    "moe_intermediate_size",
    "norm_topk_prob",
}
_GLM4_MOE = _MIXTURE | {
    "first_k_dense_replace",
    "moe_intermediate_size",
    "n_group",
    "n_routed_experts",
    "n_shared_experts",
    "norm_topk_prob",
    "routed_scaling_factor",
    "topk_group",
    "use_qk_norm",
}


@dataclass(frozen=True, slots=True)
class Family:
    """One model type.

    The shapes named are those that depend on sizes in config.json: with them, the model that is built cannot
    be larger than the weights in the folder.

    Attributes:
        title: what its makers call the models.
        keys: keys of config.json beyond those of every model.
        layer_shapes: shapes of one layer's weights, by name within the layer.
        embedding, layers: names in the weight table.
        others: shapes of weights that are in no layer.
    """

    title: str
    keys: frozenset[str]
    layer_shapes: Callable[[Any, int], Shapes]
    embedding: str = "model.embed_tokens.weight"
    layers: str = "model.layers."
    others: Callable[[Any], Shapes] = lambda config: {}

    @property
    def allowed(self) -> frozenset[str]:
        """The keys of config.json that are read."""
        return _COMMON | self.keys

    def shapes(self, config: Any) -> Shapes:
        """Return the shapes that the weights must have, before anything is built."""
        wanted: Shapes = {self.embedding: (config.vocab_size, config.hidden_size), **self.others(config)}
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

FAMILIES: dict[str, Family] = {
    "apertus": Family("Apertus", frozenset(), weight_shapes.ungated),
    "arcee": Family("Arcee AFM", frozenset(), weight_shapes.ungated),
    "cohere": Family("Command R", frozenset({"layer_norm_eps", "logit_scale", "use_qk_norm"}), gated),
    "cohere2": Family("Command R7B", _LAYER_WINDOWS | {"layer_norm_eps", "logit_scale"}, gated),
    "ernie4_5": Family("ERNIE 4.5 (dense)", frozenset({"use_bias"}), gated),
    "exaone4": Family("EXAONE 4", _LAYER_WINDOWS, gated),
    "gemma": Family("Gemma", frozenset({"hidden_activation"}), gated),
    "gemma2": Family("Gemma 2", _GEMMA2, gated),
    "gemma3_text": Family("Gemma 3", _GEMMA2 | {"rope_local_base_freq"}, gated),
    "gemma3n_text": Family("Gemma 3n", _GEMMA3N, weight_shapes.gemma3n, others=weight_shapes.table_per_layer),
    "gemma4_text": Family("Gemma 4", _GEMMA4, weight_shapes.gemma4, others=weight_shapes.table_per_layer),
    "glm": Family("GLM-4-9B", frozenset(), weight_shapes.joined_gate),
    "glm4": Family("GLM-4-0414", frozenset(), weight_shapes.joined_gate),
    "glm4_moe": Family("GLM 4.5", _GLM4_MOE, weight_shapes.glm4_moe),
    "gpt_neox": Family(
        "GPT-NeoX and Pythia",
        frozenset({"layer_norm_eps", "rotary_emb_base", "rotary_pct", "use_parallel_residual"}),
        weight_shapes.gpt_neox,
        embedding="gpt_neox.embed_in.weight",
        layers="gpt_neox.layers.",
    ),
    "gpt_oss": Family(
        "GPT-OSS",
        frozenset({"layer_types", "sliding_window", "swiglu_alpha", "swiglu_limit", *_MIXTURE}),
        weight_shapes.gpt_oss,
    ),
    "granite": Family("Granite 3", _GRANITE, gated),
    "granitemoe": Family("Granite 3 with experts", _GRANITE | _MIXTURE, weight_shapes.granite_moe),
    "granitemoehybrid": Family(
        "Granite 4 without “H”",
        _GRANITE | _MIXTURE | {"layer_types", "position_embedding_type", "shared_intermediate_size"},
        weight_shapes.granite4,
    ),
    "helium": Family("Helium", frozenset(), gated),
    "hunyuan_v1_dense": Family("Hunyuan (dense)", frozenset(), gated),
    "llama": Family("Llama 1 to 3", frozenset({"layer_types"}), gated),
    "ministral": Family("Ministral 8B", frozenset({"layer_types", "sliding_window"}), gated),
    "ministral3": Family("Ministral 3", frozenset({"sliding_window"}), gated),
    "mistral": Family("Mistral", frozenset({"layer_types", "sliding_window"}), gated),
    "mixtral": Family("Mixtral", _MIXTURE | {"sliding_window"}, weight_shapes.mixtral),
    "nemotron": Family("Nemotron 4 and Minitron", frozenset({"norm_eps"}), weight_shapes.ungated),
    "olmo": Family("OLMo", frozenset({"clip_qkv"}), gated),
    "olmo2": Family("OLMo 2", frozenset(), gated),
    "olmo3": Family("OLMo 3", frozenset({"layer_types", "sliding_window"}), gated),
    "olmoe": Family("OLMoE", _MIXTURE | {"clip_qkv", "norm_topk_prob"}, weight_shapes.olmoe),
    "phi": Family("Phi 1 and 2", frozenset({"layer_norm_eps", "qk_layernorm"}), weight_shapes.phi),
    "phi3": Family(
        "Phi 3 and 4", frozenset({"original_max_position_embeddings", "sliding_window"}), weight_shapes.phi3
    ),
    "qwen2": Family("Qwen 2 and 2.5", _QWEN_WINDOW, gated),
    "qwen2_moe": Family(
        "Qwen 2 with experts",
        _QWEN_MOE | _QWEN_WINDOW | {"qkv_bias", "shared_expert_intermediate_size"},
        weight_shapes.qwen_moe,
    ),
    "qwen3": Family("Qwen 3", _QWEN_WINDOW, gated),
    "qwen3_moe": Family(
        "Qwen 3 with experts", _QWEN_MOE | {"sliding_window", "use_sliding_window"}, weight_shapes.qwen_moe
    ),
    "seed_oss": Family("Seed-OSS", frozenset({"attention_out_bias"}), gated),
    "smollm3": Family(
        "SmolLM3",
        _LAYER_WINDOWS - {"sliding_window_pattern"}
        | {"no_rope_layer_interval", "no_rope_layers", "use_sliding_window"},
        gated,
    ),
    "stablelm": Family(
        "StableLM",
        frozenset({"layer_norm_eps", "qk_layernorm", "use_parallel_residual", "use_qkv_bias"}),
        gated,
    ),
    "starcoder2": Family(
        "StarCoder 2", frozenset({"norm_epsilon", "sliding_window", "use_bias"}), weight_shapes.starcoder2
    ),
}
"""By `model_type` in config.json."""

_LARGEST = {
    "vocab_size": 1 << 24,
    "hidden_size": 1 << 20,
    "intermediate_size": 1 << 24,
    "moe_intermediate_size": 1 << 24,
    "shared_expert_intermediate_size": 1 << 24,
    "shared_intermediate_size": 1 << 24,
    "num_hidden_layers": 1 << 12,
    "num_attention_heads": 1 << 16,
    "num_key_value_heads": 1 << 16,
    "head_dim": 1 << 16,
    "max_position_embeddings": 1 << 24,
    "original_max_position_embeddings": 1 << 24,
    "altup_num_inputs": 1 << 6,
    "global_head_dim": 1 << 16,
    "laurel_rank": 1 << 16,
    "n_group": 1 << 16,
    "n_shared_experts": 1 << 12,
    "num_experts_per_tok": 1 << 16,
    "num_global_key_value_heads": 1 << 16,
    "top_k_experts": 1 << 16,
    "vocab_size_per_layer_input": 1 << 24,
    "topk_group": 1 << 16,
    "decoder_sparse_step": 1 << 12,
    "no_rope_layer_interval": 1 << 12,
    "sliding_window": 1 << 24,
    "sliding_window_pattern": 1 << 12,
}
_MAY_BE_NONE = {
    "altup_active_idx": 1 << 6,
    "hidden_size_per_layer_input": 1 << 20,
    "num_kv_shared_layers": 1 << 12,
    "first_k_dense_replace": 1 << 12,
    "n_routed_experts": 1 << 16,
    "num_experts": 1 << 16,
    "num_local_experts": 1 << 16,
}
"""Counts of which 0 is one: a dense Granite 4 has no experts."""


def sizes_are_possible(values: dict[str, Any]) -> bool:
    """Say whether every size in a configuration is plausible; None means the library's default."""
    bounds = [(key, 1, largest) for key, largest in _LARGEST.items()]
    bounds += [(key, 0, largest) for key, largest in _MAY_BE_NONE.items()]
    given = ((values.get(key), least, largest) for key, least, largest in bounds)
    return all(v is None or (type(v) is int and least <= v <= largest) for v, least, largest in given)
