"""Trains a low-rank adapter on pieces of text; stops and resumes at any step.

The order of the pieces and the schedule are functions of the seed and of the steps taken, so a stopped run
continues as if it had not stopped (up to the rounding of the machine's kernels).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from transformers.modeling_utils import PreTrainedModel

from quire_engine.api.atomic_file import replacing
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.training.training_plan import warm_up
from tests.training.adapter_text import WideTokens
from tests.training.language_model import decoder_of, head_of
from tests.training.low_rank import LowRankLinear, attach, factors_of, load_factors

_SAVE_SECONDS = 240.0
_ROWS = 1024  # of logits alive at once
_GPU_TOKENS = 16_384  # that go through a model together


@dataclass(frozen=True, slots=True)
class AdapterPlan:
    """How large, how long and how fast.

    Attributes:
        steps: length of the whole training; a smaller number on resume brings the decay forward.
        pieces, length: number of pieces in each step, and tokens in each piece.
        decay_fraction: share of the steps, at the end, over which the rate falls to a twentieth of its peak.
        measure_every: steps between two measurements of the held-out loss.
    """

    rank: int = 12
    alpha: float = 24.0
    steps: int = 400
    pieces: int = 8
    length: int = 768
    peak_rate: float = 6e-4
    decay_fraction: float = 0.4
    final_factor: float = 0.05
    warmup_steps: int = 8
    seed: int = 1
    measure_every: int = 25

    def rate(self, step: int) -> float:
        """Return the learning rate of a step: warm-up, constant, linear decay."""
        left = (1 - step / self.steps) / self.decay_fraction
        falling = self.final_factor + (1 - self.final_factor) * max(0.0, min(1.0, left))
        return self.peak_rate * warm_up(step, self.warmup_steps) * falling


@dataclass(slots=True)
class AdapterProgress:
    """Where a training is; stored with the checkpoint. seconds: spent in steps."""

    step: int = 0
    tokens_seen: int = 0
    seconds: float = 0.0


class AdapterTrainer:
    """One training: frozen model, adapter, optimizer, text, and the checkpoint that joins its parts.

    Args:
        model: trained where it is (CPU or GPU), in the dtype that it has.
        train: the text as one stream of tokens.
        work: folder of checkpoint.pt, loss.csv (step, tokens, seconds, nats per token) and held_out.csv
            (step, tokens, nats per token).
        measure: takes the held-out loss on the way.
        at_once: pieces of a step that go through the model together. It costs memory and changes nothing but
            the rounding; 0: one on a CPU, which one piece keeps busy, and otherwise as many as fill a GPU.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        train: WideTokens,
        plan: AdapterPlan,
        work: Path,
        measure: Callable[[], float] | None = None,
        at_once: int = 0,
    ) -> None:
        self.plan, self.progress = plan, AdapterProgress()
        self.adapters: Mapping[str, LowRankLinear] = attach(model, plan.rank, plan.alpha, plan.seed)
        self._model, self._train, self._work, self._measure = model, train, work, measure
        self._parameters = [matrix for layer in self.adapters.values() for matrix in (layer.a, layer.b)]
        self._optimizer = torch.optim.AdamW(self._parameters, plan.peak_rate, (0.9, 0.98), weight_decay=0.0)
        self._is_stopping = False
        fills = 1 if self._parameters[0].device.type == "cpu" else max(1, _GPU_TOKENS // plan.length)
        self._at_once = min(at_once or fills, plan.pieces)
        if (len(train) - 1) // plan.length < plan.pieces:
            raise EnvironmentProblem(
                "The corpus has {num_tokens:,} tokens; a batch needs {least:,}.",
                num_tokens=len(train),
                least=plan.pieces * plan.length + 1,
            )

    def run(self, *, seconds: float, on_step: Callable[[AdapterProgress, float], None]) -> bool:
        """Train to the plan's end or for `seconds`; True when the plan is done. Saves on the way and last.

        on_step: called after every step with the progress and the step's loss in nats per token.
        """
        deadline = time.monotonic() + seconds
        last_save = time.monotonic()
        while self.progress.step < self.plan.steps:
            started = time.monotonic()
            loss = self._step()
            self.progress.seconds += time.monotonic() - started
            self._log("loss.csv", f"{self.progress.seconds:.1f},{loss:.4f}")
            on_step(self.progress, loss)
            is_due = self.progress.step % self.plan.measure_every == 0
            if self._measure is not None and (is_due or self.progress.step == self.plan.steps):
                self._log("held_out.csv", f"{self._measure():.4f}")
            if time.monotonic() - last_save > _SAVE_SECONDS:
                self.save()
                last_save = time.monotonic()
            if self._is_stopping or time.monotonic() > deadline:
                break
        self.save()
        return self.progress.step >= self.plan.steps

    def stop(self) -> None:
        """Let `run` end after the step that it is in; signals may call it."""
        self._is_stopping = True

    def _step(self) -> float:
        for group in self._optimizer.param_groups:
            group["lr"] = self.plan.rate(self.progress.step)
        total = 0.0
        first = self.progress.step * self.plan.pieces
        for number in range(0, self.plan.pieces, self._at_once):  # the memory of these is all that is needed
            count = min(self._at_once, self.plan.pieces - number)
            batch = torch.stack([self._piece(first + number + each) for each in range(count)])
            loss = self._loss(batch) * (count / self.plan.pieces)
            torch.autograd.backward(loss)
            total += float(loss.detach())
        norm = nn.utils.clip_grad_norm_(self._parameters, 1.0)
        if not torch.isfinite(norm):
            raise EnvironmentProblem(
                "The loss is no longer a number at step {step}; the last checkpoint is kept. Start again "
                "with another seed.",
                step=self.progress.step,
            )
        self._optimizer.step()
        self._optimizer.zero_grad(set_to_none=True)
        self.progress.step += 1
        self.progress.tokens_seen += self.plan.pieces * self.plan.length
        return total

    def _piece(self, number: int) -> Tensor:
        """Return a piece of `length + 1` tokens; every pass over the text deals it out in another order."""
        length = self.plan.length
        count = (len(self._train) - 1) // length
        epoch, place = divmod(number, count)
        start = int(np.random.default_rng((self.plan.seed, epoch)).permutation(count)[place]) * length
        piece = self._train[start : start + length + 1].astype(np.int64)
        return torch.from_numpy(piece).to(self._parameters[0].device)

    def _loss(self, batch: Tensor) -> Tensor:
        """Return the mean nats per token of pieces, (pieces, length + 1)."""
        out = decoder_of(self._model)(batch[:, :-1], use_cache=False)
        states: Tensor = out.last_hidden_state.flatten(0, 1)
        targets, head = batch[:, 1:].flatten(), head_of(self._model)
        sums = [
            nn.functional.cross_entropy(
                head(states[start : start + _ROWS]).float(), targets[start : start + _ROWS], reduction="sum"
            )
            for start in range(0, len(states), _ROWS)
        ]
        return torch.stack(sums).sum() / len(states)

    def _log(self, name: str, figures: str) -> None:
        with (self._work / name).open("a", encoding="utf-8") as rows:
            rows.write(f"{self.progress.step},{self.progress.tokens_seen},{figures}\n")

    def save(self) -> None:
        """Write the checkpoint."""
        state = {
            "factors": factors_of(self.adapters),
            "optimizer": self._optimizer.state_dict(),
            "progress": asdict(self.progress),
        }
        with replacing(self._work / "checkpoint.pt") as file:
            torch.save(state, file)

    def restore(self) -> bool:
        """Continue from the checkpoint of the work folder; False when there is none.

        EnvironmentProblem when it belongs to another model or rank.
        """
        checkpoint = self._work / "checkpoint.pt"
        if not checkpoint.is_file():
            return False
        state = torch.load(checkpoint, weights_only=True, map_location=self._parameters[0].device)
        load_factors(self.adapters, state["factors"])
        self._optimizer.load_state_dict(state["optimizer"])
        self.progress = AdapterProgress(**state["progress"])
        for name in ("loss.csv", "held_out.csv"):
            _cut(self._work / name, self.progress.step)
        return True


def _cut(log: Path, last_step: int) -> None:
    """Drop the rows of steps after the checkpoint: they will be taken, and logged, again."""
    if log.is_file():
        rows = log.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [row for row in rows if row.endswith("\n") and int(row.partition(",")[0]) <= last_step]
        log.write_text("".join(kept), encoding="utf-8")
