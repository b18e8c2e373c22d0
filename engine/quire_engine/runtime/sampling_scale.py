"""Measures how a model weighs its words when it is first loaded, and keeps that with its fingerprint."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from quire_engine.api.atomic_file import replace_file
from quire_engine.api.sampling_scale import SamplingScale
from quire_engine.models.target_model import Runner
from quire_engine.prompt.tokenization import encode_text
from quire_engine.runtime.measured_page import PAGE

FILE_NAME = "model-sampling.json"
_FORMAT = 1
_MAX_ENTRIES = 64
_MAX_BYTES = 1 << 20
_READ, _FIRST = 256, 16  # tokens of the page that are read, and the first place that is judged
_LEAST_PLACES = 32
_ROWS_AT_ONCE = 16
_TEMPERATURES = np.exp(np.linspace(math.log(0.6), math.log(1.8), 9))


def scale_of(
    runner: Runner,
    tokenizer: Tokenizer,
    vocab_size: int,
    model: str,
    cache_folder: Path | None,
    measured: SamplingScale | None = None,
) -> SamplingScale | None:
    """Return how a model weighs its words; None where it cannot read the page. The cache is empty afterwards.

    Args:
        model: its fingerprint and number format, under which the result is kept in `cache_folder`.
        measured: what this load measured already.
    """
    kept = {} if cache_folder is None else _read(cache_folder / FILE_NAME)
    if (found := kept.get(model)) is not None:
        return found
    measured = measured or measure_scale(runner, tokenizer, vocab_size)
    if measured is not None and cache_folder is not None:
        entries = dict([*kept.items(), (model, measured)][-_MAX_ENTRIES:])
        _write(cache_folder / FILE_NAME, entries)
    return measured


def measure_scale(runner: Runner, tokenizer: Tokenizer, vocab_size: int) -> SamplingScale | None:
    """Read the page once and measure; see `scale_of`."""
    ids = [token for token in encode_text(tokenizer, PAGE).ids if token < vocab_size]
    ids = ids[: min(_READ, runner.context_length - 1)]
    if len(ids) <= _FIRST + _LEAST_PLACES:
        return None
    runner.reset()
    runner.prefill(ids)
    seen: list[float] = []
    losses: list[Tensor] = []
    # passes whose bits are the same on every computer deserve a result that is: rounded, doubles are
    precision = torch.float64 if runner.reads_alike else torch.float32
    for start in range(_FIRST, len(ids) - 1, _ROWS_AT_ONCE):
        places = range(start, min(start + _ROWS_AT_ONCE, len(ids) - 1))
        logits = _logits(runner, places)
        seen.extend(
            float(row[ids[: place + 1]].max().abs()) for row, place in zip(logits, places, strict=True)
        )
        losses.append(_losses(logits.to(precision), [ids[place + 1] for place in places]))
    runner.reset()
    by_temperature = torch.cat(losses).double().mean(0).numpy()
    scale = SamplingScale(round(sum(seen) / len(seen), 2), round(_best(by_temperature), 3))
    return scale if math.isfinite(scale.seen_logit) and scale.seen_logit > 0 else None


@torch.inference_mode()
def _logits(runner: Runner, rows: range) -> Tensor:
    """Return the float32 logits of some rows of the last pass: (rows, vocab), on the host."""
    return runner.scores(rows.start, rows.stop).float().cpu()


def _losses(logits: Tensor, targets: Sequence[int]) -> Tensor:
    """Return the nats of each row's target at each temperature: (rows, temperatures)."""
    below = logits - logits.amax(-1, keepdim=True)
    wanted = below.gather(1, torch.tensor(targets)[:, None])[:, 0]
    # one after the other, in the same memory: all temperatures at once take longer
    shares = torch.empty_like(below)
    each = [torch.mul(below, 1 / t, out=shares).exp_().sum(-1).log_() - wanted / t for t in _TEMPERATURES]
    return torch.stack(each, dim=-1)


def _best(losses: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """Return the temperature at the bottom of a parabola through the best three."""
    best = int(np.clip(losses.argmin(), 1, len(losses) - 2))
    before, here, after = losses[best - 1 : best + 2]
    bend = before - 2 * here + after
    offset = 0.0 if bend <= 0 else float(np.clip(0.5 * (before - after) / bend, -1, 1))
    step = math.log(_TEMPERATURES[1] / _TEMPERATURES[0])
    return float(_TEMPERATURES[best] * math.exp(offset * step))


def _read(file: Path) -> dict[str, SamplingScale]:
    """Return what is kept; nothing if the file is missing or damaged."""
    try:
        if file.stat().st_size > _MAX_BYTES:
            return {}
        content: Any = json.loads(file.read_text(encoding="utf-8"))
        if content["format"] != _FORMAT:
            return {}
        entries = {str(name): SamplingScale(*map(float, value)) for name, value in content["scales"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
    return {name: scale for name, scale in entries.items() if _is_plausible(scale)}


def _is_plausible(scale: SamplingScale) -> bool:
    return 0 < scale.seen_logit < 1e6 and 0.1 < scale.temperature < 10


def _write(file: Path, scales: dict[str, SamplingScale]) -> None:
    """Replace the file; if the folder is not writable, the next load measures again."""
    entries = {name: [scale.seen_logit, scale.temperature] for name, scale in scales.items()}
    content = json.dumps({"format": _FORMAT, "scales": entries}) + "\n"
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, content.encode())
