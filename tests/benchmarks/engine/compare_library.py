"""`compare`: plain decoding against the library's `generate`, reading included, in turns, in one run."""

from __future__ import annotations

import argparse
import dataclasses
import statistics
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import torch

from quire_engine.api.config import PLAIN, SamplingConfig
from quire_engine.engine import LoadedModel
from quire_engine.models import loading
from quire_engine.runtime.session import DraftingSession
from tests.benchmarks.engine import options
from tests.benchmarks.engine.methods import read_all


@dataclass(frozen=True, slots=True)
class Comparison:
    """Tokens per second, reading included: medians over the turns, and the median of their ratios."""

    dtype: str
    threads: int
    prompt_tokens: int
    new_tokens: int
    quire_tokens_per_s: float
    generate_tokens_per_s: float
    ratio: float
    ratios: tuple[float, ...]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what it can be asked beside the common options."""
    parser.add_argument("--prompt-tokens", type=int, default=512)
    parser.add_argument("--tokens", type=int, default=256)
    parser.add_argument("--turns", type=int, default=5, help="after one that warms up")


def run(args: argparse.Namespace, say: options.Say) -> dict[str, Any]:
    """Compare both in float32 and bfloat16, or in the format that was asked for."""
    formats = ["float32", "bfloat16"] if args.dtype == "auto" else [args.dtype]
    results: list[Comparison] = []
    machine: dict[str, Any] = {}
    for dtype in formats:
        wanted = argparse.Namespace(**{**vars(args), "dtype": dtype})
        loaded = options.load(wanted)
        machine = options.describe(loaded)
        result = compare(loaded, wanted)
        results.append(result)
        say(
            f"{result.dtype}, {result.threads} threads, {result.prompt_tokens}+{result.new_tokens} tokens: "
            f"Quire {result.quire_tokens_per_s:.1f} tokens/s, generate {result.generate_tokens_per_s:.1f}, "
            f"ratio {result.ratio:.2f} (each turn: {', '.join(f'{r:.2f}' for r in result.ratios)})"
        )
    return {"machine": machine, "comparisons": [asdict(result) for result in results]}


def compare(loaded: LoadedModel, args: argparse.Namespace) -> Comparison:
    """Measure both in turns with the same model, prompt, threads and sampling rules."""
    transformers_model = load_transformers_model(loaded, args)
    sampling = SamplingConfig(seed=args.seed)
    prompt = _prompt(args.prompt_tokens, int(transformers_model.config.vocab_size), set(loaded.suppressed))
    ours: list[float] = []
    theirs: list[float] = []
    for turn in range(args.turns + 1):
        fresh = dataclasses.replace(sampling, seed=args.seed + turn)
        seconds = (
            _time_quire(loaded, prompt, args.tokens, fresh),
            _time_generate(transformers_model, prompt, args.tokens, fresh),
        )
        if turn:  # the first turn warms both up
            ours.append(args.tokens / seconds[0])
            theirs.append(args.tokens / seconds[1])
    ratios = tuple(a / b for a, b in zip(ours, theirs, strict=True))
    return Comparison(
        dtype=loaded.description.identity.dtype,
        threads=torch.get_num_threads(),
        prompt_tokens=args.prompt_tokens,
        new_tokens=args.tokens,
        quire_tokens_per_s=statistics.median(ours),
        generate_tokens_per_s=statistics.median(theirs),
        ratio=statistics.median(ratios),
        ratios=ratios,
    )


def load_transformers_model(loaded: LoadedModel, args: argparse.Namespace) -> Any:
    """Return the library's own model in the same dtype (of int8, in float32), with its default attention."""
    own = loaded.description.identity.dtype
    dtype = torch.float32 if own == "int8" else getattr(torch, own)
    folder = loading.inspect_folder(options.model_folder(args))
    transformers_model: Any = loading.build_model(folder, dtype)
    transformers_model.set_attn_implementation("sdpa")
    return transformers_model.to(loaded.target.network.device)


def _prompt(count: int, vocab_size: int, suppressed: set[int]) -> list[int]:
    """Return fixed token ids: what they say does not matter for time."""
    generator = torch.Generator().manual_seed(1)
    ids: list[int] = torch.randint(0, vocab_size, (2 * count + 64,), generator=generator).tolist()
    return [token for token in ids if token not in suppressed][:count]


def _time_quire(loaded: LoadedModel, prompt: Sequence[int], count: int, sampling: SamplingConfig) -> float:
    started = time.perf_counter()
    session = DraftingSession(loaded, prompt, (), sampling, PLAIN)
    for _ in range(count):
        read_all(session)
        session.step()
    return time.perf_counter() - started


def _time_generate(
    transformers_model: Any, prompt: Sequence[int], count: int, sampling: SamplingConfig
) -> float:
    ids = torch.tensor([list(prompt)], device=transformers_model.device)
    torch.manual_seed(sampling.seed)
    started = time.perf_counter()
    with torch.inference_mode():
        transformers_model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=count,
            do_sample=True,
            temperature=sampling.temperature,
            top_k=0,
            min_p=sampling.min_p,
            repetition_penalty=sampling.repetition_penalty,
            pad_token_id=0,
        )
    return time.perf_counter() - started
