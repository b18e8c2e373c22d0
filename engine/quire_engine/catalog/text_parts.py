"""The language model in a folder that also reads images: its configuration and its weights.

The rest of such a model is left alone: it is never read into memory. Positions of text count by ones in all
directions of an image, so multimodal rotary positions turn every pair by the same angle as ordinary ones.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from quire_engine.catalog.model_families import FAMILIES
from quire_engine.catalog.rejection import ModelRejected, RejectionKind, printable
from quire_engine.catalog.safetensors_header import Tensor

MULTIMODAL = frozenset(
    {
        "aya_vision",
        "gemma3",
        "gemma3n",
        "gemma4",
        "idefics3",
        "internvl",
        "llava",
        "llava_next",
        "llava_onevision",
        "mistral3",
        "qwen2_5_vl",
        "qwen2_vl",
        "qwen3_vl",
        "smolvlm",
    }
)
"""Model types with a language model whose family Quire may know."""
OMITTED: dict[str, dict[str, Any]] = {
    "gemma3_text": {
        "head_dim": 256,
        "max_position_embeddings": 131_072,
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "vocab_size": 262_208,
    },
    "llama": {
        "hidden_size": 4096,
        "intermediate_size": 11_008,
        "max_position_embeddings": 2048,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "vocab_size": 32_000,
    },
    "mistral": {
        "hidden_size": 4096,
        "intermediate_size": 14_336,
        "max_position_embeddings": 131_072,
        "num_attention_heads": 32,
        "num_hidden_layers": 32,
        "num_key_value_heads": 8,
        "sliding_window": 4096,
        "vocab_size": 32_000,
    },
}
"""What makers leave out of a part's configuration because it is the library's default, by family."""
KEY_MAPPING = {
    r"^language_model\.model\.": "model.",
    r"^language_model\.lm_head\.": "lm_head.",
    r"^model\.language_model\.": "model.",
    r"^model\.text_model\.": "model.",
}
"""Names of a part's weights, by the layouts of several years, and what the library calls them by itself."""

_SAME_ARITHMETIC = {
    "qwen2_5_vl": "qwen2",
    "qwen2_5_vl_text": "qwen2",
    "qwen2_vl": "qwen2",
    "qwen2_vl_text": "qwen2",
    "qwen3_vl_text": "qwen3",
}
"""Types that compute for text what another type computes."""
_THETA = {"qwen2_5_vl": 1_000_000.0, "qwen2_vl": 1_000_000.0, "qwen3_vl": 500_000.0}
"""Rotary base where config.json names none, unlike that of the other type."""
_OWN = ("lm_head.", "model.layers.", "model.embed_tokens.", "model.norm.")
_NAMES = tuple((re.compile(pattern), target) for pattern, target in KEY_MAPPING.items())
_MOST_DRAFT_LAYERS = 8
_ROPES = ("rope_parameters", "rope_scaling")


def is_multimodal(raw: Mapping[str, Any]) -> bool:
    """Say whether a config.json is of a model whose language model is a part of it."""
    return raw.get("model_type") in MULTIMODAL


def part_of(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration of the language model in a multimodal one, under its family's name."""
    outer: str = raw["model_type"]
    inner = raw.get("text_config")
    if inner is None and outer in _SAME_ARITHMETIC:  # as Qwen wrote it at first: sizes beside the rest
        inner = {key: value for key, value in raw.items() if key != "vision_config"}
    if not isinstance(inner, dict) or not isinstance(inner.get("model_type"), str):
        raise ModelRejected(
            RejectionKind.DAMAGED,
            "config.json doesn't describe the language model in this folder. Download this file again.",
        )
    named: str = inner["model_type"]
    family = _SAME_ARITHMETIC.get(named, named)
    if family not in FAMILIES:
        return dict(inner)  # refused for what it is
    part = OMITTED.get(family, {}) | {key: value for key, value in inner.items() if value is not None}
    part["model_type"] = family
    if outer in _THETA:
        _plain_positions(part, _THETA[outer])
    part.pop("auto_map", None)
    return part


def _plain_positions(part: dict[str, Any], theta: float) -> None:
    """Take the directions of an image out of the scaling of positions, in place."""
    for key in _ROPES:
        rope = part.get(key)
        if not isinstance(rope, dict):
            continue
        rope = {name: value for name, value in rope.items() if not name.startswith("mrope")}
        for name in ("type", "rope_type"):
            if rope.get(name) == "mrope":
                rope[name] = "default"
        part[key] = rope
    ropes = [part[key] for key in _ROPES if isinstance(part.get(key), dict)]
    if "rope_theta" not in part and not any("rope_theta" in rope for rope in ropes):
        part["rope_theta"] = theta


def tensors_of_part(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights of the language model by the names that its family gives them."""
    found: dict[str, Tensor] = {}
    for stored, tensor in tensors.items():
        name = _name_in_family(stored)
        if name is None:
            continue
        if name in found:
            raise ModelRejected(
                RejectionKind.DAMAGED,
                "{name} is in the weights twice. Download the model again.",
                name=printable(stored),
            )
        found[name] = tensor
    return found


def without_draft_layers(tensors: Mapping[str, Tensor], raw: Mapping[str, Any]) -> Mapping[str, Tensor]:
    """Return the weights without the layers behind the last one, by which some models guess ahead."""
    last, more = raw.get("num_hidden_layers"), raw.get("num_nextn_predict_layers")
    if type(last) is not int or type(more) is not int or not 1 <= more <= _MOST_DRAFT_LAYERS:
        return tensors
    front = tuple(f"model.layers.{last + number}." for number in range(more))
    return {name: tensor for name, tensor in tensors.items() if not name.startswith(front)}


def _name_in_family(stored: str) -> str | None:
    for pattern, target in _NAMES:
        if pattern.match(stored):
            return pattern.sub(target, stored, count=1)
    return stored if stored.startswith(_OWN) else None
