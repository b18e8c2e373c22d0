"""Trains a model on pieces of packed text; stops and resumes at any step.

The order of the pieces, the initial weights and the schedule are functions of the seed and of the tokens
done, so a stopped run continues as if it had not stopped (up to the rounding of the machine's kernels).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from torch import Tensor, nn
from transformers.models.llama.modeling_llama import LlamaForCausalLM

from quire_engine.api.atomic_file import replacing
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.training.training_plan import TrainingPlan
from tests.training.corpus import PieceSampler
from tests.training.language_model import chunk_loss, hidden_states, sum_loss

_SAVE_SECONDS = 240.0


@dataclass(slots=True)
class TrainingProgress:
    """Where a run is; stored with the checkpoint.

    Attributes:
        batches: dealt so far by piece length, because each length has an order of its own.
        seconds: spent in steps.
    """

    step: int = 0
    tokens_done: int = 0
    batches: dict[int, int] = field(default_factory=dict)
    seconds: float = 0.0


class Trainer:
    """One run: model, optimizers, data, and the checkpoint that joins its parts.

    Args:
        model: trained where it is (CPU or GPU).
        work: folder of checkpoint.pt, loss.csv (step, tokens, seconds, nats per token) and held_out.csv
            (step, tokens, nats per token).
        measure: takes the held-out loss on the way.
    """

    def __init__(
        self,
        model: LlamaForCausalLM,
        data: PieceSampler,
        plan: TrainingPlan,
        work: Path,
        *,
        compiled: bool = False,
        measure: Callable[[], float] | None = None,
    ) -> None:
        self.model = model
        self.plan = plan
        self.progress = TrainingProgress()
        self.device: torch.device = model.lm_head.weight.device
        self._data = data
        self._measure = measure
        self._is_stopping = False
        self._checkpoint = work / "checkpoint.pt"
        self._loss_log = work / "loss.csv"
        self._held_out_log = work / "held_out.csv"
        self._optimizers = _optimizers(model, plan)
        self._hidden: Callable[[LlamaForCausalLM, Tensor], Tensor] = hidden_states
        self._chunk_loss = chunk_loss
        if compiled:  # a few lengths, each with kernels of its own: faster than kernels for any length
            self._hidden = torch.compile(hidden_states, dynamic=False)
            self._chunk_loss = torch.compile(chunk_loss, dynamic=False)

    def run(self, *, seconds: float, on_step: Callable[[TrainingProgress, float], None]) -> bool:
        """Train to the plan's end or for `seconds`; True when the plan is done. Saves on the way and last.

        on_step: called after every step with the progress and the step's loss in nats per token.
        """
        deadline = time.monotonic() + seconds
        last_save = time.monotonic()
        while self.progress.tokens_done < self.plan.total_tokens:
            started = time.monotonic()
            due = self.plan.measurements_at(self.progress.tokens_done)
            loss = self._step()
            self.progress.seconds += time.monotonic() - started
            _append(self._loss_log, self.progress, f"{self.progress.seconds:.1f}", loss)
            on_step(self.progress, loss)
            if self._measure is not None and self.plan.measurements_at(self.progress.tokens_done) > due:
                _append(self._held_out_log, self.progress, "", self._measure())
            if time.monotonic() - last_save > _SAVE_SECONDS:
                self.save()
                last_save = time.monotonic()
            if self._is_stopping or time.monotonic() > deadline:
                break
        self.save()
        return self.progress.tokens_done >= self.plan.total_tokens

    def stop(self) -> None:
        """Let `run` end after the step that it is in, as half a step cannot be saved; signals may call it."""
        self._is_stopping = True

    def _step(self) -> float:
        factor = self.plan.rate_factor(self.progress.step, self.progress.tokens_done)
        for optimizer, rate in self._optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate * factor
        batch = self._next_batch()
        ids, targets = batch[:, :-1].contiguous(), batch[:, 1:].flatten()
        with torch.autocast(self.device.type, dtype=torch.bfloat16):
            hidden = self._hidden(self.model, ids).flatten(0, 1)
            total = sum_loss(hidden, self.model.lm_head.weight, targets, self._chunk_loss)
        loss = total / len(targets)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for optimizer, _ in self._optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        self.progress.step += 1
        self.progress.tokens_done += len(targets)
        value = float(loss.detach())
        if not math.isfinite(value):
            raise EnvironmentProblem(
                "The loss is no longer a number at step {step}; the last checkpoint is kept. Start again "
                "with another seed.",
                step=self.progress.step,
            )
        return value

    def _next_batch(self) -> Tensor:
        length = self.plan.length_at(self.progress.tokens_done)
        number = self.progress.batches.get(length, 0)
        self.progress.batches[length] = number + 1
        batch = torch.from_numpy(self._data.batch(number, max(1, self.plan.batch_tokens // length), length))
        if self.device.type == "cpu":
            return batch
        return batch.pin_memory().to(self.device, non_blocking=True)

    def save(self) -> None:
        """Write the checkpoint."""
        state = {
            "model": self.model.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer, _ in self._optimizers],
            "progress": asdict(self.progress),
        }
        with replacing(self._checkpoint) as file:
            torch.save(state, file)

    def restore(self) -> bool:
        """Go on from the checkpoint of this folder; False when there is none.

        Raises EnvironmentProblem when it is a checkpoint of another shape of model.
        """
        if not self._checkpoint.is_file():
            return False
        state = torch.load(self._checkpoint, weights_only=True, map_location=self.device)
        try:
            self.model.load_state_dict(state["model"])
        except RuntimeError as error:
            raise EnvironmentProblem(
                "{file} belongs to another model; choose another work folder.", file=self._checkpoint
            ) from error
        for (optimizer, _), stored in zip(self._optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(stored)
        self.progress = TrainingProgress(**state["progress"])
        for log in (self._loss_log, self._held_out_log):
            _cut(log, self.progress.step)
        return True


def _optimizers(
    model: LlamaForCausalLM, plan: TrainingPlan
) -> tuple[tuple[torch.optim.Optimizer, float], ...]:
    matrices = [p for n, p in model.named_parameters() if p.ndim == 2 and "embed" not in n]
    others = [p for n, p in model.named_parameters() if p.ndim != 2 or "embed" in n]
    muon = torch.optim.Muon(
        matrices, lr=plan.matrix_rate, weight_decay=plan.weight_decay, adjust_lr_fn="match_rms_adamw"
    )
    fused = others[0].device.type == "cuda"
    adamw = torch.optim.AdamW(others, lr=plan.vector_rate, betas=(0.9, 0.95), weight_decay=0.0, fused=fused)
    return (muon, plan.matrix_rate), (adamw, plan.vector_rate)


def _append(log: Path, progress: TrainingProgress, seconds: str, loss: float) -> None:
    middle = f"{seconds}," if seconds else ""
    with log.open("a", encoding="utf-8") as rows:
        rows.write(f"{progress.step},{progress.tokens_done},{middle}{loss:.4f}\n")


def _cut(log: Path, last_step: int) -> None:
    """Drop the rows of steps after the checkpoint: they will be taken, and logged, again."""
    if log.is_file():
        rows = log.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [row for row in rows if row.endswith("\n") and int(row.partition(",")[0]) <= last_step]
        log.write_text("".join(kept), encoding="utf-8")
