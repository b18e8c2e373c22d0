"""From the metadata of a GGUF file to config.json."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from quire_engine.api.user_message import UserMessage
from quire_engine.catalog.gguf_header import GgufHeader, damaged
from quire_engine.catalog.rejection import ModelRejected, RejectionKind, printable
from quire_engine.importing.gguf_settings import GgufSettings

_PARTIAL = frozenset({"glm4", "gpt_neox", "nemotron", "phi", "phi3", "stablelm"})
"""Model types that may rotate only part of a head."""


def config_of(header: GgufHeader, scaling: dict[str, Any]) -> dict[str, Any]:
    """Return the content of config.json; ModelRejected if the metadata are incomplete.

    header: with the tensors of all parts. scaling: of positions, as the weights say; empty if they do not.
    """
    settings = GgufSettings(header)
    config = _common(settings)
    config["rope_parameters"] = _rope(settings, config, scaling)
    if add := _ADDED.get(settings.model_type):
        add(settings, config)
    settings.check_unused()
    return config


def rotated(header: GgufHeader) -> tuple[float, int]:
    """Return the rope's base and the numbers of a head that are rotated."""
    settings = GgufSettings(header)
    return settings.number("rope.freq_base", 10_000.0), _rotated(settings, _head_dim(settings))


def _common(settings: GgufSettings) -> dict[str, Any]:
    embedding = settings.tensors.get("token_embd.weight")
    if embedding is None or len(embedding.shape) != 2:
        raise damaged(settings.header.file, UserMessage("its embedding is missing"))
    heads = settings.size("attention.head_count")
    dim = _head_dim(settings)
    if settings.size("attention.value_length", dim) != dim:
        raise ModelRejected(
            RejectionKind.UNSUPPORTED,
            "Keys and values of this model differ in size; Quire doesn't support that yet. Choose another "
            "model.",
        )
    return {
        "model_type": settings.model_type,
        "vocab_size": embedding.shape[0],
        "hidden_size": settings.size("embedding_length"),
        "intermediate_size": settings.size("feed_forward_length"),
        "num_hidden_layers": settings.size("block_count"),
        "num_attention_heads": heads,
        "num_key_value_heads": settings.size("attention.head_count_kv", heads),
        "head_dim": dim,
        "max_position_embeddings": settings.size("context_length"),
        "tie_word_embeddings": not settings.has("output.weight"),
        "attention_bias": settings.has("blk.0.attn_q.bias"),
        "mlp_bias": settings.has("blk.0.ffn_gate.bias"),
        "hidden_act": "silu",
        "rms_norm_eps": settings.number("attention.layer_norm_rms_epsilon", 1e-6),
    }


def _head_dim(settings: GgufSettings) -> int:
    heads = settings.size("attention.head_count")
    return settings.size("attention.key_length", max(1, settings.size("embedding_length") // heads))


def _rotated(settings: GgufSettings, dim: int) -> int:
    return settings.size("rope.dimension_count", dim)


# ---------------------------------------------------------------- positions
def _rope(settings: GgufSettings, config: Mapping[str, Any], scaling: dict[str, Any]) -> dict[str, Any]:
    rope: dict[str, Any] = {"rope_type": "default", "rope_theta": settings.number("rope.freq_base", 10_000.0)}
    count = _rotated(settings, config["head_dim"])
    if count != config["head_dim"]:
        if settings.model_type not in _PARTIAL or not 0 < count < config["head_dim"]:
            raise damaged(settings.header.file, UserMessage("the size of its rotary embedding is invalid"))
        rope["partial_rotary_factor"] = count / config["head_dim"]
    if any(settings.has(f"rope_factors_{which}.weight") for which in ("long", "short")):
        raise _unknown_rope("longrope")
    scaled = _scaled(settings)
    if scaled and scaling.get("rope_type", "default") != "default":
        raise _unknown_rope("rope_freqs.weight")
    return rope | scaling | scaled


def _scaled(settings: GgufSettings) -> dict[str, Any]:
    """Return the scaling that the metadata name; empty for none."""
    kind = settings.text("rope.scaling.type") or "linear"  # as llama.cpp takes it, too
    factor = settings.number("rope.scaling.factor", settings.number("rope.scale_linear", 1.0)) or 1.0
    if kind == "none" or (kind == "linear" and factor == 1):
        return {}
    if kind == "linear":
        return {"rope_type": "linear", "factor": factor}
    if kind != "yarn":
        raise _unknown_rope(kind)
    return _yarn(settings, factor)


def _yarn(settings: GgufSettings, factor: float) -> dict[str, Any]:
    yarn: dict[str, Any] = {
        "rope_type": "yarn",
        "factor": factor,
        "original_max_position_embeddings": settings.size(
            "rope.scaling.original_context_length", settings.size("context_length")
        ),
    }
    for name in ("beta_fast", "beta_slow"):
        if found := settings.number(f"rope.scaling.yarn_{name}", 0):
            yarn[name] = found
    strength = settings.number("rope.scaling.attn_factor", 1.0)
    if strength != 1:
        yarn["attention_factor"] = strength * (0.1 * math.log(factor) + 1.0)
    strengthened = settings.number("rope.scaling.yarn_log_multiplier", 0)
    if strengthened == 1:  # it is divided by itself
        yarn |= {"mscale": 1.0, "mscale_all_dim": 1.0}
    elif strengthened:
        raise _unknown_rope("yarn")
    return yarn


def _unknown_rope(kind: str) -> ModelRejected:
    return ModelRejected(
        RejectionKind.UNSUPPORTED,
        "This model uses an unsupported position scaling ({kind}). Choose another model.",
        kind=printable(kind, 30),
    )


# ---------------------------------------------------------------- families
Added = Callable[[GgufSettings, dict[str, Any]], None]


def _windows(settings: GgufSettings, config: dict[str, Any], pattern: int, window: int | None = None) -> None:
    """Say which layers look back over a window only: all but every `pattern`th, or as the file lists."""
    config["sliding_window"] = settings.size("attention.sliding_window", window)
    listed = settings.layers("attention.sliding_window_pattern")
    count = config["num_hidden_layers"]
    if len(listed) != count:
        every = settings.number("attention.sliding_window_pattern", pattern) if not listed else pattern
        listed = tuple(every > 0 and (layer + 1) % int(every) != 0 for layer in range(count))
    config["layer_types"] = ["sliding_attention" if each else "full_attention" for each in listed]


def _gemma(settings: GgufSettings, config: dict[str, Any]) -> None:
    config["hidden_activation"] = config["hidden_act"] = "gelu_pytorch_tanh"


def _gemma2(settings: GgufSettings, config: dict[str, Any]) -> None:
    _gemma(settings, config)
    _windows(settings, config, 2, 4096)
    config["attn_logit_softcapping"] = settings.number("attn_logit_softcapping", 50.0)
    config["final_logit_softcapping"] = settings.number("final_logit_softcapping", 30.0)
    config["query_pre_attn_scalar"] = _query_scalar(settings, config, of_27b=46)


def _gemma3(settings: GgufSettings, config: dict[str, Any]) -> None:
    _gemma(settings, config)
    if settings.number("attention.sliding_window", 0) > 0:
        _windows(settings, config, 6)
    else:
        config["layer_types"] = ["full_attention"] * config["num_hidden_layers"]
    config["attn_logit_softcapping"] = None
    config["final_logit_softcapping"] = settings.number("final_logit_softcapping", 0) or None
    config["query_pre_attn_scalar"] = _query_scalar(settings, config, of_27b=62)
    rope = config["rope_parameters"]
    if "gemma3.rope.freq_base" not in settings.header.fields:
        rope["rope_theta"] = 1_000_000.0
    local = {"rope_type": "default", "rope_theta": settings.number("rope.freq_base_swa", 10_000.0)}
    config["rope_parameters"] = {"full_attention": rope, "sliding_attention": local}


def _query_scalar(settings: GgufSettings, config: Mapping[str, Any], of_27b: int) -> int:
    """Return what scores are divided by the root of; the files do not say it, and one size has its own."""
    if scale := settings.number("attention.scale", 0):
        return round(scale**-2)
    if config["num_hidden_layers"] == of_27b:
        return int(config["hidden_size"] // config["num_attention_heads"])
    return int(config["head_dim"])


def _qwen(settings: GgufSettings, config: dict[str, Any]) -> None:
    config["use_sliding_window"] = False


def _qwen3_moe(settings: GgufSettings, config: dict[str, Any]) -> None:
    config |= {
        "use_sliding_window": False,
        "moe_intermediate_size": settings.size("expert_feed_forward_length"),
        "num_experts": settings.size("expert_count"),
        "num_experts_per_tok": settings.size("expert_used_count"),
        "norm_topk_prob": True,
        "decoder_sparse_step": 1,
        "mlp_only_layers": [],
    }


def _arcee(settings: GgufSettings, config: dict[str, Any]) -> None:
    config["hidden_act"] = "relu2"
    config["mlp_bias"] = settings.has("blk.0.ffn_up.bias")


def _cohere(settings: GgufSettings, config: dict[str, Any]) -> None:
    config["layer_norm_eps"] = settings.number("attention.layer_norm_epsilon", 1e-5)
    config["logit_scale"] = settings.number("logit_scale", 0.0625)
    config["use_qk_norm"] = settings.has("blk.0.attn_q_norm.weight")


def _ernie(settings: GgufSettings, config: dict[str, Any]) -> None:
    config["use_bias"] = config["attention_bias"]


def _exaone4(settings: GgufSettings, config: dict[str, Any]) -> None:
    is_32b = config["num_hidden_layers"] == 64  # whose windows llama.cpp takes for granted
    if is_32b or settings.number("attention.sliding_window", 0) > 0:
        _windows(settings, config, 4, 4096)
    else:
        config |= {"sliding_window": None, "layer_types": ["full_attention"] * config["num_hidden_layers"]}


def _nemotron(settings: GgufSettings, config: dict[str, Any]) -> None:
    config["hidden_act"] = "relu2"
    config["norm_eps"] = settings.number("attention.layer_norm_epsilon", 1e-5)
    config["mlp_bias"] = settings.has("blk.0.ffn_up.bias")


def _olmo(settings: GgufSettings, config: dict[str, Any]) -> None:
    config["clip_qkv"] = settings.number("attention.clamp_kqv", 0) or None


def _olmoe(settings: GgufSettings, config: dict[str, Any]) -> None:
    config |= {
        "clip_qkv": settings.number("attention.clamp_kqv", 0) or None,
        "intermediate_size": settings.size("expert_feed_forward_length", config["intermediate_size"]),
        "num_experts": settings.size("expert_count"),
        "num_experts_per_tok": settings.size("expert_used_count"),
        "norm_topk_prob": False,
    }


def _qwen2_moe(settings: GgufSettings, config: dict[str, Any]) -> None:
    _qwen3_moe(settings, config)
    shared = settings.tensors.get("blk.0.ffn_gate_shexp.weight")
    if shared is None:
        raise damaged(settings.header.file, UserMessage("its shared expert is missing"))
    config |= {
        "norm_topk_prob": False,
        "qkv_bias": config["attention_bias"],
        "shared_expert_intermediate_size": shared.shape[0],
    }


def _seed_oss(settings: GgufSettings, config: dict[str, Any]) -> None:
    config["attention_out_bias"] = settings.has("blk.0.attn_output.bias")


def _mixtral(settings: GgufSettings, config: dict[str, Any]) -> None:
    config["num_local_experts"] = settings.size("expert_count")
    config["num_experts_per_tok"] = settings.size("expert_used_count")


def _phi(settings: GgufSettings, config: dict[str, Any]) -> None:
    config["hidden_act"] = "gelu_new"
    config["layer_norm_eps"] = settings.number("attention.layer_norm_epsilon", 1e-5)
    config["qk_layernorm"] = False


def _phi3(settings: GgufSettings, config: dict[str, Any]) -> None:
    window = settings.number("attention.sliding_window", 0)
    config["sliding_window"] = int(window) if window > 0 else None
    config["original_max_position_embeddings"] = settings.size(
        "rope.scaling.original_context_length", config["max_position_embeddings"]
    )


def _olmo3(settings: GgufSettings, config: dict[str, Any]) -> None:
    _windows(settings, config, 4)
    rope = config["rope_parameters"]
    theta = settings.number("rope.freq_base_swa", rope["rope_theta"])
    local = {"rope_type": "default", "rope_theta": theta}
    config["rope_parameters"] = {"full_attention": rope, "sliding_attention": local}


def _ministral3(settings: GgufSettings, config: dict[str, Any]) -> None:
    config["sliding_window"] = None
    if beta := settings.number("attention.temperature_scale", 0):
        config["rope_parameters"]["llama_4_scaling_beta"] = beta


def _granite(settings: GgufSettings, config: dict[str, Any]) -> None:
    config["attention_multiplier"] = settings.number("attention.scale", config["head_dim"] ** -0.5)
    config["embedding_multiplier"] = settings.number("embedding_scale", 1.0)
    config["residual_multiplier"] = settings.number("residual_scale", 1.0)
    config["logits_scaling"] = settings.number("logit_scale", 1.0)
    if settings.header.switch("granite.rope.scaling.finetuned") is False:  # its layers know no positions
        raise settings.unknown("rope.scaling.finetuned")


def _cohere2(settings: GgufSettings, config: dict[str, Any]) -> None:
    _windows(settings, config, 4)
    config["layer_norm_eps"] = settings.number("attention.layer_norm_epsilon", 1e-5)
    config["logit_scale"] = settings.number("logit_scale", 0.0625)


def _stablelm(settings: GgufSettings, config: dict[str, Any]) -> None:
    config["layer_norm_eps"] = settings.number("attention.layer_norm_epsilon", 1e-5)
    config["use_qkv_bias"] = config["attention_bias"]
    config["qk_layernorm"] = settings.has("blk.0.attn_q_norm.weight")
    # llama.cpp's conversion writes that residuals are parallel even where they aren't
    config["use_parallel_residual"] = not settings.has("blk.0.ffn_norm.weight")


def _gpt_neox(settings: GgufSettings, config: dict[str, Any]) -> None:
    config["hidden_act"] = "gelu"
    config["attention_bias"] = settings.has("blk.0.attn_qkv.bias")
    config["num_key_value_heads"] = config["num_attention_heads"]
    config["layer_norm_eps"] = settings.number("attention.layer_norm_epsilon", 1e-5)
    parallel = settings.header.switch("gptneox.use_parallel_residual")
    config["use_parallel_residual"] = parallel is not False
    config["rotary_pct"] = config["rope_parameters"].get("partial_rotary_factor", 1.0)
    config["rope_parameters"].setdefault("partial_rotary_factor", 1.0)


def _starcoder2(settings: GgufSettings, config: dict[str, Any]) -> None:
    config["hidden_act"] = "gelu_pytorch_tanh"
    config["norm_epsilon"] = settings.number("attention.layer_norm_epsilon", 1e-5)
    config["use_bias"] = config["attention_bias"]
    config["sliding_window"] = None


def _smollm3(settings: GgufSettings, config: dict[str, Any]) -> None:
    config["use_sliding_window"] = False
    config["no_rope_layers"] = [int((n + 1) % 4 != 0) for n in range(config["num_hidden_layers"])]


_ADDED: dict[str, Added] = {
    "arcee": _arcee,
    "cohere": _cohere,
    "ernie4_5": _ernie,
    "exaone4": _exaone4,
    "nemotron": _nemotron,
    "olmo": _olmo,
    "olmoe": _olmoe,
    "qwen2_moe": _qwen2_moe,
    "seed_oss": _seed_oss,
    "cohere2": _cohere2,
    "gemma": _gemma,
    "gemma2": _gemma2,
    "gemma3_text": _gemma3,
    "gpt_neox": _gpt_neox,
    "granite": _granite,
    "ministral3": _ministral3,
    "mixtral": _mixtral,
    "olmo3": _olmo3,
    "phi": _phi,
    "phi3": _phi3,
    "qwen2": _qwen,
    "qwen3": _qwen,
    "qwen3_moe": _qwen3_moe,
    "smollm3": _smollm3,
    "stablelm": _stablelm,
    "starcoder2": _starcoder2,
}
