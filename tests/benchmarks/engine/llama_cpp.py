"""`llama_cpp`: Fast against llama.cpp: one file, one text, in turns, each program in a process of its own.

llama.cpp is also given the model in Q4_0, which it repacks and computes quickest.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from quire.domain.drafting.presets import BALANCED
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.cli.arguments import add_sampling_options, sampling_of
from tests.benchmarks.engine import options
from tests.benchmarks.engine.gguf_formats import write_converted
from tests.benchmarks.engine.methods import MethodTurn
from tests.benchmarks.engine.prompt_texts import add_prompt_option, opening_text
from tests.benchmarks.engine.workers import Worker, WorkerEnded

OURS, OF_FILE, OF_Q4_0 = "Quire", "llama.cpp, the file", "llama.cpp, Q4_0"
PLAIN, AUTOMATIC = f"{OURS} plain", f"{OURS} automatic"
_BEST_FORM = "Q4_0"


@dataclass(frozen=True, slots=True)
class Result:
    """One method at one length: medians over the turns.

    Attributes:
        of_file, of_q4_0: its speed over llama.cpp's with the same file, and with Q4_0, by processor time;
            medians of the ratios of the turns.
        reading: tokens per second of processor time while the text was read.
        passes_ms: rows of a pass to milliseconds of processor time, of the quickest.
    """

    name: str
    threads: int
    context: int
    tokens_per_s: float
    tokens_per_processor_s: float
    of_file: float
    of_q4_0: float
    reading: float
    passes_ms: dict[str, float]


@dataclass(frozen=True, slots=True)
class Load:
    """One load of one program. peak_bytes: the most memory that its process held until then."""

    name: str
    threads: int
    seconds: float
    processor_s: float
    peak_bytes: int
    disk_bytes: int


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what it can be asked beside the common options."""
    options.add_file_option(parser)
    parser.add_argument("--q4-0", type=Path, help="the same model in Q4_0; default: made of the file")
    parser.add_argument("--llama", default=sys.executable, metavar="PYTHON", help="has llama-cpp-python")
    parser.add_argument("--lengths", type=int, nargs="+", default=[512, 4096], help="tokens of context")
    parser.add_argument("--each-threads", type=int, nargs="+", default=[1, 2], metavar="THREADS")
    parser.add_argument("--tokens", type=int, default=48, help="new tokens per turn")
    parser.add_argument("--turns", type=int, default=5, help="after one that warms up")
    parser.add_argument("--rows", type=int, nargs="*", default=[1, 2, 4, 8], help="of single passes")
    add_prompt_option(parser)
    add_sampling_options(parser)
    parser.set_defaults(penalty_growth=BALANCED.sampling.penalty_growth)


def run(args: argparse.Namespace, say: options.Say) -> dict[str, Any]:
    """Measure every program with each number of threads at every length; the first load is of the first."""
    report: dict[str, Any] = {"machine": {}, "loads": [], "results": []}
    file = options.model_file(args)
    with tempfile.TemporaryDirectory() as folder:
        q4_0 = args.q4_0 or write_converted(file, Path(folder, f"{_BEST_FORM}.gguf"), _BEST_FORM)
        for threads in args.each_threads:
            workers = {
                OURS: Worker(OURS, "quire_worker"),
                OF_FILE: Worker(OF_FILE, "llama_worker", args.llama),
                OF_Q4_0: Worker(OF_Q4_0, "llama_worker", args.llama),
            }
            files = {OURS: file, OF_FILE: file, OF_Q4_0: q4_0}
            if file.samefile(q4_0):
                del workers[OF_Q4_0]
            try:
                _compare(args, say, threads, workers, files, Path(folder, "cache"), report)
            except WorkerEnded as ended:
                raise EnvironmentProblem(str(ended)) from ended
            finally:
                for worker in workers.values():
                    worker.stop()
    return report


def _compare(
    args: argparse.Namespace,
    say: options.Say,
    threads: int,
    workers: dict[str, Worker],
    files: dict[str, Path],
    cache: Path,
    report: dict[str, Any],
) -> None:
    """Measure every program with one number of threads."""
    room = max(args.lengths) + (args.turns + 2) * args.tokens + 64
    rules = asdict(sampling_of(args))
    own = workers[OURS].do("load", file=str(files[OURS]), threads=threads, rules=rules, cache=str(cache))
    if not report["machine"]:
        report["machine"] = own["machine"]
        say(options.heading(own["machine"]))
    loads = [_load(OURS, threads, own)]
    for name, worker in list(workers.items())[1:]:
        asked = {"file": str(files[name]), "threads": threads, "context": room, "rules": own["rules"]}
        loads.append(_load(name, threads, worker.do("load", **asked)))
    text = opening_text(args.prompt_file)
    ids = workers[OURS].do("ids", text=text, count=max(args.lengths))["ids"]
    for length in args.lengths:
        results = _at_length(args, workers, ids[:length], threads)
        say(f"\n{threads} threads, {length:,} tokens of context, median of {args.turns} turns")
        for line in table(results):
            say(line)
        report["results"] += [asdict(each) for each in results]
    for load in loads:
        peak = workers[load.name].peak_bytes
        megabytes = (f"{count / 1e6:,.0f} MB" for count in (load.peak_bytes, peak, load.disk_bytes))
        say(
            f"{load.name}: loaded in {load.seconds:.1f} s ({load.processor_s:.1f} of the processor); most "
            "memory {} by then, {} in all; {} more on the disk".format(*megabytes)
        )
        report["loads"].append(asdict(load) | {"peak_in_all": peak})


def _load(name: str, threads: int, answer: dict[str, Any]) -> Load:
    disk = answer.get("disk_bytes", 0)
    return Load(name, threads, answer["seconds"], answer["processor_s"], answer["peak_bytes"], disk)


def _at_length(
    args: argparse.Namespace, workers: dict[str, Worker], ids: Sequence[int], threads: int
) -> list[Result]:
    """Let every program read the text, time single passes, and then write in turns."""
    reading: dict[str, float] = {}
    passes: dict[str, dict[str, float]] = {}
    for name, worker in workers.items():
        reading[name] = len(ids) / worker.do("read", ids=ids)["processor_s"]
        timed = {rows: worker.do("passes", rows=rows, rounds=5)["processor_s"] for rows in args.rows}
        passes[name] = {str(rows): seconds * 1e3 for rows, seconds in timed.items()}
    turns: dict[str, list[MethodTurn]] = {}
    for number in range(1 + args.turns):
        for name, worker in workers.items():
            ways = {PLAIN: {"way": "plain"}, AUTOMATIC: {"way": "automatic"}} if name == OURS else {name: {}}
            for method, way in ways.items():
                done = worker.do("write", count=args.tokens, **way)
                turn = MethodTurn(done["tokens"], done["seconds"], None, done["processor_s"])
                turns.setdefault(method, [])
                if number:  # the first one warms up
                    turns[method].append(turn)
    return [
        Result(
            name,
            threads,
            len(ids),
            statistics.median(turn.tokens_per_s for turn in taken),
            statistics.median(turn.tokens_per_processor_s for turn in taken),
            ratio(taken, turns[OF_FILE]),
            ratio(taken, turns.get(OF_Q4_0, turns[OF_FILE])),
            reading[OURS if name in (PLAIN, AUTOMATIC) else name],
            passes[OURS if name in (PLAIN, AUTOMATIC) else name],
        )
        for name, taken in turns.items()
    ]


def ratio(ours: Sequence[MethodTurn], theirs: Sequence[MethodTurn]) -> float:
    """Return a speed over another by processor time; within a turn, the machine was in the same state."""
    return statistics.median(
        a.tokens_per_processor_s / b.tokens_per_processor_s for a, b in zip(ours, theirs, strict=True)
    )


def table(results: Sequence[Result]) -> list[str]:
    """Return the results as lines for people."""
    rows = list(results[0].passes_ms) if results else []
    lines = [
        f"{'':22}{'tokens/s':>10}{'per CPU s':>11}{'/ file':>9}{'/ Q4_0':>9}{'reads/CPU s':>13}"
        + (f"   ms of {', '.join(rows)} rows" if rows else "")
    ]
    for each in results:
        passes = " ".join(f"{ms:.1f}" for ms in each.passes_ms.values())
        lines.append(
            f"{each.name:22}{each.tokens_per_s:10.1f}{each.tokens_per_processor_s:11.1f}{each.of_file:8.2f}x"
            f"{each.of_q4_0:8.2f}x{each.reading:13.0f}   {passes}".rstrip()
        )
    return lines
