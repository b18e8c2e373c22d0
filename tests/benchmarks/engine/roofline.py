"""`roofline`: how near passes come to what the memory bandwidth allows, for the shapes of well-known models.

Random weights are enough for time, so nothing is downloaded. The cache is filled and not read, so that a
context of 100,000 tokens takes no longer to make than to write. What is only projected is called so.
"""

from __future__ import annotations

import argparse
import dataclasses
import gc
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from quire_engine.api.config import GPU_PASS_WIDTH, PASS_WIDTH
from quire_engine.api.errors import EnvironmentProblem, is_out_of_memory
from quire_engine.catalog.computer_memory import read_memory
from quire_engine.catalog.memory_fit import gigabytes
from quire_engine.forward import backend_choice
from quire_engine.gpu.static_decoder import DecodeBackend
from quire_engine.models import loading
from quire_engine.models.attention import BLOCK
from tests.benchmarks.engine import options, projection, roofline_estimate, roofline_report
from tests.benchmarks.engine import pass_times as timed
from tests.benchmarks.engine.device_limits import Clock, DeviceSpeed, Reader, buffer_bytes, measure_device
from tests.benchmarks.engine.generate_step_times import CACHES, GenerateSteps, time_generate
from tests.benchmarks.engine.model_shapes import SHAPES, Shape, table_of_shapes
from tests.benchmarks.engine.pass_times import Setup, Timing
from tests.benchmarks.engine.projection import Accepted, Curve, DraftCosts
from tests.benchmarks.engine.random_models import RandomNumbers, network_of, random_model

GOAL = 1.25
"""A plain step may take so many times its bandwidth roofline."""
_LENGTHS = (4096, 32_768, 100_000)
_ROWS = (1, 8, 16, 32, 64)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what it can be asked beside the common options."""
    parser.add_argument("--shape", nargs="+", choices=SHAPES, default=["qwen2.5-1.5b"])
    parser.add_argument("--lengths", type=int, nargs="+", default=_LENGTHS, help="tokens of context")
    parser.add_argument("--rows", type=int, nargs="+", default=_ROWS, help="of verify passes")
    parser.add_argument("--rounds", type=int, default=9, help="of every measurement, 3 to 25")
    parser.add_argument(
        "--layers", type=int, default=0, help="build only so many and extrapolate; 0: all of them"
    )
    parser.add_argument("--partial-budget", type=int, default=4096)
    parser.add_argument(
        "--clock",
        choices=["wall", "processor"],
        default="wall",
        help="processor: leave out the turns of other programs; for one thread on a busy machine",
    )
    parser.add_argument(
        "--backend",
        type=int,
        default=0,
        metavar="N",
        help="on a GPU: 0 for recorded graphs, 1 for passes launched step by step, 2 for portable ones",
    )
    parser.add_argument("--parts", action="store_true", help="tell where the time of plain passes goes")
    parser.add_argument("--no-generate", action="store_true", help="leave the library out")
    parser.add_argument(
        "--acceptance",
        type=Path,
        metavar="FILE",
        help="a report of `benchmarks.engine speed`, to project minutes with",
    )
    parser.add_argument(
        "--on-paper", type=float, metavar="GBPS", help="measure nothing: reckon with this bandwidth, in GB/s"
    )


def run(args: argparse.Namespace, say: options.Say) -> dict[str, Any]:
    """Measure every shape that was asked for, or estimate with a bandwidth."""
    lengths = _checked(args)
    accepted = [] if args.acceptance is None else projection.acceptance_of(_read_json(args.acceptance))
    shapes = [SHAPES[name] for name in dict.fromkeys(args.shape)]
    if args.on_paper is not None:
        return _on_paper(args, shapes, accepted, say)
    device = loading.choose_device(args.device)
    dtype = loading.choose_dtype(args.dtype, device)
    torch.set_num_threads(args.threads or loading.thread_choices(0)[0])
    clock = _clock(args, device)
    reader = Reader(device, clock, buffer_bytes(device, _free_bytes(device)))
    speed = measure_device(reader, clock, device, dtype)
    machine = _machine(device, dtype) | {"clock": args.clock}
    for line in [roofline_report.heading(machine), *speed.lines(), *table_of_shapes(shapes)]:
        say(line)
    reports = []
    for shape in shapes:
        setup = _setup(args, shape, clock, reader, device, dtype)
        _check_memory(setup, shape, lengths, args)
        try:
            reports.append(_measure_shape(setup, shape, lengths, args, speed, accepted, say))
        except (RuntimeError, MemoryError) as error:
            if not is_out_of_memory(error):
                raise
            raise _no_room(shape) from error
    machine["load_at_the_end"] = _load()
    return {"machine": machine, "device_speed": speed.report(), "goal": GOAL, "shapes": reports}


def _measure_shape(
    setup: Setup,
    shape: Shape,
    lengths: Sequence[int],
    args: argparse.Namespace,
    speed: DeviceSpeed,
    accepted: Sequence[Accepted],
    say: options.Say,
) -> dict[str, Any]:
    rows = sorted({1, setup.width, *args.rows})
    layers, backend = setup.shape.num_layers, "portable" if setup.fast is None else setup.fast.name
    say(
        f"\n{shape.name}, {layers} of {shape.num_layers} layers, plain steps with {setup.width} rows in use, "
        f"{backend} passes"
    )
    say(roofline_report.COLUMNS)
    timings: list[Timing] = []
    scores_ms: dict[int, float] = {}
    for timing in _time_passes(setup, rows, lengths, scores_ms):
        timings.append(timing)
        for line in roofline_report.lines_of(timing, speed):
            say(line)
    for line in roofline_report.verdicts(timings, setup.width, GOAL, speed):
        say(line)
    steps = [] if args.no_generate else _time_library(setup, lengths)
    for line in roofline_report.generate_lines(steps, timings, setup.width):
        say(line)
    whole = [_extrapolated(t, scores_ms, timings, shape.num_layers / layers) for t in timings]
    if layers < shape.num_layers:
        for line in roofline_report.extrapolated_lines(whole, setup.shape, shape):
            say(line)
    projected = _project(setup, whole, accepted)
    for line in roofline_report.projected_lines(projected, accepted, lengths[-1]):
        say(line)
    return {
        "shape": dataclasses.asdict(shape),
        "layers": layers,
        "width": setup.width,
        "backend": backend,
        "timings": [timing.report() for timing in timings],
        "extrapolated": [_briefly(timing) for timing in whole] if layers < shape.num_layers else [],
        "generate": [one.report() for one in steps],
        "projected_minutes_per_100k": [one.report() for one in projected],
    }


def _time_passes(
    setup: Setup, rows: Sequence[int], lengths: Sequence[int], scores_ms: dict[int, float]
) -> Iterator[Timing]:
    """Yield every timing; fill `scores_ms` with what is behind the layers, by rows.

    On a CPU the weights are laid out again for every number of rows, as a load does.
    """
    args = (setup.shape, setup.shape.num_layers, setup.numbers, setup.device, setup.dtype)
    model = random_model(*args)
    network = network_of(model, rows[0])
    # elsewhere it is let go of: its joined matrices would be in memory twice
    kept = model if setup.device.type == "cpu" else None
    del model
    for number, count in enumerate(rows):
        if kept is not None and number:
            del network
            network = network_of(kept, count)
        scores_ms[count] = timed.time_scores(setup, network, count)
        yield from timed.time_rows(setup, network, count, lengths)


def _time_library(setup: Setup, lengths: Sequence[int]) -> list[GenerateSteps]:
    gc.collect()  # the network and its caches were let go of just now
    if setup.device.type == "cuda":
        torch.cuda.empty_cache()
    model = random_model(setup.shape, setup.shape.num_layers, setup.numbers, setup.device, setup.dtype)
    return [time_generate(setup, model, cache, length) for length in lengths for cache in CACHES]


# ---------------------------------------------------------------- what was asked for
def _checked(args: argparse.Namespace) -> list[int]:
    """Return the lengths in whole blocks; EnvironmentProblem for what cannot be asked."""
    if not 3 <= args.rounds <= timed.MAX_ROUNDS:
        raise EnvironmentProblem(f"--rounds must be from 3 to {timed.MAX_ROUNDS}, got {args.rounds}.")
    if not all(1 <= rows <= 64 for rows in args.rows):
        raise EnvironmentProblem("--rows must be from 1 to 64.")
    if args.backend < 0:
        raise EnvironmentProblem("--backend must be 0 or more.")
    if args.layers < 0 or args.partial_budget < 32:
        raise EnvironmentProblem("--layers must be 0 or more, and --partial-budget 32 or more.")
    if args.model is not None:
        raise EnvironmentProblem("This benchmark makes random weights of a named --shape; leave out --model.")
    if args.on_paper is not None and args.on_paper <= 0:
        raise EnvironmentProblem(f"--on-paper must be a bandwidth in GB/s, got {args.on_paper:g}.")
    return sorted({max(BLOCK, length // BLOCK * BLOCK) for length in args.lengths})


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise EnvironmentProblem(f"{path} cannot be read as a report: {error}.") from error


def _on_paper(
    args: argparse.Namespace, shapes: Sequence[Shape], accepted: Sequence[Accepted], say: options.Say
) -> dict[str, Any]:
    itemsize = 4 if args.dtype == "float32" else 2
    rows = sorted({row for row in args.rows if row > 1})
    reports = []
    for shape in shapes:
        lines, report = roofline_estimate.reckon(
            shape, 1e9 * args.on_paper, itemsize, args.lengths, rows, args.partial_budget, accepted, GOAL
        )
        reports.append({"shape": dataclasses.asdict(shape), **report})
        for line in lines:
            say(line)
    return {"named": roofline_estimate.ON_PAPER, "shapes": reports}


def _clock(args: argparse.Namespace, device: torch.device) -> Clock:
    """Return the clock that was asked for; EnvironmentProblem where it would count something else."""
    if args.clock == "processor" and (device.type != "cpu" or torch.get_num_threads() != 1):
        raise EnvironmentProblem("--clock processor counts one thread: add --device cpu --threads 1.")
    return Clock(device, processor=args.clock == "processor")


def _setup(
    args: argparse.Namespace,
    shape: Shape,
    clock: Clock,
    reader: Reader,
    device: torch.device,
    dtype: torch.dtype,
) -> Setup:
    return Setup(
        shape=dataclasses.replace(shape, num_layers=min(args.layers or shape.num_layers, shape.num_layers)),
        device=device,
        dtype=dtype,
        numbers=RandomNumbers(args.seed, device, dtype),
        clock=clock,
        reader=reader,
        rounds=args.rounds,
        width=args.width or (PASS_WIDTH if device.type == "cpu" else GPU_PASS_WIDTH),
        budget=args.partial_budget,
        seed=args.seed,
        parts=args.parts,
        fast=_backend(args.backend, device, dtype),
    )


def _backend(number: int, device: torch.device, dtype: torch.dtype) -> DecodeBackend | None:
    """Return a way to run passes, the fastest being number 0; None: the portable one, which is the last.

    A load tries each and takes the first that is right. Here the weights are random, so nothing is judged,
    and a recording that fails is an error: what is timed is what was asked for.
    """
    return next(iter(backend_choice.gpu_backends(device, dtype)[number:]), None)


def _free_bytes(device: torch.device) -> int:
    return torch.cuda.mem_get_info(device)[0] if device.type == "cuda" else read_memory().free


def _check_memory(setup: Setup, shape: Shape, lengths: Sequence[int], args: argparse.Namespace) -> None:
    """Reject what does not fit before anything is built; nothing is known where the system does not say."""
    itemsize = setup.dtype.itemsize
    # while the joined matrices are made, a model is in memory twice
    needed = 2 * itemsize * setup.shape.num_parameters
    needed += setup.shape.cache_bytes(itemsize) * (lengths[-1] + 2 * args.partial_budget)
    free = _free_bytes(setup.device)
    if 0 < free < needed:
        raise EnvironmentProblem(
            f"{shape.name} with {setup.shape.num_layers} layers and {lengths[-1]:,} tokens needs about "
            f"{gigabytes(needed)}, and {gigabytes(free)} are free. Ask for fewer --layers or "
            "shorter --lengths."
        )


def _no_room(shape: Shape) -> EnvironmentProblem:
    return EnvironmentProblem(
        f"The memory ran out while {shape.name} was measured. Ask for fewer --layers or shorter --lengths."
    )


def _machine(device: torch.device, dtype: torch.dtype) -> dict[str, Any]:
    return {
        "processor": options.processor_name(),
        "cores": os.cpu_count(),
        "device": torch.cuda.get_device_name(device) if device.type == "cuda" else device.type,
        "threads": torch.get_num_threads(),
        "software": loading.software_versions(),
        "dtype": str(dtype).removeprefix("torch."),
        "load_at_the_start": _load(),
    }


def _load() -> float | None:
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None  # not on Windows


# ---------------------------------------------------------------- what follows from the timings
def _extrapolated(
    timing: Timing, scores_ms: dict[int, float], timings: Sequence[Timing], times: float
) -> Timing:
    """Return a timing as it would be with `times` as many layers; the rest of a pass does not grow.

    Only passes grow: a step is a pass and what is done with its scores, which is taken as it was.
    """
    if times == 1 or timing.kind not in (timed.PASS, timed.PLAIN_STEP, timed.VERIFY_STEP, timed.PARTIAL):
        return timing
    if timing.kind == timed.PARTIAL:
        fixed = next(t.ms for t in timings if t.kind == timed.HEADS and t.length == timing.length)
    else:
        alone = timed.find(timings, timed.PASS, timing.rows, timing.length).ms
        fixed = scores_ms[timing.rows] + max(0.0, timing.ms - alone)
    layers = max(0.0, timing.ms - fixed)
    return dataclasses.replace(timing, ms=fixed + layers * times)


def _briefly(timing: Timing) -> dict[str, Any]:
    return {"kind": timing.kind, "rows": timing.rows, "length": timing.length, "ms": timing.ms}


def _curve(timings: Sequence[Timing], kind: str, rows: int | None = None) -> Curve:
    return Curve(
        tuple((t.length, t.ms) for t in timings if t.kind == kind and (rows is None or t.rows == rows))
    )


def _project(
    setup: Setup, timings: Sequence[Timing], accepted: Sequence[Accepted]
) -> list[projection.Projected]:
    """Return the minutes of 100,000 tokens: plain with the rows in use, and with the acceptance given.

    Nothing where one length was measured: how the time grows with the text is then unknown.
    """
    if len({t.length for t in timings}) < 2:
        return []
    checked = {t.rows for t in timings if t.kind == timed.VERIFY_STEP}
    verify = {rows: _curve(timings, timed.VERIFY_STEP, rows) for rows in checked}
    drafts = DraftCosts(
        partial=_curve(timings, timed.PARTIAL),
        heads=_curve(timings, timed.HEADS),
        root_level=_curve(timings, timed.ROOT_LEVEL),
        level=_curve(timings, timed.LEVEL),
    )
    return projection.project(_curve(timings, timed.PLAIN_STEP, setup.width), verify, drafts, accepted)
