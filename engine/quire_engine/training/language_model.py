"""Trains the small Llama that ships with Quire; stops and resumes at any step.

The order of the pieces, the initial weights and the schedule are functions of the seed and of the step,
so a stopped run goes on as if it had not stopped (up to the rounding of the machine's kernels).
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import LlamaConfig, LlamaForCausalLM

from quire_engine.training.corpus import PieceSampler

_LOSS_CHUNK = 1024  # rows of logits alive at once; the full matrix would not fit beside the activations


@dataclass(frozen=True, slots=True)
class Preset:
    """Shape of a model; vocab_size counts tokenizer entries, the other sizes are widths."""

    vocab_size: int
    hidden_size: int
    intermediate_size: int
    num_layers: int
    num_heads: int
    num_kv_heads: int
    rope_theta: float
    max_positions: int


PRESETS = {
    "tiny": Preset(1024, 64, 176, 2, 2, 1, 50_000.0, 512),
    "small": Preset(8192, 256, 704, 4, 4, 2, 50_000.0, 2048),
}


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How long and how fast.

    total_tokens: where the run ends; shrinking it on resume brings the decay phase forward.
    batch_tokens: tokens per step. short_length, long_length: piece length before and during the decay.
    decay_fraction: share of total_tokens, at the end, over which the rate falls to a tenth.
    """

    total_tokens: int
    batch_tokens: int = 8192
    short_length: int = 512
    long_length: int = 2048
    decay_fraction: float = 0.25
    warmup_steps: int = 50
    matrix_rate: float = 5e-3
    vector_rate: float = 3e-3
    weight_decay: float = 0.05
    seed: int = 1

    def in_decay(self, tokens_done: int) -> bool:
        """Say whether the decay phase has begun."""
        return tokens_done >= self.total_tokens * (1 - self.decay_fraction)

    def rate_factor(self, step: int, tokens_done: int) -> float:
        """Return the factor on the peak learning rates: warm-up, constant, linear decay to 0.1."""
        if step < self.warmup_steps:
            return (step + 1) / self.warmup_steps
        left = (self.total_tokens - tokens_done) / (self.total_tokens * self.decay_fraction)
        return max(0.1, min(1.0, 0.1 + 0.9 * left))

    def length_at(self, tokens_done: int) -> int:
        """Return the piece length; long pieces come last, when they are worth their cost."""
        return self.long_length if self.in_decay(tokens_done) else self.short_length


@dataclass(slots=True)
class Progress:
    """Where a run stands; stored with the checkpoint."""

    step: int = 0
    tokens_done: int = 0
    # batches dealt per piece length: each length has an order of its own
    short_batches: int = 0
    long_batches: int = 0
    seconds: float = 0.0


def build_model(preset: Preset, seed: int) -> LlamaForCausalLM:
    """Return an untrained model of a preset in float32."""
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=preset.vocab_size,
        hidden_size=preset.hidden_size,
        intermediate_size=preset.intermediate_size,
        num_hidden_layers=preset.num_layers,
        num_attention_heads=preset.num_heads,
        num_key_value_heads=preset.num_kv_heads,
        max_position_embeddings=preset.max_positions,
        rope_parameters={"rope_type": "default", "rope_theta": preset.rope_theta},
        tie_word_embeddings=True,
        bos_token_id=None,
        eos_token_id=0,
        pad_token_id=0,
    )
    model = LlamaForCausalLM(config)
    model.set_attn_implementation("sdpa")
    return model


def chunk_loss(hidden: Tensor, weight: Tensor, targets: Tensor) -> Tensor:
    """Return the summed cross-entropy. hidden: (rows, width); weight: (vocab, width); targets: (rows,)."""
    return nn.functional.cross_entropy((hidden @ weight.t()).float(), targets, reduction="sum")


class Trainer:
    """One run: model, optimizers, data and the checkpoint that joins its parts."""

    def __init__(
        self, model: LlamaForCausalLM, data: PieceSampler, plan: TrainingPlan, out: Path, *, compiled: bool
    ) -> None:
        self.model = model
        self.plan = plan
        self.progress = Progress()
        self._data = data
        self._checkpoint = out / "checkpoint.pt"
        self._log = out / "loss.csv"
        matrices = [p for n, p in model.named_parameters() if p.ndim == 2 and "embed" not in n]
        others = [p for n, p in model.named_parameters() if p.ndim != 2 or "embed" in n]
        self._optimizers: tuple[tuple[torch.optim.Optimizer, float], ...] = (
            (
                torch.optim.Muon(
                    matrices,
                    lr=plan.matrix_rate,
                    weight_decay=plan.weight_decay,
                    adjust_lr_fn="match_rms_adamw",
                ),
                plan.matrix_rate,
            ),
            (
                torch.optim.AdamW(others, lr=plan.vector_rate, betas=(0.9, 0.95), weight_decay=0.0),
                plan.vector_rate,
            ),
        )
        self._body: Callable[[Tensor], Tensor] = self._hidden
        self._chunk_loss: Callable[[Tensor, Tensor, Tensor], Tensor] = chunk_loss
        if compiled:
            self._body = torch.compile(self._hidden)
            self._chunk_loss = torch.compile(chunk_loss)

    def _hidden(self, ids: Tensor) -> Tensor:
        states: Tensor = self.model.model(ids, use_cache=False).last_hidden_state
        return states

    def run(self, *, seconds: float, on_step: Callable[[Progress, float], None]) -> bool:
        """Train to the plan's end or for `seconds`; True when the plan is done. Saves on the way and last."""
        deadline = time.monotonic() + seconds
        last_save = time.monotonic()
        while self.progress.tokens_done < self.plan.total_tokens:
            started = time.monotonic()
            loss = self._step()
            self.progress.seconds += time.monotonic() - started
            self._log_step(loss)
            on_step(self.progress, loss)
            if time.monotonic() - last_save > 240:
                self.save()
                last_save = time.monotonic()
            if time.monotonic() > deadline:
                break
        self.save()
        return self.progress.tokens_done >= self.plan.total_tokens

    def _step(self) -> float:
        plan, progress = self.plan, self.progress
        factor = plan.rate_factor(progress.step, progress.tokens_done)
        for optimizer, rate in self._optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate * factor
        batch = self._next_batch()
        ids, targets = batch[:, :-1].contiguous(), batch[:, 1:].reshape(-1)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self._body(ids).reshape(len(targets), -1)
            total = sum_loss(hidden, self.model.lm_head.weight, targets, self._chunk_loss)
        loss = total / len(targets)
        torch.autograd.backward(loss)
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        for optimizer, _ in self._optimizers:
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
        progress.step += 1
        progress.tokens_done += len(targets)
        return float(loss.detach())

    def _next_batch(self) -> Tensor:
        progress, plan = self.progress, self.plan
        length = plan.length_at(progress.tokens_done)
        is_long = plan.in_decay(progress.tokens_done)
        number = progress.long_batches if is_long else progress.short_batches
        if is_long:
            progress.long_batches += 1
        else:
            progress.short_batches += 1
        return torch.from_numpy(self._data.batch(number, max(1, plan.batch_tokens // length), length))

    def _log_step(self, loss: float) -> None:
        with self._log.open("a", encoding="utf-8") as log:
            p = self.progress
            log.write(f"{p.step},{p.tokens_done},{p.seconds:.1f},{loss:.4f}\n")

    def save(self) -> None:
        """Write the checkpoint beside the old one, then put it in its place."""
        state = {
            "model": self.model.state_dict(),
            "optimizers": [optimizer.state_dict() for optimizer, _ in self._optimizers],
            "progress": asdict(self.progress),
        }
        fresh = self._checkpoint.with_suffix(".new")
        torch.save(state, fresh)
        fresh.replace(self._checkpoint)

    def restore(self) -> bool:
        """Go on from the checkpoint of this folder; False when there is none."""
        if not self._checkpoint.is_file():
            return False
        state = torch.load(self._checkpoint, weights_only=True)
        self.model.load_state_dict(state["model"])
        for (optimizer, _), stored in zip(self._optimizers, state["optimizers"], strict=True):
            optimizer.load_state_dict(stored)
        self.progress = Progress(**state["progress"])
        return True


def sum_loss(
    hidden: Tensor, weight: Tensor, targets: Tensor, of_chunk: Callable[[Tensor, Tensor, Tensor], Tensor]
) -> Tensor:
    """Return the summed loss over all rows, a chunk of logits at a time."""
    total = torch.zeros(())
    for start in range(0, len(targets), _LOSS_CHUNK):
        rows = slice(start, start + _LOSS_CHUNK)
        total = total + of_chunk(hidden[rows], weight, targets[rows])
    return total


@contextlib.contextmanager
def _evaluating(model: LlamaForCausalLM) -> Iterator[None]:
    model.train(False)
    try:
        with torch.inference_mode():
            yield
    finally:
        model.train()


def held_out_loss(
    model: LlamaForCausalLM, tokens: npt.NDArray[np.uint16], length: int, max_pieces: int
) -> float:
    """Return nats per token over up to `max_pieces` pieces of `length` tokens spread over one book."""
    length = min(length, len(tokens) - 1)  # of a book shorter than a piece, the whole
    pieces = min(max_pieces, (len(tokens) - 1) // length)
    starts = np.linspace(0, len(tokens) - 1 - length, pieces).astype(int)
    total = 0.0
    with _evaluating(model), torch.autocast("cpu", dtype=torch.bfloat16, enabled=True):
        for start in starts:
            piece = torch.from_numpy(tokens[start : start + length + 1].astype(np.int64))
            hidden = model.model(piece[None, :-1], use_cache=False).last_hidden_state[0]
            total += float(sum_loss(hidden, model.lm_head.weight, piece[1:], chunk_loss))
    return total / (pieces * length)


def save_model(model: LlamaForCausalLM, folder: Path) -> None:
    """Write the weights in bfloat16 safetensors, shards under 16 MB, with the configuration."""
    weights = LlamaForCausalLM(model.config)
    weights.load_state_dict(model.state_dict())
    module: Any = weights  # the library wraps `to` in a way that type checkers cannot follow
    module.to(torch.bfloat16)
    weights.save_pretrained(folder, max_shard_size="15MB")


def write_report(path: Path, plan: TrainingPlan, progress: Progress, losses: dict[str, float]) -> None:
    """Write what the model card quotes: plan, cost, loss of every held-out book (nats per token)."""
    report = {"plan": asdict(plan), "progress": asdict(progress), "held_out_loss": losses}
    path.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def decode_words(tokenizer: Tokenizer, tokens: Sequence[int]) -> int:
    """Return the number of words in a piece of tokens, for perplexity per word."""
    return len(tokenizer.decode(list(tokens)).split())
