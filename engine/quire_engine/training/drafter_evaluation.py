"""Evaluate trained drafters: acceptance by depth on text that they were not trained on.

Measured as a draft is used: the target's token is sampled at every position with Gumbel noise, the drafter
ranks its draft tokens with the same noise (or without, to measure the gain), and deeper draft tokens follow
the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from quire_engine.api.config import SamplingConfig
from quire_engine.training.hidden_states import FrozenTarget, Pieces
from quire_engine.training.soft_targets import penalty_factors, seen_before, warped
from quire_engine.training.trainable_drafters import FeatureLearner, HeadsLearner

_SHARPNESS = (0.3, 0.5, 0.7, 0.85, 1.0, 1.2, 1.5, 1.8, 2.2, 2.6, 3.0)
_RANKS = 3


@dataclass(slots=True)
class DepthCounts:
    """Counts for one depth. hits[0] with the same noise, hits[1] without; then by rank, cumulative."""

    places: int = 0
    hits: list[list[int]] = field(default_factory=lambda: [[0] * _RANKS, [0] * _RANKS])
    errors: list[float] = field(default_factory=lambda: [0.0] * len(_SHARPNESS))

    def add(self, draft: Tensor, noise: Tensor, drawn: Tensor) -> None:
        """Compare with what was drawn.

        Args:
            draft, noise: (rows, columns).
            drawn: (rows,), -1 if no column.
        """
        self.places += len(draft)
        known = drawn >= 0
        draft, noise, drawn = draft[known], noise[known], drawn[known, None]
        for row, scores in enumerate((draft + noise, draft)):
            own = scores.gather(1, drawn)
            # as good as and before it would be a tie; there are none among these numbers
            rank = (scores > own).sum(-1).masked_fill(own[:, 0] == -torch.inf, _RANKS)
            for number in range(_RANKS):
                self.hits[row][number] += int((rank <= number).sum())
        for number, sharpness in enumerate(_SHARPNESS):
            chances = ((draft + noise) * sharpness).softmax(-1)
            squared = chances.pow(2).sum(-1) - 2 * chances.gather(1, drawn)[:, 0] + 1
            self.errors[number] += float(squared.sum())

    @property
    def sharpness(self) -> float:
        """How far to trust the ranking: the value whose chances have the least squared error."""
        return _SHARPNESS[min(range(len(_SHARPNESS)), key=self.errors.__getitem__)]

    def figures(self) -> dict[str, Any]:
        """Return accuracies among the best 1 to 3 draft tokens, with the same noise and without."""
        places = max(1, self.places)
        same, plain = ([round(hits / places, 4) for hits in row] for row in self.hits)
        return {"same_noise": same, "plain": plain, "places": self.places}


@torch.no_grad()
def evaluate(
    target: FrozenTarget,
    heads: HeadsLearner,
    feature: FeatureLearner,
    vocabulary: Tensor | None,
    pieces: Pieces,
    sampling: SamplingConfig,
    *,
    num_pieces: int,
    depths: int,
    seed: int = 0,
) -> dict[str, list[DepthCounts]]:
    """Return a tally for every head ("heads") and for every depth of the feature drafter ("feature")."""
    tallies = {
        "heads": [DepthCounts() for _ in range(len(heads.weight))],
        "feature": [DepthCounts() for _ in range(depths)],
    }
    head = target.head.float()
    every = torch.arange(len(head), device=target.device)
    columns = every if vocabulary is None else vocabulary.to(target.device)
    column_of = torch.full_like(every, -1).scatter(
        0, columns, torch.arange(len(columns), device=every.device)
    )
    random = torch.Generator().manual_seed(seed)
    theta = sampling.repetition_penalty
    for number in range(num_pieces):
        ids = pieces.batch(number, 1).to(target.device)
        hidden = target.hidden(ids).float()
        factors = penalty_factors(seen_before(ids, every, len(head))[0], theta)
        goal = warped(target.logits(target.hidden(ids)[0]), factors, sampling)
        uniform = torch.rand(goal.shape, generator=random).clamp_(1e-7, 1 - 1e-7).to(goal.device)
        noise = -torch.log(-torch.log(uniform))
        drawn = (goal + noise).argmax(-1)
        outs = feature(hidden[:, :-1], target.embed(ids[:, 1:]).float(), depths)
        for step, states in enumerate(outs):
            place = slice(step + 1, None)
            draft = warped(states[0] @ head[columns].t(), factors[:, place, columns], sampling)
            tallies["feature"][step].add(draft, noise[place][:, columns], column_of[drawn[place]])
        for step, of_head in enumerate(heads(hidden[0])):
            place = slice(step + 1, None)
            draft = warped(of_head[: -step - 1] @ head.t(), factors[:, place], sampling)
            tallies["heads"][step].add(draft, noise[place], drawn[place])
    return tallies


def expected_tokens(tallies: Sequence[DepthCounts], *, same_noise: bool = True) -> float:
    """Return tokens per pass of a chain of first draft tokens, the bonus token included."""
    tokens, path = 1.0, 1.0
    for tally in tallies:
        path *= tally.hits[0 if same_noise else 1][0] / max(1, tally.places)
        tokens += path
    return tokens
