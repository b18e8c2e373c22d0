"""GGUF files of tiny models, as llama.cpp's conversion would write them; names are the gguf package's own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from tokenizers import Tokenizer
from transformers.modeling_utils import PreTrainedModel

from tests.engine import tiny

GPT2 = "gpt-2"
CHAT = "{% for message in messages %}{{ message['content'] }}<|endoftext|>{% endfor %}"

_ARCHITECTURES = {
    "arcee": gguf.MODEL_ARCH.ARCEE,
    "cohere": gguf.MODEL_ARCH.COMMAND_R,
    "ernie4_5": gguf.MODEL_ARCH.ERNIE4_5,
    "exaone4": gguf.MODEL_ARCH.EXAONE4,
    "hunyuan_v1_dense": gguf.MODEL_ARCH.HUNYUAN_DENSE,
    "nemotron": gguf.MODEL_ARCH.NEMOTRON,
    "olmo": gguf.MODEL_ARCH.OLMO,
    "olmoe": gguf.MODEL_ARCH.OLMOE,
    "qwen2_moe": gguf.MODEL_ARCH.QWEN2MOE,
    "seed_oss": gguf.MODEL_ARCH.SEED_OSS,
    "cohere2": gguf.MODEL_ARCH.COHERE2,
    "gemma": gguf.MODEL_ARCH.GEMMA,
    "gemma2": gguf.MODEL_ARCH.GEMMA2,
    "gemma3_text": gguf.MODEL_ARCH.GEMMA3,
    "glm4": gguf.MODEL_ARCH.GLM4,
    "gpt_neox": gguf.MODEL_ARCH.GPTNEOX,
    "granite": gguf.MODEL_ARCH.GRANITE,
    "llama": gguf.MODEL_ARCH.LLAMA,
    "ministral3": gguf.MODEL_ARCH.MISTRAL3,
    "mistral": gguf.MODEL_ARCH.LLAMA,
    "mixtral": gguf.MODEL_ARCH.LLAMA,
    "olmo2": gguf.MODEL_ARCH.OLMO2,
    "olmo3": gguf.MODEL_ARCH.OLMO2,
    "phi": gguf.MODEL_ARCH.PHI2,
    "phi3": gguf.MODEL_ARCH.PHI3,
    "qwen2": gguf.MODEL_ARCH.QWEN2,
    "qwen3": gguf.MODEL_ARCH.QWEN3,
    "qwen3_moe": gguf.MODEL_ARCH.QWEN3MOE,
    "smollm3": gguf.MODEL_ARCH.SMOLLM3,
    "stablelm": gguf.MODEL_ARCH.STABLELM,
    "starcoder2": gguf.MODEL_ARCH.STARCODER2,
}
_LIKE_PUBLISHED: dict[str, dict[str, Any]] = {
    "cohere": {"tie_word_embeddings": True},
    "cohere2": {"tie_word_embeddings": True},
    "ernie4_5": {"use_bias": False},
    "olmoe": {"norm_topk_prob": False},
    "smollm3": {"num_hidden_layers": 4, "no_rope_layers": [1, 1, 1, 0]},
    "starcoder2": {"sliding_window": None},
}
"""What the files of a family do not say, because all of its published models have it."""
_PAIRED = ("arcee", "granite", "llama", "ministral3", "mistral", "mixtral", "olmo", "smollm3")
_RAISED = ("gemma", "gemma2", "gemma3_text", "nemotron")
_PACKED: dict[str, gguf.GGMLQuantizationType] = {kind.name: kind for kind in gguf.GGMLQuantizationType}


def build_for_gguf(family: str) -> PreTrainedModel:
    """Return a tiny model that can be written as a GGUF file, with weights that bfloat16 holds."""
    model = tiny.build(family, **_LIKE_PUBLISHED.get(family, {}))
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(weight.to(torch.bfloat16).to(torch.float32))
    return model


def write_gguf(
    family: str,
    file: Path,
    *,
    model: PreTrainedModel | None = None,
    kind: str = "F32",
    pre: str = GPT2,
    extra: Mapping[str, Any] | None = None,
    parts: int = 0,
) -> Path:
    """Write a tiny model as a GGUF file, and return its first file.

    Args:
        family: of `tiny.build`.
        model: another one than `build_for_gguf` makes.
        kind: how its matrices are stored, if their rows have whole blocks.
        pre: the name of its pre-tokenizer.
        extra: more metadata, by their whole keys.
        parts: tensors per file, for one in several files; 0: one file.
    """
    built = build_for_gguf(family) if model is None else model
    config = built.config
    arch = _ARCHITECTURES[family.split()[0]]
    writer = gguf.GGUFWriter(file, gguf.MODEL_ARCH_NAMES[arch], split_max_tensors=parts)
    _add_sizes(writer, config)
    _add_family(writer, family.split()[0], config)
    add_tokenizer(writer, tiny.build_tokenizer(), pre)
    for key, value in (extra or {}).items():
        _add(writer, key, value)
    for name, weight in _converted(family.split()[0], built, arch).items():
        _add_tensor(writer, name, weight, _PACKED[kind])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return sorted(file.parent.glob(f"{file.stem}*.gguf"))[0]


def add_tokenizer(writer: gguf.GGUFWriter, tokenizer: Tokenizer, pre: str) -> None:
    """Add a byte-level tokenizer with its special tokens and a chat template."""
    content = json.loads(tokenizer.to_str())
    entries: dict[str, int] = content["model"]["vocab"]
    special = {each["content"] for each in content["added_tokens"]}
    pieces = sorted(entries, key=lambda piece: entries[piece])
    kinds = [gguf.TokenType.CONTROL if piece in special else gguf.TokenType.NORMAL for piece in pieces]
    filling = [f"[PAD{number}]" for number in range(len(pieces), tiny.VOCAB_SIZE)]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list([*pieces, *filling])
    writer.add_token_types([*kinds, *[gguf.TokenType.UNUSED] * len(filling)])
    writer.add_token_merges([" ".join(merge) for merge in content["model"]["merges"]])
    writer.add_eos_token_id(0)
    writer.add_chat_template(CHAT)


def _add_sizes(writer: gguf.GGUFWriter, config: Any) -> None:
    writer.add_name("Tiny")
    writer.add_license("apache-2.0")
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_block_count(config.num_hidden_layers)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    if config.model_type != "gpt_neox":
        writer.add_head_count_kv(config.num_key_value_heads)
    dim = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    writer.add_key_length(dim)
    writer.add_value_length(dim)
    for name in ("rms_norm_eps", "layer_norm_eps", "norm_epsilon", "norm_eps"):
        if (eps := getattr(config, name, None)) is not None:
            (writer.add_layer_norm_rms_eps if name == "rms_norm_eps" else writer.add_layer_norm_eps)(eps)
    rope = config.rope_parameters
    rope = rope.get("full_attention", rope)
    writer.add_rope_freq_base(rope["rope_theta"])
    writer.add_rope_dimension_count(int(dim * rope.get("partial_rotary_factor", 1.0)))
    if rope["rope_type"] in ("linear", "yarn"):
        writer.add_rope_scaling_type(gguf.RopeScalingType(rope["rope_type"]))
        writer.add_rope_scaling_factor(rope["factor"])
    if rope["rope_type"] == "yarn":
        writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])


def _add_family(writer: gguf.GGUFWriter, family: str, config: Any) -> None:
    window: int | None = getattr(config, "sliding_window", None)
    if family in ("gemma2", "gemma3_text", "cohere2", "exaone4", "olmo3") and window is not None:
        writer.add_sliding_window(window)
    if family in ("gemma3_text", "cohere2", "exaone4", "olmo3") and window is not None:
        writer.add_sliding_window_pattern([each == "sliding_attention" for each in config.layer_types])
    if family == "gemma2":
        writer.add_attn_logit_softcapping(config.attn_logit_softcapping)
        writer.add_final_logit_softcapping(config.final_logit_softcapping)
    if family in ("gemma2", "gemma3_text"):
        writer.add_attention_scale(config.query_pre_attn_scalar**-0.5)
    if family in ("gemma3_text", "olmo3"):
        local = config.rope_parameters["sliding_attention"]
        _add(writer, f"{writer.arch}.rope.freq_base_swa", float(local["rope_theta"]))
    if family in ("cohere", "cohere2", "granite"):
        writer.add_logit_scale(config.logits_scaling if family == "granite" else config.logit_scale)
    if family == "granite":
        writer.add_attention_scale(config.attention_multiplier)
        writer.add_embedding_scale(config.embedding_multiplier)
        writer.add_residual_scale(config.residual_multiplier)
    if family in ("mixtral", "olmoe", "qwen2_moe", "qwen3_moe"):
        writer.add_expert_count(config.num_local_experts if family == "mixtral" else config.num_experts)
        writer.add_expert_used_count(config.num_experts_per_tok)
    if family == "olmo":
        writer.add_clamp_kqv(config.clip_qkv)
        writer.add_layer_norm_eps(1e-5)
    if family == "qwen2_moe":
        writer.add_expert_shared_feed_forward_length(config.shared_expert_intermediate_size)
    if family in ("qwen2_moe", "qwen3_moe"):
        writer.add_expert_feed_forward_length(config.moe_intermediate_size)
    if family == "ministral3":
        beta = config.rope_parameters["llama_4_scaling_beta"]
        _add(writer, f"{writer.arch}.attention.temperature_scale", float(beta))
    if family in ("stablelm", "gpt_neox"):  # of the former, conversions say so even where it isn't true
        writer.add_parallel_residual(family == "stablelm" or config.use_parallel_residual)


def _converted(family: str, model: PreTrainedModel, arch: gguf.MODEL_ARCH) -> dict[str, np.ndarray]:
    config: Any = model.config
    names = gguf.get_tensor_name_map(arch, config.num_hidden_layers)
    found: dict[str, np.ndarray] = {}
    for name, weight in _checkpoint(family, model).items():
        numbers = weight.to(torch.float32).numpy()
        stem, _, kind = name.rpartition(".")
        if config.tie_word_embeddings and stem == "lm_head":
            continue
        short = names.get_name(stem)
        if short is None:
            raise AssertionError(f"the gguf package has no name for {name}")
        found[f"{short}.{kind}"] = _reordered(family, name, numbers, config)
    return found


def _checkpoint(family: str, model: PreTrainedModel) -> dict[str, torch.Tensor]:
    """Return the weights as they are in a published folder; experts are one tensor for all of a layer."""
    state = {name: weight for name, weight in model.state_dict().items() if "rotary_emb" not in name}
    found: dict[str, torch.Tensor] = {}
    for name, weight in state.items():
        if name.endswith("experts.gate_up_proj"):
            gate, up = weight.chunk(2, dim=1)
            parts = ("w1", "w3") if family == "mixtral" else ("gate_proj", "up_proj")
            front = name.removesuffix("gate_up_proj").replace("mlp", _mixture(family))
            found[f"{front}{parts[0]}.weight"], found[f"{front}{parts[1]}.weight"] = gate, up
        elif name.endswith("experts.down_proj"):
            front = name.removesuffix("down_proj").replace("mlp", _mixture(family))
            found[f"{front}{'w2' if family == 'mixtral' else 'down_proj'}.weight"] = weight
        elif name.endswith("mlp.gate.weight"):
            found[name.replace("mlp", _mixture(family))] = weight
        else:
            found[name] = weight
    return found


def _mixture(family: str) -> str:
    return "block_sparse_moe" if family == "mixtral" else "mlp"


def _reordered(family: str, name: str, numbers: np.ndarray, config: Any) -> np.ndarray:
    if family in _PAIRED and name.endswith(
        (".q_proj.weight", ".k_proj.weight", ".q_proj.bias", ".k_proj.bias")
    ):
        is_query = ".q_proj." in name
        heads = config.num_attention_heads if is_query else config.num_key_value_heads
        halves = numbers.reshape(heads, 2, numbers.shape[0] // heads // 2, *numbers.shape[1:])
        return np.ascontiguousarray(halves.swapaxes(1, 2)).reshape(numbers.shape)
    if name.endswith("shared_expert_gate.weight"):
        return numbers.reshape(-1)  # llama.cpp's quantiser keeps no side of 1
    if family in _RAISED and name.endswith("norm.weight"):
        return numbers + np.float32(1)
    if family == "gpt_neox" and ".query_key_value." in name:
        heads = config.num_attention_heads
        apart = numbers.reshape(heads, 3, numbers.shape[0] // heads // 3, *numbers.shape[1:])
        return np.concatenate([apart[:, part].reshape(-1, *numbers.shape[1:]) for part in range(3)])
    return numbers


def _add_tensor(
    writer: gguf.GGUFWriter, name: str, numbers: np.ndarray, kind: gguf.GGMLQuantizationType
) -> None:
    block = gguf.GGML_QUANT_SIZES[kind][0]
    if numbers.ndim == 1 or numbers.shape[-1] % block or kind == gguf.GGMLQuantizationType.F32:
        writer.add_tensor(name, np.ascontiguousarray(numbers))
        return
    writer.add_tensor(name, gguf.quantize(np.ascontiguousarray(numbers), kind), raw_dtype=kind)


def _add(writer: gguf.GGUFWriter, key: str, value: Any) -> None:
    match value:
        case bool():
            writer.add_bool(key, value)
        case int():
            writer.add_uint32(key, value)
        case float():
            writer.add_float32(key, value)
        case str():
            writer.add_string(key, value)
        case _:
            writer.add_array(key, value)
