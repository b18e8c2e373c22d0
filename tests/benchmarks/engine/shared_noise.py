"""`rng`: what each drafter earns with and without the verifier's dice, and how varied the text is."""

from __future__ import annotations

import argparse
import dataclasses
from dataclasses import dataclass, field
from typing import Any

from quire_engine.api.config import DraftingConfig, SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.cli.arguments import add_sampling_options, sampling_of
from quire_engine.engine import LoadedModel
from quire_engine.metrics.distinct_n import (
    HUMAN_DISTINCT_2,
    DistinctCounter,
    DistinctSeries,
    share_inside,
    units_of,
)
from quire_engine.runtime.drafter_factory import available_sources
from tests.benchmarks.engine import options
from tests.benchmarks.engine.methods import write_tokens
from tests.benchmarks.engine.prompt_texts import add_prompt_option, opening_text, prose_ids
from tests.proofs.engine.cases import OWN_SOURCES

ALL, AUTO = "all", "auto"
ROWS: tuple[str, ...] = (*OWN_SOURCES, ALL, AUTO)
_TREE = "3,2,1,1"  # of it, a pass takes as many nodes as it has rows for, the likeliest first


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what it can be asked beside the common options."""
    parser.add_argument("--tokens", type=int, default=10_000, help="new tokens per drafter")
    parser.add_argument(
        "--tree",
        default=_TREE,
        help="children per node at each depth, as far as a pass has room, or auto",
    )
    parser.add_argument(
        "--drafters",
        nargs="+",
        choices=ROWS,
        default=ROWS,
        help="rows of the table; all: together at every step, auto: what the app does; default: every row",
    )
    parser.add_argument("--prompt-tokens", type=int, default=None, help="default: the whole opening")
    add_prompt_option(parser)
    add_sampling_options(parser)


def run(args: argparse.Namespace, say: options.Say) -> dict[str, Any]:
    """Write the same text by every drafter, with and without the Gumbel noise, and measure the text.

    Single drafters and all of them together draft at every step, by one tree, so that their acceptance can be
    compared; "auto" is what the app does, where drafts that do not pay are left out.
    """
    sampling = sampling_of(args)
    tree = tree_of(args.tree)
    loaded = options.load(args)
    machine = options.describe(loaded)
    say(options.heading(machine))
    ids = _prompt_ids(loaded, args, sampling)
    say(f"{len(ids):,} tokens of context, {args.tokens:,} new ones, tree {args.tree}")
    say(f"{'':10}{'dice':>6}{'per pass':>10}{'alpha':>8}{'beta':>8}{'phrases':>9}{'tokens/s':>10}  by depth")
    writing = _Writing(loaded, ids, args.tokens, sampling, say)
    for source in OWN_SOURCES:
        if source in args.drafters:
            writing.measure(source, DraftingConfig("tokenswift", (source,), tree))
    if ALL in args.drafters:
        writing.measure(ALL, DraftingConfig("tokenswift", available_sources(loaded.trained), tree))
    if AUTO in args.drafters:
        writing.measure(AUTO, DraftingConfig("tokenswift"))
    distinct = {f"penalty {sampling.repetition_penalty}": writing.style(sampling)}
    distinct["no penalty"] = writing.style(dataclasses.replace(sampling, repetition_penalty=1.0))
    for name, style in distinct.items():
        say(_style_line(name, style))
    return {
        "machine": machine,
        "tree": args.tree,
        "drafters": writing.rows,
        "distinct": distinct,
        "text": loaded.tokenizer.decode(writing.text or []),
    }


@dataclass(slots=True)
class _Writing:
    """One text, written again and again."""

    loaded: LoadedModel
    prompt_ids: list[int]
    count: int
    sampling: SamplingConfig
    say: options.Say
    rows: list[dict[str, Any]] = field(default_factory=list)
    text: list[int] | None = None

    def measure(self, name: str, drafting: DraftingConfig) -> bool:
        """Write with and without the Gumbel noise; False where the model does not have these drafters."""
        for same_noise in (True, False):
            drafting = dataclasses.replace(drafting, same_noise=same_noise)
            try:
                tally = write_tokens(self.loaded, self.prompt_ids, self.count, self.sampling, drafting)
            except EnvironmentProblem as problem:
                self.rows.append({"drafter": name, "same_noise": same_noise, "missing": str(problem)})
                self.say(f"{name:10}{problem}")
                return False
            written = tally.token_ids[: self.count]
            self.text = self.text or written
            row = {"drafter": name, "same_noise": same_noise, "same_text": written == self.text}
            self.rows.append(row | tally.figures.report())
            self.say(_line(self.rows[-1]))
        return True

    def style(self, sampling: SamplingConfig) -> dict[str, Any]:
        """Return the figures of the text that these sampling rules write."""
        if sampling != self.sampling or self.text is None:
            auto = DraftingConfig("tokenswift")
            ids = write_tokens(self.loaded, self.prompt_ids, self.count, sampling, auto).token_ids[
                : self.count
            ]
        else:
            ids = self.text
        return style_of(ids, self.loaded.tokenizer.decode(ids))


def tree_of(text: str) -> tuple[int, ...]:
    """Return the tree that a command names; a sentence where it is none."""
    if text == "auto":
        return ()
    try:
        tree = tuple(int(part) for part in text.split(","))
        DraftingConfig("tokenswift", tree=tree)
    except ValueError as error:
        raise EnvironmentProblem(
            f"The tree must be auto or numbers such as 1,3,3,3, got {text} ({error})."
        ) from error
    return tree


def _prompt_ids(loaded: LoadedModel, args: argparse.Namespace, sampling: SamplingConfig) -> list[int]:
    text = opening_text(args.prompt_file)
    if args.prompt_tokens is not None:
        return prose_ids(loaded, text, args.prompt_tokens, sampling)
    ids: list[int] = loaded.tokenizer.encode(text).ids
    return ids[-loaded.target.context_length // 2 :]


def _line(row: dict[str, Any]) -> str:
    depths = " ".join(f"{rate:.2f}" for rate in row["kept_at_depth"][:8])
    return (
        f"{row['drafter']:10}{'same' if row['same_noise'] else 'none':>6}{row['tokens_per_pass']:10.3f}"
        f"{_rate(row['alpha']):>8}{_rate(row['beta']):>8}{_rate(row['phrase_share']):>9}"
        f"{row['tokens_per_s']:10.1f}  {depths}{'' if row['same_text'] else '  ANOTHER TEXT'}"
    )


def _style_line(name: str, style: dict[str, Any]) -> str:
    ratios = " ".join(_rate(style["tokens"][f"distinct_{order}"]) for order in range(1, 5))
    low, high = HUMAN_DISTINCT_2
    return (
        f"{name}: Distinct-1..4 by tokens {ratios}, average {_rate(style['tokens']['average'])}; windowed "
        f"Distinct-2 inside {low}-{high} in {_rate(style['share_inside_human_band'])} of "
        f"{len(style['windowed_distinct_2'])} windows"
    )


def style_of(token_ids: list[int], text: str) -> dict[str, Any]:
    """Return Distinct-1..4 by tokens and by units, and of every window of 2,000 units, for a JSON report."""
    by_tokens, by_units, windows = DistinctCounter(), DistinctCounter(), DistinctSeries()
    units = units_of(text)
    by_tokens.add_all(token_ids)
    by_units.add_all(units)
    windows.add_all(units)
    return {
        "tokens": by_tokens.reading().report(),
        "units": by_units.reading().report(),
        "windowed_distinct_2": [reading.of(2) for reading in windows.readings],
        "share_inside_human_band": share_inside(windows.readings),
    }


def _rate(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
