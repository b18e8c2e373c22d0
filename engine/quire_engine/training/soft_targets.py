"""The sampling settings as drafters learn them: penalty and min-p over whole pieces of text, and the loss."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor

from quire_engine.api.config import SamplingConfig


def seen_before(ids: Tensor, columns: Tensor, vocab_size: int) -> Tensor:
    """Return which ids a piece holds up to each place, that one included. ids: (batch, length).

    Returns bool (batch, length, columns): the penalty's window, as far as a piece knows it.
    """
    batch, length = ids.shape
    first = torch.full((batch, vocab_size), length, device=ids.device)
    places = torch.arange(length, device=ids.device).expand(batch, length)
    first.scatter_reduce_(1, ids, places, "amin")
    return first[:, None, columns] <= torch.arange(length, device=ids.device)[None, :, None]


def penalty_factors(seen: Tensor, theta: float) -> Tensor:
    """Return what positive and negative scores are multiplied by: (2, *seen.shape) float32."""
    divisor = seen.float().mul_(theta - 1).add_(1)
    return torch.stack([divisor.reciprocal(), divisor])


def penalised(scores: Tensor, factors: Tensor) -> Tensor:
    """Apply the contextual penalty.

    Args:
        scores: (rows, columns).
        factors: (2, rows, columns).
    """
    return scores * torch.where(scores.detach() > 0, factors[0], factors[1])


def warped(scores: Tensor, factors: Tensor, sampling: SamplingConfig) -> Tensor:
    """Return what is drawn from: penalty, temperature, min-p; -inf where cut. scores: (rows, columns)."""
    scores = penalised(scores, factors) / (sampling.temperature or 1.0)
    if sampling.min_p > 0:
        floor = scores.amax(-1, keepdim=True) + math.log(sampling.min_p)
        scores = scores.masked_fill(scores < floor, -torch.inf)
    return scores


class _SoftLoss(torch.autograd.Function):
    """Summed cross-entropy of penalised scores against given shares, its gradient worked out on the way.

    Scores, shares and their differences are as wide as the vocabulary; so none of them has to be kept.
    """

    @staticmethod
    def forward(ctx: Any, states: Tensor, head: Tensor, factors: Tensor, goal: Tensor) -> Tensor:
        scores = states @ head.t()
        factor = torch.where(scores > 0, factors[0], factors[1])
        scores = scores.float().mul_(factor)
        spread = scores.logsumexp(-1, keepdim=True)
        loss = spread.sum() - (goal * scores).sum()
        gradient = scores.sub_(spread).exp_().sub_(goal).mul_(factor)
        ctx.save_for_backward(gradient.to(head.dtype) @ head)
        return loss

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, None, None, None]:
        (gradient,) = ctx.saved_tensors
        return gradient * upstream[0].to(gradient.dtype), None, None, None


def soft_loss(states: Tensor, head: Tensor, factors: Tensor, goal: Tensor) -> Tensor:
    """Return the summed cross-entropy of a drafter's penalised scores against the target's shares.

    Args:
        states: (rows, width).
        head: (columns, width).
        factors: (2, rows, columns).
        goal: (rows, columns).
    """
    function: Any = _SoftLoss  # autograd's functions carry no types
    loss: Tensor = function.apply(states.to(head.dtype), head, factors, goal)
    return loss


class _HardLoss(torch.autograd.Function):
    """Summed cross-entropy against given tokens, its gradient worked out on the way, as in _SoftLoss."""

    @staticmethod
    def forward(ctx: Any, states: Tensor, head: Tensor, goals: Tensor) -> Tensor:
        scores = (states @ head.t()).float()
        spread = scores.logsumexp(-1, keepdim=True)
        loss = spread.sum() - scores.gather(1, goals[:, None]).sum()
        gradient = scores.sub_(spread).exp_()
        gradient.scatter_add_(1, goals[:, None], torch.full_like(spread, -1.0))
        ctx.save_for_backward(gradient.to(head.dtype) @ head)
        return loss

    @staticmethod
    def backward(ctx: Any, *upstream: Tensor) -> tuple[Tensor, None, None]:
        (gradient,) = ctx.saved_tensors
        return gradient * upstream[0].to(gradient.dtype), None, None


def hard_loss(states: Tensor, head: Tensor, goals: Tensor) -> Tensor:
    """Return the summed cross-entropy against tokens.

    Args:
        states: (rows, width).
        head: (vocab, width).
    """
    function: Any = _HardLoss
    loss: Tensor = function.apply(states.to(head.dtype), head, goals)
    return loss


def agreement(scores: Tensor, goal: Tensor, min_p: float) -> Tensor:
    """Return the chance that target and drafter draw the same token with the same Gumbel noise, (rows,).

    Both win with token t where its noise beats what any other needs: 1 / sum over u of max(p_u / p_t,
    q_u / q_t). What min-p would cut is kept a little longer, for the gradient.

    Args:
        scores: the drafter's, (rows, columns).
        goal: the target's shares of the first columns, (rows, first columns); 0 where it draws nothing.
        min_p: of the sampling settings.
    """
    floor = scores.detach().amax(-1, keepdim=True) + math.log(max(_FLOOR_SHARE * min_p, 1e-9))
    log_shares = scores.masked_fill(scores < floor, -torch.inf).log_softmax(-1)
    # the likeliest tokens of the target decide; a whole row of first columns squared would not fit
    top = goal.topk(min(_COMPARED, goal.shape[-1]), dim=-1)
    p, log_q = top.values, log_shares.gather(1, top.indices)
    alive = (p > 0) & log_q.isfinite()
    q = torch.where(alive, log_q, 0.0).exp()
    drawn = torch.where(alive, q, 0.0)
    p_others = (goal.sum(-1, keepdim=True) - p.sum(-1, keepdim=True)).clamp_min(0)
    q_others = (1 - drawn.sum(-1, keepdim=True)).clamp_min(0)
    safe = torch.where(p > 0, p, 1.0)
    needed = torch.maximum(p[:, None, :] / safe[:, :, None], drawn[:, None, :] / q[:, :, None])
    return torch.where(alive, 1 / (needed.sum(-1) + p_others / safe + q_others / q), 0.0).sum(-1)


_COMPARED = 24
_FLOOR_SHARE = 0.3
