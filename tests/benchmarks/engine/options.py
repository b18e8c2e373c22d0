"""What every benchmark is asked in the same way, and how it loads a model and describes where it ran."""

from __future__ import annotations

import argparse
import dataclasses
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import torch

from quire_engine.api.config import ModelConfig
from quire_engine.api.errors import EnvironmentProblem
from quire_engine.catalog.adapters import adapter_for
from quire_engine.catalog.importable import find_importable
from quire_engine.catalog.imported_models import source_digest
from quire_engine.cli.arguments import built_in_model
from quire_engine.engine import LoadedModel, load_model
from quire_engine.forward import pass_timing
from quire_engine.forward.pass_runner import PassRunner
from quire_engine.importing.model_import import import_model
from quire_engine.models import loading
from quire_engine.runtime.session import PassCost
from quire_resources import ADAPTERS

Say = Callable[[str], None]
"""Takes one line of a report for people."""


class Suite(Protocol):
    """A module that is one benchmark."""

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        """Declare what it can be asked beside the common options."""
        ...

    def run(self, args: argparse.Namespace, say: Say) -> dict[str, Any]:
        """Measure, tell people line by line, and return all of it for JSON."""
        ...


def add_common_options(parser: argparse.ArgumentParser) -> None:
    """Declare model, dtype, threads, pass width, seed and report."""
    parser.add_argument("--model", type=Path, default=None, help="model folder; default: the built-in model")
    parser.add_argument(
        "--drafters-folder", type=Path, default=None, help="where its trained drafters lie, if not beside it"
    )
    parser.add_argument("--dtype", choices=["auto", "float32", "bfloat16"], default="auto")
    parser.add_argument("--device", choices=["auto", "cpu", "cuda", "mps"], default="auto")
    parser.add_argument("--threads", type=int, default=0, help="for every method; 0: Quire's own choice")
    parser.add_argument("--width", type=int, default=0, help="rows of a padded pass; 0: Quire's own choice")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, dest="json_path", metavar="OUT", help="write a report here")


def model_folder(args: argparse.Namespace) -> Path:
    """Return the model folder that was named, or the built-in one."""
    named: Path | None = args.model
    return built_in_model() if named is None else named


def add_file_option(parser: argparse.ArgumentParser) -> None:
    """Declare the model file that is imported for the benchmark."""
    parser.add_argument("--gguf", type=Path, default=None, help="model file; default: the starter model's")


def model_file(args: argparse.Namespace) -> Path:
    """Return the model file that was named, or the starter model's."""
    if args.gguf is not None:
        return Path(args.gguf)
    found = sorted(Path(sys.prefix, "share", "quire", "models").glob("*.gguf"))
    if not found:
        raise EnvironmentProblem("The starter model is not there; name a file with --gguf.")
    return found[0]


def imported_file(file: Path, folder: Path) -> Path:
    """Import a model file as a writer does: with the adapter, n-grams and drafters that ship for it."""
    adapter = adapter_for(ADAPTERS, source_digest(find_importable(file).files))
    return import_model(file, folder, adapter=adapter, shipped=ADAPTERS)


def load_fast(model: Path, threads: int, cache_folder: Path) -> LoadedModel:
    """Load a model in Fast as the app does, but for n-grams translated from another model's."""
    loaded = load_model(
        ModelConfig(
            str(model),
            dtype="int8",
            threads=threads,
            context=_WHOLE,
            cache_folder=str(cache_folder),
        )
    )
    torch.set_num_threads(max(threads, 1))
    return loaded


_WHOLE = 1 << 24  # all that the model can hold


def load(args: argparse.Namespace) -> LoadedModel:
    """Load the model as the app does: every pass has the run's width."""
    return load_model(
        ModelConfig(
            str(model_folder(args)),
            dtype=args.dtype,
            width=args.width,
            threads=args.threads,
            device=args.device,
            drafters_folder=str(args.drafters_folder or ""),
            context=_WHOLE,
        )
    )


def load_unpadded(args: argparse.Namespace, width: int = 1) -> LoadedModel:
    """Load the model for passes of as many rows as they need, its weights laid out for `width` of them.

    With one row that is the fastest plain decoding.
    """
    threads = torch.get_num_threads()
    loaded = load_model(
        ModelConfig(
            str(model_folder(args)),
            dtype=args.dtype,
            width=width,
            threads=args.threads or threads,
            device=args.device,
            reproducible=False,
            context=_WHOLE,
        )
    )
    torch.set_num_threads(threads)  # one number for every method
    return loaded


def exact_only(loaded: LoadedModel) -> LoadedModel:
    """Return the same model with passes as wide as they need to be: what `--reproducible off` writes with."""
    target = loaded.target
    if not isinstance(target, PassRunner):
        return loaded
    runner = PassRunner(target.network, target.width, target.context_length, padded=False, fast=target.fast)
    costs = tuple(PassCost(*cost) for cost in pass_timing.measure_passes(runner, loaded.vocab_size))
    return dataclasses.replace(loaded, target=runner, pass_costs=costs, near_tie=0.0)


def describe(loaded: LoadedModel) -> dict[str, Any]:
    """Return where and with what a benchmark ran."""
    device = loaded.target.network.device
    return {
        "processor": processor_name(),
        "cores": os.cpu_count(),
        "device": torch.cuda.get_device_name(device) if device.type == "cuda" else device.type,
        "threads": torch.get_num_threads(),
        "software": loading.software_versions(),
        "model": loaded.description.identity.name,
        "fingerprint": loaded.description.identity.fingerprint,
        "parameters": loaded.description.num_parameters,
        "dtype": loaded.description.identity.dtype,
        "width": loaded.target.width,
        "context_length": loaded.target.context_length,
        "reproducible": loaded.description.reproducible,
        "trained_drafters": trained_drafters(loaded),
    }


def trained_drafters(loaded: LoadedModel) -> list[str]:
    """Return the kinds of trained drafters that the model has."""
    trained = loaded.trained
    kinds = {} if trained is None else {"heads": trained.heads, "feature": trained.feature}
    return [kind for kind, weights in kinds.items() if weights is not None]


def heading(machine: dict[str, Any]) -> str:
    """Return one line that says where and with what a benchmark ran."""
    trained = ", ".join(machine["trained_drafters"]) or "none"
    return (
        f"{machine['model']}: {machine['parameters']:,} parameters, {machine['dtype']}, passes of "
        f"{machine['width']} rows, on {machine['device']} ({machine['processor']}, {machine['cores']} cores, "
        f"{machine['threads']} threads); trained drafters: {trained}; "
        f"{machine['software']}"
    )


def processor_name() -> str:
    """Return the CPU's name where the system tells it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass  # only Linux has it
    return platform.processor() or platform.machine()
