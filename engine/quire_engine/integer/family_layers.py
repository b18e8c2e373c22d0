"""A model of the library by its parts: families name and join their weights differently."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from quire_engine.catalog.weight_shapes import num_experts
from quire_engine.integer import family_traits as traits
from quire_engine.integer.block_packing import PackedWeight, pack_floats
from quire_engine.integer.model_parts import Affine, Bits, LayerParts, MlpParts, ModelParts, Norm, Order
from quire_engine.integer.rope_tables import frequencies

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class TensorWeight:
    """A matrix of the library's model."""

    tensor: Tensor

    @property
    def outputs(self) -> int:
        """Its rows."""
        return int(self.tensor.shape[0])

    @property
    def inputs(self) -> int:
        """The numbers of a row."""
        return int(self.tensor.shape[1])

    def rows(self, places: slice | Order) -> TensorWeight:
        """Return some of its rows, in this order."""
        return TensorWeight(self.tensor[places if isinstance(places, slice) else torch.from_numpy(places)])

    def packed(self, bits: Bits = 8) -> PackedWeight:
        """Cut it into blocks."""
        return pack_floats(self.floats(), bits)

    def floats(self) -> Floats:
        """Return its numbers."""
        return _numbers(self.tensor)


def library_parts(model: PreTrainedModel) -> ModelParts:
    """Return a model of the library by its parts; ValueError if passes can't run it."""
    parts: Any = model  # the library types its modules as "tensor or module"
    config, body = model.config, parts.base_model
    if problem := traits.unsupported_reason(config):
        raise ValueError(problem)
    head, table = parts.get_output_embeddings(), TensorWeight(parts.get_input_embeddings().weight)
    is_tied = head.weight is table.tensor
    angles, angle_scales = _angles(config, body)
    return ModelParts(
        num_layers=len(body.layers),
        num_ids=int(head.weight.shape[0]),
        width=int(config.hidden_size),
        heads=int(config.num_attention_heads),
        kv_heads=traits.kv_heads(config),
        head=traits.head_size(config),
        inner=traits.inner_size(config),
        eps=traits.norm_eps(config),
        activation=traits.activation(config),
        is_gated=_is_gated(body.layers[0]),
        is_parallel=traits.is_parallel(config),
        subtracts_mean=traits.subtracts_mean(config),
        attention_factor=_attention_factor(body.layers[0], config),
        attention_cap=traits.cap_of(config, "attn_logit_softcapping"),
        chosen=int(config.num_experts_per_tok) if num_experts(config) else 0,
        shares_add_up=traits.shares_add_up(config),
        embedding_factor=traits.embedding_factor(config),
        residual_factor=float(getattr(config, "residual_multiplier", 1.0)),
        score_factor=traits.score_factor(config),
        score_cap=traits.cap_of(config, "final_logit_softcapping"),
        frequencies=angles,
        angle_scales=angle_scales,
        embedding=table,
        output=Affine(table if is_tied else TensorWeight(head.weight), _numbers_or_none(head.bias)),
        final_norm=_norm_of(_last_norm(body), config),
        layer=lambda number: _parts_of(body.layers[number], number, config),
    )


def _parts_of(layer: Any, number: int, config: Any) -> LayerParts:
    """Return a layer of the library by its parts. number: of the layer."""
    attention = _attention(layer)
    first, behind_attention, second, behind_mlp = _norms(layer, config)
    queries, keys, values = _projections(attention, config)
    query_norm, key_norm = (
        None if not hasattr(attention, name) else _norm_of(getattr(attention, name), config).weight
        for name in ("q_norm", "k_norm")
    )
    if config.model_type in traits.NEIGHBOURS_TURN:
        queries, keys = (_halves_apart(each, config) for each in (queries, keys))
    mlps, router, shared = _mlps(layer)
    return LayerParts(
        first,
        queries,
        keys,
        values,
        _affine(attention.o_proj if hasattr(attention, "o_proj") else attention.dense),
        query_norm,
        key_norm,
        None if behind_attention is None else behind_attention.weight,
        second,
        mlps,
        router,
        shared,
        None if behind_mlp is None else behind_mlp.weight,
        _window(attention, number, config),
        _turn(config, number),
    )


def _attention(layer: Any) -> Any:
    return layer.self_attn if hasattr(layer, "self_attn") else layer.attention


def _is_gated(layer: Any) -> bool:
    return _mlps(layer)[0][0].gate is not None


def _attention_factor(layer: Any, config: Any) -> float:
    return float(getattr(_attention(layer), "scaling", None) or 1.0 / math.sqrt(traits.head_size(config)))


def _norm_of(norm: Any, config: Any) -> Norm:
    """Return a norm of the library; one without weights multiplies by 1."""
    weight, bias = getattr(norm, "weight", None), getattr(norm, "bias", None)
    numbers = np.ones(config.hidden_size, np.float32) if weight is None else _numbers(weight)
    if config.model_type in traits.ONE_IS_ADDED:
        numbers = numbers + np.float32(1.0)
    return Norm(numbers, _numbers_or_none(bias))


def _last_norm(body: Any) -> Any:
    """Return the norm before the LM head."""
    names = ("norm", "final_layernorm", "final_layer_norm")
    return next(getattr(body, name) for name in names if hasattr(body, name))


def _norms(layer: Any, config: Any) -> tuple[Norm | None, Norm | None, Norm | None, Norm | None]:
    """Return the norms before and behind the attention, and those before and behind the MLP."""
    names: list[str] = ["input_layernorm", "", "post_attention_layernorm", ""]
    if config.model_type in traits.NORMS_BEHIND_ONLY:
        names = ["", "post_attention_layernorm", "", "post_feedforward_layernorm"]
    elif config.model_type == "glm4":
        names = [names[0], "post_self_attn_layernorm", "post_attention_layernorm", "post_mlp_layernorm"]
    elif config.model_type in ("gemma2", "gemma3_text"):
        names = [names[0], names[2], "pre_feedforward_layernorm", "post_feedforward_layernorm"]
    elif getattr(layer, names[2], None) is None:
        names[2] = names[0]  # both read the same
    first, behind_attention, second, behind_mlp = (
        _norm_of(getattr(layer, name), config) if name else None for name in names
    )
    return first, behind_attention, second, behind_mlp


def _projections(attention: Any, config: Any) -> tuple[Affine, Affine, Affine]:
    head, heads = traits.head_size(config), int(config.num_attention_heads)
    if hasattr(attention, "query_key_value"):
        whole = _affine(attention.query_key_value)  # queries, keys and values of each head together
        places = np.arange(3 * heads * head).reshape(heads, 3, head).transpose(1, 0, 2).reshape(-1)
        queries, keys, values = _split(whole.rows(places), [heads * head] * 3)
    elif hasattr(attention, "qkv_proj"):
        sizes = [heads * head, *(2 * [traits.kv_heads(config) * head])]
        queries, keys, values = _split(_affine(attention.qkv_proj), sizes)
    else:
        return _affine(attention.q_proj), _affine(attention.k_proj), _affine(attention.v_proj)
    return queries, keys, values


def _mlps(layer: Any) -> tuple[tuple[MlpParts, ...], Floats | None, int]:
    """Return the MLPs of a layer, the router's weight, and how many of them every row goes through."""
    mlp = layer.mlp if hasattr(layer, "mlp") else layer.block_sparse_moe
    if not hasattr(mlp, "experts"):
        return (MlpParts(*_mlp(mlp)),), None, 0
    experts = mlp.experts
    found = []
    for joined, down in zip(experts.gate_up_proj, experts.down_proj, strict=True):
        gate, up = _split(_plain(joined), [len(joined) // 2] * 2)
        found.append(MlpParts(gate, up, _plain(down)))
    router = (mlp.gate if hasattr(mlp, "gate") else mlp.router).weight
    if not hasattr(mlp, "shared_expert"):
        return tuple(found), _numbers(router), 0
    shared = _pieces(mlp.shared_expert, found[0].up.weight.outputs)
    return (*found, *shared), _numbers(torch.cat([router, mlp.shared_expert_gate.weight])), len(shared)


def _pieces(mlp: Any, inner: int) -> list[MlpParts]:
    """Return MLPs of this inner size that give together what a larger one gives; the last one is padded."""
    missing = -mlp.up_proj.weight.shape[0] % inner
    gate, up = (nn.functional.pad(each.weight, (0, 0, 0, missing)) for each in (mlp.gate_proj, mlp.up_proj))
    down = nn.functional.pad(mlp.down_proj.weight, (0, missing))
    split = torch.split(gate, inner), torch.split(up, inner), torch.split(down, inner, 1)
    return [MlpParts(*map(_plain, each)) for each in zip(*split, strict=True)]


def _mlp(mlp: Any) -> tuple[Affine | None, Affine, Affine]:
    """Return gate, up and down."""
    if hasattr(mlp, "gate_up_proj"):
        gate, up = _split(_affine(mlp.gate_up_proj), [mlp.gate_up_proj.weight.shape[0] // 2] * 2)
        return gate, up, _affine(mlp.down_proj)
    if hasattr(mlp, "gate_proj"):
        return _affine(mlp.gate_proj), _affine(mlp.up_proj), _affine(mlp.down_proj)
    pairs = (("up_proj", "down_proj"), ("fc1", "fc2"), ("c_fc", "c_proj"))
    for up_name, down_name in (*pairs, ("dense_h_to_4h", "dense_4h_to_h")):
        if hasattr(mlp, up_name):
            return None, _affine(getattr(mlp, up_name)), _affine(getattr(mlp, down_name))
    raise ValueError("an MLP of an unknown form")


def _affine(linear: Any) -> Affine:
    return Affine(TensorWeight(linear.weight), _numbers_or_none(linear.bias))


def _plain(weight: Tensor) -> Affine:
    return Affine(TensorWeight(weight))


def _numbers(tensor: Tensor) -> Floats:
    """Return a tensor's numbers in float32; they may be the tensor's own memory."""
    numbers: Floats = tensor.detach().float().contiguous().numpy()
    return numbers


def _numbers_or_none(tensor: Tensor | None) -> Floats | None:
    return None if tensor is None else _numbers(tensor)


def _split(whole: Affine, sizes: list[int]) -> list[Affine]:
    ends = np.cumsum(sizes).tolist()
    return [whole.rows(slice(end - size, end)) for size, end in zip(sizes, ends, strict=True)]


def _halves_apart(part: Affine, config: Any) -> Affine:
    """Return queries or keys whose pairs are half of the rotated numbers apart; products stay the same."""
    head, rope = traits.head_size(config), next(iter(traits.rope_settings(config).values()))
    rotated = traits.rotated_numbers(config, rope)
    within = np.concatenate([np.arange(0, rotated, 2), np.arange(1, rotated, 2), np.arange(rotated, head)])
    heads = np.arange(part.weight.outputs // head)
    return part.rows((heads[:, None] * head + within).reshape(-1))


def _window(attention: Any, number: int, config: Any) -> int:
    if traits.layer_type(config, number) not in ("", "sliding_attention"):
        return 0
    return int(getattr(attention, "sliding_window", getattr(config, "sliding_window", None)) or 0)


def _angles(config: Any, body: Any) -> tuple[npt.NDArray[np.float64], Floats]:
    """Return radians per position by table, and their scales; ValueError where the library has others.

    There is a table for each kind of layer, and one more for layers without positions.
    """
    tables: list[npt.NDArray[np.float64]] = []
    scales: list[float] = []
    for name, rope in traits.rope_settings(config).items():
        numbers = traits.rotated_numbers(config, rope)
        found = frequencies(rope, numbers, config.max_position_embeddings)
        prefix = f"{name}_" if name else ""
        theirs = getattr(body.rotary_emb, f"{prefix}inv_freq").double().numpy()
        if found.shape != theirs.shape or not np.allclose(found, theirs, rtol=1e-5):
            raise ValueError("angles of positions aren't those of the library")
        tables.append(found)
        scales.append(float(getattr(body.rotary_emb, f"{prefix}attention_scaling")))
    return np.stack([*tables, np.zeros_like(tables[0])]), np.array([*scales, 1.0], np.float32)


def _turn(config: Any, number: int) -> int:
    """Return which table of angles a layer uses."""
    names = list(traits.rope_settings(config))
    if not traits.knows_positions(config, number):
        return len(names)
    return 0 if names == [""] else names.index(traits.layer_type(config, number))
