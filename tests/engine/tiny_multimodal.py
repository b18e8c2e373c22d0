"""Tiny random models that read images as well as text, in folders as their makers lay them out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import nn
from transformers.modeling_utils import PreTrainedModel
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import AutoModelForImageTextToText

from tests.engine import tiny
from tests.training.tokenizer import save_tokenizer

_TOWER: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "image_size": 28,
    "patch_size": 14,
}
_SIGLIP = _TOWER | {"model_type": "siglip_vision_model"}
_CLIP = _TOWER | {"model_type": "clip_vision_model", "projection_dim": 16}
_PIXTRAL = _TOWER | {"model_type": "pixtral", "head_dim": 16}
_QWEN_TOWER = {"depth": 1, "patch_size": 14, "num_heads": 2}
_QWEN_MARKS = {
    "image_token_id": 310,
    "video_token_id": 311,
    "vision_start_token_id": 312,
    "vision_end_token_id": 313,
}
_DIRECTIONS = {"rope_type": "default", "mrope_section": [2, 3, 3], "rope_theta": 1e6}
_WOVEN = {"rope_type": "default", "mrope_section": [6, 5, 5], "mrope_interleaved": True, "rope_theta": 5e6}
_NOT_TIED = {"tie_word_embeddings": False}


def _text(family: str, *, kind: str = "", **own: Any) -> dict[str, Any]:
    return tiny.settings_of(family) | {"model_type": kind or family.split()[0]} | own


_WHOLE: dict[str, dict[str, Any]] = {
    "aya_vision": {"text_config": _text("cohere2"), "vision_config": _SIGLIP, "image_token_index": 310},
    "gemma3": {
        "text_config": _text("gemma3_text", tie_word_embeddings=True),
        "vision_config": _SIGLIP,
        "mm_tokens_per_image": 4,
        "image_token_index": 310,
        "boi_token_index": 311,
        "eoi_token_index": 312,
    },
    "gemma4": {
        "text_config": _text("gemma4_text", tie_word_embeddings=True, use_bidirectional_attention="vision"),
        "vision_config": _TOWER
        | {
            "model_type": "gemma4_vision",
            "num_key_value_heads": 2,
            "head_dim": 16,
            "position_embedding_size": 64,
        },
        "image_token_id": 310,
        "video_token_id": 311,
        "audio_token_id": 312,
    },
    "gemma4 small": {
        "text_config": _text("gemma4_text small", kind="gemma4_text"),
        "vision_config": None,
        "image_token_id": 310,
        "video_token_id": 311,
        "audio_token_id": 312,
    },
    "idefics3": {
        "text_config": _text("llama"),
        "vision_config": _TOWER | {"model_type": "idefics3_vision"},
        "image_token_id": 310,
        "scale_factor": 1,
    },
    "internvl": {
        "text_config": _text("qwen3"),
        "vision_config": _TOWER
        | {"model_type": "internvl_vision", "image_size": [28, 28], "patch_size": [14, 14]},
        "image_token_id": 310,
        **_NOT_TIED,
    },
    "llava": {"text_config": _text("llama"), "vision_config": _CLIP, "image_token_index": 310},
    "llava_next": {"text_config": _text("mistral"), "vision_config": _CLIP, "image_token_index": 310},
    "llava_onevision": {
        "text_config": _text("qwen2"),
        "vision_config": _SIGLIP,
        "image_token_index": 310,
        "video_token_index": 311,
    },
    "mistral3": {
        "text_config": _text("mistral"),
        "vision_config": _PIXTRAL,
        "image_token_index": 310,
        "spatial_merge_size": 1,
        **_NOT_TIED,
    },
    "mistral3 with ministral3": {
        "text_config": _text("ministral3"),
        "vision_config": _PIXTRAL,
        "image_token_index": 310,
        "spatial_merge_size": 1,
        **_NOT_TIED,
    },
    "qwen2_5_vl": {
        "text_config": _text("qwen2", kind="qwen2_5_vl_text", rope_parameters=_DIRECTIONS),
        "vision_config": _QWEN_TOWER
        | {"hidden_size": 32, "intermediate_size": 48, "out_hidden_size": 64, "fullatt_block_indexes": [0]},
        **_QWEN_MARKS,
    },
    "qwen2_vl": {
        "text_config": _text("qwen2", kind="qwen2_vl_text", rope_parameters=_DIRECTIONS),
        "vision_config": _QWEN_TOWER | {"embed_dim": 32, "hidden_size": 64, "mlp_ratio": 2},
        **_QWEN_MARKS,
    },
    "qwen3_vl": {
        "text_config": _text("qwen3", kind="qwen3_vl_text", rope_parameters=_WOVEN),
        "vision_config": _QWEN_TOWER
        | {
            "hidden_size": 32,
            "intermediate_size": 48,
            "out_hidden_size": 64,
            "deepstack_visual_indexes": [0],
            "num_position_embeddings": 16,
        },
        **_QWEN_MARKS,
    },
    "smolvlm": {
        "text_config": _text("llama"),
        "vision_config": _TOWER | {"model_type": "smolvlm_vision"},
        "image_token_id": 310,
        "scale_factor": 1,
    },
}
KINDS = tuple(_WHOLE)
"""Model types, some with the type of the language model in them."""
MARKS = 300
"""Ids from here on may be marks of an image."""


def build_whole(kind: str, **text: Any) -> PreTrainedModel:
    """Return a random model with its vision tower. text: other sizes of its language model."""
    torch.manual_seed(4)
    library: Any = AutoModelForImageTextToText  # parts of the library carry no types
    settings = _WHOLE[kind] | {"text_config": _WHOLE[kind]["text_config"] | text}
    model: Any = library.from_config(CONFIG_MAPPING[kind.split()[0]](**settings))
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if name.endswith("bias"):
                nn.init.normal_(weight, std=0.2)
            elif weight.ndim == 1:
                nn.init.uniform_(weight, 0.6, 1.4)
    built: PreTrainedModel = model.eval().requires_grad_(False)
    return built


def save_whole(model: PreTrainedModel, folder: Path, *, as_in_memory: bool = False) -> Path:
    """Write a model's folder. as_in_memory: by today's names of the weights, not by those of its makers."""
    model.save_pretrained(folder)
    save_tokenizer(tiny.build_tokenizer(), folder)
    if as_in_memory:
        stored = {name: weight.clone().contiguous() for name, weight in model.state_dict().items()}
        if model.config.tie_word_embeddings:
            stored.pop("lm_head.weight", None)
        save_file(stored, folder / "model.safetensors", metadata={"format": "pt"})
    return folder


def save_gemma3n(folder: Path) -> PreTrainedModel:
    """Write a Gemma 3n by hand, for the library wants another package; return its language model."""
    model = tiny.build("gemma3n_text")
    tiny.save("gemma3n_text", folder)
    stored = {
        name.replace("model.", "model.language_model.", 1): weight.clone()
        for name, weight in model.state_dict().items()
        if name != "lm_head.weight"
    }
    stored |= {"model.vision_tower.timm_model.x": torch.zeros(3), "model.audio_tower.y": torch.zeros(2, 2)}
    save_file(stored, folder / "model.safetensors", metadata={"format": "pt"})
    text = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    whole = {"model_type": "gemma3n", "text_config": text, "vision_config": {}, "audio_config": {}}
    (folder / "config.json").write_text(json.dumps(whole), encoding="utf-8")
    return model


def edit_text_config(folder: Path, **changes: Any) -> Path:
    """Change keys of the language model's configuration; the value ... removes one."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    text = config["text_config"] | changes
    kept = {key: value for key, value in text.items() if value is not ...}
    return tiny.edit_config(folder, text_config=kept)
