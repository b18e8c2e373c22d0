"""Measures how a model weighs its words when it is first loaded, and keeps that with its fingerprint."""

from __future__ import annotations

import contextlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor

from quire_engine.api.atomic_file import replace_file
from quire_engine.api.config import PREFILL_CHUNK
from quire_engine.api.sampling_scale import SamplingScale
from quire_engine.models.target_model import Runner
from quire_engine.prompt.tokenization import encode_text
from quire_engine.runtime.measured_page import PAGE

FILE_NAME = "model-sampling.json"
_FORMAT = 1
_MAX_ENTRIES = 64
_MAX_BYTES = 1 << 20
_FIRST, _STEP = 64, 3  # the first place that is judged, and the distance between two
_LEAST_PLACES = 32
_TEMPERATURES = np.exp(np.linspace(math.log(0.6), math.log(1.8), 9))


def scale_of(
    runner: Runner, tokenizer: Tokenizer, vocab_size: int, model: str, cache_folder: Path | None
) -> SamplingScale | None:
    """Return how a model weighs its words; None where it cannot read the page. The cache is empty afterwards.

    model: its fingerprint and number format, under which the result is kept in `cache_folder`.
    """
    kept = {} if cache_folder is None else _read(cache_folder / FILE_NAME)
    if (found := kept.get(model)) is not None:
        return found
    measured = measure_scale(runner, tokenizer, vocab_size)
    if measured is not None and cache_folder is not None:
        entries = dict([*kept.items(), (model, measured)][-_MAX_ENTRIES:])
        _write(cache_folder / FILE_NAME, entries)
    return measured


def measure_scale(runner: Runner, tokenizer: Tokenizer, vocab_size: int) -> SamplingScale | None:
    """Read the page once and measure; see `scale_of`."""
    ids = [token for token in encode_text(tokenizer, PAGE).ids if token < vocab_size]
    ids = ids[: min(2 * PREFILL_CHUNK, runner.context_length - 1)]
    if len(ids) < _FIRST + _LEAST_PLACES * _STEP:
        return None
    runner.reset()
    seen: list[float] = []
    losses: list[Tensor] = []
    for start in range(0, len(ids), PREFILL_CHUNK):
        chunk = ids[start : start + PREFILL_CHUNK]
        runner.prefill(chunk)
        places = [place for place in range(_FIRST, len(ids) - 1, _STEP) if 0 <= place - start < len(chunk)]
        for place in places:
            logits = _logits(runner, place - start)
            seen.append(float(logits[ids[: place + 1]].max().abs()))
            losses.append(_losses(logits, ids[place + 1]))
    runner.reset()
    by_temperature = torch.stack(losses).double().mean(0).numpy()
    scale = SamplingScale(round(sum(seen) / len(seen), 2), round(_best(by_temperature), 3))
    return scale if math.isfinite(scale.seen_logit) and scale.seen_logit > 0 else None


@torch.inference_mode()
def _logits(runner: Runner, row: int) -> Tensor:
    """Return the float32 logits of a row of the last pass: (vocab,)."""
    return runner.scores(row, row + 1)[0].float().cpu()


def _losses(logits: Tensor, target: int) -> Tensor:
    """Return the nats of a token at each temperature."""
    divided = logits[None] / torch.from_numpy(_TEMPERATURES).float()[:, None]
    return divided.logsumexp(-1) - divided[:, target]


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
