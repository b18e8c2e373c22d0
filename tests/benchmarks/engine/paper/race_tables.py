"""Tables and charts of races, with the paper's figures in the last column."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.benchmarks.engine.paper.paper_figures import NOT_AT_HAND, paper_says
from tests.benchmarks.engine.paper.plots import Chart
from tests.benchmarks.engine.paper.race import (
    Outcome,
    Race,
    alpha,
    by_phrases,
    mean_over,
    per_pass,
    speed_over,
    spread_of,
    total,
    turns_of,
)
from tests.benchmarks.engine.paper.systems import GENERATE, PLAIN
from tests.benchmarks.engine.paper.tables import Table

Results = Mapping[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class TableForm:
    """Which columns a table of races has, and what it is called.

    Attributes:
        key: the experiment's number in the paper.
        with_distinct: how varied the text is.
        with_generate: speed over the library's `generate`.
        with_seconds: processor time by length.
    """

    key: str = ""
    title: str = ""
    notes: tuple[str, ...] = ()
    with_distinct: bool = False
    with_generate: bool = False
    with_seconds: bool = False


def race_table(form: TableForm, races: Sequence[Race], results: Results) -> Table:
    """Return a row for every setting and system but plain decoding, which the others are compared with."""
    columns = ["setting", "system", "alpha", "by phrases", "tokens a pass", "over plain"]
    columns += ["over generate"] if form.with_generate else []
    columns += ["Distinct-n"] if form.with_distinct else []
    rows: list[tuple[str, ...]] = []
    notes = list(form.notes)
    for setting, held in _by_setting(races):
        outcomes, problems = _outcomes(held, results)
        notes += [f"{setting}: {problem}" for problem in dict.fromkeys(problems)]
        for system in held[0].systems:
            if system.name == PLAIN.name:
                continue
            if not any(turns_of(outcome, system.name) for outcome in outcomes):
                reasons = [outcome["missing"].get(system.name, "not measured") for outcome in outcomes]
                notes += [f"{setting}, {system.name}: {reason}" for reason in dict.fromkeys(reasons)]
                continue
            cells = _cells(form, outcomes, system.name)
            rows.append((setting, system.name, *cells, paper_says(form.key, setting, system.name)))
    return Table(form.title, (*columns, "the paper"), tuple(rows), (*notes, _said(races)), num_names=2)


def _cells(form: TableForm, outcomes: Sequence[Outcome], system: str) -> list[str]:
    over = spread_of(speed_over(outcome, system) for outcome in outcomes)
    cells = [
        mean_over(outcomes, system, alpha).text(),
        mean_over(outcomes, system, by_phrases).text(),
        mean_over(outcomes, system, per_pass).text(),
        over.text(unit="x"),
    ]
    if form.with_generate:
        library = spread_of(speed_over(outcome, system, GENERATE.name) for outcome in outcomes)
        cells.append(library.text(unit="x"))
    if form.with_distinct:
        averages = [outcome["distinct"]["average"] for outcome in outcomes]
        cells.append(spread_of(value for value in averages if value is not None).text())
    return cells


def time_table(form: TableForm, races: Sequence[Race], results: Results) -> Table:
    """Return a row for every length and system: processor seconds from the first token on."""
    rows: list[tuple[str, ...]] = []
    notes = list(form.notes)
    outcomes, problems = _outcomes(races, results)
    notes += problems
    lengths = list(itertools.accumulate(races[0].turns))
    for upto, length in enumerate(lengths, start=1):
        for system in races[0].systems:
            seconds = spread_of(
                total(turns_of(outcome, system.name, upto), "processor_s")
                for outcome in outcomes
                if turns_of(outcome, system.name, upto)
            )
            over = spread_of(speed_over(outcome, system.name, upto=upto) for outcome in outcomes)
            is_last = upto == len(lengths)  # the paper's figure is of the whole text
            said = paper_says(form.key, f"{length:,}", system.name) if is_last else NOT_AT_HAND
            rows.append((f"{length:,}", system.name, seconds.text(), over.text(unit="x"), said))
    columns = ("new tokens", "system", "processor seconds", "over plain", "the paper")
    return Table(form.title, columns, tuple(rows), (*notes, _said(races)), num_names=2)


def chart_by_length(title: str, races: Sequence[Race], results: Results) -> Chart:
    """Return processor seconds by length, a line for every system."""
    outcomes, _ = _outcomes(races, results)
    lengths = list(itertools.accumulate(races[0].turns))
    lines = {
        system.name: [
            (
                float(length),
                spread_of(
                    total(turns_of(outcome, system.name, upto), "processor_s") for outcome in outcomes
                ).mean,
            )
            for upto, length in enumerate(lengths, start=1)
            if outcomes
        ]
        for system in races[0].systems
    }
    return Chart(title, "new tokens", "processor seconds", lines)


def acceptance_table(form: TableForm, races: Sequence[Race], results: Results) -> Table:
    """Return a row for every turn and system: what it accepted in that turn alone."""
    outcomes, problems = _outcomes(races, results)
    lengths = list(itertools.accumulate(races[0].turns))
    rows: list[tuple[str, ...]] = []
    for number, length in enumerate(lengths):
        for system in races[0].systems:
            if system.name == PLAIN.name:
                continue
            turns = [turns_of(outcome, system.name)[number : number + 1] for outcome in outcomes]
            known = [turn for turn in turns if turn]
            figures = [spread_of(map(figure, known)).text() for figure in (alpha, by_phrases, per_pass)]
            rows.append((f"{length:,}", system.name, *figures, paper_says(form.key, "", system.name)))
    columns = ("up to", "system", "alpha", "by phrases", "tokens a pass", "the paper")
    notes = (*form.notes, *problems, _said(races))
    return Table(form.title, columns, tuple(rows), notes, num_names=2)


def acceptance_chart(title: str, races: Sequence[Race], results: Results) -> Chart:
    """Return alpha of every turn by length, a line for every system that drafts."""
    outcomes, _ = _outcomes(races, results)
    lengths = list(itertools.accumulate(races[0].turns))

    def of_turn(system: str, number: int) -> float:
        turns = [turns_of(outcome, system)[number : number + 1] for outcome in outcomes]
        return spread_of(alpha(turn) for turn in turns if turn).mean

    lines = {
        system.name: [(float(length), of_turn(system.name, number)) for number, length in enumerate(lengths)]
        for system in races[0].systems
        if system.name != PLAIN.name
    }
    return Chart(title, "new tokens", "alpha", lines)


def chart_by_setting(
    title: str, x_name: str, systems: Mapping[float, str], races: Sequence[Race], results: Results
) -> Chart:
    """Return speed over plain decoding, a point for every system. systems: names by their x."""
    outcomes, _ = _outcomes(races, results)
    points = [
        (x, spread_of(speed_over(outcome, name) for outcome in outcomes).mean)
        for x, name in systems.items()
        if outcomes
    ]
    return Chart(title, x_name, "over plain", {"the paper's system": points})


def _by_setting(races: Sequence[Race]) -> list[tuple[str, list[Race]]]:
    settings = dict.fromkeys(race.setting for race in races)
    return [(setting, [race for race in races if race.setting == setting]) for setting in settings]


def _outcomes(races: Sequence[Race], results: Results) -> tuple[list[Outcome], list[str]]:
    """Return the outcomes that there are, and what kept others from being measured."""
    found = [results[race.key] for race in races if race.key in results]
    return (
        [outcome for outcome in found if "problem" not in outcome],
        [str(outcome["problem"]) for outcome in found if "problem" in outcome],
    )


def _said(races: Sequence[Race]) -> str:
    """Return a sentence that says how much was measured."""
    openings = len({race.opening for race in races})
    counts = sorted({sum(race.turns) for race in races})
    prefixes = sorted({race.prefix for race in races})
    tokens = " or ".join(f"{count:,}" for count in counts)
    before = ", ".join(f"{prefix:,}" for prefix in prefixes)
    return f"{openings} opening{'s' if openings > 1 else ''} of {before} tokens, {tokens} new tokens each."
