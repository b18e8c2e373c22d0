"""Sizes of a model's layers, and the shapes of weights that they imply, by family."""

from __future__ import annotations

from typing import Any

Shapes = dict[str, tuple[int, ...]]
"""Shapes of tensors, by name."""


def _common(config: Any, key: str) -> Any:
    """Return the value for most layers, which the library does not tell where layers differ in it."""
    own = vars(config)
    return own[key] if key in own else getattr(config, key, None)


def head_size(config: Any) -> int:
    """Return the width of an attention head."""
    return int(_common(config, "head_dim") or config.hidden_size // config.num_attention_heads)


def num_key_value_heads(config: Any) -> int:
    """Return the number of key and value heads of a layer."""
    return int(_common(config, "num_key_value_heads") or config.num_attention_heads)


def num_experts(config: Any) -> int:
    """Return the number of experts of a layer; 0 for a dense model."""
    keys = ("num_local_experts", "num_experts", "n_routed_experts")
    return next((int(number) for key in keys if (number := getattr(config, key, None))), 0)


def has_dense_layers(config: Any) -> bool:
    """Say whether only some layers of a Qwen model have experts."""
    return bool(getattr(config, "mlp_only_layers", None)) or getattr(config, "decoder_sparse_step", 1) != 1


def inner_size(config: Any) -> int:
    """Return the inner width of the MLPs; Gemma 3n has one for each layer."""
    size: Any = config.intermediate_size
    return int(size) if not isinstance(size, list | tuple) else max(size)


def separate(config: Any) -> Shapes:
    """Return the shapes of query and key projections that are matrices of their own."""
    hidden, dim = config.hidden_size, head_size(config)
    return {
        "self_attn.q_proj.weight": (config.num_attention_heads * dim, hidden),
        "self_attn.k_proj.weight": (num_key_value_heads(config) * dim, hidden),
    }


def gated(config: Any, layer: int) -> Shapes:
    """Separate projections and a gated MLP: Llama and most others."""
    return separate(config) | {"mlp.gate_proj.weight": (inner_size(config), config.hidden_size)}


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


def gemma3n(config: Any, layer: int) -> Shapes:
    """Gemma 3n: several streams, an embedding for each layer, and keys that the last layers share."""
    hidden, streams = config.hidden_size, config.altup_num_inputs
    sizes = gated(config, layer)
    if layer >= config.num_hidden_layers - config.num_kv_shared_layers:
        del sizes["self_attn.k_proj.weight"]
    return sizes | {
        "altup.prediction_coefs.weight": (streams * streams, streams),
        "laurel.linear_left.weight": (config.laurel_rank, hidden),
        "per_layer_input_gate.weight": (config.hidden_size_per_layer_input, hidden),
    }


def gemma4_heads(config: Any, layer: int) -> tuple[int, int]:
    """Return the width and the number of key and value heads of a layer of Gemma 4."""
    if config.layer_types[layer] != "full_attention":
        return head_size(config), num_key_value_heads(config)
    by_layer = getattr(config, "per_layer_config", None)
    if by_layer is not None:  # what the library made of the other two
        return int(by_layer[layer].head_dim), int(by_layer[layer].num_key_value_heads)
    own = getattr(config, "num_global_key_value_heads", None) if config.attention_k_eq_v else None
    return int(config.global_head_dim), int(own or num_key_value_heads(config))


def gemma4(config: Any, layer: int) -> Shapes:
    """Gemma 4: layers of two widths, of which the last may share keys and be twice as wide."""
    hidden = config.hidden_size
    dim, kv_heads = gemma4_heads(config, layer)
    shares = layer >= config.num_hidden_layers - config.num_kv_shared_layers
    inner = config.intermediate_size * (2 if shares and config.use_double_wide_mlp else 1)
    sizes: Shapes = {
        "self_attn.q_proj.weight": (config.num_attention_heads * dim, hidden),
        "mlp.gate_proj.weight": (inner, hidden),
    }
    if not shares:
        sizes["self_attn.k_proj.weight"] = (kv_heads * dim, hidden)
    if config.hidden_size_per_layer_input:
        sizes["per_layer_input_gate.weight"] = (config.hidden_size_per_layer_input, hidden)
    if config.enable_moe_block:
        experts = num_experts(config)
        sizes["router.proj.weight"] = (experts, hidden)
        sizes["experts.gate_up_proj"] = (experts, 2 * config.moe_intermediate_size, hidden)
    return sizes


def table_per_layer(config: Any) -> Shapes:
    """The embeddings that Gemma 3n and some of Gemma 4 have for each layer, in one table."""
    if not config.hidden_size_per_layer_input:
        return {}
    width = config.num_hidden_layers * config.hidden_size_per_layer_input
    return {"model.embed_tokens_per_layer.weight": (config.vocab_size_per_layer_input, width)}


def uneven_kv_numbers(config: Any) -> int:
    """Return the numbers in the KV cache per token where layers differ in that; 0 for all others."""
    if config.model_type != "gemma4_text":
        return 0
    heads = (gemma4_heads(config, layer) for layer in range(config.num_hidden_layers))
    return sum(2 * dim * kv_heads for dim, kv_heads in heads)
