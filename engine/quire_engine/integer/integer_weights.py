"""From the library's model to integers: norms folded in, outliers rotated away, a scale for every output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from transformers import PreTrainedModel

from quire_engine.integer import family_traits as traits
from quire_engine.integer.family_layers import (
    Affine,
    LayerParts,
    MlpParts,
    norm_of,
    parts_of,
    without_mean,
)
from quire_engine.integer.pass_data import Layers, Products, Shape
from quire_engine.integer.product_packing import (
    Folding,
    folded_columns,
    joined,
    new_products,
    pack,
    round_table,
    with_rotated_outputs,
)
from quire_engine.integer.rope_tables import frequencies
from quire_engine.integer.rotation import Rotation

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class IntegerWeights:
    """A model's weights as integer passes read them.

    Attributes:
        embedding: (ids, width) int16, rotated, and embedding_scales (ids,).
        head: the product of the LM head, the final norm folded in; one layer.
        frequencies: (tables, half of the rotated numbers) float64, radians per position.
        angle_scales: (tables,) factors of sines and cosines (YaRN).
        final_norm, final_bias: (width,), for hidden states as the library returns them.
        score_cap: scores of the head are bent below it; 0: they are not.
    """

    shape: Shape
    layers: Layers
    head: Products
    num_ids: int
    embedding: npt.NDArray[np.int16]
    embedding_scales: Floats
    frequencies: npt.NDArray[np.float64]
    angle_scales: Floats
    final_norm: Tensor
    final_bias: Tensor
    score_cap: float
    rotation: Rotation

    @property
    def num_bytes(self) -> int:
        """Memory of the weights."""
        kinds = (self.layers.qkv, self.layers.out, self.layers.gate_up, self.layers.down, self.head)
        return self.embedding.nbytes + sum(each.nbytes for kind in kinds for each in kind)


@torch.no_grad()
def integer_weights(
    model: PreTrainedModel,
    *,
    take_apart: bool = False,
    report: Callable[[float], None] = lambda _share: None,
) -> IntegerWeights:
    """Return the integer form of a model of those families that `family_traits` knows, with the same bits on
    every computer.

    Args:
        take_apart: let go of the library's layers one by one while theirs are rounded, which leaves that
            model unusable: otherwise both are in memory.
        report: told the share that is done; may raise to stop.

    Raises:
        NotFinite: a weight is NaN or infinite.
        ValueError: a model that integer passes can't run.
    """
    parts: Any = model  # the library types its modules as "tensor or module"
    config, body = model.config, parts.base_model
    if problem := traits.unsupported_reason(config):
        raise ValueError(problem)
    shape, layers = _layers(body, config, take_apart, report)
    residual = Rotation.of_width(shape.width)
    final = norm_of(_last_norm(body), config)
    linear = parts.get_output_embeddings()
    output = Affine(linear.weight, linear.bias).behind(final)
    factor = traits.score_factor(config)
    head = new_products(1, output.weight.shape[0], shape.width, has_bias=output.bias is not None)
    _put(head, 0, (output,), Folding((final.weight * factor).numpy(), residual))
    head.bias[:] *= np.float32(factor)
    plain = Folding(np.full(shape.width, traits.embedding_factor(config), np.float32), residual)
    change = _centred if traits.subtracts_mean(config) else _as_it_is
    embedding, scales = round_table(parts.get_input_embeddings().weight, plain, change)
    angles, angle_scales = _angles(config, body)
    return IntegerWeights(
        shape,
        layers,
        head,
        output.weight.shape[0],
        embedding,
        scales,
        angles,
        angle_scales,
        final.weight,
        torch.zeros(shape.width) if final.bias is None else final.bias,
        traits.cap_of(config, "final_logit_softcapping"),
        residual,
    )


def _layers(
    body: Any, config: Any, take_apart: bool, report: Callable[[float], None]
) -> tuple[Shape, Layers]:
    """Return the sizes of a model, and its layers."""
    count, residual = len(body.layers), Rotation.of_width(config.hidden_size)
    shape: Shape | None = None
    layers: Layers | None = None
    for number, layer in enumerate(body.layers):
        report(number / (count + 1))
        given = parts_of(layer, number, config)
        if shape is None or layers is None:
            shape = _shape(config, given)
            layers = _room(shape, given, config, count)
        _fill(layers, number, given, residual, Rotation.of_width(shape.head))
        if take_apart:
            body.layers[number] = nn.Identity()
    if shape is None or layers is None:
        raise ValueError("the model has no layers")
    return shape, layers


def _centred(rows: Tensor) -> Tensor:
    return without_mean(rows.T).T


def _as_it_is(rows: Tensor) -> Tensor:
    return rows


def _last_norm(body: Any) -> Any:
    """Return the norm before the LM head."""
    names = ("norm", "final_layernorm", "final_layer_norm")
    return next(getattr(body, name) for name in names if hasattr(body, name))


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


def _shape(config: Any, given: LayerParts) -> Shape:
    return Shape(
        int(config.hidden_size),
        int(config.num_attention_heads),
        traits.kv_heads(config),
        traits.head_size(config),
        traits.inner_size(config),
        traits.norm_eps(config),
        given.query_norm is not None,
        traits.activation(config),
        given.mlps[0].gate is not None,
        traits.is_parallel(config),
        config.model_type not in traits.NORMS_BEHIND_ONLY,
        traits.cap_of(config, "attn_logit_softcapping"),
        len(given.mlps),
        0 if given.router is None else int(config.num_experts_per_tok),
        given.shared,
        traits.shares_add_up(config),
    )


def _room(shape: Shape, first: LayerParts, config: Any, count: int) -> Layers:
    """Return room for all layers, which are like the first one."""
    qkv, mlp = (first.queries, first.keys, first.values), first.mlps[0]
    ups, mlps = _ups(mlp), count * shape.experts
    norms = [first.query_norm, first.key_norm, first.after_attention, first.after_mlp]
    query, key, after_attention, after_mlp = (0 if each is None else len(each) for each in norms)
    residual = Rotation.of_width(shape.width)
    rotated = count if after_attention or after_mlp else 0
    down = new_products(mlps, shape.width, shape.inner, has_bias=_have_bias(mlp.down))
    down.two[:] = True
    return Layers(
        new_products(
            count, sum(each.weight.shape[0] for each in qkv), shape.width, has_bias=_have_bias(*qkv)
        ),
        new_products(count, shape.width, first.out.weight.shape[1], has_bias=_have_bias(first.out)),
        new_products(mlps, len(ups) * shape.inner, shape.width, has_bias=_have_bias(*ups)),
        down,
        np.zeros((count, query), np.float32),
        np.zeros((count, key), np.float32),
        np.zeros(count, np.int64),
        np.array([_turn(config, number) for number in range(count)], np.int64),
        np.zeros((count, after_attention), np.float32),
        np.zeros((count, after_mlp), np.float32),
        np.tile(residual.signs, (rotated, 1)),
        np.tile(residual.rest, (rotated, 1, 1)),
        np.zeros((count, 0, 0) if first.router is None else (count, *first.router.T.shape), np.float32),
    )


def _fill(layers: Layers, number: int, given: LayerParts, residual: Rotation, value: Rotation) -> None:
    """Put one layer's weights into their room, norms folded in and rotated."""
    # values are rotated within a head, and back by the product behind the attention
    values = _rotated(given.values, value)
    # what is normed before it is added is rotated behind that norm
    out = given.out if given.after_attention is not None else _rotated(given.out, residual)
    _put(
        layers.qkv,
        number,
        (given.queries, given.keys, values),
        Folding(given.attention_norm.numpy(), residual),
    )
    _put(layers.out, number, (out,), _unchanged(given.out, value))
    of_mlp = Folding(given.mlp_norm.numpy(), residual)
    for place, mlp in enumerate(given.mlps, number * len(given.mlps)):
        down = mlp.down if given.after_mlp is not None else _rotated(mlp.down, residual)
        _put(layers.gate_up, place, _ups(mlp), of_mlp)
        _put(layers.down, place, (down,), _unchanged(mlp.down, None))
    if given.router is not None:
        layers.router[number] = folded_columns(given.router, of_mlp)
    for room, norm in (
        (layers.query_norm, given.query_norm),
        (layers.key_norm, given.key_norm),
        (layers.after_attention, given.after_attention),
        (layers.after_mlp, given.after_mlp),
    ):
        if norm is not None:
            room[number] = norm.numpy()
    layers.windows[number] = given.window


def _ups(mlp: MlpParts) -> tuple[Affine, ...]:
    """Return what an MLP reads residuals with."""
    return (mlp.up,) if mlp.gate is None else (mlp.gate, mlp.up)


def _put(products: Products, number: int, parts: Sequence[Affine], folding: Folding) -> None:
    """Put parts into the room of one layer, one behind the other."""
    weight = parts[0].weight if len(parts) == 1 else joined([each.weight for each in parts])
    pack(products, number, weight, folding)
    if products.bias.shape[1]:
        products.bias[number] = joined([_bias(each) for each in parts]).numpy()


def _rotated(part: Affine, rotation: Rotation) -> Affine:
    """Return it with rotated outputs."""
    bias = None if part.bias is None else with_rotated_outputs(part.bias, rotation)
    return Affine(with_rotated_outputs(part.weight, rotation), bias)


def _unchanged(part: Affine, rotation: Rotation | None) -> Folding:
    """Return the folding that multiplies no input."""
    return Folding(np.ones(part.weight.shape[1], np.float32), rotation)


def _have_bias(*parts: Affine) -> bool:
    return any(each.bias is not None for each in parts)


def _bias(part: Affine) -> Tensor:
    return torch.zeros(part.weight.shape[0]) if part.bias is None else part.bias
