"""Why a model cannot be used, as far as its config.json shows it, and what to choose in its place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quire_engine.api.user_message import UserMessage

_MAMBA = UserMessage("its layers are Mamba layers, which have no attention")
_WITH_MAMBA = UserMessage("it mixes attention with Mamba layers")
_WITH_LINEAR = UserMessage("it mixes attention with linear attention")
_WITH_CONVOLUTIONS = UserMessage("it mixes attention with convolutions")
_RECURRENT = UserMessage("it has recurrent layers")
_LATENT = UserMessage("it compresses keys and values (multi-head latent attention)")
_CHUNKED = UserMessage("its layers read the text in separate chunks")
_IMAGES = UserMessage("it reads images as well as text")
_ENCODER = UserMessage("it has an encoder")

BY_TYPE: dict[str, UserMessage] = {
    "bamba": _WITH_MAMBA,
    "deepseek_v2": _LATENT,
    "deepseek_v3": _LATENT,
    "deepseek_v32": _LATENT,
    "falcon_h1": _WITH_MAMBA,
    "falcon_mamba": _MAMBA,
    "glm4_moe_lite": _LATENT,
    "glm_moe_dsa": _LATENT,
    "jamba": _WITH_MAMBA,
    "kimi_linear": _WITH_LINEAR,
    "lfm2": _WITH_CONVOLUTIONS,
    "lfm2_moe": _WITH_CONVOLUTIONS,
    "llama4": _CHUNKED,
    "llama4_text": _CHUNKED,
    "longcat_flash": _LATENT,
    "mamba": _MAMBA,
    "mamba2": _MAMBA,
    "minicpm3": _LATENT,
    "minimax": _WITH_LINEAR,
    "mllama": UserMessage("some of its layers only process images"),
    "nemotron_h": _WITH_MAMBA,
    "olmo_hybrid": _WITH_LINEAR,
    "paligemma": _IMAGES,
    "qwen3_5": _WITH_LINEAR,
    "qwen3_5_moe": _WITH_LINEAR,
    "qwen3_5_moe_text": _WITH_LINEAR,
    "qwen3_5_text": _WITH_LINEAR,
    "qwen3_next": _WITH_LINEAR,
    "recurrent_gemma": _RECURRENT,
    "rwkv": UserMessage("its layers are RWKV layers, which have no attention"),
    "xlstm": _RECURRENT,
    "zamba": _WITH_MAMBA,
    "zamba2": _WITH_MAMBA,
}
"""What is special about types that are known and not supported, by `model_type` in config.json."""
_INSTEAD = {
    "deepseek": "DeepSeek-R1-Distill",
    "llama4": "Llama 3",
    "mllama": "Llama 3",
    "nemotron": "Llama 3",
    "paligemma": "Gemma 3",
    "qwen": "Qwen 3",
    "recurrent_gemma": "Gemma 3",
}
"""Names of models that are near to a type and supported, by its beginning."""
_LEFT_OUT = 64
_LAYER_TYPES = {
    "chunked_attention": UserMessage("reads the text in separate chunks"),
    "conv": UserMessage("mixes attention with convolutions"),
    "linear_attention": UserMessage("mixes attention with Mamba layers or linear attention"),
    "mamba": UserMessage("mixes attention with Mamba layers"),
}
_HINTS = (
    ("kv_lora_rank", _LATENT),
    ("mamba_d_state", UserMessage("it has layers without attention")),
    ("ssm_cfg", UserMessage("it has layers without attention")),
    ("state_size", UserMessage("it has layers without attention")),
    ("linear_num_key_heads", UserMessage("it has layers with linear attention")),
    ("linear_attn_config", UserMessage("it has layers with linear attention")),
    ("block_types", _RECURRENT),
    ("attention_chunk_size", _CHUNKED),
    ("vision_config", _IMAGES),
    ("audio_config", UserMessage("it takes audio as well as text")),
    ("is_encoder_decoder", _ENCODER),
)


def attention_problem(config: Any) -> UserMessage | None:
    """Return why a configuration's attention is not supported, as half a sentence; None if it is."""
    layer_types = set(getattr(config, "layer_types", None) or ())
    if special := sorted(layer_types - {"full_attention", "sliding_attention"}):
        return _LAYER_TYPES.get(special[0], UserMessage("uses a special kind of attention"))
    if "sliding_attention" in layer_types and not getattr(config, "sliding_window", None):
        return UserMessage("uses sliding-window attention without a window size")
    if getattr(config, "use_bidirectional_attention", None):
        return UserMessage("reads in both directions and isn't made for writing")
    if _has_longrope(config) and not _trained_positions(config):
        return UserMessage("uses “longrope” positions")
    return None


def usable_positions(config: Any) -> int:
    """Return how many positions may be used.

    With longrope all angles turn as soon as one position of a pass is beyond the length of its training, so
    a tree would turn its own root. Up to there they are fixed; no tree is deeper than what is left out.
    """
    longest = int(config.max_position_embeddings)
    if not _has_longrope(config):
        return longest
    return max(0, min(longest, _trained_positions(config)) - _LEFT_OUT)


def _has_longrope(config: Any) -> bool:
    return any(rope.get("rope_type") == "longrope" for rope in _ropes(config))


def _trained_positions(config: Any) -> int:
    """Return the length of the training in a configuration with longrope; 0 where Quire doesn't know it."""
    if config.model_type != "phi3":
        return 0
    trained = getattr(config, "original_max_position_embeddings", None)
    trained = _ropes(config)[0].get("original_max_position_embeddings", trained)
    return trained if type(trained) is int and trained > 0 else 0


def _ropes(config: Any) -> list[dict[str, Any]]:
    """Return the rope settings of all layers; Gemma 3 and OLMo 3 have them by layer type."""
    rope = getattr(config, "rope_parameters", None)
    if not isinstance(rope, dict):
        return []
    return [rope, *(part for part in rope.values() if isinstance(part, dict))]


def reason_unsupported(raw: Mapping[str, Any]) -> UserMessage | None:
    """Return what is special about an unsupported type, as half a sentence, as far as it is known."""
    known = BY_TYPE.get(raw["model_type"])
    text = raw.get("text_config")
    parts = (raw, text) if isinstance(text, dict) else (raw,)
    return known or next((reason for key, reason in _HINTS if any(part.get(key) for part in parts)), None)


def instead_of(model_type: str) -> UserMessage:
    """Return a sentence about what to choose in the place of a type."""
    if model_type.startswith("granite"):
        return UserMessage("Choose a Granite 4 model without “H” in its name instead.")
    near = next((name for start, name in _INSTEAD.items() if model_type.startswith(start)), None)
    if near is not None:
        return UserMessage("Choose a {name} model instead.", name=near)
    return UserMessage("Choose another type, such as Llama, Mistral, Qwen 3 or Gemma 3.")
