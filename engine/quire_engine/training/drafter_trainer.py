"""Trains the heads and the feature drafter on a frozen target; stops and resumes at any step.

Batches, first weights and schedule are functions of the seed and of the step, so a stopped run continues as
if it had not stopped (up to the rounding of the machine's kernels).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from quire_engine.api.atomic_file import replacing
from quire_engine.api.config import SamplingConfig
from quire_engine.drafting.feature_drafter import FeatureShape
from quire_engine.models import loading
from quire_engine.training.hidden_states import FrozenTarget, Pieces
from quire_engine.training.soft_targets import hard_loss, penalty_factors, seen_before, soft_loss, warped
from quire_engine.training.trainable_drafters import FeatureLearner, HeadsLearner, last_layer
from quire_engine.training.training_plan import warm_up

Stage = Literal["heads", "feature"]
_LOSS_CHUNK = 512  # rows of scores alive at once; all of them would not fit beside the activations
_SAVE_EVERY = 100


@dataclass(frozen=True, slots=True)
class DrafterPlan:
    """How long and how fast drafters learn.

    Attributes:
        heads_steps, feature_steps: optimizer steps of each.
        batch: pieces per step.
        length: tokens of a piece.
        vocabulary: size of the vocabulary subset of the feature drafter, the most frequent ids; None: an
            eighth of the model's, see `ids_to_guess`; 0: all.
        unroll: depths that it learns on its own outputs.
        step_weight: weight of each depth relative to the one before.
        feature_weight: of the distance to the target's own features, which teaches fast what the shares alone
            teach slowly.
        stride: only every stride-th position is trained on probabilities; all are on features.
    """

    heads_steps: int = 400
    feature_steps: int = 1000
    batch: int = 8
    length: int = 256
    num_heads: int = 3
    window: int = 64
    vocabulary: int | None = None
    unroll: int = 3
    step_weight: float = 0.8
    feature_weight: float = 0.5
    stride: int = 2
    heads_rate: float = 5e-3
    feature_rate: float = 3e-2
    weight_decay: float = 0.1
    warmup_steps: int = 50
    seed: int = 1

    def rate_factor(self, step: int, steps: int) -> float:
        """Return the factor on the peak rate: linear warm-up, then a cosine to nothing."""
        done = (step - self.warmup_steps) / max(1, steps - self.warmup_steps)
        return warm_up(step, self.warmup_steps) * 0.5 * (1 + math.cos(math.pi * min(1.0, max(0.0, done))))


@dataclass(slots=True)
class DrafterProgress:
    """Where a run is; stored with the checkpoint."""

    heads_step: int = 0
    feature_step: int = 0


def frequent_ids(
    texts: Sequence[npt.NDArray[Any]], count: int, vocab_size: int, never: Sequence[int]
) -> Tensor:
    """Return the `count` most frequent ids of some texts, ascending int64; all that occur when 0."""
    counts = np.zeros(vocab_size, dtype=np.int64)
    for tokens in texts:
        counts += np.bincount(tokens, minlength=vocab_size)
    counts[list(never)] = 0
    best = np.argsort(-counts, kind="stable")[: count or vocab_size]
    return torch.from_numpy(np.sort(best[counts[best] > 0]))


def usual_ids(text: npt.NDArray[Any], count: int, vocab_size: int, barred: Sequence[int]) -> Tensor:
    """Return the `count` most frequent ids of a text, ascending.

    Where a short text has fewer, the lowest others fill up: tokenizers give frequent tokens low numbers.
    """
    found = frequent_ids([text], count, vocab_size, barred)
    never = {*barred, *found.tolist()}
    others = [number for number in range(vocab_size) if number not in never][: count - len(found)]
    return torch.cat([found, torch.tensor(others, dtype=torch.long)]).sort().values


class DrafterTrainer:
    """Heads, feature drafter, their optimizers and the checkpoint that joins them."""

    def __init__(
        self,
        target: FrozenTarget,
        pieces: Pieces,
        shape: FeatureShape,
        vocabulary: Tensor | None,
        plan: DrafterPlan,
        sampling: SamplingConfig,
        checkpoint: Path,
    ) -> None:
        self.plan = plan
        self.progress = DrafterProgress()
        self._target = target
        self._pieces = pieces
        self._sampling = sampling
        self._checkpoint = checkpoint
        device = target.device
        head = target.head.float()
        self._columns = torch.arange(len(head)) if vocabulary is None else vocabulary
        self._columns = self._columns.to(device)
        # products with the head are most of the work: half precision where the processor multiplies it itself
        self._dtype = loading.choose_dtype("auto", device)
        self._head = head[self._columns].to(self._dtype)
        torch.manual_seed(plan.seed)
        sample = pieces.batch(0, 1).to(device)
        hidden = target.hidden(sample)[0].float()
        scale = float(hidden.pow(2).mean().sqrt())
        self.heads = HeadsLearner(plan.num_heads, target.width, scale).to(device)
        self.feature = FeatureLearner(shape).to(device)
        self.feature.start_from(last_layer(target, target.layer_inputs(sample)[0]))
        self._optimizers: dict[Stage, tuple[torch.optim.Optimizer, ...]] = {
            "heads": (
                torch.optim.AdamW(
                    self.heads.parameters(),
                    lr=plan.heads_rate,
                    betas=(0.9, 0.999),
                    weight_decay=plan.weight_decay,
                ),
            ),
            "feature": _optimizers(self.feature, plan.feature_rate, plan.weight_decay),
        }

    def run(self, on_step: Callable[[Stage, int, int, float], None]) -> None:
        """Train to the plan's end. on_step: told the stage, the steps done, the steps in all and the loss.

        An exception raised by it (KeyboardInterrupt too) stops the run; what was done is saved first.
        """
        plan, progress = self.plan, self.progress
        try:
            while progress.heads_step < plan.heads_steps:
                loss = self._step("heads", progress.heads_step, plan.heads_steps, self._heads_loss)
                progress.heads_step += 1
                self._after("heads", progress.heads_step, plan.heads_steps, loss, on_step)
            while progress.feature_step < plan.feature_steps:
                loss = self._step("feature", progress.feature_step, plan.feature_steps, self._feature_loss)
                progress.feature_step += 1
                self._after("feature", progress.feature_step, plan.feature_steps, loss, on_step)
        finally:
            self.save()

    def head_rows(self) -> Tensor:
        """Return the rows of the LM head of the vocabulary subset, (columns, width) bfloat16."""
        return self._head.to("cpu", torch.bfloat16)

    def _after(
        self,
        stage: Stage,
        step: int,
        steps: int,
        loss: float,
        on_step: Callable[[Stage, int, int, float], None],
    ) -> None:
        if step % _SAVE_EVERY == 0:
            self.save()
        on_step(stage, step, steps, loss)

    def _step(self, stage: Stage, step: int, steps: int, loss_of: Callable[[Tensor], Tensor]) -> float:
        plan = self.plan
        rate = plan.heads_rate if stage == "heads" else plan.feature_rate
        # both stages read the same batches; the first is the one that the sizes were taken from
        ids = self._pieces.batch(step + 1, plan.batch).to(self._target.device)
        with torch.autocast(ids.device.type, self._dtype, enabled=self._dtype != torch.float32):
            loss = loss_of(ids)
        torch.autograd.backward(loss)
        learner = self.heads if stage == "heads" else self.feature
        nn.utils.clip_grad_norm_(learner.parameters(), 1.0)
        for optimizer in self._optimizers[stage]:
            for group in optimizer.param_groups:
                group["lr"] = rate * plan.rate_factor(step, steps)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        return float(loss.detach())

    def _heads_loss(self, ids: Tensor) -> Tensor:
        """Cross-entropy of head i (from 0) against the token i + 2 places ahead, averaged over heads."""
        ahead = self.plan.num_heads + 1
        hidden = self._target.hidden(ids)[:, :-ahead].float()
        states = self.heads(hidden.reshape(-1, hidden.shape[-1]))
        head = self._target.head.to(self._dtype)
        total = torch.zeros((), device=ids.device)
        for number, of_head in enumerate(states):
            goals = ids[:, number + 2 : ids.shape[1] - ahead + number + 2].reshape(-1)
            for start in range(0, len(goals), _LOSS_CHUNK):
                rows = slice(start, start + _LOSS_CHUNK)
                total = total + hard_loss(of_head[rows], head, goals[rows])
        loss: Tensor = total / (states.shape[0] * states.shape[1])
        return loss

    def _feature_loss(self, ids: Tensor) -> Tensor:
        """Cross-entropy against what the target itself would draw from, depth by depth."""
        plan = self.plan
        hidden = self._target.hidden(ids)
        embeddings = self._target.embed(ids[:, 1:]).float()
        outs = self.feature(hidden[:, :-1].float(), embeddings, plan.unroll)
        total = torch.zeros((), device=ids.device)
        # piece by piece: the scores of a whole batch would not stay in the CPU's cache
        for row in range(len(ids)):
            # scores cost more than features, so not every place is compared by them
            pairs = torch.arange(
                row % plan.stride, ids.shape[1] - plan.unroll, plan.stride, device=ids.device
            )
            with torch.no_grad():
                seen = seen_before(ids[row : row + 1], self._columns, self._target.vocab_size)[0]
            for step, states in enumerate(outs):
                factors = penalty_factors(seen[pairs + step + 1], self._sampling.repetition_penalty)
                goal = self._goal(hidden[row, pairs + step + 1], factors)
                of_step = soft_loss(states[row, pairs], self._head, factors, goal)
                total = total + plan.step_weight**step * of_step / len(pairs)
        features = sum(
            plan.step_weight**step
            * nn.functional.smooth_l1_loss(states.float(), hidden[:, step + 1 :].float())
            for step, states in enumerate(outs)
        )
        shares = sum(plan.step_weight**step for step in range(plan.unroll))
        loss: Tensor = (total / len(ids) + plan.feature_weight * features) / shares
        return loss

    def _goal(self, hidden: Tensor, factors: Tensor) -> Tensor:
        with torch.no_grad():
            return warped((hidden.to(self._dtype) @ self._head.t()).float(), factors, self._sampling).softmax(
                -1
            )

    def save(self) -> None:
        """Write the checkpoint."""
        state = {
            "plan": asdict(self.plan),
            "heads": self.heads.state_dict(),
            "feature": self.feature.state_dict(),
            "optimizers": {
                stage: [each.state_dict() for each in optimizers]
                for stage, optimizers in self._optimizers.items()
            },
            "progress": asdict(self.progress),
        }
        with replacing(self._checkpoint) as file:
            torch.save(state, file)

    def restore(self) -> bool:
        """Go on from the checkpoint; False when there is none, or when it belongs to another plan."""
        if not self._checkpoint.is_file():
            return False
        state = torch.load(self._checkpoint, weights_only=True, map_location=self._target.device)
        if state["plan"] != asdict(self.plan):
            return False
        self.heads.load_state_dict(state["heads"])
        self.feature.load_state_dict(state["feature"])
        for stage, optimizers in self._optimizers.items():
            for optimizer, stored in zip(optimizers, state["optimizers"][stage], strict=True):
                optimizer.load_state_dict(stored)
        self.progress = DrafterProgress(**state["progress"])
        return True


def _optimizers(module: nn.Module, rate: float, decay: float) -> tuple[torch.optim.Optimizer, ...]:
    """Muon for matrices, which needs far fewer steps from a good beginning, and AdamW for the rest."""
    matrices = [p for p in module.parameters() if p.ndim == 2]
    others = [p for p in module.parameters() if p.ndim != 2]
    return (
        torch.optim.Muon(matrices, lr=rate, weight_decay=decay, adjust_lr_fn="match_rms_adamw"),
        torch.optim.AdamW(others, lr=rate, betas=(0.9, 0.999), weight_decay=0.0),
    )
