"""`memory`: how much the process grows from its imports on, against the weights and the cache it needs."""

from __future__ import annotations

import argparse
import gc
import importlib
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from safetensors import safe_open

from quire_engine.api.config import DraftingConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.computer_memory import read_memory
from quire_engine.cli.arguments import add_sampling_options, sampling_of
from quire_engine.drafting import drafter_file
from quire_engine.engine import LoadedModel
from quire_engine.models import loading
from quire_engine.models.model_folder import ModelFolder
from quire_engine.runtime.session import DraftingSession
from tests.benchmarks.engine import options
from tests.benchmarks.engine.methods import read_all
from tests.benchmarks.engine.prompt_texts import add_prompt_option, opening_text
from tests.benchmarks.engine.workers import peak_bytes


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what it can be asked beside the common options."""
    parser.add_argument("--tokens", type=int, default=16_384, help="new tokens")
    parser.add_argument("--method", choices=["tokenswift", "plain"], default="tokenswift")
    add_prompt_option(parser)
    add_sampling_options(parser)


def run(args: argparse.Namespace, say: options.Say) -> dict[str, Any]:
    """Load a model, write, and compare the growth of the process with what had to be kept."""
    folder = loading.inspect_folder(options.model_folder(args))
    _import_model_code(folder.config.model_type)
    text = opening_text(args.prompt_file)
    gc.collect()
    before = _held_bytes()
    loaded = options.load(args)
    after_load = _held_bytes()
    num_tokens, peak_length = _write(loaded, text, args)
    gc.collect()
    after = _held_bytes()
    weights = weight_bytes(_files(folder, loaded, args), loaded)
    cache = cache_bytes(loaded, peak_length)
    growth = after - before
    machine = options.describe(loaded)
    say(options.heading(machine))
    say(
        f"after imports {_mib(before)}, with the model {_mib(after_load)}, after {num_tokens:,} "
        f"tokens {_mib(after)} (peak {_mib(peak_bytes())}): growth {_mib(growth)}"
    )
    say(
        f"weights {_mib(weights)} + cache of {peak_length:,} positions {_mib(cache)}: growth is "
        f"{growth / (weights + cache):.2f} times that"
    )
    return {
        "machine": machine,
        "method": args.method,
        "tokens": num_tokens,
        "after_imports": before,
        "after_load": after_load,
        "after_run": after,
        "peak": peak_bytes(),
        "growth": growth,
        "weights": weights,
        "cache": cache,
        "positions": peak_length,
        "ratio": growth / (weights + cache),
    }


def _write(loaded: LoadedModel, text: str, args: argparse.Namespace) -> tuple[int, int]:
    """Write after a text; return (tokens written, most positions that the cache held)."""
    ids = loaded.tokenizer.encode(text).ids[-loaded.target.context_length // 2 :]
    drafting = DraftingConfig(args.method)
    session = DraftingSession(loaded, ids, (), sampling_of(args), drafting)
    peak_length = 0
    while session.num_generated < args.tokens:
        read_all(session)
        session.step()
        peak_length = max(peak_length, loaded.target.length)
    return session.num_generated, peak_length


def _files(folder: ModelFolder, loaded: LoadedModel, args: argparse.Namespace) -> list[Path]:
    """Return the files whose weights a run needs: the model's, and its trained drafters' where they draft."""
    files = list(folder.weights)
    if loaded.trained is not None and args.method == "tokenswift":
        places = (place for place in (args.drafters_folder, folder.path) if place is not None)
        files.append(next(path for place in places if (path := place / drafter_file.FILE_NAME).is_file()))
    return files


def _held_bytes() -> int:
    """Return the memory that the process holds now; where the system does not say, the most it ever held."""
    return read_memory().own or peak_bytes()


def weight_bytes(files: Sequence[Path], loaded: LoadedModel) -> int:
    """Return the bytes of weights in the dtype that is computed with; shared ones count once."""
    width = 2 if loaded.description.identity.dtype == "bfloat16" else 4
    count = 0
    for file in files:
        with safe_open(file, framework="pt") as data:
            for name in data.keys():  # noqa: SIM118  (it is no dictionary)
                size = 1
                for length in data.get_slice(name).get_shape():
                    size *= length
                count += size
    return count * width


def cache_bytes(loaded: LoadedModel, positions: int) -> int:
    """Return the bytes of keys and values of so many positions."""
    parts = loaded.target.store.saved_parts(positions).values()
    return sum(math.prod(part.shape) * part.dtype.itemsize for part in parts)


def _import_model_code(model_type: str) -> None:
    """Import what the library imports late, so that code does not count as memory of the model."""
    for module in (
        f"transformers.models.{model_type}.modeling_{model_type}",
        "transformers.generation.utils",
    ):
        try:
            importlib.import_module(module)
        except ModuleNotFoundError as error:
            raise EnvironmentProblem(f"The library has no code for “{model_type}”.") from error


def _mib(count: int) -> str:
    return f"{count / 2**20:.1f} MiB"
