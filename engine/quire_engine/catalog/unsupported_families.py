"""Why a model cannot be used, as far as its config.json shows it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quire_engine.api.user_message import UserMessage


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


def reason_unsupported(raw: Mapping[str, Any]) -> str | None:
    """Return what is special about an unknown type, as half a sentence, if its config.json shows it."""
    return next((reason for key, reason in _HINTS if raw.get(key)), None)
