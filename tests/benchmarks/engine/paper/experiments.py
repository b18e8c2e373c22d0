"""The paper's experiments: what each compares, by its number, at a size."""

from __future__ import annotations

import functools
from dataclasses import replace

from quire_engine.api.config import SamplingConfig
from tests.benchmarks.engine.paper import far, lossless, model_costs, more_races, text_quality
from tests.benchmarks.engine.paper.experiment import Experiment, raced, races_of
from tests.benchmarks.engine.paper.race import Race, run_race
from tests.benchmarks.engine.paper.race_tables import (
    TableForm,
    chart_by_length,
    chart_by_setting,
    race_table,
    time_table,
)
from tests.benchmarks.engine.paper.sizes import Size
from tests.benchmarks.engine.paper.systems import (
    ALL,
    MAIN,
    MANY,
    PAPER,
    PLAIN,
    QUIRE_NARROW,
    WITHOUT_REUSE,
    System,
)


def experiments(size: Size, seed: int) -> dict[str, Experiment]:
    """Return every experiment by its key."""
    sampling = SamplingConfig(seed=seed)
    made = [
        _figure_1(size, sampling),
        *_main_tables(size, sampling),
        far.experiment(size, sampling),
        _caches(size, sampling),
        _samplers(size, sampling),
        _trees(size, sampling),
        _thetas(size, sampling),
        _reuse(size, sampling),
        _temperatures(size, sampling),
        _tails(size, sampling),
        *more_races.experiments(size, sampling),
        *model_costs.experiments(size, sampling),
        *text_quality.experiments(size, sampling),
        *(
            Experiment(key, cells, tables)
            for key, cells, tables in (
                ("equality", *lossless.equality(size, sampling)),
                ("odds", *lossless.odds(size, sampling)),
                ("rule", *lossless.released(size, sampling)),
            )
        ),
    ]
    return {experiment.key: experiment for experiment in made}


def _figure_1(size: Size, sampling: SamplingConfig) -> Experiment:
    systems = (*MAIN, QUIRE_NARROW)
    races = races_of(size, "by length", systems, sampling, num_turns=size.num_long)
    form = TableForm("1", "Figure 1 and Table 1: time by length", with_seconds=True)
    return Experiment(
        "1",
        {race.key: functools.partial(run_race, race=race) for race in races},
        lambda results: [time_table(form, races, results)],
        lambda results: {"figure-1": chart_by_length("Figure 1: time by length", races, results)},
    )


_SIMPLIFIED = (
    "TriForce is simplified: the retrieval cache holds single positions and not chunks, and both levels "
    "compare tokens drawn with the shared noise. MagicDec with a small model is, too: that model's cache "
    "grows to 4,096 tokens and begins anew with the newest 256.",
    "The small model is some of the model's own layers, distilled for a minute on what the model wrote; the "
    "originals have one that somebody trained on a great deal of text.",
)


def _main_tables(size: Size, sampling: SamplingConfig) -> list[Experiment]:
    """Return Table 3 and, from the same races, Table 14."""
    races = [
        race
        for prefix in size.prefixes
        for race in races_of(size, f"prefix {prefix:,}", ALL, sampling, prefix=prefix)
    ]
    main = raced(
        "3",
        "Table 3: acceptance and speed by prefix",
        races,
        *_SIMPLIFIED,
        form=TableForm(with_generate=True),
    )
    few = [replace(race, systems=MAIN) for race in races]
    return [
        main,
        _many_openings(size, sampling),
        Experiment(
            "14",
            main.cells,
            lambda results: [
                race_table(TableForm("14", "Table 14: how much the prefix matters"), few, results)
            ],
        ),
    ]


def _many_openings(size: Size, sampling: SamplingConfig) -> Experiment:
    """Return the main table with as many openings as the paper has, shorter ones where time is short."""
    turns = (size.many_turn,)
    races = [
        Race("ten openings", MANY, opening, size.many_prefix, turns, size.warm_up, sampling)
        for opening in range(size.many_openings)
    ]
    title = "Table 3, ten openings: mean and spread"
    form = TableForm("3", title, _SIMPLIFIED)
    cells = {race.key: functools.partial(run_race, race=race) for race in races}
    return Experiment("ten", cells, lambda results: [race_table(form, races, results)])


def _caches(size: Size, sampling: SamplingConfig) -> Experiment:
    variants = (
        replace(WITHOUT_REUSE, name="full cache", selection=None),
        replace(WITHOUT_REUSE, name="partial, static", selection="static"),
        replace(WITHOUT_REUSE, name="partial, dynamic", selection="dynamic"),
        replace(WITHOUT_REUSE, name="partial, newest only", selection="newest"),
    )
    return raced(
        "5",
        "Table 5: the cache of the draft pass (k = 0)",
        races_of(size, "caches", (PLAIN, *variants), sampling),
        f"The partial caches have {size.budget:,} positions.",
    )


def _samplers(size: Size, sampling: SamplingConfig) -> Experiment:
    rules = {
        "top-p 0.9": replace(sampling, top_p=0.9, min_p=0.0),
        "min-p 0.1": replace(sampling, min_p=0.1),
        "eta 0.0002": replace(sampling, min_p=0.0, eta=2e-4),
    }
    races = [
        race
        for name, rule in rules.items()
        for penalty, theta in (("no penalty", 1.0), ("theta 1.2", 1.2))
        for race in races_of(size, f"{name}, {penalty}", MAIN, replace(rule, repetition_penalty=theta))
    ]
    return raced(
        "6",
        "Table 6: samplers, with and without the penalty",
        races,
        "Distinct-n is the average of Distinct-1 to Distinct-4 by tokens; it falls with length.",
        form=TableForm(with_distinct=True),
    )


def _trees(size: Size, sampling: SamplingConfig) -> Experiment:
    def system(*tree: int) -> System:
        return replace(WITHOUT_REUSE, name=str(list(tree)).replace(" ", ""), tree=tree)

    trees = (system(1, 3, 3, 3), system(3, 3, 3, 3), system(1, 9, 9, 9))
    return raced(
        "7",
        "Table 7: trees (k = 0)",
        races_of(size, "trees", (PLAIN, *trees), sampling),
        "All trees are whole: 40, 120 and 820 draft tokens a pass where drafters propose as many.",
    )


def _thetas(size: Size, sampling: SamplingConfig) -> Experiment:
    races = [
        race
        for theta in size.thetas
        for race in races_of(size, f"theta {theta:g}", MAIN, replace(sampling, repetition_penalty=theta))
    ]
    return raced("8", "Table 8: strength of the penalty", races, form=TableForm(with_distinct=True))


def _reuse(size: Size, sampling: SamplingConfig) -> Experiment:
    forced = replace(QUIRE_NARROW, sources=("feature", "ngrams"), tree=(3, 2, 1, 1))
    systems = (
        PLAIN,
        PAPER,
        WITHOUT_REUSE,
        replace(forced, name="feature and n-grams"),
        replace(forced, name="feature alone", sources=("feature",)),
    )
    return raced(
        "12",
        "Table 12: without the reuse of phrases",
        races_of(size, "reuse", systems, sampling),
        "The last two rows are Quire's drafters with the tree [3,2,1,1].",
    )


def _temperatures(size: Size, sampling: SamplingConfig) -> Experiment:
    races = [
        race
        for temperature in size.temperatures
        for race in races_of(
            size, f"temperature {temperature:g}", MAIN, replace(sampling, temperature=temperature)
        )
    ]
    return raced("13", "Table 13: temperature", races, form=TableForm(with_distinct=True))


def _tails(size: Size, sampling: SamplingConfig) -> Experiment:
    systems = [
        replace(PAPER if tails else WITHOUT_REUSE, name=f"k = {tails}", tails=tails or 1)
        for tails in size.tails
    ]
    return raced(
        "F4",
        "Figure 4: 4-grams per first token (k)",
        races_of(size, "tails", (PLAIN, *systems), sampling),
        form=TableForm(),
        charts=lambda races, results: {
            "figure-4": chart_by_setting(
                "Figure 4: speed over plain decoding by k",
                "k",
                {float(tails): f"k = {tails}" for tails in size.tails},
                races,
                results,
            )
        },
    )
