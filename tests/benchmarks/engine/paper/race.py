"""A race: several systems continue one opening in turns, and what it says about each of them.

Turns go A B C A B C, so that a busy machine is as busy for all of them; speed is tokens by processor time,
which other programs do not count in. A short turn first warms everybody up and is not counted.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from quire_engine.api.config import SamplingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.metrics.acceptance import PHRASES
from tests.benchmarks.engine.methods import Method, MethodTurn, OwnMethod
from tests.benchmarks.engine.paper.bench import Bench
from tests.benchmarks.engine.paper.systems import PLAIN, System
from tests.benchmarks.engine.shared_noise import style_of

Turn = dict[str, float]
"""Sums of a turn; see `sums_of`."""


@dataclass(frozen=True, slots=True)
class Race:
    """Who continues which opening how far.

    Attributes:
        setting: what tables call it; races of one setting differ by opening alone.
        opening: number of the opening.
        prefix: its tokens.
        turns: tokens of each turn.
        warm_up: tokens of the turn that is not counted.
        cell: name of its result, where several settings are one and the same; empty: the setting's.
    """

    setting: str
    systems: tuple[System, ...]
    opening: int
    prefix: int
    turns: tuple[int, ...]
    warm_up: int
    sampling: SamplingConfig
    cell: str = ""

    @property
    def key(self) -> str:
        """Its name among the results."""
        return f"{self.cell or self.setting}, opening {self.opening}"


def run_race(bench: Bench, race: Race) -> dict[str, Any]:
    """Let the systems write; return everybody's turns, who could not take part, how varied the text is."""
    seed = race.sampling.seed + race.opening
    sampling = _with_seed(race.sampling, seed)
    room = bench.loaded.target.context_length - sum(race.turns) - race.warm_up - 64 * len(race.turns)
    if race.prefix > room:
        raise EnvironmentProblem(f"The model has no room for {race.prefix:,} tokens and what follows.")
    prompt = bench.opening(race.opening, race.prefix)
    methods, missing = _methods(bench, race, prompt, sampling)
    turns: dict[str, list[Turn]] = {method.name: [] for method in methods}
    written = 0
    for number, count in enumerate((race.warm_up, *race.turns)):
        context = [*prompt, *_text_of(methods)[:written]]
        for method in methods:
            done = method.write(context, count)
            if number:
                turns[method.name].append(sums_of(done))
        written += count
    text = list(_text_of(methods)[:written])
    style = style_of(text, bench.loaded.tokenizer.decode(text))["tokens"]
    return {"turns": turns, "missing": missing, "distinct": style}


def _methods(
    bench: Bench, race: Race, prompt: Sequence[int], sampling: SamplingConfig
) -> tuple[list[Method], dict[str, str]]:
    methods: list[Method] = []
    missing: dict[str, str] = {}
    for system in race.systems:
        try:
            methods.append(bench.method(system, prompt, sampling))
        except EnvironmentProblem as problem:  # a model without trained heads, for example
            missing[system.name] = str(problem)
    return methods, missing


def _text_of(methods: Iterable[Method]) -> Sequence[int]:
    """Return what the first run of our own has written: all write the same, or from the same odds."""
    return next(method.generated_ids for method in methods if isinstance(method, OwnMethod))


def _with_seed(sampling: SamplingConfig, seed: int) -> SamplingConfig:
    return replace(sampling, seed=seed)


def sums_of(turn: MethodTurn) -> Turn:
    """Return what can be added up over turns; the library's turns know no steps."""
    figures = turn.figures
    sums = {"tokens": float(turn.num_tokens), "seconds": turn.seconds, "processor_s": turn.processor_s}
    if figures is None:
        return sums
    return sums | {
        "steps": float(figures.num_steps),
        "accepted": float(figures.num_accepted),
        "drafted": float(figures.drafted_depth),
        "phrases": float(sum(figures.accepted_by_source.get(source, 0) for source in PHRASES)),
        "nodes": float(figures.num_nodes),
        "draft_ms": figures.draft_ms,
        "verify_ms": figures.verify_ms,
        "rest_ms": figures.rest_ms,
    }


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and sample standard deviation over openings; spread is NaN for one of them."""

    mean: float
    spread: float

    def text(self, form: str = ".2f", unit: str = "") -> str:
        """Return it for a table: "1.23 ± 0.04"."""
        if math.isnan(self.mean):
            return "–"
        around = "" if math.isnan(self.spread) else f" ± {self.spread:{form}}"
        return f"{self.mean:{form}}{unit}{around}"


def spread_of(values: Iterable[float]) -> Spread:
    """Return mean and spread of the values that are numbers."""
    known = [value for value in values if not math.isnan(value)]
    if not known:
        return Spread(math.nan, math.nan)
    return Spread(statistics.mean(known), statistics.stdev(known) if len(known) > 1 else math.nan)


def total(turns: Sequence[Turn], name: str) -> float:
    """Return the sum of a figure over turns; NaN where a turn does not have it."""
    return sum(turn.get(name, math.nan) for turn in turns)


def ratio(turns: Sequence[Turn], name: str, of: str) -> float:
    """Return one sum over another; NaN where there is nothing to divide by."""
    below = total(turns, of)
    return total(turns, name) / below if below > 0 else math.nan


def alpha(turns: Sequence[Turn]) -> float:
    """Return accepted / drafted depth (paper, Eq. 4)."""
    return ratio(turns, "accepted", "drafted")


def by_phrases(turns: Sequence[Turn]) -> float:
    """Return the part of alpha whose tokens were proposed by phrases of the text.

    Not the beta of `quire_engine.metrics`, which counts paths of phrases from end to end: the paper's 4-grams
    hang below a token of the draft pass, and by that definition they would bring nothing.
    """
    return ratio(turns, "phrases", "drafted")


def per_pass(turns: Sequence[Turn]) -> float:
    """Return tokens per pass."""
    return ratio(turns, "tokens", "steps")


Outcome = Mapping[str, Any]
"""What `run_race` returned."""


def turns_of(outcome: Outcome, system: str, upto: int | None = None) -> list[Turn]:
    """Return the first turns of a system; none where it took no part."""
    turns: list[Turn] = outcome["turns"].get(system, [])
    return turns[:upto]


def speed_over(outcome: Outcome, system: str, baseline: str = PLAIN.name, upto: int | None = None) -> float:
    """Return tokens by processor time over those of another system of the same race; NaN without either."""
    theirs = turns_of(outcome, baseline, upto)
    ours = turns_of(outcome, system, upto)
    if not ours or not theirs:
        return math.nan
    return ratio(ours, "tokens", "processor_s") / ratio(theirs, "tokens", "processor_s")


def mean_over(
    outcomes: Sequence[Outcome],
    system: str,
    figure: Callable[[Sequence[Turn]], float],
    upto: int | None = None,
) -> Spread:
    """Return a figure of a system over openings."""
    rows = [turns_of(outcome, system, upto) for outcome in outcomes]
    return spread_of(figure(turns) for turns in rows if turns)
