"""From the library's model to integers: norms folded in, outliers rotated away, every output its own
scale."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from transformers import PreTrainedModel

from quire_engine.integer.pass_kernel import Layers, Products, Shape
from quire_engine.integer.product_kernel import offsets, packed
from quire_engine.integer.rotation import Rotation

Floats = npt.NDArray[np.float32]
LARGEST = 127
_EMBEDDING_LARGEST = 32_767


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
def integer_weights(model: PreTrainedModel) -> IntegerWeights:
    """Return the integer form of a Llama, Mistral, Qwen2 or Qwen3 model; it is not changed.

    ValueError for weights that are not finite.
    """
    parts: Any = model  # the library types its modules as "tensor or module"
    config, body = model.config, parts.base_model
    shape = _shape(config, body.layers[0])
    residual, value = Rotation.of_width(shape.width), Rotation.of_width(shape.head)
    made = [_layer(each, shape, residual, value) for each in body.layers]
    kinds = [_stacked([each[kind] for each in made], two=kind == _DOWN) for kind in range(4)]
    layers = Layers(
        kinds[0],
        kinds[1],
        kinds[2],
        kinds[3],
        _head_norms(body.layers, "q_norm"),
        _head_norms(body.layers, "k_norm"),
        np.array([_window(each.self_attn, config) for each in body.layers], np.int64),
    )
    final = body.norm.weight.detach().float()
    output = residual.apply(parts.get_output_embeddings().weight.float() * final)
    embedding, scales = _rounded(
        residual.apply(parts.get_input_embeddings().weight.float()), _EMBEDDING_LARGEST
    )
    rotary = body.rotary_emb
    return IntegerWeights(
        shape,
        layers,
        _stacked([(output, None)], two=False),
        output.shape[0],
        embedding.astype(np.int16),
        scales,
        rotary.inv_freq.double().numpy(),
        float(rotary.attention_scaling),
        final,
        residual,
    )


_DOWN = 3
_Part = tuple[Tensor, Tensor | None]


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


def _layer(
    layer: Any, shape: Shape, residual: Rotation, value: Rotation
) -> tuple[_Part, _Part, _Part, _Part]:
    """Return weight and bias of qkv, out, gate and up, and down, rotated, with the norms folded in."""
    attention, mlp = layer.self_attn, layer.mlp
    first, second = layer.input_layernorm.weight.float(), layer.post_attention_layernorm.weight.float()
    into = [
        residual.apply(each.weight.float() * first)
        for each in (attention.q_proj, attention.k_proj, attention.v_proj)
    ]
    biases = [each.bias for each in (attention.q_proj, attention.k_proj, attention.v_proj)]
    heads = (shape.kv_heads, shape.head)
    # values are rotated within a head, and back by the product behind the attention
    into[2] = value.apply(into[2].reshape(*heads, -1).transpose(1, 2)).transpose(1, 2).reshape(into[2].shape)
    bias = None
    if all(each is not None for each in biases):
        rotated = value.apply(biases[2].float().reshape(heads)).reshape(-1)
        bias = torch.cat([biases[0].float(), biases[1].float(), rotated])
    out = attention.o_proj.weight.float()
    out = value.apply(out.reshape(out.shape[0], shape.heads, shape.head)).reshape(out.shape)
    gate_up = torch.cat(
        [residual.apply(each.weight.float() * second) for each in (mlp.gate_proj, mlp.up_proj)]
    )
    return (
        (torch.cat(into), bias),
        (residual.apply_to_outputs(out), _rotated(attention.o_proj.bias, residual)),
        (gate_up, _joined([mlp.gate_proj.bias, mlp.up_proj.bias])),
        (residual.apply_to_outputs(mlp.down_proj.weight.float()), _rotated(mlp.down_proj.bias, residual)),
    )


def _rotated(bias: Tensor | None, rotation: Rotation) -> Tensor | None:
    return None if bias is None else rotation.apply(bias.float())


def _joined(biases: Sequence[Tensor | None]) -> Tensor | None:
    present = [each.float() for each in biases if each is not None]
    return torch.cat(present) if len(present) == len(biases) else None


def _head_norms(layers: Sequence[Any], name: str) -> Floats:
    norms = [getattr(each.self_attn, name, None) for each in layers]
    rows = [
        each.weight.detach().float().numpy() if each is not None else np.empty(0, np.float32)
        for each in norms
    ]
    return np.stack(rows)


def _rounded(weight: Tensor, largest: int) -> tuple[npt.NDArray[np.int32], Floats]:
    """Return integers (outputs, inputs) and a scale for each output."""
    if not torch.isfinite(weight).all():
        raise ValueError("a weight is not finite")
    tops = weight.abs().amax(dim=1)
    scales = torch.where(tops > 0, tops / largest, 1.0)
    numbers = weight.div(scales[:, None]).round_().clamp_(-largest, largest)
    return numbers.to(torch.int32).numpy(), scales.numpy()


def _stacked(parts: Sequence[_Part], *, two: bool) -> Products:
    """Return the products of one kind of all layers."""
    blocks, offset, scales, biases = [], [], [], []
    for weight, bias in parts:
        numbers, scale = _rounded(weight, LARGEST)
        blocks.append(packed(numbers.astype(np.int8)))
        offset.append(offsets(blocks[-1]))
        scales.append(np.pad(scale, (0, len(offset[-1]) - len(scale))))
        biases.append(np.empty(0, np.float32) if bias is None else bias.numpy())
    return Products(
        np.stack(blocks), np.stack(offset), np.stack(scales), np.stack(biases), np.full(len(parts), two)
    )
