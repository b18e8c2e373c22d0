"""`llama_cpp`: Fast against llama.cpp and the library: one file, one text, in turns, in one run."""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch

from quire.domain.drafting.presets import BALANCED
from quire_engine.api.config import PLAIN, DraftingConfig, SamplingConfig
from quire_engine.api.sampling_scale import scaled
from quire_engine.cli.arguments import add_sampling_options, sampling_of
from quire_engine.engine import LoadedModel
from quire_engine.models import loading
from tests.benchmarks.engine import options
from tests.benchmarks.engine.gguf_formats import write_converted
from tests.benchmarks.engine.llama_cpp_method import NGRAMS, LlamaCppMethod
from tests.benchmarks.engine.methods import LibraryMethod, Method, MethodTurn, OwnMethod
from tests.benchmarks.engine.prompt_texts import add_prompt_option, fitting, opening_text, prose_ids
from tests.benchmarks.engine.speed import take_turns

PLAIN_FAST, SWIFT_FAST, GENERATE = "Quire plain", "Quire TokenSwift", "transformers.generate, bf16"
ONE_GUESS = "Quire, one trained guess a pass"
OF_FILE = "llama.cpp, the file itself"
SPECULATING = f"{OF_FILE}, n-grams"
CONVERTED = {"llama.cpp, Q8_0": "Q8_0", "llama.cpp, bf16": "BF16"}


@dataclass(frozen=True, slots=True)
class Result:
    """One method at one length: medians over the turns.

    Attributes:
        written: tokens that each method wrote before these turns.
        over_llama_cpp: its speed over that of llama.cpp with the same file, by processor time; median of the
            ratios of the turns.
    """

    name: str
    threads: int
    context: int
    written: int
    tokens_per_s: float
    tokens_per_processor_s: float
    over_llama_cpp: float


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what it can be asked beside the common options."""
    options.add_file_option(parser)
    parser.add_argument("--lengths", type=int, nargs="+", default=[512, 4096], help="tokens of context")
    parser.add_argument("--each-threads", type=int, nargs="+", default=[1, 2], metavar="THREADS")
    parser.add_argument("--tokens", type=int, default=48, help="new tokens per turn")
    parser.add_argument("--turns", type=int, default=7, help="after the first ones")
    parser.add_argument("--first-turns", type=int, default=4, help="in which automatic drafting settles")
    parser.add_argument("--without-generate", action="store_true", help="it reads everything in each turn")
    parser.add_argument("--without-converted", action="store_true", help="the file itself alone")
    add_prompt_option(parser)
    add_sampling_options(parser)
    parser.set_defaults(penalty_growth=BALANCED.sampling.penalty_growth)


def run(args: argparse.Namespace, say: options.Say) -> dict[str, Any]:
    """Measure every method with each number of threads at every length that the model can hold.

    Quire's model has what ships for the file beside it, as a writer's has.
    """
    file = options.model_file(args)
    machine: dict[str, Any] = {}
    results: list[Result] = []
    with tempfile.TemporaryDirectory() as folder:
        models = {OF_FILE: file, SPECULATING: file}
        for name, number_format in () if args.without_converted else CONVERTED.items():
            models[name] = write_converted(file, Path(folder, f"{number_format}.gguf"), number_format)
        imported = options.imported_file(file, Path(folder))
        for threads in args.each_threads:
            loaded = options.load_fast(imported, threads, Path(folder))
            if not machine:
                machine = options.describe(loaded)
                say(options.heading(machine))
            results += _compare(args, say, loaded, models, imported)
    return {"machine": machine, "results": [asdict(each) for each in results]}


def _compare(
    args: argparse.Namespace,
    say: options.Say,
    loaded: LoadedModel,
    models: dict[str, Path],
    imported: Path,
) -> list[Result]:
    """Measure every method with the threads of a loaded model."""
    threads, sampling = torch.get_num_threads(), writers_sampling(args, loaded)
    turns = args.first_turns + args.turns
    num_written = turns * (args.tokens + loaded.target.width)
    lengths, too_long = fitting(args.lengths, loaded.target.context_length, num_written)
    if too_long:
        say(f"No room for {num_written:,} more tokens after {', '.join(map(str, too_long))}.")
    text = prose_ids(loaded, opening_text(args.prompt_file), max(lengths, default=1), sampling)
    results: list[Result] = []
    for length in lengths:
        context, room = text[:length], length + num_written + args.tokens
        methods = [
            *_own_methods(loaded, context, sampling),
            *_their_methods(models, sampling, threads, room),
        ]
        if not args.without_generate:
            library = loading.build_model(loading.inspect_folder(imported), torch.bfloat16)
            methods.append(LibraryMethod(GENERATE, library, sampling))
        taken = take_turns(methods, context, args.tokens, turns, num_dropped=0)
        for written, part in parts_of(taken, args.first_turns, args.tokens):
            found = results_of(part, threads, length, written)
            say(f"\n{threads} threads, {length:,} tokens of context and {written} new ones, {_turns(part)}")
            for line in table(found):
                say(line)
            results += found
    return results


def writers_sampling(args: argparse.Namespace, loaded: LoadedModel) -> SamplingConfig:
    """Return the rules that were asked for as they follow the model; *Balanced* where none were."""
    sampling, scale = sampling_of(args), loaded.description.scale
    return sampling if scale is None else scaled(sampling, scale)


def _own_methods(loaded: LoadedModel, context: Sequence[int], sampling: SamplingConfig) -> list[Method]:
    ways = {PLAIN_FAST: PLAIN, SWIFT_FAST: DraftingConfig("tokenswift")}
    if "feature" in options.trained_drafters(loaded):
        ways[ONE_GUESS] = DraftingConfig("tokenswift", ("feature",), (1,))
    return [OwnMethod(name, loaded, context, sampling, drafting) for name, drafting in ways.items()]


def _their_methods(
    models: dict[str, Path], sampling: SamplingConfig, threads: int, room: int
) -> list[Method]:
    return [
        LlamaCppMethod(
            name,
            file,
            sampling,
            threads=threads,
            context_length=room,
            speculation=NGRAMS if name == SPECULATING else "",
        )
        for name, file in models.items()
    ]


def parts_of(
    taken: dict[str, list[MethodTurn]], num_first: int, count: int
) -> list[tuple[int, dict[str, list[MethodTurn]]]]:
    """Return the first turns and the later ones, each with the tokens that were written before them."""
    first = {name: turns[:num_first] for name, turns in taken.items()}
    later = {name: turns[num_first:] for name, turns in taken.items()}
    parts = [(0, first), (num_first * count, later)]
    return [(written, part) for written, part in parts if all(part.values())]


def _turns(part: dict[str, list[MethodTurn]]) -> str:
    return f"median of {len(part[OF_FILE])} turns"


def results_of(
    turns: dict[str, list[MethodTurn]], threads: int, context: int, written: int = 0
) -> list[Result]:
    """Return medians, and ratios within a turn, where the machine was in the same state."""
    base = turns[OF_FILE]
    return [
        Result(
            name,
            threads,
            context,
            written,
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
