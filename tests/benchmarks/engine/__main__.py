"""`python -m tests.benchmarks.engine SUITE`: every measurement is a ratio in one run, and says where it
ran."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Sequence
from typing import Any

from quire_engine.api.errors import EnvironmentProblem
from quire_engine.cli.arguments import sampling_of
from tests.benchmarks.engine import (
    book,
    compare_library,
    divergence,
    llama_cpp,
    load_time,
    memory,
    options,
    preset_grid,
    roofline,
    settings_grid,
    shared_noise,
    speed,
)
from tests.benchmarks.engine.paper import suite as paper

SUITES: dict[str, options.Suite] = {
    "speed": speed,
    "book": book,
    "dice": shared_noise,
    "load": load_time,
    "memory": memory,
    "grid": settings_grid,
    "compare": compare_library,
    "presets": preset_grid,
    "roofline": roofline,
    "llama_cpp": llama_cpp,
    "divergence": divergence,
    "paper": paper,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a benchmark; exit status: 0 done, 1 a problem said in a sentence, 2 wrong usage, 130 stopped."""
    args = _parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):  # names of CPUs and texts are not always ASCII
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
    try:
        _check(args)
        report = SUITES[args.suite].run(args, _say)
    except EnvironmentProblem as problem:
        sys.stderr.write(f"{problem}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        return 130
    if args.json_path is not None:
        named: dict[str, Any] = {"suite": args.suite, **report}
        args.json_path.write_text(json.dumps(named, indent=1) + "\n", encoding="utf-8")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.engine", description=__doc__)
    suites = parser.add_subparsers(dest="suite", required=True)
    helps = {
        "speed": "TokenSwift against plain decoding and the library, in turns, at several lengths",
        "book": "one long draft, a thousand words at a time: prepared or not; plain beside it",
        "dice": "what each drafter earns with and without the verifier's dice; Distinct-n",
        "load": "loading stage by stage against reading the files, for the first time and again",
        "memory": "growth of the process against weights and cache",
        "grid": "is TokenSwift ever slower than plain? many settings, two models",
        "compare": "plain decoding against generate, reading included",
        "presets": "what sampling settings do to a text; recommends three of them",
        "llama_cpp": "Fast against llama.cpp, with the same file and with Q4_0: time, memory, loading, disk",
        "divergence": "how far Fast and llama.cpp are from float32 of a file's own numbers",
        "paper": "the experiments of the TokenSwift paper, ours beside the paper's; goes on where it stopped",
        "roofline": "passes of well-known model shapes against the memory bandwidth; on paper too",
    }
    for name, suite in SUITES.items():
        command = suites.add_parser(name, help=helps[name])
        options.add_common_options(command)
        suite.add_options(command)
    return parser


def _check(args: argparse.Namespace) -> None:
    """Say before the measurement, not after it, what cannot be asked for."""
    for name in ("tokens", "turns", "length", "prompt_tokens"):
        value = getattr(args, name, None)
        if value is not None and value < 1:
            raise EnvironmentProblem(f"--{name.replace('_', '-')} must be 1 or more, got {value}.")
    for length in getattr(args, "lengths", ()):
        if length < 1:
            raise EnvironmentProblem(f"--lengths must be 1 or more, got {length}.")
    try:
        if hasattr(args, "repetition_penalty"):
            sampling_of(args)
    except ValueError as error:
        raise EnvironmentProblem(f"{error}.") from error
    path = args.json_path
    if path is not None and (path.is_dir() or not path.parent.is_dir()):
        raise EnvironmentProblem(
            f"The report cannot be written to {path}: it is a folder, or its folder is missing."
        )


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")


if __name__ == "__main__":
    raise SystemExit(main())
