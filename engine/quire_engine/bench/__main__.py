"""`python -m quire_engine.bench`: plain decoding against the library's `generate`, in turns, in one run."""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from quire_engine.config import PASS_WIDTH, ModelConfig, SamplingConfig
from quire_engine.decoding.stream import TokenStream
from quire_engine.engine import LoadedModel, load_model
from quire_engine.errors import EnvironmentProblem
from quire_engine.models import loading


@dataclass(frozen=True, slots=True)
class Comparison:
    """Tokens per second, reading included: medians over the repeats, and the median of their ratios."""

    dtype: str
    threads: int
    prompt_tokens: int
    new_tokens: int
    quire_tokens_per_s: float
    generate_tokens_per_s: float
    ratio: float
    ratios: tuple[float, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the comparison for each number format; print a line each and write JSON where asked to."""
    args = _parser().parse_args(arguments)
    try:
        results = [
            compare(
                args.model, dtype, args.threads, args.prompt_tokens, args.tokens, args.repeats, args.width
            )
            for dtype in args.dtype
        ]
    except EnvironmentProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    for result in results:
        sys.stdout.write(
            f"{result.dtype}, {result.threads} threads, {result.prompt_tokens}+{result.new_tokens} tokens: "
            f"Quire {result.quire_tokens_per_s:.1f} tokens/s, generate {result.generate_tokens_per_s:.1f}, "
            f"ratio {result.ratio:.2f} (each turn: {', '.join(f'{r:.2f}' for r in result.ratios)})\n"
        )
    if args.json_path:
        report = {
            "machine": platform.processor() or platform.machine(),
            "software": loading.software_versions(),
            "comparisons": [asdict(result) for result in results],
        }
        args.json_path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m quire_engine.bench")
    parser.add_argument("--model", type=Path, required=True, help="model folder")
    parser.add_argument(
        "--dtype", nargs="+", choices=["float32", "bfloat16"], default=["float32", "bfloat16"]
    )
    parser.add_argument("--threads", type=int, default=0, help="for both; 0: Quire's own choice")
    parser.add_argument("--width", type=int, default=PASS_WIDTH)
    parser.add_argument("--prompt-tokens", type=int, default=512)
    parser.add_argument("--tokens", type=int, default=256)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", type=Path, dest="json_path", metavar="OUT")
    return parser


def compare(
    model: Path, dtype: str, threads: int, num_prompt: int, num_new: int, repeats: int, width: int
) -> Comparison:
    """Measure both in turns with the same model, prompt, threads and sampling rules."""
    loaded = load_model(
        ModelConfig(str(model), "bfloat16" if dtype == "bfloat16" else "float32", width, threads)
    )
    used_threads = torch.get_num_threads()
    library: Any = loading.build_model(loading.inspect_folder(model), getattr(torch, dtype))
    library.set_attn_implementation("sdpa")  # the library's default
    sampling = SamplingConfig(seed=1)
    prompt = _prompt(num_prompt, int(library.config.vocab_size), set(loaded.suppressed))
    ours: list[float] = []
    theirs: list[float] = []
    for turn in range(repeats + 1):
        seconds = (
            _time_quire(loaded, prompt, num_new, sampling),
            _time_generate(library, prompt, num_new, sampling),
        )
        if turn:  # the first turn warms both up
            ours.append(num_new / seconds[0])
            theirs.append(num_new / seconds[1])
    ratios = tuple(a / b for a, b in zip(ours, theirs, strict=True))
    return Comparison(
        dtype=dtype,
        threads=used_threads,
        prompt_tokens=num_prompt,
        new_tokens=num_new,
        quire_tokens_per_s=statistics.median(ours),
        generate_tokens_per_s=statistics.median(theirs),
        ratio=statistics.median(ratios),
        ratios=ratios,
    )


def _prompt(count: int, vocab_size: int, suppressed: set[int]) -> list[int]:
    """Return fixed token ids: what they say does not matter for time."""
    generator = torch.Generator().manual_seed(1)
    ids: list[int] = torch.randint(0, vocab_size, (2 * count + 64,), generator=generator).tolist()
    return [token for token in ids if token not in suppressed][:count]


def _time_quire(loaded: LoadedModel, prompt: list[int], count: int, sampling: SamplingConfig) -> float:
    started = time.perf_counter()
    stream = TokenStream(loaded.target, prompt, (), sampling, loaded.suppressed)
    while stream.num_generated < count:
        if stream.must_read:
            for _ in stream.read():
                pass
        stream.step()
    return time.perf_counter() - started


def _time_generate(library: Any, prompt: list[int], count: int, sampling: SamplingConfig) -> float:
    ids = torch.tensor([prompt])
    started = time.perf_counter()
    with torch.inference_mode():
        library.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            max_new_tokens=count,
            min_new_tokens=count,
            do_sample=True,
            temperature=sampling.temperature,
            top_k=0,
            min_p=sampling.min_p,
            repetition_penalty=sampling.repetition_penalty,
            pad_token_id=0,
        )
    return time.perf_counter() - started


if __name__ == "__main__":
    raise SystemExit(main())
