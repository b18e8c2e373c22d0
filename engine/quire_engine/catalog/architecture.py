"""Read config.json and check it against the weights before anything relies on it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from quire_engine.api.user_message import UserMessage, joined
from quire_engine.catalog import model_families, text_parts, unsupported_families
from quire_engine.catalog.bounded_files import read_json
from quire_engine.catalog.config_names import in_todays_words
from quire_engine.catalog.rejection import ModelRejected, RejectionKind, printable
from quire_engine.catalog.safetensors_header import Tensor
from quire_engine.catalog.weight_shapes import (
    has_dense_layers,
    head_size,
    num_experts,
    num_key_value_heads,
    uneven_kv_numbers,
)
from quire_engine.catalog.weights.file_tensor import FileTensor

TIED_BY_DEFAULT = frozenset(
    {
        "cohere",
        "cohere2",
        "ernie4_5",
        "gemma",
        "gemma2",
        "gemma3_text",
        "gemma3n_text",
        "gemma4_text",
        "smollm3",
        "starcoder2",
    }
)
"""Model types that tie the LM head to the embedding unless config.json says otherwise."""
OUTPUTS = ("embed_out.weight", "lm_head.weight")
"""Names of the LM head's weights; the first is GPT-NeoX's."""
FLOATS = frozenset({"F64", "F32", "F16", "BF16"})
"""Supported storage formats of weights."""
_MAX_CONFIG = 1 << 20
_NEEDED = (
    "vocab_size",
    "hidden_size",
    "intermediate_size",
    "num_hidden_layers",
    "num_attention_heads",
    "max_position_embeddings",
)
_FRACTIONS = (
    "altup_coef_clip",
    "attention_multiplier",
    "attn_logit_softcapping",
    "clip_qkv",
    "embedding_multiplier",
    "final_logit_softcapping",
    "layer_norm_eps",
    "logit_scale",
    "logits_scaling",
    "norm_eps",
    "norm_epsilon",
    "partial_rotary_factor",
    "query_pre_attn_scalar",
    "residual_multiplier",
    "rms_norm_eps",
    "rope_local_base_freq",
    "rope_theta",
    "rotary_emb_base",
    "rotary_pct",
    "routed_scaling_factor",
    "swiglu_alpha",
    "swiglu_limit",
)
_SWITCHES = (
    "altup_correct_scale",
    "attention_bias",
    "attention_k_eq_v",
    "attention_out_bias",
    "enable_moe_block",
    "mlp_bias",
    "norm_topk_prob",
    "qk_layernorm",
    "qkv_bias",
    "tie_word_embeddings",
    "use_bias",
    "use_double_wide_mlp",
    "use_parallel_residual",
    "use_qk_norm",
    "use_qkv_bias",
    "use_sliding_window",
)
_ACTIVATIONS = frozenset(
    {
        "gelu", "gelu_10", "gelu_accurate", "gelu_fast", "gelu_new", "gelu_python", "gelu_pytorch_tanh",
        "gelu_python_tanh", "laplace", "leaky_relu", "linear", "mish", "prelu", "quick_gelu", "relu", "relu2",
        "relu6", "sigmoid", "silu", "swish", "tanh", "xielu",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Architecture:
    """A model's sizes.

    Attributes:
        rope: the scaling of its positions, in words; empty for none.
        uneven_kv_numbers: numbers in the KV cache per token, where layers differ in that; 0 for all others.
        has_dense_layers: only some of its layers have experts.
    """

    model_type: str
    num_layers: int
    hidden_size: int
    intermediate_size: int
    vocab_size: int
    num_heads: int
    num_kv_heads: int
    head_dim: int
    num_experts: int
    context_length: int
    is_tied: bool
    rope: str
    names_program: bool
    uneven_kv_numbers: int = 0
    has_dense_layers: bool = False

    @property
    def kv_numbers_per_token(self) -> int:
        """Numbers in the KV cache per token, over all layers."""
        return self.uneven_kv_numbers or 2 * self.num_layers * self.num_kv_heads * self.head_dim


def read_config(folder: Path) -> tuple[dict[str, Any], bool]:
    """Return config.json of a supported model type; raises ModelRejected otherwise.

    Of a model that also reads images, it is the configuration of its language model, and True.
    """
    raw: Any = read_json(folder / "config.json", _MAX_CONFIG)
    if not isinstance(raw, dict) or not isinstance(raw.get("model_type"), str):
        raise ModelRejected(
            RejectionKind.DAMAGED, "config.json doesn't name a model type. Download the model again."
        )
    is_part = text_parts.is_multimodal(raw)
    found: dict[str, Any] = text_parts.part_of(raw) if is_part else raw
    _check_support(found)
    if raw.get("quantization_config") is not None:
        raise _packed(raw["quantization_config"])
    return in_todays_words(found), is_part


def _packed(settings: object) -> ModelRejected:
    """Return the rejection of packed weights: some kinds can be imported."""
    method = str(settings.get("quant_method", "")) if isinstance(settings, dict) else ""
    if method.lower() in ("awq", "gptq"):
        return ModelRejected(
            RejectionKind.UNSUPPORTED,
            "The weights are packed ({method}). Import this folder: Quire unpacks them into a new one.",
            method=method.upper(),
        )
    return ModelRejected(
        RejectionKind.UNSUPPORTED,
        "Quire can't read weights quantised with {method}. Choose the original model, or its GGUF, AWQ or "
        "GPTQ version.",
        method=printable(method or "?", 40),
    )


def _check_support(raw: Mapping[str, Any]) -> None:
    shown = printable(raw["model_type"], 40)
    if raw["model_type"] not in model_families.FAMILIES:
        reason = unsupported_families.reason_unsupported(raw)
        if reason is None and raw.get("auto_map"):
            reason = UserMessage("it needs its own program code, which Quire never runs")
        hint = UserMessage(" ({reason})", reason=reason) if reason else ""
        raise ModelRejected(
            RejectionKind.UNSUPPORTED,
            joined(
                UserMessage(
                    "Quire doesn't support models of the type “{name}” yet{hint}.", name=shown, hint=hint
                ),
                unsupported_families.instead_of(raw["model_type"]),
            ),
        )


def architecture_of(raw: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> Architecture:
    """Return the sizes that config.json and the weights agree on; raises ModelRejected where they differ."""
    model_type: str = raw["model_type"]
    family = model_families.FAMILIES[model_type]
    kept = {key: value for key, value in raw.items() if key in family.allowed and value is not None}
    _check_values(kept)
    if not model_families.sizes_are_possible(kept):
        raise _no_sense("a size is impossible")
    scaling = ropes_of(kept)
    config = SimpleNamespace(**(_DEFAULTS | kept | {"rope_parameters": scaling}))
    config.model_type = model_type
    config.use_bidirectional_attention = raw.get("use_bidirectional_attention")
    _complete_heads(config, family, tensors)
    check_sizes(config, tensors)
    is_tied = bool(kept.get("tie_word_embeddings", model_type in TIED_BY_DEFAULT))
    _check_output(config, is_tied, tensors)
    return Architecture(
        model_type=model_type,
        num_layers=config.num_hidden_layers,
        hidden_size=config.hidden_size,
        intermediate_size=config.intermediate_size,
        vocab_size=config.vocab_size,
        num_heads=config.num_attention_heads,
        num_kv_heads=num_key_value_heads(config),
        head_dim=head_size(config),
        num_experts=num_experts(config),
        context_length=unsupported_families.usable_positions(config),
        is_tied=is_tied,
        rope=rope_in_words(scaling, config.max_position_embeddings),
        names_program=bool(raw.get("auto_map")),
        uneven_kv_numbers=uneven_kv_numbers(config),
        has_dense_layers=has_dense_layers(config),
    )


_DEFAULTS: dict[str, Any] = {"mlp_only_layers": [], "decoder_sparse_step": 1, "layer_types": None}


# ---------------------------------------------------------------- positions
def ropes_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scaling of positions under today's names; Gemma 3 and OLMo 3 may have one per layer type."""
    found: dict[str, Any] = {}
    for key in ("rope_scaling", "rope_parameters"):
        given = values.get(key)
        if given is not None and not isinstance(given, dict):
            raise _no_sense(f"{key} is no table")
        found |= given or {}
    named = {key: _renamed(value) if isinstance(value, dict) else value for key, value in found.items()}
    return _renamed(named)


def _renamed(rope: Mapping[str, Any]) -> dict[str, Any]:
    """Return a scaling under today's name; older files say "type", and "su" for longrope."""
    kind = rope.get("rope_type", rope.get("type", "default"))
    if not isinstance(kind, str):
        raise _no_sense("the scaling of positions has no name")
    for key, value in rope.items():
        is_list = key in ("short_factor", "long_factor")  # of longrope, a number for each pair of a head
        is_number = key.endswith(("factor", "theta", "embeddings")) and not is_list
        if is_number and value is not None and not _is_number(value):
            raise _no_sense(f"{printable(key, 40)} is no number")
        if is_number and value is not None and not value > 0:
            raise _no_sense(f"{printable(key, 40)} is not above 0")
    return {**rope, "rope_type": "longrope" if kind == "su" else kind}


_ROPE_NAMES = {
    "linear": "linear scaling",
    "dynamic": "dynamic scaling",
    "llama3": "LLaMA 3 scaling",
    "yarn": "YaRN scaling",
}


def rope_in_words(rope: Mapping[str, Any], context: int) -> str:
    """Describe how positions are scaled beyond the training length; empty if they are not."""
    parts = [rope, *(part for part in rope.values() if isinstance(part, dict))]
    for part in parts:
        kind = str(part.get("rope_type", "default"))
        if kind in ("default", "proportional"):
            continue
        if kind not in _ROPE_NAMES and kind != "longrope":
            raise ModelRejected(
                RejectionKind.UNSUPPORTED,
                "This model uses an unsupported position scaling ({kind}). Choose another model.",
                kind=printable(kind, 30),
            )
        words = _ROPE_NAMES.get(kind, kind)
        return words + _stretched(part, context)
    return ""


def _stretched(rope: Mapping[str, Any], context: int) -> str:
    factor: Any = rope.get("factor")
    trained: Any = rope.get("original_max_position_embeddings")
    words = f", {factor:g} times" if _is_number(factor) else ""
    if type(trained) is int and trained > 0:
        words += f" as long as the {trained:,} tokens it was trained on"
        if _is_number(factor) and context < (reach := int(trained * factor)):
            words += f"; its config.json allows {context:,} of {reach:,}"
    return words


# ---------------------------------------------------------------- checks
def _check_values(kept: Mapping[str, Any]) -> None:
    for key in _NEEDED:
        if key not in kept:
            raise _no_sense(f"{key} is missing")
    for key in _FRACTIONS:
        if key in kept and not _is_number(kept[key]):
            raise _no_sense(f"{key} is no number")
    for key in _SWITCHES:
        if key in kept and not isinstance(kept[key], bool):
            raise _no_sense(f"{key} is neither true nor false")
    for key in ("hidden_act", "hidden_activation"):
        if key in kept and str(kept[key]) not in _ACTIVATIONS:
            raise _no_sense(f"{key} is not known")
    _check_lists(kept)


def _check_lists(kept: Mapping[str, Any]) -> None:
    layers = kept["num_hidden_layers"]
    types = kept.get("layer_types")
    if types is not None:
        is_list = isinstance(types, list) and all(isinstance(each, str) for each in types)
        if not is_list or len(types) != layers:
            raise _no_sense("layer_types does not name every layer")
    sparsity = kept.get("activation_sparsity_pattern")
    if sparsity is not None and not (
        isinstance(sparsity, list) and len(sparsity) == layers and all(_is_share(each) for each in sparsity)
    ):
        raise _no_sense("activation_sparsity_pattern is no list of shares")
    for key in ("mlp_only_layers", "no_rope_layers"):
        if key in kept and not (isinstance(kept[key], list) and all(type(n) is int for n in kept[key])):
            raise _no_sense(f"{key} is no list of numbers")


def _complete_heads(config: Any, family: Any, tensors: Mapping[str, Tensor]) -> None:
    """Infer from the weights what config.json leaves to the library: size and number of heads."""
    first = f"{family.layers}0.self_attn."
    queries, keys = tensors.get(f"{first}q_proj.weight"), tensors.get(f"{first}k_proj.weight")
    heads = config.num_attention_heads
    if config.model_type == "gpt_neox":  # its heads share nothing, whatever else its config.json says
        config.num_key_value_heads = heads
    if getattr(config, "head_dim", None) is None and queries is not None and queries.shape:
        config.head_dim = max(1, queries.shape[0] // heads)
    if getattr(config, "num_key_value_heads", None) is None and keys is not None and keys.shape:
        dim = getattr(config, "head_dim", None) or max(1, config.hidden_size // heads)
        config.num_key_value_heads = max(1, keys.shape[0] // dim)
    if config.hidden_size < heads and getattr(config, "head_dim", None) is None:
        raise _no_sense("it has more heads than numbers for them")


def check_sizes(config: Any, tensors: Mapping[str, Tensor]) -> None:
    """Reject a configuration that is not supported or whose sizes differ from the weights'.

    Applied to config.json itself, and again before a load to what the library made of it: a size that the
    library adds on its own could take all memory.
    """
    if config.num_attention_heads % num_key_value_heads(config):
        raise _no_sense("its heads cannot share keys and values evenly")
    if problem := unsupported_families.attention_problem(config):
        raise ModelRejected(
            RejectionKind.UNSUPPORTED,
            joined(
                UserMessage("This model {problem}; Quire doesn't support that yet.", problem=problem),
                unsupported_families.instead_of(config.model_type),
            ),
        )
    family = model_families.FAMILIES[config.model_type]
    try:
        wanted = family.shapes(config)
    except AttributeError as error:  # a size that only this type has
        raise _no_sense(f"{printable(error.name, 40)} is missing") from error
    wrong = [name for name, shape in wanted.items() if name not in tensors or tensors[name].shape != shape]
    wrong += [name for name in tensors if family.is_beyond(name, config)]
    if wrong:
        raise ModelRejected(
            RejectionKind.DAMAGED,
            unfitting(wrong),
        )
    packed = sorted({tensors[name].dtype for name in wanted if not is_readable(tensors[name])})
    if packed:
        raise ModelRejected(
            RejectionKind.UNSUPPORTED,
            "Quire can't read weights in {packed}. Download the bfloat16 version.",
            packed=packed[0],
        )


def is_readable(tensor: Tensor) -> bool:
    """Say whether a weight is stored in numbers that Quire reads."""
    return tensor.dtype in FLOATS or isinstance(tensor, FileTensor)


def unfitting(names: Sequence[object]) -> str:
    """Return the sentence about weights that are not those of config.json."""
    return UserMessage(
        "The weights don't match config.json ({number:,} tensors are missing, superfluous or of "
        "another size, such as {name}). Download the model again.",
        number=len(names),
        name=printable(names[0]),
    )


def _check_output(config: Any, is_tied: bool, tensors: Mapping[str, Tensor]) -> None:
    name = OUTPUTS[0 if config.model_type == "gpt_neox" else 1]
    output = tensors.get(name)
    wanted = (config.vocab_size, config.hidden_size)
    if (output is None and not is_tied) or (output is not None and output.shape != wanted):
        raise ModelRejected(RejectionKind.DAMAGED, unfitting([name]))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_share(value: object) -> bool:
    return _is_number(value) and 0 <= float(str(value)) < 1


def _no_sense(what: str) -> ModelRejected:
    return ModelRejected(
        RejectionKind.DAMAGED,
        "config.json is invalid: {what}. Download this file again.",
        what=what,
    )
