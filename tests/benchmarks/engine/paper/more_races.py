"""Races that vary one part: the training of heads, TriForce, the penalty's window, the length."""

from __future__ import annotations

import functools
from dataclasses import replace

from quire_engine.api.config import SamplingConfig
from tests.benchmarks.engine.paper.experiment import Experiment, raced, races_of
from tests.benchmarks.engine.paper.race import run_race
from tests.benchmarks.engine.paper.race_tables import (
    TableForm,
    acceptance_chart,
    acceptance_table,
    race_table,
)
from tests.benchmarks.engine.paper.sizes import Size
from tests.benchmarks.engine.paper.systems import (
    MAIN,
    PAPER,
    PLAIN,
    TRIFORCE,
    WITHOUT_REUSE,
)


def experiments(size: Size, sampling: SamplingConfig) -> list[Experiment]:
    """Return them."""
    return [
        _by_length(size, sampling),
        _pieces(size, sampling),
        _budgets(size, sampling),
        _guessers(size, sampling),
        *_windows(size, sampling),
    ]


def _by_length(size: Size, sampling: SamplingConfig) -> Experiment:
    """Return Figure 3."""
    systems = (PLAIN, WITHOUT_REUSE, PAPER)
    races = races_of(size, "k by length", systems, sampling, num_turns=size.num_long)
    form = TableForm("F3", "Figure 3: acceptance by length, k = 0 against k = 20")
    return Experiment(
        "F3",
        {race.key: functools.partial(run_race, race=race) for race in races},
        lambda results: [acceptance_table(form, races, results)],
        lambda results: {"figure-3": acceptance_chart("Figure 3: alpha by length", races, results)},
    )


def _pieces(size: Size, sampling: SamplingConfig) -> Experiment:
    trained = [replace(WITHOUT_REUSE, name=f"pieces of {piece:,}", piece=piece) for piece in size.pieces]
    return raced(
        "9",
        "Table 9: how long the texts are that heads are trained on (k = 0)",
        races_of(size, "training", (PLAIN, replace(WITHOUT_REUSE, name="as they come"), *trained), sampling),
        f"Every set of heads saw {size.heads_steps:,} steps of {size.step_tokens:,} tokens that the model "
        "wrote, cut into pieces of such lengths. Those that come with the model were trained for longer.",
    )


def _budgets(size: Size, sampling: SamplingConfig) -> Experiment:
    variants = [
        replace(TRIFORCE, name=f"{budget:,} positions", budget=budget) for budget in size.retrieval_budgets
    ]
    return raced(
        "10",
        "Table 10: TriForce, the size of its retrieval cache",
        races_of(size, "retrieval cache", (PLAIN, *variants), sampling),
        "Simplified as in Table 3. What the paper's table compares is not at hand.",
    )


def _guessers(size: Size, sampling: SamplingConfig) -> Experiment:
    variants = (
        replace(TRIFORCE, name="nothing guesses ahead", guesser=None),
        replace(TRIFORCE, name="n-grams guess ahead"),
        replace(TRIFORCE, name="the feature drafter guesses ahead", guesser="feature"),
        replace(TRIFORCE, name="a small model guesses ahead", guesser="small model"),
    )
    return raced(
        "11",
        "Table 11: TriForce, what drafts for the draft",
        races_of(size, "first level", (PLAIN, *variants), sampling),
        f"The small model is {size.small_layers} of the model's own layers, distilled. What the paper's "
        "table compares is not at hand.",
    )


def _windows(size: Size, sampling: SamplingConfig) -> list[Experiment]:
    """Return Tables 15 and 16, made of the same races."""
    races = [
        race
        for window in size.windows
        for race in races_of(size, f"window {window:,}", MAIN, replace(sampling, penalty_window=window))
    ]
    speed = raced("15", "Table 15: the penalty's window, acceptance and speed", races)
    texts = TableForm("16", "Table 16: the penalty's window, the text", with_distinct=True)
    few = [replace(race, systems=(PLAIN, PAPER)) for race in races]
    return [speed, Experiment("16", speed.cells, lambda results: [race_table(texts, few, results)])]
