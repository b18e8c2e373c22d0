"""Activations whose bits do not depend on how threads split a tensor.

The library's kernels round differently at the edges of a thread's share of a large tensor, so a row of a pass
would depend on its place. These are made of operations that do not.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor, nn
from transformers.activations import (
    GELUActivation,
    GELUTanh,
    NewGELUActivation,
    SiLUActivation,
    XIELUActivation,
)


def silu(x: Tensor) -> Tensor:
    """Return x * sigmoid(x), computed in float32."""
    wide = x.float()
    return wide.div(wide.neg().exp_().add_(1)).to(x.dtype)


def gelu(x: Tensor) -> Tensor:
    """Return x * Phi(x), Phi being the normal distribution's, computed in float32."""
    wide = x.float()
    return wide.mul(math.sqrt(0.5)).erf_().add_(1).mul_(wide).mul_(0.5).to(x.dtype)


def gelu_tanh(x: Tensor) -> Tensor:
    """Return the approximation of `gelu` by tanh, computed in float32."""
    wide = x.float()
    inner = wide.square().mul_(wide).mul_(0.044715).add_(wide).mul_(math.sqrt(2 / math.pi))
    return inner.tanh_().add_(1).mul_(wide).mul_(0.5).to(x.dtype)


def xielu(x: Tensor, learnt: XIELUActivation) -> Tensor:
    """Return Apertus' activation with its learnt parameters, computed in float32."""
    beta, eps = learnt.beta.float(), learnt.eps.float()
    above = nn.functional.softplus(learnt.alpha_p.float())
    below = nn.functional.softplus(learnt.alpha_n.float()).add_(beta)
    wide = x.float()
    # exp(x) - 1 by tanh(x / 2), which keeps its digits near 0
    half = wide.minimum(eps).mul_(0.5).tanh_()
    shrunk = half.mul(2).div_(1 - half)
    bent = torch.where(wide > 0, wide.square().mul_(above), shrunk.sub_(wide).mul_(below))
    return bent.add_(wide * beta).to(x.dtype)


_STEADY: dict[type[nn.Module], Callable[[Tensor], Tensor]] = {
    SiLUActivation: silu,
    nn.SiLU: silu,
    GELUActivation: gelu,
    GELUTanh: gelu_tanh,
    NewGELUActivation: gelu_tanh,
}


class _Activation(nn.Module):
    def __init__(self, function: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self._function = function

    def forward(self, x: Tensor) -> Tensor:
        """Apply the function to each element."""
        return self._function(x)


class _LearntActivation(nn.Module):
    """xIELU: the library's module stays inside, for its parameters move with the model."""

    def __init__(self, learnt: XIELUActivation) -> None:
        super().__init__()
        self._learnt = learnt

    def forward(self, x: Tensor) -> Tensor:
        """Apply the function to each element."""
        return xielu(x, self._learnt)


def steady_activations(model: nn.Module) -> None:
    """Replace the activations of a model, in place, by those of this module; unknown ones stay."""
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            function = _STEADY.get(type(child))
            if function is not None:
                setattr(parent, name, _Activation(function))
            elif isinstance(child, XIELUActivation):
                setattr(parent, name, _LearntActivation(child))
