"""Names and order of the families' weights, in GGUF files and in their makers'."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from quire_engine.catalog.gguf_header import GgufTensor
from quire_engine.catalog.rejection import ModelRejected, RejectionKind, printable
from quire_engine.catalog.weights.row_plan import Piece, halves_apart, interleaved, split, stacked, whole

_BLOCK = re.compile(r"blk\.(\d{1,5})\.(.+)\.(weight|bias)")
_EXPERT = re.compile(r"ffn_(gate|up|down)\.(\d{1,5})")
_IGNORED = re.compile(r"rope_freqs\.weight|(?:blk\.\d+\.)?(?:attn_rot_embd|attn\.rope|rope_freqs)(?:\..+)?")
_NORMS = ("norm", "norm_2")

_LLAMA = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
_HEAD_NORMS = {"attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm"}
_FOUR_NORMS = {
    "post_attention_norm": "post_attention_layernorm",
    "ffn_norm": "pre_feedforward_layernorm",
    "post_ffw_norm": "post_feedforward_layernorm",
}
_ENDS = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}
_MIXTRAL = {"gate": "w1", "down": "w2", "up": "w3"}


@dataclass(frozen=True, slots=True)
class GgufFamily:
    """The names of a family.

    Attributes:
        layer: names within a layer, by name in the GGUF file.
        ends: names outside of the layers.
        layers: what comes before the number of a layer.
        is_paired: queries and keys keep the numbers of a rotated pair side by side.
        has_raised_norms: 1 was added to the weights of norms.
        experts: pattern for the name of an expert's weight, with {expert} and {part}.
    """

    layer: Mapping[str, str] = field(default_factory=lambda: _LLAMA)
    ends: Mapping[str, str] = field(default_factory=lambda: _ENDS)
    layers: str = "model.layers."
    is_paired: bool = False
    has_raised_norms: bool = False
    experts: str = ""


_PHI_LAYER = _LLAMA | {
    "attn_output": "self_attn.dense",
    "ffn_up": "mlp.fc1",
    "ffn_down": "mlp.fc2",
}
_NEOX_LAYER = {
    "attn_norm": "input_layernorm",
    "attn_qkv": "attention.query_key_value",
    "attn_output": "attention.dense",
    "ffn_norm": "post_attention_layernorm",
    "ffn_up": "mlp.dense_h_to_4h",
    "ffn_down": "mlp.dense_4h_to_h",
}
_PHI3_LAYER = {
    "attn_norm": "input_layernorm",
    "attn_qkv": "self_attn.qkv_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_up": "mlp.gate_up_proj",
    "ffn_down": "mlp.down_proj",
}
_OLMO2_LAYER = {key: name for key, name in _LLAMA.items() if not key.endswith("_norm")}

_OLMO2 = GgufFamily(
    _OLMO2_LAYER | _HEAD_NORMS | {key: _FOUR_NORMS[key] for key in _FOUR_NORMS if key != "ffn_norm"}
)
_UNGATED = {key: _LLAMA[key] for key in _LLAMA if key != "ffn_gate"}
_EXPERTS = "mlp.experts.{expert}.{part}_proj"

GGUF_FAMILIES: dict[str, GgufFamily] = {
    "arcee": GgufFamily(_UNGATED, is_paired=True),
    "cohere": GgufFamily(_LLAMA | _HEAD_NORMS),
    "cohere2": GgufFamily(),
    "ernie4_5": GgufFamily(),
    "exaone4": _OLMO2,
    "gemma": GgufFamily(has_raised_norms=True),
    "gemma2": GgufFamily(_LLAMA | _FOUR_NORMS, has_raised_norms=True),
    "gemma3_text": GgufFamily(_LLAMA | _FOUR_NORMS | _HEAD_NORMS, has_raised_norms=True),
    "glm4": GgufFamily(
        {key: _LLAMA[key] for key in _LLAMA if key not in ("ffn_gate", "ffn_up")}
        | {
            "ffn_up": "mlp.gate_up_proj",
            "post_attention_norm": "post_self_attn_layernorm",
            "post_ffw_norm": "post_mlp_layernorm",
        }
    ),
    "gpt_neox": GgufFamily(
        _NEOX_LAYER,
        {
            "token_embd": "gpt_neox.embed_in",
            "output_norm": "gpt_neox.final_layer_norm",
            "output": "embed_out",
        },
        layers="gpt_neox.layers.",
    ),
    "granite": GgufFamily(is_paired=True),
    "hunyuan_v1_dense": GgufFamily(
        _LLAMA | {"attn_q_norm": "self_attn.query_layernorm", "attn_k_norm": "self_attn.key_layernorm"}
    ),
    "llama": GgufFamily(is_paired=True),
    "ministral3": GgufFamily(is_paired=True),
    "mixtral": GgufFamily(
        _LLAMA | {"ffn_gate_inp": "block_sparse_moe.gate"},
        is_paired=True,
        experts="block_sparse_moe.experts.{expert}.{part}",
    ),
    "nemotron": GgufFamily(_UNGATED, has_raised_norms=True),
    "olmo": GgufFamily(_OLMO2_LAYER, is_paired=True),
    "olmo2": _OLMO2,
    "olmo3": _OLMO2,
    "olmoe": GgufFamily(_LLAMA | _HEAD_NORMS | {"ffn_gate_inp": "mlp.gate"}, experts=_EXPERTS),
    "phi": GgufFamily(_PHI_LAYER, _ENDS | {"output_norm": "model.final_layernorm"}),
    "phi3": GgufFamily(_PHI3_LAYER),
    "qwen2": GgufFamily(),
    "qwen2_moe": GgufFamily(
        _LLAMA
        | {
            "ffn_gate_inp": "mlp.gate",
            "ffn_gate_inp_shexp": "mlp.shared_expert_gate",
            "ffn_gate_shexp": "mlp.shared_expert.gate_proj",
            "ffn_up_shexp": "mlp.shared_expert.up_proj",
            "ffn_down_shexp": "mlp.shared_expert.down_proj",
        },
        experts=_EXPERTS,
    ),
    "qwen3": GgufFamily(_LLAMA | _HEAD_NORMS),
    "qwen3_moe": GgufFamily(_LLAMA | _HEAD_NORMS | {"ffn_gate_inp": "mlp.gate"}, experts=_EXPERTS),
    "seed_oss": GgufFamily(
        {key: name for key, name in _LLAMA.items() if key != "ffn_norm"}
        | {"post_attention_norm": "post_attention_layernorm"}
    ),
    "smollm3": GgufFamily(is_paired=True),
    "stablelm": GgufFamily(),
    "starcoder2": GgufFamily(_LLAMA | {"ffn_up": "mlp.c_fc", "ffn_down": "mlp.c_proj"}),
}
"""By model type."""


def pieces_of(tensor: GgufTensor, config: Mapping[str, Any]) -> list[Piece]:
    """Return the weights that a tensor becomes; none for one that is part of the configuration.

    ModelRejected if the family has no such weight.
    """
    if _IGNORED.fullmatch(tensor.name):
        return []
    family = GGUF_FAMILIES[config["model_type"]]
    found = _BLOCK.fullmatch(tensor.name)
    if found is None:
        stem, _, kind = tensor.name.rpartition(".")
        if stem not in family.ends or kind not in ("weight", "bias"):
            raise _unknown(tensor)
        return [whole(f"{family.ends[stem]}.{kind}", tensor.shape, added=_added(family, stem, kind))]
    number, stem, kind = found.groups()
    front = f"{family.layers}{int(number)}."
    if special := _special(front, stem, kind, tensor, config):
        if sum(piece.num_rows for piece in special) != _num_rows(tensor):
            raise _unknown(tensor)
        return special
    if stem not in family.layer:
        raise _unknown(tensor)
    heads = _paired_heads(family, stem, config)
    order = None
    if heads:
        if tensor.shape[0] % (2 * heads):
            raise _unknown(tensor)
        order = halves_apart(tensor.shape[0], heads)
    name = f"{front}{family.layer[stem]}.{kind}"
    return [whole(name, tensor.shape, order, _added(family, stem, kind))]


def _paired_heads(family: GgufFamily, stem: str, config: Mapping[str, Any]) -> int:
    if not family.is_paired or stem not in ("attn_q", "attn_k"):
        return 0
    key = "num_attention_heads" if stem == "attn_q" else "num_key_value_heads"
    return int(config[key])


def _special(
    front: str, stem: str, kind: str, tensor: GgufTensor, config: Mapping[str, Any]
) -> list[Piece] | None:
    """Return the pieces of a tensor that the library keeps as several ones, or in another order."""
    model_type = config["model_type"]
    if (experts := GGUF_FAMILIES[model_type].experts) and kind == "weight":
        found = _experts(front + experts + ".weight", stem, tensor, model_type)
        if found is not None:
            return found
    if model_type == "gpt_neox" and stem == "attn_qkv":
        if tensor.shape[0] % (3 * config["num_attention_heads"]):
            raise _unknown(tensor)
        order = interleaved(tensor.shape[0], config["num_attention_heads"])
        return [whole(f"{front}attention.query_key_value.{kind}", tensor.shape, order)]
    if model_type == "phi" and stem == "attn_qkv":
        dim = config["hidden_size"] // config["num_attention_heads"]
        shared = config["num_key_value_heads"] * dim
        names = [f"{front}self_attn.{part}_proj.{kind}" for part in "qkv"]
        return split(names, [config["hidden_size"], shared, shared], tensor.shape)
    if model_type == "qwen2_moe" and stem == "ffn_gate_inp_shexp" and len(tensor.shape) == 1:
        # a matrix of one row
        return [Piece(f"{front}mlp.shared_expert_gate.{kind}", (1, *tensor.shape), tensor.count)]
    if model_type == "stablelm" and stem in ("attn_q_norm", "attn_k_norm") and len(tensor.shape) == 2:
        part = f"{front}self_attn.{stem[5]}_layernorm.norms."
        return stacked([f"{part}{head}.weight" for head in range(tensor.shape[0])], tensor.shape)
    return None


def _experts(pattern: str, stem: str, tensor: GgufTensor, model_type: str) -> list[Piece] | None:
    """Return the weights of experts; older files have a tensor for each, newer ones one for all."""
    single = _EXPERT.fullmatch(stem)
    part = single[1] if single else stem.removeprefix("ffn_").removesuffix("_exps")
    if part not in _MIXTRAL or not (single or stem.endswith("_exps")):
        return None
    if len(tensor.shape) != (2 if single else 3):
        raise _unknown(tensor)
    shown = _MIXTRAL[part] if model_type == "mixtral" else part
    if single:
        return [whole(pattern.format(expert=int(single[2]), part=shown), tensor.shape)]
    names = [pattern.format(expert=expert, part=shown) for expert in range(tensor.shape[0])]
    return stacked(names, tensor.shape)


def _num_rows(tensor: GgufTensor) -> int:
    if len(tensor.shape) == 1:
        return tensor.shape[0]
    return tensor.count // tensor.shape[-1]


def _added(family: GgufFamily, stem: str, kind: str) -> float:
    return -1.0 if family.has_raised_norms and kind == "weight" and stem.endswith(_NORMS) else 0.0


def _unknown(tensor: GgufTensor) -> ModelRejected:
    return ModelRejected(
        RejectionKind.UNSUPPORTED,
        "This GGUF file has parts that Quire doesn't know ({name}). Choose another model.",
        name=printable(tensor.name, 60),
    )
