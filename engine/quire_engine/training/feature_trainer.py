"""Teaches the feature drafter from samples: no pass of the target, and scores of few tokens only.

The scores that decide are those of the tokens that the target drew among; of all others a random few stand
for the rest (sampled softmax), which is corrected by how many each of them stands for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor, nn

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.drafting.feature_drafter import FeatureWeights
from quire_engine.models import loading
from quire_engine.training.draft_samples import DraftSample
from quire_engine.training.drafter_evaluation import DepthCounts
from quire_engine.training.soft_targets import agreement, penalised, penalty_factors, warped
from quire_engine.training.trainable_drafters import FeatureLearner

UNROLL = 3
"""Depths that it learns on its own outputs; it is measured one deeper."""
_STEP_WEIGHT = 0.8  # of each depth relative to the one before
_FEATURE_WEIGHT = 0.5  # of the distance to the target's own features, which teaches fast
_SAMPLED = 1024  # tokens that stand for all that nobody drew among
_AGREEMENT_WEIGHT, _BESIDE_AGREEMENT = 4.0, 0.25  # of agreement, and of all else beside it
_RATE = 1.5e-3
_DECAY = 0.02
_DIVERGED = 3.0  # times the first losses


class LearningDiverged(EnvironmentProblem):
    """The loss is no number any more, or has exploded; what was learnt is worth nothing."""


class FeatureTrainer:
    """A feature drafter that learns, and its optimizer.

    Args:
        learner: its layer, whose weights change.
        vocabulary: ids that it may propose, ascending int64.
        head: their rows of the LM head, (ids, width).
        embed: the target's embeddings of ids.
        sampling: penalty and temperature of what it learns from.
    """

    def __init__(
        self,
        learner: FeatureLearner,
        vocabulary: Tensor,
        head: Tensor,
        embed: Callable[[Tensor], Tensor],
        sampling: SamplingConfig,
        *,
        seed: int = 1,
    ) -> None:
        self.learner = learner
        self.num_steps = 0
        # bfloat16 takes many times as long on a processor that does not multiply it itself
        self._dtype = loading.choose_dtype("auto", head.device)
        self._vocabulary, self._head, self._embed = vocabulary, head.to(self._dtype), embed
        self._sampling = sampling
        self._first_losses: list[float] = []
        self._random = torch.Generator().manual_seed(seed)
        self._column_of = torch.full((int(vocabulary[-1]) + 1,), -1).scatter(
            0, vocabulary, torch.arange(len(vocabulary))
        )
        self._optimizer = torch.optim.AdamW(
            learner.parameters(), lr=_RATE, betas=(0.9, 0.99), weight_decay=_DECAY
        )

    def step(
        self,
        samples: Sequence[DraftSample],
        factor: float = 1.0,
        *,
        depths: int = UNROLL,
        agrees: bool = False,
    ) -> float:
        """Learn once from samples of one length; return its cross-entropy. Raises LearningDiverged.

        Args:
            samples: what to learn from.
            factor: on the learning rate.
            depths: how many tokens ahead it learns.
            agrees: what counts most is how often it draws the target's token with the same noise.
        """
        loss, value = self._loss(samples, depths, agrees)
        self._watch(value if math.isfinite(float(loss.detach())) else math.nan)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(self.learner.parameters(), 1.0)
        for group in self._optimizer.param_groups:
            group["lr"] = _RATE * factor
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        self.num_steps += 1
        return value

    def weights(self, sharpness: tuple[float, ...] = (1.0,)) -> FeatureWeights:
        """Return the drafter as it is now."""
        return FeatureWeights(
            self.learner.shape,
            self.learner.tensors(),
            self._vocabulary,
            self._head.to("cpu", torch.bfloat16),
            sharpness,
        )

    def state(self) -> dict[str, object]:
        """Return what `restore` needs to go on."""
        return {
            "learner": self.learner.state_dict(),
            "optimizer": self._optimizer.state_dict(),
            "num_steps": self.num_steps,
            "first_losses": self._first_losses,
        }

    def restore(self, state: dict[str, object]) -> None:
        """Go on from a state. KeyError, ValueError, TypeError or RuntimeError where it does not fit."""
        self.learner.load_state_dict(state["learner"])  # type: ignore[arg-type]  # checked by torch
        self._optimizer.load_state_dict(state["optimizer"])  # type: ignore[arg-type]
        self.num_steps = int(state["num_steps"])  # type: ignore[call-overload]
        self._first_losses = [float(loss) for loss in state["first_losses"]]  # type: ignore[attr-defined]

    @torch.no_grad()
    def measure(self, samples: Sequence[DraftSample]) -> list[DepthCounts]:
        """Return how often it would have been right, by depth, on samples that it did not learn from."""
        return measure_draft(self.learner, self._vocabulary, self._head, self._embed, samples, self._sampling)

    def _watch(self, loss: float) -> None:
        usual = 8
        if math.isfinite(loss) and len(self._first_losses) < usual:
            self._first_losses.append(loss)
        limit = _DIVERGED * max(self._first_losses, default=0.0)
        if not math.isfinite(loss) or (len(self._first_losses) == usual and loss > limit):
            raise LearningDiverged("The draft model's training went astray, so it was not kept.")

    def _loss(self, samples: Sequence[DraftSample], depths: int, agrees: bool) -> tuple[Tensor, float]:
        """Return what is to become smaller, and of that the cross-entropy and feature loss, over depths."""
        device, length = self._head.device, len(samples[0])
        hidden = torch.stack([each.hidden for each in samples]).to(device)
        successors = torch.stack([each.successors for each in samples]).to(device)
        embeddings = self._embed(successors)
        # the pair at the last place predicts what nobody saw
        with torch.autocast(device.type, self._dtype, enabled=self._dtype != torch.float32):
            outs = self.learner(hidden[:, :-1].float(), embeddings[:, : length - 1].float(), depths)
        columns, correction, goal = self._compared(samples)
        head = self._head[columns.to(device)]
        factors = self._factors(samples, self._vocabulary[columns]).to(device)
        goal, correction = goal.to(device), correction.to(device)
        total, said = torch.zeros((), device=device), 0.0
        all_shares = sum(_STEP_WEIGHT**step for step in range(depths))
        for step, states in enumerate(outs):
            place = slice(step + 1, length)
            scores = penalised((states.to(head.dtype) @ head.t()).float(), factors[:, :, place])
            scores = scores / (self._sampling.temperature or 1.0) + correction
            known = goal[:, place].sum(-1)
            spread = scores.logsumexp(-1) * known
            right = (scores[..., : goal.shape[-1]] * goal[:, place]).sum(-1)
            entropy = (spread - right).sum() / known.sum().clamp_min(1)
            away = nn.functional.smooth_l1_loss(states.float(), hidden[:, place].float())
            share = _STEP_WEIGHT**step / all_shares
            loss = entropy + _FEATURE_WEIGHT * away
            said += share * float(loss.detach())
            if agrees:
                rows = known > 0
                agreed = agreement(scores[rows], goal[:, place][rows], self._sampling.min_p)
                loss = _BESIDE_AGREEMENT * loss - _AGREEMENT_WEIGHT * agreed.sum() / known.sum().clamp_min(1)
            total = total + share * loss
        return total, said

    def _compared(self, samples: Sequence[DraftSample]) -> tuple[Tensor, Tensor, Tensor]:
        """Return the columns to compare, what to add to their scores, and the goals of the first of them.

        Goals are (batch, length, first columns) float32; a row adds up to 1, or to 0 where nothing is known.
        """
        kept = torch.stack([each.kept for each in samples]).long()
        shares = torch.stack([each.shares for each in samples]).float()
        inside = (kept >= 0) & (kept < len(self._column_of))
        places = torch.where(inside, self._column_of[kept.clamp(0, len(self._column_of) - 1)], -1)
        shares = shares * (places >= 0)
        mass = shares.sum(-1, keepdim=True)
        # rows of which little could be proposed say little
        shares = torch.where(mass > 0.1, shares / mass.clamp_min(1e-6), 0.0)
        first = torch.unique(places[places >= 0])
        number = torch.zeros(len(self._vocabulary), dtype=torch.long)
        number[first] = torch.arange(len(first))
        goal = torch.zeros(*kept.shape[:2], len(first))
        if len(first):
            goal.scatter_add_(2, number[places.clamp_min(0)], shares)
        rest = torch.ones(len(self._vocabulary), dtype=torch.bool)
        rest[first] = False
        others = rest.nonzero().view(-1)
        taken = others[torch.randperm(len(others), generator=self._random)[:_SAMPLED]]
        stands_for = math.log(max(1, len(others)) / max(1, len(taken)))
        correction = torch.cat([torch.zeros(len(first)), torch.full((len(taken),), stands_for)])
        return torch.cat([first, taken]), correction, goal

    def _factors(self, samples: Sequence[DraftSample], ids: Tensor) -> Tensor:
        """Return the penalty's factors for these ids, (2, batch, length, ids)."""
        seen = torch.stack([_seen(each, ids) for each in samples])
        return penalty_factors(seen, self._sampling.repetition_penalty)


def _seen(sample: DraftSample, ids: Tensor) -> Tensor:
    """Return which ids the penalty saw before the successor of each place was drawn, (length, ids) bool."""
    size, length = int(ids.max()) + 1, len(sample)
    first = np.full(size, length + 1, dtype=np.int64)
    successors = sample.successors.numpy()
    known = successors < size
    # backwards, so that the first place of an id is the one that stays
    first[successors[known][::-1]] = (np.arange(length) + 1)[known][::-1]
    first[sample.before[sample.before < size]] = 0
    return torch.from_numpy(first)[ids][None] <= torch.arange(length)[:, None]


@torch.no_grad()
def measure_draft(
    learner: FeatureLearner,
    vocabulary: Tensor,
    head: Tensor,
    embed: Callable[[Tensor], Tensor],
    samples: Sequence[DraftSample],
    sampling: SamplingConfig,
) -> list[DepthCounts]:
    """Return a tally by depth: target and drafter draw with the same noise, and the text goes its own way."""
    depths = UNROLL + 1
    head = head.to(loading.choose_dtype("auto", head.device))
    tallies = [DepthCounts() for _ in range(depths)]
    column_of = torch.full((1 + int(vocabulary[-1]),), -1).scatter(
        0, vocabulary, torch.arange(len(vocabulary))
    )
    random = torch.Generator().manual_seed(0)
    for sample in samples:
        if len(sample) <= depths:
            continue
        hidden = sample.hidden.to(head.device).float()
        embeddings = embed(sample.successors.to(head.device)).float()
        outs = learner(hidden[None, :-1], embeddings[None, :-1], depths)
        factors = penalty_factors(_seen(sample, vocabulary), sampling.repetition_penalty)
        noise = -torch.rand(len(sample), len(vocabulary), generator=random).clamp_(1e-7, 1 - 1e-7).log_()
        noise = -noise.log_()
        drawn = _drawn(sample, column_of, noise, random)
        for step, states in enumerate(outs):
            rows = torch.arange(step + 1, len(sample))
            rows = rows[sample.shares[rows, 0] > 0]
            scores = (states[0, rows - step - 1].to(head.dtype) @ head.t()).float().cpu()
            draft = warped(scores, factors[:, rows], sampling)
            tallies[step].add(draft, noise[rows], drawn[rows])
    return tallies


def _drawn(sample: DraftSample, column_of: Tensor, noise: Tensor, random: torch.Generator) -> Tensor:
    """Return the column that the target draws at each place with this noise; -1 for one without."""
    kept, shares = sample.kept.long(), sample.shares.float()
    inside = (kept >= 0) & (kept < len(column_of))
    places = torch.where(inside, column_of[kept.clamp(0, len(column_of) - 1)], -1)
    own = torch.rand(kept.shape, generator=random).clamp_(1e-7, 1 - 1e-7)
    of_others = -(-own.log()).log()
    of_tokens = torch.where(places >= 0, noise.gather(1, places.clamp_min(0)), of_others)
    best = (shares.log() + of_tokens).argmax(-1, keepdim=True)
    return places.gather(1, best)[:, 0]
