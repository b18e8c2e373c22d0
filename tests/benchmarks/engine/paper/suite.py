"""`paper`: the experiments of the TokenSwift paper, as far as this machine can run them; goes on where it
stopped."""

from __future__ import annotations

import argparse
import contextlib
import functools
import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from quire_engine.api.atomic_file import replace_file
from quire_engine.api.errors import EnvironmentProblem
from tests.benchmarks.engine import options
from tests.benchmarks.engine.paper.bench import Bench, opening_files
from tests.benchmarks.engine.paper.experiment import Experiment, Measure
from tests.benchmarks.engine.paper.experiments import experiments
from tests.benchmarks.engine.paper.results_folder import ResultsFolder, Spent
from tests.benchmarks.engine.paper.sizes import SIZES, Size
from tests.benchmarks.engine.paper.tables import Table

KEYS = (
    *("1", "2", "3", "ten", "far", "14", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "15", "16"),
    *("F3", "F4", "F5", "quality", "equality", "odds", "rule"),
)
"""Experiments by their number in the paper (F: figures; F5 is Figures 5 and 6); "ten" is the main table
with ten openings, "far" the one at the length of a whole text, sampled; the last four are about the text and
not in it."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what it can be asked beside the common options."""
    parser.add_argument("--size", choices=list(SIZES), default="small", help="minutes, an hour, or days")
    parser.add_argument(
        "--experiments", nargs="+", choices=KEYS, default=KEYS, metavar="NUMBER", help="in this order"
    )
    parser.add_argument(
        "--work", type=Path, default=Path("quire-paper"), help="folder of results; a run goes on from there"
    )
    parser.add_argument(
        "--prompt-file",
        type=Path,
        nargs="+",
        default=None,
        help="UTF-8 texts to begin with, one opening each, or a folder of *.txt; default: the sample opening",
    )
    parser.add_argument(
        "--human-text", type=Path, default=None, help="UTF-8 text to compare with; default: the first opening"
    )
    parser.add_argument(
        "--gguf", type=Path, default=None, help="file of Table 4; default: the starter model's"
    )


def run(args: argparse.Namespace, say: options.Say) -> dict[str, Any]:
    """Measure what is not in the folder yet, and write results.json, results.md and the charts there."""
    size = SIZES[args.size]
    with contextlib.closing(Bench(args, size)) as bench:
        return _run(args, size, bench, say)


def _run(args: argparse.Namespace, size: Size, bench: Bench, say: options.Say) -> dict[str, Any]:
    machine = options.describe(bench.loaded)
    say(options.heading(machine))
    folder = ResultsFolder(args.work, _conditions(args, size, machine))
    offered = experiments(size, args.seed)
    reports: list[dict[str, Any]] = []
    tables: list[Table] = []
    for key in dict.fromkeys(args.experiments):
        made, results = _measure(offered[key], folder, bench, say)
        named = [table.report() for table in made]
        reports.append({"experiment": key, "tables": named, "cells": results})
        tables += made
        say("\n" + "\n".join(table.markdown() for table in made))
        _draw(offered[key], results, args.work)
    spent = folder.spent
    report = {"machine": machine, "size": args.size, "spent": asdict(spent), "experiments": reports}
    replace_file(args.work / "results.json", (json.dumps(report, indent=1) + "\n").encode())
    replace_file(args.work / "results.md", _markdown(machine, args.size, spent, tables).encode())
    say(_took(spent))
    return report


def _measure(
    experiment: Experiment, folder: ResultsFolder, bench: Bench, say: options.Say
) -> tuple[list[Table], dict[str, dict[str, Any]]]:
    results: dict[str, dict[str, Any]] = {}
    for key, measure in experiment.cells.items():
        result, is_new = folder.cell(key, functools.partial(_or_problem, measure, bench))
        said = f"{folder.spent_on(key).processor_s:.0f} s" if is_new else "measured before"
        say(f"{experiment.key}: {key} ({said})")
        results[key] = result
    return list(experiment.tables(results)), results


def _or_problem(measure: Measure, bench: Bench) -> dict[str, Any]:
    """Return a cell, or the sentence that says why this model cannot have it."""
    try:
        return measure(bench)
    except EnvironmentProblem as problem:
        return {"problem": str(problem)}


def _draw(experiment: Experiment, results: dict[str, dict[str, Any]], folder: Path) -> None:
    for name, chart in experiment.charts(results).items():
        replace_file(folder / f"{name}.svg", chart.svg().encode())


def _conditions(args: argparse.Namespace, size: Size, machine: dict[str, Any]) -> dict[str, Any]:
    """Return all that figures of one folder must have in common."""
    files = [*opening_files(args), *([args.human_text] if args.human_text else [])]
    texts = [hashlib.sha256(path.read_bytes()).hexdigest()[:16] for path in files]
    return {**machine, "size": asdict(size), "seed": args.seed, "openings": texts}


def _took(spent: Spent) -> str:
    minutes, by_the_clock = spent.processor_s / 60, spent.seconds / 60
    return f"Measured in {minutes:.1f} minutes of processor time ({by_the_clock:.1f} by the clock)."


def _markdown(machine: dict[str, Any], size: str, spent: Spent, tables: list[Table]) -> str:
    heading = f"# The paper's experiments, size {size}\n\n{options.heading(machine)}\n\n{_took(spent)}\n"
    return "\n".join([heading, *[table.markdown() for table in tables]])
