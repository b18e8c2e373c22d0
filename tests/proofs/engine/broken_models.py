"""Models that compute something else than their folder says: each is changed after it was measured.

What the self-test compares is our pass over the changed weights with the library's over the sound ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn

from quire_engine.models.int8_weights import SmallLinear, rounded

Break = Callable[[Any], None]
"""Changes a Llama-like model of the library in place."""


def _weight(layer: nn.Linear | SmallLinear) -> Tensor:
    return layer.weight() if isinstance(layer, SmallLinear) else layer.weight.detach()


def _set(layer: nn.Linear | SmallLinear, weight: Tensor) -> None:
    if isinstance(layer, SmallLinear):
        layer.numbers.data, layer.scales = rounded(weight)
    else:
        layer.weight = nn.Parameter(weight.contiguous(), requires_grad=False)


def _scale(layer: nn.Linear | SmallLinear, factor: float) -> None:
    if isinstance(layer, SmallLinear):
        layer.scales = layer.scales * factor
    else:
        _set(layer, layer.weight.detach() * factor)


def _each_layer(change: Callable[[Any], None]) -> Break:
    def broken(model: Any) -> None:
        for layer in model.base_model.layers:
            change(layer)

    return broken


def _swap_gate_and_up(layer: Any) -> None:
    layer.mlp.gate_proj, layer.mlp.up_proj = layer.mlp.up_proj, layer.mlp.gate_proj


def _shift_heads(layer: Any) -> None:
    """Give each group of queries the keys and values of the next one."""
    attention = layer.self_attn
    for part in (attention.k_proj, attention.v_proj):
        _set(part, _weight(part).roll(attention.head_dim, 0))


def _transpose(layer: Any) -> None:
    weight = _weight(layer.self_attn.o_proj)
    _set(layer.self_attn.o_proj, weight.T.reshape(weight.shape).contiguous())


def _scale_attention(layer: Any) -> None:
    norm = getattr(layer.self_attn, "q_norm", None)
    if norm is None:
        _scale(layer.self_attn.q_proj, 1.05)
    else:  # it would take out what is done to the projection before it
        norm.weight.data.mul_(1.05)


def _forget_norm(layer: Any) -> None:
    layer.post_attention_layernorm.weight = nn.Parameter(
        torch.ones_like(layer.post_attention_layernorm.weight), requires_grad=False
    )


def _turn(factor: Callable[[Tensor], Tensor]) -> Break:
    def broken(model: Any) -> None:
        rotary = model.base_model.rotary_emb
        rotary.inv_freq = rotary.inv_freq * factor(rotary.inv_freq)

    return broken


def _rope_base(model: Any) -> None:
    count = len(model.base_model.rotary_emb.inv_freq)
    _turn(lambda angles: 4.0 ** -(torch.arange(count, device=angles.device) / count))(model)


def _scale_scores(model: Any) -> None:
    head = model.get_output_embeddings()
    if isinstance(head, SmallLinear):
        _scale(head, 1.05)
    else:  # it may share its weights with the embedding, which stays
        head.weight = nn.Parameter(head.weight.detach() * 1.05, requires_grad=False)


def _drop_layer(model: Any) -> None:
    layers = model.base_model.layers
    _scale(layers[len(layers) // 2].self_attn.o_proj, 0)
    _scale(layers[len(layers) // 2].mlp.down_proj, 0)


def _set_eps(model: Any) -> None:
    model.config.rms_norm_eps = 1e-3


def _one_mlp(model: Any) -> None:
    layers = model.base_model.layers
    _scale(layers[len(layers) // 2].mlp.down_proj, 1.05)


BROKEN: dict[str, Break] = {
    "rope base x4": _rope_base,
    "attention output x1.05": _each_layer(lambda layer: _scale(layer.self_attn.o_proj, 1.05)),
    "attention scale x1.05": _each_layer(_scale_attention),
    "scores x1.05": _scale_scores,
    "MLP x1.05": _each_layer(lambda layer: _scale(layer.mlp.down_proj, 1.05)),
    "swapped gate and up": _each_layer(_swap_gate_and_up),
    "missing norm": _each_layer(_forget_norm),
    "shifted KV heads": _each_layer(_shift_heads),
    "transposed output": _each_layer(_transpose),
    "missing layer": _drop_layer,
}
"""What must be refused in every format."""

SUBTLE: dict[str, Break] = {
    "eps 1e-3": _set_eps,
    "one layer's MLP x1.05": _one_mlp,
    "rope warped by up to 10%": _turn(
        lambda angles: 1 + 0.1 * torch.linspace(0, 1, len(angles), device=angles.device)
    ),
}
"""What may be no larger than a format's own noise: it must be refused in float32."""
