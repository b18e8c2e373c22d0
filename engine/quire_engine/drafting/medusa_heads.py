"""The paper's extra heads (section 3.1), applied to the hidden state of the last pass.

Head i turns a token's hidden state into a prediction of the hidden state i tokens later, which the target's
own LM head turns into logits. The heads do not see the tokens in between, so all nodes of a depth share one
distribution, and a draft costs one product of a few rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from quire_engine.api.config import Source
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.decoding.draft_tree import DraftTree
from quire_engine.drafting.draft_sampling import DraftRow, ancestors_of, draft_tokens_of
from quire_engine.drafting.drafter import DrafterInput, DraftTokens, Observed
from quire_engine.drafting.vocabulary_subset import DraftScores
from quire_engine.models.network import PackedLinear
from quire_engine.models.target_model import NetworkEnds


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


@torch.inference_mode()
def build_heads(network: NetworkEnds, weights: HeadsWeights) -> DraftHeads:
    """Return trained heads in the model's dtype; EnvironmentProblem if they do not fit it."""
    sample = network.embed(torch.zeros(1, dtype=torch.long, device=network.device))
    if sample.shape[1] != weights.norm.shape[1]:
        raise EnvironmentProblem("The draft heads don't match this model. Prepare the model again.")
    return DraftHeads(weights, network.device, sample.dtype)


class HeadsDrafter:
    """Drafts depth i with head i on the hidden state whose successor is the root."""

    def __init__(self, network: NetworkEnds, weights: HeadsWeights) -> None:
        self._network = network
        self._heads = build_heads(network, weights)
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
        if observed.hidden is not None and len(observed.hidden):
            # copied: the rows are views of the pass buffers
            self._hidden = observed.hidden[-1:].clone()

    @torch.inference_mode()
    def begin(self, request: DrafterInput) -> None:
        """Start a draft: all heads at once, one small product."""
        self._request = request
        self._rows = []
        if self._hidden is not None:
            self._rows = self._scores.rows(self._network.logits(self._heads(self._hidden)[0]))

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
