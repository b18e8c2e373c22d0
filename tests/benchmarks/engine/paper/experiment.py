"""One experiment of the paper: the cells that it measures, and the tables and charts made of them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from quire_engine.api.config import SamplingConfig
from tests.benchmarks.engine.paper.bench import Bench
from tests.benchmarks.engine.paper.plots import Chart
from tests.benchmarks.engine.paper.race import Race, run_race
from tests.benchmarks.engine.paper.race_tables import TableForm, race_table
from tests.benchmarks.engine.paper.sizes import Size
from tests.benchmarks.engine.paper.systems import MAIN, System
from tests.benchmarks.engine.paper.tables import Table

_USUAL = "as usual"

Measure = Callable[[Bench], dict[str, Any]]
Results = Mapping[str, dict[str, Any]]
"""What cells returned, by key; {"problem": sentence} where one could not be measured."""


def no_charts(results: Results) -> Mapping[str, Chart]:
    del results
    return {}


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment.

    Attributes:
        key: its number in the paper, or a name where the paper has none.
        cells: what to measure, by key. Experiments that need the same cell share it.
        tables, charts: made of the results of these cells; charts by file name.
    """

    key: str
    cells: Mapping[str, Measure]
    tables: Callable[[Results], Sequence[Table]]
    charts: Callable[[Results], Mapping[str, Chart]] = no_charts


def races_of(
    size: Size,
    setting: str,
    systems: Sequence[System],
    sampling: SamplingConfig,
    *,
    prefix: int | None = None,
    num_turns: int | None = None,
) -> list[Race]:
    """Return the races of one setting, one per opening.

    Theta 1.2, temperature 1 and others are what is asked for everywhere: such races are run once.
    """
    turns = (size.turn,) * (num_turns or size.num_turns)
    is_usual = sampling == SamplingConfig(seed=sampling.seed) and tuple(systems) == MAIN
    cell = _USUAL if is_usual and prefix is None and num_turns is None else ""
    return [
        Race(setting, tuple(systems), opening, prefix or size.prefix, turns, size.warm_up, sampling, cell)
        for opening in range(size.openings)
    ]


def raced(
    key: str,
    title: str,
    races: Iterable[Race],
    *notes: str,
    form: TableForm | None = None,
    charts: Callable[[Sequence[Race], Results], Mapping[str, Chart]] | None = None,
) -> Experiment:
    """Return an experiment that is made of races."""
    held = tuple(races)
    asked = replace(form or TableForm(), key=key, title=title, notes=notes)
    cells = {race.key: functools.partial(run_race, race=race) for race in held}
    drawn = no_charts if charts is None else functools.partial(charts, held)
    return Experiment(key, cells, lambda results: [race_table(asked, held, results)], drawn)
