"""Sizes of a model's layers, and the shapes of weights that they imply, by family."""

from __future__ import annotations

from typing import Any

Shapes = dict[str, tuple[int, ...]]
"""Shapes of tensors, by name."""


def head_size(config: Any) -> int:
    """Return the width of an attention head."""
    return int(getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads)


def num_key_value_heads(config: Any) -> int:
    """Return the number of key and value heads of a layer."""
    return int(getattr(config, "num_key_value_heads", None) or config.num_attention_heads)


def num_experts(config: Any) -> int:
    """Return the number of experts of a layer; 0 for a dense model."""
    keys = ("num_local_experts", "num_experts", "n_routed_experts")
    return next((int(number) for key in keys if (number := getattr(config, key, None))), 0)


def separate(config: Any) -> Shapes:
    """Return the shapes of query and key projections that are matrices of their own."""
    hidden, dim = config.hidden_size, head_size(config)
    return {
        "self_attn.q_proj.weight": (config.num_attention_heads * dim, hidden),
        "self_attn.k_proj.weight": (num_key_value_heads(config) * dim, hidden),
    }


def gated(config: Any, layer: int) -> Shapes:
    """Separate projections and a gated MLP: Llama and most others."""
    return separate(config) | {"mlp.gate_proj.weight": (config.intermediate_size, config.hidden_size)}


def ungated(config: Any, layer: int) -> Shapes:
    """Separate projections and an MLP without a gate: Nemotron, Apertus, Arcee."""
    return separate(config) | {"mlp.up_proj.weight": (config.intermediate_size, config.hidden_size)}


def joined_gate(config: Any, layer: int) -> Shapes:
    """Separate projections, gate and up in one matrix: GLM."""
    return separate(config) | {"mlp.gate_up_proj.weight": (2 * config.intermediate_size, config.hidden_size)}


def phi(config: Any, layer: int) -> Shapes:
    """Phi 1 and 2."""
    return separate(config) | {"mlp.fc1.weight": (config.intermediate_size, config.hidden_size)}


def starcoder2(config: Any, layer: int) -> Shapes:
    """StarCoder 2."""
    return separate(config) | {"mlp.c_fc.weight": (config.intermediate_size, config.hidden_size)}


def phi3(config: Any, layer: int) -> Shapes:
    """Phi 3 and 4: all projections in one matrix, gate and up in another."""
    heads = config.num_attention_heads + 2 * num_key_value_heads(config)
    return {
        "self_attn.qkv_proj.weight": (heads * head_size(config), config.hidden_size),
        "mlp.gate_up_proj.weight": (2 * config.intermediate_size, config.hidden_size),
    }


def gpt_neox(config: Any, layer: int) -> Shapes:
    """GPT-NeoX and Pythia."""
    hidden = config.hidden_size
    return {
        "attention.query_key_value.weight": (3 * hidden, hidden),
        "mlp.dense_h_to_4h.weight": (config.intermediate_size, hidden),
    }


def granite4(config: Any, layer: int) -> Shapes:
    """Granite 4: without its experts, a gated MLP under another name."""
    sizes = {"shared_mlp.input_linear.weight": (2 * config.shared_intermediate_size, config.hidden_size)}
    if experts := num_experts(config):
        sizes["block_sparse_moe.router.layer.weight"] = (experts, config.hidden_size)
    return separate(config) | sizes


def mixtral(config: Any, layer: int) -> Shapes:
    """Mixtral."""
    experts, hidden = num_experts(config), config.hidden_size
    return separate(config) | {
        "block_sparse_moe.gate.weight": (experts, hidden),
        f"block_sparse_moe.experts.{experts - 1}.w1.weight": (config.intermediate_size, hidden),
    }


def _experts(config: Any, size: int) -> Shapes:
    """A router and as many gated MLPs, each in matrices of its own."""
    experts, hidden = num_experts(config), config.hidden_size
    return separate(config) | {
        "mlp.gate.weight": (experts, hidden),
        f"mlp.experts.{experts - 1}.gate_proj.weight": (size, hidden),
    }


def olmoe(config: Any, layer: int) -> Shapes:
    """OLMoE."""
    return _experts(config, config.intermediate_size)


def qwen_moe(config: Any, layer: int) -> Shapes:
    """Qwen 2 and 3 with experts; some layers may be dense."""
    if layer in (config.mlp_only_layers or ()) or (layer + 1) % config.decoder_sparse_step:
        return gated(config, layer)
    sizes = _experts(config, config.moe_intermediate_size)
    if shared := getattr(config, "shared_expert_intermediate_size", None):
        sizes["mlp.shared_expert.gate_proj.weight"] = (shared, config.hidden_size)
    return sizes


def glm4_moe(config: Any, layer: int) -> Shapes:
    """GLM 4.5: the first layers are dense, the others have experts and one that all tokens share."""
    if layer < config.first_k_dense_replace:
        return gated(config, layer)
    size = config.moe_intermediate_size
    shared = (size * config.n_shared_experts, config.hidden_size)
    return _experts(config, size) | {"mlp.shared_experts.gate_proj.weight": shared}


def granite_moe(config: Any, layer: int) -> Shapes:
    """Granite 3 with experts, which are in one tensor."""
    experts, hidden = num_experts(config), config.hidden_size
    return separate(config) | {
        "block_sparse_moe.router.layer.weight": (experts, hidden),
        "block_sparse_moe.input_linear.weight": (experts, 2 * config.intermediate_size, hidden),
    }


def gpt_oss(config: Any, layer: int) -> Shapes:
    """GPT-OSS: experts in one tensor, the inner size last."""
    experts, hidden = num_experts(config), config.hidden_size
    return separate(config) | {
        "self_attn.sinks": (config.num_attention_heads,),
        "mlp.router.weight": (experts, hidden),
        "mlp.experts.gate_up_proj": (experts, hidden, 2 * config.intermediate_size),
    }
