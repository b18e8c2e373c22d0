"""What the layers of every family have in common: their weights by what they are for.

Families name and join their weights differently, and some differ in what is folded into weights here: norms
of 1 + w, norms that subtract a mean or add a bias, pairs of neighbours that turn with the position,
multipliers.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from quire_engine.integer import family_traits as traits
from quire_engine.integer.family_traits import head_size
from quire_engine.integer.kernel_kinds import kernel


@dataclass(frozen=True, slots=True)
class Affine:
    """A weight (outputs, inputs) and a bias (outputs,)."""

    weight: Tensor
    bias: Tensor | None = None

    def times(self, factor: float) -> Affine:
        """Return it with outputs multiplied by this factor."""
        if factor == 1:
            return self
        bias = None if self.bias is None else self.bias.float() * factor
        return Affine(self.weight.float() * factor, bias)

    def reordered(self, places: Tensor) -> Affine:
        """Return it with its outputs in another order."""
        return Affine(self.weight[places], None if self.bias is None else self.bias[places])

    def centred(self) -> Affine:
        """Return it with outputs whose mean is 0, for norms that subtract the mean."""
        weight = without_mean(self.weight)
        return Affine(weight, None if self.bias is None else without_mean(self.bias[:, None])[:, 0])

    def behind(self, norm: Norm) -> Affine:
        """Return it with a norm's bias as part of its own."""
        if norm.bias is None:
            return self
        added = torch.from_numpy(_products(self.weight.detach().float().numpy(), norm.bias.numpy()))
        return Affine(self.weight, added if self.bias is None else added + self.bias.detach().float())


@dataclass(frozen=True, slots=True)
class Norm:
    """What a norm multiplies by and adds, (width,) float32."""

    weight: Tensor
    bias: Tensor | None = None


@dataclass(frozen=True, slots=True)
class MlpParts:
    """One MLP of a layer: the only one, or one of its experts."""

    gate: Affine | None
    up: Affine
    down: Affine


@dataclass(frozen=True, slots=True)
class LayerParts:
    """One layer.

    Attributes:
        attention_norm, mlp_norm: weights of the norms before attention and MLP, (width,) float32; their
            biases are part of the products behind them.
        query_norm, key_norm: weights of the norms of heads, (head,) or (numbers of all heads,) float32.
        after_attention, after_mlp: weights of the norms of what is added to the residuals, (width,) float32.
        mlps: one, or the experts; the last `shared` ones are for every row.
        router: of the experts that can be chosen, and behind them of the shared ones if they have a score;
            None where there is nothing to choose. The norm isn't part of it.
        window: positions that a row sees; 0 for all.
    """

    attention_norm: Tensor
    queries: Affine
    keys: Affine
    values: Affine
    out: Affine
    query_norm: Tensor | None
    key_norm: Tensor | None
    after_attention: Tensor | None
    mlp_norm: Tensor
    mlps: tuple[MlpParts, ...]
    router: Tensor | None
    shared: int
    after_mlp: Tensor | None
    window: int


def parts_of(layer: Any, number: int, config: Any) -> LayerParts:
    """Return a layer of the library by its parts. number: of the layer."""
    attention = layer.self_attn if hasattr(layer, "self_attn") else layer.attention
    first, behind_attention, second, behind_mlp = _norms(layer, config)
    queries, keys, values = (each.behind(first) for each in _projections(attention, config))
    query_norm, key_norm = (
        None if not hasattr(attention, name) else norm_of(getattr(attention, name), config).weight
        for name in ("q_norm", "k_norm")
    )
    # the kernel multiplies scores by 1 / sqrt(head)
    factor = _near_one(float(getattr(attention, "scaling", None) or 1.0) * math.sqrt(head_size(config)))
    if query_norm is not None:
        query_norm = query_norm * factor
    else:
        queries = queries.times(factor)
    if config.model_type in traits.NEIGHBOURS_TURN:
        queries, keys = (_halves_apart(each, config) for each in (queries, keys))
    mlps, router, shared = _mlps(layer)
    out = _affine(attention.o_proj if hasattr(attention, "o_proj") else attention.dense)
    if traits.subtracts_mean(config):
        out, mlps = out.centred(), tuple(replace(each, down=each.down.centred()) for each in mlps)
    added = float(getattr(config, "residual_multiplier", 1.0))
    return LayerParts(
        first.weight,
        queries,
        keys,
        values,
        out.times(added),
        query_norm,
        key_norm,
        behind_attention,
        second.weight,
        tuple(
            MlpParts(
                None if each.gate is None else each.gate.behind(second),
                each.up.behind(second),
                each.down.times(added),
            )
            for each in mlps
        ),
        router,
        shared,
        behind_mlp,
        _window(attention, number, config),
    )


def norm_of(norm: Any, config: Any) -> Norm:
    """Return a norm of the library; one without weights multiplies by 1."""
    weight, bias = getattr(norm, "weight", None), getattr(norm, "bias", None)
    numbers = torch.ones(config.hidden_size) if weight is None else weight.detach().float()
    if config.model_type in traits.ONE_IS_ADDED:
        numbers = numbers + 1
    return Norm(numbers, None if bias is None else bias.detach().float())


def without_mean(weight: Tensor) -> Tensor:
    """Return a weight without the mean of its outputs; rows are added up one after the other."""
    numbers = weight.detach().double().numpy()
    total = np.zeros(numbers.shape[1])
    for row in numbers:
        total += row
    return torch.from_numpy(numbers - total / len(numbers)).float()


def _norms(layer: Any, config: Any) -> tuple[Norm, Tensor | None, Norm, Tensor | None]:
    """Return the norms before and behind the attention, and those before and behind the MLP."""
    if config.model_type in traits.NORMS_BEHIND_ONLY:
        none = Norm(torch.ones(config.hidden_size))
        behind = [layer.post_attention_layernorm, layer.post_feedforward_layernorm]
        of_attention, of_mlp = (norm_of(each, config).weight for each in behind)
        return none, of_attention, none, of_mlp
    names = ["input_layernorm", "", "post_attention_layernorm", ""]
    if config.model_type == "glm4":
        names = [names[0], "post_self_attn_layernorm", "post_attention_layernorm", "post_mlp_layernorm"]
    elif config.model_type in ("gemma2", "gemma3_text"):
        names = [names[0], names[2], "pre_feedforward_layernorm", "post_feedforward_layernorm"]
    elif getattr(layer, names[2], None) is None:
        names[2] = names[0]  # both read the same
    first, behind_attention, second, behind_mlp = (
        norm_of(getattr(layer, name), config) if name else None for name in names
    )
    assert first is not None
    assert second is not None
    return (
        first,
        None if behind_attention is None else behind_attention.weight,
        second,
        None if behind_mlp is None else behind_mlp.weight,
    )


def _projections(attention: Any, config: Any) -> tuple[Affine, Affine, Affine]:
    head, heads = head_size(config), int(config.num_attention_heads)
    if hasattr(attention, "query_key_value"):
        whole = _affine(attention.query_key_value)  # queries, keys and values of each head together
        places = torch.arange(3 * heads * head).reshape(heads, 3, head).transpose(0, 1).reshape(-1)
        queries, keys, values = _split(whole.reordered(places), [heads * head] * 3)
    elif hasattr(attention, "qkv_proj"):
        sizes = [heads * head, *(2 * [traits.kv_heads(config) * head])]
        queries, keys, values = _split(_affine(attention.qkv_proj), sizes)
    else:
        return _affine(attention.q_proj), _affine(attention.k_proj), _affine(attention.v_proj)
    return queries, keys, values


def _mlps(layer: Any) -> tuple[tuple[MlpParts, ...], Tensor | None, int]:
    """Return the MLPs of a layer, the router's weight, and how many of them every row goes through."""
    mlp = layer.mlp if hasattr(layer, "mlp") else layer.block_sparse_moe
    if not hasattr(mlp, "experts"):
        return (MlpParts(*_mlp(mlp)),), None, 0
    experts = mlp.experts
    found = []
    for joined, down in zip(experts.gate_up_proj, experts.down_proj, strict=True):
        gate, up = _split(Affine(joined), [len(joined) // 2] * 2)
        found.append(MlpParts(gate, up, Affine(down)))
    router = (mlp.gate if hasattr(mlp, "gate") else mlp.router).weight
    if not hasattr(mlp, "shared_expert"):
        return tuple(found), router, 0
    shared = _pieces(MlpParts(*_mlp(mlp.shared_expert)), found[0].up.weight.shape[0])
    return (*found, *shared), torch.cat([router, mlp.shared_expert_gate.weight]), len(shared)


def _pieces(mlp: MlpParts, inner: int) -> list[MlpParts]:
    """Return MLPs of this inner size that give together what a larger one gives; the last one is padded."""
    assert mlp.gate is not None
    missing = -mlp.up.weight.shape[0] % inner
    gate, up = (nn.functional.pad(each.weight, (0, 0, 0, missing)) for each in (mlp.gate, mlp.up))
    down = nn.functional.pad(mlp.down.weight, (0, missing))
    split = torch.split(gate, inner), torch.split(up, inner), torch.split(down, inner, 1)
    return [MlpParts(Affine(a), Affine(b), Affine(c)) for a, b, c in zip(*split, strict=True)]


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
    return Affine(linear.weight, linear.bias)


def _split(whole: Affine, sizes: list[int]) -> list[Affine]:
    biases = [None] * len(sizes) if whole.bias is None else torch.split(whole.bias, sizes)
    return [Affine(*each) for each in zip(torch.split(whole.weight, sizes), biases, strict=True)]


def _halves_apart(part: Affine, config: Any) -> Affine:
    """Return queries or keys whose pairs are half of the rotated numbers apart; products stay the same."""
    head, rope = head_size(config), next(iter(traits.rope_settings(config).values()))
    rotated = traits.rotated_numbers(config, rope)
    within = torch.cat(
        [torch.arange(0, rotated, 2), torch.arange(1, rotated, 2), torch.arange(rotated, head)]
    )
    heads = torch.arange(part.weight.shape[0] // head)
    return part.reordered((heads[:, None] * head + within).reshape(-1))


def _window(attention: Any, number: int, config: Any) -> int:
    if traits.layer_type(config, number) not in ("", "sliding_attention"):
        return 0
    return int(getattr(attention, "sliding_window", getattr(config, "sliding_window", None)) or 0)


def _near_one(factor: float) -> float:
    """Return 1 for what differs from it only by the rounding of a root."""
    return 1.0 if abs(factor - 1) < 1e-6 else factor


@kernel
def _products(weight: Any, vector: Any) -> Any:
    """Return a weight (outputs, inputs) times a vector, added up in float64 from the first input on."""
    out = np.empty(weight.shape[0], np.float32)
    for row in range(weight.shape[0]):
        total = 0.0
        for i in range(weight.shape[1]):
            total += np.float64(weight[row, i]) * np.float64(vector[i])
        out[row] = total
    return out
