"""`speed`: TokenSwift against our plain decoding and against the library, in turns, at several lengths."""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quire_engine.api.config import PLAIN, DraftingConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.cli.arguments import add_sampling_options, sampling_of
from quire_engine.engine import LoadedModel
from quire_engine.metrics.acceptance import RunMetrics
from tests.benchmarks.engine import compare_library, options
from tests.benchmarks.engine.methods import LibraryMethod, Method, MethodTurn, OwnMethod
from tests.benchmarks.engine.prompt_texts import add_prompt_option, fitting, opening_text, prose_ids
from tests.proofs.engine.cases import OWN_SOURCES

TOKENSWIFT = "TokenSwift"
EXACT_ONLY = "TokenSwift, unpadded"
PLAIN_PADDED = "plain"
PLAIN_UNPADDED = "plain, unpadded"
GENERATE = "generate"
PROMPT_LOOKUP = "generate, prompt lookup"
BASELINES = (PLAIN_UNPADDED, PLAIN_PADDED, GENERATE, PROMPT_LOOKUP)
_LOOKED_UP = 10


@dataclass(frozen=True, slots=True)
class Result:
    """One method at one length: medians over the turns.

    Attributes:
        tokens_per_s: of decoding.
        over: speed over each baseline, median of the ratios of the turns.
        cost_of_a_pass: its verify pass over an unpadded plain one.
        ceiling: tokens per pass / cost of a pass.
        draft_share, outside_share: share of the time in drafting, and outside of drafting and verify passes.
    """

    name: str
    tokens_per_s: float
    each_turn: tuple[float, ...]
    over: dict[str, float]
    tokens_per_pass: float | None = None
    cost_of_a_pass: float | None = None
    ceiling: float | None = None
    draft_share: float | None = None
    outside_share: float | None = None
    figures: dict[str, Any] | None = None

    def report(self) -> dict[str, Any]:
        """Return it for a JSON report."""
        return {name: getattr(self, name) for name in self.__slots__}


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what it can be asked beside the common options."""
    parser.add_argument(
        "--lengths",
        type=int,
        nargs="+",
        default=[2048, 16384],
        help="tokens of context before the first turn",
    )
    parser.add_argument("--tokens", type=int, default=256, help="new tokens per turn")
    parser.add_argument("--turns", type=int, default=5, help="after one that warms up")
    parser.add_argument("--each", action="store_true", help="every single drafter too")
    add_prompt_option(parser)
    add_sampling_options(parser)


def run(args: argparse.Namespace, say: options.Say) -> dict[str, Any]:
    """Measure every method at every length that the model's context allows."""
    sampling = sampling_of(args)
    loaded = options.load(args)
    unpadded = options.load_unpadded(args)
    transformers_model = compare_library.load_transformers_model(loaded, args)
    machine = options.describe(loaded)
    say(options.heading(machine))
    num_written = (args.turns + 1) * args.tokens + (args.turns + 1) * loaded.target.width
    lengths, too_long = fitting(args.lengths, loaded.target.context_length, num_written)
    if too_long:
        say(
            f"The model holds {loaded.target.context_length:,} tokens: no room for {num_written:,} more "
            f"after {', '.join(f'{length:,}' for length in too_long)}."
        )
    text = opening_text(args.prompt_file)
    context = prose_ids(loaded, text, max(lengths, default=1), sampling)
    report: list[dict[str, Any]] = []
    for length in lengths:
        methods, missing = _methods(args, loaded, unpadded, transformers_model, context[:length], sampling)
        turns = take_turns(methods, context[:length], args.tokens, args.turns)
        results = results_of(turns)
        report.append({"context": length, "methods": [r.report() for r in results], "missing": missing})
        say(f"\n{length:,} tokens of context, {args.tokens} new ones a turn, median of {args.turns} turns")
        for line in [*table(results), *[f"{name}: {reason}" for name, reason in missing.items()]]:
            say(line)
    return {"machine": machine, "sampling": _settings(sampling), "lengths": report, "too_long": too_long}


def take_turns(
    methods: Sequence[Method], prompt_ids: Sequence[int], count: int, turns: int, num_dropped: int = 1
) -> dict[str, list[MethodTurn]]:
    """Let the methods write in turns, A B C A B C; the first turns of each warm it up and are dropped.

    All of them decode at the same length: the library reads what the reproducible run had before the turn.
    """
    taken: dict[str, list[MethodTurn]] = {method.name: [] for method in methods}
    reference = next((m for m in methods if isinstance(m, OwnMethod)), None)
    for turn in range(num_dropped + turns):
        written = () if reference is None else reference.generated_ids
        context = [*prompt_ids, *written[: turn * count]]
        for method in methods:
            done = method.write(context, count)
            if turn >= num_dropped:
                taken[method.name].append(done)
    return taken


def results_of(turns: dict[str, list[MethodTurn]]) -> list[Result]:
    """Return medians and ratios; ratios are taken within a turn, where the machine was in the same state."""
    results: list[Result] = []
    for name, taken in turns.items():
        speeds = tuple(turn.tokens_per_s for turn in taken)
        over = {
            base: statistics.median(
                ours.tokens_per_s / theirs.tokens_per_s
                for ours, theirs in zip(taken, turns[base], strict=True)
            )
            for base in BASELINES
            if base in turns and base != name
        }
        plain = turns.get(PLAIN_UNPADDED)
        results.append(Result(name, statistics.median(speeds), speeds, over, **_pass_figures(taken, plain)))
    return results


def _pass_figures(taken: Sequence[MethodTurn], plain: Sequence[MethodTurn] | None) -> dict[str, Any]:
    """Return what only our own methods can tell: what a pass brings and costs, and where the time went."""
    figures = [turn.figures for turn in taken if turn.figures is not None]
    if not figures:
        return {}
    per_pass = sum(f.num_tokens for f in figures) / sum(f.num_steps for f in figures)
    total_ms = sum(f.total_ms for f in figures)
    cost: float | None = None
    if plain is not None:
        base = [turn.figures for turn in plain if turn.figures is not None]
        cost = statistics.median(_pass_ms(a) / _pass_ms(b) for a, b in zip(figures, base, strict=True))
    return {
        "tokens_per_pass": per_pass,
        "cost_of_a_pass": cost,
        "ceiling": None if cost is None else per_pass / cost,
        "draft_share": sum(f.draft_ms for f in figures) / total_ms,
        "outside_share": sum(f.rest_ms for f in figures) / total_ms,
        "figures": figures[-1].report(),
    }


def _pass_ms(figures: RunMetrics) -> float:
    return figures.verify_ms / figures.num_steps


def table(results: Sequence[Result]) -> list[str]:
    """Return the results as lines for people; methods of the library have no passes to tell of."""
    lines = [
        f"{'':26}{'tokens/s':>9}{'/ unpad.':>9}{'/ plain':>8}{'/ gen.':>8}{'/ lookup':>9}"
        f"{'per pass':>9}{'cost':>6}{'ceiling':>8}{'draft':>7}{'outside':>8}"
    ]
    for r in results:
        over = [r.over.get(base) for base in BASELINES]
        lines.append(
            f"{r.name:26}{r.tokens_per_s:9.1f}{_times(over[0]):>9}{_times(over[1]):>8}{_times(over[2]):>8}"
            f"{_times(over[3]):>9}"
            f"{_number(r.tokens_per_pass):>9}{_number(r.cost_of_a_pass):>6}{_times(r.ceiling):>8}"
            f"{_percent(r.draft_share):>7}{_percent(r.outside_share):>8}"
        )
    return lines


def _methods(
    args: argparse.Namespace,
    loaded: LoadedModel,
    unpadded: LoadedModel,
    transformers_model: Any,
    prompt_ids: Sequence[int],
    sampling: SamplingConfig,
) -> tuple[list[Method], dict[str, str]]:
    """Return the methods that can be measured, and why the others cannot."""
    wanted = [(TOKENSWIFT, loaded, DraftingConfig("tokenswift"))]
    if args.each:
        wanted += [(f"{TOKENSWIFT}: {s}", loaded, DraftingConfig("tokenswift", (s,))) for s in OWN_SOURCES]
    wanted.append((EXACT_ONLY, options.exact_only(loaded), DraftingConfig("tokenswift")))
    wanted += [(PLAIN_PADDED, loaded, PLAIN), (PLAIN_UNPADDED, unpadded, PLAIN)]
    methods: list[Method] = []
    missing: dict[str, str] = {}
    for name, model, drafting in wanted:
        try:
            methods.append(OwnMethod(name, model, prompt_ids, sampling, drafting))
        except EnvironmentProblem as problem:
            missing[name] = str(problem)
    methods.append(LibraryMethod(GENERATE, transformers_model, sampling))
    methods.append(LibraryMethod(PROMPT_LOOKUP, transformers_model, sampling, _LOOKED_UP))
    return methods, missing


def _settings(sampling: SamplingConfig) -> dict[str, Any]:
    return {name: getattr(sampling, name) for name in sampling.__slots__}


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _times(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}x"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.0%}"
