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

from quire_engine.integer.family_layers import (
    Affine,
    LayerParts,
    embedding_factor,
    embeddings_of,
    final_norm_of,
    head_size,
    norm_eps,
    parts_of,
    rotated_numbers,
    score_factor,
    unsupported_reason,
)
from quire_engine.integer.pass_data import Layers, Products, Shape
from quire_engine.integer.product_packing import (
    Folding,
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
        frequencies: (half of the rotated numbers,) float64, radians per position.
        angle_scale: factor of sines and cosines (YaRN).
        final_norm: (width,), for hidden states as the library returns them.
    """

    shape: Shape
    layers: Layers
    head: Products
    num_ids: int
    embedding: npt.NDArray[np.int16]
    embedding_scales: Floats
    frequencies: npt.NDArray[np.float64]
    angle_scale: float
    final_norm: Tensor
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
    """Return the integer form of a model, see `family_layers.unsupported_reason`; the same on every computer.

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
    if problem := unsupported_reason(config):
        raise ValueError(problem)
    count = len(body.layers)
    shape, residual = _shape(config, body.layers[0]), Rotation.of_width(config.hidden_size)
    layers: Layers | None = None
    for number, layer in enumerate(body.layers):
        report(number / (count + 1))
        given = parts_of(layer, number, config)
        layers = _room(shape, given, count) if layers is None else layers
        _fill(layers, number, given, residual, Rotation.of_width(shape.head))
        if take_apart:
            body.layers[number] = nn.Identity()
    if layers is None:
        raise ValueError("the model has no layers")
    final, output = final_norm_of(body, config), parts.get_output_embeddings().weight
    head = new_products(1, output.shape[0], shape.width, has_bias=False)
    pack(head, 0, output, Folding((final * score_factor(config)).numpy(), residual))
    plain = Folding(np.full(shape.width, embedding_factor(config), np.float32), residual)
    embedding, scales = round_table(embeddings_of(model, config), plain)
    return IntegerWeights(
        shape,
        layers,
        head,
        output.shape[0],
        embedding,
        scales,
        _angles(config, body.rotary_emb),
        float(body.rotary_emb.attention_scaling),
        final,
        residual,
    )


def _angles(config: Any, rotary: Any) -> npt.NDArray[np.float64]:
    """Return radians per position; ValueError where the library has others."""
    found = frequencies(config.rope_parameters, rotated_numbers(config), config.max_position_embeddings)
    theirs = rotary.inv_freq.double().numpy()
    if found.shape != theirs.shape or not np.allclose(found, theirs, rtol=1e-5):
        raise ValueError("angles of positions aren't those of the library")
    return found


def _shape(config: Any, layer: Any) -> Shape:
    return Shape(
        int(config.hidden_size),
        int(config.num_attention_heads),
        int(config.num_key_value_heads),
        head_size(config),
        int(config.intermediate_size),
        norm_eps(config),
        getattr(layer.self_attn, "q_norm", None) is not None,
    )


def _room(shape: Shape, first: LayerParts, count: int) -> Layers:
    """Return room for all layers, which are like the first one."""
    qkv = (first.queries, first.keys, first.values)
    normed = 0 if first.query_norm is None else shape.head
    down = new_products(count, shape.width, shape.inner, has_bias=_have_bias(first.down))
    down.two[:] = True
    return Layers(
        new_products(
            count, sum(each.weight.shape[0] for each in qkv), shape.width, has_bias=_have_bias(*qkv)
        ),
        new_products(count, shape.width, first.out.weight.shape[1], has_bias=_have_bias(first.out)),
        new_products(count, 2 * shape.inner, shape.width, has_bias=_have_bias(first.gate, first.up)),
        down,
        np.zeros((count, normed), np.float32),
        np.zeros((count, normed), np.float32),
        np.zeros(count, np.int64),
    )


def _fill(layers: Layers, number: int, given: LayerParts, residual: Rotation, value: Rotation) -> None:
    """Put one layer's weights into their room, norms folded in and rotated."""
    # values are rotated within a head, and back by the product behind the attention
    values = _rotated(given.values, value)
    qkv, gate_up = (given.queries, given.keys, values), (given.gate, given.up)
    _put(layers.qkv, number, qkv, Folding(given.attention_norm.numpy(), residual))
    _put(layers.out, number, (_rotated(given.out, residual),), _unchanged(given.out, value))
    _put(layers.gate_up, number, gate_up, Folding(given.mlp_norm.numpy(), residual))
    _put(layers.down, number, (_rotated(given.down, residual),), _unchanged(given.down, None))
    if given.query_norm is not None and given.key_norm is not None:
        layers.query_norm[number] = given.query_norm.numpy()
        layers.key_norm[number] = given.key_norm.numpy()
    layers.windows[number] = given.window


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
