"""What the layers of every family have in common: their weights by what they are for.

Families name and join their weights differently, and some differ in what is folded into weights here: norms
of (1 + w), norms that subtract a mean, pairs of neighbours that turn with the position, multipliers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from quire_engine.integer.attention_kernel import MAX_HEAD
from quire_engine.integer.product_kernel import MAX_INNER
from quire_engine.integer.rope_tables import KINDS

INTEGER_TYPES = frozenset(
    {
        "ernie4_5", "glm", "granite", "helium", "llama", "ministral", "mistral", "olmo", "phi3", "qwen2",
        "qwen3", "seed_oss",
    }
)  # fmt: skip
"""Types that integer passes can run."""
_NEIGHBOURS_TURN = frozenset({"ernie4_5", "glm", "helium"})
"""Types that rotate pairs of neighbours, and not numbers that are half a head apart."""
_MEAN_IS_SUBTRACTED = frozenset({"olmo"})
_MOST_POSITIONS = 1 << 20
"""Positions whose angles are computed exactly enough."""


@dataclass(frozen=True, slots=True)
class Affine:
    """A weight (outputs, inputs) and a bias (outputs,)."""

    weight: Tensor
    bias: Tensor | None = None

    def times(self, factor: float) -> Affine:
        """Return it with outputs that are so many times as large."""
        if factor == 1:
            return self
        bias = None if self.bias is None else self.bias.float() * factor
        return Affine(self.weight.float() * factor, bias)

    def reordered(self, places: Tensor) -> Affine:
        """Return it with its outputs in another order."""
        return Affine(self.weight[places], None if self.bias is None else self.bias[places])

    def centred(self) -> Affine:
        """Return it with outputs whose mean is 0, for norms that subtract the mean."""
        weight = _without_mean(self.weight)
        return Affine(weight, None if self.bias is None else _without_mean(self.bias[:, None])[:, 0])


@dataclass(frozen=True, slots=True)
class LayerParts:
    """One layer.

    Attributes:
        attention_norm, mlp_norm: weights of the norms before attention and MLP, (width,) float32.
        query_norm, key_norm: weights of the norms of heads, (head,) float32.
        window: positions that a row sees; 0 for all.
    """

    attention_norm: Tensor
    queries: Affine
    keys: Affine
    values: Affine
    out: Affine
    query_norm: Tensor | None
    key_norm: Tensor | None
    mlp_norm: Tensor
    gate: Affine
    up: Affine
    down: Affine
    window: int


def unsupported_reason(config: Any) -> str | None:
    """Return why integer passes can't run a model of this configuration; None if they can. For logs."""
    if config.model_type not in INTEGER_TYPES:
        return f"no integer passes for models of type {config.model_type}"
    if config.hidden_act != "silu":
        return f"no integer passes with {config.hidden_act}"
    if getattr(config, "clip_qkv", None) is not None:
        return "no integer passes with clipped queries"
    rope = config.rope_parameters or {}
    if rope.get("rope_type", "default") not in KINDS:
        return f"no integer passes with rope scaling {rope['rope_type']}"
    head = head_size(config)
    if head % 2 or head > MAX_HEAD:
        return f"no integer passes with heads of {head} numbers"
    if max(config.hidden_size, config.intermediate_size, head * config.num_attention_heads) > MAX_INNER:
        return f"sums of more than {MAX_INNER:,} products can be too large"
    if config.max_position_embeddings > _MOST_POSITIONS:
        return f"no integer passes over more than {_MOST_POSITIONS:,} positions"
    return None


def head_size(config: Any) -> int:
    """Return the numbers of one head."""
    return int(getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads)


def rotated_numbers(config: Any) -> int:
    """Return how many numbers of a head turn with the position."""
    rope: Mapping[str, Any] = config.rope_parameters or {}
    share = rope.get("partial_rotary_factor") or getattr(config, "partial_rotary_factor", None) or 1.0
    return int(head_size(config) * float(share)) // 2 * 2


def subtracts_mean(config: Any) -> bool:
    """Say whether norms subtract the mean; everything that is added to the residuals then has none."""
    return config.model_type in _MEAN_IS_SUBTRACTED


def norm_eps(config: Any) -> float:
    """Return what norms add to the mean of squares."""
    return 1e-5 if config.model_type == "olmo" else float(config.rms_norm_eps)


def embedding_factor(config: Any) -> float:
    """Return what embeddings are multiplied by."""
    return float(getattr(config, "embedding_multiplier", 1.0))


def score_factor(config: Any) -> float:
    """Return what the scores of the LM head are multiplied by."""
    return 1.0 / float(getattr(config, "logits_scaling", 1.0))


def parts_of(layer: Any, number: int, config: Any) -> LayerParts:
    """Return a layer of the library by its parts. number: of the layer."""
    attention, mlp = layer.self_attn, layer.mlp
    head = head_size(config)
    queries, keys, values = _projections(attention, config)
    query_norm, key_norm = (_norm(getattr(attention, name, None)) for name in ("q_norm", "k_norm"))
    # the kernel multiplies scores by 1 / sqrt(head)
    factor = float(getattr(attention, "scaling", head**-0.5)) * math.sqrt(head)
    if query_norm is not None:
        query_norm = query_norm * _near_one(factor)
    else:
        queries = queries.times(_near_one(factor))
    if config.model_type in _NEIGHBOURS_TURN:
        queries, keys = (_halves_apart(each, head, rotated_numbers(config)) for each in (queries, keys))
    gate, up = _gate_and_up(mlp)
    out, down = Affine(attention.o_proj.weight, attention.o_proj.bias), _affine(mlp.down_proj)
    if subtracts_mean(config):
        out, down = out.centred(), down.centred()
    added = float(getattr(config, "residual_multiplier", 1.0))
    return LayerParts(
        _weight_of_norm(layer.input_layernorm, config),
        queries,
        keys,
        values,
        out.times(added),
        query_norm,
        key_norm,
        _weight_of_norm(layer.post_attention_layernorm, config),
        gate,
        up,
        down.times(added),
        _window(attention, number, config),
    )


def embeddings_of(model: Any, config: Any) -> Tensor:
    """Return the embedding table as the norms want it."""
    weight: Tensor = model.get_input_embeddings().weight
    return _without_mean(weight.float().T).T if subtracts_mean(config) else weight


def final_norm_of(body: Any, config: Any) -> Tensor:
    """Return the weight of the last norm, (width,) float32."""
    return _weight_of_norm(body.norm, config)


def _projections(attention: Any, config: Any) -> tuple[Affine, Affine, Affine]:
    if not hasattr(attention, "qkv_proj"):
        return _affine(attention.q_proj), _affine(attention.k_proj), _affine(attention.v_proj)
    head = head_size(config)
    sizes = [config.num_attention_heads * head, *(2 * [config.num_key_value_heads * head])]
    queries, keys, values = _split(_affine(attention.qkv_proj), sizes)
    return queries, keys, values


def _gate_and_up(mlp: Any) -> tuple[Affine, Affine]:
    if not hasattr(mlp, "gate_up_proj"):
        return _affine(mlp.gate_proj), _affine(mlp.up_proj)
    gate, up = _split(_affine(mlp.gate_up_proj), [mlp.gate_up_proj.weight.shape[0] // 2] * 2)
    return gate, up


def _affine(linear: Any) -> Affine:
    return Affine(linear.weight, linear.bias)


def _split(whole: Affine, sizes: list[int]) -> list[Affine]:
    biases = [None] * len(sizes) if whole.bias is None else torch.split(whole.bias, sizes)
    return [Affine(*each) for each in zip(torch.split(whole.weight, sizes), biases, strict=True)]


def _halves_apart(part: Affine, head: int, rotated: int) -> Affine:
    """Return queries or keys whose pairs are half of the rotated numbers apart; products stay the same."""
    within = torch.cat(
        [torch.arange(0, rotated, 2), torch.arange(1, rotated, 2), torch.arange(rotated, head)]
    )
    heads = torch.arange(part.weight.shape[0] // head)
    return part.reordered((heads[:, None] * head + within).reshape(-1))


def _norm(norm: Any) -> Tensor | None:
    return None if norm is None else norm.weight.detach().float()


def _weight_of_norm(norm: Any, config: Any) -> Tensor:
    weight = getattr(norm, "weight", None)
    return torch.ones(config.hidden_size) if weight is None else weight.detach().float()


def _window(attention: Any, number: int, config: Any) -> int:
    types = getattr(config, "layer_types", None)
    if types and types[number] != "sliding_attention":
        return 0
    return int(getattr(attention, "sliding_window", getattr(config, "sliding_window", None)) or 0)


def _near_one(factor: float) -> float:
    """Return 1 for what differs from it only by the rounding of a root."""
    return 1.0 if abs(factor - 1) < 1e-6 else factor


def _without_mean(weight: Tensor) -> Tensor:
    """Return a weight without the mean of its outputs; rows are added up one after the other."""
    numbers = weight.detach().double().numpy()
    total = np.zeros(numbers.shape[1])
    for row in numbers:
        total += row
    return torch.from_numpy(numbers - total / len(numbers)).float()
