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

from quire_engine.integer.pass_kernel import Layers, Products, Shape
from quire_engine.integer.product_packing import (
    Folding,
    joined,
    new_products,
    numbers_of,
    pack,
    round_table,
    with_rotated_outputs,
)
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
    """Return the integer form of a Llama, Mistral, Qwen2 or Qwen3 model; the same on every computer.

    Args:
        take_apart: let go of the library's layers one by one while theirs are rounded, which leaves that
            model unusable: otherwise both are in memory.
        report: told the share that is done; may raise to stop.

    Raises:
        NotFinite: a weight is NaN or infinite.
        ValueError: sizes that a sum of 32 bits can't hold.
    """
    parts: Any = model  # the library types its modules as "tensor or module"
    config, body = model.config, parts.base_model
    shape = _shape(config, body.layers[0])
    residual, value = Rotation.of_width(shape.width), Rotation.of_width(shape.head)
    layers = _room(shape, body.layers, config)
    for number, layer in enumerate(body.layers):
        report(number / (len(body.layers) + 1))
        _fill(layers, number, layer, shape, residual, value)
        if take_apart:
            body.layers[number] = nn.Identity()
    final = body.norm.weight.detach().float()
    output = parts.get_output_embeddings().weight
    head = new_products(1, output.shape[0], shape.width, has_bias=False)
    pack(head, 0, output, Folding(final.numpy(), residual))
    plain = Folding(np.ones(shape.width, np.float32), residual)
    embedding, scales = round_table(parts.get_input_embeddings().weight, plain)
    rotary = body.rotary_emb
    return IntegerWeights(
        shape,
        layers,
        head,
        output.shape[0],
        embedding,
        scales,
        rotary.inv_freq.double().numpy(),
        float(rotary.attention_scaling),
        final,
        residual,
    )


def _shape(config: Any, layer: Any) -> Shape:
    heads = int(config.num_attention_heads)
    head = int(getattr(config, "head_dim", None) or config.hidden_size // heads)
    return Shape(
        int(config.hidden_size),
        heads,
        int(config.num_key_value_heads),
        head,
        int(config.intermediate_size),
        float(config.rms_norm_eps),
        getattr(layer.self_attn, "q_norm", None) is not None,
    )


def _window(attention: Any, config: Any) -> int:
    return int(getattr(attention, "sliding_window", getattr(config, "sliding_window", None)) or 0)


def _room(shape: Shape, layers: Sequence[Any], config: Any) -> Layers:
    """Return room for all layers, and what is small."""
    count, attention, mlp = len(layers), layers[0].self_attn, layers[0].mlp
    outputs, attended = (shape.heads + 2 * shape.kv_heads) * shape.head, shape.heads * shape.head
    qkv_bias = all(each.bias is not None for each in (attention.q_proj, attention.k_proj, attention.v_proj))
    down = new_products(count, shape.width, shape.inner, has_bias=mlp.down_proj.bias is not None)
    down.two[:] = True
    return Layers(
        new_products(count, outputs, shape.width, has_bias=qkv_bias),
        new_products(count, shape.width, attended, has_bias=attention.o_proj.bias is not None),
        new_products(count, 2 * shape.inner, shape.width, has_bias=mlp.gate_proj.bias is not None),
        down,
        _head_norms(layers, "q_norm"),
        _head_norms(layers, "k_norm"),
        np.array([_window(each.self_attn, config) for each in layers], np.int64),
    )


def _fill(layers: Layers, number: int, layer: Any, shape: Shape, residual: Rotation, value: Rotation) -> None:
    """Put one layer's weights into their room, norms folded in and rotated."""
    attention, mlp = layer.self_attn, layer.mlp
    first, second = (
        Folding(numbers_of(each.weight), residual)
        for each in (layer.input_layernorm, layer.post_attention_layernorm)
    )
    # values are rotated within a head, and back by the product behind the attention
    values = with_rotated_outputs(attention.v_proj.weight, value)
    pack(layers.qkv, number, joined([attention.q_proj.weight, attention.k_proj.weight, values]), first)
    out = with_rotated_outputs(attention.o_proj.weight, residual)
    pack(layers.out, number, out, Folding(np.ones(out.shape[1], np.float32), value))
    pack(layers.gate_up, number, joined([mlp.gate_proj.weight, mlp.up_proj.weight]), second)
    down = with_rotated_outputs(mlp.down_proj.weight, residual)
    pack(layers.down, number, down, Folding(np.ones(shape.inner, np.float32), None))
    if layers.qkv.bias.shape[1]:
        rotated = with_rotated_outputs(attention.v_proj.bias, value)
        layers.qkv.bias[number] = joined([attention.q_proj.bias, attention.k_proj.bias, rotated]).numpy()
    if layers.out.bias.shape[1]:
        layers.out.bias[number] = with_rotated_outputs(attention.o_proj.bias, residual).numpy()
    if layers.gate_up.bias.shape[1]:
        layers.gate_up.bias[number] = joined([mlp.gate_proj.bias, mlp.up_proj.bias]).numpy()
    if layers.down.bias.shape[1]:
        layers.down.bias[number] = with_rotated_outputs(mlp.down_proj.bias, residual).numpy()


def _head_norms(layers: Sequence[Any], name: str) -> Floats:
    norms = [getattr(each.self_attn, name, None) for each in layers]
    rows = [numbers_of(each.weight) if each is not None else np.empty(0, np.float32) for each in norms]
    return np.stack(rows)
