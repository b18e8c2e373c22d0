"""What distinguishes the families that integer passes run, by the library's configuration; and which they
are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from quire_engine.catalog.model_families import INTEGER_TYPES
from quire_engine.catalog.weight_shapes import has_dense_layers, num_experts
from quire_engine.integer.activations_kernel import GELU, GELU_TANH, RELU_SQUARED, SILU
from quire_engine.integer.attention_kernel import MAX_HEAD
from quire_engine.integer.rope_tables import KINDS

NEIGHBOURS_TURN = frozenset({"cohere", "cohere2", "ernie4_5", "glm", "glm4", "helium"})
"""Types that rotate pairs of neighbours, and not numbers that are half a head apart."""
_MEAN_IS_SUBTRACTED = frozenset(
    {"cohere", "cohere2", "gpt_neox", "nemotron", "olmo", "phi", "stablelm", "starcoder2"}
)
ONE_IS_ADDED = frozenset({"gemma", "gemma2", "gemma3_text", "nemotron"})
"""Types whose norms multiply by 1 + weight."""
NORMS_BEHIND_ONLY = frozenset({"exaone4", "olmo2", "olmo3"})
"""Types that norm what is added to the residuals, and not what is read from them."""
TURNS_FIRST = frozenset({"hunyuan_v1_dense"})
"""Types that norm queries and keys after they turned."""
_PARALLEL = frozenset({"cohere", "cohere2", "phi"})
_ONLY_WINDOWS_TURN = frozenset({"cohere2", "exaone4"})
"""Types whose layers without a window know no positions."""
_ACTIVATIONS = {
    "silu": SILU,
    "gelu": GELU,
    "gelu_pytorch_tanh": GELU_TANH,
    "gelu_new": GELU_TANH,
    "relu2": RELU_SQUARED,
}
_MOST_POSITIONS = 1 << 20
"""Positions whose angles are computed exactly enough."""


def unsupported_reason(config: Any) -> str | None:
    """Return why integer passes can't run a model of this configuration; None if they can. For logs."""
    if config.model_type not in INTEGER_TYPES:
        return f"no integer passes for models of type {config.model_type}"
    if activation_name(config) not in _ACTIVATIONS:
        return f"no integer passes with {activation_name(config)}"
    for key in ("clip_qkv", "use_qk_norm", "qk_layernorm"):
        if getattr(config, key, None):
            return f"no integer passes with {key}"
    kinds = {rope.get("rope_type", "default") for rope in rope_settings(config).values()}
    if kinds - set(KINDS):
        return f"no integer passes with rope scaling {', '.join(sorted(kinds))}"
    if has_dense_layers(config):
        return "no integer passes where only some layers have experts"
    head = head_size(config)
    if head % 2 or head > MAX_HEAD:
        return f"no integer passes with heads of {head} numbers"
    if config.max_position_embeddings > _MOST_POSITIONS:
        return f"no integer passes over more than {_MOST_POSITIONS:,} positions"
    return None


def inner_size(config: Any) -> int:
    """Return the inner numbers of an MLP; of one expert where there are several."""
    own = getattr(config, "moe_intermediate_size", None)
    return int(own if own and num_experts(config) else config.intermediate_size)


def shares_add_up(config: Any) -> bool:
    """Say whether the shares of the experts that a row chose add up to 1."""
    return config.model_type in ("granitemoe", "mixtral") or bool(getattr(config, "norm_topk_prob", True))


def head_size(config: Any) -> int:
    """Return the numbers of one head."""
    return int(getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads)


def kv_heads(config: Any) -> int:
    """Return the heads of keys and values."""
    if config.model_type == "gpt_neox":
        return int(config.num_attention_heads)
    return int(getattr(config, "num_key_value_heads", None) or config.num_attention_heads)


def activation_name(config: Any) -> str:
    """Return the library's name of the activation."""
    return str(getattr(config, "hidden_activation", None) or config.hidden_act)


def activation(config: Any) -> int:
    """Return the activation as kernels know it."""
    return _ACTIVATIONS[activation_name(config)]


def rope_settings(config: Any) -> dict[str, Mapping[str, Any]]:
    """Return the settings of angles by the type of layer; under "" where all layers have the same."""
    rope: Mapping[str, Any] = config.rope_parameters or {}
    by_layer = {name: each for name, each in rope.items() if isinstance(each, Mapping)}
    return by_layer or {"": rope}


def rotated_numbers(config: Any, rope: Mapping[str, Any]) -> int:
    """Return how many numbers of a head turn with the position."""
    share = rope.get("partial_rotary_factor") or getattr(config, "partial_rotary_factor", None) or 1.0
    return int(head_size(config) * float(share)) // 2 * 2


def layer_type(config: Any, number: int) -> str:
    """Return the type of a layer; empty where all are alike."""
    types = getattr(config, "layer_types", None)
    return str(types[number]) if types else ""


def knows_positions(config: Any, number: int) -> bool:
    """Say whether queries and keys of a layer turn with the position."""
    if config.model_type in _ONLY_WINDOWS_TURN:
        return not config.sliding_window or layer_type(config, number) == "sliding_attention"
    return config.model_type != "smollm3" or bool(config.no_rope_layers[number])


def turn(config: Any, number: int) -> int:
    """Return the number of a layer's table of angles; one past the last where it knows no positions."""
    names = list(rope_settings(config))
    if not knows_positions(config, number):
        return len(names)
    return 0 if names == [""] else names.index(layer_type(config, number))


def window(config: Any, number: int) -> int:
    """Return the positions that a row of a layer sees; 0 for all."""
    if layer_type(config, number) not in ("", "sliding_attention"):
        return 0
    return int(getattr(config, "sliding_window", None) or 0)


def query_growth(config: Any) -> tuple[float, int]:
    """Return by how much of a logarithm queries grow with their position, and the positions without that."""
    rope = next(iter(rope_settings(config).values()))
    trained = rope.get("original_max_position_embeddings") or config.max_position_embeddings
    return float(rope.get("llama_4_scaling_beta") or 0.0), int(trained)


def attention_factor(config: Any) -> float:
    """Return the factor of the attention's scores."""
    if own := getattr(config, "attention_multiplier", None):
        return float(own)
    return 1 / math.sqrt(float(getattr(config, "query_pre_attn_scalar", None) or head_size(config)))


def has_norms(config: Any) -> bool:
    """Say whether norms have weights."""
    return bool(config.model_type != "olmo")


def head_norm_names(model_type: str) -> tuple[str, str]:
    """Return the names of the norms of queries and keys, where a type has any."""
    return ("query_layernorm", "key_layernorm") if model_type in TURNS_FIRST else ("q_norm", "k_norm")


def norm_names(model_type: str) -> tuple[str, str, str, str]:
    """Return the names of the norms before and after the attention, and before and after the MLP; an empty
    one where there is none."""
    first, behind = "input_layernorm", "post_attention_layernorm"
    if model_type in NORMS_BEHIND_ONLY:
        return "", behind, "", "post_feedforward_layernorm"
    if model_type == "glm4":
        return first, "post_self_attn_layernorm", behind, "post_mlp_layernorm"
    if model_type in ("gemma2", "gemma3_text"):
        return first, behind, "pre_feedforward_layernorm", "post_feedforward_layernorm"
    return first, "", behind, ""


def subtracts_mean(config: Any) -> bool:
    """Say whether norms subtract the mean; everything that is added to the residuals then has none."""
    return config.model_type in _MEAN_IS_SUBTRACTED


def is_parallel(config: Any) -> bool:
    """Say whether attention and MLP read the same residuals."""
    return config.model_type in _PARALLEL or bool(getattr(config, "use_parallel_residual", False))


def norm_eps(config: Any) -> float:
    """Return what norms add to the mean of squares."""
    if config.model_type == "olmo":
        return 1e-5
    names = ("layer_norm_eps", "norm_epsilon", "norm_eps", "rms_norm_eps")
    return float(next(getattr(config, name) for name in names if hasattr(config, name)))


def embedding_factor(config: Any) -> float:
    """Return what embeddings are multiplied by."""
    if config.model_type.startswith("gemma"):
        return math.sqrt(config.hidden_size)
    return float(getattr(config, "embedding_multiplier", 1.0))


def score_factor(config: Any) -> float:
    """Return what the scores of the LM head are multiplied by."""
    return float(getattr(config, "logit_scale", 1.0)) / float(getattr(config, "logits_scaling", 1.0))


def cap_of(config: Any, name: str) -> float:
    """Return below what scores are bent; 0: they are not."""
    return float(getattr(config, name, None) or 0.0)
