"""What older or other makers write into config.json, put as the library writes it today."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quire_engine.catalog.rejection import ModelRejected, RejectionKind

GEMMA4: dict[str, Any] = {
    "attention_k_eq_v": False,
    "enable_moe_block": False,
    "global_head_dim": 512,
    "hidden_size_per_layer_input": 256,
    "num_kv_shared_layers": 0,
    "use_double_wide_mlp": False,
    "vocab_size_per_layer_input": 262_144,
}
"""The library's defaults for what decides the shapes of Gemma 4."""
GEMMA3N: dict[str, Any] = {
    "altup_num_inputs": 4,
    "hidden_size_per_layer_input": 256,
    "laurel_rank": 64,
    "num_kv_shared_layers": 15,
    "vocab_size_per_layer_input": 262_144,
}
"""The same for Gemma 3n."""


def in_todays_words(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration with what older or other makers write put as the library writes it."""
    kept = dict(raw)
    types = kept.get("layer_types", kept.get("layers_block_type"))
    if isinstance(types, list):
        kept["layer_types"] = ["full_attention" if each == "attention" else each for each in types]
        if isinstance(kept.get("sliding_window_pattern"), str):  # EXAONE 4 writes "LLLG" beside the list
            del kept["sliding_window_pattern"]
    if kept.get("sliding_window") == 0 and not kept.get("use_sliding_window", True):
        kept["sliding_window"] = None  # Qwen with experts, as the library saves it
    if kept.get("use_bidirectional_attention") == "vision":
        del kept["use_bidirectional_attention"]  # only among the parts of an image
    scaling = kept.get("rope_scaling")
    if isinstance(scaling, dict) and scaling.get("type") == "su":
        kept["rope_scaling"] = scaling | {"type": "longrope"}
    if kept["model_type"] == "gemma3n_text":
        kept = GEMMA3N | _given(kept)
        sizes = kept.get("intermediate_size")
        if isinstance(sizes, list) and sizes and sizes == sizes[:1] * kept.get("num_hidden_layers", 0):
            kept["intermediate_size"] = sizes[0]
    if kept["model_type"] == "gemma4_text":
        kept = _gemma4(GEMMA4 | _given(kept))
    return kept


def _given(raw: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in raw.items() if value is not None}


def _gemma4(kept: dict[str, Any]) -> dict[str, Any]:
    """Name the layers, and the sizes of those with full attention as Gemma's makers do, in place."""
    layers: Any = kept.get("num_hidden_layers")
    if "layer_types" not in kept and type(layers) is int and 0 < layers < 1 << 12:
        kept["layer_types"] = [
            "full_attention" if (n + 1) % 6 == 0 else "sliding_attention" for n in range(layers)
        ]
    types: Any = kept.get("layer_types")
    if isinstance(types, list) and types:
        types[-1] = "full_attention"  # as the library does
    by_layer = kept.pop("per_layer_config", None)  # as the library saves it
    if by_layer is None or not isinstance(types, list):
        return kept
    full = {str(number) for number, kind in enumerate(types) if kind == "full_attention"}
    own: Any = by_layer.get(min(full)) if isinstance(by_layer, dict) and full else None
    if not isinstance(own, dict) or set(by_layer) != full or any(each != own for each in by_layer.values()):
        raise ModelRejected(
            RejectionKind.DAMAGED,
            "config.json is invalid: {what}. Download this file again.",
            what="per_layer_config does not describe the layers with full attention",
        )
    kept["global_head_dim"] = own.get("head_dim", kept.get("head_dim"))
    if kept["attention_k_eq_v"]:
        kept["num_global_key_value_heads"] = own.get("num_key_value_heads")
    return kept
