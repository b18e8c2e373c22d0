"""`llama_cpp`: Fast against llama.cpp and the library: one file, one text, in turns, in one run."""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from quire_engine.api.config import PLAIN, DraftingConfig, ModelConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.cli.arguments import add_sampling_options, sampling_of
from quire_engine.engine import LoadedModel, load_model
from quire_engine.importing.model_import import import_model
from quire_engine.models import loading
from tests.benchmarks.engine import options
from tests.benchmarks.engine.gguf_formats import write_converted
from tests.benchmarks.engine.llama_cpp_method import NGRAMS, LlamaCppMethod
from tests.benchmarks.engine.methods import LibraryMethod, Method, MethodTurn, OwnMethod
from tests.benchmarks.engine.prompt_texts import add_prompt_option, fitting, opening_text, prose_ids
from tests.benchmarks.engine.speed import take_turns

PLAIN_FAST, SWIFT_FAST, GENERATE = "Quire plain", "Quire TokenSwift", "transformers.generate, bf16"
OF_FILE = "llama.cpp, the file itself"
SPECULATING = f"{OF_FILE}, n-grams"
CONVERTED = {"llama.cpp, Q8_0": "Q8_0", "llama.cpp, bf16": "BF16"}


@dataclass(frozen=True, slots=True)
class Result:
    """One method at one length: medians over the turns.

    Attributes:
        over_llama_cpp: its speed over that of llama.cpp with the same file, by processor time; median of the
            ratios of the turns.
    """

    name: str
    threads: int
    context: int
    tokens_per_s: float
    tokens_per_processor_s: float
    over_llama_cpp: float


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what it can be asked beside the common options."""
    parser.add_argument("--gguf", type=Path, default=None, help="model file; default: the starter model's")
    parser.add_argument("--lengths", type=int, nargs="+", default=[512, 4096], help="tokens of context")
    parser.add_argument("--each-threads", type=int, nargs="+", default=[1, 2], metavar="THREADS")
    parser.add_argument("--tokens", type=int, default=48, help="new tokens per turn")
    parser.add_argument("--turns", type=int, default=7, help="after one that warms up")
    parser.add_argument("--without-generate", action="store_true", help="it reads everything in each turn")
    add_prompt_option(parser)
    add_sampling_options(parser)


def run(args: argparse.Namespace, say: options.Say) -> dict[str, Any]:
    """Measure every method with each number of threads at every length that the model can hold."""
    sampling, file = sampling_of(args), model_file(args)
    machine: dict[str, Any] = {}
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as folder:
        models = {OF_FILE: file, SPECULATING: file}
        for name, number_format in CONVERTED.items():
            models[name] = write_converted(file, Path(folder, f"{number_format}.gguf"), number_format)
        imported = import_model(file, Path(folder))
        for threads in args.each_threads:
            loaded = load_model(
                ModelConfig(
                    str(imported), dtype="int8", threads=threads, context=1 << 24, cache_folder=folder
                )
            )
            torch.set_num_threads(threads)
            if not machine:
                machine = options.describe(loaded)
                say(options.heading(machine))
            results += _compare(args, say, sampling, loaded, models, imported)
    return {"machine": machine, "results": [asdict(each) for each in results]}


def model_file(args: argparse.Namespace) -> Path:
    """Return the model file that was named, or the starter model's."""
    if args.gguf is not None:
        return Path(args.gguf)
    found = sorted(Path(sys.prefix, "share", "quire", "models").glob("*.gguf"))
    if not found:
        raise EnvironmentProblem("The starter model is not there; name a file with --gguf.")
    return found[0]


def _compare(
    args: argparse.Namespace,
    say: options.Say,
    sampling: SamplingConfig,
    loaded: LoadedModel,
    models: dict[str, Path],
    imported: Path,
) -> list[Result]:
    """Measure every method with the threads of a loaded model."""
    threads, num_written = torch.get_num_threads(), (args.turns + 1) * (args.tokens + loaded.target.width)
    lengths, too_long = fitting(args.lengths, loaded.target.context_length, num_written)
    if too_long:
        say(f"No room for {num_written:,} more tokens after {', '.join(map(str, too_long))}.")
    text = prose_ids(loaded, opening_text(args.prompt_file), max(lengths, default=1), sampling)
    results: list[Result] = []
    for length in lengths:
        context, room = text[:length], length + num_written + args.tokens
        methods: list[Method] = [
            OwnMethod(PLAIN_FAST, loaded, context, sampling, PLAIN),
            OwnMethod(SWIFT_FAST, loaded, context, sampling, DraftingConfig("tokenswift")),
        ]
        for name, file in models.items():
            speculation = NGRAMS if name == SPECULATING else ""
            methods.append(
                LlamaCppMethod(
                    name, file, sampling, threads=threads, context_length=room, speculation=speculation
                )
            )
        if not args.without_generate:
            library = loading.build_model(loading.inspect_folder(imported), torch.bfloat16)
            methods.append(LibraryMethod(GENERATE, library, sampling))
        found = results_of(take_turns(methods, context, args.tokens, args.turns), threads, length)
        say(f"\n{threads} threads, {length:,} tokens of context, median of {args.turns} turns")
        for line in table(found):
            say(line)
        results += found
    return results


def results_of(turns: dict[str, list[MethodTurn]], threads: int, context: int) -> list[Result]:
    """Return medians, and ratios within a turn, where the machine was in the same state."""
    base = turns[OF_FILE]
    return [
        Result(
            name,
            threads,
            context,
            statistics.median(turn.tokens_per_s for turn in taken),
            statistics.median(turn.tokens_per_processor_s for turn in taken),
            _ratio(taken, base),
        )
        for name, taken in turns.items()
    ]


def _ratio(ours: Sequence[MethodTurn], theirs: Sequence[MethodTurn]) -> float:
    return statistics.median(
        a.tokens_per_processor_s / b.tokens_per_processor_s for a, b in zip(ours, theirs, strict=True)
    )


def table(results: Sequence[Result]) -> list[str]:
    """Return the results as lines for people."""
    lines = [f"{'':36}{'tokens/s':>10}{'per CPU s':>11}{'/ llama.cpp':>13}"]
    for each in results:
        lines.append(
            f"{each.name:36}{each.tokens_per_s:10.1f}{each.tokens_per_processor_s:11.1f}"
            f"{each.over_llama_cpp:12.2f}x"
        )
    return lines
