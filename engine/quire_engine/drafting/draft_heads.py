"""Draft heads (the paper's section 3.1), applied to the hidden state of the last pass.

Head i predicts the token i places later. Those that Quire trains turn the hidden state into a prediction of a
later one, which the target's own LM head turns into logits; published ones have forms of their own
(`published_heads`). No head sees the tokens in between, so all nodes of a depth share one distribution, and a
draft costs one product of a few rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn

from quire_engine.api.config import Source
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.drafting.draft_sampling import DraftRow, ancestors_of, draft_tokens_of
from quire_engine.drafting.drafter import DrafterInput, DraftTokens, Observed
from quire_engine.drafting.published_heads import ChainedHeads, ChainWeights, MedusaHeads, MedusaWeights
from quire_engine.drafting.vocabulary_subset import DraftScores
from quire_engine.integer.integer_ends import IntegerEnds
from quire_engine.models.network import PackedLinear
from quire_engine.models.target_model import NetworkEnds, Runner


@dataclass(frozen=True, slots=True)
class HeadsWeights:
    """Trained heads.

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


AnyHeads = HeadsWeights | ChainWeights | MedusaWeights
"""Heads that Quire trained, or of a form in which others have published theirs."""


def check_shown(weights: AnyHeads, runner: Runner) -> None:
    """Let a model's passes keep what these heads begin with; EnvironmentProblem where that is not shown."""
    if isinstance(weights, ChainWeights) and not runner.keep_before_norm():
        raise EnvironmentProblem(
            "The draft heads that were added to this model need a state that models of its family don't show "
            "in full precision. Choose Fast for this model, or remove the heads (quire models heads NAME "
            "--remove)."
        )


class DraftHeads:
    """h' = post_norm(h + W norm(h)) for every head at once, on the target's device."""

    def __init__(self, weights: HeadsWeights, device: torch.device, dtype: torch.dtype) -> None:
        self._count, self._width = weights.norm.shape
        self._eps = weights.eps
        # fold the first norm's weight into the matrix, and join the matrices of all heads
        joined = weights.weight.float() * weights.norm.float()[:, None]
        joined = joined.reshape(self._count * self._width, self._width)
        self._matrix = PackedLinear(joined.to(device, dtype), None, 1)
        self._post_norm = weights.post_norm.to(device, dtype)

    def __len__(self) -> int:
        """Return the number of heads."""
        return int(self._count)

    def __call__(self, hidden: Tensor) -> Tensor:
        """Return every head's hidden state. hidden: (rows, width), normed -> (rows, heads, width)."""
        size = (self._width,)
        inner = self._matrix(nn.functional.rms_norm(hidden, size, None, self._eps))
        states = hidden[:, None] + inner.view(len(hidden), self._count, self._width)
        return nn.functional.rms_norm(states, size, None, self._eps) * self._post_norm


class Heads(Protocol):
    """Heads of any form beside a model."""

    @property
    def reads_before_norm(self) -> bool:
        """Whether they begin with the state before the model's final norm, and not with the hidden state."""
        ...

    def logits(self, state: Tensor, first: Tensor | None = None, count: int | None = None) -> Tensor:
        """Return the scores of the first `count` heads after one state, float32 (heads, vocab).

        first: a hidden state (1, width) whose own scores come before theirs.
        """
        ...


@dataclass(frozen=True, slots=True)
class _WithLmHead:
    """Heads whose states the model's own LM head reads, all in one product."""

    network: NetworkEnds
    states: Callable[[Tensor], Tensor]
    reads_before_norm: bool

    def logits(self, state: Tensor, first: Tensor | None = None, count: int | None = None) -> Tensor:
        states = self.states(state)[:count]
        return self.network.logits(states if first is None else torch.cat([first, states.to(first.dtype)]))


@dataclass(frozen=True, slots=True)
class _WithOwnLmHeads:
    """Heads that have LM heads of their own."""

    network: NetworkEnds
    heads: MedusaHeads
    reads_before_norm: bool = False

    def logits(self, state: Tensor, first: Tensor | None = None, count: int | None = None) -> Tensor:
        scores = self.heads(state, count)
        return scores if first is None else torch.cat([self.network.logits(first), scores])


@torch.inference_mode()
def build_heads(network: NetworkEnds, weights: AnyHeads) -> Heads:
    """Return trained heads in the model's dtype; EnvironmentProblem if they do not fit it."""
    device = network.device
    sample = network.embed(torch.zeros(1, dtype=torch.long, device=device))
    fits = sample.shape[1] == weights.weight.shape[-1]
    if fits and isinstance(weights, MedusaWeights):
        fits = network.logits(sample).shape[1] == weights.head.shape[1]
    if not fits:
        raise EnvironmentProblem("The draft heads don't match this model. Speed up the model again.")
    if isinstance(weights, MedusaWeights):
        # their LM heads are as large as the model's: half of float32 is enough for guesses
        dtype = torch.bfloat16 if isinstance(network, IntegerEnds) else sample.dtype
        return _WithOwnLmHeads(network, MedusaHeads(weights, device, dtype))
    if isinstance(weights, ChainWeights):
        return _WithLmHead(network, ChainedHeads(weights, device, sample.dtype), reads_before_norm=True)
    heads = DraftHeads(weights, device, sample.dtype)
    return _WithLmHead(network, lambda hidden: heads(hidden)[0], reads_before_norm=False)


class HeadsDrafter:
    """Drafts depth i with head i on the hidden state whose successor is the root.

    before_norm: the `Runner`'s, for heads that begin there; without it, such heads guess nothing.
    """

    def __init__(
        self,
        network: NetworkEnds,
        weights: AnyHeads,
        before_norm: Callable[[Tensor], Tensor | None] | None = None,
    ) -> None:
        self._heads = build_heads(network, weights)
        self._before_norm = before_norm
        self._sharpness = weights.sharpness
        self._hidden: Tensor | None = None
        self._request: DrafterInput | None = None
        self._scores = DraftScores()
        self._rows: list[DraftRow] = []

    @property
    def source(self) -> Source:
        """Its name in settings and metrics."""
        return "heads"

    def reset(self) -> None:
        """Forget the hidden state, which belongs to a position."""
        self._hidden = None

    def observe(self, observed: Observed) -> None:
        """Keep the hidden state whose successor is the newest token."""
        if observed.hidden is None or not len(observed.hidden):
            return
        # copied: the rows are views of the pass buffers
        if not self._heads.reads_before_norm:
            self._hidden = observed.hidden[-1:].clone()
        elif observed.raw is None or self._before_norm is None:
            self._hidden = None  # until the first step after prefill
        else:
            state = self._before_norm(observed.raw[-1:])
            self._hidden = None if state is None else state.clone()

    @torch.inference_mode()
    def begin(self, request: DrafterInput) -> None:
        """Start a draft: all heads at once, one small product."""
        self._request = request
        self._rows = []
        if self._hidden is not None:
            self._rows = self._scores.rows(self._heads.logits(self._hidden))

    def expand(self, tree: DraftTree, nodes: Sequence[int]) -> list[DraftTokens]:
        """Return what may follow these nodes, all of one depth."""
        depth = tree.depths[nodes[0]] if nodes else 0
        if self._request is None or depth >= len(self._rows):
            return [DraftTokens() for _ in nodes]
        sharpness = self._sharpness[min(depth, len(self._sharpness) - 1)]
        row, request = self._rows[depth], self._request
        shared = draft_tokens_of(
            row.logits, request, depth, (), request.num_tokens, row.ids, sharpness=sharpness
        )
        answers = []
        for node in nodes:
            above = ancestors_of(tree, node)
            if set(above).isdisjoint(shared.token_ids):
                answers.append(shared)
            else:  # a token of the path is penalised here and not elsewhere
                own = draft_tokens_of(
                    row.logits, request, depth, above, request.num_tokens, row.ids, sharpness=sharpness
                )
                answers.append(own)
        return answers
