"""`grid`: is TokenSwift, left to itself, ever slower than plain decoding? Many settings, two models.

In *Fast* a pass costs what its rows cost, padded or not, so that one question is left, and processor time
answers it beside other programs.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from quire.domain.drafting.presets import BALANCED
from quire_engine.api.config import PLAIN, DraftingConfig, SamplingConfig
from quire_engine.api.sampling_scale import REFERENCE, SamplingScale, scaled
from quire_engine.engine import LoadedModel
from quire_engine.models import loading
from tests.benchmarks.engine import options
from tests.benchmarks.engine.methods import MethodTurn, OwnMethod
from tests.benchmarks.engine.prompt_texts import add_prompt_option, opening_text, prose_ids
from tests.benchmarks.engine.speed import (
    EXACT_ONLY,
    PLAIN_PADDED,
    PLAIN_UNPADDED,
    TOKENSWIFT,
    Result,
    results_of,
    take_turns,
)

GOAL = 0.97
"""No setting may be slower than plain decoding by more than noise."""
QUESTIONS = {
    "unpadded/same": (EXACT_ONLY, PLAIN_UNPADDED),
    "padded/same": (TOKENSWIFT, PLAIN_PADDED),
    "padded/unpad.": (TOKENSWIFT, PLAIN_UNPADDED),
}
"""What is compared with what. In the first two, both sides have the same kind of passes, so what is lost is
the planner's doing; the last one also holds the price of passes of one width, of the same text every time."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what it can be asked beside the common options."""
    parser.add_argument("--length", type=int, default=512, help="tokens of context")
    parser.add_argument("--tokens", type=int, default=192, help="new tokens per turn")
    parser.add_argument("--turns", type=int, default=5, help="after one that warms up")
    parser.add_argument("--worst", type=int, default=5, help="how many settings to list at the end")
    parser.add_argument("--fast", action="store_true", help="in Fast, by default the starter model")
    options.add_file_option(parser)
    add_prompt_option(parser)


def run(args: argparse.Namespace, say: options.Say) -> dict[str, Any]:
    """Measure every setting on the model and on one of its shape with random weights, or in Fast."""
    if args.fast:
        return _run_fast(args, say)
    rows: list[dict[str, Any]] = []
    machine: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        random = random_twin(options.model_folder(args), Path(folder) / "random")
        for kind, path in (("model", options.model_folder(args)), ("random weights", random)):
            folder_of_drafters = args.drafters_folder if path is not random else None
            wanted = argparse.Namespace(
                **{**vars(args), "model": path, "drafters_folder": folder_of_drafters}
            )
            loaded, unpadded = options.load(wanted), options.load_unpadded(wanted)
            if not machine:
                machine = options.describe(loaded)
                say(options.heading(machine))
                names = "".join(f"{query:>15}" for query in QUESTIONS)
                say(f"{'':43}{names}{'per pass':>10}{'cost':>6}{'ceiling':>9}")
            ids = prose_ids(
                loaded, opening_text(args.prompt_file), args.length, SamplingConfig(seed=args.seed)
            )
            for name, sampling in settings(args.seed).items():
                results = measure(loaded, unpadded, ids, sampling, args.tokens, args.turns)
                reports = {method: result.report() for method, result in results.items()}
                rows.append({"model": kind, "setting": name, **reports})
                say(_line(rows[-1]))
    below: dict[str, int] = {}
    for query in QUESTIONS:
        worst = sorted(rows, key=lambda row: _ratio(row, query))
        below[query] = sum(_ratio(row, query) < GOAL for row in rows)
        say(f"\n{query}: {below[query]} of {len(rows)} settings below {GOAL}x. The slowest:")
        for row in worst[: args.worst]:
            say(_line(row))
    return {"machine": machine, "goal": GOAL, "num_below_goal": below, "settings": rows}


def _run_fast(args: argparse.Namespace, say: options.Say) -> dict[str, Any]:
    """Measure TokenSwift against plain in Fast, with what ships for the model, at every setting."""
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        model = args.model or options.imported_file(options.model_file(args), Path(folder))
        loaded = options.load_fast(model, args.threads or 1, Path(folder))
        machine = options.describe(loaded)
        say(options.heading(machine))
        ids = prose_ids(loaded, opening_text(args.prompt_file), args.length, SamplingConfig(seed=args.seed))
        for name, sampling in fast_settings(args.seed, loaded.description.scale).items():
            methods = [
                OwnMethod(method, loaded, ids, sampling, drafting)
                for method, drafting in ((TOKENSWIFT, DraftingConfig("tokenswift")), (PLAIN_PADDED, PLAIN))
            ]
            taken = take_turns(methods, ids, args.tokens, args.turns)
            swift, plain = (_per_processor_s(taken[method.name]) for method in methods)
            rows.append({"setting": name, TOKENSWIFT: swift, PLAIN_PADDED: plain, "ratio": swift / plain})
            say(_fast_line(rows[-1]))
    rows.sort(key=lambda row: float(row["ratio"]))
    below = sum(row["ratio"] < GOAL for row in rows)
    say(f"\n{below} of {len(rows)} settings below {GOAL}x. The slowest:")
    for row in rows[: args.worst]:
        say(_fast_line(row))
    return {"machine": machine, "goal": GOAL, "num_below_goal": below, "settings": rows}


def _per_processor_s(turns: Sequence[MethodTurn]) -> float:
    return sum(turn.num_tokens for turn in turns) / sum(turn.processor_s for turn in turns)


def _fast_line(row: dict[str, Any]) -> str:
    speeds = f"{row[PLAIN_PADDED]:8.1f} plain{row[TOKENSWIFT]:8.1f} TokenSwift tokens per CPU s"
    return f"{row['setting']:36}{speeds}{row['ratio']:8.2f}x"


def fast_settings(seed: int, scale: SamplingScale | None) -> dict[str, SamplingConfig]:
    """Return the sampling rules of the grid in Fast; penalties take as much from words as presets' do."""
    grid = {"greedy": SamplingConfig(temperature=0, min_p=0, repetition_penalty=1)}
    forms = [
        ("no truncation, penalty", 1.0, 0.0, 1.2),
        ("top-p 0.9, penalty", 0.9, 0.0, 1.2),
        ("min-p 0.1, penalty", 1.0, 0.1, 1.2),
        ("min-p 0.1", 1.0, 0.1, 1.0),
        ("min-p 0.1, strong penalty", 1.0, 0.1, 1.4),
    ]
    for temperature, (name, top_p, min_p, penalty) in itertools.product((0.4, 0.7, 1.0, 1.3), forms):
        as_preset = scaled(SamplingConfig(repetition_penalty=penalty), scale or REFERENCE)
        grid[f"t {temperature:g}, {name}"] = SamplingConfig(
            temperature=temperature,
            top_p=top_p,
            min_p=min_p,
            repetition_penalty=as_preset.repetition_penalty,
            penalty_growth=BALANCED.sampling.penalty_growth if penalty > 1 else 0.0,
            seed=seed,
        )
    return grid


def settings(seed: int) -> dict[str, SamplingConfig]:
    """Return the sampling rules of the grid by name."""
    grid = {
        "greedy": SamplingConfig(temperature=0, min_p=0, repetition_penalty=1),
        "greedy, penalty": SamplingConfig(temperature=0, min_p=0),
    }
    for temperature in (0.7, 1.0, 1.3):
        for top_p, min_p in ((1.0, 0.0), (1.0, 0.1), (0.9, 0.0)):
            for penalty in (1.0, 1.2):
                rules = "top-p 0.9" if top_p < 1 else f"min-p {min_p:g}"
                name = f"t {temperature:g}, {rules}{', penalty' if penalty > 1 else ''}"
                grid[name] = SamplingConfig(
                    temperature=temperature,
                    top_p=top_p,
                    min_p=min_p,
                    repetition_penalty=penalty,
                    seed=seed,
                )
    return grid


def measure(
    loaded: LoadedModel,
    unpadded: LoadedModel,
    prompt_ids: Sequence[int],
    sampling: SamplingConfig,
    count: int,
    turns: int,
) -> dict[str, Result]:
    """Let TokenSwift and plain decoding, both with padded passes and without, take turns; results by name."""
    auto = DraftingConfig("tokenswift")
    methods = [
        OwnMethod(TOKENSWIFT, loaded, prompt_ids, sampling, auto),
        OwnMethod(EXACT_ONLY, options.exact_only(loaded), prompt_ids, sampling, auto),
        OwnMethod(PLAIN_PADDED, loaded, prompt_ids, sampling, PLAIN),
        OwnMethod(PLAIN_UNPADDED, unpadded, prompt_ids, sampling, PLAIN),
    ]
    results = results_of(take_turns(methods, prompt_ids, count, turns))
    return {result.name: result for result in results}


def random_twin(folder: Path, out: Path) -> Path:
    """Write a model of the same shape with random weights, whose text nothing foresees; return its folder."""
    config = loading.inspect_folder(folder).config
    library: Any = importlib.import_module("transformers")  # by name: as in models.loading
    library.utils.logging.disable_progress_bar()
    torch.manual_seed(1)
    library.AutoModelForCausalLM.from_config(config).save_pretrained(out)
    shutil.copy(folder / "tokenizer.json", out)
    return out


def _ratio(row: dict[str, Any], query: str) -> float:
    method, baseline = QUESTIONS[query]
    ratio: float = row[method]["over"][baseline]
    return ratio


def _line(row: dict[str, Any]) -> str:
    swift = row[TOKENSWIFT]
    ratios = "".join(f"{_ratio(row, query):14.2f}x" for query in QUESTIONS)
    return (
        f"{row['model']:15}{row['setting']:28}{ratios}{swift['tokens_per_pass']:10.2f}"
        f"{swift['cost_of_a_pass']:6.2f}{swift['ceiling']:8.2f}x"
    )
