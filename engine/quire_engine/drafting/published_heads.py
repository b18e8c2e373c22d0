"""Extra heads as others have published them, computed by the formulas that they were trained with.

TokenSwift (arXiv 2502.18890, section 3.1, and its released code): the heads are a chain that begins with the
state before the model's final norm; each adds W norm(state) to what the one before left, and its own norm
makes of that what the model's LM head reads. Medusa (arXiv 2401.10774, section 2.1.1): each head begins with
the final hidden state, adds SiLU(W state + b) to it once or more often, and has an LM head of its own.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from quire_engine.models.network import PackedLinear


@dataclass(frozen=True, slots=True)
class ChainWeights:
    """Heads of TokenSwift's released form.

    Attributes:
        weight: (heads, width, width).
        norm, post_norm: (heads, width).
        eps: of both norms.
        sharpness: per head, how far to trust its ranking (see `draft_sampling.draft_tokens_of`).
    """

    weight: Tensor
    norm: Tensor
    post_norm: Tensor
    eps: float = 1e-6
    sharpness: tuple[float, ...] = (1.0,)


@dataclass(frozen=True, slots=True)
class MedusaWeights:
    """Heads of Medusa's form.

    Attributes:
        weight: (heads, blocks, width, width) of the residual blocks.
        bias: (heads, blocks, width).
        head: (heads, vocab, width), an LM head for each.
        sharpness: as in ChainWeights.
    """

    weight: Tensor
    bias: Tensor
    head: Tensor
    sharpness: tuple[float, ...] = (1.0,)


class ChainedHeads:
    """h_i = h_(i-1) + W_i norm_i(h_(i-1)); head i says post_norm_i(h_i), which the LM head reads."""

    def __init__(self, weights: ChainWeights, device: torch.device, dtype: torch.dtype) -> None:
        self._size = (weights.norm.shape[1],)
        self._eps = weights.eps
        # the weight of the first norm is folded into the matrix
        folded = weights.weight.float() * weights.norm.float()[:, None]
        self._matrices = [PackedLinear(matrix.to(device, dtype), None, 1) for matrix in folded]
        self._post_norm = weights.post_norm.to(device, dtype)

    def __call__(self, before_norm: Tensor) -> Tensor:
        """Return every head's hidden state. before_norm: (1, width) -> (heads, width)."""
        state, states = before_norm.to(self._post_norm.dtype), []
        for matrix in self._matrices:
            state = state + matrix(nn.functional.rms_norm(state, self._size, None, self._eps))
            states.append(state)
        normed = nn.functional.rms_norm(torch.cat(states), self._size, None, self._eps)
        return normed * self._post_norm


class MedusaHeads:
    """h = h + SiLU(W h + b), block by block; then an LM head of its own for each."""

    def __init__(self, weights: MedusaWeights, device: torch.device, dtype: torch.dtype) -> None:
        self._dtype, self._vocab = dtype, weights.head.shape[1]
        self._blocks = [
            [
                PackedLinear(matrix.to(device, dtype), bias.to(device, dtype), 1)
                for matrix, bias in zip(*of_head, strict=True)
            ]
            for of_head in zip(weights.weight, weights.bias, strict=True)
        ]
        self._heads = [PackedLinear(head.to(device, dtype), None, 1) for head in weights.head]

    def __call__(self, hidden: Tensor, count: int | None = None) -> Tensor:
        """Return the scores of the first heads, float32 (heads, vocab). hidden: (1, width), normed."""
        # none may be asked for
        scores = [hidden.new_zeros((0, self._vocab), dtype=torch.float32)]
        for blocks, head in list(zip(self._blocks, self._heads, strict=True))[:count]:
            state = hidden.to(self._dtype)
            for block in blocks:
                state = state + nn.functional.silu(block(state))
            scores.append(head(state).float())
        return torch.cat(scores)
