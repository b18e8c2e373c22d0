"""What passes of well-known models cost: on paper from their sizes, measured on small twins of them, and the
starter model's race with llama.cpp."""

from __future__ import annotations

import dataclasses
import functools
import math
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from quire_engine.api.config import SamplingConfig
from quire_engine.decoding.draft_tree import ROOT
from quire_engine.drafting.drafter import DrafterInput
from quire_engine.drafting.paper.partial_cache_drafter import GAMMA, PartialDrafter
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.models.attention import BLOCK
from tests.benchmarks.engine.model_shapes import SHAPES, Shape
from tests.benchmarks.engine.paper.bench import Bench
from tests.benchmarks.engine.paper.experiment import Experiment, Results
from tests.benchmarks.engine.paper.paper_figures import paper_says
from tests.benchmarks.engine.paper.race import Race, run_race
from tests.benchmarks.engine.paper.race_tables import TableForm, race_table
from tests.benchmarks.engine.paper.sizes import Size
from tests.benchmarks.engine.paper.systems import PAPER, STARTER, WITHOUT_REUSE
from tests.benchmarks.engine.paper.tables import Table
from tests.benchmarks.engine.projection import LONG_TEXT, minutes
from tests.benchmarks.engine.random_models import (
    RandomNumbers,
    fill_store,
    network_of,
    random_heads,
    random_model,
)

_QWEN: dict[str, Any] = SHAPES["qwen2.5-7b"].rope
_LLAMA_2: dict[str, Any] = {"rope_type": "default", "rope_theta": 10_000.0}  # YaRN's factors cost nothing
MODELS = (
    dataclasses.replace(SHAPES["llama-3.1-8b"], name="LLaMA-3.1-8B"),
    Shape(
        "YaRN-LLaMA-2-7B",
        "config.json of NousResearch/Yarn-Llama-2-7b-128k",
        *("llama", 32, 4096, 11_008, 32, 32, 32_000, False, _LLAMA_2, 1e-5),
    ),
    dataclasses.replace(SHAPES["qwen2.5-1.5b"], name="Qwen2.5-1.5B"),
    dataclasses.replace(SHAPES["qwen2.5-7b"], name="Qwen2.5-7B"),
    Shape(
        "Qwen2.5-14B",
        "config.json of Qwen/Qwen2.5-14B",
        *("qwen2", 48, 5120, 13_824, 40, 8, 152_064, False, _QWEN, 1e-5),
    ),
    Shape(
        "R1-Distill-Qwen-32B",
        "config.json of deepseek-ai/DeepSeek-R1-Distill-Qwen-32B",
        *("qwen2", 64, 5120, 27_648, 40, 8, 152_064, False, _QWEN, 1e-5),
    ),
)
"""The paper's models, and one that was added to its code. R1-Distill-Llama-8B is as large as LLaMA-3.1-8B."""
_DEVICES = {"A100": (2039e9, 80e9), "H200": (4800e9, 141e9)}  # bytes a second, bytes
_BUDGET, _ITEMSIZE = 4096, 2
_ALPHA = 0.8
_ROWS = (1, 8, WITHOUT_REUSE.rows, PAPER.rows)


def experiments(size: Size, sampling: SamplingConfig) -> list[Experiment]:
    """Return Tables 2 and 4."""
    return [Experiment("2", {}, lambda _: [_on_paper()]), _models(size, sampling)]


def _on_paper() -> Table:
    """Return what the paper's method can bring where memory is the limit, by calculation alone."""
    rows = [_paper_row(shape, device) for shape in MODELS for device in _DEVICES]
    sizes = ("model", "device", "weights, GB", "cache of 100K, GB", "plain pass, ms at 4K and 100K")
    columns = (
        *sizes,
        "draft pass, ms",
        "100K tokens plain, minutes",
        f"at alpha {_ALPHA}, minutes",
        "the paper",
    )
    notes = (
        "On paper: nobody ran this. Bytes over 100% of the memory's bandwidth (A100 2,039 GB/s, H200 4,800), "
        "bfloat16, arithmetic and host free, from an empty context on.",
        f"At alpha {_ALPHA} a step brings {1 + _ALPHA * GAMMA:g} tokens, for one draft pass over {_BUDGET:,} "
        f"positions and one pass of {PAPER.rows} rows over everything.",
    )
    return Table("Table 2: what the memory's bandwidth allows", columns, tuple(rows), notes, num_names=2)


def _paper_row(shape: Shape, device: str) -> tuple[str, ...]:
    speed, room = _DEVICES[device]
    weights, cache = shape.num_parameters * _ITEMSIZE, shape.cache_bytes(_ITEMSIZE) * LONG_TEXT

    def plain(length: float) -> float:
        return shape.pass_work(1, int(length), _ITEMSIZE).memory_ms(speed)

    def draft(length: float) -> float:
        return shape.partial_work(int(length), _BUDGET, _ITEMSIZE).memory_ms(speed)

    def step(length: float) -> float:
        verify = shape.pass_work(PAPER.rows, int(length), _ITEMSIZE).memory_ms(speed)
        return (draft(length) + verify) / (1 + _ALPHA * GAMMA)

    fits = weights + cache < room
    taken = [f"{minutes(each):.1f}" if fits else "does not fit" for each in (plain, step)]
    return (
        *(shape.name, device, f"{weights / 1e9:.1f}", f"{cache / 1e9:.1f}"),
        *(f"{plain(4096):.1f}, {plain(LONG_TEXT):.1f}", f"{draft(LONG_TEXT):.1f}", *taken),
        paper_says("2", "", shape.name) if device == "A100" else "–",
    )


def twin_of(shape: Shape, scale: int) -> Shape:
    """Return a narrow model of the same proportions: widths and vocabulary over `scale`, layers over 8."""
    shared = math.gcd(shape.num_heads, shape.num_kv_heads, 4)
    return dataclasses.replace(
        shape,
        num_layers=max(2, shape.num_layers // 8),
        hidden_size=shape.hidden_size // scale,
        intermediate_size=shape.intermediate_size // scale,
        num_heads=shape.num_heads // shared,
        num_kv_heads=shape.num_kv_heads // shared,
        vocab_size=shape.vocab_size // scale,
    )


def _models(size: Size, sampling: SamplingConfig) -> Experiment:
    """Return Table 4: twins of the paper's models, and a small real one beside llama.cpp."""
    turns = (size.starter_turn,) * size.num_turns
    races = [
        Race("SmolLM2", STARTER, opening, size.starter_prefix, turns, size.warm_up, sampling)
        for opening in range(size.openings)
    ]
    twins = {f"twin of {shape.name}": functools.partial(_time_twin, shape=shape) for shape in MODELS}
    cells = {race.key: functools.partial(_race_starter, race=race) for race in races}
    form = TableForm(
        "4",
        "SmolLM2 in Fast beside llama.cpp with the same file",
        ("It has no heads, and Fast has no partial cache: the paper's system cannot take part.",),
        with_generate=True,
    )
    return Experiment(
        "4",
        {**twins, **cells},
        lambda results: [_twins_table(size, results), race_table(form, races, results)],
    )


def _race_starter(bench: Bench, race: Race) -> dict[str, Any]:
    return run_race(bench.starter, race)


def _time_twin(bench: Bench, shape: Shape) -> dict[str, Any]:
    """Return processor milliseconds of passes by their rows, and of the paper's draft pass."""
    size = bench.size
    twin, device = twin_of(shape, size.twin_scale), torch.device("cpu")
    numbers = RandomNumbers(1, device, torch.float32)
    model = random_model(twin, twin.num_layers, numbers, device, torch.float32)
    passes: dict[str, float] = {}
    draft = math.nan
    for rows in _ROWS:
        runner = PassRunner(network_of(model, rows), rows, size.twin_length + 8 * BLOCK, padded=False)
        fill_store(runner.store, twin, twin.num_layers, size.twin_length, numbers, 8 * BLOCK)
        parents = [-1, *[ROOT] * (rows - 1)]
        tokens = [7919 * node % twin.vocab_size for node in range(rows)]
        passes[str(rows)] = _milliseconds(functools.partial(runner.decode, tokens, parents), size.twin_rounds)
        if rows == 1:
            draft = _draft_ms(runner, PartialDrafter(runner, random_heads(twin, numbers), size.budget), size)
        runner.release()
    return {"parameters": twin.num_parameters, "passes": passes, "draft": draft}


def _draft_ms(runner: PassRunner, drafter: PartialDrafter, size: Size) -> float:
    runner.record_queries = True  # which choose the keys
    runner.decode([0], [-1])
    runner.commit([ROOT])
    window = np.arange(64, dtype=np.int64)
    request = DrafterInput(0, runner.length, SamplingConfig(), window, max_depth=GAMMA)
    return _milliseconds(functools.partial(drafter.begin, request), size.twin_rounds)


def _milliseconds(action: Callable[[], object], rounds: int) -> float:
    """Return the median processor time of an action, after one that warms it up."""
    action()
    taken: list[float] = []
    for _ in range(rounds):
        begun = time.process_time()
        action()
        taken.append(1e3 * (time.process_time() - begun))
    return statistics.median(taken)


def _twins_table(size: Size, results: Results) -> Table:
    rows: list[tuple[str, ...]] = []
    problems: Sequence[str] = ()
    for shape in MODELS:
        result = results.get(f"twin of {shape.name}", {"problem": "not measured"})
        if "problem" in result:
            problems = (*problems, f"{shape.name}: {result['problem']}")
            continue
        passes = [result["passes"][str(count)] for count in _ROWS]
        gain = (1 + _ALPHA * GAMMA) * passes[0] / (result["draft"] + passes[-1])
        times = [f"{ms:.1f}" for ms in (*passes, result["draft"])]
        named = (shape.name, f"{result['parameters'] / 1e6:.1f} million")
        rows.append((*named, *times, f"{gain:.2f}x", paper_says("4", "", shape.name)))
    columns = ("twin of", "parameters", *(f"{count} row{'s' if count > 1 else ''}, ms" for count in _ROWS))
    columns += ("draft pass, ms", f"over plain at alpha {_ALPHA}", "the paper")
    note = (
        f"Random weights, float32: a model of the same proportions, {size.twin_scale} times narrower, an "
        f"eighth of the layers, behind {size.twin_length:,} tokens; partial cache of {size.budget:,}. "
        "The last but one column is calculated: what the passes' cost leaves if drafts were as good as that."
    )
    title = "Table 4: the paper's models, twins of them for cost"
    return Table(title, columns, tuple(rows), (note, *problems), num_names=1)
