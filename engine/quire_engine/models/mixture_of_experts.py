"""Mixture-of-experts layers in which a row's result does not depend on where the other rows are sent."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from transformers.integrations.moe import ALL_EXPERTS_FUNCTIONS

from quire_engine.models.attention import DecodePass, FixedPass, pass_in_flight

EXPERTS_NAME = "quire_one_pass"


def quire_experts(
    module: nn.Module, hidden_states: Tensor, top_k_index: Tensor, top_k_weights: Tensor
) -> Tensor:
    """Send rows through the experts that they chose and add the weighted results, expert by expert.

    Args:
        hidden_states: (rows, width).
        top_k_index, top_k_weights: (rows, k), no expert twice in a row. The library multiplies just the rows
            of an expert, and a product over fewer rows rounds differently. In a decode pass every expert that
            a real row chose is given all rows, which costs little: reading its weights is what takes the
            time. Chunks of a prompt are large, and cut the same way every time.
    """
    out = torch.zeros_like(hidden_states)
    pass_ = pass_in_flight()
    if isinstance(pass_, DecodePass | FixedPass):
        num_experts = int(top_k_index.max()) + 1
        weights = hidden_states.new_zeros(len(hidden_states), num_experts, dtype=top_k_weights.dtype)
        weights.scatter_(1, top_k_index, top_k_weights)
        chosen = torch.zeros_like(weights, dtype=torch.bool).scatter_(1, top_k_index, True)
        for expert in _distinct(top_k_index[: pass_.num_nodes]):
            result = _expert(module, expert, hidden_states) * weights[:, expert, None]
            out = torch.where(chosen[:, expert, None], out + result.to(out.dtype), out)
        return out
    for expert in _distinct(top_k_index):
        rows, place = torch.where(top_k_index == expert)
        result = _expert(module, expert, hidden_states[rows]) * top_k_weights[rows, place, None]
        out.index_add_(0, rows, result.to(out.dtype))
    return out


def _distinct(numbers: Tensor) -> list[int]:
    return sorted(set(numbers.flatten().tolist()))


def _expert(module: Any, number: int, x: Tensor) -> Tensor:
    """Run one expert. x: (rows, width) -> same shape."""
    gate_up = _product(module, "gate_up_proj", number, x)
    if module.config.model_type == "gpt_oss":
        return _product(module, "down_proj", number, _clamped(gate_up, module.alpha, module.limit))
    gate, up = gate_up.chunk(2, dim=-1)
    return _product(module, "down_proj", number, module.act_fn(gate) * up)


def _product(module: Any, name: str, number: int, x: Tensor) -> Tensor:
    weight: Tensor = getattr(module, name)[number]
    bias = getattr(module, f"{name}_bias")[number] if module.has_bias else None
    return nn.functional.linear(x, weight.T if module.is_transposed else weight, bias)


def _clamped(gate_up: Tensor, alpha: float, limit: float) -> Tensor:
    """Return GPT-OSS's activation: gate and up alternate, both are clamped, and up is moved by one."""
    gate = gate_up[..., ::2].float().clamp_(max=limit)
    up = gate_up[..., 1::2].float().clamp_(-limit, limit).add_(1)
    return gate.div(gate.mul(-alpha).exp_().add_(1)).mul_(up).to(gate_up.dtype)


ALL_EXPERTS_FUNCTIONS.register(EXPERTS_NAME, quire_experts)
